// SPDX-License-Identifier: Apache-2.0
// Stands before the project's header of this name in the include path of the simulator. Names repeat after two uses of
// a place there: a reference that outlives its object reaches another object within seconds, and an oracle sees that.
#pragma once

namespace mcp::memory {

/// Bits of the generation in a Handle. A handle becomes valid again after two reuses of its slot.
inline constexpr unsigned generation_bits = 2;

/// Bits of the serial number in a SessionId: every third session has an equal one. The application of the simulator
/// stores no SessionId, and its clients store the 128 random bits of the header.
inline constexpr unsigned serial_bits = 2;

}  // namespace mcp::memory
