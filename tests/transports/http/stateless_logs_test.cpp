// SPDX-License-Identifier: Apache-2.0
// Log messages of stateless requests over HTTP, before the response. Without sockets. The test sets the time.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/device.hpp"
#include "transports/http/stateless.hpp"

namespace {

using test::HttpClient;
using test::HttpEvent;
using test::HttpResponse;
using namespace test::stateless;

// A device that logs in each handler and for each audited request.
const mcp::Server* stateless_logger = nullptr;
mcp::Errc stateless_tells(mcp::Call& call) {
  stateless_logger->log(mcp::LogLevel::info, "tool", "one\n");
  stateless_logger->log(mcp::LogLevel::debug, "tool", "below the level");
  stateless_logger->log(mcp::LogLevel::warning, "tool", "two");
  return call.result().text("done");
}
constexpr mcp::Tool stateless_logging_tools[] = {mcp::tool<stateless_tells>({.name = "tell"})};
void stateless_audit(const mcp::AuditRecord&) { stateless_logger->log(mcp::LogLevel::error, "audit", "three"); }
constexpr mcp::Definition stateless_logging{
    .name = "logging", .version = "1", .tools = stateless_logging_tools, .logging = true, .audit = stateless_audit};

// The response to a request that asks for log messages is a stream. Each message is an event before the response.
TEST(HttpStateless, LogMessagesComeBeforeTheResponse) {
  StatelessSite site(stateless_logging);
  stateless_logger = &site.bench.server;
  const std::string headers = modern + header("Mcp-Method", "tools/call") + header("Mcp-Name", "tell");
  const std::string level = claim("2026-07-28", "{}", R"(,"io.modelcontextprotocol/logLevel":"info")");
  HttpClient client = site.connect();
  const HttpResponse response =
      site.ask(client, http_post(headers, body_of("tools/call", R"("name":"tell","arguments":{})", level)));
  EXPECT_EQ(response.status, 200);
  EXPECT_TRUE(response.streams);
  site.run();
  std::vector<std::string> events;
  for (const test::HttpEvent& event : client.events()) events.push_back(event.data.value_or("(no data)"));
  ASSERT_EQ(events.size(), 4U);
  EXPECT_NE(events[0].find(R"("level":"info","logger":"tool","data":"one\n"})"), std::string::npos) << events[0];
  EXPECT_NE(events[1].find(R"("level":"warning","logger":"tool","data":"two"})"), std::string::npos) << events[1];
  EXPECT_NE(events[2].find(R"("level":"error","logger":"audit","data":"three"})"), std::string::npos) << events[2];
  EXPECT_TRUE(events[3].starts_with(R"({"jsonrpc":"2.0","id":1,"result":{)")) << events[3];
  // The same connection serves the next request, without a level and with one that has no message.
  const HttpResponse plain = site.ask(client, call("tell"));
  EXPECT_EQ(plain.header("content-type"), "application/json");
  EXPECT_TRUE(plain.body.starts_with(R"({"jsonrpc":"2.0","id":1,"result":{)")) << plain.body;
}

TEST(HttpStateless, JsonAloneGetsNoLogMessages) {
  StatelessSite site(stateless_logging);
  stateless_logger = &site.bench.server;
  const std::string headers = modern + header("Mcp-Method", "tools/call") + header("Mcp-Name", "tell");
  const std::string level = claim("2026-07-28", "{}", R"(,"io.modelcontextprotocol/logLevel":"info")");
  std::string request = http_post(headers, body_of("tools/call", R"("name":"tell","arguments":{})", level));
  const std::string_view both = "application/json, text/event-stream";
  ASSERT_NE(request.find(both), std::string::npos);
  const HttpResponse response = site.ask(request.replace(request.find(both), both.size(), "application/json"));
  EXPECT_EQ(response.header("content-type"), "application/json");
  EXPECT_TRUE(response.body.starts_with(R"({"jsonrpc":"2.0","id":1,"result":{)")) << response.body;
}

// An error with a status of its own keeps it, so its log messages are not sent.
TEST(HttpStateless, ErrorWithAStatusHasNoLogMessages) {
  StatelessSite site(stateless_logging);
  stateless_logger = &site.bench.server;
  const std::string level = claim("2026-07-28", "{}", R"(,"io.modelcontextprotocol/logLevel":"info")");
  const HttpResponse response =
      site.ask(http_post(modern + header("Mcp-Method", "no/such"), body_of("no/such", "", level)));
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(response.header("content-type"), "application/json");
  EXPECT_TRUE(response.body.starts_with(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,)")) << response.body;
}

// A call of a tool of logs.cpp that asks for log messages.
std::string logged_call(std::string_view tool, std::string_view arguments) {
  return http_post(
      modern + header("Mcp-Method", "tools/call") + header("Mcp-Name", tool),
      body_of("tools/call", R"("name":")" + std::string(tool) + R"(","arguments":)" + std::string(arguments),
              claim("2026-07-28", "{}", R"(,"io.modelcontextprotocol/logLevel":"warning")")));
}
std::string log_message(std::string_view logger, std::string_view text) {
  return R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":")" +
         std::string(logger) + R"(","data":")" + std::string(text) + "\"}}";
}
std::string result_of_logs(std::string_view text, std::string_view more = "") {
  return R"({"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":")" +
         std::string(text) + R"("}])" + std::string(more) +
         R"(,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"logs","version":"0"}}}})";
}
Texts data_of(HttpClient& client) {
  Texts texts;
  for (const HttpEvent& event : client.events()) texts.push_back(event.data.value_or("(no data)"));
  return texts;
}

