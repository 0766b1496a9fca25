// SPDX-License-Identifier: Apache-2.0
// How often a slot can be reused before an old handle becomes valid again. A separate header, so that a test can
// replace it in its include path, and handles then repeat soon.
#pragma once

#include <mcp/detail/prelude.hpp>

namespace mcp::memory {

/// Bits of the generation in a Handle, 2 to 16. Handles stay inside the server, and it clears them when their object
/// ends. So a repeated generation has no effect.
inline constexpr unsigned generation_bits = 16;

/// Bits of the serial number in a SessionId, 2 to 48. Applications keep these. A server on a PC answered 218,000
/// `initialize` requests a second over HTTP: at this rate 48 bits last for 40 years.
inline constexpr unsigned serial_bits = 48;

}  // namespace mcp::memory

#include <mcp/detail/epilogue.hpp>
