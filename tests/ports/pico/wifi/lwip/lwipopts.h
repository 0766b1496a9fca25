/* SPDX-License-Identifier: Apache-2.0 */
/* The options for a Pico W. In addition, each function of lwIP checks that its caller holds the lock, and a packet
   leaves through the interface of its source address, because the test has both ends in one lwIP. */
#pragma once

#include "ports/sdk/pico/lwipopts/lwipopts.h"

#ifdef __cplusplus
extern "C" {
#endif
void test_core_is_locked(void);
#ifdef __cplusplus
}
#endif

#define LWIP_ASSERT_CORE_LOCKED() test_core_is_locked()
#define LWIP_HOOK_FILENAME "tests/ports/lwip/route.h"
#define LWIP_HOOK_IP4_ROUTE_SRC test_route
/* Both ends have connections here. */
#undef MEMP_NUM_TCP_PCB
#define MEMP_NUM_TCP_PCB 16
