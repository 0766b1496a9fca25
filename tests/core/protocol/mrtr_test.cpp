// SPDX-License-Identifier: Apache-2.0
// Input requests to stateless clients that no conversation can show: changed states, other principals, other clocks,
// full pools and failing ports.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "mcp/server.hpp"
#include "mcp/transport_info.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/json.hpp"

namespace {

using mcp::Millis;
using test::Bench;
using test::Json;
using test::Sizes;

/// The HMAC of the port, which fails from some code on.
class FailingHmac final : public mcp::Hmac {
 public:
  unsigned codes_left = 0xFFFF;

 private:
  void do_start(std::span<const std::uint8_t, size> key) override { hmac_.start(key); }
  void do_update(std::span<const std::uint8_t> bytes) override { hmac_.update(bytes); }
  bool do_finish(std::span<std::uint8_t, size> code) override {
    const bool ok = hmac_.finish(code);
    return codes_left != 0 && (--codes_left, ok);
  }
  mcp::mbedtls::Hmac hmac_;
};

class Headers final : public mcp::TransportInfo {
 public:
  explicit Headers(std::uint64_t who) : TransportInfo(who, 0, no_param, nullptr, mcp::protocol::header_validation) {
    version = "2026-07-28";
    method = "tools/call";
    name = "greet";
  }

 private:
  static std::optional<std::string_view> no_param(const void*, std::string_view) { return std::nullopt; }
};

constexpr std::string_view answered = R"(,"inputResponses":{"who":{"action":"accept","content":{"name":"Ann"}}})";
constexpr std::string_view greeted = "Hello Ann 1 well.";

std::string call(std::string_view tool, std::string_view more = "", std::string_view id = "1",
                 std::string_view capabilities = R"("elicitation":{})") {
  return std::string(R"({"jsonrpc":"2.0","id":)")
             .append(id)
             .append(R"(,"method":"tools/call","params":{"name":")")
             .append(tool)
             .append("\"")
             .append(more) +
         R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":{)" +
         std::string(capabilities) + "}}}}";
}

std::string with(std::string_view state, std::string_view responses = answered) {
  return std::string(responses).append(R"(,"requestState":")").append(state) + "\"";
}

class Mrtr : public testing::Test {
 protected:
  void SetUp() override { EXPECT_TRUE(test::act_on_mrtr("forget mrtr")); }

