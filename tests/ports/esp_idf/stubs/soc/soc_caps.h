// SPDX-License-Identifier: Apache-2.0
// As components/soc/esp32c3/include/soc/soc_caps.h of ESP-IDF v6.2-dev, commit 1021229. An ESP32 has no USB
// Serial/JTAG, and components/soc/linux/include/soc/soc_caps.h has no UART either: there they are not defined.
#pragma once

#ifndef MOTE_TEST_LINUX
#define SOC_I2C_SUPPORTED 1
#ifndef MOTE_TEST_NO_UART
#define SOC_UART_SUPPORTED 1
#endif
#ifndef MOTE_TEST_NO_USB
#define SOC_USB_SERIAL_JTAG_SUPPORTED 1
#endif
#endif
