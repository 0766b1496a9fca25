// SPDX-License-Identifier: Apache-2.0
// As components/soc/esp32c3/include/soc/soc_caps.h of ESP-IDF. An ESP32 has no USB Serial/JTAG: there it is not
// defined.
#pragma once

#ifndef MOTE_TEST_NO_USB
#define SOC_USB_SERIAL_JTAG_SUPPORTED 1
#endif
