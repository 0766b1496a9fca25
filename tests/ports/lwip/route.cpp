// SPDX-License-Identifier: Apache-2.0
#include "route.h"

netif* test_route(const ip4_addr_t* source, const ip4_addr_t*) {
  netif* interface = nullptr;
  NETIF_FOREACH(interface) {
    if (ip4_addr_cmp(netif_ip4_addr(interface), source)) return interface;
  }
  return nullptr;
}