// The stream has begun with the call. Each message of the last step is an event before the result.
TEST(HttpStateless, LogMessagesOfALastStepComeBeforeItsResult) {
  StatelessSite site(test::logs);
  ASSERT_TRUE(test::act(site.bench.server, "take the log"));
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, logged_call("work", R"({"name":"pump"})")).streams);
  EXPECT_EQ(data_of(client), Texts{log_message("pump", "begins")});
  site.pass(100);
  EXPECT_EQ(data_of(client), (Texts{log_message("pump", "works"), result_of_logs("pump")}));
  // The same connection serves a call that exceeds its time limit.
  EXPECT_TRUE(site.ask(client, logged_call("late", "{}")).streams);
  EXPECT_EQ(data_of(client), Texts{});
  site.pass(100);
  EXPECT_EQ(data_of(client), (Texts{log_message("late", "ends"),
                                    result_of_logs("The tool exceeded its time limit.", R"(,"isError":true)")}));
}

// All responses of HTTP+SSE are on its stream, whatever the Accept header of a POST.
TEST(HttpStateless, LogMessagesComeBeforeTheResponseOverHttpSse) {
  StatelessSite site(test::logs);
  ASSERT_TRUE(test::act(site.bench.server, "take the log"));
  HttpClient stream = site.connect();
  EXPECT_TRUE(site.ask(stream, "GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n").streams);
  const Texts first = data_of(stream);
  ASSERT_EQ(first.size(), 1U);
  const std::string line = "POST " + first[0];
  for (const std::string_view accept : {"Accept: application/json, text/event-stream\r\n", ""}) {
    std::string post = logged_call("tell", "{}");
    post.replace(0, std::string_view("POST /mcp").size(), line);
    const std::string_view usual = "Accept: application/json, text/event-stream\r\n";
    post.replace(post.find(usual), usual.size(), accept);
    EXPECT_EQ(site.ask(post).status, 202);
    EXPECT_EQ(data_of(stream), (Texts{log_message("tell", "called"), result_of_logs("told")})) << accept;
  }
}

// A ServerShape in another file says has_logs.
TEST(HttpStatelessDeathTest, AbortsForLogMessagesOfAServerWithoutLogs) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  static constexpr mcp::ServerShape silent{
      .sessions = 4, .transmit_size = stateless_transmit_size, .has_scopes = true, .has_logs = false};
  using Storage = mcp::HttpStorage<silent, stateless_limits>;
  const std::unique_ptr<Storage> storage(new Storage());
  test::Bench bench(test::logs, {.transmit_size = stateless_transmit_size, .sessions = 2});
  test::FakeListener listener;
  const mcp::HttpOptions options{};
  mcp::HttpTransport transport(bench.server, listener, bench.entropy, *storage, options);
  ASSERT_TRUE(test::act(bench.server, "take the log"));
  HttpClient client(listener.connect());
  const auto run = [&] {
    while (transport.poll(0) == 0) {
    }
  };
  client.send(call("tell"));
  run();
  EXPECT_EQ(client.response().status, 200);
  client.send(logged_call("tell", "{}"));
  EXPECT_DEATH(run(), "contract");
  test::forget_logger();
}

}  // namespace
