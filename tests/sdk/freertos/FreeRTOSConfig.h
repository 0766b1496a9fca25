/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of the example, with a tick count of 16 bits and a rate that does not divide 1000. */
#pragma once

#include "../../../examples/freertos/FreeRTOSConfig.h"

#undef configUSE_16_BIT_TICKS
#define configUSE_16_BIT_TICKS 1
#undef configTICK_RATE_HZ
#define configTICK_RATE_HZ 1024
