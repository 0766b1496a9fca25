// SPDX-License-Identifier: Apache-2.0
// Error codes of JSON-RPC 2.0, section 5.1.
#pragma once

namespace mcp::rpc {

inline constexpr int parse_error = -32700;
inline constexpr int invalid_request = -32600;
inline constexpr int method_not_found = -32601;
inline constexpr int invalid_params = -32602;
inline constexpr int internal_error = -32603;

}  // namespace mcp::rpc
