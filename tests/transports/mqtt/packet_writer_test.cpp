// SPDX-License-Identifier: Apache-2.0
// The packets of a client, byte by byte, and in buffers of each size. mqtt-packet reads them in differential.mjs.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "mcp/mqtt/packet_writer.hpp"
#include "transports/mqtt/hex.hpp"

namespace {

using namespace mcp::mqtt;
using test::from_hex;
using test::to_hex;

using Write = std::function<std::size_t(std::span<char>)>;

/// Writes a packet into a buffer of exactly its size, and checks that every smaller buffer is too small.
std::string written(const Write& write) {
  std::vector<char> large(1024);
  const std::size_t size = write(large);
  for (std::size_t smaller = 0; smaller < size; ++smaller) {
    std::vector<char> buffer(smaller);
    EXPECT_EQ(write(buffer), 0u) << "in " << smaller << " bytes";
  }
  std::vector<char> buffer(size);
  EXPECT_EQ(write(buffer), size);
  return to_hex({buffer.data(), buffer.size()});
}

std::string hex(std::string_view text) { return to_hex(from_hex(text)); }

constexpr UserProperty properties[] = {{"a", "b"}, {"", "cd"}};
const std::string long_text(0x10000, 'x');

// ---- CONNECT, section 3.1 ------------------------------------------------------------------------------------------

TEST(MqttWriter, WritesTheSmallestConnect) {
  EXPECT_EQ(written([](std::span<char> out) { return write_connect(out, {.client_id = ""}); }),
            hex("10 10 00 04 4D 51 54 54 05 02 00 3C 03 21 FF FF 00 00"));
}

TEST(MqttWriter, WritesConnectWithEachMember) {
  const Will will{.topic = "w/t", .payload = "bye", .qos = 1, .retain = true};
  const Connect connect{.client_id = "dev",
                        .keep_alive_s = 0x1234,
                        .receive_maximum = 4,
                        .max_packet_size = 2048,
                        .user_properties = properties,
                        .will = &will,
                        .user_name = "u",
                        .password = std::string_view("\0p", 2)};
  EXPECT_EQ(written([&](std::span<char> out) { return write_connect(out, connect); }),
            hex("10 38 00 04 4D 51 54 54 05 EE 12 34"
                "16 21 00 04 27 00 00 08 00 26 00 01 61 00 01 62 26 00 00 00 02 63 64"
                "00 03 64 65 76"
                "00 00 03 77 2F 74 00 03 62 79 65"
                "00 01 75 00 02 00 70"));
}

// 3.1.2.3: the flags, and what is missing without them.
TEST(MqttWriter, WritesTheFlagsOfConnect) {
  const Will qos_0{.topic = "w", .qos = 0};
  const Will qos_2{.topic = "w", .qos = 2};
  EXPECT_EQ(written([&](std::span<char> out) { return write_connect(out, {.client_id = "", .will = &qos_0}); }),
            hex("10 16 00 04 4D 51 54 54 05 06 00 3C 03 21 FF FF 00 00 00 00 01 77 00 00"));
  EXPECT_EQ(written([&](std::span<char> out) { return write_connect(out, {.client_id = "", .will = &qos_2}); }),
            hex("10 16 00 04 4D 51 54 54 05 16 00 3C 03 21 FF FF 00 00 00 00 01 77 00 00"));
  EXPECT_EQ(written([](std::span<char> out) { return write_connect(out, {.client_id = "", .user_name = ""}); }),
            hex("10 12 00 04 4D 51 54 54 05 82 00 3C 03 21 FF FF 00 00 00 00"));
  EXPECT_EQ(written([](std::span<char> out) { return write_connect(out, {.client_id = "", .password = "p"}); }),
            hex("10 13 00 04 4D 51 54 54 05 42 00 3C 03 21 FF FF 00 00 00 01 70"));
}

// The lengths of the properties and of the packet have two bytes.
TEST(MqttWriter, WritesLengthsOfTwoBytes) {
  const std::string value(125, 'v');
  const UserProperty one[] = {{"", value}};
  const std::string expected =
      hex("10 93 01 00 04 4D 51 54 54 05 02 00 3C 85 01 21 FF FF 26 00 00 00 7D") + to_hex(value) + hex("00 00");
  EXPECT_EQ(written([&](std::span<char> out) { return write_connect(out, {.client_id = "", .user_properties = one}); }),
            expected);
}

// ---- PUBLISH, section 3.3 ------------------------------------------------------------------------------------------

TEST(MqttWriter, WritesPublishHeads) {
  EXPECT_EQ(written([](std::span<char> out) { return write_publish_head(out, {.topic = "a"}, 0); }),
            hex("30 04 00 01 61 00"));
  EXPECT_EQ(written([](std::span<char> out) {
              return write_publish_head(out, {.topic = "a", .qos = 1, .packet_id = 0x0102}, 2);
            }),
            hex("32 08 00 01 61 01 02 00"));
  EXPECT_EQ(written([](std::span<char> out) {
              return write_publish_head(out, {.topic = "a", .qos = 2, .retain = true, .packet_id = 9}, 0);
            }),
            hex("35 06 00 01 61 00 09 00"));
  const PublishHead all{.topic = "a/b",
                        .packet_id = 7,  // not written for QoS 0
                        .user_properties = properties};
  EXPECT_EQ(written([&](std::span<char> out) { return write_publish_head(out, all, 100); }),
            hex("30 78 00 03 61 2F 62 0E 26 00 01 61 00 01 62 26 00 00 00 02 63 64"));
}

// 1.5.5: the remaining length counts the payload.
TEST(MqttWriter, WritesRemainingLengthsOfEachSize) {
  const PublishHead head{.topic = "a"};
  const struct {
    std::size_t payload;
    const char* head;
  } rows[] = {
      {123, "30 7F 00 01 61 00"},
      {124, "30 80 01 00 01 61 00"},
      {16'379, "30 FF 7F 00 01 61 00"},
      {16'380, "30 80 80 01 00 01 61 00"},
      {2'097'147, "30 FF FF 7F 00 01 61 00"},
      {2'097'148, "30 80 80 80 01 00 01 61 00"},
      {268'435'451, "30 FF FF FF 7F 00 01 61 00"},
  };
  for (const auto& row : rows) {
    const std::string bytes = written([&](std::span<char> out) { return write_publish_head(out, head, row.payload); });
    EXPECT_EQ(bytes, hex(row.head)) << row.payload;
  }
  for (const std::size_t payload : {std::size_t{268'435'452}, SIZE_MAX - 10, SIZE_MAX}) {
    std::array<char, 64> buffer{};
    EXPECT_EQ(write_publish_head(buffer, head, payload), 0u) << payload;
  }
}

// ---- The other packets ---------------------------------------------------------------------------------------------

TEST(MqttWriter, WritesPuback) {
  EXPECT_EQ(written([](std::span<char> out) { return write_puback(out, 0x0102); }), hex("40 02 01 02"));
  EXPECT_EQ(written([](std::span<char> out) { return write_puback(out, 1, Reason::quota_exceeded); }),
            hex("40 03 00 01 97"));
}

// 3.8.3.1: the bits of the options.
TEST(MqttWriter, WritesSubscribe) {
  const Subscription subscriptions[] = {
      {.filter = "a"},
      {.filter = "b/+", .qos = 1, .no_local = true},
      {.filter = "#", .qos = 2, .retain_as_published = true, .retain_handling = RetainHandling::send_if_new},
      {.filter = "c", .retain_handling = RetainHandling::omit},
  };
  EXPECT_EQ(written([&](std::span<char> out) { return write_subscribe(out, 0x0A0B, subscriptions); }),
            hex("82 15 0A 0B 00 00 01 61 00 00 03 62 2F 2B 05 00 01 23 1A 00 01 63 20"));
}

TEST(MqttWriter, WritesUnsubscribe) {
  const std::string_view filters[] = {"a", "b/#"};
  EXPECT_EQ(written([&](std::span<char> out) { return write_unsubscribe(out, 2, filters); }),
            hex("A2 0B 00 02 00 00 01 61 00 03 62 2F 23"));
}

TEST(MqttWriter, WritesPingreqAndDisconnect) {
  EXPECT_EQ(written([](std::span<char> out) { return write_pingreq(out); }), hex("C0 00"));
  EXPECT_EQ(written([](std::span<char> out) { return write_disconnect(out); }), hex("E0 00"));
  EXPECT_EQ(written([](std::span<char> out) { return write_disconnect(out, Reason::disconnect_with_will); }),
            hex("E0 01 04"));
  EXPECT_EQ(written([](std::span<char> out) { return write_disconnect(out, Reason::malformed_packet); }),
            hex("E0 01 81"));
}

// ---- Errors --------------------------------------------------------------------------------------------------------

// 3.8.3 and 3.10.3.
TEST(MqttWriter, RejectsEmptyLists) {
  std::array<char, 64> buffer{};
  EXPECT_EQ(write_subscribe(buffer, 1, {}), 0u);
  EXPECT_EQ(write_unsubscribe(buffer, 1, {}), 0u);
}

// 1.5.4: a string has at most 65535 bytes.
TEST(MqttWriter, RejectsLongStrings) {
  std::vector<char> buffer(200'000);
  const std::string_view longest = std::string_view(long_text).substr(1);
  const Will good{.topic = longest, .payload = longest};
  EXPECT_NE(write_connect(buffer, {.client_id = "", .will = &good}), 0u);
  EXPECT_NE(write_connect(buffer, {.client_id = longest, .user_name = longest}), 0u);

  const UserProperty names[] = {{long_text, ""}};
  const UserProperty values[] = {{"", long_text}};
  const Will wills[] = {{.topic = long_text}, {.topic = "w", .payload = long_text}};
  for (const Will& will : wills) EXPECT_EQ(write_connect(buffer, {.client_id = "", .will = &will}), 0u);
  EXPECT_EQ(write_connect(buffer, {.client_id = long_text}), 0u);
  EXPECT_EQ(write_connect(buffer, {.client_id = "", .user_name = long_text}), 0u);
  EXPECT_EQ(write_connect(buffer, {.client_id = "", .password = long_text}), 0u);
  for (const PublishHead& head : {PublishHead{.topic = long_text}, PublishHead{.topic = "a", .user_properties = names},
                                  PublishHead{.topic = "a", .user_properties = values}}) {
    EXPECT_EQ(write_publish_head(buffer, head, 0), 0u);
  }
  const Subscription subscriptions[] = {{.filter = long_text}};
  EXPECT_EQ(write_subscribe(buffer, 1, subscriptions), 0u);
  const std::string_view filters[] = {long_text};
  EXPECT_EQ(write_unsubscribe(buffer, 1, filters), 0u);
}

}  // namespace
