// SPDX-License-Identifier: Apache-2.0
// Handshakes of a TlsListener: their order, in addition to clients that are served, and clients that do not finish. The
// tests do not wait: time is an argument, and the test sets the time of a step.
#include <gtest/gtest.h>

#include <cstdint>
#include <ctime>
#include <deque>
#include <random>
#include <string>

#include "mcp/ports/mbedtls_tls.hpp"
#include "tls_client.hpp"

namespace {

using mcp::Millis;
using mcp::mbedtls::TlsVersion;
using test::tls::Client;
using test::tls::Hog;
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
    // One that has connected, and sent nothing.
    struct Silent {};
    Visitor(TlsHandshakes& test, std::uint64_t host, Silent)
        : wire(test.wires_.emplace_back()), client(wire, test.entropy_, GetParam()) {
      wire.host = host;
      test.clients_.waiting.push_back(&wire);
    }
    Visitor(TlsHandshakes& test, std::uint64_t host)
        : wire(test.wires_.emplace_back()), client(wire, test.entropy_, GetParam()) {
      wire.host = host;
      static_cast<void>(mbedtls_ssl_handshake(&client.ssl));
      hello = wire.to_server.size();
      test.clients_.waiting.push_back(&wire);
    }
    // Whether its handshake has begun. The listener takes the first byte before.
    [[nodiscard]] bool is_heard() const { return wire.to_server.size() + 1 < hello || wire.closed; }

    Wire& wire;
    Client client;
    std::size_t hello = 0;
  };
  Visitor& visit(std::uint64_t host) { return visitors_.emplace_back(*this, host); }
  Visitor& visit_silently(std::uint64_t host) { return visitors_.emplace_back(*this, host, Visitor::Silent()); }

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

// The listener below has fewer connections, and all of them are served: without an eviction, the client gets none.
TEST_P(TlsHandshakes, ClientWaitsWhileAllConnectionsBelowAreServed) {
  Visitor& first = visit(1);
  ASSERT_NE(finish(first), nullptr);
  clients_.is_full = true;
  Visitor& second = visit(2);
  poll();
  EXPECT_TRUE(listener_->has_waiting());
  clients_.is_full = false;
  poll();
  EXPECT_FALSE(listener_->has_waiting());
  // One below is in its handshake, which ends soon.
  visit(3);
  clients_.is_full = true;
  poll();
  EXPECT_FALSE(listener_->has_waiting());
  ASSERT_NE(finish(second), nullptr);
  EXPECT_TRUE(listener_->has_waiting());
}

