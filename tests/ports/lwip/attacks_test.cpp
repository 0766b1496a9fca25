// SPDX-License-Identifier: Apache-2.0
// Attacks on DHCP, DNS, SNTP and mDNS, 500 frames in a second from a seed, while an honest client, a server of names,
// of the time and of addresses use the same cable. The attacker sees no request of the device. Nothing waits: time is
// an argument. Each row of the table runs with the seed 1, and with one of today.
#include <gtest/gtest.h>
#include <lwip/udp.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "client.hpp"
#include "mcp/ports/lwip_dialer.hpp"
#include "mcp/ports/lwip_mdns.hpp"
#include "mcp/ports/lwip_network.hpp"
#include "mcp/ports/lwip_sntp.hpp"
#include "packets.hpp"
#include "pools.hpp"
#include "support/seeded_entropy.hpp"
#include "time.hpp"
#include "wire.hpp"

namespace dns = test::dns;
using mcp::lwip::DialedConnection;
using mcp::lwip::MdnsResponder;
using mcp::lwip::Network;
using mcp::lwip::SntpClock;
using mcp::lwip::TcpConnection;
using mcp::lwip::TcpDialer;
using mcp::lwip::TcpListener;
using test::Bytes;
using test::Ip;
using test::Mac;
using test::lwip_time::now;

namespace {

constexpr Ip board{10, 0, 0, 1};
constexpr Ip host{10, 0, 0, 2};
constexpr Ip attacker{10, 0, 0, 66};
constexpr Ip to_every{255, 255, 255, 255};
constexpr Mac board_mac{2, 0, 0, 0, 0, 1};
constexpr Mac host_mac{2, 0, 0, 0, 0, 2};
constexpr Mac attacker_mac{2, 0, 0, 0, 0, 66};
constexpr unsigned dhcp_server = 67, dhcp_client = 68, name_server = 53, time_server = 123;
constexpr std::uint16_t broker_port = 1'883;
constexpr mcp::Millis served_within_ms = 1'000;
constexpr std::uint64_t some_day = 1'786'000'000'000;  // in 2026
constexpr std::uint32_t from_1900_to_1970_s = 2'208'988'800;

std::uint32_t ntp_seconds(std::uint64_t utc_ms) {
  return static_cast<std::uint32_t>(utc_ms / 1'000 + from_1900_to_1970_s);
}

Bytes time_message(const Bytes& originate, unsigned stratum, std::string_view reference, std::uint32_t seconds) {
  test::Writer writer;
  writer.u8(0x24).u8(stratum).u16(0).u32(0).u32(0).all(reference).u32(0).u32(0).all(originate).u32(0).u32(0);
  return writer.u32(seconds).u32(0).bytes;
}

/// What an attacker sends.
class Attacker {
 public:
  std::mt19937 random{1};
  bool claims_names = false;  // of the device
  Bytes request_of_dhcp;      // of a device with this address, with another number
  unsigned clock_port = 0;
  std::vector<Bytes> old_questions;  // random numbers of requests that have an answer

  unsigned below(unsigned limit) { return static_cast<unsigned>(random() % limit); }
  std::uint8_t byte() { return static_cast<std::uint8_t>(random()); }

  Bytes dhcp() {
    Bytes request = request_of_dhcp.empty() ? Bytes(300) : request_of_dhcp;
    for (std::size_t i = 4; i < 8; ++i) request[i] = byte();
    constexpr unsigned kinds[] = {2, 5, 6};
    const Ip lease{10, 0, 0, byte()};
    const Bytes options{1, 4, 255, 255, 255, 0, 3, 4, 10, 0, 0, 66, 6, 4, 10, 0, 0, 66, 42, 4, 10, 0, 0, 66};
    const Bytes frame = test::dhcp_frame(request, kinds[below(3)], lease, attacker, attacker_mac, options, {},
                                         static_cast<std::uint32_t>(random()));
    return frame_of(mutated(test::read_udp(frame)->data), below(4) == 0 ? host : attacker, dhcp_server, dhcp_client,
                    to_every);
  }
  Bytes name() {
    dns::Message message;
    message.id = below(0x10000);
    message.flags = 0x8180;
    const std::string asked = "broker" + std::to_string(below(20)) + ".example.";
    message.questions.push_back({asked, dns::a, dns::in});
    message.answers.push_back(dns::record(asked, dns::a, Bytes(attacker.begin(), attacker.end())));
    return frame_of(mutated(dns::write(message)), host, name_server, 1'024 + below(64'000), board);
  }
  Bytes time() {
    Bytes originate(8);
    for (std::uint8_t& each : originate) each = byte();
    if (!old_questions.empty() && below(2) == 0)
      originate = old_questions[below(static_cast<unsigned>(old_questions.size()))];
    const bool denies = below(3) == 0;
    const Bytes message =
        time_message(originate, denies ? 0 : 1, denies ? "DENY" : "GPS ", ntp_seconds(3 * some_day / 2));
    return frame_of(mutated(message), host, time_server, clock_port, board);
  }
  Bytes query() {
    constexpr const char* names[] = {"_mcp._tcp.local.", "_services._dns-sd._udp.local.", "thermometer.local.",
                                     "Thermometer._mcp._tcp.local.", "other.local."};
    constexpr unsigned types[] = {dns::a, dns::aaaa, dns::ptr, dns::srv, dns::txt, dns::any};
    dns::Message message;
    for (unsigned left = 1 + below(4); left != 0; --left) {
      message.questions.push_back({names[below(5)], types[below(6)], dns::in | (below(2) == 0 ? dns::unicast : 0U)});
    }
    return to_group(mutated(dns::write(message)), below(2) == 0 ? dns::port : 1'024 + below(60'000));
  }
  Bytes answer() {
    const std::string own = claims_names ? "thermometer" : "other" + std::to_string(below(100));
    const std::string service = (claims_names ? "Thermometer" : own) + "._mcp._tcp.local.";
    dns::Message message;
    message.flags = 0x8400;
    for (unsigned left = 1 + below(4); left != 0; --left) {
      switch (below(4)) {
        case 0: message.answers.push_back(dns::record(own + ".local.", dns::a, {10, 0, 0, byte()})); break;
        case 1: message.answers.push_back(dns::srv_record(service, below(0x10000), own + ".local.")); break;
        case 2: message.answers.push_back(dns::record(service, dns::txt, {4, 'a', '=', 'b', byte()})); break;
        default: message.answers.push_back(dns::record("_mcp._tcp.local.", dns::ptr, dns::write_name(service))); break;
      }
    }
    // A changed name could be the name of the device.
    const Bytes bytes = dns::write(message);
    return to_group(claims_names ? mutated(bytes) : bytes, dns::port);
  }

