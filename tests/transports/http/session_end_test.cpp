// SPDX-License-Identifier: Apache-2.0
// The end of a session clears all references to it. With narrow serial numbers (mcp/memory/generation.hpp), each test
// begins so many sessions that the handle of the ended session repeats. The transport must not rely on the width.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "mcp/http_sse_2024.hpp"
#include "transports/http/streamable.hpp"

namespace {

using namespace test;

constexpr std::string_view token_a = "Authorization: Bearer token-of-a\r\n";
constexpr std::string_view token_b = "Authorization: Bearer token-of-b\r\n";

// One session slot, in addition to that of stateless requests. Each new session uses the slot of the last one.
template <mcp::HttpLimits H = usual, bool legacy = false>
class OnePlace : public Site<H, 2048, legacy> {
 public:
  explicit OnePlace(const mcp::Definition& definition = features, const mcp::HttpOptions* options = nullptr)
      : Site<H, 2048, legacy>(definition, {.sessions = 1, .options = options}) {}

  // Call it after the end of a session. The next session then has the handle of the ended one.
  void wrap(std::string_view token = "") {
    HttpClient stranger = this->connect();
    const std::string request = post(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})", token);
    for (int i = 0; i < 32'767; ++i) {
      stranger.send(request);
      this->run();
      static_cast<void>(stranger.connection().wire.take());
    }
    stranger.leave();
    this->run();
    // Without this byte, the counting entropy would repeat the id of the ended session.
    std::uint8_t other[1];
    EXPECT_TRUE(this->bench.entropy.fill(other));
  }

  void end(const std::string& session) {
    HttpClient client = this->connect();
    EXPECT_EQ(this->ask(client, delete_request(session)).status, 200);
    client.leave();
    this->run();
  }
};

mcp::StaticTokens& two_tokens() {
  static constexpr std::string_view tokens[] = {"token-of-a", "token-of-b"};
  static mcp::StaticTokens authorizer(tokens);
  return authorizer;
}

// ---- Requests during the end of their session ----------------------------------------------------------------------

TEST(SessionEnd, NextSessionDoesNotReceiveAMessageInProgress) {
  OnePlace site;
  HttpClient victim = site.connect();
  const std::string ended = site.begin(victim);
  const std::string request = post(subscribe("test://here"), ended);
  HttpClient thief = site.connect();
  thief.send(request.substr(0, request.size() - 1));
  site.run();
  site.end(ended);
  site.wrap();
  const std::string session = site.begin();
  expect_rejection(site.ask(thief, "}"), 404);
  // The session of the other client has no subscription.
  HttpClient listener = site.listen(session);
  site.bench.server.resource_updated(features.resources.rows()[0]);
  site.run();
  EXPECT_EQ(data_of(listener.events()), Texts{});
}

TEST(SessionEnd, SessionOfAnotherPrincipalDoesNotReceiveAMessageInProgress) {
  const mcp::HttpOptions options{.authorizer = &two_tokens()};
  OnePlace site(features, &options);
  HttpClient client = site.connect();
  const HttpResponse response = site.ask(client, post(initialize(), token_a));
  const std::string ended = "MCP-Session-Id: " + response.header("mcp-session-id") + "\r\n" + std::string(token_a);
  const std::string request = post(ping(), ended);
  HttpClient thief = site.connect();
  thief.send(request.substr(0, request.size() - 1));
  site.run();
  site.end(ended);
  site.wrap(token_a);
  HttpClient victim = site.connect();
  EXPECT_EQ(site.ask(victim, post(initialize(), token_b)).status, 200);
  expect_rejection(site.ask(thief, "}"), 404);
}

// A message whose session ends while its body is received.
template <bool legacy>
void end_within_message() {
  static constexpr mcp::Definition old{.name = "old", .version = "1", .eras = mcp::legacy_era};
  OnePlace<usual, legacy> site(legacy ? old : features);
  HttpClient client = site.connect();
  const std::string ended = site.begin(client);
  const std::string request = post(ping(), ended);
  const std::string begin = post(initialize(), ended);
  HttpClient late = site.connect();
  late.send(request.substr(0, request.size() - 1));
  HttpClient careless = site.connect();
  careless.send(begin.substr(0, begin.size() - 1));
  site.run();
  site.end(ended);
  expect_rejection(site.ask(late, "}"), 404);
  EXPECT_EQ(site.bench.open_sessions(), 0U);
  const HttpResponse response = site.ask(careless, "}");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.header("mcp-session-id").size(), 32U);
  EXPECT_EQ(ended.find(response.header("mcp-session-id")), std::string::npos);
}

// The header names a session that ends while the body arrives. The server then knows only from the body whether the
// request is stateless.
TEST(SessionEnd, MessageOfAnEndedSessionStartsNoSession) {
  end_within_message<false>();
  end_within_message<true>();
}

// ---- Streams -------------------------------------------------------------------------------------------------------

