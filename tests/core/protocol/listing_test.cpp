// SPDX-License-Identifier: Apache-2.0
// The members of rows that few rows have: each alone, so that none is said because of another.
#include "mcp/detail/listing.hpp"

#include <gtest/gtest.h>

#include <string>

#include "mcp/json/writer.hpp"

namespace {

using mcp::Annotations;
using mcp::ResourceExtras;
using mcp::ToolExtras;

template <class Extras>
std::string members_of(const Extras& extras) {
  char transmit_buffer[300];
  mcp::json::Writer out(transmit_buffer);
  mcp::detail::write_members(out, extras, mcp::detail::modern_shown);
  EXPECT_TRUE(out.ok());
  return {transmit_buffer, out.size()};
}

TEST(Listing, ListsEachToolHintAlone) {
  EXPECT_EQ(members_of(ToolExtras{}), "");
  EXPECT_EQ(members_of(ToolExtras{.annotations = {.title = "T"}}), R"("annotations":{"title":"T"})");
  EXPECT_EQ(members_of(ToolExtras{.annotations = {.read_only_hint = true}}), R"("annotations":{"readOnlyHint":true})");
  EXPECT_EQ(members_of(ToolExtras{.annotations = {.destructive_hint = false}}),
            R"("annotations":{"destructiveHint":false})");
  EXPECT_EQ(members_of(ToolExtras{.annotations = {.idempotent_hint = true}}),
            R"("annotations":{"idempotentHint":true})");
  EXPECT_EQ(members_of(ToolExtras{.annotations = {.open_world_hint = false}}),
            R"("annotations":{"openWorldHint":false})");
}

TEST(Listing, ListsEachResourceAnnotationAlone) {
  EXPECT_EQ(members_of(ResourceExtras{}), "");
  EXPECT_EQ(members_of(ResourceExtras{.size = 7}), R"("size":7)");
  EXPECT_EQ(members_of(ResourceExtras{.annotations = {.audience = Annotations::Audience::user}}),
            R"("annotations":{"audience":["user"]})");
  EXPECT_EQ(members_of(ResourceExtras{.annotations = {.priority = mcp::Scaled{5, 1}}}),
            R"("annotations":{"priority":0.5})");
  EXPECT_EQ(members_of(ResourceExtras{.annotations = {.last_modified = "2026-01-02T03:04:05Z"}}),
            R"("annotations":{"lastModified":"2026-01-02T03:04:05Z"})");
}

}  // namespace
