// SPDX-License-Identifier: Apache-2.0
// FileRecords, WifiLink and Announcement, which the sketch Http uses together (sketches_test.cpp).
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "arduino_fakes.hpp"

// Last: their macros have names of the standard library.
#include <LEAmDNS.h>
#include <LittleFS.h>
#include <WiFi.h>
#include <mote_network.h>

namespace {

using mcp::RecordStatus;

class ArduinoRecords : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(files.opened, 0); }

  std::string load(std::string_view name, RecordStatus status = RecordStatus::ok, std::size_t most = 64) {
    std::string into(most, '\0');
    const mcp::RecordResult result = records.load(name, into);
    EXPECT_EQ(result.status, status);
    into.resize(status == RecordStatus::ok ? result.size : 0);
    return into;
  }

  FakeFiles files;
  mcp::arduino::FileRecords<FakeFiles> records_{files};
  mcp::Records& records = records_;
};

TEST_F(ArduinoRecords, KeepsValuesInFiles) {
  load("token", RecordStatus::not_found);
  EXPECT_EQ(records.save("token", std::string_view("one")), RecordStatus::ok);
  EXPECT_EQ(load("token"), "one");
  EXPECT_EQ(records.save("token", std::string(100, 'x')), RecordStatus::ok);
  EXPECT_EQ(load("token", RecordStatus::ok, 100), std::string(100, 'x'));
  EXPECT_EQ(records.save("token", std::string_view()), RecordStatus::ok);
  EXPECT_EQ(load("token", RecordStatus::ok, 0), "") << "an empty value is a value";
  EXPECT_EQ(files.content, (std::map<std::string, std::string>{{"/mote_token", ""}}));
  EXPECT_EQ(records.erase("token"), RecordStatus::ok);
  EXPECT_EQ(records.erase("token"), RecordStatus::not_found);
  load("token", RecordStatus::not_found);
  EXPECT_EQ(records.save("a_name_of_15_ch", std::string_view("x")), RecordStatus::ok);
  EXPECT_EQ(load("a_name_of_15_ch"), "x");
}

TEST_F(ArduinoRecords, WritesNothingForAnEqualValue) {
  const std::string value(33, 'x');
  EXPECT_EQ(records.save("token", value), RecordStatus::ok);
  EXPECT_EQ(records.save("token", value), RecordStatus::ok);
  EXPECT_EQ(files.writes, 1U);
  EXPECT_EQ(records.save("token", std::string(32, 'x') + 'y'), RecordStatus::ok);
  EXPECT_EQ(files.writes, 2U);
}

TEST_F(ArduinoRecords, AValueThatDoesNotFitKeepsTheOldOne) {
  EXPECT_EQ(records.save("token", std::string_view("old")), RecordStatus::ok);
  files.largest = 4;
  EXPECT_EQ(records.save("token", std::string_view("newer")), RecordStatus::full);
  EXPECT_EQ(load("token"), "old");
  EXPECT_EQ(records.load("token", {}).size, 3U);
  load("token", RecordStatus::too_large, 2);
}

TEST_F(ArduinoRecords, ReportsAFileSystemThatDoesNotWork) {
  EXPECT_EQ(records.save("token", std::string_view("old")), RecordStatus::ok);
  files.fails = true;
  load("token", RecordStatus::failed);
  EXPECT_EQ(records.save("token", std::string_view("new")), RecordStatus::failed);
  EXPECT_EQ(records.erase("token"), RecordStatus::failed);
}

