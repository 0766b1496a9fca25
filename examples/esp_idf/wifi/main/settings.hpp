// SPDX-License-Identifier: Apache-2.0
// The server of the wire: a technician, or `mote-attach provision`, sets the network and the token. They outlive a
// reset.
#pragma once

#include <mcp/ports/network_report.hpp>
#include <mcp/records.hpp>
#include <mcp/server.hpp>

namespace setup {

extern const mcp::Server server;

// Uses these records. Call it before the first message.
void begin(mcp::Records& records);

// Whether the setting has changed since the last call. True at the start.
bool take_token_change();
bool take_network_change();

// Sets what the wire shows of the network. The address is copied. The reason must be a literal.
void show_network(const mcp::NetworkReport& report);

}  // namespace setup
