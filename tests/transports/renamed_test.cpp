// SPDX-License-Identifier: Apache-2.0
// Public names that were renamed: each former name is deprecated, and names the same as before.
#include <gtest/gtest.h>

#include <concepts>

#include "mcp/http/endpoint.hpp"
#include "mcp/http/exchange.hpp"
#include "mcp/http/http_link.hpp"
#include "mcp/mqtt_limits.hpp"
#include "mcp/server.hpp"
#include "tests/support/bench.hpp"
#include "tests/support/device.hpp"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static_assert(std::same_as<mcp::http::StorageView, mcp::http::HttpStorageView>);
static_assert(std::same_as<mcp::http::Links, mcp::http::HttpLinks>);
static_assert(std::same_as<mcp::http::StatelessOps, mcp::http::HttpStatelessOps>);
static_assert(std::same_as<mcp::mqtt::StorageView, mcp::mqtt::MqttStorageView>);
static_assert(mcp::http::id_size == mcp::http::session_id_size);
static_assert(mcp::Reply::Error::place == mcp::Reply::Error::slot);

TEST(RenamedNames, PlaceDueReturnsWhatSlotDueReturns) {
  test::Bench bench(*test::find_definition("full"), {.sessions = 1});
  EXPECT_EQ(bench.server.place_due(5), 0U);
  static_cast<void>(bench.server.open(5));
  EXPECT_NE(bench.server.place_due(6), 0U);
  EXPECT_EQ(bench.server.place_due(6), bench.server.slot_due(6));
}
