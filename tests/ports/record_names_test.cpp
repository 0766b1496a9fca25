// SPDX-License-Identifier: Apache-2.0
// Names of records.
#include "mcp/records.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace {

static_assert(mcp::Records::is_valid_name("host_name_15_cc") && mcp::Records::is_valid_name("0"));
static_assert(!mcp::Records::is_valid_name("") && !mcp::Records::is_valid_name("sixteen_letters_"));
static_assert(!mcp::Records::is_valid_name("../x") && !mcp::Records::is_valid_name("Token"));

TEST(RecordNames, HaveLowerCaseLettersDigitsAndUnderscores) {
  for (const std::string_view name : {"a", "z", "0", "9", "_", "fifteen_letters"}) {
    EXPECT_TRUE(mcp::Records::is_valid_name(name)) << name;
  }
  for (const std::string_view name : {"", "sixteen_letters_", "A", "`", "{", "/", ":"}) {
    EXPECT_FALSE(mcp::Records::is_valid_name(name)) << name;
  }
}

}  // namespace
