// SPDX-License-Identifier: Apache-2.0
// Defines MOTE_NO_SERIAL if the board has no `Serial`. In stm32duino, Serial is a macro, and only the menus of the
// board define it. For another core without Serial, define MOTE_NO_SERIAL in the options of the compiler.
#pragma once

#include <Arduino.h>

#if defined(ARDUINO_ARCH_STM32) && !defined(Serial) && !defined(MOTE_NO_SERIAL)
#define MOTE_NO_SERIAL
#endif
