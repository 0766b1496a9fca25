// SPDX-License-Identifier: Apache-2.0
// The boot id: the last one, which is in RAM that no start-up clears, mixed with what the board has. Knows no driver.
#include "ports/bare_metal/startup.hpp"

namespace board {
namespace {

[[gnu::section(".noinit")]] std::uint32_t last_id;
std::uint32_t id;

}  // namespace

std::uint32_t boot_id() {
  if (id != 0) return id;
  // The multiplier is odd: each sum has its own product.
  id = (last_id + boot_noise() + 1) * 0x9E37'79B1;
  while (id == 0 || id == last_id) ++id;
  last_id = id;
  return id;
}

}  // namespace board