 private:
  // Half of the messages: with other bits, bytes or counts, cut, or longer.
  Bytes mutated(Bytes bytes) {
    if (below(2) == 0) return bytes;
    for (unsigned left = 1 + below(3); left != 0 && !bytes.empty(); --left) {
      const std::size_t at = below(static_cast<unsigned>(bytes.size()));
      switch (below(5)) {
        case 0: bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ 1U << below(8)); break;
        case 1: bytes[at] = byte(); break;
        case 2: bytes[at] = below(2) == 0 ? 0 : 0xFF; break;
        case 3: bytes.resize(at); break;
        default: bytes.insert(bytes.end(), below(100), byte());
      }
    }
    return bytes;
  }
  static Bytes frame_of(const Bytes& data, Ip from, unsigned from_port, unsigned to_port, Ip to) {
    return test::udp_frame({.from_mac = attacker_mac,
                            .to_mac = to == board ? board_mac : test::to_all,
                            .from = from,
                            .to = to,
                            .from_port = from_port,
                            .to_port = to_port,
                            .data = data});
  }
  Bytes to_group(const Bytes& data, unsigned from_port) {
    return test::udp_frame({.from_mac = attacker_mac,
                            .to_mac = dns::group_mac,
                            .from = attacker,
                            .to = dns::group,
                            .from_port = from_port,
                            .to_port = dns::port,
                            .data = data});
  }
};

struct Row {
  const char* name;
  Bytes (Attacker::*frame)();
  bool claims_names;
};

constexpr Row rows[] = {{"dhcp", &Attacker::dhcp, false},           {"dns", &Attacker::name, false},
                        {"sntp", &Attacker::time, false},           {"mdns_queries", &Attacker::query, false},
                        {"mdns_answers", &Attacker::answer, false}, {"mdns_claims", &Attacker::answer, true}};