// A silent client on the last connection below has as little time as on the last one here.
TEST_P(TlsHandshakes, SilentClientYieldsWhileAllConnectionsBelowAreInUse) {
  ASSERT_NE(finish(visit(1)), nullptr);
  Visitor& silent = visit_silently(7);
  poll();
  clients_.is_full = true;
  Visitor& second = visit(2);
  pass(2'000);
  EXPECT_TRUE(silent.wire.closed);
  clients_.is_full = false;
  EXPECT_NE(finish(second), nullptr);
}

// A transport polls before the listener, also after a long sleep, and looks for a waiting client.
TEST_P(TlsHandshakes, TimeOfAClientBeginsWithThePollOfTheListener) {
  ASSERT_NE(finish(visit(1)), nullptr);
  now_ += 60'000;
  Visitor& second = visit_silently(2);
  EXPECT_FALSE(listener_->has_waiting());
  poll();
  EXPECT_FALSE(second.wire.closed);
  EXPECT_NE(finish(second), nullptr);
}

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

// The first steps are the key, which the mbedTLS of an SDK does not have, and those that take up the first message.
#ifdef MOTE_TLS_ARENA
constexpr int first_steps = 3;
#else
constexpr int first_steps = 2;
#endif

TEST_P(TlsHandshakes, ServesReceivedBytesOfOthersFirst) {
  const Visitor& visitor = visit(1);
  for (int i = 0; i < first_steps * 17; ++i) {
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

// Such as a load balancer that checks whether the port is open, and connects its clients from the same address.
TEST_P(TlsHandshakes, CheckOfThePortCostsItsPeerNothing) {
  const std::size_t used = test::tls::used_memory();
  for (int i = 0; i < 20; ++i) {
    Visitor& check = visit_silently(7);
    const std::size_t of_client = test::tls::used_memory();
    poll();
    EXPECT_FALSE(check.wire.closed);
    EXPECT_EQ(test::tls::used_memory(), of_client) << "no handshake and no key";
    if (i % 2 == 0) {
      check.wire.client_ended = true;
    } else {
      check.wire.lost = true;
    }
    poll();
    EXPECT_TRUE(check.wire.closed);
    visitors_.clear();
    pass(100);
  }
  EXPECT_EQ(test::tls::used_memory(), used);
  EXPECT_EQ(wait_and_finish(7), 0U);
}

// It waits with the others of its peer. Its place is free as soon as it leaves.
TEST_P(TlsHandshakes, WaitingClientThatLeavesFreesItsPlace) {
  EXPECT_EQ(wait_and_fail(7), 0U);
  Visitor& silent = visit_silently(7);
  poll();
  EXPECT_FALSE(silent.wire.closed);
  silent.wire.client_ended = true;
  poll();
  EXPECT_TRUE(silent.wire.closed);
}

// A client of one host ends at a random byte of its first message, or changes one, and another one is served at once.
// From a fixed seed, and from one of today.
TEST_P(TlsHandshakes, TruncatedAndChangedHellosDelayNoOtherHost) {
  constexpr std::time_t day_s = 86'400;
  std::uint64_t host = 100;  // a peer that has failed would wait
  for (const unsigned seed : {1U, static_cast<unsigned>(std::time(nullptr) / day_s)}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    for (unsigned i = 0; i < 24; ++i) {
      Visitor bad(*this, ++host);
      std::string& bytes = bad.wire.to_server;
      const std::size_t at = random() % bytes.size();
      if (i % 3 == 0) {
        bytes[at] = static_cast<char>(static_cast<unsigned>(bytes[at]) ^ 1U << random() % 8);
      } else {
        bytes.resize(at);
      }
      bad.wire.client_ended = i % 3 != 2;
      poll();
      EXPECT_TRUE(bad.wire.closed || i % 3 != 1) << i << " at " << at;
      EXPECT_EQ(wait_and_finish(8), 0U) << i;
      bad.wire.client_ended = true;
      poll();
      EXPECT_TRUE(bad.wire.closed) << i;
    }
  }
}

TEST_P(TlsHandshakes, ClosesASilentClient) {
  Visitor& visitor = visit_silently(1);
  EXPECT_EQ(listener_->poll(now_, mcp::forever), 10'000U);
  pass(9'999);
  EXPECT_FALSE(visitor.wire.closed);
  pass(1);
  EXPECT_TRUE(visitor.wire.closed);
  EXPECT_EQ(wait_and_finish(1), 1'000U);
}

// A silent client does not shorten the time of a handshake, and one that is slow keeps its first byte.
TEST_P(TlsHandshakes, SilentClientDoesNotHurryOthers) {
  Visitor& slow = visit(1);
  const std::string rest = slow.wire.to_server.substr(1);
  slow.wire.to_server.resize(1);
  poll();
  Visitor& silent = visit_silently(2);
  pass(5'000);
  EXPECT_FALSE(slow.wire.closed);
  EXPECT_FALSE(silent.wire.closed);
  slow.wire.to_server += rest;
  EXPECT_NE(finish(slow), nullptr);
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

// Nor for one that sends nothing. Many such clients keep no other one from its handshake.
TEST_P(TlsHandshakes, SilentPeerDoesNotTakeTheLastSlotAgain) {
  for (int i = 0; i < 24; ++i) {
    Wire& silent = wires_.emplace_back();
    silent.host = 7;
    clients_.waiting.push_back(&silent);
  }
  Visitor& visitor = visit(8);
  const Millis start = now_;
  poll();
  while (!visitor.is_heard() && now_ - start < 60'000) pass(100);
  EXPECT_LE(now_ - start, 2'500U);
  EXPECT_NE(finish(visitor), nullptr);
}

// Its peer is behind one address with others, and has its own time limit. Its abandoned message is no failure.
TEST_P(TlsHandshakes, ClientThatLeavesWhileItWaitsAddsNoPenalty) {
  for (const bool is_lost : {false, true}) {
    SCOPED_TRACE(is_lost);
    for (int i = 0; i < 4; ++i) wait_and_fail(7);
    Visitor& hasty = visit(7);
    pass(5'000);
    hasty.wire.client_ended = true;
    if (is_lost) {
      hasty.wire.lost = true;
      hasty.wire.to_server.clear();
    }
    EXPECT_EQ(wait_and_finish(7), 3'000U);
    EXPECT_TRUE(hasty.wire.closed);
  }
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

// Enough memory for the first steps of a handshake, and not for all. Structures of mbedTLS contain pointers.
// The listener does not know the free memory of an SDK's heap.
#ifdef MOTE_TLS_ARENA
constexpr char first_byte[] = "\x16";

constexpr std::size_t part_of_a_handshake = sizeof(void*) == 8 ? 5'000 : 4'000;

// The arena has no memory for the handshake, or for a part of it. The user of the first connection notices its end
// after the second client has connected.
TEST_P(TlsHandshakes, WaitsForTheMemoryOfAClientThatLeaves) {
  for (const std::size_t rest : {std::size_t{2'048}, part_of_a_handshake}) {
    SCOPED_TRACE(rest);
    ASSERT_NE(finish(visit(1)), nullptr);
    Visitor& second = visit(2);
    {
      const Hog hog(rest);
      poll();
      EXPECT_FALSE(second.is_heard());
      EXPECT_EQ(second.wire.to_client, "");
      close(*open_.front().second);
      poll();
      EXPECT_TRUE(second.is_heard());
      EXPECT_FALSE(second.wire.closed);
    }
    ASSERT_NE(finish(second), nullptr);
    close(*open_.front().second);
    EXPECT_EQ(listener_->refused(), 0U);
  }
}

// The slot of the client that has left is before that of the one that waits.
TEST_P(TlsHandshakes, GivesFreedMemoryToTheClientThatWaitsForIt) {
  ASSERT_NE(finish(visit(1)), nullptr);
  Visitor& second = visit(2);
  const Hog hog(part_of_a_handshake);
  poll();
  EXPECT_FALSE(second.is_heard());
  clients_.waiting.push_back(&wires_.emplace_back());
  close(*open_.front().second);
  poll();
  EXPECT_TRUE(second.is_heard());
  EXPECT_FALSE(second.wire.closed);
  ASSERT_NE(finish(second), nullptr);
  EXPECT_EQ(listener_->refused(), 0U);
}

TEST_P(TlsHandshakes, ClosesAClientThatGetsNoMemory) {
  ASSERT_NE(finish(visit(1)), nullptr);
  const Hog hog(part_of_a_handshake);
  for (const Millis limit_ms : {10'000U, 2'000U}) {
    SCOPED_TRACE(limit_ms);
    Wire& next = wires_.emplace_back();
    next.to_server = first_byte;
    clients_.waiting.push_back(&next);
    poll();
    if (limit_ms == 2'000) {
      clients_.waiting.push_back(&wires_.emplace_back());  // another one waits
      wires_.back().to_server = first_byte;
      poll();
    }
    EXPECT_EQ(listener_->poll(now_, mcp::forever), limit_ms);
    pass(limit_ms - 1);
    EXPECT_FALSE(next.closed);
    EXPECT_EQ(listener_->poll(now_, mcp::forever), 1U);
    pass(1);
    EXPECT_TRUE(next.closed);
    EXPECT_EQ(next.to_client, std::string("\x15\x03\x03\x00\x02\x02\x50", 7));
  }
  EXPECT_GE(listener_->refused(), 2U);
}
#endif

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
