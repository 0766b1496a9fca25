// SPDX-License-Identifier: Apache-2.0
// Handshakes of a TlsListener: their order, in addition to clients that are served, and clients that do not finish. The
// tests do not wait: time is an argument, and the test sets the time of a step.
#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <string>

#include "mcp/ports/mbedtls_tls.hpp"
#include "tls_client.hpp"

namespace {

using mcp::Millis;
using mcp::mbedtls::TlsVersion;
using test::tls::Client;
using test::tls::Wire;

class NoClock final : public mcp::WallClock {
  std::uint64_t do_utc_ms() override { return 0; }
};

class TlsHandshakes : public test::tls::Tls, public ::testing::WithParamInterface<TlsVersion> {
 protected:
  void SetUp() override { serve(false, clock_); }
  void TearDown() override {
    visitors_.clear();
    test::tls::Tls::TearDown();
  }

  // A client that has connected and sent its first message.
  struct Visitor {
    Visitor(TlsHandshakes& test, std::uint64_t host)
        : wire(test.wires_.emplace_back()), client(wire, test.entropy_, GetParam()) {
      wire.host = host;
      static_cast<void>(mbedtls_ssl_handshake(&client.ssl));
      hello = wire.to_server.size();
      test.clients_.waiting.push_back(&wire);
    }
    // Whether its handshake has begun.
    [[nodiscard]] bool is_heard() const { return wire.to_server.size() < hello || wire.closed; }

    Wire& wire;
    Client client;
    std::size_t hello = 0;
  };
  Visitor& visit(std::uint64_t host) { return visitors_.emplace_back(*this, host); }

  mcp::Connection* finish(Visitor& visitor) {
    client_result_ = shake_hands(visitor.client);
    return accept(visitor.wire);
  }

