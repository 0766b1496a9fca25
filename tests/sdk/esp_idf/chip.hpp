// SPDX-License-Identifier: Apache-2.0
// The functions that sdk.cpp needs from the emulated processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace chip {

// Reads received bytes. Returns how many; never waits.
std::size_t read(std::span<char> into);
// Waits until all bytes are written.
void write(std::span<const char> from);
std::uint64_t microseconds();
// Sleeps for a millisecond.
void sleep();
[[noreturn]] void end(int status);

}  // namespace chip
