// SPDX-License-Identifier: Apache-2.0
// The clock of a chip. linux/esp_idf_linux.cpp has the one of the target linux.
#include <esp_timer.h>
#include "mcp/ports/esp_idf.hpp"

namespace mcp::esp_idf {

Millis millis() { return static_cast<Millis>(esp_timer_get_time() / 1'000); }

}  // namespace mcp::esp_idf
