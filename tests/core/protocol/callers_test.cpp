// SPDX-License-Identifier: Apache-2.0
// Callers with principals and scopes, which a conversation on a wire cannot show.
#include "mcp/caller.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/server.hpp"
#include "mcp/transport_info.hpp"
#include "mcp/with_caller.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/json.hpp"

namespace {

using mcp::Channel;
using test::Bench;
using test::Sizes;

constexpr std::string_view modern_meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                         R"("io.modelcontextprotocol/clientInfo":{"name":"m","version":"2"},)"
                                         R"("io.modelcontextprotocol/clientCapabilities":{"roots":{}}})";

/// A session and the stateless requests of one device. Each message has a channel, a principal and scopes.
class CallersTest : public testing::Test {
 protected:
  void SetUp() override {
    test::reset_device();
    static_cast<void>(test::take_callers());
  }
  void TearDown() override { test::caller_hook = nullptr; }

  void use(const mcp::Definition& definition, Sizes sizes) {
    sizes.sessions = 3;
    sizes.jobs = 3;
    sizes.reserved_for_others = 0;
    bench_.emplace(definition, sizes);
    session_ = bench_->server.open(0);
    send(session_, 1, 0, "",
         R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
         R"("clientInfo":{"name":"legacy","version":"1"}}})");
    send(session_, 1, 0, "", R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    shared_ = bench_->server.open_shared(0);
  }
  std::string send(mcp::SessionId session, Channel channel, std::uint64_t principal, std::string_view scopes,
                   std::string message) {
    mcp::TransportInfo info(principal);
    info.scopes = test::callers.scopes.named(scopes);
    const std::span<char> out = bench_->server.transmit_buffer();
    const mcp::Reply reply = bench_->server.receive(session, message, out, now_, channel, &info);
    return {out.data(), reply.size};
  }
  static std::string request(std::string_view id, std::string_view method, std::string_view params, bool stateless) {
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) + R"(","params":{)" +
           std::string(params) + (stateless ? "," + std::string(modern_meta) : "") + "}}";
  }
  std::string ask(Channel channel, std::uint64_t principal, std::string_view scopes, std::string_view method,
                  std::string_view params) {
    return text_of(send(session_, channel, principal, scopes, request("1", method, params, false)));
  }
  std::string ask_stateless(Channel channel, std::uint64_t principal, std::string_view scopes, std::string_view method,
                            std::string_view params) {
    return text_of(send(shared_, channel, principal, scopes, request("1", method, params, true)));
  }
  // The text of the next message on this channel.
  std::string next(mcp::SessionId session, Channel channel, mcp::Millis wait_ms = 0) {
    now_ += wait_ms;
    static_cast<void>(bench_->server.poll(now_));
    const std::span<char> out = bench_->server.transmit_buffer();
    const mcp::Reply reply = bench_->server.transmit(session, out, now_, channel);
    return text_of({out.data(), reply.size});
  }
  // Principal 8 on channel 2 and 9 on channel 3, in the shared session.
  void begin_two_reads() {
    use(test::callers, {.client_info = 24});
    EXPECT_EQ(ask_stateless(2, 8, "write", "resources/read", R"("uri":"who:slow")"), "");
    EXPECT_EQ(ask_stateless(3, 9, "read", "resources/read", R"("uri":"who:slow")"), "");
    static_cast<void>(next(shared_, 2));
    static_cast<void>(next(shared_, 3));
  }
  // The next step of a slow read cancels the requests of a channel in the shared session.
  void cancel_in_step(Channel channel) {
    static CallersTest* test;
    static Channel of;
    test = this;
    of = channel;
    test::caller_hook = [] {
      test::caller_hook = nullptr;
      static_cast<void>(test::take_callers());
      test->bench_->server.cancel(test->shared_, of, test->now_);
      return "(" + test::take_callers() + ")";
    };
  }
  // Of the only text in a message.
  static std::string text_of(const std::string& message) {
    constexpr std::string_view key = R"("text":")";
    const std::size_t begin = message.find(key);
    if (begin == std::string::npos) return message;
    return message.substr(begin + key.size(), message.find('"', begin + key.size()) - begin - key.size());
  }

  std::optional<Bench> bench_;
  mcp::SessionId session_;
  mcp::SessionId shared_;
  mcp::Millis now_ = 0;
};

