// SPDX-License-Identifier: Apache-2.0
// Methods of the application: scopes, rate limit and small buffers, which a conversation on a wire cannot show. Also
// limits of completion and of log messages with objects.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/server.hpp"
#include "mcp/transport_info.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/json.hpp"

namespace {

using mcp::Errc;
using mcp::Reply;
using test::Bench;
using test::Json;

unsigned calls = 0;
Errc reset(mcp::MethodCall& call) {
  call.result().member("calls", ++calls);
  return Errc::ok;
}
Errc count_resets(mcp::MethodCall&) {
  ++calls;
  return Errc::ok;
}

constexpr std::string_view scopes[] = {"read", "write"};
constexpr mcp::Method methods[] = {mcp::method<reset>({.name = "x-acme/reset", .scope = "write"}),
                                   mcp::method<reset>({.name = "x-acme/free"}),
                                   mcp::notification<count_resets>({.name = "x-acme/was_reset", .scope = "write"})};
constexpr mcp::Definition scoped{.name = "n", .version = "1", .methods = methods, .scopes = scopes};
constexpr mcp::Definition hidden{
    .name = "n", .version = "1", .methods = methods, .scopes = scopes, .hide_out_of_scope = true};
constinit mcp::Storage<hidden> storage;  // the compiler checks that the scopes are in the table
[[maybe_unused]] constinit const mcp::Server server{storage};

constexpr std::string_view initialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}})";

class MethodsTest : public testing::Test {
 protected:
  void use(const mcp::Definition& definition, const test::Sizes& sizes = {}) {
    calls = 0;
    bench_.emplace(definition, sizes);
    session_ = bench_->server.open(0);
    ask(initialize);
  }
  std::string ask(std::string_view message) { return bench_->ask(session_, message); }
  // As a caller with these scopes.
  std::string send(std::string message, std::string_view with) {
    mcp::TransportInfo info(1);
    info.scopes = scoped.scopes.named(with);
    const std::span<char> out = bench_->server.transmit_buffer();
    const Reply reply = bench_->server.receive(session_, message, out, 0, 1, &info);
    lacks_ = reply.lacks_scope() ? scopes[reply.missing_scope()] : std::string_view();
    return {out.data(), reply.size};
  }
  static std::string request(std::string_view method) {
    return R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + "\"}";
  }
  static std::string notification(std::string_view method) {
    return R"({"jsonrpc":"2.0","method":")" + std::string(method) + "\"}";
  }

  std::optional<Bench> bench_;
  mcp::SessionId session_;
  std::string_view lacks_;
};

TEST_F(MethodsTest, HandlerRunsOnlyForACallerWithTheScopeOfItsRow) {
  use(scoped);
  EXPECT_EQ(
      send(request("x-acme/reset"), "read"),
      R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"The scope write is required; use a token that has it."}})");
  EXPECT_EQ(lacks_, "write");
  EXPECT_EQ(send(request("x-acme/free"), ""), R"({"jsonrpc":"2.0","id":1,"result":{"calls":1}})");
  EXPECT_EQ(lacks_, "");
  EXPECT_EQ(send(request("x-acme/reset"), "write"), R"({"jsonrpc":"2.0","id":1,"result":{"calls":2}})");
  // A notification has no response that could name the scope.
  EXPECT_EQ(send(notification("x-acme/was_reset"), "read"), "");
  EXPECT_EQ(lacks_, "");
  EXPECT_EQ(calls, 2U);
  EXPECT_EQ(send(notification("x-acme/was_reset"), "read write"), "");
  EXPECT_EQ(calls, 3U);
}

TEST_F(MethodsTest, HiddenRowAnswersAsAnUnknownOne) {
  use(hidden);
  EXPECT_EQ(send(request("x-acme/reset"), "read"),
            R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found: x-acme/reset"}})");
  EXPECT_EQ(lacks_, "");
  EXPECT_EQ(send(notification("x-acme/was_reset"), "read"), "");
  EXPECT_EQ(calls, 0U);
  EXPECT_EQ(send(request("x-acme/reset"), "write"), R"({"jsonrpc":"2.0","id":1,"result":{"calls":1}})");
  EXPECT_EQ(ask(request("x-acme/reset")), R"({"jsonrpc":"2.0","id":1,"result":{"calls":2}})");  // on a wire
}

