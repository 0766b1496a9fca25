// SPDX-License-Identifier: Apache-2.0
// The clock for the target linux, where esp_timer is headers only in v5.4 to v6.1-beta1.
#include <time.h>

#include "mcp/ports/esp_idf.hpp"

namespace mcp::esp_idf {

Millis millis() {
  timespec time{};
  static_cast<void>(clock_gettime(CLOCK_MONOTONIC, &time));
  return static_cast<Millis>(time.tv_sec) * 1'000 + static_cast<Millis>(time.tv_nsec / 1'000'000);
}

}  // namespace mcp::esp_idf