  // The answer to a call, whether it comes at once or later.
  static Json ask(Bench& bench, mcp::SessionId session, std::string_view message, Millis now = 0) {
    std::string text = bench.ask(session, message, now);
    for (int i = 0; i < 4 && text.empty(); ++i) text = bench.next(session, now);
    return test::parse_json(text).value_or(Json{});
  }
  static std::string text_of(const Json& answer) { return answer.text_at("result.content.0.text"); }
  static std::string state_of(const Json& answer) { return answer.text_at("result.requestState"); }
  static std::string code_of(const Json& answer) { return answer.text_at("error.code"); }
};

TEST_F(Mrtr, RejectsEveryChangedState) {
  Bench bench(test::mrtr);
  const mcp::SessionId session = bench.server.open(0);
  const std::string state = state_of(ask(bench, session, call("greet")));
  ASSERT_GT(state.size(), 80U);
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
  for (std::size_t i = 0; i < state.size(); ++i) {
    for (const char c : alphabet) {
      if (c == state[i]) continue;
      std::string changed = state;
      changed[i] = c;
      ASSERT_EQ(code_of(ask(bench, session, call("greet", with(changed)))), "-32602") << changed;
    }
  }
  for (std::size_t size = 0; size < state.size(); ++size) {
    ASSERT_EQ(code_of(ask(bench, session, call("greet", with(state.substr(0, size))))), "-32602") << size;
    ASSERT_EQ(code_of(ask(bench, session, call("greet", with(state.substr(size + 1))))), "-32602") << size;
  }
  for (const char c : alphabet) {
    ASSERT_EQ(code_of(ask(bench, session, call("greet", with(state + c)))), "-32602");
    ASSERT_EQ(code_of(ask(bench, session, call("greet", with(state + std::string(4, c))))), "-32602");
  }
  EXPECT_EQ(text_of(ask(bench, session, call("greet", with(state)))), greeted);
}

// The name of a job that keeps its slot is as hard to guess.
TEST_F(Mrtr, RejectsEveryChangedNameOfAHeldJob) {
  Bench bench(test::mrtr, {.seals = false});
  const mcp::SessionId session = bench.server.open(0);
  const std::string state = state_of(ask(bench, session, call("greet")));
  ASSERT_EQ(state.size(), 24U);
  for (std::size_t i = 0; i < state.size(); ++i) {
    for (const char c : {'A', '/', '='}) {
      std::string changed = state;
      changed[i] = c;
      if (c == state[i]) continue;
      ASSERT_EQ(code_of(ask(bench, session, call("greet", with(changed)))), "-32602") << changed;
    }
  }
  for (const std::string_view other : {R"(,"arguments":{"times":2})", R"(,"arguments":{"x":1})"}) {
    EXPECT_EQ(code_of(ask(bench, session, call("greet", std::string(other) + with(state)))), "-32602");
  }
  EXPECT_EQ(code_of(ask(bench, session, call("salute", with(state)))), "-32602");
  // Left out and empty are the same arguments.
  EXPECT_EQ(text_of(ask(bench, session, call("greet", R"(,"arguments": { })" + with(state)))), greeted);
  EXPECT_FALSE(bench.anything_left());
}

TEST_F(Mrtr, AcceptsAStateOnlyFromItsPrincipal) {
  for (const bool seals : {true, false}) {
    Bench bench(test::mrtr, {.sessions = 2, .seals = seals});
    const mcp::SessionId session = bench.server.open_shared(0);
    const auto ask_as = [&](std::uint64_t principal, mcp::Channel channel, std::string message) {
      const Headers headers(principal);
      std::string text;
      mcp::Reply reply = bench.server.receive(session, message, bench.server.transmit_buffer(), 0, channel, &headers);
      if (reply.size == 0) reply = bench.server.transmit(session, bench.server.transmit_buffer(), 0, channel);
      return test::parse_json(std::string_view(bench.server.transmit_buffer().data(), reply.size)).value_or(Json{});
    };
    const std::string state = state_of(ask_as(7, 1, call("greet")));
    EXPECT_FALSE(bench.server.serves(session, 1));
    bench.server.cancel(session, 1, 0);  // as a transport does whose client closes the connection
    for (const std::uint64_t other : {std::uint64_t{0}, std::uint64_t{6}, std::uint64_t{7} << 32U}) {
      EXPECT_EQ(code_of(ask_as(other, 2, call("greet", with(state)))), "-32602");
    }
    EXPECT_EQ(text_of(ask_as(7, 2, call("greet", with(state)))), greeted);
    EXPECT_FALSE(bench.anything_left());
  }
}

// Another device, or the same one after it was switched off, has another key.
TEST_F(Mrtr, AcceptsAStateOnlyWithItsKey) {
  Bench bench(test::mrtr, {.sessions = 2});
  Bench other(test::mrtr);
  std::uint8_t used[1];
  ASSERT_TRUE(other.entropy.fill(used));
  const std::string state = state_of(ask(bench, bench.server.open(0), call("greet")));
  EXPECT_EQ(code_of(ask(other, other.server.open(0), call("greet", with(state)))), "-32602");
  // A key expires long before its clock wraps.
  const mcp::SessionId session = bench.server.open(0);
  const Millis later = 1U << 30U;
  EXPECT_EQ(code_of(ask(bench, session, call("greet", with(state)), later)), "-32602");
  EXPECT_EQ(code_of(ask(bench, session, call("greet", with(state)), 10)), "-32602");
}

TEST_F(Mrtr, StateExpiresAcrossAClockWrap) {
  Bench bench(test::mrtr);
  const Millis begin = 0xFFFF'FF00;
  const mcp::SessionId session = bench.server.open(begin);
  const std::string state = state_of(ask(bench, session, call("greet"), begin));
  EXPECT_EQ(text_of(ask(bench, session, call("greet", with(state)), begin + 999)), greeted);
  EXPECT_EQ(code_of(ask(bench, session, call("greet", with(state)), begin + 1000)), "-32602");
  EXPECT_EQ(code_of(ask(bench, session, call("greet", with(state)), begin - 1)), "-32602");
}

// With one slot, it is reserved for the retry while the state is good. No other call takes it.
TEST_F(Mrtr, ReservesTheOnlySlotForTheRetry) {
  Bench bench(test::mrtr, {.jobs = 1});
  const mcp::SessionId session = bench.server.open(0);
  const std::string state = state_of(ask(bench, session, call("greet")));
  for (const Millis now : {0U, 400U, 999U}) {
    for (const std::string_view tool : {"hold", "nap", "greet"}) {
      const Json refused = ask(bench, session, call(tool), now);
      EXPECT_NE(text_of(refused).find("All 1 job slots are in use"), std::string::npos) << tool;
      EXPECT_EQ(refused.at("result._meta")->find("mote/retryAfterMs")->raw, std::to_string(1000 - now));
    }
  }
  EXPECT_EQ(text_of(ask(bench, session, call("greet", with(state)), 999)), greeted);
  EXPECT_FALSE(bench.anything_left());
  // A held job has its slot, and the state of another call stays good without one.
  const std::string held = state_of(ask(bench, session, call("hold"), 999));
  EXPECT_NE(held, "");
  bench.server.close(session, 999);
  EXPECT_FALSE(bench.anything_left());
}

// It expires with its state, whether poll() was called or not, and does not wake the main loop.
TEST_F(Mrtr, ReservationExpiresWithItsState) {
  Bench bench(test::mrtr, {.jobs = 1});
  const mcp::SessionId session = bench.server.open(0);
  const std::string state = state_of(ask(bench, session, call("greet")));
  EXPECT_EQ(bench.server.poll(0), mcp::forever);
  const std::string next = state_of(ask(bench, session, call("greet", R"(,"arguments":{"times":2})"), 1000));
  EXPECT_NE(next, "");
  EXPECT_EQ(code_of(ask(bench, session, call("greet", with(state)), 1000)), "-32602");
  EXPECT_EQ(bench.server.poll(2000), mcp::forever);
  EXPECT_FALSE(bench.anything_left());
}

// The same state again finds no reservation, and any free slot.
TEST_F(Mrtr, RepeatedStateTakesNoReservationOfOthers) {
  Bench bench(test::mrtr, {.jobs = 2});
  const mcp::SessionId session = bench.server.open(0);
  const std::string state = state_of(ask(bench, session, call("greet")));
  const std::string other = state_of(ask(bench, session, call("salute")));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(text_of(ask(bench, session, call("greet", with(state)))), greeted);
  EXPECT_EQ(ask(bench, session, call("nap")).raw, "");  // runs
  EXPECT_NE(text_of(ask(bench, session, call("nap", "", "2"))).find("All 2 job slots are in use"), std::string::npos);
  EXPECT_EQ(text_of(ask(bench, session, call("salute", with(other), "3"))), greeted);
}

// ---- Several owners ----------------------------------------------------------------------------------------------

constexpr std::uint64_t ada = 1;
constexpr std::uint64_t bob = 2;
constexpr std::uint64_t eve = 3;

class MrtrOwners : public Mrtr {
 protected:
  // The answer to a request of this principal, which may take a step of its job.
  static Json ask_as(Bench& bench, mcp::SessionId session, std::uint64_t who, std::string message, Millis now = 0) {
    return ask_with(bench, session, mcp::TransportInfo(who), std::move(message), now);
  }
  // The same without a token.
  static Json ask_from(Bench& bench, mcp::SessionId session, std::uint64_t peer, std::string message, Millis now = 0) {
    return ask_with(bench, session, mcp::TransportInfo(0, peer), std::move(message), now);
  }
  static Json ask_with(Bench& bench, mcp::SessionId session, const mcp::TransportInfo& info, std::string message,
                       Millis now) {
    const mcp::Channel channel = static_cast<mcp::Channel>(++channels_);
    mcp::Reply reply = bench.server.receive(session, message, bench.server.transmit_buffer(), now, channel, &info);
    if (reply.size == 0) reply = bench.server.transmit(session, bench.server.transmit_buffer(), now, channel);
    return test::parse_json(std::string_view(bench.server.transmit_buffer().data(), reply.size)).value_or(Json{});
  }
  static std::string retry_of(const Json& answer) { return answer.text_at("result._meta.mote/retryAfterMs"); }