TEST_F(CallersTest, HandlersKnowThePrincipalAndTheScopesOfTheirRequest) {
  use(test::callers, {.client_info = 24});
  EXPECT_EQ(ask(1, 7, "read", "tools/call", R"("name":"who")"),
            "7 of legacy 1 in 2025-11-25 asks 1 for nothing may read");
  EXPECT_EQ(ask(1, 7, "write", "tools/call", R"("name":"who")"),
            "7 of legacy 1 in 2025-11-25 asks 1 for nothing may write");
  EXPECT_EQ(ask_stateless(2, 8, "", "tools/call", R"("name":"who")"), "8 of m 2 in 2026-07-28 asks 1 for nothing");
  EXPECT_EQ(ask(1, 7, "read", "resources/read", R"("uri":"who:now")"),
            "7 of legacy 1 in 2025-11-25 asks 1 for nothing may read");
  EXPECT_EQ(ask_stateless(1, 9, "write", "prompts/get", R"("name":"greet")"),
            "9 of m 2 in 2026-07-28 asks 1 for nothing may write");
}

// Requests of other callers come between the start of a job and its end.
TEST_F(CallersTest, JobsKnowTheCallerThatBeganThem) {
  use(test::callers, {.client_info = 24});
  EXPECT_EQ(ask(1, 7, "read", "tools/call", R"("name":"work")"), "");
  EXPECT_EQ(ask_stateless(2, 8, "write", "tools/call", R"("name":"work")"), "");
  EXPECT_EQ(ask_stateless(3, 9, "", "resources/read", R"("uri":"who:slow")"), "");
  EXPECT_EQ(ask_stateless(4, 10, "read write", "tools/call", R"("name":"who")"),
            "10 of m 2 in 2026-07-28 asks 1 for nothing may read may write");
  static_cast<void>(next(session_, 1));
  static_cast<void>(next(shared_, 2));
  static_cast<void>(next(shared_, 3));
  EXPECT_EQ(next(shared_, 3, 100), "9 of m 2 in 2026-07-28 asks 1 for nothing");
  EXPECT_EQ(next(shared_, 2), "8 of m 2 in 2026-07-28 asks 1 for nothing may write");
  EXPECT_EQ(next(session_, 1), "7 of legacy 1 in 2025-11-25 asks 1 for nothing may read");
}

// The request that is rejected has more scopes, and the job in progress keeps its own.
TEST_F(CallersTest, RejectedRequestUnderTheIdOfAJobGivesItNoScopes) {
  use(test::callers, {.client_info = 24});
  EXPECT_EQ(ask(1, 7, "read", "tools/call", R"("name":"work")"), "");
  EXPECT_NE(ask(1, 7, "read write", "tools/call", R"("name":"who")").find("-32600"), std::string::npos);
  static_cast<void>(next(session_, 1));
  EXPECT_EQ(next(session_, 1, 100), "7 of legacy 1 in 2025-11-25 asks 1 for nothing may read");
}

TEST_F(CallersTest, JobScopesAreKeptWithoutTheNameOfTheClient) {
  use(test::few_callers, {.job_scopes = true});
  EXPECT_EQ(ask_stateless(2, 8, "write", "tools/call", R"("name":"work")"), "");
  EXPECT_NE(ask_stateless(3, 8, "write", "resources/read", R"("uri":"who:slow")").find("-32601"), std::string::npos);
  static_cast<void>(next(shared_, 2));
  EXPECT_EQ(next(shared_, 2, 100), "8 of   in 2026-07-28 asks 1 for nothing may write");
}

using CallersDeathTest = CallersTest;
TEST_F(CallersDeathTest, HasScopeOfAJobNeedsJobScopes) {
  use(test::few_callers, {});
  EXPECT_EQ(ask(1, 7, "write", "tools/call", R"("name":"work")"), "");
  static_cast<void>(next(session_, 1));
  EXPECT_DEATH(static_cast<void>(next(session_, 1, 100)), "contract");
}

TEST_F(CallersTest, CallForLaterHasItsPrincipalAndItsScopes) {
  use(test::callers, {.client_info = 24});
  EXPECT_NE(ask(1, 7, "read", "tools/call", R"("name":"later","arguments":{"after":1})").find("Scheduled"),
            std::string::npos);
  EXPECT_NE(ask(1, 7, "read", "tools/call", R"("name":"later_work","arguments":{"after":1})").find("Scheduled"),
            std::string::npos);
  static_cast<void>(next(session_, 1, 1000));
  static_cast<void>(next(session_, 1, 100));
  const std::string list = send(session_, 1, 7, "", request("1", "resources/read", R"("uri":"who:later")", false));
  constexpr std::string_view wanted = "7 of   in  asks  for nothing may read\\";
  const std::size_t first = list.find(wanted);
  ASSERT_NE(first, std::string::npos) << list;
  EXPECT_NE(list.find(wanted, first + 1), std::string::npos) << list;
}

