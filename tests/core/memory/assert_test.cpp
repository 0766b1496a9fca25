// SPDX-License-Identifier: Apache-2.0
// The assertions of invariants, in a build that checks them and in one that does not: tests/run has both.
#include "mcp/assert.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "mcp/detail/tag.hpp"
#include "mcp/params.hpp"
#include "mcp/tool.hpp"

namespace mcp {
namespace {

TEST(DebugAssert, EvaluatesItsConditionOnlyInABuildThatChecks) {
  int calls = 0;
  MCP_DEBUG_ASSERT(++calls == 1);
  EXPECT_EQ(calls, detail::has_checks ? 1 : 0);
}

TEST(DebugAssert, IsOneStatement) {
  bool is_else = false;
  if (is_else)
    MCP_DEBUG_ASSERT(!is_else);
  else
    is_else = true;
  EXPECT_TRUE(is_else);
}

enum class Kind : std::uint8_t { number };

template <bool stores>
struct Tagged {
  std::int64_t number = 0;
  [[no_unique_address]] detail::Tag<Kind, stores> tag{Kind::number};
};

// The tables of an application are in flash, and have no byte for a tag there.
TEST(Tag, HasBytesOnlyInABuildThatChecks) {
  EXPECT_TRUE((std::is_empty_v<detail::Tag<Kind, false>>));
  EXPECT_EQ(sizeof(Tagged<false>), sizeof(std::int64_t));
  EXPECT_GT(sizeof(Tagged<true>), sizeof(std::int64_t));
  const auto has_right_size = [](std::size_t size, std::size_t of_union) {
    return detail::has_checks ? size > of_union : size == of_union;
  };
  EXPECT_TRUE(has_right_size(sizeof(detail::Bound), sizeof(std::string_view) > 8 ? sizeof(std::string_view) : 8));
  EXPECT_TRUE(has_right_size(sizeof(detail::Rows), sizeof(void*)));
  EXPECT_TRUE(has_right_size(sizeof(detail::ListAccess), sizeof(void*)));
  EXPECT_TRUE(has_right_size(sizeof(detail::ToolOutput), sizeof(void*)));
}

}  // namespace
}  // namespace mcp
