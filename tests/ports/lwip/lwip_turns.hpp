// SPDX-License-Identifier: Apache-2.0
// Lets the time of lwIP pass in turns of a test.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>

#include "mcp/port.hpp"
#include "time.hpp"

namespace test {

/// A test that does its pending work in turns.
class Turns {
 protected:
  ~Turns() = default;
  /// Does all pending work. Returns the milliseconds until the next timer.
  virtual mcp::Millis turn() = 0;
  /// Lets time pass until it is so. False when it was not so within `limit_ms`.
  bool until(const std::function<bool()>& is_so, mcp::Millis limit_ms = 60'000) {
    using lwip_time::now;
    const mcp::Millis end = now + limit_ms;
    for (int turns = 0; turns < 1'000'000; ++turns) {
      const mcp::Millis due = turn();
      if (is_so()) return true;
      if (due >= end - now) break;
      now += std::min<mcp::Millis>(due, 50);
    }
    now = end;
    static_cast<void>(turn());
    return is_so();
  }
  void pass(mcp::Millis ms) {
    EXPECT_FALSE(until([] { return false; }, ms));
  }
};

inline mcp::IoStatus status_of_read(mcp::Connection& connection) {
  char byte[1];
  return connection.read(byte).status;
}

/// Text of this size, in which each place differs.
inline std::string numbers(std::size_t size) {
  std::string text;
  for (unsigned i = 0; text.size() < size; ++i) text += std::to_string(i) + ' ';
  text.resize(size);
  return text;
}

}  // namespace test
