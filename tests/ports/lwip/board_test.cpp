// SPDX-License-Identifier: Apache-2.0
// A board's image in the emulator, with its cable connected to this program: checks its announcements frame by frame,
// runs a session over a cable that loses, duplicates, damages and delays frames. Uses real time, because the
// emulator does.
//
// usage: board_test [options of GoogleTest] EMULATE BOARD IMAGE [SEED]
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

#include "board/board.hpp"
#include "board/command.hpp"
#include "client.hpp"
#include "mcp/ports/lwip_network.hpp"
#include "packets.hpp"
#include "support/bench.hpp"
#include "support/http_client.hpp"
#include "wire.hpp"

std::vector<std::string> test::command;

namespace dns = test::dns;
using mcp::lwip::Network;
using test::Board;
using test::Bytes;
using test::Ip;
using test::lease;
using test::Mac;
using test::milliseconds;

namespace {

unsigned seed = 1;

constexpr Ip mine = test::cable_address;
constexpr Ip theirs = test::board_address;
constexpr Mac my_mac = test::cable_mac;
constexpr mcp::Millis limit_ms = 60'000;

Bytes mdns_frame(const dns::Message& message) {
  return test::udp_frame({.from_mac = my_mac,
                          .to_mac = dns::group_mac,
                          .from = mine,
                          .to = dns::group,
                          .from_port = dns::port,
                          .to_port = dns::port,
                          .data = dns::write(message)});
}

// ---- Its name ------------------------------------------------------------------------------------------------------

class BoardNames : public testing::Test {
 protected:
  Board board{test::command};
  std::vector<dns::Message> heard;

  bool until(const std::function<bool()>& is_so) {
    const mcp::Millis begin = milliseconds();
    while (!is_so() && !board.ended && milliseconds() - begin < limit_ms) {
      for (const Bytes& frame : board.frames(20)) take(frame);
    }
    return is_so();
  }
  void take(const Bytes& frame) {
    if (const auto answer = lease(frame)) board.send(*answer);
    const auto udp = test::read_udp(frame);
    if (!udp || udp->from_port != dns::port) return;
    const auto message = dns::read(udp->data);
    ASSERT_TRUE(message.has_value());
    heard.push_back(*message);
  }
  void say(const dns::Message& message) { board.send(mdns_frame(message)); }
  // The response with this record. Asks again every second, like clients.
  const dns::Record* ask(std::string_view name, unsigned type) {
    dns::Message question;
    question.questions.push_back({std::string(name), type, dns::in});
    const dns::Record* found = nullptr;
    mcp::Millis asked = milliseconds() - 1'000;
    heard.clear();
    until([&] {
      for (const dns::Message& message : heard) {
        if (message.is_answer() && found == nullptr) found = message.find(name, type);
      }
      if (found == nullptr && milliseconds() - asked >= 1'000) {
        asked = milliseconds();
        say(question);
      }
      return found != nullptr;
    });
    return found;
  }
  bool is_told(std::string_view url) {
    return until([&] { return board.said.find("listening on http://" + std::string(url)) != std::string::npos; });
  }
};

TEST_F(BoardNames, ClientFindsTheBoardByMdns) {
  ASSERT_TRUE(is_told("10.0.0.7/mcp")) << board.said;
  ASSERT_TRUE(is_told("thermometer.local/mcp")) << board.said;
  const dns::Record* record = ask("_mcp._tcp.local.", dns::ptr);
  ASSERT_NE(record, nullptr);
  const std::string service = record->target;
  EXPECT_EQ(service, "Thermometer._mcp._tcp.local.");
  record = ask(service, dns::srv);
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->srv_port, 80U);
  const std::string host = record->target;
  EXPECT_EQ(host, "thermometer.local.");
  record = ask(service, dns::txt);
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->texts, (std::vector<std::string>{"path=/mcp", "proto=http", "auth=none"}));
  record = ask(host, dns::a);
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->data, Bytes(theirs.begin(), theirs.end()));
}