TEST_F(ArduinoRecords, TheNetworkWithoutAPasswordIsOpen) {
  WiFiClass wifi;
  mcp::arduino::WifiLink link{wifi};
  EXPECT_FALSE(link.join(records, 0));
  EXPECT_FALSE(link.poll(100'000));
  EXPECT_EQ(wifi.begins, 0U);
  EXPECT_EQ(records.save("wifi_ssid", std::string(32, 's')), RecordStatus::ok);
  EXPECT_TRUE(link.join(records, 0));
  EXPECT_EQ(wifi.network, std::string(32, 's'));
  EXPECT_EQ(wifi.password, "(open)");
  EXPECT_TRUE(link.poll(1));
  EXPECT_FALSE(link.poll(2));
  EXPECT_TRUE(link.is_up());
  EXPECT_EQ(records.erase("wifi_ssid"), RecordStatus::ok);
  EXPECT_FALSE(link.join(records, 3));
  EXPECT_EQ(wifi.network, "") << "the board has left it";
  EXPECT_FALSE(link.is_up());
}

// Another network with this name could be one of an attacker.
TEST_F(ArduinoRecords, APasswordThatCannotBeReadMakesNoOpenNetwork) {
  WiFiClass wifi;
  mcp::arduino::WifiLink link{wifi};
  EXPECT_EQ(records.save("wifi_ssid", std::string_view("home")), RecordStatus::ok);
  EXPECT_EQ(records.save("wifi_password", std::string(65, 'p')), RecordStatus::ok);  // longer than any
  EXPECT_FALSE(link.join(records, 0));
  EXPECT_FALSE(link.poll(100'000));
  EXPECT_EQ(wifi.begins, 0U);
  EXPECT_EQ(records.save("wifi_password", std::string(64, 'f')), RecordStatus::ok);
  EXPECT_TRUE(link.join(records, 0));
  EXPECT_EQ(wifi.password, std::string(64, 'f'));
}

// A link that cannot join, with this status. Returns the seconds of its attempts within 5 minutes.
class ArduinoLink : public ArduinoRecords {
 protected:
  ArduinoLink() {
    EXPECT_EQ(records.save("wifi_ssid", std::string_view("home")), RecordStatus::ok);
    wifi.is_in_reach = false;
  }
  void pass(std::uint32_t until_ms) {
    for (; now_ms < until_ms; now_ms += 100) {
      const unsigned before = wifi.begins;
      link.poll(now_ms);
      if (wifi.begins != before) attempts.push_back(now_ms / 1'000);
    }
  }
  std::string reason() const { return std::string(link.report("").reason); }

  WiFiClass wifi;
  mcp::arduino::WifiLink<WiFiClass> link{wifi};
  std::uint32_t now_ms = 0;
  std::vector<std::uint32_t> attempts;
};

TEST_F(ArduinoLink, TriesForEverEvery15Seconds) {
  link.join(records, 0);
  pass(95'000);
  EXPECT_EQ(attempts, (std::vector<std::uint32_t>{15, 30, 45, 60, 75, 90}));
  EXPECT_EQ(link.report("").failures, 6U);
  EXPECT_EQ(reason(), "could not join");
  pass(300 * 15'000);
  EXPECT_EQ(attempts.size(), 299U);
  EXPECT_EQ(link.report("").failures, 255U);
}

TEST_F(ArduinoLink, TriesLessOftenAfterARejection) {
  wifi.status_without = WL_CONNECT_FAILED;
  link.join(records, 0);
  pass(1'900);
  EXPECT_EQ(link.report("").failures, 0U) << "the status may be that of the attempt before";
  pass(2'100);
  EXPECT_EQ(link.report("").failures, 1U);
  EXPECT_EQ(reason(), "rejected; is the password right?");
  pass(300'000);
  EXPECT_EQ(attempts, (std::vector<std::uint32_t>{30, 90, 150, 210, 270}));
  EXPECT_EQ(link.report("").failures, 6U);
  // Other values of the settings are used at once.
  link.join(records, now_ms);
  EXPECT_EQ(link.report("").failures, 0U);
  EXPECT_EQ(reason(), "");
}

TEST_F(ArduinoLink, ReportsItsNetwork) {
  using State = mcp::NetworkReport::State;
  EXPECT_EQ(link.report("").state, State::unset);
  wifi.status_without = WL_NO_SSID_AVAIL;
  link.join(records, 0);
  EXPECT_EQ(link.report("").state, State::joining);
  pass(20'000);
  EXPECT_EQ(reason(), "no network with this SSID");
  wifi.is_in_reach = true;
  pass(21'000);
  const mcp::NetworkReport joined = link.report("192.0.2.7");
  EXPECT_EQ(joined.state, State::joined);
  EXPECT_EQ(joined.address, "192.0.2.7");
  EXPECT_EQ(joined.failures, 0U);
  // A lost network is no failed attempt.
  wifi.is_in_reach = false;
  pass(21'500);
  EXPECT_EQ(link.report("").state, State::joining);
  EXPECT_EQ(link.report("").failures, 0U);
}

TEST(ArduinoNetwork, NamesThatCannotBeAnnouncedAreNotUpdated) {
  MDNSResponder mdns;
  mdns.fails = true;
  mcp::arduino::Announcement announcement{mdns};
  announcement.poll();
  EXPECT_FALSE(announcement.announce("led", 80));
  announcement.poll();
  EXPECT_EQ(mdns.updates, 0U);
  mdns.fails = false;
  EXPECT_TRUE(announcement.announce("led", 80));
  announcement.poll();
  EXPECT_EQ(mdns.updates, 1U);
}

}  // namespace