TEST_F(MethodsTest, RateLimitCountsRequestsAndNotifications) {
  use(scoped, {.call_burst = 2, .call_interval_ms = 1'000});
  EXPECT_EQ(ask(notification("x-acme/was_reset")), "");
  EXPECT_EQ(ask(request("x-acme/free")), R"({"jsonrpc":"2.0","id":1,"result":{"calls":2}})");
  EXPECT_NE(ask(request("x-acme/free")).find(R"("mote/retryAfterMs":1000)"), std::string::npos);
  EXPECT_EQ(ask(notification("x-acme/was_reset")), "");
  EXPECT_EQ(calls, 2U);
}

// The response to invalid params with each size of the transmit buffer: the whole text, or an error of the same code
// that says that it does not fit.
TEST_F(MethodsTest, ErrorOfParamsIsWholeOrSaysThatItDoesNotFit) {
  unsigned whole = 0;
  unsigned cut = 0;
  for (std::size_t size = 100; size < 500; ++size) {
    use(test::vendor, {.transmit_size = size});
    const std::string came = ask(
        R"({"jsonrpc":"2.0","id":1,"method":"x-acme/move","params":{"fast":1,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})");
    const std::optional<Json> error = test::parse_json(came);
    ASSERT_TRUE(error) << came;
    const std::string text = error->text_at("error.message");
    if (text == R"(Unknown argument "fast"; accepted: steps, axis.)") {
      EXPECT_EQ(error->text_at("error.code"), "-32602");
      ++whole;
    } else {
      EXPECT_TRUE(text == "Error (details do not fit)." || text == "The response is too large for one message.")
          << came;
      EXPECT_EQ(whole, 0U) << "a larger buffer has less";
      ++cut;
    }
  }
  EXPECT_GT(whole, 0U);
  EXPECT_GT(cut, 0U);
}

// 60 values begin with N, and 70 others contain it. The first ones are sent in full before any of the others.
TEST_F(MethodsTest, CompletionSendsPrefixesFirstAndAsManyAsFit) {
  std::vector<std::string> expected;
  for (int i = 0; i < 60; ++i) expected.push_back("N" + std::to_string(i));
  for (int i = 0; i < 40; ++i) expected.push_back("a n" + std::to_string(i));
  std::size_t before = 0;
  for (std::size_t size = 800; size < 1600; size += 7) {
    use(test::vendor, {.transmit_size = size});
    const std::string came = ask(
        R"({"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"heat"},"argument":{"name":"room","value":"N"}}})");
    const Json answer = test::parse_json(came).value_or(Json{});
    ASSERT_NE(answer.at("result.completion.values"), nullptr) << came;
    const std::vector<Json>& values = answer.at("result.completion.values")->items;
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i].text, expected.at(i));
    ASSERT_GE(values.size(), before) << "a larger buffer has fewer";
    EXPECT_EQ(answer.text_at("result.completion.total"), "130");
    EXPECT_EQ(answer.text_at("result.completion.hasMore"), "true");
    before = values.size();
  }
  EXPECT_EQ(before, 100U);
}

TEST_F(MethodsTest, NotificationNeedsASessionOrAStatelessRevision) {
  use(scoped);
  const auto tell = [&](mcp::SessionId session) { return bench_->ask(session, notification("x-acme/was_reset")); };
  EXPECT_EQ(tell(session_), "");
  EXPECT_EQ(calls, 1U);
  static constexpr mcp::Definition legacy{
      .name = "n", .version = "1", .eras = mcp::legacy_era, .methods = methods, .scopes = scopes};
  use(legacy, {.sessions = 2});
  EXPECT_EQ(tell(session_), "");
  EXPECT_EQ(calls, 1U);
  EXPECT_EQ(tell(bench_->server.open(0)), "");  // without initialize
  EXPECT_EQ(calls, 1U);
  use(scoped, {.sessions = 2});
  EXPECT_EQ(tell(bench_->server.open_shared(0)), "");
  EXPECT_EQ(calls, 1U);
}

TEST_F(MethodsTest, StatelessNotificationInABatchLeavesTheOthersTheirRevision) {
  use(scoped, {.sessions = 2});
  const mcp::SessionId session = bench_->server.open(0);
  bench_->ask(session, R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26",)"
                       R"("capabilities":{},"clientInfo":{"name":"a","version":"1"}}})");
  const std::string told = R"({"jsonrpc":"2.0","method":"x-acme/was_reset","params":{"_meta":{)"
                           R"("io.modelcontextprotocol/protocolVersion":"2026-07-28"}}},)";
  const std::string response = bench_->ask(session, "[" + told + R"({"jsonrpc":"2.0","id":1,"method":"ping"}])");
  EXPECT_EQ(calls, 1U);
  EXPECT_EQ(response, R"([{"jsonrpc":"2.0","id":1,"result":{}}])");
}

// In each size of the transmit buffer.
TEST_F(MethodsTest, SamplingRequestIsWholeOrFailsTheCall) {
  unsigned whole = 0;
  unsigned cut = 0;
  for (std::size_t size = 230; size < 900; ++size) {
    bench_.emplace(test::new_items, test::Sizes{.transmit_size = size});
    session_ = bench_->server.open(0);
    ask(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
        R"("capabilities":{"sampling":{"tools":{}}},"clientInfo":{"name":"a","version":"1"}}})");
    ask(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sample"}})"), "");
    std::string came = bench_->next(session_);
    if (came.empty()) came = bench_->next(session_, 1000);  // the job goes on without an answer
    const std::optional<Json> message = test::parse_json(came);
    ASSERT_TRUE(message) << came;
    if (message->text_at("method") == "sampling/createMessage") {
      EXPECT_EQ(message->at("params.messages")->items.size(), 3U) << came;
      ++whole;
    } else {
      EXPECT_EQ(message->text_at("id"), "1") << came;
      EXPECT_EQ(whole, 0U) << "a larger buffer has less";
      ++cut;
    }
  }
  EXPECT_GT(whole, 0U);
  EXPECT_GT(cut, 0U);
}

