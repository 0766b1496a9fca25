// SPDX-License-Identifier: Apache-2.0
// What the tests of several sessions, sizes and calls share: the fixture, and the messages of their clients.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "mcp/server.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"

namespace test {

using mcp::Millis;
using mcp::SessionId;

inline constexpr std::string_view initialize_request =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})";
inline constexpr std::string_view initialize_with_batches =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26",)"
    R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})";
inline constexpr std::string_view initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
inline constexpr std::string_view ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
inline constexpr std::string_view pong = R"({"jsonrpc":"2.0","id":1,"result":{}})";
inline constexpr std::string_view done = R"({"jsonrpc":"2.0","id":2,"result":{}})";

inline std::string subscribe(std::string_view uri, std::string_view method = "subscribe") {
  return std::string(R"({"jsonrpc":"2.0","id":2,"method":"resources/)")
             .append(method)
             .append(R"(","params":{"uri":")")
             .append(uri) +
         "\"}}";
}
inline std::string updated(std::string_view uri) {
  return std::string(R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":")").append(uri) +
         "\"}}";
}

inline const mcp::Definition& full() { return *find_definition("full"); }

inline constexpr std::string_view initialize_asked =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}})";

inline SessionId open_asked(Bench& bench, Millis now = 0) {
  const SessionId id = bench.server.open(now);
  EXPECT_NE(bench.ask(id, initialize_asked, now), "");
  EXPECT_EQ(bench.ask(id, initialized, now), "");
  return id;
}

inline std::string call(std::string_view id, std::string_view tool, std::string_view more = "") {
  return std::string(R"({"jsonrpc":"2.0","id":)").append(id) + R"(,"method":"tools/call","params":{"name":")" +
         std::string(tool) + "\"" + std::string(more) + "}}";
}

/// A bench with the sessions that a test needs.
class ServerTest : public testing::Test {
 protected:
  void SetUp() override { reset_device(); }

  static SessionId open_ready(Bench& bench, Millis now = 0) {
    const SessionId id = bench.server.open(now);
    EXPECT_NE(bench.ask(id, initialize_request, now), "");
    EXPECT_EQ(bench.ask(id, initialized, now), "");
    return id;
  }
  static void update(Bench& bench, const char* uri) { bench.server.resource_updated(*find_resource(uri)); }
};

}  // namespace test
