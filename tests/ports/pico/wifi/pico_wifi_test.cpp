// SPDX-License-Identifier: Apache-2.0
// mcp::pico::Wifi on lwIP with the options for a Pico W, without its radio: the test is the access point, the DHCP
// server and the client. lwIP checks in each function that the lock is held. Time is a number of the test.
#include <gtest/gtest.h>
#include <hardware/sync.h>
#include <lwip/etharp.h>
#include <lwip/tcp.h>
#include <lwip/timeouts.h>
#include <netif/ethernet.h>
#include <pico/cyw43_arch.h>

#include <ctime>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "fake_cyw43.hpp"
#include "mcp/ports/lwip_mdns.hpp"
#include "mcp/ports/lwip_sntp.hpp"
#include "mcp/ports/lwip_tcp.hpp"
#include "mcp/ports/pico.hpp"
#include "mcp/ports/pico_wifi.hpp"
#include "support/bench.hpp"
#include "tests/ports/lwip/client.hpp"
#include "tests/ports/lwip/packets.hpp"
#include "tests/ports/lwip/pools.hpp"

using mcp::IoStatus;
using mcp::Millis;
using mcp::RecordStatus;
using mcp::pico::Wifi;
using mcp::pico::WifiError;
using mcp::pico::WifiState;
using test::Bytes;
using test::Client;
using test::Ip;

