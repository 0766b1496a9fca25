// SPDX-License-Identifier: Apache-2.0
// A failed assertion prints its line on Serial and stops the sketch. A sketch may have its own function.
#include <Arduino.h>
#include <mcp/assert.hpp>

extern "C" [[gnu::weak]] void mcp_assert_failed(const char* file, int line) {
  Serial.print("\r\nmote: ");
  Serial.print(file);
  Serial.print(":");
  Serial.print(line);
  Serial.print(": MCP_ASSERT failed\r\n");
  Serial.flush();
  for (;;) delay(1000);
}
