// SPDX-License-Identifier: Apache-2.0
// Which clients keep their connections and their streams if there are more clients than connections, and calls without
// a connection. Without sockets. The test sets the time.
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include "transports/http/streamable.hpp"

namespace {

using namespace test;

constexpr std::string_view token_a = "Authorization: Bearer token-of-a\r\n";
constexpr std::string_view token_b = "Authorization: Bearer token-of-b\r\n";

mcp::StaticTokens& two_tokens() {
  static constexpr std::string_view tokens[] = {"token-of-a", "token-of-b"};
  static mcp::StaticTokens authorizer(tokens);
  return authorizer;
}

// Runs for a minute, with progress every 100 ms.
struct Minute {
  std::uint32_t at;
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) return context.done();
    if (at == 600) return context.done(context.result().text("done"));
    context.progress(++at, 600);
    return context.sleep(100);
  }
};
constexpr mcp::Tool tools_of_a_minute[] = {mcp::job<Minute>({.name = "minute"})};
constexpr mcp::Definition long_calls{.name = "long", .version = "1", .tools = tools_of_a_minute};

std::string minute(int id = 1) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"method":"tools/call","params":{"name":"minute","_meta":{"progressToken":"p"}}})";
}

// Begins a session of this principal, and returns the headers with session and token.
template <class S>
std::string begin_as(S& site, std::string_view token) {
  HttpClient client = site.connect();
  const HttpResponse response = site.ask(client, post(initialize(), token));
  std::string session = "MCP-Session-Id: " + response.header("mcp-session-id") + "\r\n" + std::string(token);
  EXPECT_EQ(site.ask(client, post(initialized, session)).status, 202);
  client.leave();
  site.run();
  return session;
}

// Begins a call, loses its connection, and returns the id of the last event.
template <class S>
std::string lose_call(S& site, const std::string& session, int id = 1) {
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(minute(id), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  EXPECT_FALSE(events.empty());
  client.leave();
  site.run();
  EXPECT_TRUE(client.connection().released());
  return "Last-Event-ID: " + events.back().id + "\r\n";
}

// True if the call continues for a client that resumes its stream. The client then loses its connection again.
template <class S>
bool runs(S& site, const std::string& session, const std::string& id) {
  HttpClient client = site.connect();
  const bool resumed = site.ask(client, get(session + id)).status == 200;
  site.pass(300);
  const bool running = resumed && !client.events().empty() && !client.ended();
  client.leave();
  site.run();
  return running;
}

// ---- Calls without a connection -----------------------------------------------------------------------------------

TEST(Detached, CallsOfDisconnectedClientsUseNoConnection) {
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512, .replay_size = 2048}> site(long_calls);
  const std::string session = site.begin();
  for (int i = 0; i < 3; ++i) lose_call(site, session, i);
  EXPECT_EQ(site.running_jobs(), 3U);
  EXPECT_EQ(site.links_in_use(), 0U);
  std::list<HttpClient> clients;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(site.ask(clients.emplace_back(site.connect()), post(ping(i), session)).body, pong(i));
  }
  site.pass(61'000);
  EXPECT_EQ(site.running_jobs(), 0U);
  EXPECT_EQ(site.detached_calls(), 0U);
}