constexpr mcp::ServerExtras experimental{.experimental = R"({"acme":{}})"};
constexpr mcp::Definition with_experimental{.name = "n", .version = "1", .extras = experimental};

// In each size of the transmit buffer.
TEST_F(MethodsTest, CapabilitiesAreWholeOrAnError) {
  const std::string discover =
      R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{)"
      R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})";
  const auto expect = [&](const mcp::Definition& definition, std::string_view capabilities) {
    unsigned whole = 0;
    for (std::size_t size = 150; size < 900; ++size) {
      use(definition, {.transmit_size = size});
      const std::string came = ask(discover);
      const std::optional<Json> answer = test::parse_json(came);
      ASSERT_TRUE(answer) << came;
      if (const Json* const has = answer->at("result.capabilities")) {
        EXPECT_EQ(has->raw, capabilities);
        ++whole;
      } else {
        EXPECT_EQ(answer->text_at("error.code"), "-32603") << came;
        EXPECT_EQ(whole, 0U) << "a larger buffer has less";
      }
    }
    EXPECT_GT(whole, 0U);
  };
  expect(with_experimental, R"({"experimental":{"acme":{}}})");
  expect(test::vendor, R"({"tools":{},"resources":{},"prompts":{},"completions":{},"logging":{},)"
                       R"("extensions":{"com.example/axes": {"version": 2}, "io.modelcontextprotocol/ui": {}},)"
                       R"("experimental":{"acme": {"trace": true}, "x": {}}})");
}

struct Reading {
  std::string_view text;
};
constexpr auto reading = mcp::output(mcp::param<&Reading::text>("text"));

// A message with an object is in the ring as a whole, or not at all.
TEST_F(MethodsTest, ObjectThatDoesNotFitIntoTheLogIsNotCut) {
  use(test::vendor, {.log = 64});
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), "");
  EXPECT_NE(ask(R"({"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}})"), "");
  const std::string longest(64 - 6 - 3 - std::string_view(R"({"text":""})").size(), 'x');
  const auto log = [&](std::string_view text) {
    return bench_->server.log(mcp::LogLevel::info, "log", reading, {.text = text});
  };
  EXPECT_EQ(log(longest + "x"), Errc::no_space);
  EXPECT_EQ(bench_->server.health().logs_lost, 1U);
  EXPECT_EQ(bench_->next(session_), "");
  EXPECT_EQ(log(longest), Errc::ok);
  EXPECT_EQ(
      bench_->next(session_),
      R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"log","data":{"text":")" +
          longest + R"("}}})");
  // Bytes that are not UTF-8 are replaced, and a line break is escaped.
  EXPECT_EQ(log("\xFF\n"), Errc::ok);
  EXPECT_NE(bench_->next(session_).find("{\"text\":\"\xEF\xBF\xBD\\n\"}"), std::string::npos);
}

TEST_F(MethodsTest, ObjectThatDoesNotFitIntoTheTransmitBufferIsReportedAsLost) {
  use(test::vendor, {.transmit_size = 700});
  EXPECT_EQ(ask(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), "");
  EXPECT_NE(ask(R"({"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}})"), "");
  EXPECT_EQ(bench_->server.log(mcp::LogLevel::info, "", reading, {.text = std::string(200, 'x')}), Errc::ok);
  char small[150];
  const Reply reply = bench_->server.transmit(session_, small, 0);
  EXPECT_NE(std::string_view(small, reply.size).find("1 messages were lost."), std::string::npos);
}

using MethodsDeathTest = MethodsTest;

TEST_F(MethodsDeathTest, AbortsForAnErrorWithoutACode) {
  static constexpr mcp::Method wrong[] = {
      mcp::method<[](mcp::MethodCall& call) { return call.fail(0, "No code."); }>({.name = "x-acme/wrong"})};
  static constexpr mcp::Definition definition{.name = "n", .version = "1", .methods = wrong};
  use(definition);
  EXPECT_DEATH(ask(request("x-acme/wrong")), "contract");
}

TEST_F(MethodsDeathTest, AbortsForHandledWithoutAnError) {
  static constexpr mcp::Method wrong[] = {
      mcp::method<[](mcp::MethodCall&) { return Errc::handled; }>({.name = "x-acme/wrong"})};
  static constexpr mcp::Definition definition{.name = "n", .version = "1", .methods = wrong};
  use(definition);
  EXPECT_DEATH(ask(request("x-acme/wrong")), "contract");
}

TEST_F(MethodsDeathTest, RejectsAnObjectInALogOfTexts) {
  use(test::logs);
  EXPECT_EQ(bench_->server.log(mcp::LogLevel::info, "", reading, {.text = ""}), Errc::unavailable);
  EXPECT_EQ(bench_->server.health().logs_lost, 1U);
}

}  // namespace