TEST_F(BoardNames, UsesAnotherNameIfItsNameIsTaken) {
  ASSERT_TRUE(until([&] { return !heard.empty(); }));
  // Another device probes for the same name at the same time with lesser data.
  dns::Message probe = heard.front();
  probe.authorities.clear();
  probe.authorities.push_back(dns::record("thermometer.local.", dns::a, Bytes(theirs.begin(), theirs.end())));
  probe.authorities.push_back(dns::srv_record("Thermometer._mcp._tcp.local.", 80, "therm.local."));
  say(probe);
  heard.clear();
  // The board continues to probe for the name.
  ASSERT_TRUE(until([&] { return !heard.empty(); }));
  dns::Message taken;
  taken.flags = 0x8400;
  taken.answers.push_back(dns::record("thermometer.local.", dns::a, Bytes(mine.begin(), mine.end())));
  say(taken);
  ASSERT_TRUE(is_told("thermometer-2.local/mcp")) << board.said;
  dns::Message question;
  question.questions.push_back({"Thermometer._mcp._tcp.local.", dns::any, dns::in});
  question.answers.push_back(dns::srv_record("Thermometer._mcp._tcp.local.", 80, "thermometer-2.local."));
  say(question);
  ASSERT_NE(ask("thermometer-2.local.", dns::a), nullptr);
}

