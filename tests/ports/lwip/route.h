// SPDX-License-Identifier: Apache-2.0
/* Both ends of the wire are interfaces of one lwIP: a packet leaves through the one whose address it comes from. */
#pragma once

#include "lwip/ip4_addr.h"
#include "lwip/netif.h"

#ifdef __cplusplus
extern "C" {
#endif

struct netif* test_route(const ip4_addr_t* source, const ip4_addr_t* destination);

#ifdef __cplusplus
}
#endif
