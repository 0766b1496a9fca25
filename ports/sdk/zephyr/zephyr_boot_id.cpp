// SPDX-License-Identifier: Apache-2.0
// The boot id. It is a separate source, so that a kernel without random numbers links the other sources.
#include <zephyr/random/random.h>
#include "mcp/ports/zephyr.hpp"

namespace mcp::zephyr {

std::uint32_t boot_id() {
  static std::uint32_t id;
  while (id == 0) sys_rand_get(&id, sizeof id);
  return id;
}

}  // namespace mcp::zephyr
