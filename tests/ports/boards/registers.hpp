// SPDX-License-Identifier: Apache-2.0
// The chip that a test imitates.
#pragma once

#include <cstdint>
#include <functional>

#include "mcp/port.hpp"

/// Reads and writes of registers, and functions of the board that have the same name.
struct Imitation {
  std::function<std::uint32_t(std::uint32_t)> read;
  std::function<void(std::uint32_t, std::uint32_t)> write;
  std::function<void()> wake_from_isr;
  std::function<mcp::Millis()> millis;
  std::function<std::uint32_t()> micros;
};

/// Drivers have this chip from now on.
void imitate(Imitation chip);
