// SPDX-License-Identifier: Apache-2.0
// Comparison of the ids of two messages.
#pragma once

#include <string_view>

namespace mcp::rpc {

/// Returns whether two values of validated texts are the same id. They are if their bytes or their decoded strings are
/// equal. Each may be empty.
[[nodiscard]] bool same_id(std::string_view a, std::string_view b);

}  // namespace mcp::rpc