  static inline std::uint16_t channels_ = 0;
};

// Two slots: one owner has an open input request, and another owner uses the rest. Clients of all revisions read the
// rejection from the same member. The retry is always served.
TEST_F(MrtrOwners, RetryFindsASlotWhileOthersUseTheRest) {
  for (const Millis now : {0U, 500U, 999U}) {
    Bench bench(test::mrtr, {.sessions = 6, .jobs = 2});
    const mcp::SessionId shared = bench.server.open_shared(0);
    const std::string state = state_of(ask_as(bench, shared, bob, call("greet")));
    ASSERT_NE(state, "");
    EXPECT_EQ(ask_as(bench, shared, eve, call("nap"), now).raw, "") << "runs, in the slot that is left";
    for (const std::uint64_t who : {eve, ada}) {
      for (const std::string_view tool : {"nap", "greet", "hold"}) {
        const Json refused = ask_as(bench, shared, who, call(tool), now);
        EXPECT_EQ(refused.text_at("result.isError"), "true") << tool;
        EXPECT_EQ(refused.text_at("result.resultType"), "complete");
        EXPECT_NE(retry_of(refused), "");
      }
    }
    for (const std::string revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
      const mcp::SessionId session = bench.server.open(now);
      EXPECT_NE(bench.ask(session,
                          R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":")" + revision +
                              R"(","capabilities":{},"clientInfo":{"name":"c","version":"1"}}})",
                          now),
                "");
      EXPECT_EQ(bench.ask(session, R"({"jsonrpc":"2.0","method":"notifications/initialized"})", now), "");
      const Json refused =
          ask_as(bench, session, ada, R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nap"}})", now);
      EXPECT_EQ(refused.text_at("result.isError"), "true") << revision;
      EXPECT_GT(std::stoi("0" + retry_of(refused)), 0) << revision << refused.raw;
    }
    EXPECT_EQ(text_of(ask_as(bench, shared, bob, call("greet", with(state)), now)), greeted);
  }
}

// A state of one owner takes no reservation of another, even for the same call.
TEST_F(MrtrOwners, ReservationBelongsToItsOwner) {
  Bench bench(test::mrtr, {.sessions = 2, .jobs = 2});
  const mcp::SessionId shared = bench.server.open_shared(0);
  const std::string of_bob = state_of(ask_as(bench, shared, bob, call("greet")));
  const std::string of_eve = state_of(ask_as(bench, shared, eve, call("greet")));
  EXPECT_EQ(text_of(ask_as(bench, shared, eve, call("greet", with(of_eve)))), greeted);
  EXPECT_EQ(ask_as(bench, shared, eve, call("nap")).raw, "") << "runs";
  EXPECT_NE(retry_of(ask_as(bench, shared, eve, call("greet", with(of_eve)))), "") << "a second time: its share runs";
  EXPECT_EQ(text_of(ask_as(bench, shared, bob, call("greet", with(of_bob)))), greeted);
}