// The stream of a client that reads nothing still exists after the end of its session.
TEST(SessionEnd, StreamSendsNothingOfTheNextSession) {
  OnePlace site;
  HttpClient victim = site.connect();
  const std::string ended = site.begin(victim);
  HttpClient thief = site.listen(ended);
  EXPECT_EQ(site.ask(victim, post(subscribe("test://here"), ended)).status, 200);
  thief.connection().wire.write_limit = 1;
  thief.connection().wire.write_fault = {.call = thief.connection().wire.writes() + 2, .forever = true};
  site.bench.server.resource_updated(features.resources.rows()[0]);
  site.run();
  site.end(ended);
  site.wrap();
  HttpClient other = site.connect();
  const std::string session = site.begin(other);
  EXPECT_EQ(site.ask(other, post(subscribe("test://here"), session)).status, 200);
  thief.connection().wire.write_limit = FakeStream::no_limit;
  thief.connection().wire.write_fault = {};
  site.bench.server.resource_updated(features.resources.rows()[0]);
  site.run();
  EXPECT_EQ(data_of(thief.events()), Texts{updated("test://here")});  // of its own session, begun before the end
  EXPECT_TRUE(thief.ended());
  HttpClient listener = site.connect();
  EXPECT_TRUE(site.ask(listener, get(session)).streams);
  EXPECT_EQ(data_of(listener.events()), (Texts{"", updated("test://here")}));
}

// After the end of a session, no exchange names it, in any state.
TEST(SessionEnd, ClearsEveryReferenceToTheSession) {
  OnePlace<mcp::HttpLimits{.connections = 8, .head_size = 512, .replay_size = 2048}> site(streams);
  streamed = {.body = std::string(5000, 'b')};
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  HttpClient listener = site.listen(session);
  HttpClient sender = site.connect();
  const std::string request = post(ping(), session);
  sender.send(request.substr(0, request.size() - 1));
  HttpClient reader = site.connect();
  reader.connection().wire.write_fault = {.call = 2, .forever = true};
  reader.send(post(read_resource("stream:text"), session));
  HttpClient lost = site.connect();
  streamed.busy_at = 100;
  lost.send(post(read_resource("stream:text", 2), session));
  site.run();
  lost.leave();
  site.run();
  const auto names_session = [&] {
    std::size_t count = site.detached_calls();
    for (const mcp::http::Exchange& link : site.storage().exchanges)
      count += link.stream.session == site.storage().sessions[1].session;
    return count;
  };
  ASSERT_NE(site.storage().sessions[1].session, mcp::SessionId{});
  EXPECT_EQ(names_session(), 4U);
  const mcp::SessionId ended = site.storage().sessions[1].session;
  site.end(session);
  for (const mcp::http::Exchange& link : site.storage().exchanges) EXPECT_NE(link.stream.session, ended);
  EXPECT_EQ(site.detached_calls(), 0U);
  EXPECT_EQ(site.storage().sessions[1].session, mcp::SessionId{});
  EXPECT_EQ(listener.events().size(), 0U);
  EXPECT_TRUE(listener.ended());
  expect_rejection(site.ask(sender, "}"), 404);
  reset_device();
}

// A client can guess event ids. A later session must not get the events of an ended one.
TEST(SessionEnd, ReplaysNoEventsToTheNextSession) {
  OnePlace site;
  HttpClient victim = site.connect();
  const std::string ended = site.begin(victim);
  HttpClient caller = site.connect();
  EXPECT_TRUE(site.ask(caller, post(count_to(2), ended)).streams);
  site.pass(500);
  const std::vector<HttpEvent> events = caller.events();
  ASSERT_EQ(events.size(), 4U);
  site.end(ended);
  site.wrap();
  HttpClient thief = site.connect();
  const std::string session = site.begin(thief);
  expect_rejection(site.ask(thief, get(session + "Last-Event-ID: " + events[0].id + "\r\n")), 400);
}

// An evicted session id must not open the session that now has its slot.
TEST(SessionEnd, EvictedIdDoesNotOpenAnHttpSseSession) {
  static constexpr mcp::HttpSse2024 sse;
  const mcp::HttpOptions options{.sse_2024 = &sse};
  OnePlace site(input_requests, &options);
  HttpClient client = site.connect();
  const std::string ended = site.begin(client);
  site.pass(10'000);  // then it may end for another one
  constexpr std::string_view open = "GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";
  for (int i = 0; i < 32'768; ++i) {
    HttpClient stream = site.connect();
    stream.send(open);
    site.run();
    if (i == 32'767) {
      EXPECT_TRUE(stream.response().streams);
      const std::string target = stream.events().at(0).data.value_or("");
      const auto tell = [&](std::string_view body) {
        HttpClient poster = site.connect();
        const std::string bytes =
            "POST " + target + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
        poster.send(bytes + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body));
        site.run();
        EXPECT_EQ(poster.response().status, 202);
        poster.leave();
        site.run();
      };
      tell(initialize());
      tell(initialized);
      tell(R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"fill"}})");
      const std::vector<HttpEvent> events = stream.events();
      HttpClient thief = site.connect();
      expect_rejection(site.ask(thief, post(R"({"jsonrpc":"2.0","id":1,"result":{"action":"decline"}})", ended)), 404);
      EXPECT_EQ(stream.events().size(), 0U);
    }
    stream.leave();
    site.run();
    site.listener.connections().remove_if([](const FakeConnection& connection) { return connection.released(); });
  }
}

}  // namespace