class LwipAttack : public testing::TestWithParam<Row> {
 protected:
  test::Wire wire;
  test::SeededEntropy entropy;
  Network client_network{wire.client, entropy, now};
  Network device{wire.server, entropy, now};  // the last one is lwIP's way to all other addresses
  TcpConnection pool[2];
  TcpConnection broker_pool[1];
  DialedConnection dialed[1];
  std::optional<TcpListener> listener;
  std::optional<TcpListener> broker;
  std::optional<TcpDialer> dialer;
  std::optional<MdnsResponder> responder;
  std::optional<SntpClock> clock;
  mcp::Connection* connection = nullptr;
  Attacker attack;
  mcp::Millis begin = now;
  unsigned dials = 0;
  bool attacks = false;
  std::optional<mcp::Millis> heard_address;  // when the name of the device was heard

  LwipAttack() {
    client_network.use(host, {255, 255, 255, 0}, {});
    device.use_name_server(host);
    listener.emplace(device, pool, test::http_port);
    broker.emplace(client_network, broker_pool, broker_port);
    dialer.emplace(device, dialed);
    EXPECT_TRUE(listener->ok() && broker->ok());
  }
  ~LwipAttack() override {
    attacks = false;
    clock.reset();
    responder.reset();
    dialer.reset();
    listener.reset();
    broker.reset();
    pass(300'000);  // TIME-WAIT
    EXPECT_EQ(test::Taken(MEMP_PBUF_POOL).size(), std::size_t{PBUF_POOL_SIZE});
    EXPECT_EQ(test::Taken(MEMP_TCP_PCB).size(), std::size_t{MEMP_NUM_TCP_PCB});
    EXPECT_EQ(test::Taken(MEMP_SYS_TIMEOUT).size(), std::size_t{MEMP_NUM_SYS_TIMEOUT});
  }

  void start(unsigned seed) {
    attack.random.seed(seed);
    attack.claims_names = GetParam().claims_names;
    attacks = true;
    device.use_dhcp();
    clock.emplace(device, mcp::lwip::SntpOptions{.server = host});
    responder.emplace(device, mcp::lwip::Announcement{.host = "thermometer", .name = "Thermometer"});
    ASSERT_TRUE(clock->ok() && responder->ok());
  }

  // ---- The cable ----

  bool until(const std::function<bool()>& is_so, mcp::Millis limit_ms) {
    for (const mcp::Millis end = now + limit_ms; now != end; ++now) {
      if (attacks && now % 2 == 0) wire.server.received.push_back((attack.*GetParam().frame)());
      turn();
      if (is_so()) return true;
    }
    return false;
  }
  void pass(mcp::Millis ms) {
    EXPECT_FALSE(until([] { return false; }, ms));
  }
  void turn() {
    do {
      answer_frames();
      for (test::Client* const each : test::Client::all) each->pump();
      static_cast<void>(client_network.poll(now));
      static_cast<void>(device.poll(now));
      serve();
    } while (!wire.server.received.empty() || !wire.client.received.empty());
  }
  // The server at the device.
  void serve() {
    if (!listener) return;
    if (connection == nullptr) connection = listener->accept();
    if (connection == nullptr) return;
    char bytes[16];
    const mcp::IoResult result = connection->read(bytes);
    if (result.status == mcp::IoStatus::ok && result.size != 0)
      static_cast<void>(connection->write(std::string_view("pong")));
    if (result.status == mcp::IoStatus::would_block || result.status == mcp::IoStatus::ok) return;
    connection->close();
    connection = nullptr;
  }

  // ---- The honest servers, which see each request ----

  void answer_frames() {
    std::erase_if(wire.client.received, [this](const Bytes& frame) {
      const auto udp = test::read_udp(frame);
      if (!udp) return false;
      switch (udp->to_port) {
        case dhcp_server: lease_to(udp->data); break;
        case name_server: name_to(*udp); break;
        case time_server: time_to(*udp); break;
        default:
          if (udp->from_port == dns::port) hear(udp->data);
      }
      return true;
    });
  }
  void answer(const Bytes& data, unsigned from_port, unsigned to_port) {
    wire.server.received.push_back(test::udp_frame({.from_mac = host_mac,
                                                    .to_mac = board_mac,
                                                    .from = host,
                                                    .to = board,
                                                    .from_port = from_port,
                                                    .to_port = to_port,
                                                    .data = data}));
  }
  void lease_to(const Bytes& data) {
    attack.request_of_dhcp = data;
    const unsigned kind = data.at(242);
    if (kind != 1 && kind != 3) return;
    const Bytes mask{1, 4, 255, 255, 255, 0};
    wire.server.received.push_back(test::dhcp_frame(data, kind == 1 ? 2 : 5, board, host, host_mac, mask));
  }
  void name_to(const test::Udp& udp) {
    dns::Message message = dns::read(udp.data).value();
    message.flags = 0x8180;
    message.answers.push_back(dns::record(message.questions.at(0).name, dns::a, Bytes(host.begin(), host.end())));
    answer(dns::write(message), name_server, udp.from_port);
  }
  void time_to(const test::Udp& udp) {
    const Bytes question(udp.data.begin() + 40, udp.data.begin() + 48);
    attack.clock_port = udp.from_port;
    attack.old_questions.push_back(question);
    answer(time_message(question, 1, "GPS ", ntp_seconds(right_time())), time_server, udp.from_port);
  }
  [[nodiscard]] std::uint64_t right_time() const { return some_day + (now - begin); }
  void hear(const Bytes& data) {
    const auto message = dns::read(data);
    ASSERT_TRUE(message.has_value());
    const dns::Record* const record = message->find("thermometer.local.", dns::a);
    if (record != nullptr && record->data == Bytes(board.begin(), board.end())) heard_address = now;
  }

  // ---- The honest client ----

  void expect_served() {
    test::Client client(host, board);
    client.send("ping");
    EXPECT_TRUE(until([&] { return client.received == "pong"; }, served_within_ms));
  }
  void expect_dials() {
    mcp::Connection* const dialing = dialer->dial("broker" + std::to_string(++dials) + ".example", broker_port);
    ASSERT_NE(dialing, nullptr);
    mcp::Connection* accepted = nullptr;
    EXPECT_TRUE(until([&] { return (accepted = broker->accept()) != nullptr; }, served_within_ms)) << dials;
    if (accepted != nullptr) accepted->close();
    dialing->close();
    pass(50);
  }
  void expect_time() {
    EXPECT_TRUE(clock->is_set());
    EXPECT_FALSE(clock->is_refused());
    EXPECT_NEAR(static_cast<double>(clock->utc_ms()), static_cast<double>(right_time()), 1'001.0);
  }
  // mDNS says the same once in a second, so a host may have heard it before its query.
  void expect_found() {
    const mcp::Millis asked = now;
    dns::Message question;
    question.questions.push_back({"thermometer.local.", dns::a, dns::in});
    wire.server.received.push_back(test::udp_frame({.from_mac = host_mac,
                                                    .to_mac = dns::group_mac,
                                                    .from = host,
                                                    .to = dns::group,
                                                    .from_port = dns::port,
                                                    .to_port = dns::port,
                                                    .data = dns::write(question)}));
    EXPECT_TRUE(until([&] { return heard_address && *heard_address + 1'000 >= asked; }, served_within_ms));
  }

  void expect_all() {
    expect_served();
    expect_dials();
    expect_time();
    pass(1'100);
    if (!attack.claims_names) expect_found();
  }
};

TEST_P(LwipAttack, ServesHonestClients) {
  const auto today = static_cast<unsigned>(std::time(nullptr) / 86'400);
  for (const unsigned seed : {1U, today}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    begin = now;
    start(seed);
    ASSERT_TRUE(until([&] { return device.ready(); }, 5'000));
    char text[16];
    EXPECT_EQ(device.address(text), "10.0.0.1");
    ASSERT_TRUE(until([&] { return clock->is_set(); }, 7'000));
    ASSERT_TRUE(attack.claims_names || until([&] { return responder->is_announced(); }, 5'000));
    pass(3'000);  // its announcements
    for (unsigned i = 0; i < 10; ++i) {
      SCOPED_TRACE(i);
      expect_all();
    }
    EXPECT_EQ(device.address(text), "10.0.0.1");
    attacks = false;
    pass(served_within_ms);
    expect_all();
    clock.reset();
    responder.reset();
  }
}

INSTANTIATE_TEST_SUITE_P(From, LwipAttack, testing::ValuesIn(rows),
                         [](const testing::TestParamInfo<Row>& row) { return std::string(row.param.name); });

}  // namespace