// Requests on the connection whose call was detached do not get the messages of that call.
TEST(Detached, MessagesReachOnlyTheClientThatResumes) {
  Site<mcp::HttpLimits{.connections = 1, .head_size = 512, .replay_size = 2048}> site;
  const std::string session = site.begin();
  HttpClient caller = site.connect();
  EXPECT_TRUE(site.ask(caller, post(count_to(3), session)).streams);
  const std::vector<HttpEvent> events = caller.events();
  ASSERT_FALSE(events.empty());
  caller.leave();
  site.run();
  HttpClient other = site.connect();
  EXPECT_TRUE(site.ask(other, post(count_to(2, 2), session)).streams);
  site.pass(1'000);
  EXPECT_EQ(data_of(other.events()), (Texts{"", counting(0, 2), counting(1, 2), counted(2, 2)}));
  HttpClient again = site.connect();
  other.leave();
  site.run();
  EXPECT_TRUE(site.ask(again, get(session + "Last-Event-ID: " + events[0].id + "\r\n")).streams);
  EXPECT_EQ(data_of(again.events()), (Texts{counting(0, 3), counting(1, 3), counting(2, 3), counted(3)}));
}

TEST(Detached, CancelsTheOldestCallIfAllRecordsAreInUse) {
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512, .detached = 2, .replay_size = 2048}> site(long_calls);
  const std::string session = site.begin();
  std::vector<std::string> ids;
  for (int i = 0; i < 4; ++i) ids.push_back(lose_call(site, session, i));
  EXPECT_EQ(site.running_jobs(), 2U);
  EXPECT_EQ(site.detached_calls(), 2U);
  for (std::size_t i = 0; i < 4; ++i) {
    HttpClient client = site.connect();
    const HttpResponse response = site.ask(client, get(session + ids[i]));
    EXPECT_EQ(response.status, i < 2 ? 400 : 200) << i;
    if (i >= 2) {
      site.pass(300);
      EXPECT_FALSE(data_of(client.events()).empty()) << i;
      EXPECT_FALSE(client.ended()) << i;
    }
    client.leave();
    site.run();
  }
}

TEST(Detached, PrincipalLosesNoCallToOneWithAsManyCalls) {
  const mcp::HttpOptions options{.authorizer = &two_tokens()};
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512, .detached = 2, .replay_size = 2048}> site(
      long_calls, {.options = &options});
  const std::string a = begin_as(site, token_a);
  const std::string b = begin_as(site, token_b);
  const std::string a1 = lose_call(site, a, 1);
  const std::string a2 = lose_call(site, a, 2);
  const std::string b1 = lose_call(site, b, 1);  // in the place of a1
  const std::string b2 = lose_call(site, b, 2);  // in the place of b1
  EXPECT_EQ(site.running_jobs(), 2U);
  EXPECT_FALSE(runs(site, a, a1));
  EXPECT_FALSE(runs(site, b, b1));
  EXPECT_TRUE(runs(site, a, a2));
  EXPECT_TRUE(runs(site, b, b2));
}

TEST(Detached, PrincipalWithMostCallsLosesItsOldest) {
  const mcp::HttpOptions options{.authorizer = &two_tokens()};
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512, .detached = 4, .replay_size = 2048}> site(
      long_calls, {.jobs = 5, .options = &options});
  const std::string a = begin_as(site, token_a);
  const std::string b = begin_as(site, token_b);
  std::vector<std::string> of_a;
  for (int id = 1; id <= 3; ++id) of_a.push_back(lose_call(site, a, id));
  const std::string b1 = lose_call(site, b, 1);
  const std::string b2 = lose_call(site, b, 2);
  EXPECT_EQ(site.running_jobs(), 4U);
  EXPECT_FALSE(runs(site, a, of_a[0]));
  EXPECT_TRUE(runs(site, a, of_a[1]));
  EXPECT_TRUE(runs(site, a, of_a[2]));
  EXPECT_TRUE(runs(site, b, b1));
  EXPECT_TRUE(runs(site, b, b2));
}

TEST(Detached, PrincipalKeepsTheOnlyRecord) {
  const mcp::HttpOptions options{.authorizer = &two_tokens()};
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512, .detached = 1, .replay_size = 2048}> site(
      long_calls, {.options = &options});
  const std::string a = begin_as(site, token_a);
  const std::string b = begin_as(site, token_b);
  const std::string of_a = lose_call(site, a);
  lose_call(site, b);
  EXPECT_EQ(site.running_jobs(), 1U);
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, get(a + of_a)).streams);
}

