// SPDX-License-Identifier: Apache-2.0
// Each board. The emulated boards have no random source and no calendar. Random bytes come from the host of the
// emulator or debugger: a real board needs another source in place of HostEntropy. Without a calendar, the histories
// say how long ago something was.
#include <mcp/ports/board.hpp>
#include <mcp/ports/semihosting.hpp>

#include "platform.hpp"

namespace platform {

mcp::Millis now() { return board::millis(); }
std::uint64_t utc_ms() { return 0; }
std::uint32_t boot_id() { return board::boot_id(); }
bool Random::do_fill(std::span<std::uint8_t> into) { return board::HostEntropy().fill(into); }

}  // namespace platform
