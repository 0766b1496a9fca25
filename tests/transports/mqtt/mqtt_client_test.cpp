// SPDX-License-Identifier: Apache-2.0
// The MQTT client on one connection, with the bytes of a broker.
#include "mcp/mqtt/mqtt_client.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "support/http_client.hpp"
#include "support/mqtt_wire.hpp"

namespace {

using mcp::mqtt::PacketType;
using mcp::mqtt::Problem;
using mcp::mqtt::Reason;
using test::mqtt_number;
using test::mqtt_packet;
using test::mqtt_puback;
using Event = mcp::mqtt::Client::Event;

constexpr std::string_view bye_of_fault("\xE0\x01\x82", 3);  // DISCONNECT with "protocol error"

// A PUBLISH of the broker.
std::string message(unsigned qos, unsigned packet_id, const std::string& topic = "t") {
  return test::mqtt_publish({topic, "p", qos, false, {}}, packet_id);
}

class MqttClientTest : public testing::Test {
 protected:
  [[nodiscard]] Event poll() { return client_.poll(now_); }
  void give(std::string_view bytes) { connection_.wire.give(bytes); }
  std::string taken() { return connection_.wire.take(); }
  void open() {
    client_.open(connection_, now_);
    ASSERT_TRUE(client_.connect(memory_, {.client_id = "c", .max_packet_size = max_packet_size_}));
    ASSERT_EQ(poll(), Event::none);
    ASSERT_NE(taken(), "");
  }
  // `properties` of CONNACK.
  void connect(std::string_view properties = "") {
    open();
    give(mqtt_packet(0x20, std::string(2, '\0') + test::mqtt_varint(properties.size()) + std::string(properties)));
    ASSERT_EQ(poll(), Event::connected);
  }
  // Sends `bytes` to the client, which gives up the connection.
  void expect_fault(std::string_view bytes) {
    give(bytes);
    EXPECT_EQ(poll(), Event::ended);
    EXPECT_EQ(client_.problem(), Problem::fault);
    EXPECT_EQ(client_.reason(), Reason::protocol_error);
    EXPECT_EQ(taken(), bye_of_fault);
    EXPECT_TRUE(connection_.released());
  }
  // Reads a message of the broker to its end, without an acknowledgement.
  void take_message() {
    give(message(1, 9));
    ASSERT_EQ(poll(), Event::message);
    ASSERT_EQ(poll(), Event::payload);
    ASSERT_EQ(poll(), Event::message_end);
  }
  [[nodiscard]] bool publish(std::string_view payload = "x") {
    return client_.publish({.topic = "t", .qos = 1}, payload);
  }

