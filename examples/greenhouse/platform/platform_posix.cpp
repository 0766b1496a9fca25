// SPDX-License-Identifier: Apache-2.0
#include <mcp/ports/posix.hpp>

#include "platform.hpp"

namespace platform {

mcp::Millis now() { return mcp::posix::now(); }
std::uint64_t utc_ms() { return mcp::posix::SystemWallClock().utc_ms(); }
std::uint32_t boot_id() { return 0; }
bool Random::do_fill(std::span<std::uint8_t> into) { return mcp::posix::SystemEntropy().fill(into); }

}  // namespace platform