// Without tokens, the peers are the owners.
TEST(Detached, PeerLosesNoCallToOneWithAsManyCalls) {
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512, .detached = 2, .replay_size = 2048}> site(long_calls);
  const auto begin_at = [&](std::uint64_t host) {
    HttpClient client = site.connect(host);
    std::string session = site.begin(client);
    client.leave();
    site.run();
    return session;
  };
  const std::string ada = begin_at(1);
  const std::string eve = begin_at(2);
  const std::string call = lose_call(site, ada);
  lose_call(site, eve, 1);
  lose_call(site, eve, 2);
  EXPECT_EQ(site.running_jobs(), 2U);
  HttpClient client = site.connect(1);
  ASSERT_TRUE(site.ask(client, get(ada + call)).streams);
  site.pass(300);
  EXPECT_FALSE(client.events().empty());
  EXPECT_FALSE(client.ended());
}

TEST(Detached, WithoutRecordsACallEndsWithItsConnection) {
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512, .detached = 0, .replay_size = 2048}> site(long_calls);
  const std::string session = site.begin();
  lose_call(site, session);
  EXPECT_EQ(site.running_jobs(), 0U);
  EXPECT_EQ(site.links_in_use(), 0U);
}

// ---- Messages that wait for a stream -------------------------------------------------------------------------------

// A call whose client reads no byte of the input request.
template <class S>
HttpClient ask_without_reader(S& site, const std::string& session) {
  HttpClient client = site.connect();
  client.connection().wire.write_fault = {.call = 2, .forever = true};
  client.send(post(call("hand", 4), session));
  site.run();
  return client;
}

// A call that sends nothing for 100 ms.
std::string call_slow(int id) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"method":"tools/call","params":{"name":"slow","arguments":{"how":""}}})";
}
std::string slept(int id) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"result":{"content":[{"type":"text","text":"slept"}]}})";
}

// The output after an input response waits for a stream, which the server closes for the next client. The output must
// not reach that client, which has the same channel. The connection of the input response stays open.
TEST(Eviction, ResponseForAClosedStreamReachesNoOtherSession) {
  Site<mcp::HttpLimits{.connections = 2, .head_size = 512, .detached = 0}> site(input_requests);
  const std::string session = site.begin();
  const std::string other = site.begin();
  HttpClient caller = ask_without_reader(site, session);
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, post(decline(1), session)).status, 202);
  HttpClient next = site.connect();
  next.send(post(call_slow(5), other));
  site.pass(150);
  FakeStream& wire = caller.connection().wire;  // reads 100 bytes, so it may read the next ones 100 ms later
  wire.write_limit = 100;
  wire.write_fault = {.call = wire.writes() + 2, .forever = true};
  site.pass(149);
  EXPECT_FALSE(caller.connection().closed());
  site.pass(1);
  EXPECT_TRUE(caller.connection().closed());
  EXPECT_TRUE(next.response().streams);
  site.pass(100);
  EXPECT_EQ(data_of(next.events()), (Texts{"", slept(5)}));
  EXPECT_FALSE(client.connection().closed());
  EXPECT_EQ(site.ask(client, post(ping(), session)).body, pong());
}

// The next client loses its connection at once. The server must not store the output for its stream either.
TEST(Eviction, ResponseForAClosedStreamIsStoredForNoOtherSession) {
  const mcp::HttpOptions options{.authorizer = &two_tokens()};
  Site<mcp::HttpLimits{.connections = 2, .head_size = 512, .detached = 1, .replay_size = 2048}> site(
      input_requests, {.options = &options});
  const std::string a = begin_as(site, token_a);
  const std::string b = begin_as(site, token_b);
  HttpClient lost = site.connect();  // uses the only record, so that the stream of the other principal gets none
  EXPECT_TRUE(site.ask(lost, post(call("hand", 1), b)).streams);
  lost.leave();
  site.run();
  const HttpClient caller = ask_without_reader(site, a);
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, post(decline(2), a)).status, 202);
  HttpClient next = site.connect();
  next.connection().wire.write_fault = {.call = 1, .status = mcp::IoStatus::failed};
  next.send(post(call_slow(5), b));
  site.pass(200);
  EXPECT_TRUE(caller.connection().closed());
  EXPECT_TRUE(next.connection().closed());
  EXPECT_EQ(site.detached_calls(), 1U);
  site.pass(100);
  HttpClient again = site.listen(b, "Last-Event-ID: 3-0\r\n");
  EXPECT_EQ(data_of(again.events()), Texts{slept(5)});
}

