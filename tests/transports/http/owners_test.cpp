// SPDX-License-Identifier: Apache-2.0
// Clients of several owners over HTTP: which sessions a flood ends, and the response to a client without a slot.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "mcp/http_sse_2024.hpp"
#include "transports/http/streamable.hpp"

namespace {

using test::get;
using test::HttpClient;
using test::HttpResponse;
using test::ping;
using test::pong;
using test::post;
using Site = test::Site<>;

constexpr std::uint64_t ada = 0x0A00'0001;
constexpr std::uint64_t bob = 0x0A00'0002;
constexpr std::uint64_t eve = 0x0A00'0003;

std::string bearer(std::string_view token) { return "Authorization: Bearer " + std::string(token) + "\r\n"; }

// The flood begins 500 sessions a second. The victim sends a request every 300 ms.
TEST(HttpOwners, FloodOfSessionsEndsNoSessionOfAnotherPeer) {
  Site site;
  HttpClient victim = site.connect(ada);
  const std::string session = site.begin(victim);
  HttpClient flood = site.connect(eve);
  for (int i = 0; i < 1'000; ++i) {
    ASSERT_EQ(site.ask(flood, post(test::initialize())).status, 200);
    site.pass(2);
    if (i % 150 == 0) {
      ASSERT_EQ(site.ask(victim, post(ping(i), session)).body, pong(i));
    }
  }
}

// A flood ends no session with a call or a stream, not even of its own owner.
TEST(HttpOwners, FloodOfSessionsEndsNoCallAndNoStream) {
  for (const std::uint64_t host : {ada, std::uint64_t{0}}) {
    Site site;
    HttpClient victim = site.connect(host);
    const std::string session = site.begin(victim);
    HttpClient listener = site.connect(host);
    EXPECT_TRUE(site.ask(listener, get(session)).streams);
    EXPECT_TRUE(site.ask(victim, post(test::count_to(3), session)).streams);
    HttpClient flood = site.connect(host == 0 ? 0 : eve);
    for (int i = 0; i < 200; ++i) ASSERT_EQ(site.ask(flood, post(test::initialize())).status, 200);
    site.pass(300);
    EXPECT_EQ(test::data_of(victim.events()).back(), test::counted(3));
    EXPECT_FALSE(listener.ended());
    flood.leave();
  }
}

TEST(HttpOwners, RejectedClientGetsARetryTime) {
  Site site;
  HttpClient first = site.connect(ada);
  HttpClient second = site.connect(bob);
  const std::string of_ada = site.begin(first);
  site.pass(1'000);
  static_cast<void>(site.begin(second));
  HttpClient third = site.connect(eve);
  const HttpResponse refused = site.ask(third, post(test::initialize()));
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.header("retry-after"), "60");
  EXPECT_EQ(refused.header("mcp-session-id"), "(none)");
  EXPECT_EQ(refused.body, R"({"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":)"
                          R"("All 2 sessions are in use; try again later.",)"
                          R"("data":{"mote/retryAfterMs":59000}}})");
  site.pass(59'000);
  EXPECT_EQ(site.ask(third, post(test::initialize())).status, 200);
  EXPECT_EQ(site.ask(second, post(ping(2), of_ada)).status, 404) << "it was silent for a minute";
}

// A stateless request needs no session slot.
TEST(HttpOwners, ServesStatelessRequestsWithoutASessionSlot) {
  Site site;
  HttpClient first = site.connect(ada);
  HttpClient second = site.connect(bob);
  static_cast<void>(site.begin(first));
  static_cast<void>(site.begin(second));
  HttpClient third = site.connect(eve);
  EXPECT_EQ(site.ask(third, post(test::initialize())).status, 503);
  const std::string discover =
      R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{)"
      R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})";
  EXPECT_EQ(
      site.ask(third, post(discover, "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: server/discover\r\n")).status,
      200);
}

// An owner with a stream on each session has all slots that are not reserved for others.
TEST(HttpOwners, UnknownOwnerHoldsAtMostItsShare) {
  Site site;
  HttpClient client = site.connect(eve);
  HttpClient listener = site.connect(eve);
  EXPECT_TRUE(site.ask(listener, get(site.begin(client))).streams);
  const HttpResponse refused = site.ask(client, post(test::initialize()));
  EXPECT_EQ(refused.status, 503);
  EXPECT_NE(refused.body.find("All 1 sessions for one client are in use"), std::string::npos);
  HttpClient other = site.connect(ada);
  EXPECT_EQ(site.ask(other, post(test::initialize())).status, 200);
}

// Two principals share the slots, although they have one peer. An only principal has all slots.
TEST(HttpOwners, EachTokenHasItsOwnShare) {
  static constexpr std::string_view two[] = {"token-of-ada", "token-of-bob"};
  for (const std::size_t tokens : {std::size_t{1}, std::size_t{2}}) {
    mcp::StaticTokens authorizer{std::span(two).first(tokens)};
    const mcp::HttpOptions options{.authorizer = &authorizer};
    Site site(test::features, {.options = &options});
    HttpClient client = site.connect(eve);
    const std::string of_ada = bearer(two[0]);
    for (int i = 0; i < 3; ++i) {
      const HttpResponse begun = site.ask(client, post(test::initialize(), of_ada));
      const int places = tokens == 1 ? 2 : 1;
      ASSERT_EQ(begun.status, i < places ? 200 : 503) << i;
      if (begun.status != 200) break;
      HttpClient listener = site.connect(eve);
      const std::string session = "MCP-Session-Id: " + begun.header("mcp-session-id") + "\r\n";
      EXPECT_TRUE(site.ask(listener, get(of_ada + session)).streams);
      if (tokens == 1 && i == 1) break;
    }
    if (tokens == 2) {
      EXPECT_EQ(site.ask(client, post(test::initialize(), bearer(two[1]))).status, 200);
    }
  }
}

// An HTTP+SSE session has a stream until it ends, so no flood ends it.
TEST(HttpOwners, RejectsAnHttpSseStreamWithoutASlot) {
  static constexpr mcp::HttpSse2024 sse;
  static constexpr mcp::HttpOptions options{.sse_2024 = &sse};
  Site site(test::features, {.options = &options});
  constexpr std::string_view open = "GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";
  HttpClient first = site.connect(ada);
  EXPECT_TRUE(site.ask(first, open).streams);
  HttpClient second = site.connect(ada);
  const HttpResponse refused = site.ask(second, open);
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.header("retry-after"), "61");
  HttpClient third = site.connect(bob);
  EXPECT_TRUE(site.ask(third, open).streams);
}

}  // namespace
