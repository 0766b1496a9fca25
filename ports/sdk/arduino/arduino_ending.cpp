// SPDX-License-Identifier: Apache-2.0
// A failed assertion prints its line on Serial, if there is one, and stops the sketch. A sketch may have its own
// function. PlatformIO compiles this file for other frameworks, too.
#ifdef ARDUINO
#include <Arduino.h>
#include <mcp/assert.hpp>

#include "mote_serial.h"

extern "C" [[gnu::weak]] void mcp_assert_failed([[maybe_unused]] const char* file, [[maybe_unused]] int line) {
#ifndef MOTE_NO_SERIAL
  Serial.print("\r\nmote: ");
  Serial.print(file);
  Serial.print(":");
  Serial.print(line);
  Serial.print(": MCP_ASSERT failed\r\n");
  Serial.flush();
#endif
  for (;;) delay(1000);
}
#endif
