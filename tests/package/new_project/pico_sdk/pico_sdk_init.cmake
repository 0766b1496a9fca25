# SPDX-License-Identifier: Apache-2.0
# A fake of the pico-sdk: libraries with the stubs of its headers in TESTS, for this machine.
macro(pico_sdk_init)
  foreach(library pico_runtime pico_rand pico_stdlib pico_bootrom pico_unique_id hardware_adc hardware_i2c hardware_irq
      hardware_pwm hardware_sync hardware_uart tinyusb_device)
    add_library(${library} INTERFACE)
  endforeach()
  target_include_directories(pico_stdlib SYSTEM INTERFACE ${TESTS}/ports/pico/stubs)
endmacro()
foreach(name pico_enable_stdio_uart pico_enable_stdio_usb pico_add_extra_outputs)
  function(${name} target)
    if(NOT TARGET ${target})
      message(FATAL_ERROR "${target} is no target")
    endif()
  endfunction()
endforeach()
