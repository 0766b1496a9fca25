// SPDX-License-Identifier: Apache-2.0
// Random listens of one wire that share slots, against a model: each id gets its updates and its end, and no slot is
// left.
#include <gtest/gtest.h>

#include <chrono>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/bench.hpp"
#include "support/device.hpp"

namespace {

constexpr const char* uris[] = {"test://counter", "test://second", "urn:last"};

class Wire {
 public:
  explicit Wire(unsigned seed)
      : random_(seed), bench_(*test::find_definition("full"), {.id = 8 + pick(60), .subscriptions = 1 + pick(3)}) {
    session_ = bench_.server.open(0);
  }
  ~Wire() { bench_.server.close(session_, 0); }
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  void step() {
    const std::size_t what = pick(10);
    if (what < 5) {
      listen();
    } else if (what < 7) {
      cancel();
    } else if (what < 9) {
      update();
    } else if (pick(8) == 0) {
      end();
    }
    std::size_t used = 0;
    const auto slots = bench_.storage().subscriptions;
    for (std::size_t i = 0; i < slots.capacity(); ++i) used += slots.in_use(i) != nullptr ? 1U : 0U;
    EXPECT_LE(used, live_.size());
    EXPECT_EQ(used == 0, live_.empty());
    if (live_.size() > slots.capacity()) ++joined;
  }

  static inline std::size_t joined = 0;

 private:
  std::size_t pick(std::size_t count) { return random_() % count; }

  std::vector<std::string> sent() {
    std::vector<std::string> messages;
    for (;;) {
      const mcp::Reply reply = bench_.server.transmit(session_, room_, 0);
      if (reply.status == mcp::Reply::Status::none) return messages;
      messages.emplace_back(room_, reply.size);
    }
  }

  std::vector<std::string> give(std::string line) {
    line.append(2, '\0');  // the server may write behind the message
    const mcp::Reply reply = bench_.server.receive(session_, {line.data(), line.size() - 2}, room_, 0);
    std::vector<std::string> messages;
    if (reply.size != 0) messages.emplace_back(room_, reply.size);
    for (std::string& message : sent()) messages.push_back(std::move(message));
    return messages;
  }

  static std::string id_in(const std::string& message) {
    static constexpr std::string_view key = "subscriptionId\":";
    const std::size_t at = message.find(key) + key.size();
    return message.substr(at, message.find('}', at) - at);
  }

  void listen() {
    const std::string id =
        pick(2) != 0 ? std::to_string(pick(12)) : "\"" + std::string(pick(6), 'x') + std::to_string(pick(3)) + "\"";
    const bool lists = pick(5) == 0;
    std::set<std::string> wanted;
    if (!lists || pick(2) != 0) wanted.insert(uris[pick(3)]);
    if (pick(5) == 0) wanted.insert(uris[pick(3)]);
    std::string names;
    for (const std::string& uri : wanted) names += (names.empty() ? "\"" : ",\"") + uri + "\"";
    const std::vector<std::string> messages =
        give(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"subscriptions/listen","params":{"notifications":{)" +
             (lists ? R"("toolsListChanged":true,)" : "") + R"("resourceSubscriptions":[)" + names +
             R"(]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
             R"("io.modelcontextprotocol/clientCapabilities":{}}}})");
    ASSERT_EQ(messages.size(), 1U);
    if (live_.contains(id)) {
      EXPECT_NE(messages[0].find("-32600"), std::string::npos) << messages[0];
    } else if (messages[0].find(R"("error")") == std::string::npos) {
      EXPECT_EQ(id_in(messages[0]), id) << messages[0];
      for (const char* uri : uris) EXPECT_EQ(messages[0].find(uri) != std::string::npos, wanted.contains(uri));
      live_[id] = wanted;
    }
  }

  void cancel() {
    if (live_.empty()) return;
    const auto one = std::next(live_.begin(), static_cast<std::ptrdiff_t>(pick(live_.size())));
    EXPECT_TRUE(
        give(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + one->first + "}}")
            .empty());
    live_.erase(one);
  }

  void update() {
    const std::string uri = uris[pick(3)];
    ASSERT_TRUE(test::act(bench_.server, "update " + uri));
    std::multiset<std::string> got;
    for (const std::string& message : sent()) {
      EXPECT_NE(message.find("\"uri\":\"" + uri + "\""), std::string::npos) << message;
      got.insert(id_in(message));
    }
    std::multiset<std::string> expected;
    for (const auto& [id, wanted] : live_) {
      if (wanted.contains(uri)) expected.insert(id);
    }
    EXPECT_EQ(got, expected);
  }

  void end() {
    ASSERT_TRUE(test::act(bench_.server, "end subscriptions"));
    std::multiset<std::string> got;
    for (const std::string& message : sent()) got.insert(id_in(message));
    std::multiset<std::string> expected;
    for (const auto& [id, wanted] : live_) expected.insert(id);
    EXPECT_EQ(got, expected);
    live_.clear();
  }

  std::mt19937 random_;
  test::Bench bench_;
  mcp::SessionId session_;
  char room_[8192] = {};
  std::map<std::string, std::set<std::string>> live_;  // the resources of each id
};

std::string listen_to(const std::string& id, const std::string& uri) {
  return R"({"jsonrpc":"2.0","id":)" + id +
         R"(,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":[")" + uri +
         R"("]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
         R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
}

// Requests that come before the acknowledgement of the first one, into a buffer of `size` bytes.
class Waiting {
 public:
  explicit Waiting(std::size_t id_size = 40)
      : bench_(*test::find_definition("full"), {.id = id_size, .subscriptions = 2}) {
    session_ = bench_.server.open(0);
  }
  ~Waiting() { bench_.server.close(session_, 0); }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  std::string give(std::string line, std::size_t size = 4096) {
    line.append(2, '\0');
    const mcp::Reply reply = bench_.server.receive(session_, {line.data(), line.size() - 2}, {room_, size}, 0);
    return {room_, reply.size};
  }
  std::string next() {
    const mcp::Reply reply = bench_.server.transmit(session_, room_, 0);
    return {room_, reply.size};
  }
  mcp::Server& server() { return bench_.server; }

