// Stands before the project's header of this name in the include path of the simulator. Names repeat after two uses of
// a place there: a reference that outlives its object reaches another object within seconds, and an oracle sees that.
#pragma once

namespace mcp::memory {

/// Bits of the generation in a Handle: a handle is valid again when its place was used twice more.
inline constexpr unsigned generation_bits = 2;

/// Bits of the serial number in a SessionId: every third session has the same. The application of the simulator keeps
/// no SessionId, and its clients keep the 128 random bits of the header.
inline constexpr unsigned serial_bits = 2;

}  // namespace mcp::memory