// Without tokens one state is as good as another for the same call. A reservation belongs to its peer all the same.
TEST_F(MrtrOwners, ReservationBelongsToItsPeer) {
  Bench bench(test::mrtr, {.sessions = 2, .jobs = 3});
  const mcp::SessionId shared = bench.server.open_shared(0);
  const std::string of_bob = state_of(ask_from(bench, shared, bob, call("greet")));
  const std::string of_eve = state_of(ask_from(bench, shared, eve, call("greet")));
  EXPECT_EQ(ask_from(bench, shared, eve, call("nap")).raw, "") << "runs";
  for (int i = 0; i < 2; ++i) {
    static_cast<void>(ask_from(bench, shared, eve, call("greet", with(of_eve))));
    static_cast<void>(ask_from(bench, shared, ada, call("nap")));
  }
  EXPECT_EQ(text_of(ask_from(bench, shared, bob, call("greet", with(of_bob)))), greeted);
}

// Eve requests input whenever she can and never retries. Bob calls after her each time.
TEST_F(MrtrOwners, OwnerThatNeverRetriesLeavesTheLastSlotToOthers) {
  for (const std::uint16_t reserved : {std::uint16_t{0}, std::uint16_t{1}}) {
    for (const std::size_t jobs : {std::size_t{1}, std::size_t{2}}) {
      Bench bench(test::mrtr, {.sessions = 2, .jobs = jobs, .reserved_for_others = reserved});
      const mcp::SessionId shared = bench.server.open_shared(0);
      Millis refused_since = 0;
      int served = 0;
      for (Millis now = 0; now < 600'000; now += 250) {
        for (std::size_t i = 0; i <= jobs; ++i) static_cast<void>(ask_as(bench, shared, eve, call("greet"), now));
        const std::string state = state_of(ask_as(bench, shared, bob, call("greet"), now));
        if (state.empty()) {
          ASSERT_LE(now - refused_since, 1000U)
              << "longer than one question waits; " << jobs << " slots, " << reserved << " reserved, at " << now;
          continue;
        }
        refused_since = now;
        ++served;
        static_cast<void>(ask_as(bench, shared, eve, call("greet"), now + 100));
        ASSERT_EQ(text_of(ask_as(bench, shared, bob, call("greet", with(state)), now + 200)), greeted);
      }
      EXPECT_GT(served, 1000);
    }
  }
}