namespace {

constexpr Ip server_address{10, 0, 0, 1};
constexpr Ip client_address{10, 0, 0, 2};
constexpr unsigned discover = 1, offer = 2, request = 3, ack = 5, nak = 6;
constexpr std::string_view ssid = "network";
constexpr std::string_view passphrase = "a passphrase";

std::uint64_t now_us = 1'000'000;
unsigned unlocked_calls = 0;
unsigned events = 0;  // SEV

Millis now() { return static_cast<Millis>(now_us / 1'000); }

class Locked {
 public:
  Locked() { cyw43_arch_lwip_begin(); }
  ~Locked() { cyw43_arch_lwip_end(); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
};

/// The other end: an access point with a DHCP server, and an interface of lwIP for the clients behind it.
struct Air {
  bool radio_works = true;
  int join_error = 0;
  std::function<void()> on_join = [] {};
  struct Join {
    std::string ssid;
    std::string passphrase;
    std::uint32_t auth;
    Millis at;
  };
  std::vector<Join> joins;
  std::optional<std::uint64_t> slept_until_ms;
  bool has_dhcp = true;
  Ip lease = server_address;
  std::uint32_t lease_s = 86'400;
  std::optional<std::string> dhcp_host;
  std::vector<test::Udp> sent;
  std::deque<Bytes> to_board;
  std::deque<Bytes> to_client;
  netif client = {};
};

Air air;

Bytes bytes_of(const pbuf& frame) {
  Bytes bytes(frame.tot_len);
  pbuf_copy_partial(&frame, bytes.data(), frame.tot_len, 0);
  bytes.resize(std::max<std::size_t>(bytes.size(), 60));
  return bytes;
}

void give(std::deque<Bytes>& frames, netif& interface) {
  while (!frames.empty()) {
    const Bytes frame = std::move(frames.front());
    frames.pop_front();
    pbuf* const data = pbuf_alloc(PBUF_RAW, static_cast<u16_t>(frame.size()), PBUF_POOL);
    ASSERT_NE(data, nullptr);
    pbuf_take(data, frame.data(), static_cast<u16_t>(frame.size()));
    if (interface.input(data, &interface) != ERR_OK) pbuf_free(data);
  }
}

// An option of DHCP.
std::optional<Bytes> option_in(const Bytes& message, unsigned code) {
  for (std::size_t at = 240; at + 1 < message.size() && message[at] != 255; at += message[at + 1] + 2U) {
    if (message[at] != code) continue;
    const auto begin = message.begin() + static_cast<std::ptrdiff_t>(at) + 2;
    return Bytes(begin, begin + message[at + 1]);
  }
  return {};
}
std::optional<std::string> host_of(const Bytes& message) {
  const auto name = option_in(message, 12);
  return name ? std::optional(std::string(name->begin(), name->end())) : std::nullopt;
}
// The address that the board requests.
std::optional<Ip> address_in(const Bytes& message) {
  const auto bytes = option_in(message, 50);
  if (!bytes || bytes->size() != 4) return {};
  Ip address;
  std::copy(bytes->begin(), bytes->end(), address.begin());
  return address;
}

void answer_dhcp(const test::Udp& udp) {
  const unsigned kind = udp.data.at(242);
  if (!air.has_dhcp || (kind != discover && kind != request)) return;
  air.dhcp_host = host_of(udp.data);
  const Bytes mask{1, 4, 255, 255, 255, 0};
  const bool is_refused = kind == request && address_in(udp.data).value_or(air.lease) != air.lease;
  const unsigned answer = is_refused ? nak : kind == discover ? offer : ack;
  air.to_board.push_back(
      test::dhcp_frame(udp.data, answer, air.lease, client_address, {2, 0, 0, 0, 0, 2}, mask, {}, air.lease_s));
}

/// Records with two values.
class TwoRecords final : public mcp::Records {
 public:
  std::optional<std::string> name;
  std::optional<std::string> key;
  RecordStatus key_status = RecordStatus::ok;

 private:
  mcp::RecordResult do_load(std::string_view record, std::span<char> into) override {
    const bool is_key = record == "wifi_password";
    EXPECT_TRUE(is_key || record == "wifi_ssid") << record;
    const std::optional<std::string>& value = is_key ? key : name;
    if (is_key && key_status != RecordStatus::ok) return {key_status, 0};
    if (!value) return {RecordStatus::not_found, 0};
    if (value->size() > into.size()) return {RecordStatus::too_large, value->size()};
    return {RecordStatus::ok, value->copy(into.data(), into.size())};
  }
  RecordStatus do_save(std::string_view, std::span<const char>) override { return RecordStatus::failed; }
  RecordStatus do_erase(std::string_view) override { return RecordStatus::failed; }
};

class PicoWifi : public testing::Test {
 protected:
  test::CountingEntropy entropy;
  std::optional<Wifi> wifi;
  mcp::lwip::TcpConnection pool[2];
  std::unique_ptr<mcp::lwip::TcpListener> listener;
  Millis due = 0;
  std::multimap<Millis, std::function<void()>> events;  // of the radio

  PicoWifi() {
    air = {};
    fake::ends_later = false;
  }
  ~PicoWifi() override {
    listener.reset();
    if (wifi && wifi->ok()) pass(30'000);  // connections that say goodbye
    stop();
    EXPECT_EQ(unlocked_calls, 0U);
    EXPECT_EQ(fake::lock_depth, 0U);
    unlocked_calls = 0;
  }

  void start(const mcp::pico::WifiOptions& options = {}) {
    wifi.emplace(entropy, options);
    if (!wifi->ok()) return;
    const Locked locked;
    ip4_addr_t address;
    ip4_addr_t mask;
    IP4_ADDR(&address, 10, 0, 0, 2);
    IP4_ADDR(&mask, 255, 255, 255, 0);
    netif_add(&air.client, &address, &mask, nullptr, nullptr, start_client, ethernet_input);
    netif_set_up(&air.client);
    netif_set_link_up(&air.client);
  }
  void stop() {
    if (wifi && wifi->ok()) {
      const Locked locked;
      netif_remove(&air.client);
    }
    wifi.reset();
  }
  static void accept_all() {
    air.on_join = [] { fake::set_link(true); };
  }
  // Joins, gets an address, and listens.
  void connect() {
    accept_all();
    start();
    ASSERT_TRUE(wifi->join(ssid, passphrase));
    listener = std::make_unique<mcp::lwip::TcpListener>(*wifi, pool, test::http_port);
    ASSERT_TRUE(until([&] { return wifi->ready(); }));
  }

  void turn() {
    while (!events.empty() && events.begin()->first <= now()) {
      const std::function<void()> event = std::move(events.begin()->second);
      events.erase(events.begin());
      event();
    }
    {
      const Locked locked;
      for (Client* const each : Client::all) each->pump();
      give(air.to_client, air.client);
    }
    due = wifi->poll(now());
    EXPECT_EQ(fake::lock_depth, 0U);
  }
  bool until(const std::function<bool()>& is_so, Millis limit_ms = 20'000) {
    for (const Millis end = now() + limit_ms; now() < end; now_us += 10'000) {
      turn();
      if (is_so()) return true;
    }
    return false;
  }
  void pass(Millis ms) {
    EXPECT_FALSE(until([] { return false; }, ms));
  }
  // What a radio does that has lost its network.
  static void lose_link(int status = CYW43_LINK_DOWN) {
    fake::set_link(false);
    fake::join_status = status;
  }
  mcp::Connection* accept() {
    mcp::Connection* connection = nullptr;
    EXPECT_TRUE(until([&] { return (connection = listener->accept()) != nullptr; }));
    return connection;
  }
  std::unique_ptr<Client> client() const {
    const Locked locked;
    return std::make_unique<Client>(client_address, air.lease);
  }
  static void end(std::unique_ptr<Client>& client) {
    const Locked locked;
    client.reset();
  }
  void expect_served() {
    auto one = client();
    mcp::Connection* const connection = accept();
    ASSERT_NE(connection, nullptr);
    expect_exchange(*one, *connection);
    connection->close();
    EXPECT_TRUE(until([&] { return one->ended; }));
    end(one);
  }
  void expect_exchange(Client& one, mcp::Connection& connection) {
    one.send("request");
    char bytes[16];
    std::size_t size = 0;
    EXPECT_TRUE(until([&] { return (size += connection.read(bytes).size) == 7; }));
    one.received.clear();
    EXPECT_EQ(connection.write(std::string_view("response")).size, 8U);
    EXPECT_TRUE(until([&] { return one.received == "response"; }));
  }
  // The times between the attempts of the next `ms` milliseconds, in seconds.
  std::vector<Millis> back_offs(Millis ms) {
    pass(ms);
    std::vector<Millis> seconds;
    for (std::size_t i = 1; i < air.joins.size(); ++i)
      seconds.push_back((air.joins[i].at - air.joins[i - 1].at) / 1'000);
    return seconds;
  }

 private:
  static err_t start_client(netif* interface) {
    const std::uint8_t mac[6] = {2, 0, 0, 0, 0, 2};
    std::copy(std::begin(mac), std::end(mac), interface->hwaddr);
    interface->hwaddr_len = sizeof mac;
    interface->mtu = 1500;
    interface->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_ETHARP | NETIF_FLAG_ETHERNET;
    interface->output = etharp_output;
    interface->linkoutput = [](netif*, pbuf* frame) {
      if (netif_is_link_up(&cyw43_state.netif[CYW43_ITF_STA]) != 0) air.to_board.push_back(bytes_of(*frame));
      return err_t{ERR_OK};
    };
    return ERR_OK;
  }
};

TEST_F(PicoWifi, JoinsGetsALeaseAndServes) {
  connect();
  EXPECT_EQ(wifi->state(), WifiState::joined);
  EXPECT_EQ(wifi->error(), WifiError::none);
  ASSERT_EQ(air.joins.size(), 1U);
  EXPECT_EQ(air.joins[0].ssid, ssid);
  EXPECT_EQ(air.joins[0].passphrase, passphrase);
  EXPECT_EQ(air.joins[0].auth, std::uint32_t{CYW43_AUTH_WPA2_AES_PSK});
  for (int i = 0; i < 5; ++i) expect_served();
}

TEST_F(PicoWifi, HoldsTheLockInEachCallOfLwip) {
  connect();
  const unsigned before = fake::locks;
  expect_served();
  EXPECT_GT(fake::locks, before);
  EXPECT_EQ(unlocked_calls, 0U);
  // The check itself finds a call without the lock.
  netif_set_link_up(&cyw43_state.netif[CYW43_ITF_STA]);
  EXPECT_EQ(std::exchange(unlocked_calls, 0U), 1U);
}

TEST_F(PicoWifi, ReportsAWrongPassphraseAndBacksOff) {
  air.on_join = [] { fake::join_status = CYW43_LINK_BADAUTH; };
  start();
  ASSERT_TRUE(wifi->join(ssid, passphrase));
  turn();
  EXPECT_EQ(wifi->state(), WifiState::waiting);
  EXPECT_EQ(wifi->error(), WifiError::rejected);
  EXPECT_LE(due, 1'000U);
  EXPECT_EQ(back_offs(255'000), (std::vector<Millis>{1, 2, 4, 8, 16, 32, 60, 60, 60}));
  // The person corrects it.
  accept_all();
  ASSERT_TRUE(wifi->join(ssid, "the right one"));
  EXPECT_TRUE(until([&] { return wifi->ready(); }, 2'000));
  EXPECT_EQ(air.joins.back().passphrase, "the right one");
}

// The radio reports no rejection: the access point ends the attempt, and the driver has no state for that.
TEST_F(PicoWifi, ReportsAWrongPassphraseThatEndsTheAttempt) {
  start();
  ASSERT_TRUE(wifi->join(ssid, passphrase));
  pass(2'000);
  EXPECT_EQ(wifi->state(), WifiState::joining);
  lose_link(CYW43_LINK_DOWN);
  turn();
  EXPECT_EQ(wifi->state(), WifiState::waiting);
  EXPECT_EQ(wifi->error(), WifiError::rejected);
}

TEST_F(PicoWifi, ReportsWhyItCannotJoin) {
  start();
  const auto error_after = [&](int status) {
    air.on_join = [status] { fake::join_status = status; };
    EXPECT_TRUE(wifi->join(ssid, passphrase));
    turn();
    EXPECT_EQ(wifi->state(), WifiState::waiting);
    return wifi->error();
  };
  EXPECT_EQ(error_after(CYW43_LINK_NONET), WifiError::no_network);
  EXPECT_EQ(error_after(CYW43_LINK_FAIL), WifiError::failed);
  EXPECT_EQ(error_after(CYW43_LINK_DOWN), WifiError::rejected);
  air.join_error = -1;
  EXPECT_EQ(error_after(CYW43_LINK_JOIN), WifiError::radio);
}

TEST_F(PicoWifi, GivesUpAnAttemptWithoutResponse) {
  start();
  ASSERT_TRUE(wifi->join(ssid, passphrase));
  pass(Wifi::join_timeout_ms - 100);
  EXPECT_EQ(wifi->state(), WifiState::joining);
  pass(200);
  EXPECT_EQ(wifi->state(), WifiState::waiting);
  EXPECT_EQ(wifi->error(), WifiError::timed_out);
  pass(Wifi::first_backoff_ms);
  EXPECT_EQ(air.joins.size(), 2U);
}

TEST_F(PicoWifi, ConnectionOutlivesALostLinkWithTheSameAddress) {
  connect();
  auto one = client();
  mcp::Connection* const connection = accept();
  ASSERT_NE(connection, nullptr);
  expect_exchange(*one, *connection);
  air.on_join = [] {};
  lose_link();
  ASSERT_TRUE(until([&] { return wifi->error() == WifiError::lost; }, 100));
  EXPECT_FALSE(wifi->ready());
  EXPECT_EQ(connection->write(std::string_view("x")).size, 1U);
  accept_all();
  ASSERT_TRUE(until([&] { return wifi->state() == WifiState::joined; }));
  ASSERT_TRUE(until([&] { return one->received.ends_with("x"); }));
  expect_exchange(*one, *connection);
  connection->close();
  EXPECT_TRUE(until([&] { return one->ended; }));
  end(one);
  expect_served();
}

TEST_F(PicoWifi, ConnectionEndsWithItsAddressAndFreesItsSlot) {
  connect();
  auto one = client();
  auto two = client();
  mcp::Connection* const first = accept();
  mcp::Connection* const second = accept();
  ASSERT_TRUE(first != nullptr && second != nullptr);
  lose_link();
  air.lease = {10, 0, 0, 7};
  {
    // The server of another network does not know the address.
    const Locked locked;
    dhcp_release_and_stop(&cyw43_state.netif[CYW43_ITF_STA]);
    dhcp_start(&cyw43_state.netif[CYW43_ITF_STA]);
  }
  ASSERT_TRUE(until([&] { return wifi->ready(); }));
  char text[16];
  EXPECT_EQ(wifi->address(text), "10.0.0.7");
  char byte[1];
  EXPECT_EQ(first->read(byte).status, IoStatus::failed);
  EXPECT_EQ(second->write(std::string_view("x")).status, IoStatus::failed);
  first->close();
  second->close();
  end(one);
  end(two);
  for (int i = 0; i < 3; ++i) expect_served();
}

TEST_F(PicoWifi, FlappingLinkBacksOff) {
  accept_all();
  start();
  ASSERT_TRUE(wifi->join(ssid, passphrase));
  for (int i = 0; i < 6; ++i) {
    ASSERT_TRUE(until([&] { return wifi->state() == WifiState::joined; }, 70'000));
    pass(100);
    lose_link();
    turn();
  }
  pass(50);
  std::vector<Millis> seconds = back_offs(10);
  EXPECT_EQ(seconds, (std::vector<Millis>{1, 2, 4, 8, 15}));
  // A link that lasts ends that.
  ASSERT_TRUE(until([&] { return wifi->state() == WifiState::joined; }, 70'000));
  pass(Wifi::stable_ms + 1'000);
  lose_link();
  const std::size_t before = air.joins.size();
  pass(1'200);
  EXPECT_EQ(air.joins.size(), before + 1);
}

TEST_F(PicoWifi, RadioThatJoinsAgainByItselfIsLeftAlone) {
  connect();
  lose_link(CYW43_LINK_JOIN);
  turn();
  EXPECT_EQ(wifi->state(), WifiState::waiting);
  fake::set_link(true);
  turn();
  EXPECT_EQ(wifi->state(), WifiState::joined);
  pass(3'000);
  EXPECT_EQ(air.joins.size(), 1U);
}

TEST_F(PicoWifi, JoinsAnotherNetwork) {
  connect();
  ASSERT_TRUE(wifi->join("other", ""));
  EXPECT_EQ(wifi->state(), WifiState::waiting);
  ASSERT_TRUE(until([&] { return wifi->ready(); }));
  ASSERT_EQ(air.joins.size(), 2U);
  EXPECT_EQ(air.joins[1].ssid, "other");
  EXPECT_EQ(air.joins[1].auth, std::uint32_t{CYW43_AUTH_OPEN});
  expect_served();
}

// `mote-attach provision` would report the address in the old network.
TEST_F(PicoWifi, IsNotJoinedWhileItLeavesTheOldNetwork) {
  connect();
  fake::ends_later = true;
  ASSERT_TRUE(wifi->join("other", passphrase));
  pass(500);
  EXPECT_EQ(wifi->state(), WifiState::waiting);
  EXPECT_EQ(air.joins.size(), 1U);
  lose_link();
  ASSERT_TRUE(until([&] { return wifi->state() == WifiState::joined; }));
  ASSERT_EQ(air.joins.size(), 2U);
  EXPECT_EQ(air.joins[1].ssid, "other");
  EXPECT_EQ(wifi->failures(), 0U);
}

TEST_F(PicoWifi, LeavesTheOldNetworkOnceMoreIfItsLinkDoesNotEnd) {
  connect();
  fake::ends_later = true;
  ASSERT_TRUE(wifi->join("other", passphrase));
  pass(900);
  fake::ends_later = false;
  pass(200);
  EXPECT_EQ(wifi->state(), WifiState::waiting);
  ASSERT_TRUE(until([&] { return wifi->state() == WifiState::joined; }));
  EXPECT_EQ(air.joins.back().ssid, "other");
}

TEST_F(PicoWifi, LeavesTheNetwork) {
  connect();
  const std::size_t joins = air.joins.size();
  wifi->leave();
  EXPECT_EQ(wifi->state(), WifiState::off);
  EXPECT_EQ(wifi->error(), WifiError::none);
  EXPECT_FALSE(wifi->ready());
  pass(120'000);
  EXPECT_EQ(air.joins.size(), joins);
  wifi->leave();
  EXPECT_TRUE(wifi->join(ssid, passphrase));
  EXPECT_TRUE(until([&] { return wifi->ready(); }));
}

TEST_F(PicoWifi, CountsItsFailedAttempts) {
  air.on_join = [] { fake::join_status = CYW43_LINK_NONET; };
  start();
  EXPECT_EQ(wifi->failures(), 0U);
  ASSERT_TRUE(wifi->join(ssid, passphrase));
  EXPECT_EQ(wifi->failures(), 0U);
  ASSERT_TRUE(until([&] { return wifi->failures() == 2; }));
  EXPECT_EQ(air.joins.size(), 2U);
  // Those of another network do not count.
  ASSERT_TRUE(wifi->join("other", passphrase));
  EXPECT_EQ(wifi->failures(), 0U);
  EXPECT_EQ(wifi->error(), WifiError::none);
  ASSERT_TRUE(until([&] { return wifi->failures() == 1; }));
  accept_all();
  ASSERT_TRUE(until([&] { return wifi->ready(); }));
  EXPECT_EQ(wifi->failures(), 0U);
  // A lost link is no failed attempt.
  lose_link();
  turn();
  EXPECT_EQ(wifi->error(), WifiError::lost);
  EXPECT_EQ(wifi->failures(), 0U);
  air.on_join = [] { fake::join_status = CYW43_LINK_NONET; };
  ASSERT_TRUE(until([&] { return wifi->failures() == 255; }, 255 * 15'000 + 60'000));
  pass(60'000);
  EXPECT_EQ(wifi->failures(), 255U);
}

TEST_F(PicoWifi, AcceptsWhatWifiAllows) {
  start({.auth = 0x01400004});
  const std::string longest{"32 bytes, the last of them zero\0", 32};
  const std::string key(64, 'F');
  EXPECT_TRUE(wifi->join(longest, key));
  EXPECT_EQ(air.joins.back().ssid, longest);
  EXPECT_EQ(air.joins.back().passphrase, key);
  EXPECT_EQ(air.joins.back().auth, 0x01400004U);
  EXPECT_TRUE(wifi->join("x", std::string(63, 'p')));
  EXPECT_TRUE(wifi->join("x", "12345678"));
  const std::size_t before = air.joins.size();
  EXPECT_FALSE(wifi->join("", passphrase));
  EXPECT_FALSE(wifi->join(longest + "x", passphrase));
  EXPECT_FALSE(wifi->join(ssid, "1234567"));
  EXPECT_FALSE(wifi->join(ssid, std::string(64, 'g')));
  EXPECT_FALSE(wifi->join(ssid, std::string(65, 'f')));
  EXPECT_EQ(air.joins.size(), before);
}

TEST_F(PicoWifi, JoinsTheNetworkOfTheRecords) {
  start();
  TwoRecords records;
  EXPECT_FALSE(wifi->join(records));
  records.name = ssid;
  records.key = passphrase;
  EXPECT_TRUE(wifi->join(records));
  EXPECT_EQ(air.joins.back().ssid, ssid);
  EXPECT_EQ(air.joins.back().passphrase, passphrase);
  records.key = {};
  EXPECT_TRUE(wifi->join(records));
  EXPECT_EQ(air.joins.back().auth, std::uint32_t{CYW43_AUTH_OPEN});
  // A passphrase that is there and cannot be read does not make the network an open one.
  const std::size_t before = air.joins.size();
  records.key_status = RecordStatus::failed;
  EXPECT_FALSE(wifi->join(records));
  records.key_status = RecordStatus::ok;
  records.key = std::string(65, 'f');
  EXPECT_FALSE(wifi->join(records));
  records.key = passphrase;
  records.name = std::string(33, 's');
  EXPECT_FALSE(wifi->join(records));
  EXPECT_EQ(air.joins.size(), before);
}

TEST_F(PicoWifi, SendsItsHostName) {
  accept_all();
  start({.host_name = "boiler"});
  ASSERT_TRUE(wifi->join(ssid, passphrase));
  ASSERT_TRUE(until([&] { return wifi->ready(); }));
  EXPECT_EQ(air.dhcp_host, "boiler");
}

TEST_F(PicoWifi, SendsNoInvalidHostName) {
  for (const std::string& name : {std::string("boil\ner"), std::string("-a"), std::string(64, 'a'), std::string()}) {
    air = {};
    accept_all();
    start({.host_name = name});
    ASSERT_TRUE(wifi->join(ssid, passphrase));
    ASSERT_TRUE(until([&] { return wifi->ready(); }));
    EXPECT_EQ(air.dhcp_host, std::nullopt);
    stop();
  }
}

TEST_F(PicoWifi, AnnouncesItsNameAndAsksForTheTime) {
  connect();
  mcp::lwip::MdnsResponder responder(*wifi, {.host = "boiler", .name = "Boiler"});
  const mcp::lwip::SntpClock clock(*wifi, {.server = client_address});
  ASSERT_TRUE(responder.ok());
  EXPECT_TRUE(until([&] { return !responder.hosts()[0].empty(); }));
  EXPECT_EQ(responder.hosts()[0], "boiler.local");
  EXPECT_TRUE(
      until([&] { return std::ranges::any_of(air.sent, [](const test::Udp& udp) { return udp.to_port == 123; }); }));
  // It announces again when the link is back.
  lose_link();
  ASSERT_TRUE(until([&] { return wifi->state() == WifiState::waiting; }));
  air.sent.clear();
  ASSERT_TRUE(until([&] { return wifi->ready(); }));
  EXPECT_TRUE(
      until([&] { return std::ranges::any_of(air.sent, [](const test::Udp& udp) { return udp.to_port == 5353; }); }));
}

TEST_F(PicoWifi, SleepsUntilThereIsWork) {
  connect();
  pass(2'000);
  wifi->wait_for_event(0);  // uses up the work of the time before
  air.slept_until_ms = {};
  wifi->wait_for_event(5);
  EXPECT_EQ(air.slept_until_ms, now() + 5);
  // lwIP's timers end the longest sleep.
  wifi->wait_for_event(mcp::forever);
  EXPECT_LE(air.slept_until_ms, now() + 60'000);
  // wake() ends the next sleep, from an interrupt or from a callback of lwIP.
  air.slept_until_ms = {};
  mcp::pico::wake();
  wifi->wait_for_event(1'000);
  EXPECT_EQ(air.slept_until_ms, std::nullopt);
  auto one = client();
  ASSERT_TRUE(until([&] { return listener->has_waiting(); }));
  wifi->wait_for_event(1'000);
  EXPECT_EQ(air.slept_until_ms, std::nullopt);
  end(one);
}

TEST_F(PicoWifi, DropsAnEndedLeaseAfterTheLinkWasLost) {
  air.lease_s = 600;
  connect();
  air.has_dhcp = false;
  lose_link(CYW43_LINK_JOIN);
  pass(500'000);
  EXPECT_EQ(wifi->state(), WifiState::joined);
  EXPECT_TRUE(wifi->ready());
  pass(200'000);
  EXPECT_EQ(wifi->state(), WifiState::joined);
  EXPECT_FALSE(wifi->ready());
  air.has_dhcp = true;
  EXPECT_TRUE(until([&] { return wifi->ready(); }, 70'000));
}

// ---- Months --------------------------------------------------------------------------------------------------------

// An access point that comes and goes, and its DHCP server. The radio behaves like the cyw43 driver 1.1.0. Without an
// access point, an attempt ends with NONET after a scan. After a wrong passphrase, the access point sends a
// deauthentication with reason 2; the driver disassociates, and its status is DOWN. If the access point vanishes, the
// radio notices after some lost beacons, and its status is JOIN.
class PicoWifiMonths : public PicoWifi {
 protected:
  static constexpr Millis seen_within_ms = 30'000;

  std::mt19937 random{1};
  std::string key{passphrase};
  bool is_there = true;
  std::optional<mcp::lwip::MdnsResponder> responder;

  Millis between(Millis least, Millis most) { return least + static_cast<Millis>(random()) % (most - least + 1); }
  void after(Millis ms, std::function<void()> event) { events.emplace(now() + ms, std::move(event)); }

  void begin() {
    air.on_join = [this] {
      events.clear();
      air.joins.erase(air.joins.begin(), air.joins.end() - 1);
      after(between(200, 3'000), [this] {
        if (!is_there) {
          fake::join_status = CYW43_LINK_NONET;
        } else if (air.joins.back().passphrase == key) {
          fake::set_link(true);
        } else {
          lose_link(CYW43_LINK_DOWN);
        }
      });
    };
    start();
    ASSERT_TRUE(wifi->join(ssid, key));
    responder.emplace(*wifi, mcp::lwip::Announcement{.host = "boiler", .name = "Boiler"});
    listener = std::make_unique<mcp::lwip::TcpListener>(*wifi, pool, test::http_port);
  }
  void vanish() {
    is_there = false;
    air.has_dhcp = false;
    if (wifi->state() == WifiState::joined) after(between(100, 6'000), [] { lose_link(CYW43_LINK_JOIN); });
  }
  void come_back() {
    is_there = true;
    air.has_dhcp = true;
  }

  // Until the next event, timer of lwIP, or call that is due.
  void advance(Millis ms) {
    for (const Millis end = now() + ms; now() < end;) {
      if (!is_there) air.to_client.clear();
      turn();
      Millis wait = std::min(due, end - now());
      if (!events.empty() && events.begin()->first > now()) wait = std::min(wait, events.begin()->first - now());
      const Locked locked;
      wait = std::min(wait, sys_timeouts_sleeptime());
      now_us += std::max<Millis>(wait, 1) * std::uint64_t{1'000};
    }
  }

  // Whether a host in the network finds the board by its name, and is served, until `end`. The host repeats both.
  bool is_seen(Millis end) {
    while (now() < end) {
      if (finds_board() && is_served() && responder->hosts()[0] == "boiler.local") return true;
    }
    return false;
  }
  bool finds_board() {
    air.sent.clear();
    test::dns::Message question;
    question.questions.push_back({"boiler.local.", test::dns::a, test::dns::in});
    if (is_there && wifi->state() == WifiState::joined) air.to_board.push_back(query_frame(question));
    advance(250);
    return std::ranges::any_of(air.sent, [](const test::Udp& udp) {
      const auto message = udp.from_port == test::dns::port ? test::dns::read(udp.data) : std::nullopt;
      const auto* const record =
          message && message->is_answer() ? message->find("boiler.local.", test::dns::a) : nullptr;
      return record != nullptr && record->ttl != 0 && record->data == Bytes(air.lease.begin(), air.lease.end());
    });
  }
  bool is_served() {
    auto one = client();
    one->send("request");
    mcp::Connection* connection = nullptr;
    char bytes[16];
    const bool is_heard = until(
        [&] {
          if (connection == nullptr) connection = listener->accept();
          return connection != nullptr && connection->read(bytes).size == 7;
        },
        3'000);
    const bool is_answered = is_heard && connection->write(std::string_view("response")).size == 8 &&
                             until([&] { return one->received == "response"; }, 3'000);
    if (connection != nullptr) connection->close();
    end(one);
    return is_answered;
  }
  static Bytes query_frame(const test::dns::Message& message) {
    return test::udp_frame({.from_mac = {2, 0, 0, 0, 0, 2},
                            .to_mac = test::dns::group_mac,
                            .from = client_address,
                            .to = test::dns::group,
                            .from_port = test::dns::port,
                            .to_port = test::dns::port,
                            .data = test::dns::write(message)});
  }
};

// With the seed 1, and with one of today.
TEST_F(PicoWifiMonths, IsSeenAgainWithin30Seconds) {
  const auto today = static_cast<unsigned>(std::time(nullptr) / 86'400);
  air.lease_s = 1'800;  // it ends while the access point is away for an hour
  begin();
  ASSERT_TRUE(is_seen(now() + seen_within_ms));
  for (unsigned turn = 0; turn < 2'000; ++turn) {
    if (turn == 1'000) random.seed(today);
    SCOPED_TRACE("turn " + std::to_string(turn) + ", seed of today " + std::to_string(today));
    advance(between(1'000, 60'000));
    const unsigned kind = turn % 6;
    vanish();
    switch (kind) {
      case 0: advance(3'600'000); break;                // for an hour
      case 1: advance(between(1, 200)); break;          // another channel
      case 2: advance(between(1'000, 120'000)); break;  // it starts again, with another address for the board
      case 3: advance(between(10'000, 30'000)); break;  // with another passphrase
      case 4: lose_link(CYW43_LINK_DOWN); break;        // it disconnects the board
      default: advance(between(5'000, 300'000)); break;
    }
    come_back();
    if (kind == 2) air.lease[3] = static_cast<std::uint8_t>(air.lease[3] == 249 ? 3 : air.lease[3] + 2);
    if (kind == 3) {
      key = "passphrase " + std::to_string(turn);
      advance(60'000);
      ASSERT_EQ(wifi->error(), WifiError::rejected);
      ASSERT_TRUE(wifi->join(ssid, key));  // the person corrects it
    }
    ASSERT_TRUE(is_seen(now() + seen_within_ms));
  }
  responder.reset();
  listener.reset();
  advance(60'000);
  const Locked locked;
  test::expect_free_tcp_pools();
}

TEST_F(PicoWifi, RadioThatDoesNotRespondIsReported) {
  air.radio_works = false;
  start();
  EXPECT_FALSE(wifi->ok());
  EXPECT_EQ(wifi->error(), WifiError::radio);
  EXPECT_FALSE(wifi->join(ssid, passphrase));
  EXPECT_EQ(wifi->state(), WifiState::off);
  EXPECT_EQ(wifi->poll(now()), mcp::forever);
  EXPECT_FALSE(wifi->ready());
}

TEST_F(PicoWifi, JoinsNothingUnasked) {
  start();
  turn();
  EXPECT_EQ(wifi->state(), WifiState::off);
  EXPECT_TRUE(air.joins.empty());
}

TEST_F(PicoWifi, OverwritesThePassphrase) {
  alignas(Wifi) unsigned char memory[sizeof(Wifi)];
  Wifi* const one = new (memory) Wifi(entropy);
  ASSERT_TRUE(one->join(ssid, passphrase));
  const auto has = [&](std::string_view text) {
    return std::string_view(reinterpret_cast<const char*>(memory), sizeof memory).find(text) != std::string_view::npos;
  };
  EXPECT_TRUE(has(passphrase));
  ASSERT_TRUE(one->join(ssid, ""));
  EXPECT_FALSE(has(passphrase));
  ASSERT_TRUE(one->join(ssid, passphrase));
  one->leave();
  EXPECT_FALSE(has(passphrase));
  ASSERT_TRUE(one->join(ssid, passphrase));
  one->~Wifi();
  EXPECT_FALSE(has(passphrase));
}

}  // namespace

// ---- Of the access point --------------------------------------------------------------------------------------------

bool fake::works() { return air.radio_works; }

void fake::read_mac(std::uint8_t (&mac)[6]) {
  const std::uint8_t bytes[6] = {2, 0, 0, 0, 0, 1};
  std::copy(std::begin(bytes), std::end(bytes), mac);
}

int fake::join(std::string_view name, std::string_view key, std::uint32_t auth) {
  air.joins.push_back({std::string(name), std::string(key), auth, now()});
  air.on_join();
  return air.join_error;
}

void fake::receive() { give(air.to_board, cyw43_state.netif[CYW43_ITF_STA]); }

err_t fake::send(pbuf& frame) {
  if (netif_is_link_up(&cyw43_state.netif[CYW43_ITF_STA]) == 0) return ERR_IF;
  Bytes bytes = bytes_of(frame);
  if (auto udp = test::read_udp(bytes)) {
    if (udp->to_port == 67) answer_dhcp(*udp);
    air.sent.push_back(std::move(*udp));
  }
  air.to_client.push_back(std::move(bytes));
  return ERR_OK;
}

void fake::sleep(std::uint64_t until_ms) { air.slept_until_ms = until_ms; }

// ---- Of the pico-sdk and of lwIP ------------------------------------------------------------------------------------

extern "C" {

const absolute_time_t at_the_end_of_time = UINT64_MAX;
absolute_time_t get_absolute_time() { return now_us; }
std::uint32_t to_ms_since_boot(absolute_time_t time) { return static_cast<std::uint32_t>(time / 1'000); }
absolute_time_t make_timeout_time_ms(std::uint32_t ms) { return now_us + std::uint64_t{ms} * 1'000; }
bool best_effort_wfe_or_timeout(absolute_time_t) { return true; }
void __wfe() {}
void __sev() { ++events; }
void __dmb() {}

u32_t sys_now() { return now(); }
std::uint32_t test_random() {
  static std::uint32_t value = 1;
  return value = value * 1'664'525 + 1'013'904'223;
}
void test_core_is_locked() {
  if (fake::lock_depth == 0) ++unlocked_calls;
}
void mcp_assert_failed(const char* file, int line) {
  ADD_FAILURE() << file << ":" << line;
  std::abort();
}

}  // extern "C"
