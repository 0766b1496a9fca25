// SPDX-License-Identifier: Apache-2.0
// The number of reuses of a slot before an old handle becomes valid again. It is a separate header, so that a test can
// replace it with one whose handles repeat soon.
#pragma once

#include <mcp/detail/prelude.hpp>

namespace mcp::memory {

/// Bits of the generation in a Handle, 2 to 16. Handles stay inside the server, which clears them when their object
/// ends. So a repeated generation has no effect.
inline constexpr unsigned generation_bits = 16;

/// Bits of the serial number in a SessionId, 2 to 48. Applications keep session ids. A server on a PC served 218,000
/// `initialize` requests per second over HTTP. At this rate, 48 bits last for 40 years.
inline constexpr unsigned serial_bits = 48;

}  // namespace mcp::memory

#include <mcp/detail/epilogue.hpp>
