// SPDX-License-Identifier: Apache-2.0
// The boot id. A source of its own, so that a kernel without random numbers links the others.
#include <zephyr/random/random.h>
#include "mcp/ports/zephyr.hpp"

namespace mcp::zephyr {

std::uint32_t boot_id() {
  static std::uint32_t id;
  while (id == 0) sys_rand_get(&id, sizeof id);
  return id;
}

}  // namespace mcp::zephyr