 private:
  test::Bench bench_;
  mcp::SessionId session_;
  char room_[4096] = {};
};

TEST(JoinedListens, AreAcknowledgedOneByOne) {
  Waiting wire;
  for (int id = 1; id <= 3; ++id) EXPECT_EQ(wire.give(listen_to(std::to_string(id), uris[id - 1])), "");
  EXPECT_EQ(wire.server().poll(0), 0U);
  for (int id = 1; id <= 3; ++id) {
    EXPECT_EQ(wire.server().poll(0), 0U);
    const std::string acknowledged = wire.next();
    for (int other = 1; other <= 3; ++other) {
      EXPECT_EQ(acknowledged.find(uris[other - 1]) != std::string::npos, other == id) << acknowledged;
    }
    EXPECT_NE(acknowledged.find(R"("io.modelcontextprotocol/subscriptionId":)" + std::to_string(id) + "}"),
              std::string::npos)
        << acknowledged;
  }
  EXPECT_EQ(wire.next(), "");
}

TEST(JoinedListens, JoinNoneThatEnds) {
  Waiting wire;
  EXPECT_EQ(wire.give(listen_to("1", uris[0])), "");
  EXPECT_NE(wire.next(), "");
  ASSERT_TRUE(test::act(wire.server(), "end subscriptions"));
  EXPECT_EQ(wire.give(listen_to("2", uris[1])), "");
  EXPECT_NE(wire.next().find(R"("id":1,"result")"), std::string::npos);
  EXPECT_NE(wire.next().find("acknowledged"), std::string::npos);
  EXPECT_EQ(wire.next(), "");
}

TEST(JoinedListens, GetAnErrorIfTheAcknowledgementDoesNotFit) {
  Waiting wire;
  EXPECT_EQ(wire.give(listen_to("1", uris[0])), "");
  EXPECT_NE(wire.next(), "");
  EXPECT_NE(wire.give(listen_to("2", uris[1]), 160).find(R"("id":2,"error")"), std::string::npos);
  EXPECT_EQ(wire.next(), "");
  EXPECT_EQ(wire.give(listen_to("2", uris[1])), "");
  EXPECT_NE(wire.next().find("acknowledged"), std::string::npos);
}

// The size of an id that shares a slot has one byte.
TEST(JoinedListens, HaveASlotOfTheirOwnForALongId) {
  Waiting wire(800);
  const std::string long_id = "\"" + std::string(300, 'x') + "\"";
  EXPECT_EQ(wire.give(listen_to("1", uris[0])), "");
  EXPECT_EQ(wire.give(listen_to(long_id, uris[1])), "");
  EXPECT_NE(wire.next().find(R"(subscriptionId":1})"), std::string::npos);
  EXPECT_NE(wire.next().find("subscriptionId\":" + long_id), std::string::npos);
  ASSERT_TRUE(test::act(wire.server(), std::string("update ") + uris[1]));
  EXPECT_NE(wire.next().find("subscriptionId\":" + long_id), std::string::npos);
}

TEST(JoinedListens, DoWhatAModelDoes) {
  const auto today = std::chrono::system_clock::now().time_since_epoch() / std::chrono::hours(24);
  for (const unsigned first : {1U, static_cast<unsigned>(today) * 1000}) {
    Wire::joined = 0;
    for (unsigned seed = first; seed != first + 100; ++seed) {
      Wire wire(seed);
      for (int step = 0; step != 60; ++step) wire.step();
      ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(Wire::joined, 50U);
  }
}

}  // namespace
