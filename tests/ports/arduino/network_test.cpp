// SPDX-License-Identifier: Apache-2.0
// FileRecords, WifiLink and Announcement, which the sketch Http uses together (sketches_test.cpp).
#include <gtest/gtest.h>

#include <string>
#include <string_view>

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
