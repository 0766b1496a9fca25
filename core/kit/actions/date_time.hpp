// SPDX-License-Identifier: Apache-2.0
// Reads times of RFC 3339.
#pragma once

#include <cstdint>
#include <string_view>

namespace mcp::protocol {

/// Reads a date-time of RFC 3339 from 1970 to 2099 as milliseconds since 1970. Digits after the milliseconds have no
/// effect. Returns false for any other text.
bool read_date_time(std::string_view text, std::uint64_t& utc_ms);

}  // namespace mcp::protocol
