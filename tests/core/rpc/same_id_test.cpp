// SPDX-License-Identifier: Apache-2.0
// Compares the ids of two messages, and their hashes.
#include "rpc/same_id.hpp"

#include <gtest/gtest.h>

#include <string_view>

#include "mcp/rpc/envelope.hpp"

namespace mcp::rpc {
namespace {

TEST(SameId, ComparesIdsDecoded) {
  const struct {
    std::string_view a;
    std::string_view b;
    bool same;
  } pairs[] = {
      {"1", "1", true},
      {"1", "\"1\"", false},
      {"", "", true},
      {"", "\"\"", false},
      {R"("a/1")", R"("\u0061\/\u0031")", true},
      {R"("\u0061")", R"("a")", true},
      {R"("ab")", R"("a")", false},
      {R"("a")", R"("\u0061b")", false},
      {"\"\xC3\xA9\"", R"("\u00e9")", true},
      {"\"\xF0\x9F\x98\x80\"", R"("\uD83D\uDE00")", true},
      {"\"\xF0\x9F\x98\x80\"", R"("\uD83D\uDE01")", false},
      {R"("\n\"\\")", R"("\u000A\u0022\u005c")", true},
      {R"("\u0000")", R"("")", false},
  };
  for (const auto& pair : pairs) {
    EXPECT_EQ(same_id(pair.a, pair.b), pair.same) << pair.a << " and " << pair.b;
    EXPECT_EQ(same_id(pair.b, pair.a), pair.same) << pair.a << " and " << pair.b;
    EXPECT_EQ(hash_id(pair.a, 7) == hash_id(pair.b, 7), pair.same) << pair.a << " and " << pair.b;
    EXPECT_NE(hash_id(pair.a, 7), hash_id(pair.a, 8));
  }
}

}  // namespace
}  // namespace mcp::rpc
