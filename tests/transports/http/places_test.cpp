// Who may have a connection when there are more clients than connections, and calls that have none. Without sockets,
// and time as the test wants it.
#include <gtest/gtest.h>

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

// A minute, and progress every 100 ms.
struct Minute {
  std::uint32_t at;
  mcp::Step step(mcp::JobContext& context) {
    if (context.ending()) return context.done();
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

// The header that names a new session of this principal, and its token.
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

// Begins a call and loses its connection. The id of the last event.
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

// ---- Calls without a connection
// --------------------------------------------------------------------------------------

TEST(Detached, CallsOfClientsThatAreGoneTakeNoConnection) {
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512, .sessions = 3, .replay_size = 2048}> site(long_calls);
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
TEST(Detached, ItsMessagesReachWhoResumesItAlone) {
  Site<mcp::HttpLimits{.connections = 1, .head_size = 512, .sessions = 3, .replay_size = 2048}> site;
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

TEST(Detached, WithoutARecordTheOldestCallIsCancelled) {
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512, .detached = 2, .sessions = 3, .replay_size = 2048}> site(
      long_calls);
  const std::string session = site.begin();
  std::vector<std::string> ids;
  for (int i = 0; i < 3; ++i) ids.push_back(lose_call(site, session, i));
  EXPECT_EQ(site.running_jobs(), 2U);
  EXPECT_EQ(site.detached_calls(), 2U);
  for (std::size_t i = 0; i < 3; ++i) {
    HttpClient client = site.connect();
    site.ask(client, get(session + ids[i]));
    site.pass(300);
    EXPECT_EQ(data_of(client.events()).empty(), i == 0) << i;
    EXPECT_EQ(client.ended(), i == 0) << i;
  }
}

TEST(Detached, NoPrincipalLosesACallToOneThatHasAsMany) {
  const mcp::HttpOptions options{.authorizer = &two_tokens()};
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512, .detached = 2, .sessions = 3, .replay_size = 2048}> site(
      long_calls, {.options = &options});
  const std::string a = begin_as(site, token_a);
  const std::string b = begin_as(site, token_b);
  const auto runs = [&](const std::string& session, const std::string& id) {
    HttpClient client = site.connect();
    const bool resumed = site.ask(client, get(session + id)).status == 200;
    site.pass(300);
    const bool running = resumed && !client.events().empty() && !client.ended();
    client.leave();
    site.run();
    return running;
  };
  const std::string a1 = lose_call(site, a, 1);
  const std::string a2 = lose_call(site, a, 2);
  const std::string b1 = lose_call(site, b, 1);  // in the place of a1
  const std::string b2 = lose_call(site, b, 2);  // in the place of b1
  EXPECT_EQ(site.running_jobs(), 2U);
  EXPECT_FALSE(runs(a, a1));
  EXPECT_FALSE(runs(b, b1));
  EXPECT_TRUE(runs(a, a2));
  EXPECT_TRUE(runs(b, b2));
}

TEST(Detached, OneRecordStaysWithThePrincipalThatHasIt) {
  const mcp::HttpOptions options{.authorizer = &two_tokens()};
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512, .detached = 1, .sessions = 3, .replay_size = 2048}> site(
      long_calls, {.options = &options});
  const std::string a = begin_as(site, token_a);
  const std::string b = begin_as(site, token_b);
  const std::string of_a = lose_call(site, a);
  lose_call(site, b);
  EXPECT_EQ(site.running_jobs(), 1U);
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, get(a + of_a)).streams);
}

TEST(Detached, WithoutAnyRecordACallEndsWithItsConnection) {
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512, .detached = 0, .sessions = 3, .replay_size = 2048}> site(
      long_calls);
  const std::string session = site.begin();
  lose_call(site, session);
  EXPECT_EQ(site.running_jobs(), 0U);
  EXPECT_EQ(site.links_in_use(), 0U);
}

}  // namespace