// The connection of a response that is too long ends before its output is stored.
TEST(Eviction, StoresAResponseForAClosedStream) {
  Site<mcp::HttpLimits{.connections = 2, .head_size = 512, .replay_size = 2048}> site(input_requests);
  const std::string session = site.begin();
  HttpClient caller = ask_without_reader(site, session);
  HttpClient client = site.connect();
  const std::string response = R"({"jsonrpc":"2.0","id":1000000001,"result":{"x":")" + std::string(2'000, 'x') + "\"}}";
  EXPECT_EQ(site.ask(client, post(response, session)).status, 413);
  HttpClient next = site.connect();
  next.send(post(ping(), session));
  site.pass(199);
  EXPECT_FALSE(client.connection().released());
  site.pass(1);
  EXPECT_TRUE(caller.connection().closed());
  EXPECT_TRUE(client.connection().released());
  EXPECT_EQ(next.response().body, pong());
  EXPECT_TRUE(caller.response().streams);
  const std::string id = caller.events().at(0).id;
  EXPECT_TRUE(site.ask(next, get(session + "Last-Event-ID: " + id + "\r\n")).streams);
  const Texts data = data_of(next.events());
  ASSERT_EQ(data.size(), 2U);
  EXPECT_NE(data[1].find("too large"), std::string::npos) << data[1];
}

// The stream of the call is lost before the output that waits for it, and after the call has ended.
TEST(Eviction, StoresTheOutputOfAnEndedCallForALostStream) {
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512, .replay_size = 2048}> site(input_requests);
  const std::string session = site.begin();
  HttpClient client = site.connect();
  HttpClient caller = ask_without_reader(site, session);
  EXPECT_EQ(site.ask(client, post(decline(1), session)).status, 202);
  EXPECT_EQ(site.running_jobs(), 0U);
  FakeStream& wire = caller.connection().wire;
  wire.write_fault = {.call = wire.writes() + 1, .status = mcp::IoStatus::failed};
  site.run();
  EXPECT_TRUE(caller.connection().closed());
  EXPECT_TRUE(caller.response().streams);
  const std::string id = caller.events().at(0).id;
  EXPECT_TRUE(site.ask(client, get(session + "Last-Event-ID: " + id + "\r\n")).streams);
  const Texts data = data_of(client.events());
  ASSERT_EQ(data.size(), 2U);
  EXPECT_NE(data[1].find(R"("id":4,"result")"), std::string::npos) << data[1];
}

// The client that sent the input response has gone. Its exchange keeps the output for the call, whose client stalls,
// also while another client waits for a connection.
TEST(Eviction, KeepsTheOutputOfALostConnection) {
  Site<mcp::HttpLimits{.connections = 2, .head_size = 512, .replay_size = 2048}> site(input_requests);
  const std::string session = site.begin();
  HttpClient caller = ask_without_reader(site, session);
  HttpClient client = site.connect();
  client.connection().wire.write_fault = {.call = 1, .status = mcp::IoStatus::failed};
  client.send(post(decline(1), session));
  HttpClient next = site.connect();
  next.send(post(ping(), session));
  site.pass(199);
  EXPECT_TRUE(client.connection().released());
  EXPECT_EQ(site.links_in_use(), 2U);
  EXPECT_EQ(next.response().status, 0);
  site.pass(1);
  EXPECT_TRUE(caller.connection().closed());
  EXPECT_EQ(next.response().body, pong());
  EXPECT_TRUE(caller.response().streams);
  EXPECT_TRUE(site.ask(next, get(session + "Last-Event-ID: " + caller.events().at(0).id + "\r\n")).streams);
  const Texts data = data_of(next.events());
  ASSERT_EQ(data.size(), 2U);
  EXPECT_NE(data[1].find("declined"), std::string::npos) << data[1];
}

