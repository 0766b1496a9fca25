// SPDX-License-Identifier: Apache-2.0
// The board of the tests: clock, pins and Serial.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace test {

struct Board {
  std::uint32_t now_ms = 0;
  std::map<int, int> pins;  // the outputs
  int analog = 0;           // what each analog input reads
  std::string to_serial;    // bytes that the sketch reads
  std::string from_serial;  // bytes that it has written
  int space = 1'000'000;    // of Serial
  std::function<void(int pin, int mode)> on_mode;  // after pinMode()
  std::function<int(int pin)> level;               // of digitalRead()
  std::function<void()> on_edge;                   // of attachInterrupt()
  bool delay_ends = false;  // delay() ends the program with status 3, and writes `from_serial` to stderr
};
extern Board board;

}  // namespace test
