// SPDX-License-Identifier: Apache-2.0
// Random bytes, the boot id, and the end after a failed assertion. It prints a line on the console and calls abort(),
// which prints a backtrace and resets the chip.
#include <cstdlib>
#include <mcp/assert.hpp>

#include <esp_random.h>
#include <esp_rom_sys.h>
#include "mcp/ports/esp_idf.hpp"

namespace mcp::esp_idf {

bool SdkEntropy::do_fill(std::span<std::uint8_t> into) {
  esp_fill_random(into.data(), into.size());
  return true;
}

std::uint32_t boot_id() {
  static std::uint32_t id;
  while (id == 0) id = esp_random();
  return id;
}

}  // namespace mcp::esp_idf

extern "C" [[gnu::weak]] void mcp_assert_failed(const char* file, int line) {
  esp_rom_printf("mote: %s:%d: MCP_ASSERT failed\n", file, line);
  std::abort();
}