// Without a reservation the state is good, and its retry takes a slot that is free.
TEST_F(MrtrOwners, OwnerMayRetryAfterItsReservationExpired) {
  Bench bench(test::mrtr, {.sessions = 2, .jobs = 1});
  const mcp::SessionId shared = bench.server.open_shared(0);
  EXPECT_NE(state_of(ask_as(bench, shared, eve, call("greet"), 0)), "");
  const std::string state = state_of(ask_as(bench, shared, eve, call("greet"), 1000));
  EXPECT_FALSE(bench.anything_left()) << "nothing is reserved";
  EXPECT_EQ(ask_as(bench, shared, bob, call("nap"), 1001).raw, "") << "runs";
  const mcp::Channel of_bob = channels_;
  EXPECT_EQ(retry_of(ask_as(bench, shared, eve, call("greet", with(state)), 1500)), "1000");
  bench.server.cancel(shared, of_bob, 1600);
  EXPECT_EQ(text_of(ask_as(bench, shared, eve, call("greet", with(state)), 1700)), greeted);
  EXPECT_FALSE(bench.anything_left());
  EXPECT_NE(state_of(ask_as(bench, shared, eve, call("greet"), 120'999)), "");
  EXPECT_FALSE(bench.anything_left());
  EXPECT_NE(state_of(ask_as(bench, shared, eve, call("greet"), 121'000)), "");
  EXPECT_TRUE(bench.anything_left()) << "two minutes later it may reserve again";
}

// A held job whose time is over keeps its slot until poll() is called: the time to wait is never 0.
TEST_F(MrtrOwners, RetryTimeForAnExpiredSlotIsOneMillisecond) {
  Bench bench(test::mrtr, {.sessions = 2, .jobs = 1});
  const mcp::SessionId shared = bench.server.open_shared(0);
  EXPECT_NE(state_of(ask_as(bench, shared, bob, call("hold"))), "");
  EXPECT_EQ(retry_of(ask_as(bench, shared, eve, call("nap"), 499)), "1");
  EXPECT_EQ(retry_of(ask_as(bench, shared, eve, call("nap"), 500)), "1");
  static_cast<void>(bench.server.poll(500));
  EXPECT_EQ(ask_as(bench, shared, eve, call("nap"), 501).raw, "") << "runs";
}

// poll() alone ends a job that waits for a retry, and returns its time.
TEST_F(Mrtr, PollEndsHeldJobsWithoutARetry) {
  Bench bench(test::mrtr, {.sessions = 2});
  const mcp::SessionId session = bench.server.open_shared(0);
  ASSERT_NE(state_of(ask(bench, session, call("hold"))), "");
  EXPECT_EQ(bench.server.poll(0), 500U);
  EXPECT_EQ(bench.server.poll(499), 1U);
  static_cast<void>(bench.server.poll(500));
  EXPECT_FALSE(bench.anything_left());
  EXPECT_EQ(bench.server.poll(500), mcp::forever);
  ASSERT_NE(state_of(ask(bench, session, call("hold"), 600)), "");
  bench.server.close(session, 600);
  EXPECT_FALSE(bench.anything_left());
}

// Without entropy or HMAC, the server sends no input request.
TEST_F(Mrtr, WithoutEntropySendsNoInputRequest) {
  for (const bool seals : {true, false}) {
    Bench bench(test::mrtr, {.seals = seals});
    const mcp::SessionId session = bench.server.open(0);
    bench.entropy.fails = true;
    EXPECT_EQ(text_of(ask(bench, session, call("greet"))), "No name: unsupported");
    EXPECT_EQ(text_of(ask(bench, session, call("hold"))), "unsupported");
    bench.entropy.fails = false;
    EXPECT_NE(state_of(ask(bench, session, call("greet"))), "");
  }
}

// The client can respond to every input request, also if an earlier call of the entropy failed.
TEST_F(Mrtr, AcceptsAStateIfAnEarlierEntropyCallFailed) {
  for (const std::string_view tool : {"greet", "hold"}) {
    for (std::size_t fails_at = 1; fails_at < 6; ++fails_at) {
      Bench bench(test::mrtr);
      bench.entropy.fails_at = fails_at;
      const mcp::SessionId session = bench.server.open(0);
      const Json first = ask(bench, session, call(tool));
      const std::string state = state_of(first);
      if (state.empty()) {
        EXPECT_TRUE(text_of(first).ends_with("unsupported")) << tool << fails_at << first.raw;
      } else {
        const Json next = ask(bench, session, call(tool, with(state)));
        EXPECT_EQ(text_of(next), tool == "greet" ? greeted : "none") << tool << fails_at << next.raw;
      }
      bench.server.close(session, 0);
      EXPECT_FALSE(bench.anything_left());
    }
  }
}

// An expired key does not affect a job that keeps its slot.
TEST_F(Mrtr, HeldJobOutlivesTheKey) {
  Bench bench(test::mrtr);
  const mcp::SessionId session = bench.server.open(0);
  ASSERT_NE(state_of(ask(bench, session, call("greet"))), "");  // which makes the key
  const Millis age = 1U << 30U;
  const std::string state = state_of(ask(bench, session, call("hold"), age - 100));
  ASSERT_NE(state_of(ask(bench, session, call("greet"), age + 50)), "");  // which replaces the key
  EXPECT_EQ(text_of(ask(bench, session, call("hold", with(state, "")), age + 100)), "none");
}

// A call bound with one key is not sealed with the next one, because the server would reject the retry.
TEST_F(Mrtr, KeyExpiresWhileAJobWorks) {
  Bench bench(test::mrtr);
  const mcp::SessionId session = bench.server.open(0);
  const Millis age = 1U << 30U;
  ASSERT_NE(state_of(ask(bench, session, call("greet"))), "");  // which makes the key
  const std::string state = state_of(ask(bench, session, call("slow"), age - 200));
  ASSERT_EQ(bench.ask(session, call("slow", R"(,"inputResponses":{})" + with(state, "")), age - 50), "");
  std::string text;
  for (int i = 0; i < 4 && text.empty(); ++i) text = bench.next(session, age + 50);
  const Json second = test::parse_json(text).value_or(Json{});
  EXPECT_EQ(text_of(second), "unsupported") << second.raw;
  // The next call uses the new key.
  const std::string next = state_of(ask(bench, session, call("greet"), age + 50));
  EXPECT_EQ(text_of(ask(bench, session, call("greet", with(next)), age + 60)), greeted);
}

TEST_F(Mrtr, HmacFailureSendsNoInputRequest) {
  FailingHmac hmac;
  for (unsigned codes = 0; codes < 5; ++codes) {
    Bench bench(test::mrtr, {.hmac = &hmac});
    const mcp::SessionId session = bench.server.open(0);
    hmac.codes_left = codes;  // of the call, of the tag, two of the cipher
    const Json first = ask(bench, session, call("greet"));
    if (codes < 4) {
      EXPECT_EQ(text_of(first), "No name: unsupported") << codes;
      continue;
    }
    for (codes = 0; codes < 4; ++codes) {
      hmac.codes_left = codes;
      EXPECT_EQ(code_of(ask(bench, session, call("greet", with(state_of(first))))), "-32602") << codes;
    }
    hmac.codes_left = 4;
    EXPECT_EQ(text_of(ask(bench, session, call("greet", with(state_of(first))))), greeted);
  }
}

// An input request is not sent if its state does not fit as well. Sizes from no space for the input request to space
// for all of it.
TEST_F(Mrtr, SendsNoInputRequestIfItsStateDoesNotFit) {
  for (const bool seals : {true, false}) {
    const std::string whole = [&] {
      Bench bench(test::mrtr, {.seals = seals});
      const mcp::SessionId session = bench.server.open(0);
      EXPECT_EQ(bench.ask(session, call("greet")), "");
      return bench.next(session);
    }();
    for (std::size_t transmit_buffer = 240; transmit_buffer <= whole.size(); ++transmit_buffer) {
      Bench bench(test::mrtr, {.transmit_size = transmit_buffer, .seals = seals});
      const mcp::SessionId session = bench.server.open(0);
      const Json answer = ask(bench, session, call("greet"));
      if (transmit_buffer == whole.size()) {
        EXPECT_NE(state_of(answer), "");
      } else {
        ASSERT_EQ(text_of(answer), "No name: no space") << transmit_buffer << ": " << answer.raw;
      }
      bench.server.close(session, 0);
      EXPECT_FALSE(bench.anything_left());
    }
  }
}

// A state of another server that is larger than the free part of the transmit buffer is invalid.
TEST_F(Mrtr, RejectsAStateLongerThanTheBuffer) {
  Bench bench(test::mrtr, {.receive_size = 20'000, .transmit_size = 400});
  const mcp::SessionId session = bench.server.open(0);
  for (const std::size_t size : {400U, 1000U, 16'000U}) {
    EXPECT_EQ(code_of(ask(bench, session, call("greet", with(std::string(size, 'A'))))), "-32602");
  }
}

// Sealed states of equal calls look unrelated, and no two states are equal.
TEST_F(Mrtr, SealedStatesLookUnrelated) {
  Bench bench(test::mrtr);
  const mcp::SessionId session = bench.server.open(0);
  constexpr std::string_view secret = R"(,"arguments":{"how":"AAAAAAAA"})";
  const std::string one = state_of(ask(bench, session, call("greet", secret), 0));
  const std::string two = state_of(ask(bench, session, call("greet", secret), 1));
  EXPECT_EQ(one.find("QUFBQUFB"), std::string::npos);
  ASSERT_EQ(one.size(), two.size());
  std::size_t same = 0;
  for (std::size_t i = 4; i < one.size(); ++i) same += one[i] == two[i] ? 1U : 0U;
  EXPECT_LT(same, one.size() / 4);
}

// White space between the tokens of the arguments does not invalidate a state.
TEST_F(Mrtr, AcceptsAStateWithOtherWhiteSpaceInArguments) {
  Bench bench(test::mrtr);
  const mcp::SessionId session = bench.server.open(0);
  const std::string state = state_of(ask(bench, session, call("greet", R"(,"arguments":{"times":1,"how":"well"})")));
  for (const char blank : {' ', '\t', '\n', '\r'}) {
    const std::string b(1, blank);
    const std::string arguments =
        R"(,"arguments":{)" + b + R"("times")" + b + ":" + b + "1" + b + R"(,"how":)" + b + R"("well")" + b + "}";
    EXPECT_EQ(text_of(ask(bench, session, call("greet", arguments + with(state)))), greeted) << int{blank};
  }
  EXPECT_EQ(code_of(ask(bench, session, call("greet", R"(,"arguments":{"times":1,"how":"w ell"})" + with(state)))),
            "-32602");
}

// A held job is found by its client, its call and its name, until it expires. A name finds no running job.
TEST_F(Mrtr, FindsAHeldJobOnlyWhileItIsValid) {
  Bench bench(test::mrtr, {.jobs = 2, .seals = false});
  const mcp::SessionId session = bench.server.open(0);
  const std::string state = state_of(ask(bench, session, call("hold")));
  EXPECT_EQ(code_of(ask(bench, session, call("hold", R"(,"arguments":{"x":1})" + with(state, "")))), "-32602");
  EXPECT_EQ(code_of(ask(bench, session, call("hold", with(state, "")), 500)), "-32602");
  static_cast<void>(bench.server.poll(500));
  const std::string slow = state_of(ask(bench, session, call("slow"), 500));
  EXPECT_EQ(bench.ask(session, call("slow", with(slow, R"(,"inputResponses":{})")), 500), "");  // it sleeps now
  EXPECT_EQ(code_of(ask(bench, session, call("slow", with(slow, R"(,"inputResponses":{})"), "2"), 500)), "-32602");
  bench.server.close(session, 600);
  EXPECT_FALSE(bench.anything_left());
}

// A response without an input request has the kind that its content suggests, if its client supports this kind.
TEST_F(Mrtr, ReadsInputResponsesWithoutAnInputRequest) {
  Bench bench(test::mrtr);
  const mcp::SessionId session = bench.server.open(0);
  constexpr std::string_view all =
      R"(,"inputResponses":{"user":{"action":"accept","content":{"name":"Ann"}},"roots":{"roots":[{"uri":"file:///a"}]},)"
      R"("greeting":{"role":"assistant","model":"m","content":{"type":"text","text":"Hello"}},"page":{"action":"accept"}})";
  constexpr std::string_view capabilities[] = {R"("elicitation":{"form":{}},)", R"("sampling":{},)", R"("roots":{},)",
                                               R"("elicitation":{"url":{}},)"};
  std::string declared = R"("elicitation":{"form":{},"url":{}},"sampling":{},"roots":{})";
  EXPECT_EQ(text_of(ask(bench, session, call("everything", all, "1", declared))), "Hello Ann 1");
  declared.clear();
  for (const std::string_view capability : capabilities) {
    const std::string undeclared = call("everything", all, "1", declared + R"("experimental":{})");
    EXPECT_NE(text_of(ask(bench, session, undeclared)), "Hello Ann 1") << declared;
    declared += capability;
  }
}

std::string get_prompt(std::string_view more = "") {
  std::string text = call("asks_itself", more);
  return text.replace(text.find("tools/call"), 10, "prompts/get");
}

// A prompt with .asks_itself needs a key. Without one it sends no input request, and ignores input responses.
TEST_F(Mrtr, PromptThatAsksItselfNeedsAKey) {
  constexpr std::string_view filled = R"(,"inputResponses":{"topic":{"action":"accept","content":{"name":"Art"}}})";
  for (const Sizes& sizes : {Sizes{.seals = false}, Sizes{.random = false}}) {
    Bench bench(test::mrtr, sizes);
    const mcp::SessionId session = bench.server.open(0);
    EXPECT_EQ(code_of(ask(bench, session, get_prompt(filled))), "-32603");
  }
  Bench bench(test::mrtr);
  const mcp::SessionId session = bench.server.open(0);
  bench.entropy.fails = true;
  EXPECT_EQ(code_of(ask(bench, session, get_prompt(filled))), "-32603");
  bench.entropy.fails = false;
  EXPECT_NE(state_of(ask(bench, session, get_prompt(filled))), "");

  FailingHmac hmac;
  Bench failing(test::mrtr, {.hmac = &hmac});
  const mcp::SessionId other = failing.server.open(0);
  // HMAC calls for the request, the tag and each block of the cipher: three times, and a key and a table for both input
  // requests.
  constexpr unsigned needed =
      2 + (3 * sizeof(mcp::Millis) + 2 * (4 + sizeof(void*)) + mcp::Hmac::size - 1) / mcp::Hmac::size;
  for (unsigned codes = 0; codes < needed; ++codes) {
    hmac.codes_left = codes;
    EXPECT_EQ(code_of(ask(failing, other, get_prompt())), "-32603") << codes;
  }
  hmac.codes_left = needed;
  const std::string state = state_of(ask(failing, other, get_prompt()));
  for (unsigned codes = 0; codes < needed; ++codes) {
    hmac.codes_left = codes;
    EXPECT_EQ(code_of(ask(failing, other, get_prompt(with(state, filled)))), "-32602") << codes;
  }
  hmac.codes_left = needed;
  EXPECT_NE(ask(failing, other, get_prompt(with(state, filled))).raw.find("About Art"), std::string::npos);
}

TEST_F(Mrtr, AcceptsAPromptStateOnlyFromItsPrincipal) {
  Bench bench(test::mrtr, {.sessions = 2});
  const mcp::SessionId session = bench.server.open_shared(0);
  const auto ask_as = [&](std::uint64_t principal, std::string message) {
    Headers headers(principal);
    headers.method = "prompts/get";
    headers.name = "asks_itself";
    const mcp::Reply reply = bench.server.receive(session, message, bench.server.transmit_buffer(), 0, 1, &headers);
    return test::parse_json(std::string_view(bench.server.transmit_buffer().data(), reply.size)).value_or(Json{});
  };
  const std::string state = state_of(ask_as(7, get_prompt()));
  EXPECT_EQ(code_of(ask_as(8, get_prompt(with(state)))), "-32602");
  EXPECT_EQ(state_of(ask_as(7, get_prompt(with(state)))).size(), state.size())
      << "nothing that it has asked is answered";
}

mcp::Errc ask_roots(const mcp::PromptArguments&, mcp::AskPromptResult& out) {
  const mcp::Answer answer = out.answer("answer");
  if (answer.outcome() == mcp::Outcome::none) return out.list_roots();
  return out.user().text(answer.outcome() == mcp::Outcome::accepted ? std::string_view("known") : "unknown");
}
constexpr mcp::Prompt only_prompts[] = {{.name = "asks_itself", .get = ask_roots, .asks_itself = true}};
constexpr mcp::Definition only_prompt_definition{.name = "prompts", .version = "0", .prompts = only_prompts};
constinit mcp::Storage<only_prompt_definition> only_prompt_storage;
constinit test::CountingEntropy only_prompt_entropy;
constinit mcp::mbedtls::Hmac only_prompt_hmac;
constinit mcp::Server only_prompt_server{only_prompt_storage,
                                         {.entropy = &only_prompt_entropy, .hmac = &only_prompt_hmac}};

struct Sleeps {
  mcp::Step step(mcp::JobContext& context) { return context.stop_requested() ? context.done() : context.sleep(1'000); }
};

// A server without jobs has the key alone.
TEST_F(Mrtr, PromptAsksItselfWithoutJobs) {
  const mcp::SessionId session = only_prompt_server.open(0);
  const auto get = [&](std::string_view more) {
    std::string message = call("asks_itself", more, "1", R"("roots":{})");
    message.replace(message.find("tools/call"), 10, "prompts/get");
    const mcp::Reply reply = only_prompt_server.receive(session, message, only_prompt_server.transmit_buffer(), 0);
    return test::parse_json(std::string_view(only_prompt_server.transmit_buffer().data(), reply.size)).value_or(Json{});
  };
  constexpr std::string_view roots = R"(,"inputResponses":{"answer":{"roots":[]}})";
  const std::string state = state_of(get(roots));
  ASSERT_NE(state, "");
  EXPECT_NE(get(with(state, roots)).raw.find("known"), std::string::npos);
  EXPECT_EQ(only_prompt_server.poll(0), mcp::forever);
}

constexpr mcp::Tool nap_tools[] = {mcp::job<Sleeps>({.name = "nap"})};
constexpr mcp::Definition nap_definition{.name = "naps", .version = "0", .tools = nap_tools, .prompts = only_prompts};
constinit mcp::Storage<nap_definition, mcp::Limits{.jobs = 1}> nap_storage;
constinit mcp::Server nap_server{nap_storage, {.entropy = &only_prompt_entropy, .hmac = &only_prompt_hmac}};

// If no job requests input, or no state can be sealed, no slot is reserved: a call without a free slot is rejected.
TEST_F(Mrtr, JobsWithoutInputRequestsReserveNoSlot) {
  const mcp::SessionId session = nap_server.open(0);
  const auto nap = [&](std::string_view id) {
    std::string message = call("nap", "", id);
    const mcp::Reply reply = nap_server.receive(session, message, nap_server.transmit_buffer(), 0);
    return test::parse_json(std::string_view(nap_server.transmit_buffer().data(), reply.size)).value_or(Json{});
  };
  EXPECT_EQ(nap("1").raw, "") << "runs";
  EXPECT_NE(text_of(nap("2")).find("All 1 job slots are in use"), std::string::npos);
  nap_server.close(session, 0);

  Bench bench(test::mrtr, {.jobs = 1, .random = false});
  const mcp::SessionId other = bench.server.open(0);
  EXPECT_EQ(ask(bench, other, call("nap")).raw, "") << "runs";
  EXPECT_NE(text_of(ask(bench, other, call("nap", "", "2"))).find("All 1 job slots are in use"), std::string::npos);
}

// The name of a waiting job is stored in place of its id.
TEST_F(Mrtr, SmallIdsCannotNameAHeldJob) {
  Bench bench(test::mrtr, {.id = 7});
  const mcp::SessionId session = bench.server.open(0);
  EXPECT_EQ(text_of(ask(bench, session, call("hold"))), "unsupported");
  EXPECT_NE(state_of(ask(bench, session, call("greet"))), "") << "which waits nowhere";
}

// A job whose time limit is longer than the timeout of its input request ends with the input request.
TEST_F(Mrtr, EarlierOfTwoTimeoutsEndsAJob) {
  for (const auto& [tool, ms] : {std::pair{"hold_shortly", 300U}, {"hold", 500U}, {"hold_with_time", 500U}}) {
    Bench bench(test::mrtr);
    const mcp::SessionId session = bench.server.open(0);
    ASSERT_NE(state_of(ask(bench, session, call(tool))), "");
    EXPECT_EQ(bench.server.poll(0), ms) << tool;
  }
}

// A sealed state of a job that never gave one away.
TEST_F(Mrtr, RejectsASealedStateForAHeldJob) {
  Bench bench(test::mrtr);
  const mcp::SessionId session = bench.server.open(0);
  const std::string good = state_of(ask(bench, session, call("greet")));
  for (std::size_t size = 16; size < good.size() + 32; size += 4) {
    std::string state = good.substr(0, 4) + std::string(size - 4, 'A');
    EXPECT_EQ(code_of(ask(bench, session, call("hold", with(state)))), "-32602") << size;
    for (const char* const end : {"A=", "=="}) {
      state.replace(state.size() - 2, 2, end);
      EXPECT_EQ(code_of(ask(bench, session, call("hold", with(state)))), "-32602") << size;
    }
  }
}

// A call that continues after its response has a message at once, which poll() reports.
TEST_F(Mrtr, PollReportsProgressAfterAnInputResponse) {
  Bench bench(test::mrtr);
  const mcp::SessionId session = bench.server.open(0);
  const auto reporting = [](std::string message) {
    return message.insert(message.find(R"("_meta":{)") + 9, R"("progressToken":"p",)");
  };
  const std::string state = state_of(ask(bench, session, reporting(call("slow"))));
  EXPECT_EQ(bench.ask(session, reporting(call("slow", with(state, R"(,"inputResponses":{})")))), "");
  EXPECT_EQ(bench.server.poll(0), 0U);
  EXPECT_NE(bench.next(session).find(R"("progress":1)"), std::string::npos);
  EXPECT_EQ(bench.server.poll(0), 100U);
  bench.server.close(session, 0);
}

}  // namespace
