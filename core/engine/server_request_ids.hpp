// SPDX-License-Identifier: Apache-2.0
// The ids of the server's own requests.
#pragma once

#include <cstdint>
#include <string_view>

#include "mcp/detail/server_state.hpp"
#include "mcp/json/writer.hpp"

namespace mcp::protocol {

/// The number of the next request of the server to a client, 1 to 999,999,999, then from 1 again. On the wire its id is
/// 1,000,000,000 and that number: an integer, because some clients send `"id":0` for a string, and one of 32 bits.
/// Clients count from 0 or 1, or use strings, so an id shows who has sent the request.
std::uint32_t new_request_id(const mcp::detail::StorageView& storage);
/// Writes the id, a value.
void write_request_id(json::Writer& out, std::uint32_t id);
/// The number in the id of a response, as it is in the message; 0 for an id that this server does not use.
std::uint32_t read_request_id(const std::string_view& raw);

}  // namespace mcp::protocol
