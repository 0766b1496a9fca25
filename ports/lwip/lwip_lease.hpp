// SPDX-License-Identifier: Apache-2.0
// The end of a lease of lwIP's DHCP client, for lwip_timers.cpp and for Wi-Fi of a Pico W.
#pragma once

#include <lwip/dhcp.h>
#include <lwip/netif.h>
#include <lwip/prot/dhcp.h>

namespace mcp::lwip {

/// Drops the address of a lease that has ended. A board that uses an address after its lease could respond in the place
/// of the next owner. lwIP forgets such a lease, but drops its address only if it is bound, or renewing it (2.2.1).
/// Without a link, the client waits in its first state.
inline void drop_ended_lease(netif& interface) {
  const dhcp* const client = netif_dhcp_data(&interface);
  if (client == nullptr || ip4_addr_isany_val(*netif_ip4_addr(&interface)) || client->offered_t0_lease != 0) return;
  if (client->state == DHCP_STATE_INIT || client->state == DHCP_STATE_SELECTING ||
      client->state == DHCP_STATE_REQUESTING)
    netif_set_addr(&interface, IP4_ADDR_ANY4, IP4_ADDR_ANY4, IP4_ADDR_ANY4);
}

}  // namespace mcp::lwip