// 31 frames fill the FIFO of the LM3S6965.
TEST_F(BoardNames, ReceivesAfterBurstsOfLongFrames) {
  ASSERT_TRUE(is_told("thermometer.local/mcp")) << board.said;
  for (const std::size_t size : {1'514U, 1'518U, 1'519U, 1'600U, 2'000U, 2'041U, 2'042U}) {
    SCOPED_TRACE(size);
    Bytes frame(size);
    std::copy(test::to_all.begin(), test::to_all.end(), frame.begin());
    std::copy(my_mac.begin(), my_mac.end(), frame.begin() + 6);
    frame[12] = 0x88;  // the type of a local experiment
    frame[13] = 0xB5;
    for (unsigned i = 0; i < 90; ++i) board.send(frame);
    ASSERT_NE(ask("thermometer.local.", dns::a), nullptr);
  }
}

// ---- A bad cable ---------------------------------------------------------------------------------------------------

/// This end of the cable, for lwIP: the frames that the relay forwards.
class End final : public mcp::Ethernet {
 public:
  explicit End(Board& board) : board_(&board) {}
  test::Relay relay;
  std::size_t frames = 0;

  void turn(mcp::Millis wait_ms) {
    for (Bytes& frame : board_->frames(received_.empty() ? wait_ms : 0)) {
      ++frames;
      relay.carry(std::move(frame), delayed_in_, arriving_);
    }
    for (; !arriving_.empty(); arriving_.pop_front()) {
      if (const auto answer = lease(arriving_.front())) {
        carry_out(*answer);
      } else {
        received_.push_back(arriving_.front());
      }
    }
  }

 private:
  void carry_out(Bytes frame) {
    ++frames;
    std::deque<Bytes> out;
    relay.carry(std::move(frame), delayed_out_, out);
    for (const Bytes& each : out) board_->send(each);
  }
  Address do_address() override { return my_mac; }
  bool do_link_up() override { return true; }
  std::size_t do_receive(std::span<std::uint8_t> into) override {
    if (received_.empty()) return 0;
    const Bytes frame = std::move(received_.front());
    received_.pop_front();
    if (frame.size() > into.size()) return do_receive(into);
    std::copy(frame.begin(), frame.end(), into.begin());
    return frame.size();
  }
  bool do_send(std::span<const std::span<const std::uint8_t>> pieces) override {
    Bytes frame;
    for (const auto piece : pieces) frame.insert(frame.end(), piece.begin(), piece.end());
    frame.resize(std::max<std::size_t>(frame.size(), 60));
    carry_out(std::move(frame));
    return true;
  }

  Board* board_;
  std::deque<Bytes> received_;
  std::deque<Bytes> arriving_;
  Bytes delayed_in_;
  Bytes delayed_out_;
};

class BoardHttp : public testing::Test {
 protected:
  Board board{test::command};
  End end{board};
  test::CountingEntropy entropy;
  Network network{end, entropy, milliseconds()};
  std::unique_ptr<test::Client> client;
  std::string session;

  BoardHttp() { network.use(mine, {255, 255, 255, 0}, {}); }

  bool until(const std::function<bool()>& is_so) {
    const mcp::Millis begin = milliseconds();
    while (!is_so() && !board.ended && milliseconds() - begin < limit_ms) {
      if (client != nullptr) client->pump();
      const mcp::Millis due = network.poll(milliseconds());
      end.turn(std::min<mcp::Millis>(due, 20));
    }
    return is_so();
  }

  [[nodiscard]] bool has_told(std::string_view host) const {
    return board.said.find("listening on http://" + std::string(host) + "/mcp") != std::string::npos;
  }
  bool is_told(std::string_view host) {
    return until([&] { return has_told(host); });
  }
  // The status of a request for this host, on a connection of its own.
  int status_for(std::string_view host) {
    client = std::make_unique<test::Client>(mine, theirs);
    EXPECT_TRUE(until([&] { return client->connected; }));
    const int status =
        exchange("PUT /mcp HTTP/1.1\r\nHost: " + std::string(host) + "\r\nContent-Length: 0\r\n\r\n").status;
    client.reset();
    return status;
  }

  test::HttpResponse send(std::string_view method, std::string_view body) {
    std::string text(method);
    text += " /mcp HTTP/1.1\r\nHost: thermometer.local\r\nAccept: application/json, text/event-stream\r\n";
    if (!body.empty())
      text += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
    if (!session.empty()) text += "MCP-Session-Id: " + session + "\r\nMCP-Protocol-Version: 2025-11-25\r\n";
    return exchange(text + "\r\n" + std::string(body));
  }
  test::HttpResponse exchange(const std::string& request) {
    client->send(request);
    test::HttpResponse response;
    test::FakeConnection heard;
    test::HttpClient reader(heard);
    EXPECT_TRUE(until([&] {
      if (client->received.empty()) return client->lost || response.status != 0;
      static_cast<void>(heard.write(std::string_view(std::exchange(client->received, {}))));
      response = reader.response();
      return response.status != 0;
    })) << request;
    return response;
  }
  void expect(std::string_view body, std::string_view part) {
    const test::HttpResponse response = send("POST", body);
    EXPECT_EQ(response.status, 200);
    EXPECT_NE(response.body.find(part), std::string::npos) << response.body;
  }
};

TEST_F(BoardHttp, AllowsItsNameAndFollowsARename) {
  ASSERT_TRUE(is_told("thermometer.local"));
  EXPECT_EQ(status_for("thermometer.local"), 405);
  EXPECT_EQ(status_for("10.0.0.7"), 405);
  EXPECT_EQ(status_for("thermometer-2.local"), 403);
  dns::Message taken;
  taken.flags = 0x8400;
  taken.answers.push_back(dns::record("thermometer.local.", dns::a, Bytes(mine.begin(), mine.end())));
  mcp::Millis said = milliseconds();
  ASSERT_TRUE(until([&] {
    // The board probes again, and a response to a probe takes the name away.
    if (milliseconds() - said >= 100) {
      said = milliseconds();
      board.send(mdns_frame(taken));
    }
    return has_told("thermometer-2.local");
  })) << board.said;
  EXPECT_EQ(status_for("thermometer-2.local:80"), 405);
  EXPECT_EQ(status_for("thermometer.local"), 403);
  EXPECT_EQ(status_for("10.0.0.7:80"), 405);
}

TEST_F(BoardHttp, ServesASessionOverABadCable) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  end.relay.random.seed(seed);
  end.relay.faults = {.lost = 4, .doubled = 5, .damaged = 4, .delayed = 8};
  ASSERT_TRUE(is_told("thermometer.local"));
  client = std::make_unique<test::Client>(mine, theirs);
  ASSERT_TRUE(until([&] { return client->connected; }));
  const test::HttpResponse opened =
      send("POST", R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                   R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})");
  ASSERT_EQ(opened.status, 200);
  session = opened.header("mcp-session-id");
  EXPECT_EQ(send("POST", R"({"jsonrpc":"2.0","method":"notifications/initialized"})").status, 202);
  expect(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})", R"("id":2,"result":{"tools":[)");
  expect(R"({"jsonrpc":"2.0","id":3,"method":"resources/list"})", R"("id":3,"result":{"resources":[)");
  for (unsigned i = 10; i < 16; ++i) {
    const std::string id = std::to_string(i);
    expect(R"({"jsonrpc":"2.0","id":)" + id +
               R"(,"method":"tools/call","params":{"name":"set_led","arguments":{"on":true}}})",
           R"("id":)" + id + R"(,"result":{"content":[)");
  }
  const int ended = send("DELETE", "").status;
  EXPECT_TRUE(ended == 200 || ended == 204) << ended;
  client.reset();
  std::printf("seed %u: %zu frames\n", seed, end.frames);
}

}  // namespace

int main(int count, char** texts) {
  testing::InitGoogleTest(&count, texts);
  if (count < 4 || count > 5) {
    std::fprintf(stderr, "usage: board_test EMULATE BOARD IMAGE [SEED]\n");
    return 2;
  }
  test::command.assign(texts + 1, texts + 4);
  if (count == 5) seed = static_cast<unsigned>(std::strtoul(texts[4], nullptr, 10));
  return RUN_ALL_TESTS();
}
