// SPDX-License-Identifier: Apache-2.0
// The server of the wire: a technician, or `mote-attach provision`, sets the network and the token. They outlive a
// reset.
#pragma once

#include <mcp/records.hpp>
#include <mcp/server.hpp>

#include <string_view>

namespace setup {

extern const mcp::Server server;

// Uses these records. Call it before the first message.
void begin(mcp::Records& records);

// Whether the setting has changed since the last call. True at the start.
bool take_token_change();
bool take_network_change();

// Sets the URL that the wire shows; copied. Empty: there is no network. `state` says why.
void set_url(std::string_view url, std::string_view state);

}  // namespace setup
