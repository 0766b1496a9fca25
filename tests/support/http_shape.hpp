// SPDX-License-Identifier: Apache-2.0
// The shape of a Bench for HttpStorage.
#pragma once

#include <cstddef>

#include "mcp/http_limits.hpp"

namespace test {

/// More sessions than a Bench has. With `legacy`, no code for stateless requests. Without `scoped`, none for scopes.
template <std::size_t transmit_size, std::size_t sessions = 32, bool legacy = false, bool scoped = true>
inline constexpr mcp::ServerShape shape{.sessions = sessions,
                                        .transmit_size = transmit_size,
                                        .eras = legacy ? mcp::legacy_era : mcp::dual_era,
                                        .has_scopes = scoped};

}  // namespace test
