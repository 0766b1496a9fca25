// Messages of the log that one client on one wire does not show: windows too small for them, channels, tasks.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "mcp/server.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/json.hpp"

namespace {

using mcp::LogLevel;
using test::Bench;

struct LoggedWork {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (slept || context.ending()) return context.done(context.result().text("worked"));
    slept = true;
    return context.sleep(100);
  }
};
constexpr mcp::Tool logged_tools[] = {
    mcp::job<LoggedWork>({.name = "work", .task_support = mcp::TaskSupport::optional})};
constexpr mcp::Definition logged{.name = "logged", .version = "1", .tools = logged_tools, .logging = true};

mcp::SessionId open_logged(Bench& bench) {
  const mcp::SessionId id = bench.server.open(0);
  EXPECT_NE(
      bench.ask(
          id,
          R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})"),
      "");
  EXPECT_EQ(bench.ask(id, R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), "");
  return id;
}

std::string stateless_work(std::string_view declares) {
  return std::string(
             R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"work","arguments":{},"_meta":{)")
             .append(R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)")
             .append(R"("io.modelcontextprotocol/logLevel":"info","io.modelcontextprotocol/clientCapabilities":{)")
             .append(declares) +
         "}}}}";
}

TEST(Logging, AMessageThatDoesNotFitEscapedIsToldAsLost) {
  Bench bench(logged, {.window = 600, .log = 512});
  const mcp::SessionId id = open_logged(bench);
  bench.server.log(LogLevel::error, "motor", std::string(300, '\x01'));
  bench.server.log(LogLevel::error, "motor", "hot");
  const auto data = [&] { return test::parse_json(bench.next(id)).value_or(test::Json{}).text_at("params.data"); };
  EXPECT_EQ(data(), "1 messages were lost.");
  EXPECT_EQ(data(), "hot");
  EXPECT_EQ(bench.next(id), "");
}

// What is logged to a request goes out on its channel alone.
TEST(Logging, ARequestIsToldOnItsOwnChannel) {
  Bench bench(logged, {.sessions = 2});
  const mcp::SessionId shared = bench.server.open_shared(0);
  std::string message = stateless_work("");
  EXPECT_EQ(bench.server.receive(shared, message, bench.server.window(), 0, 3).status, mcp::Reply::Status::none);
  bench.server.log(LogLevel::error, "motor", "hot");
  EXPECT_EQ(bench.server.transmit(shared, bench.server.window(), 0, 4).status, mcp::Reply::Status::none);
  const mcp::Reply told = bench.server.transmit(shared, bench.server.window(), 0, 3);
  const std::string_view text(bench.server.window().data(), told.size);
  EXPECT_NE(text.find(R"("data":"hot")"), std::string_view::npos) << text;
  bench.server.close(shared, 0);
  EXPECT_FALSE(bench.anything_left());
}

// A task has no request that waits: it tells nothing of the log, and what runs on without any stream writes nothing.
TEST(Logging, ATaskIsToldNothing) {
  Bench bench(logged, {.sessions = 2});
  const mcp::SessionId shared = bench.server.open_shared(0);
  std::string message = stateless_work(R"("extensions":{"io.modelcontextprotocol/tasks":{}})");
  const mcp::Reply created = bench.server.receive(shared, message, bench.server.window(), 0, 3);
  const std::string text(bench.server.window().data(), created.size);
  EXPECT_NE(text.find(R"("taskId")"), std::string::npos);
  bench.server.log(LogLevel::error, "motor", "hot");
  bench.server.advance_tasks(0);
  for (const mcp::Channel channel : {mcp::Channel{3}, mcp::only_channel, mcp::session_channel}) {
    EXPECT_EQ(bench.server.transmit(shared, bench.server.window(), 0, channel).status, mcp::Reply::Status::none);
  }
  // Nor is there anybody to be told of its end: who wants to know it asks.
  bench.server.advance_tasks(100);
  const std::string task = test::parse_json(text).value_or(test::Json{}).text_at("result.taskId");
  std::string get =
      R"({"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":")" + task + R"(","_meta":{)" +
      R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{)" +
      R"("extensions":{"io.modelcontextprotocol/tasks":{}}}}}})";
  const mcp::Reply state = bench.server.receive(shared, get, bench.server.window(), 100, 4);
  const std::string said(bench.server.window().data(), state.size);
  EXPECT_NE(said.find(R"("status":"completed")"), std::string::npos) << said;
  bench.server.close(shared, 0);
  EXPECT_FALSE(bench.anything_left());
}

}  // namespace
