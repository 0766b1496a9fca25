// SPDX-License-Identifier: Apache-2.0
// The chip that a test imitates.
#pragma once

#include <cstdint>
#include <functional>

/// Reads and writes of registers, and what wake_from_isr() does.
struct Imitation {
  std::function<std::uint32_t(std::uint32_t)> read;
  std::function<void(std::uint32_t, std::uint32_t)> write;
  std::function<void()> wake;
};

/// Drivers have this chip from now on.
void imitate(Imitation chip);