// A step ends the read of another principal in the same shared session, whose last step asks who is reading.
TEST_F(CallersTest, LastStepWithinAStepHasItsOwnCaller) {
  begin_two_reads();
  cancel_in_step(2);
  EXPECT_EQ(next(shared_, 3, 100), "9 of m 2 in 2026-07-28 asks 1 for nothing may read");
  EXPECT_EQ(test::take_callers(),
            "(cancelled resources/read: 8 of m 2 in 2026-07-28 asks 1 for nothing; "
            "8 of m 2 in 2026-07-28 asks 1 for nothing may write stops reading; )"
            "ok resources/read: 9 of m 2 in 2026-07-28 asks 1 for nothing; ");
}

// As above, and the job that ends is in a later slot than the one that ends it.
TEST_F(CallersTest, LastStepOfALaterSlotHasItsOwnCaller) {
  begin_two_reads();
  cancel_in_step(3);
  EXPECT_EQ(next(shared_, 2, 100), "8 of m 2 in 2026-07-28 asks 1 for nothing may write");
  EXPECT_NE(test::take_callers().find("9 of m 2 in 2026-07-28 asks 1 for nothing may read stops reading; )"),
            std::string::npos);
}

// A session that begins over HTTP takes the place of another one, and the name of its client.
TEST_F(CallersTest, NewSessionHasTheNameOfItsOwnClient) {
  Bench bench(test::callers, {.sessions = 1, .own_session_idle_ms = 0, .client_info = 24});
  const auto begin = [&](std::string_view name) {
    std::string message = R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                          R"("capabilities":{},"clientInfo":{"name":")" +
                          std::string(name) + R"(","version":"3"}}})";
    mcp::SessionId session;
    static_cast<void>(bench.server.receive_first(session, message, bench.server.transmit_buffer(), 0, 1, nullptr));
    bench.server.set_listening(session, false);
    return session;
  };
  const auto name_in = [&](mcp::SessionId session) {
    return text_of(bench.ask(session, R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"who"}})"));
  };
  EXPECT_EQ(name_in(begin("first")), "0 of first 3 in 2025-11-25 asks 1 for nothing may read may write");
  EXPECT_EQ(test::take_callers(),
            "ok initialize: 0 of first 3 in 2025-11-25 asks 0 for nothing; "
            "ok tools/call: 0 of first 3 in 2025-11-25 asks 1 for nothing; ");
  EXPECT_EQ(name_in(begin("next")), "0 of next 3 in 2025-11-25 asks 1 for nothing may read may write");
}

TEST_F(CallersTest, LinkChoosesTheCodeByWhatIsKept) {
  const auto has = [](const mcp::Definition& definition, const mcp::Limits& limits,
                      const mcp::protocol::Feature& wanted) {
    const mcp::detail::FeatureList list = mcp::detail::list_features(definition, limits);
    return std::find(list.items, list.items + list.size, &wanted) != list.items + list.size;
  };
  using namespace mcp::protocol;
  const mcp::Limits nothing{.jobs = 1};
  const mcp::Limits scopes{.jobs = 1, .job_scopes = true};
  const mcp::Limits all{.jobs = 1, .job_scopes = true, .client_info_size = 1};
  EXPECT_FALSE(has(test::callers, nothing, job_scopes_feature) || has(test::callers, nothing, job_callers_feature) ||
               has(test::callers, nothing, client_info_feature));
  EXPECT_TRUE(has(test::callers, scopes, job_scopes_feature));
  EXPECT_FALSE(has(test::callers, scopes, job_callers_feature) || has(test::callers, scopes, client_info_feature));
  EXPECT_TRUE(has(test::callers, all, job_callers_feature) && has(test::callers, all, client_info_feature));
  EXPECT_FALSE(has(test::callers, all, job_scopes_feature));
  const mcp::detail::Links links = mcp::detail::link(test::callers, {}, {}, nullptr);
  EXPECT_TRUE(links.get_prompt[0] == get_with_caller && links.get_prompt[1] == get_with_input);
  EXPECT_EQ(links.audit, &caller_audit_ops);
  const mcp::detail::Links few = mcp::detail::link(test::few_callers, {}, {}, nullptr);
  EXPECT_TRUE(few.get_prompt[0] == get_with_caller && few.get_prompt[1] == nullptr);
  EXPECT_FALSE(has(test::scoped, all, job_callers_feature) || has(test::scoped, scopes, job_scopes_feature));
  const mcp::Definition modern{.name = "m", .version = "1", .eras = mcp::modern_era};
  EXPECT_FALSE(has(modern, all, client_info_feature));
}

}  // namespace