  char head_[64];
  char out_[64];
  char memory_[64];
  mcp::mqtt::Flight flights_[3];
  mcp::mqtt::Client client_{head_, out_, flights_};
  test::FakeConnection connection_;
  mcp::Millis now_ = 1000;
  std::uint32_t max_packet_size_ = UINT32_MAX;
};

TEST_F(MqttClientTest, HasNothingToDoWithoutAConnection) {
  EXPECT_FALSE(client_.can_send());
  EXPECT_EQ(poll(), Event::none);
  EXPECT_EQ(client_.due(now_), mcp::forever);
  connect();
  EXPECT_EQ(client_.due(now_), 45'000U);
  client_.close();
  EXPECT_FALSE(client_.can_send());
  EXPECT_EQ(poll(), Event::none);
  EXPECT_EQ(client_.due(now_), mcp::forever);
  EXPECT_FALSE(connection_.misused());
}

TEST_F(MqttClientTest, SendsNoConnectThatIsLongerThanItsMemory) {
  client_.open(connection_, now_);
  EXPECT_FALSE(client_.connect(std::span(memory_).first(8), {.client_id = "c"}));
  EXPECT_EQ(poll(), Event::none);
  EXPECT_EQ(taken(), "");
}

// ---- Limits ---------------------------------------------------------------------------------------------------------

TEST_F(MqttClientTest, RejectsAPacketAboveTheLimitOfItsConnect) {
  const std::string packet = message(1, 9);
  max_packet_size_ = static_cast<std::uint32_t>(packet.size());
  connect();
  give(packet);
  EXPECT_EQ(poll(), Event::message);
  client_.close();
  --max_packet_size_;
  connect();
  give(packet);
  EXPECT_EQ(poll(), Event::ended);
  EXPECT_EQ(client_.reason(), Reason::packet_too_large);
}

TEST_F(MqttClientTest, PublishesUpToTheReceiveMaximum) {
  connect(std::string_view("\x21\0\x01", 3));
  EXPECT_TRUE(publish());
  EXPECT_EQ(poll(), Event::none);
  EXPECT_NE(taken(), "");
  EXPECT_FALSE(publish());
  EXPECT_EQ(poll(), Event::none);
  EXPECT_EQ(taken(), "");
  give(mqtt_puback(1, 0));
  EXPECT_EQ(poll(), Event::acknowledged);
  EXPECT_TRUE(publish());
}

TEST_F(MqttClientTest, LeavesOnePacketForSubscriptions) {
  connect();
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(publish());
    EXPECT_EQ(poll(), Event::none);
  }
  EXPECT_FALSE(client_.can_publish());
  EXPECT_TRUE(client_.can_subscribe());
  EXPECT_TRUE(client_.subscribe({.filter = "a"}));
  EXPECT_EQ(poll(), Event::none);
  taken();
  EXPECT_FALSE(client_.can_subscribe());
  EXPECT_FALSE(client_.subscribe({.filter = "b"}));
  EXPECT_FALSE(client_.unsubscribe("a"));
  EXPECT_EQ(poll(), Event::none);
  EXPECT_EQ(taken(), "");
}

TEST_F(MqttClientTest, SendsNoFilterThatIsLongerThanItsMemory) {
  connect();
  const std::string filter(sizeof out_, 'f');
  EXPECT_FALSE(client_.subscribe({.filter = filter}));
  EXPECT_FALSE(client_.unsubscribe(filter));
  EXPECT_EQ(poll(), Event::none);
  EXPECT_EQ(taken(), "");
  EXPECT_TRUE(client_.subscribe({.filter = "f"}));
}

TEST_F(MqttClientTest, SendsNoFilterThatTheBrokerDoesNotAccept) {
  connect(std::string_view("\x27\0\0\0\x14", 5));  // 20 bytes
  const std::string filter(20, 'f');
  EXPECT_FALSE(client_.subscribe({.filter = filter}));
  EXPECT_FALSE(client_.unsubscribe(filter));
  EXPECT_EQ(poll(), Event::none);
  EXPECT_EQ(taken(), "");
  EXPECT_TRUE(client_.unsubscribe("f"));
}

TEST_F(MqttClientTest, PacketIdsWrapAndSkipZeroAndThoseInUse) {
  connect();
  EXPECT_TRUE(client_.subscribe({.filter = "a"}));  // has the id 1 from now on
  for (unsigned id = 2; id <= 0xFFFF; ++id) {
    ASSERT_EQ(poll(), Event::none);
    ASSERT_TRUE(publish());
    give(mqtt_puback(id, 0));
    ASSERT_EQ(poll(), Event::acknowledged) << id;
  }
  ASSERT_TRUE(publish());
  give(mqtt_puback(2, 0));
  EXPECT_EQ(poll(), Event::acknowledged);
}

// ---- Acknowledgements -----------------------------------------------------------------------------------------------

TEST_F(MqttClientTest, AcknowledgesNothingWithoutAMessage) {
  connect();
  client_.acknowledge();
  EXPECT_EQ(poll(), Event::none);
  EXPECT_EQ(taken(), "");
}

TEST_F(MqttClientTest, ReadsNoMessageWhileItsAcknowledgementIsBlocked) {
  connect();
  take_message();
  auto& wire = connection_.wire;
  wire.write_fault = {.call = wire.writes() + 1, .forever = true};
  EXPECT_TRUE(publish());
  client_.acknowledge();
  give(message(1, 10));
  const std::size_t unread = wire.unread();
  EXPECT_EQ(poll(), Event::none);
  EXPECT_EQ(wire.unread(), unread);
  wire.write_fault = {};
  EXPECT_EQ(poll(), Event::message);
  EXPECT_TRUE(taken().ends_with(mqtt_puback(9, 0)));
}

TEST_F(MqttClientTest, RejectsAMessageWithQos2WhoseTopicIsTooLong) {
  connect();
  expect_fault(message(2, 9, std::string(100, 't')));
}

TEST_F(MqttClientTest, DropsAMessageWithQos0WhoseTopicIsTooLong) {
  connect();
  give(message(0, 0, std::string(100, 't')));
  EXPECT_EQ(poll(), Event::none);
  EXPECT_EQ(taken(), "");
  take_message();
}

TEST_F(MqttClientTest, EventHasTheNewTagOfAPacket) {
  connect();
  EXPECT_TRUE(client_.subscribe({.filter = "a"}, 3));
  EXPECT_EQ(poll(), Event::none);
  EXPECT_TRUE(client_.subscribe({.filter = "b"}, 4));
  client_.replace_tag(3, 5);
  give(mqtt_packet(0x90, mqtt_number(1) + std::string(2, '\0')));
  EXPECT_EQ(poll(), Event::acknowledged);
  EXPECT_EQ(client_.flight().tag, 5U);
  give(mqtt_packet(0x90, mqtt_number(2) + std::string(2, '\0')));
  EXPECT_EQ(poll(), Event::acknowledged);
  EXPECT_EQ(client_.flight().tag, 4U);
}

// ---- Faults of the broker -------------------------------------------------------------------------------------------

TEST_F(MqttClientTest, LeavesABrokerThatAcknowledgesAnUnknownPacket) {
  connect();
  expect_fault(mqtt_puback(1, 0));
}

TEST_F(MqttClientTest, LeavesABrokerThatAcknowledgesAPacketOfAnotherType) {
  connect();
  EXPECT_TRUE(client_.subscribe({.filter = "a"}));
  EXPECT_EQ(poll(), Event::none);
  taken();
  expect_fault(mqtt_puback(1, 0));
}

TEST_F(MqttClientTest, LeavesABrokerThatAcknowledgesMoreFiltersThanItHas) {
  connect();
  EXPECT_TRUE(client_.subscribe({.filter = "a"}));
  EXPECT_EQ(poll(), Event::none);
  taken();
  expect_fault(mqtt_packet(0x90, mqtt_number(1) + std::string(3, '\0')));
}

TEST_F(MqttClientTest, LeavesABrokerThatSendsQos2) {
  connect();
  expect_fault(message(2, 1));
}

TEST_F(MqttClientTest, LeavesABrokerThatSendsAPacketOfQos2) {
  connect();
  expect_fault(mqtt_packet(0x62, mqtt_number(1)));  // PUBREL
}

// ---- Times and ends -------------------------------------------------------------------------------------------------

TEST_F(MqttClientTest, PingsAtTheIntervalOfTheBroker) {
  connect(std::string_view("\x13\0\x0A", 3));
  EXPECT_EQ(client_.due(now_), 7'500U);
  EXPECT_EQ(client_.due(now_ + 7'500), 0U);
  now_ += 7'499;
  EXPECT_EQ(poll(), Event::none);
  EXPECT_EQ(taken(), "");
  now_ += 1;
  EXPECT_EQ(poll(), Event::none);
  EXPECT_EQ(taken(), std::string_view("\xC0\0", 2));
}

// Without PINGREQ, a lost connection would never be noticed.
TEST_F(MqttClientTest, SendsPingsAlsoIfTheBrokerNeedsNone) {
  connect(std::string_view("\x13\0\0", 3));
  EXPECT_EQ(client_.due(now_), 45'000U);
}

TEST_F(MqttClientTest, SendsPingsAlsoIfTheBrokerNeedsThemLater) {
  connect(std::string_view("\x13\xFF\xFF", 3));
  EXPECT_EQ(client_.due(now_), 45'000U);
}

TEST_F(MqttClientTest, SendsNoPingsIfNeitherSideWantsThem) {
  client_.open(connection_, now_);
  ASSERT_TRUE(client_.connect(memory_, {.client_id = "c", .keep_alive_s = 0}));
  give(mqtt_packet(0x20, std::string(3, '\0')));
  ASSERT_EQ(poll(), Event::connected);
  EXPECT_EQ(client_.due(now_), mcp::forever);
  now_ += 10'000'000;
  EXPECT_EQ(poll(), Event::none);
  EXPECT_TRUE(client_.is_open());
}

TEST_F(MqttClientTest, SendsThePingsThatTheBrokerAloneWants) {
  client_.open(connection_, now_);
  ASSERT_TRUE(client_.connect(memory_, {.client_id = "c", .keep_alive_s = 0}));
  give(mqtt_packet(0x20, std::string("\0\0\x03\x13\0\x1E", 6)));
  ASSERT_EQ(poll(), Event::connected);
  EXPECT_EQ(client_.due(now_), 22'500U);
}

TEST_F(MqttClientTest, NeedsNoAcknowledgementForQos0) {
  connect();
  ASSERT_TRUE(client_.publish({.topic = "t"}, std::string_view("x")));
  EXPECT_EQ(poll(), Event::none);
  EXPECT_EQ(taken(), std::string_view("\x30\x05\0\x01t\0x", 7));
  EXPECT_FALSE(client_.has_flights());
}

// Messages may come before it on a slow network, but not for ever.
TEST_F(MqttClientTest, MissesAPingrespAlsoWhileMessagesCome) {
  connect();
  now_ += 45'000;
  EXPECT_EQ(poll(), Event::none);
  EXPECT_EQ(taken(), std::string_view("\xC0\0", 2));
  for (int i = 1; i <= 8; ++i) {
    EXPECT_NE(client_.due(now_), 0U);
    now_ += 30'000;
    give(message(0, 0));
    Event event = poll();
    for (; event != Event::none && event != Event::ended; event = poll()) {
      if (event == Event::message_end) client_.acknowledge();
    }
    EXPECT_EQ(event, i == 8 ? Event::ended : Event::none);
  }
  EXPECT_EQ(client_.problem(), Problem::no_response);
}

TEST_F(MqttClientTest, WaitsForAPingrespBehindALongMessage) {
  connect();
  now_ += 45'000;
  EXPECT_EQ(poll(), Event::none);
  const std::string bytes = message(0, 0);
  for (const char byte : bytes.substr(0, 5)) {
    give(std::string(1, byte));
    now_ += 40'000;
    EXPECT_EQ(poll(), Event::none);
  }
  give(bytes.substr(5) + std::string("\xD0\0", 2));
  now_ += 30'000;
  EXPECT_EQ(poll(), Event::message);
  EXPECT_TRUE(client_.is_open());
}

TEST_F(MqttClientTest, LosesABrokerThatTakesABytePerPoll) {
  connect();
  connection_.wire.write_limit = 1;
  connection_.wire.blocks_every_second_write = true;
  ASSERT_TRUE(publish("abcdefghijklmnop"));
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(poll(), Event::none);
    now_ += 40'000;
  }
  EXPECT_EQ(poll(), Event::ended);
  EXPECT_EQ(client_.problem(), Problem::no_response);
}

TEST_F(MqttClientTest, SendsPingsWhileInputIsLeft) {
  connect();
  now_ += 45'000;
  for (int i = 0; i < 40; ++i) give(std::string_view("\xD0\0", 2));
  EXPECT_EQ(poll(), Event::busy);
  EXPECT_EQ(poll(), Event::busy);
  EXPECT_EQ(taken(), std::string_view("\xC0\0", 2));
}

TEST_F(MqttClientTest, ReadsAPingrespThatWaitedForALatePoll) {
  connect();
  now_ += 45'000;
  EXPECT_EQ(poll(), Event::none);
  EXPECT_EQ(taken(), std::string_view("\xC0\0", 2));
  give(std::string_view("\xD0\0", 2));
  now_ += 200'000;
  EXPECT_EQ(poll(), Event::none);
  EXPECT_TRUE(client_.is_open());
  EXPECT_EQ(taken(), std::string_view("\xC0\0", 2));
}

TEST_F(MqttClientTest, LosesABrokerThatStopsAcknowledging) {
  connect();
  ASSERT_TRUE(publish());
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(poll(), Event::none);
    EXPECT_TRUE(client_.is_open());
    now_ += 40'000;
    give(std::string_view("\xD0\0", 2));
  }
  EXPECT_EQ(poll(), Event::ended);
  EXPECT_EQ(client_.problem(), Problem::no_response);
}

TEST_F(MqttClientTest, ReturnsAfterSomePiecesThatHaveNoEvent) {
  connect();
  std::string pings;
  for (int i = 0; i < 20; ++i) pings += std::string("\xD0\0", 2);
  give(pings);
  EXPECT_EQ(poll(), Event::busy);
  EXPECT_EQ(poll(), Event::none);
}

TEST_F(MqttClientTest, HasNoTimeToMeetBeforeTheBrokerAccepts) {
  open();
  EXPECT_EQ(client_.due(now_ + 1'000'000), mcp::forever);
}

TEST_F(MqttClientTest, NoticesThatItCannotWrite) {
  connect();
  connection_.wire.write_fault = {.call = connection_.wire.writes() + 1, .status = mcp::IoStatus::closed};
  EXPECT_TRUE(publish());
  EXPECT_EQ(poll(), Event::ended);
  EXPECT_EQ(client_.problem(), Problem::lost);
  EXPECT_TRUE(connection_.released());
  EXPECT_FALSE(connection_.misused());
}

TEST_F(MqttClientTest, ReportsTheReasonOfTheBrokersDisconnect) {
  connect();
  give(mqtt_packet(0xE0, "\x8B"));
  EXPECT_EQ(poll(), Event::ended);
  EXPECT_EQ(client_.problem(), Problem::ended);
  EXPECT_EQ(client_.reason(), Reason::server_shutting_down);
  EXPECT_EQ(taken(), "");
  EXPECT_TRUE(connection_.released());
}

}  // namespace
