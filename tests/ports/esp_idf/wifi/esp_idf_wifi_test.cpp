// SPDX-License-Identifier: Apache-2.0
// mcp::esp_idf::Wifi against fakes of ESP-IDF: the test is the access point and the DHCP server. Time is a number.
#include "mcp/ports/esp_idf_wifi.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "fake_wifi.hpp"

using mcp::Millis;
using mcp::RecordStatus;
using mcp::esp_idf::Wifi;
using mcp::esp_idf::WifiError;
using mcp::esp_idf::WifiState;

namespace {

constexpr std::string_view ssid = "network";
constexpr std::string_view passphrase = "a passphrase";

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

class EspIdfWifi : public testing::Test {
 protected:
  std::optional<Wifi> wifi;
  Millis offset = 0;  // of the time that the object sees
  Millis due = 0;

  EspIdfWifi() {
    fake::wifi = {};
    fake::wifi.now_ms = 1'000;
  }

  [[nodiscard]] Millis now() const { return static_cast<Millis>(fake::wifi.now_ms) + offset; }
  void turn() { due = wifi->poll(now()); }
  /// Polls as a main loop does: after each event, and when the last poll() wants it.
  void pass(std::uint64_t ms) {
    const std::uint64_t end = fake::wifi.now_ms + ms;
    turn();
    while (fake::wifi.now_ms < end) {
      const std::uint64_t step = std::clamp<std::uint64_t>(due, 1, end - fake::wifi.now_ms);
      fake::wifi.pass(step, [this] { turn(); });
    }
  }
  bool until(const std::function<bool()>& is_so, std::uint64_t limit_ms = 20'000) {
    for (const std::uint64_t end = fake::wifi.now_ms + limit_ms; fake::wifi.now_ms < end; pass(100)) {
      turn();
      if (is_so()) return true;
    }
    return false;
  }
  void start() { wifi.emplace(mcp::esp_idf::WifiOptions{.host_name = "thermometer"}); }
  void connect() {
    start();
    ASSERT_TRUE(wifi->join(ssid, passphrase, now()));
    ASSERT_TRUE(until([this] { return wifi->ready(); }));
  }
  [[nodiscard]] std::string address() const {
    char text[16];
    return std::string(wifi->address(text));
  }
  /// The times between the attempts, in seconds, rounded down.
  static std::vector<unsigned> pauses() {
    std::vector<unsigned> all;
    const auto& at = fake::wifi.attempts;
    for (std::size_t i = 1; i < at.size(); ++i) all.push_back(static_cast<unsigned>((at[i] - at[i - 1]) / 1'000));
    return all;
  }
};

TEST_F(EspIdfWifi, JoinsAndHasTheAddressOfDhcp) {
  start();
  EXPECT_TRUE(wifi->ok());
  EXPECT_EQ(wifi->state(), WifiState::off);
  EXPECT_EQ(wifi->poll(now()), mcp::forever);
  EXPECT_TRUE(wifi->join(ssid, passphrase, now()));
  EXPECT_EQ(wifi->state(), WifiState::joining);
  pass(2'600);
  EXPECT_EQ(wifi->state(), WifiState::joined);
  EXPECT_FALSE(wifi->ready());
  EXPECT_EQ(address(), "");
  pass(600);
  EXPECT_TRUE(wifi->ready());
  EXPECT_EQ(address(), "192.168.1.23");
  EXPECT_EQ(wifi->error(), WifiError::none);
  EXPECT_EQ(fake::wifi.host_name, "thermometer");
  EXPECT_GE(fake::wifi.wakes, 2U) << "an event ends the sleep of the main loop";
}

TEST_F(EspIdfWifi, AddressNeedsSpaceForTheLongestOne) {
  fake::wifi.lease = 0xFFFFFFFF;
  connect();
  EXPECT_EQ(address(), "255.255.255.255");
  char small[15];
  EXPECT_EQ(wifi->address(small), "");
}

// esp_netif keeps the last address, and the event of the end comes before the next poll().
TEST_F(EspIdfWifi, ALinkThatHasEndedHasNoAddress) {
  fake::wifi.keeps_last_ip = true;
  connect();
  fake::wifi.lose();
  fake::wifi.pass(10);
  EXPECT_FALSE(wifi->ready());
  EXPECT_EQ(address(), "");
  fake::wifi.lease = 0x0A00000A;
  pass(10);
  EXPECT_EQ(wifi->state(), WifiState::waiting);
  EXPECT_EQ(wifi->error(), WifiError::lost);
  ASSERT_TRUE(until([this] { return wifi->ready(); }));
  EXPECT_EQ(address(), "10.0.0.10");
}

// The link of the new network has the flag and the address of the old one until the driver has left it.
TEST_F(EspIdfWifi, AnotherNetworkReplacesTheFirstOne) {
  connect();
  fake::wifi.ssid = "other";
  fake::wifi.lease = 0x0A00000A;
  fake::wifi.event_ms = 900;
  ASSERT_TRUE(wifi->join("other", passphrase, now()));
  EXPECT_FALSE(wifi->ready());
  pass(500);
  EXPECT_EQ(wifi->state(), WifiState::waiting);
  EXPECT_EQ(wifi->error(), WifiError::none) << "no link was lost";
  EXPECT_EQ(address(), "");
  ASSERT_TRUE(until([this] { return wifi->ready(); }));
  EXPECT_EQ(address(), "10.0.0.10");
}

TEST_F(EspIdfWifi, AnEndThatIsReportedLateDelaysTheNextAttempt) {
  connect();
  const std::size_t before = fake::wifi.attempts.size();
  fake::wifi.ssid = "other";
  fake::wifi.event_ms = 2'500;
  ASSERT_TRUE(wifi->join("other", passphrase, now()));
  pass(2'400);
  EXPECT_EQ(fake::wifi.attempts.size(), before) << "the driver still reports the old link";
  EXPECT_EQ(wifi->failures(), 0U);
  EXPECT_FALSE(wifi->ready());
  fake::wifi.event_ms = 5;
  EXPECT_TRUE(until([this] { return wifi->ready(); }));
}

TEST_F(EspIdfWifi, TriesAgainAfterOneSecondDoubledToSixty) {
  fake::wifi.is_in_reach = false;
  fake::wifi.join_ms = 0;
  start();
  ASSERT_TRUE(wifi->join(ssid, passphrase, now()));
  pass(400'000);
  std::vector<unsigned> all = pauses();
  ASSERT_GE(all.size(), 10U);
  all.resize(10);
  EXPECT_EQ(all, (std::vector<unsigned>{1, 2, 4, 8, 16, 32, 60, 60, 60, 60}));
  EXPECT_EQ(wifi->error(), WifiError::no_network);
  EXPECT_GE(wifi->failures(), 10U);
  pass(20'000'000);
  EXPECT_EQ(wifi->failures(), 255U);
  fake::wifi.is_in_reach = true;
  EXPECT_TRUE(until([this] { return wifi->ready(); }));
  EXPECT_EQ(wifi->failures(), 0U);
}

TEST_F(EspIdfWifi, BackoffRestartsAfterThirtySecondsWithAnAddress) {
  fake::wifi.is_in_reach = false;
  start();
  ASSERT_TRUE(wifi->join(ssid, passphrase, now()));
  pass(60'000);
  fake::wifi.is_in_reach = true;
  ASSERT_TRUE(until([this] { return wifi->ready(); }, 70'000));
  for (const bool is_stable : {false, true}) {
    pass(is_stable ? 31'000 : 28'000);
    const std::uint64_t lost = fake::wifi.now_ms;
    fake::wifi.lose();
    pass(10);
    ASSERT_FALSE(wifi->ready());
    ASSERT_TRUE(until([this] { return wifi->ready(); }, 70'000));
    const std::uint64_t pause = fake::wifi.attempts.back() - lost;
    if (is_stable) {
      EXPECT_LT(pause, 1'200U);
    } else {
      EXPECT_GT(pause, 15'000U);
    }
  }
}

TEST_F(EspIdfWifi, TellsWhyItCannotJoin) {
  const struct {
    std::uint8_t reason;
    WifiError error;
  } cases[] = {{WIFI_REASON_NO_AP_FOUND, WifiError::no_network},
               {WIFI_REASON_NO_AP_FOUND_IN_RSSI_THRESHOLD, WifiError::no_network},
               {WIFI_REASON_4WAY_HANDSHAKE_TIMEOUT, WifiError::wrong_password},
               {WIFI_REASON_HANDSHAKE_TIMEOUT, WifiError::wrong_password},
               {WIFI_REASON_AUTH_FAIL, WifiError::wrong_password},
               {WIFI_REASON_NO_AP_FOUND_W_COMPATIBLE_SECURITY, WifiError::security},
               {WIFI_REASON_NO_AP_FOUND_IN_AUTHMODE_THRESHOLD, WifiError::security},
               {WIFI_REASON_ASSOC_TOOMANY, WifiError::failed},
               {WIFI_REASON_AUTH_EXPIRE, WifiError::failed},
               {WIFI_REASON_CONNECTION_FAIL, WifiError::failed}};
  for (const auto& each : cases) {
    fake::wifi = {};
    fake::wifi.refusal = each.reason;
    start();
    ASSERT_TRUE(wifi->join(ssid, passphrase, now()));
    pass(3'000);
    EXPECT_EQ(wifi->error(), each.error) << int{each.reason};
    EXPECT_EQ(wifi->state(), WifiState::waiting);
    wifi.reset();
  }
}

TEST_F(EspIdfWifi, AWrongPassphraseIsToldApartAndTheRightOneJoins) {
  start();
  ASSERT_TRUE(wifi->join(ssid, "another phrase", now()));
  pass(3'000);
  EXPECT_EQ(wifi->error(), WifiError::wrong_password);
  EXPECT_GE(wifi->failures(), 1U);
  ASSERT_TRUE(wifi->join(ssid, passphrase, now()));
  EXPECT_EQ(wifi->failures(), 0U) << "of the network before";
  EXPECT_EQ(wifi->error(), WifiError::none) << "of the passphrase before";
  EXPECT_TRUE(until([this] { return wifi->ready(); }));
}

TEST_F(EspIdfWifi, WithAPassphraseItJoinsNoOpenNetwork) {
  fake::wifi.password.clear();
  start();
  ASSERT_TRUE(wifi->join(ssid, passphrase, now()));
  pass(30'000);
  EXPECT_EQ(wifi->error(), WifiError::security);
  EXPECT_EQ(fake::wifi.sta == fake::Wifi::Sta::connected, false);
  ASSERT_TRUE(wifi->join(ssid, "", now()));
  EXPECT_TRUE(until([this] { return wifi->ready(); }));
}

TEST_F(EspIdfWifi, TheDriverKeepsThePassphraseInRamOnly) {
  connect();
  EXPECT_EQ(fake::wifi.storage, WIFI_STORAGE_RAM);
  EXPECT_EQ(fake::wifi.nvs_enable, 0);
}

TEST_F(EspIdfWifi, AnAttemptWithoutAnEndTimesOut) {
  fake::wifi.is_silent = true;
  start();
  ASSERT_TRUE(wifi->join(ssid, passphrase, now()));
  pass(19'900);
  EXPECT_EQ(wifi->state(), WifiState::joining);
  pass(1'000);
  EXPECT_EQ(wifi->state(), WifiState::waiting);
  EXPECT_EQ(wifi->error(), WifiError::timed_out);
  fake::wifi.is_silent = false;
  EXPECT_TRUE(until([this] { return wifi->ready(); }));
}

TEST_F(EspIdfWifi, ALinkWithoutAnAddressIsLeftAfterAMinute) {
  fake::wifi.has_dhcp = false;
  start();
  ASSERT_TRUE(wifi->join(ssid, passphrase, now()));
  pass(60'000);
  EXPECT_EQ(wifi->state(), WifiState::joined);
  pass(4'000);
  EXPECT_EQ(wifi->error(), WifiError::no_address);
  fake::wifi.has_dhcp = true;
  EXPECT_TRUE(until([this] { return wifi->ready(); }));
}

TEST_F(EspIdfWifi, ALeaseThatEndsIsAnAddressLess) {
  connect();
  fake::wifi.netif.ip = 0;
  EXPECT_FALSE(wifi->ready());
  pass(59'000);
  EXPECT_EQ(wifi->state(), WifiState::joined);
  pass(5'000);
  EXPECT_TRUE(until([this] { return wifi->ready(); }));
}

TEST_F(EspIdfWifi, ALostEventOfTheAddressCostsNothing) {
  fake::wifi.loses_got_ip = true;
  connect();
  EXPECT_EQ(address(), "192.168.1.23");
}

// The driver may join again by itself, to another access point of the network.
TEST_F(EspIdfWifi, ALinkThatTheDriverRestoresIsUsed) {
  connect();
  const std::size_t attempts = fake::wifi.attempts.size();
  fake::wifi.lose(WIFI_REASON_ROAMING);
  pass(100);
  EXPECT_FALSE(wifi->ready());
  fake::wifi.sta = fake::Wifi::Sta::connected;
  fake::wifi.post(WIFI_EVENT, WIFI_EVENT_STA_CONNECTED);
  pass(700);
  EXPECT_TRUE(wifi->ready());
  EXPECT_EQ(fake::wifi.attempts.size(), attempts);
}

TEST_F(EspIdfWifi, JoinTakesATimeBeforeThatOfThePoll) {
  for (const Millis wrap : {0U, 0xFFFF'F000U}) {
    fake::wifi = {};
    offset = wrap;
    start();
    fake::wifi.now_ms = 10'000;
    turn();
    ASSERT_TRUE(wifi->join(ssid, passphrase, now() - 3'000));
    pass(1'000);
    EXPECT_EQ(wifi->state(), WifiState::joining) << "the attempt has not timed out";
    EXPECT_TRUE(until([this] { return wifi->ready(); }));
    // Also for a poll() that comes with an older time.
    static_cast<void>(wifi->poll(now() - 5'000));
    EXPECT_TRUE(wifi->ready());
    ASSERT_TRUE(wifi->join(ssid, passphrase, now() - 5'000));
    const std::size_t attempts = fake::wifi.attempts.size();
    pass(900);
    EXPECT_EQ(fake::wifi.attempts.size(), attempts) << "the back-off has not ended";
    EXPECT_TRUE(until([this] { return wifi->ready(); }));
    wifi.reset();
  }
}

TEST_F(EspIdfWifi, ErrorsOfTheDriverAreTriedAgain) {
  start();
  fake::wifi.connect = ESP_ERR_WIFI_CONN;
  ASSERT_TRUE(wifi->join(ssid, passphrase, now()));
  EXPECT_EQ(wifi->error(), WifiError::radio);
  EXPECT_EQ(wifi->state(), WifiState::waiting);
  pass(5'000);
  fake::wifi.connect = ESP_OK;
  fake::wifi.set_config = ESP_ERR_WIFI_STATE;
  pass(10'000);
  EXPECT_EQ(wifi->error(), WifiError::radio);
  fake::wifi.set_config = ESP_OK;
  EXPECT_TRUE(until([this] { return wifi->ready(); }, 60'000));
}

TEST_F(EspIdfWifi, WithoutARadioItIsOff) {
  esp_err_t fake::Wifi::*const failures[] = {&fake::Wifi::init, &fake::Wifi::start, &fake::Wifi::handler,
                                             &fake::Wifi::loop, &fake::Wifi::interface_init};
  for (const auto failure : failures) {
    fake::wifi = {};
    fake::wifi.*failure = ESP_FAIL;
    start();
    EXPECT_FALSE(wifi->ok());
    EXPECT_EQ(wifi->error(), WifiError::radio);
    EXPECT_FALSE(wifi->join(ssid, passphrase, now()));
    EXPECT_EQ(wifi->poll(now()), mcp::forever);
    EXPECT_FALSE(wifi->ready());
    wifi.reset();
    EXPECT_TRUE(fake::wifi.handlers.empty());
  }
  fake::wifi = {};
  fake::wifi.has_interface = false;
  start();
  EXPECT_FALSE(wifi->ok());
  wifi.reset();
  fake::wifi = {};
  fake::wifi.loop = ESP_ERR_INVALID_STATE;
  start();
  EXPECT_TRUE(wifi->ok()) << "the application has created the event loop";
}

TEST_F(EspIdfWifi, RejectsInvalidNetworks) {
  start();
  const std::string long_ssid(33, 's');
  const std::string key(64, 'a');
  const std::string no_key = std::string(63, 'a') + 'g';
  EXPECT_FALSE(wifi->join("", passphrase, now()));
  EXPECT_FALSE(wifi->join(long_ssid, passphrase, now()));
  EXPECT_FALSE(wifi->join(std::string_view("a\0b", 3), passphrase, now()));
  EXPECT_FALSE(wifi->join(ssid, "1234567", now()));
  EXPECT_FALSE(wifi->join(ssid, no_key, now()));
  EXPECT_FALSE(wifi->join(ssid, std::string(65, 'a'), now()));
  EXPECT_EQ(wifi->state(), WifiState::off);
  EXPECT_TRUE(fake::wifi.attempts.empty());
  EXPECT_TRUE(wifi->join(std::string(32, 's'), key, now()));
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(fake::wifi.config.sta.password), 64), key);
  EXPECT_EQ(fake::wifi.config.sta.ssid[31], 's');
}

TEST_F(EspIdfWifi, NamesOfTheDhcpClientAreChecked) {
  for (const std::string_view name : {std::string_view("no name"), std::string_view(), std::string_view("-")}) {
    fake::wifi = {};
    wifi.emplace(mcp::esp_idf::WifiOptions{.host_name = name});
    EXPECT_EQ(fake::wifi.host_name, "");
  }
  const std::string longest(32, 'n');
  wifi.emplace(mcp::esp_idf::WifiOptions{.host_name = longest});
  EXPECT_EQ(fake::wifi.host_name, longest);
  const std::string too_long(33, 'm');
  wifi.emplace(mcp::esp_idf::WifiOptions{.host_name = too_long});
  EXPECT_EQ(fake::wifi.host_name, longest);
}

TEST_F(EspIdfWifi, JoinsTheNetworkOfRecords) {
  TwoRecords records;
  start();
  EXPECT_FALSE(wifi->join(records, now())) << "no SSID";
  records.name = ssid;
  records.key = passphrase;
  records.key_status = RecordStatus::failed;
  EXPECT_FALSE(wifi->join(records, now())) << "an unreadable passphrase is no open network";
  records.key_status = RecordStatus::ok;
  records.key = std::string(65, 'a');
  EXPECT_FALSE(wifi->join(records, now())) << "too large";
  records.key = passphrase;
  EXPECT_TRUE(wifi->join(records, now()));
  EXPECT_TRUE(until([this] { return wifi->ready(); }));
  fake::wifi.password.clear();
  records.key.reset();
  EXPECT_TRUE(wifi->join(records, now()));
  EXPECT_TRUE(until([this] { return wifi->ready(); }));
}

TEST_F(EspIdfWifi, LeavesTheNetworkForGood) {
  connect();
  wifi->leave();
  EXPECT_FALSE(wifi->ready());
  EXPECT_EQ(wifi->state(), WifiState::off);
  const std::size_t attempts = fake::wifi.attempts.size();
  pass(200'000);
  EXPECT_EQ(fake::wifi.attempts.size(), attempts);
  EXPECT_FALSE(wifi->ready());
  ASSERT_TRUE(wifi->join(ssid, passphrase, now()));
  EXPECT_TRUE(until([this] { return wifi->ready(); }));
  fake::wifi = {};
  wifi.reset();
  start();
  wifi->leave();
  EXPECT_EQ(wifi->state(), WifiState::off);
}

// Access points vanish for up to an hour, refuse, are silent, have no DHCP, report late, change the address, the
// network or the passphrase, and the driver fails.
TEST_F(EspIdfWifi, IsBackAfterEachOf3000Losses) {
  connect();
  std::mt19937 random(1);
  const auto below = [&](unsigned most) { return static_cast<unsigned>(random() % most); };
  for (int loss = 0; loss < 3'000; ++loss) {
    fake::Wifi& air = fake::wifi;
    air.event_ms = below(8) == 0 ? below(3'000) : below(50);
    if (below(4) != 0) pass(below(60'000));
    switch (below(8)) {
      case 0: air.is_in_reach = false; break;
      case 1: air.refusal = static_cast<std::uint8_t>(1 + below(212)); break;
      case 2: air.is_silent = true; break;
      case 3: air.has_dhcp = false; break;
      case 4: air.connect = ESP_FAIL; break;
      case 5: air.set_config = ESP_FAIL; break;
      case 6: air.loses_got_ip = true; break;
      default: air.ssid = "changed"; break;
    }
    air.join_ms = below(5'000);
    if (below(4) != 0) air.lose(static_cast<std::uint8_t>(1 + below(212)));
    pass(below(20) == 0 ? below(3'600'000) : below(120'000));
    if (air.sta != fake::Wifi::Sta::connected) {
      ASSERT_FALSE(wifi->ready() && air.event_ms < 20) << loss;
    }
    air.is_in_reach = air.has_dhcp = true;
    air.is_silent = air.loses_got_ip = false;
    air.refusal = 0;
    air.connect = air.set_config = ESP_OK;
    air.ssid = ssid;
    air.lease += 0x01000000;
    if (below(16) == 0) {
      air.password += 'x';
      ASSERT_TRUE(wifi->join(ssid, air.password, now() - below(10'000)));
      if (air.password.size() > 60) air.password.assign(passphrase), air.lose(), wifi->join(ssid, passphrase, now());
    }
    // The longest back-off, an attempt that times out, and one that joins.
    ASSERT_TRUE(until([this] { return wifi->ready(); }, 60'000 + 20'000 + 60'000 + 20'000)) << loss;
    offset += below(0x1000'0000);  // the time wraps now and then, after a long sleep
  }
  EXPECT_GT(offset, 0U);
}

}  // namespace
