// SPDX-License-Identifier: Apache-2.0
// error: the value of an output must be trivially copyable
#include <mcp/server.hpp>

struct Reading {
  Reading() = default;
  Reading(const Reading&) {}
  int value = 0;
};
constexpr auto reading = mcp::output_value<Reading>();