  // The time until a new client of this host is served.
  Millis wait(Visitor& visitor) {
    const Millis start = now_;
    poll();
    while (!visitor.is_heard() && now_ - start < 20'000) pass(100);
    EXPECT_FALSE(visitor.wire.closed);
    return now_ - start;
  }
  // As above; then the client is silent until the server closes the connection.
  Millis wait_and_stall(std::uint64_t host) {
    Visitor visitor(*this, host);
    const Millis waited = wait(visitor);
    pass(10'000);
    EXPECT_TRUE(visitor.wire.closed);
    return waited;
  }
  // As above; then the client sends bytes that are not TLS.
  Millis wait_and_fail(std::uint64_t host) {
    Visitor visitor(*this, host);
    const Millis waited = wait(visitor);
    visitor.wire.to_server = "no TLS";
    poll();
    EXPECT_TRUE(visitor.wire.closed);
    return waited;
  }
  // The same; then it finishes its handshake, and leaves.
  Millis wait_and_finish(std::uint64_t host) {
    Visitor visitor(*this, host);
    const Millis waited = wait(visitor);
    mcp::Connection* const connection = finish(visitor);
    EXPECT_NE(connection, nullptr);
    if (connection != nullptr) close(*connection);
    return waited;
  }
  void pass(Millis ms) {
    now_ += ms;
    poll();
  }

  NoClock clock_;
  std::deque<Visitor> visitors_;
};

TEST_P(TlsHandshakes, MakesOneStepInAPoll) {
  Visitor& visitor = visit(1);
  unsigned polls = 0, sent = 0;
  for (std::size_t before = 0; listener_->poll(now_, mcp::forever) == 0; before = visitor.wire.to_client.size()) {
    ++polls;
    if (visitor.wire.to_client.size() != before) ++sent;
  }
  EXPECT_GE(polls, 6U);
  EXPECT_GE(sent, 3U);
  EXPECT_NE(finish(visitor), nullptr);
}

// The network sends the bytes in its next poll. Here it has space for a part of a message.
TEST_P(TlsHandshakes, PollsAgainAfterEachWrite) {
  Visitor& visitor = visit(1);
  visitor.wire.capacity = 100;
  bool is_over = false;
  for (int round = 0; round < 1'000 && !is_over; ++round) {
    const std::size_t before = visitor.wire.to_client.size();
    const Millis due = listener_->poll(now_, mcp::forever);
    if (visitor.wire.to_client.size() != before) {
      EXPECT_EQ(due, 0U);
    } else if (due != 0) {
      is_over = mbedtls_ssl_handshake(&visitor.client.ssl) == 0;
    }
  }
  EXPECT_TRUE(is_over);
  EXPECT_NE(finish(visitor), nullptr);
}

// The first steps are the key, and those that take up the first message.
TEST_P(TlsHandshakes, ServesReceivedBytesOfOthersFirst) {
  const Visitor& visitor = visit(1);
  for (int i = 0; i < 3 * 17; ++i) {
    EXPECT_FALSE(visitor.is_heard());
    EXPECT_EQ(listener_->poll(now_, 0), 0U);
  }
  EXPECT_TRUE(visitor.is_heard());
}

// A step takes 100 ms. A served client sends requests all the time, or never.
TEST_P(TlsHandshakes, LeavesThreeQuartersOfTheTimeToOthers) {
  constexpr Millis step_ms = 100;
  Visitor& first = visit(1);
  mcp::Connection* const served = finish(first);
  ASSERT_NE(served, nullptr);
  for (const bool is_busy : {false, true}) {
    now_ += 10'000;
    Visitor visitor(*this, 2);
    Millis steps_ms = 0, others_ms = 0;
    while (mbedtls_ssl_handshake(&visitor.client.ssl) != 0) {
      if (is_busy) {
        ASSERT_EQ(first.client.write("x"), 1);
        ASSERT_EQ(read(*served), "x");
      }
      const bool made_step = listener_->poll(now_, is_busy ? 1 : mcp::forever) == 0;
      now_ += made_step ? step_ms : 1;
      (made_step ? steps_ms : others_ms) += made_step ? step_ms : 1;
      ASSERT_LT(steps_ms + others_ms, 60'000U);
    }
    EXPECT_GE(steps_ms, 6 * step_ms);
    if (is_busy) {
      EXPECT_GE(others_ms, 3 * (steps_ms - 3 * step_ms));
      EXPECT_LE(others_ms, 3 * steps_ms + 100);
    } else {
      EXPECT_LE(others_ms, 10U);
    }
    poll();
    mcp::Connection* const connection = accept(visitor.wire);
    ASSERT_NE(connection, nullptr);
    close(*connection);
  }
}

TEST_P(TlsHandshakes, ClosesAClientThatStalls) {
  Visitor& visitor = visit(1);
  poll();
  EXPECT_EQ(listener_->poll(now_, mcp::forever), 10'000U);
  pass(9'999);
  EXPECT_FALSE(visitor.wire.closed);
  pass(1);
  EXPECT_TRUE(visitor.wire.closed);
}

TEST_P(TlsHandshakes, ClosesAStalledClientSoonerForAWaitingOne) {
  Visitor& first = visit(1);
  Visitor& second = visit(2);
  poll();
  EXPECT_TRUE(first.is_heard());
  EXPECT_TRUE(second.is_heard());
  pass(1'500);
  Visitor& third = visit(3);
  poll();
  EXPECT_FALSE(third.is_heard());
  pass(499);
  EXPECT_FALSE(first.wire.closed);
  pass(1);
  EXPECT_TRUE(first.wire.closed);
  EXPECT_TRUE(second.wire.closed);
  EXPECT_NE(finish(third), nullptr);
}

TEST_P(TlsHandshakes, DelaysAPeerThatDoesNotFinish) {
  constexpr Millis waits[] = {0, 1'000, 2'000, 4'000, 8'000, 8'000};
  for (const Millis ms : waits) {
    EXPECT_EQ(wait_and_stall(7), ms);
    EXPECT_EQ(wait_and_finish(8), 0U);  // another is served at once
  }
  for (int i = 0; i < 3; ++i) EXPECT_EQ(wait_and_fail(0), 0U);  // unknown peers
}

TEST_P(TlsHandshakes, FailedHandshakeCountsAsUnfinished) {
  EXPECT_EQ(wait_and_fail(7), 0U);
  EXPECT_EQ(wait_and_fail(7), 1'000U);
  EXPECT_EQ(wait_and_fail(7), 2'000U);
}

TEST_P(TlsHandshakes, FinishedHandshakeOrAMinuteClearsThePenalty) {
  EXPECT_EQ(wait_and_fail(7), 0U);
  EXPECT_EQ(wait_and_fail(7), 1'000U);
  EXPECT_EQ(wait_and_finish(7), 2'000U);
  EXPECT_EQ(wait_and_fail(7), 0U);
  EXPECT_EQ(wait_and_fail(7), 1'000U);
  now_ += 60'000;
  EXPECT_EQ(wait_and_fail(7), 0U);
  EXPECT_EQ(wait_and_fail(7), 1'000U);
}

TEST_P(TlsHandshakes, RemembersTheLastFourPeersThatDidNotFinish) {
  for (std::uint64_t host = 1; host <= 5; ++host) {
    EXPECT_EQ(wait_and_fail(host), 0U);
    ++now_;
  }
  EXPECT_EQ(wait_and_finish(1), 0U);
  EXPECT_NE(wait_and_finish(2), 0U);
}

TEST_P(TlsHandshakes, AllowsOneHandshakeForEachPeer) {
  Visitor& first = visit(7);
  Visitor& second = visit(7);
  poll();
  EXPECT_TRUE(first.is_heard());
  EXPECT_FALSE(second.is_heard());
  EXPECT_NE(finish(first), nullptr);
  poll();
  EXPECT_TRUE(second.is_heard());
  EXPECT_NE(finish(second), nullptr);
}

// The last place is not for one that has to wait.
TEST_P(TlsHandshakes, PenalizedPeerDoesNotTakeTheLastSlot) {
  EXPECT_EQ(wait_and_stall(7), 0U);
  ASSERT_NE(finish(visit(1)), nullptr);
  Visitor& early = visit(7);
  poll();
  EXPECT_FALSE(early.wire.closed);
  ASSERT_NE(finish(visit(2)), nullptr);
  poll();
  EXPECT_TRUE(early.wire.closed);
  EXPECT_NE(finish(visit(3)), nullptr);
}

// A handshake in progress evicts no client. A client that has finished its handshake may.
TEST_P(TlsHandshakes, FurtherClientsWaitForAHandshakeOrASlot) {
  ASSERT_NE(finish(visit(1)), nullptr);
  ASSERT_NE(finish(visit(2)), nullptr);
  Visitor& third = visit(3);
  Visitor& fourth = visit(4);
  poll();
  EXPECT_FALSE(listener_->has_waiting());
  EXPECT_EQ(shake_hands(third.client), 0);
  EXPECT_TRUE(listener_->has_waiting());
  ASSERT_NE(accept(third.wire), nullptr);
  EXPECT_TRUE(listener_->has_waiting());  // no place is left for the handshake of the fourth
  EXPECT_EQ(listener_->accept(), nullptr);
  close(*open_.front().second);
  EXPECT_FALSE(listener_->has_waiting());
  EXPECT_NE(finish(fourth), nullptr);
  EXPECT_FALSE(listener_->has_waiting());
}

TEST_P(TlsHandshakes, ServesInTheOrderInWhichTheyFinish) {
  Visitor& first = visit(1);
  Visitor& second = visit(2);
  EXPECT_EQ(shake_hands(second.client), 0);
  now_ += 1;
  EXPECT_EQ(shake_hands(first.client), 0);
  mcp::Connection* const connection = accept(second.wire);
  ASSERT_NE(connection, nullptr);
  ASSERT_EQ(second.client.write("question"), 8);
  EXPECT_EQ(read(*connection), "question");
  EXPECT_NE(accept(first.wire), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Version, TlsHandshakes, ::testing::Values(TlsVersion::v1_2, TlsVersion::v1_3),
                         [](const auto& version) { return version.param == TlsVersion::v1_2 ? "v1_2" : "v1_3"; });

}  // namespace
