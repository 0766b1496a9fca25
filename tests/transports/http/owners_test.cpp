// SPDX-License-Identifier: Apache-2.0
// Clients of several owners over HTTP: which sessions a flood ends, and the response to a client without a slot.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

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

// The flood begins 500 sessions a second, of which one in 10 s gets a slot. The victim sends a request every 300 ms.
TEST(HttpOwners, FloodOfSessionsEndsNoSessionOfAnotherPeer) {
  Site site;
  HttpClient victim = site.connect(ada);
  const std::string session = site.begin(victim);
  HttpClient flood = site.connect(eve);
  int begun = 0;
  for (int i = 0; i < 12'000; ++i) {
    const HttpResponse response = site.ask(flood, post(test::initialize()));
    ASSERT_TRUE(response.status == 200 || response.status == 503);
    if (response.status == 200) ++begun;
    site.pass(2);
    if (i % 150 == 0) {
      ASSERT_EQ(site.ask(victim, post(ping(i), session)).body, pong(i));
    }
  }
  EXPECT_EQ(begun, 3);
}

// A flood ends no session with a call or a stream, not even of its own owner.
TEST(HttpOwners, FloodOfSessionsEndsNoCallAndNoStream) {
  for (const std::uint64_t host : {ada, std::uint64_t{0}}) {
    Site site(test::features, {.own_session_idle_ms = 0});
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

// ---- Sessions of one owner ---------------------------------------------------------------------------------------

using Hosts = test::Site<mcp::HttpLimits{.connections = 8, .head_size = 512, .replay_size = 2048}>;

// Six hosts with one token, each with a request per second. Three of them get a session, and keep it.
TEST(HttpOwners, HostsOfOneTokenKeepTheirSessions) {
  static constexpr std::string_view token[] = {"token-of-ada"};
  mcp::StaticTokens authorizer{std::span(token)};
  const mcp::HttpOptions options{.authorizer = &authorizer};
  Hosts site(test::features, {.sessions = 3, .options = &options});
  const std::string of_ada = bearer(token[0]);
  std::vector<HttpClient> hosts;
  for (int i = 0; i < 6; ++i) hosts.push_back(site.connect(ada));
  std::string sessions[6];
  for (int second = 0; second < 60; ++second) {
    for (std::size_t i = 0; i < 6; ++i) {
      const int id = second * 6 + static_cast<int>(i);
      if (!sessions[i].empty()) {
        ASSERT_EQ(site.ask(hosts[i], post(ping(id), of_ada + sessions[i])).body, pong(id)) << i;
        continue;
      }
      const HttpResponse begun = site.ask(hosts[i], post(test::initialize(), of_ada));
      ASSERT_EQ(begun.status, i < 3 ? 200 : 503) << i;
      if (begun.status == 200) sessions[i] = "MCP-Session-Id: " + begun.header("mcp-session-id") + "\r\n";
    }
    site.pass(1'000);
  }
}

// A client with an open stream needs no request. Its stream is alive, because it takes comments.
TEST(HttpOwners, SessionWithAnOpenStreamStays) {
  Hosts site(test::features, {.sessions = 1});
  HttpClient first = site.connect();
  const std::string session = site.begin(first);
  HttpClient stream = site.listen(session);
  HttpClient newcomer = site.connect();
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(site.ask(newcomer, post(test::initialize())).status, 503) << i;
    site.pass(11'000);
  }
  EXPECT_FALSE(stream.ended());
  HttpClient again = site.connect();
  EXPECT_EQ(site.ask(again, post(ping(), session)).body, pong());
}

// After the seconds of Retry-After, the newcomer gets the slot if the client is quiet from the rejection on: a stream
// ends at once, and a call after 300 ms.
TEST(HttpOwners, RetryAfterComesTrue) {
  enum class Use { request, stream, call, lost_call };
  struct Case {
    Use use;
    mcp::Millis asked_at;  // after the last request of the session
    mcp::Millis free_at;
  };
  constexpr Case cases[] = {
      {Use::request, 0, 10'000},     {Use::request, 1, 10'000}, {Use::request, 1'000, 10'000},
      {Use::request, 9'999, 10'000}, {Use::stream, 0, 10'000},  {Use::stream, 100'000, 110'000},
      {Use::call, 0, 10'300},        {Use::call, 299, 10'300},  {Use::lost_call, 0, 10'300},
      {Use::lost_call, 200, 10'300},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(&c - cases);
    Hosts site(test::features, {.sessions = 1});
    HttpClient first = site.connect();
    const std::string session = site.begin(first);
    HttpClient user = site.connect();
    if (c.use != Use::request) {
      const std::string request = c.use == Use::stream ? get(session) : post(test::count_to(3), session);
      EXPECT_TRUE(site.ask(user, request).streams);
    }
    if (c.use == Use::lost_call) user.leave();
    site.pass(c.asked_at);
    HttpClient newcomer = site.connect();
    const HttpResponse refused = site.ask(newcomer, post(test::initialize()));
    ASSERT_EQ(refused.status, 503);
    if (c.use == Use::stream) user.leave();
    site.pass(c.free_at - 1 - c.asked_at);
    EXPECT_EQ(site.ask(newcomer, post(test::initialize())).status, 503);
    const int seconds = std::atoi(refused.header("retry-after").c_str());
    EXPECT_GE(seconds, 1);
    const mcp::Millis retry_at = c.asked_at + static_cast<mcp::Millis>(seconds) * 1'000;
    ASSERT_GE(retry_at, c.free_at);
    EXPECT_LE(retry_at, c.free_at + 1'000);
    site.pass(retry_at - (c.free_at - 1));
    HttpClient again = site.connect();  // the server may have closed the other connections
    EXPECT_EQ(site.ask(again, post(test::initialize())).status, 200);
    EXPECT_EQ(site.ask(again, post(ping(), session)).status, 404);
  }
}

// TCP has found that the client of a stream is gone: the client is silent since its last message. So Retry-After comes
// true if TCP takes no longer than Limits::session_idle_ms.
TEST(HttpOwners, VanishedClientDoesNotKeepItsSession) {
  for (const bool vanishes : {false, true}) {
    Hosts site(test::features, {.sessions = 1});
    HttpClient first = site.connect();
    const std::string session = site.begin(first);
    first.leave();
    HttpClient stream = site.connect();
    EXPECT_TRUE(site.ask(stream, get(session)).streams);
    site.pass(60'000);
    HttpClient newcomer = site.connect();
    ASSERT_EQ(site.ask(newcomer, post(test::initialize())).status, 503);
    if (vanishes) {
      stream.connection().wire.read_fault = {.call = stream.connection().wire.reads() + 1,
                                             .status = mcp::IoStatus::failed};
    } else {
      stream.leave();
    }
    site.run();
    HttpClient again = site.connect();
    EXPECT_EQ(site.ask(again, post(test::initialize())).status, vanishes ? 200 : 503);
  }
}

// A client resumes its stream after a pause, as after `retry`. Another one does not get the session in it.
TEST(HttpOwners, PauseOfAStreamEndsNoSession) {
  Hosts site(test::features, {.sessions = 1});
  HttpClient first = site.connect();
  const std::string session = site.begin(first);
  first.leave();
  HttpClient stream = site.connect();
  EXPECT_TRUE(site.ask(stream, get(session)).streams);
  for (int i = 0; i < 3; ++i) {
    site.pass(100'000);
    stream.leave();
    site.pass(5'000);
    HttpClient newcomer = site.connect();
    EXPECT_EQ(site.ask(newcomer, post(test::initialize())).status, 503);
    newcomer.leave();
    stream = site.connect();
    EXPECT_TRUE(site.ask(stream, get(session)).streams);
  }
}

// The client has lost its power. The comment finds no space in the buffers of the network, so the stream ends after
// `idle_timeout_ms`, and the session may end for another one.
TEST(HttpOwners, HalfOpenStreamDoesNotKeepItsSessionForever) {
  constexpr mcp::HttpLimits limits{.connections = 8, .head_size = 512};
  test::Site<limits> site(test::features, {.sessions = 1});
  HttpClient first = site.connect();
  const std::string session = site.begin(first);
  first.leave();
  HttpClient stream = site.connect();
  EXPECT_TRUE(site.ask(stream, get(session)).streams);
  stream.connection().wire.write_fault = {stream.connection().wire.writes() + 1, mcp::IoStatus::would_block, true};
  site.pass(limits.comment_interval_ms + limits.idle_timeout_ms - 1);
  EXPECT_FALSE(stream.connection().released());
  HttpClient newcomer = site.connect();
  EXPECT_EQ(site.ask(newcomer, post(test::initialize())).status, 503);
  site.pass(1);
  EXPECT_TRUE(stream.connection().released());
  EXPECT_EQ(site.ask(newcomer, post(test::initialize())).status, 200);
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
  EXPECT_EQ(refused.header("retry-after"), "11");
  HttpClient third = site.connect(bob);
  EXPECT_TRUE(site.ask(third, open).streams);
}

}  // namespace
