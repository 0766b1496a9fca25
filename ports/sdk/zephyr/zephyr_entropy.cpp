// SPDX-License-Identifier: Apache-2.0
// Random bytes of the kernel.
#include <zephyr/random/random.h>
#include "mcp/ports/zephyr.hpp"

namespace mcp::zephyr {

bool SdkEntropy::do_fill(std::span<std::uint8_t> into) { return sys_csrand_get(into.data(), into.size()) == 0; }

}  // namespace mcp::zephyr
