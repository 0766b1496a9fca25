// SPDX-License-Identifier: Apache-2.0
// How often a place can be reused before a name of its former use becomes valid again. A header of its own: a test that
// has another header of this name before it in its include path gets names that repeat soon.
#pragma once

namespace mcp::memory {

/// Bits of the generation in a Handle, 2 to 16. Handles stay inside of the server: whatever holds one is cleared when
/// the object ends, so that a repeated generation does no harm.
inline constexpr unsigned generation_bits = 16;

/// Bits of the serial number in a SessionId, 2 to 48. Applications keep these. A server on a PC answered 218,000
/// `initialize` requests a second over HTTP: at this rate 48 bits last for 40 years.
inline constexpr unsigned serial_bits = 48;

}  // namespace mcp::memory
