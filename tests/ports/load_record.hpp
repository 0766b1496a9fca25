// SPDX-License-Identifier: Apache-2.0
// The value of a record as a string, for the tests of records.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "mcp/records.hpp"

namespace test {

inline std::string load(mcp::Records& records, std::string_view name) {
  char into[mcp::Records::max_size];
  const mcp::RecordResult result = records.load(name, into);
  if (result.status == mcp::RecordStatus::ok) return {into, result.size};
  EXPECT_EQ(result.status, mcp::RecordStatus::not_found);
  return "(none)";
}

}  // namespace test