// The rest of a rejected message is the first that ends for a waiting client: before a client that stalls for longer in
// a request.
TEST(Eviction, EndsTheRestOfARejectedMessageFirst) {
  Site<mcp::HttpLimits{.connections = 2, .head_size = 512}> site;
  const std::string session = site.begin();
  HttpClient stalled = site.connect();
  stalled.send("POST");
  site.pass(100);
  HttpClient rejected = site.connect();
  rejected.connection().stays = true;
  const std::string request = post(std::string(2'000, ' '), session);
  EXPECT_EQ(site.ask(rejected, request.substr(0, request.size() - 1)).status, 413);
  site.pass(300);
  EXPECT_FALSE(rejected.connection().released());
  HttpClient next = site.connect();
  EXPECT_EQ(site.ask(next, post(ping(), session)).body, pong());
  EXPECT_TRUE(rejected.connection().released());
  EXPECT_FALSE(stalled.connection().released());
}

// ---- Streams ------------------------------------------------------------------------------------------------------

TEST(Eviction, EvictsTheOldestStreamOfASession) {
  for (const std::string_view version : {"2025-11-25", "2025-06-18", "2025-03-26"}) {
    Site<mcp::HttpLimits{.connections = 3, .head_size = 512, .replay_size = 1024}> site(features, {.sessions = 3});
    HttpClient client = site.connect();
    const std::string session = site.begin(client, version);
    EXPECT_EQ(site.ask(client, post(subscribe("test://here"), session)).status, 200);
    client.leave();
    const std::string others[] = {site.begin(), site.begin()};
    HttpClient listener = site.connect();
    EXPECT_TRUE(site.ask(listener, get(session)).streams);
    std::list<HttpClient> younger;
    for (const std::string& other : others) {
      site.pass(100);
      younger.push_back(site.listen(other));
    }
    site.pass(700);
    HttpClient next = site.connect();
    next.send(post(ping(), session));
    site.pass(99);
    EXPECT_FALSE(listener.connection().closed());
    site.pass(1);
    EXPECT_EQ(next.response().body, pong());
    const std::vector<HttpEvent> events = listener.events();
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(events.back().retry, "1000");
    EXPECT_TRUE(listener.ended());
    EXPECT_TRUE(listener.connection().closed());
    // The pending messages wait for the next stream. The idle connection closes for it, and no other stream does.
    site.bench.server.resource_updated(features.resources.rows()[0]);
    HttpClient again = site.connect();
    again.send(get(session));
    site.pass(1'000);
    EXPECT_TRUE(again.response().streams);
    EXPECT_EQ(data_of(again.events()).back(), updated("test://here"));
    EXPECT_TRUE(next.connection().closed());
    for (HttpClient& other : younger) EXPECT_FALSE(other.connection().closed());
  }
}

// For each client, the server closes one stream.
TEST(Eviction, TwentyStreamsLockOutNoClient) {
  constexpr mcp::HttpLimits limits{.connections = 20, .head_size = 512};
  Site<limits> site(features, {.sessions = 20});
  std::list<HttpClient> listeners;
  std::string session;
  for (int i = 0; i < 20; ++i) {
    session = site.begin();
    HttpClient& listener = listeners.emplace_back(site.connect());
    listener.connection().stays = true;  // does not close its end
    EXPECT_TRUE(site.ask(listener, get(session)).streams);
  }
  EXPECT_LE(time_of(site, post(ping(), session), [] {}), 1'250U);
  EXPECT_EQ(std::count_if(listeners.begin(), listeners.end(), [](auto& one) { return one.connection().closed(); }), 1);
}

TEST(Eviction, EvictedCallStreamIsResumed) {
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512, .replay_size = 2048}> site(long_calls);
  const std::string session = site.begin();
  std::list<HttpClient> callers;
  std::vector<std::string> ids;
  for (int i = 0; i < 3; ++i) {
    HttpClient& caller = callers.emplace_back(site.connect());
    EXPECT_TRUE(site.ask(caller, post(minute(i), session)).streams);
  }
  HttpClient next = site.connect();
  next.send(post(ping(), session));
  site.pass(999);
  EXPECT_EQ(next.response().status, 0);
  site.pass(1);
  EXPECT_EQ(next.response().body, pong());
  next.leave();
  const std::vector<HttpEvent> events = callers.front().events();
  EXPECT_EQ(events.back().retry, "1000");
  EXPECT_TRUE(callers.front().ended());
  EXPECT_EQ(site.running_jobs(), 3U);
  HttpClient again = site.connect();
  EXPECT_TRUE(site.ask(again, get(session + "Last-Event-ID: " + events[events.size() - 2].id + "\r\n")).streams);
  site.pass(60'000);
  EXPECT_EQ(data_of(again.events()).back(),
            R"({"jsonrpc":"2.0","id":0,"result":{"content":[{"type":"text","text":"done"}]}})");
}

// A second GET replaces the stream of a session. The first one has not ended when the next client needs its connection:
// the last work of a poll was the GET, after a number of other requests. No call loses its record for it.
TEST(Eviction, ReplacedStreamTakesNoRecord) {
  for (int pings = 0; pings <= 40; ++pings) {
    Site<mcp::HttpLimits{.connections = 2, .head_size = 512, .detached = 1, .replay_size = 2048}> site(long_calls);
    const std::string session = site.begin();
    const std::string call_of_session = lose_call(site, session);
    site.listen(session);
    site.pass(1'000);
    HttpClient second = site.connect();
    std::string requests;
    for (int i = 0; i < pings; ++i) requests += post(ping(i), session);
    second.send(requests + get(session));
    HttpClient next = site.connect();
    site.run();
    second.leave();
    next.leave();
    site.run();
    EXPECT_EQ(site.running_jobs(), 1U) << pings;
    EXPECT_TRUE(runs(site, session, call_of_session)) << pings;
  }
}

// Before 2025-11-25, a stream must not end before the response. Without a ring, the response would be lost.
TEST(Eviction, KeepsStreamsThatCannotBeResumed) {
  Site<mcp::HttpLimits{.connections = 1, .head_size = 512, .replay_size = 2048}> older;
  HttpClient client = older.connect();
  const std::string session = older.begin(client, "2025-06-18");
  EXPECT_TRUE(older.ask(client, post(call("forever"), session)).streams);
  EXPECT_GE(time_of(older, post(ping(), session), [] {}), 1'000U);
  EXPECT_EQ(data_of(client.events()).size(), 1U);  // the time limit of the tool
  Site<mcp::HttpLimits{.connections = 1, .head_size = 512}> forgetful(long_calls);
  HttpClient caller = forgetful.connect();
  const std::string other = forgetful.begin(caller);
  EXPECT_TRUE(forgetful.ask(caller, post(minute(), other)).streams);
  EXPECT_GE(time_of(forgetful, post(ping(), other), [] {}), 19'000U);
}

// The field `retry` would be within the event.
TEST(Eviction, KeepsAStreamWithinAnEvent) {
  Site<mcp::HttpLimits{.connections = 1, .head_size = 512, .replay_size = 2048}, 512> site(streams);
  const std::string session = site.begin();
  EXPECT_TRUE(act(site.bench.server, "body_times 100 0123456789"));
  EXPECT_TRUE(act(site.bench.server, "busy 700"));
  HttpClient reader = site.connect();
  EXPECT_TRUE(site.ask(reader, post(read_resource("stream:text"), session)).streams);
  HttpClient next = site.connect();
  next.send(post(ping(), session));
  site.pass(2'000);
  EXPECT_FALSE(reader.connection().closed());
  EXPECT_TRUE(act(site.bench.server, "ready"));
  site.pass(100);
  const std::vector<HttpEvent> events = reader.events();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_TRUE(events[1].data->ends_with("0123456789\"}]}}")) << *events[1].data;
  EXPECT_TRUE(reader.ended());
  site.pass(1'000);
  EXPECT_EQ(next.response().body, pong());
}

// The replay takes several polls. The stream ends for the waiting client after the last event.
TEST(Eviction, KeepsAStreamWithinItsReplay) {
  Site<mcp::HttpLimits{.connections = 1, .head_size = 512, .replay_size = 20'000}> site(long_calls);
  const std::string session = site.begin();
  const std::string last = lose_call(site, session);
  site.pass(7'000);
  HttpClient again = site.connect();
  FakeStream& wire = again.connection().wire;
  wire.write_limit = 200;  // the head takes two steps and each event one, so that the last step of a poll is a write
  wire.write_fault = {.call = 1, .forever = true};
  again.send(get(session + last + "Origin: http://localhost\r\n"));
  site.pass(1'000);
  HttpClient next = site.connect();
  next.send(post(ping(), session));
  wire.write_fault = {};
  site.run();
  EXPECT_TRUE(again.response().streams);
  const std::vector<HttpEvent> events = again.events();
  ASSERT_EQ(events.size(), 72U);  // 70 of the ring, the newest progress, and the end
  EXPECT_EQ(events.back().retry, "1000");
  EXPECT_EQ(next.response().body, pong());
}

// No record is free for the call of the second principal. The server does not cancel it for a waiting client.
TEST(Eviction, KeepsTheConnectionOfACallWithoutARecord) {
  const mcp::HttpOptions options{.authorizer = &two_tokens()};
  Site<mcp::HttpLimits{.connections = 1, .head_size = 512, .detached = 1, .replay_size = 2048}> site(
      long_calls, {.options = &options});
  const std::string a = begin_as(site, token_a);
  const std::string b = begin_as(site, token_b);
  const std::string of_a = lose_call(site, a);
  HttpClient caller = site.connect();
  EXPECT_TRUE(site.ask(caller, post(minute(), b)).streams);
  HttpClient next = site.connect();
  next.send(post(ping(), b));
  site.pass(5'000);
  EXPECT_EQ(site.running_jobs(), 2U);
  EXPECT_EQ(caller.events().size(), 52U);
  EXPECT_FALSE(caller.ended());
  EXPECT_EQ(next.response().status, 0);
  caller.leave();
  site.run();
  EXPECT_EQ(next.response().body, pong());
  next.leave();
  EXPECT_TRUE(runs(site, a, of_a));
}

// A stream that cannot be resumed keeps its connection, so one connection stays free.
TEST(Eviction, StreamThatCannotBeResumedDoesNotTakeTheLastSlot) {
  constexpr mcp::HttpLimits limits{.connections = 3, .head_size = 512, .resumable = false};
  Site<limits> site(features, {.sessions = 4});
  std::vector<std::string> sessions;
  for (int i = 0; i < 3; ++i) sessions.push_back(site.begin());
  std::list<HttpClient> listeners;
  for (int i = 0; i < 2; ++i) listeners.push_back(site.listen(sessions[static_cast<std::size_t>(i)]));
  HttpClient third = site.connect();
  const HttpResponse response = site.ask(third, get(sessions[2]));
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(response.header("retry-after"), "1");
  HttpClient caller = site.connect();
  EXPECT_EQ(site.ask(caller, post(ping(), sessions[2])).body, pong());
  EXPECT_TRUE(site.ask(caller, get(sessions[1])).streams);  // replaces the stream that this session has
}

}  // namespace
