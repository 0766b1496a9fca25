// What a client can do, as it said.
#pragma once

#include <cstdint>
#include <string_view>

#include "mcp/detail/server_state.hpp"
#include "mcp/json/value.hpp"
#include "mcp/rpc/response.hpp"

namespace mcp::protocol {

/// Feature::read_client of the areas that want to know what a client can do: as far as its revision knows it.
bool read_client_features(json::Value capabilities, json::Value meta, mcp::detail::Client& client);

/// The word for what a bit of CapabilityBit stands for, and the error of a stateless client that lacks it.
std::string_view name_of(std::uint8_t features);
void fail_for_capability(rpc::Response& response, std::uint8_t features);

}  // namespace mcp::protocol
