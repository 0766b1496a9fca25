/* SPDX-License-Identifier: Apache-2.0 */
/* In place of the cc.h of the pico-sdk (src/rp2_common/pico_lwip/include/arch), which needs its hardware. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
uint32_t test_random(void);
#ifdef __cplusplus
}
#endif

#define LWIP_RAND() test_random()
#define LWIP_NO_CTYPE_H 1
