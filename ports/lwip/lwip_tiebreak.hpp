// SPDX-License-Identifier: Apache-2.0
// Two devices that probe for the same name at the same time (RFC 6762 section 8.2).
#pragma once

#include <lwip/netif.h>
#include <lwip/pbuf.h>

namespace mcp::lwip {

// If `interface` probes, and `packet` is a probe of another device for one of its names with later data: probes again
// in 1 s. By then the other device has the name, and its response takes the name away. Every entry of `packet` must end
// in it.
void break_tie(netif& interface, pbuf& packet);

}  // namespace mcp::lwip
