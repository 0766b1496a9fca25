// SPDX-License-Identifier: Apache-2.0
// The declared capabilities of a client.
#pragma once

#include <cstdint>
#include <string_view>

#include "mcp/detail/server_state.hpp"
#include "mcp/json/value.hpp"
#include "mcp/rpc/response.hpp"

namespace mcp::protocol {

/// Feature::read_client of features that need capabilities: reads those that the client's revision has.
bool read_client_features(json::Value capabilities, json::Value meta, SendContext& context);

/// The name of a bit of CapabilityBit, and the error for a stateless client without it.
std::string_view name_of(std::uint8_t features);
void fail_for_capability(rpc::Response& response, std::uint8_t features);

}  // namespace mcp::protocol
