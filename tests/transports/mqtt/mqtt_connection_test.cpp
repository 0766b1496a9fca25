// SPDX-License-Identifier: Apache-2.0
// The connections of a device to its brokers.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "transports/mqtt/mqtt_device.hpp"

namespace test::mqtt {
namespace {

// ---- Connections ----------------------------------------------------------------------------------------------------

// Of CONNACK.
std::string name_property(std::string_view name) { return "\x26" + mqtt_text("MCP-SERVER-NAME") + mqtt_text(name); }

TEST_F(MqttTransportTest, ConnectsWithAWillAndSaysThatItIsOnline) {
  start();
  EXPECT_EQ(transport_->state(), State::waiting);
  run();
  EXPECT_EQ(transport_->state(), State::online);
  EXPECT_EQ(dialer_.dialed, std::vector<std::string>{"first.example:1883"});
  EXPECT_EQ(broker_.client_id, "boiler-7");
  EXPECT_EQ(broker_.keep_alive_s, 60U);
  EXPECT_EQ(broker_.connect_properties.at("MCP-COMPONENT-TYPE"), "mcp-server");
  EXPECT_EQ(broker_.connect_properties.count("MCP-META"), 0U);
  EXPECT_EQ(broker_.will.topic, presence);
  EXPECT_EQ(broker_.will.payload, "");
  EXPECT_TRUE(broker_.will.retain);
  EXPECT_EQ(broker_.filters, (std::map<std::string, unsigned>{{std::string(control), 0x21U}}));  // no kept messages
  const std::vector<MqttMessage> messages = broker_.take_messages();
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0].topic, presence);
  EXPECT_TRUE(messages[0].retain);
  EXPECT_EQ(messages[0].qos, 1U);
  EXPECT_EQ(messages[0].payload,
            R"({"jsonrpc":"2.0","method":"notifications/server/online","params":{"server_name":"house/boiler",)"
            R"("description":"Heats the \"house\"."}})");
  EXPECT_EQ(messages[0].properties.at("MCP-COMPONENT-TYPE"), "mcp-server");
  EXPECT_EQ(messages[0].properties.at("MCP-MQTT-CLIENT-ID"), "boiler-7");
  EXPECT_EQ(broker_.log[0], "subscribe " + std::string(control));  // before a client can find it
}

TEST_F(MqttTransportTest, MetaIsInConnectAndInThePresence) {
  mcp::MqttOptions options = plain;
  options.meta = R"({"roof":true})";
  start(full(), options);
  run();
  EXPECT_EQ(broker_.connect_properties.at("MCP-META"), R"({"roof":true})");
  EXPECT_NE(broker_.take_messages().at(0).payload.find(R"("meta":{"roof":true}}})"), std::string::npos);
}

TEST_F(MqttTransportTest, BrokerMayNameTheDevice) {
  broker_.connack_properties = std::string("\x26\0\x0FMCP-SERVER-NAME\0\x05other", 25);
  start();
  run();
  EXPECT_TRUE(has_filter("$mcp-server/boiler-7/other"));
  const MqttMessage online = broker_.take_messages().at(0);
  EXPECT_EQ(online.topic, "$mcp-server/presence/boiler-7/other");
  EXPECT_NE(online.payload.find(R"("server_name":"other")"), std::string::npos);
  broker_.publish("$mcp-server/boiler-7/other", request("1", "ping", meta));
  run();
  EXPECT_EQ(broker_.take_messages().at(0).topic, "$mcp-rpc/client/boiler-7/other");
}

TEST_F(MqttTransportTest, BrokerMayRepeatTheNameOfTheDevice) {
  broker_.connack_properties = name_property("house/boiler");
  start();
  run();
  EXPECT_EQ(transport_->state(), State::online);
  EXPECT_TRUE(has_filter(control));
}

TEST_F(MqttTransportTest, RejectsANameThatIsNoTopicOrHasMoreThan64Bytes) {
  for (const std::string& name : {std::string("a/+"), std::string("#"), std::string(), std::string(65, 'n')}) {
    broker_.connack_properties = name_property(name);
    start();
    run();
    EXPECT_EQ(transport_->state(), State::waiting) << name;
    EXPECT_STREQ(transport_->problem(), "the broker has given the device a name that it cannot use");
  }
  broker_.connack_properties = name_property(std::string(64, 'n'));
  start();
  run();
  EXPECT_EQ(transport_->state(), State::online);
}

// The longest topic has 192 bytes for the id and the name.
TEST_F(MqttTransportTest, RejectsANameThatIsTooLongTogetherWithTheId) {
  mcp::MqttOptions options = plain;
  const std::string id(140, 'i');
  options.server_id = id;
  for (const std::size_t size : {52U, 53U}) {
    broker_.connack_properties = name_property(std::string(size, 'n'));
    start<mcp::MqttLimits{.out_size = 600}>(full(), options);
    run();
    EXPECT_EQ(transport_->state(), size == 52 ? State::online : State::waiting);
  }
}

TEST_F(MqttTransportTest, RejectsANameForWhichItHasNoSpace) {
  mcp::MqttOptions options = plain;
  const std::string id(60, 'i');
  options.server_id = id;
  options.server_name = "short";
  const std::string long_name(62, 'n');
  const std::string text = std::string("\x26\0\x0FMCP-SERVER-NAME\0\x3E", 20) + long_name;
  broker_.connack_properties = text;
  start(full(), options);
  run();
  EXPECT_EQ(transport_->state(), State::waiting);
  EXPECT_STREQ(transport_->problem(), "the broker has given the device a name that it cannot use");
}

TEST_F(MqttTransportTest, RejectsANameThatDoesNotFitIntoThePresence) {
  mcp::MqttOptions options = plain;
  // The transmit buffer has 2048 bytes.
  const std::string description(1940, 'd');
  options.server_name = "n";
  options.description = description;
  broker_.connack_properties = std::string("\x26\0\x0FMCP-SERVER-NAME\0\x3E", 20) + std::string(62, 'n');
  start(full(), options);
  run();
  EXPECT_EQ(transport_->state(), State::waiting);
  EXPECT_STREQ(transport_->problem(), "the broker has given the device a name that it cannot use");
  broker_.connack_properties = "";
  pass(limits.min_retry_ms);
  EXPECT_EQ(transport_->state(), State::online);
}

TEST_F(MqttTransportTest, TriesTheNextBrokerAfterARandomTimeThatGrows) {
  broker_.connack = 0x88;
  start();
  run();
  EXPECT_EQ(transport_->state(), State::waiting);
  EXPECT_STREQ(transport_->problem(), "the broker has refused the connection");
  EXPECT_EQ(transport_->reason(), Reason::server_unavailable);
  mcp::Millis most = 1000;
  for (int i = 0; i < 12; ++i) {
    EXPECT_GE(due_, 100U);
    EXPECT_LE(due_, most);
    const std::size_t before = dialer_.dialed.size();
    pass(due_ - 1);
    EXPECT_EQ(dialer_.dialed.size(), before);
    pass(1);
    EXPECT_EQ(dialer_.dialed.size(), before + 1);
    most = std::min<mcp::Millis>(most * 2, 120'000);
  }
  EXPECT_EQ(dialer_.dialed[1], "second.example:8883");
  EXPECT_EQ(dialer_.dialed[2], "first.example:1883");
  broker_.connack = 0;
  pass(due_);
  EXPECT_EQ(transport_->state(), State::online);
}

TEST_F(MqttTransportTest, TimeBetweenAttemptsStaysAtItsLimit) {
  broker_.connack = 0x88;
  start();
  bench_->entropy.fails = true;
  run();
  for (int i = 0; i < 10; ++i) pass(due_);
  for (int i = 0; i < 300; ++i) {
    ASSERT_EQ(due_, limits.max_retry_ms) << i;
    pass(due_);
  }
}

TEST_F(MqttTransportTest, WaitsTheLongestTimeWithoutRandomBytes) {
  broker_.connack = 0x88;
  start();
  bench_->entropy.fails = true;
  run();
  EXPECT_EQ(due_, 1000U);
  pass(due_);
  EXPECT_EQ(due_, 2000U);
}

TEST_F(MqttTransportTest, GivesUpABrokerThatDoesNotAnswer) {
  start();
  static_cast<void>(transport_->poll(now_));
  EXPECT_EQ(transport_->state(), State::connecting);
  now_ += 19'999;
  EXPECT_EQ(transport_->poll(now_), 1U);
  now_ += 1;
  static_cast<void>(transport_->poll(now_));
  EXPECT_EQ(transport_->state(), State::waiting);
  EXPECT_STREQ(transport_->problem(), "the broker has not accepted the connection in time");
  EXPECT_TRUE(broker_.connection().released());
}

TEST_F(MqttTransportTest, SaysWhyTheDialerHasFailed) {
  start();
  static_cast<void>(transport_->poll(now_));
  broker_.connection().wire.read_fault = {.call = 2, .status = mcp::IoStatus::failed};
  static_cast<void>(transport_->poll(now_));
  EXPECT_STREQ(transport_->problem(), "the host refuses the connection");
  EXPECT_TRUE(broker_.connection().released());
  EXPECT_FALSE(broker_.connection().misused());
}

TEST_F(MqttTransportTest, RetriesWithoutAConnectionObject) {
  dialer_.is_full = true;
  start();
  run();
  EXPECT_STREQ(transport_->problem(), "all connections of the device are in use");
  dialer_.is_full = false;
  pass(due_);
  EXPECT_EQ(transport_->state(), State::online);
}

TEST_F(MqttTransportTest, EndsItsSessionsWithTheConnection) {
  connect();
  begin_session();
  broker_.connection().wire.end();
  run();
  EXPECT_EQ(transport_->state(), State::waiting);
  EXPECT_STREQ(transport_->problem(), "the connection to the broker is lost");
  EXPECT_FALSE(bench_->anything_left());
  pass(due_);
  EXPECT_EQ(transport_->state(), State::online);
  EXPECT_NE(ask(control, initialize()).find("protocolVersion"), std::string::npos);
}

TEST_F(MqttTransportTest, NoticesThatItCannotWrite) {
  connect();
  auto& wire = broker_.connection().wire;
  wire.write_fault = {.call = wire.writes() + 1, .status = mcp::IoStatus::failed};
  broker_.publish(control, request("1", "tools/list", meta));
  run();
  EXPECT_EQ(transport_->state(), State::waiting);
  EXPECT_STREQ(transport_->problem(), "the connection to the broker is lost");
  EXPECT_FALSE(broker_.connection().misused());
}

TEST_F(MqttTransportTest, LeavesABrokerThatSendsAMalformedPacket) {
  connect();
  broker_.send(std::string_view("\x30\x80\x80\x80\x80\x01", 6));
  run();
  EXPECT_EQ(transport_->state(), State::waiting);
  EXPECT_STREQ(transport_->problem(), "the broker broke a rule of MQTT");
  EXPECT_EQ(transport_->reason(), Reason::malformed_packet);
  EXPECT_EQ(broker_.log.back(), "bye 129");
}

TEST_F(MqttTransportTest, RetriesWhenTheBrokerEndsTheConnection) {
  connect();
  EXPECT_STREQ(transport_->problem(), "no connection has ended");
  broker_.send(std::string_view("\xE0\x01\x8B", 3));
  run();
  EXPECT_EQ(transport_->state(), State::waiting);
  EXPECT_STREQ(transport_->problem(), "the broker has ended the connection");
  EXPECT_EQ(transport_->reason(), Reason::server_shutting_down);
  pass(due_);
  EXPECT_EQ(transport_->state(), State::online);
}

TEST_F(MqttTransportTest, NeedsTheControlTopic) {
  broker_.refused[std::string(control)] = 0x87;
  start();
  run();
  EXPECT_EQ(transport_->state(), State::waiting);
  EXPECT_EQ(transport_->reason(), Reason::not_authorized);
  EXPECT_STREQ(transport_->problem(), "the broker refuses the subscription to the control topic");
  EXPECT_EQ(broker_.log.back(), "bye 4");  // with the will, which removes the presence
}

TEST_F(MqttTransportTest, IsOnlineWhenTheBrokerHasThePresence) {
  broker_.acknowledges = false;
  start();
  run();
  EXPECT_TRUE(has_filter(control));
  EXPECT_EQ(transport_->state(), State::connecting);
  EXPECT_EQ(due_, limits.connect_timeout_ms);
  broker_.acknowledge_all();
  run();
  EXPECT_EQ(transport_->state(), State::online);
}

TEST_F(MqttTransportTest, LeavesABrokerThatDoesNotAcknowledgeThePresence) {
  broker_.acknowledges = false;
  start();
  run();
  pass(limits.connect_timeout_ms);
  EXPECT_EQ(transport_->state(), State::waiting);
  EXPECT_STREQ(transport_->problem(), "the broker has not accepted the connection in time");
  EXPECT_EQ(broker_.log.back(), "bye 4");  // with the will, which removes the presence
}

TEST_F(MqttTransportTest, NeedsThePresence) {
  broker_.acknowledges = false;
  start();
  run();
  broker_.acknowledge_all(0x87);
  run();
  EXPECT_EQ(transport_->state(), State::waiting);
  EXPECT_EQ(transport_->reason(), Reason::not_authorized);
  EXPECT_STREQ(transport_->problem(), "the broker refuses the presence message");
}

// One packet without an acknowledgement is left for subscriptions.
TEST_F(MqttTransportTest, ThePresenceWaitsForItsShareOfThePackets) {
  broker_.confirms = false;
  start<mcp::MqttLimits{.in_flight = 2}>();
  run();
  EXPECT_TRUE(has_filter(control));
  EXPECT_TRUE(broker_.take_messages().empty());
  broker_.confirms = true;
  broker_.confirm_all();
  run();
  EXPECT_EQ(broker_.take_messages().at(0).topic, presence);
  EXPECT_EQ(transport_->state(), State::online);
}

TEST_F(MqttTransportTest, AcknowledgementsMayComeInAnyOrder) {
  broker_.confirms = false;
  start();
  run();
  EXPECT_EQ(broker_.take_messages().at(0).topic, presence);
  EXPECT_EQ(transport_->state(), State::connecting);
  broker_.confirm_all();
  run();
  EXPECT_EQ(transport_->state(), State::online);
}

TEST_F(MqttTransportTest, LatePollReadsWhatTheBrokerHasSentInTime) {
  broker_.acknowledges = false;
  broker_.confirms = false;
  start();
  run();
  EXPECT_EQ(transport_->state(), State::connecting);
  broker_.confirm_all();
  broker_.acknowledge_all();
  pass(limits.connect_timeout_ms);
  EXPECT_EQ(transport_->state(), State::online);
}

// Clients find the device by a message that the broker keeps.
TEST_F(MqttTransportTest, NeedsABrokerThatKeepsMessages) {
  broker_.connack_properties = std::string("\x25\0", 2);
  start();
  run();
  EXPECT_EQ(transport_->state(), State::waiting);
  EXPECT_EQ(transport_->reason(), Reason::retain_not_supported);
  EXPECT_STREQ(transport_->problem(), "the broker refuses the presence message");
  EXPECT_TRUE(broker_.take_messages().empty());
}

TEST_F(MqttTransportTest, NeedsABrokerWithQos1) {
  broker_.connack_properties = std::string("\x24\0", 2);
  start();
  run();
  EXPECT_EQ(transport_->state(), State::waiting);
  EXPECT_EQ(transport_->reason(), Reason::qos_not_supported);
}

TEST_F(MqttTransportTest, SaysThatTheBrokerClosesBeforeItsConnack) {
  dialer_.why = mcp::DialProblem::none;
  start();
  static_cast<void>(transport_->poll(now_));
  broker_.connection().wire.end();
  static_cast<void>(transport_->poll(now_));
  EXPECT_EQ(transport_->state(), State::waiting);
  EXPECT_STREQ(transport_->problem(), "the connection to the broker is lost");
}

TEST_F(MqttTransportTest, StopRemovesAPresenceThatIsNotAcknowledged) {
  broker_.acknowledges = false;
  start();
  run();
  broker_.take_messages();
  transport_->stop();
  run();
  const std::vector<MqttMessage> messages = broker_.take_messages();
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0].topic, presence);
  EXPECT_EQ(messages[0].payload, "");
  EXPECT_EQ(transport_->state(), State::leaving);
  broker_.acknowledge_all();
  run();
  EXPECT_EQ(transport_->state(), State::stopped);
  EXPECT_EQ(broker_.log.back(), "bye 0");
}

// Messages come until the broker knows that the device leaves.
TEST_F(MqttTransportTest, StopsWhileMessagesCome) {
  for (const unsigned qos : {0U, 1U}) {
    connect();
    begin_session();
    broker_.acknowledges = false;
    broker_.publish(rpc_of("client"), request("1", "ping"), "client", qos);
    transport_->stop();
    static_cast<void>(transport_->poll(now_));
    broker_.publish(control, request("2", "tools/list", meta), "other", qos);
    run();
    EXPECT_EQ(transport_->state(), State::leaving);
    broker_.publish(control, request("3", "tools/list", meta), "other", qos);
    broker_.acknowledge_all();
    run();
    EXPECT_EQ(transport_->state(), State::stopped);
    EXPECT_EQ(broker_.log.back(), "bye 0");
    broker_.acknowledges = true;
  }
}

TEST_F(MqttTransportTest, StopSendsTheResponseThatWaits) {
  begin_session_with_a_response_in_flight();
  EXPECT_EQ(ask(rpc_of("client"), request("2", "ping")), "");
  transport_->stop();
  run();
  broker_.acknowledges = true;
  broker_.acknowledge_all();
  run();
  EXPECT_EQ(transport_->state(), State::stopped);
  EXPECT_NE(heard().find(R"("id":2,"result":{})"), std::string::npos);
}

// DISCONNECT without the will would leave the presence at the broker.
TEST_F(MqttTransportTest, StopLeavesTheWillIfTheBrokerRejectsTheWithdrawal) {
  connect();
  broker_.acknowledges = false;
  transport_->stop();
  run();
  EXPECT_EQ(broker_.log.back(), "publish " + std::string(presence));
  broker_.acknowledge_all(0x97);
  run();
  EXPECT_EQ(broker_.log.back(), "bye 4");
  EXPECT_EQ(transport_->state(), State::stopped);
}

TEST_F(MqttTransportTest, SendsUserNameAndPasswordOverTls) {
  dialer_.encrypts = true;
  mcp::MqttOptions options = plain;
  options.user_name = "boiler";
  options.password = "secret";
  connect(full(), options);
  EXPECT_EQ(broker_.user_name, "boiler");
  EXPECT_EQ(broker_.password, "secret");
}

TEST_F(MqttTransportTest, SendsThemInPlaintextIfTheApplicationSaysSo) {
  mcp::MqttOptions options = plain;
  options.user_name = "boiler";
  options.plaintext_credentials = true;
  connect(full(), options);
  EXPECT_EQ(broker_.user_name, "boiler");
  EXPECT_EQ(broker_.password, "");
}

// ---- Dialers --------------------------------------------------------------------------------------------------------

class PlainDialer final : public mcp::Dialer {
  mcp::Connection* do_dial(std::string_view, std::uint16_t) override { return nullptr; }
};

TEST(Dialer, DescribesEachProblem) {
  FakeDialer dialer;
  std::set<std::string> texts;
  constexpr auto last = static_cast<unsigned>(mcp::DialProblem::rejected);
  for (unsigned i = 0; i <= last; ++i) {
    dialer.why = static_cast<mcp::DialProblem>(i);
    static_cast<void>(dialer.dial("host", 1));
    texts.insert(dialer.problem());
  }
  EXPECT_EQ(texts.size(), last + 1);
}

TEST(Dialer, RejectsWhatIsNoHost) {
  FakeDialer dialer;
  for (const char* const host : {"", "a{b", "a b", "a/b"}) {
    EXPECT_EQ(dialer.dial(host, 1), nullptr) << host;
    EXPECT_EQ(dialer.reason(), mcp::DialProblem::invalid_host);
  }
}

TEST(Dialer, IsNotEncryptedUnlessItSaysSo) { EXPECT_FALSE(PlainDialer().is_encrypted()); }

// ---- Options --------------------------------------------------------------------------------------------------------

TEST(MqttOptions, NeedsABrokerAnIdAndAName) {
  EXPECT_TRUE(mcp::is_valid(plain));
  const auto accepts = [](auto change) {
    mcp::MqttOptions options = plain;
    change(options);
    return mcp::is_valid(options);
  };
  EXPECT_FALSE(accepts([](mcp::MqttOptions& o) { o.brokers = {}; }));
  for (const char* const id : {"", "a/b", "a+b", "#", "\xFF"})
    EXPECT_FALSE(accepts([&](mcp::MqttOptions& o) { o.server_id = id; })) << id;
  for (const char* const name : {"", "a+b", "a/#", "\xFF"})
    EXPECT_FALSE(accepts([&](mcp::MqttOptions& o) { o.server_name = name; })) << name;
  EXPECT_TRUE(accepts([](mcp::MqttOptions& o) { o.keep_alive_s = 5; }));
  EXPECT_FALSE(accepts([](mcp::MqttOptions& o) { o.keep_alive_s = 4; }));
  // Their control topics would be the presence and capability topics of other devices.
  EXPECT_FALSE(accepts([](mcp::MqttOptions& o) { o.server_id = "presence"; }));
  EXPECT_FALSE(accepts([](mcp::MqttOptions& o) { o.server_id = "capability"; }));
  const std::string name(193 - plain.server_id.size(), 'n');
  EXPECT_FALSE(accepts([&](mcp::MqttOptions& o) { o.server_name = name; }));
  EXPECT_TRUE(accepts([&](mcp::MqttOptions& o) { o.server_name = std::string_view(name).substr(1); }));
}

using MqttTransportDeathTest = MqttTransportTest;

TEST_F(MqttTransportDeathTest, NeedsValidOptions) {
  mcp::MqttOptions options = plain;
  options.server_id = "a/b";
  start(full(), options);
  EXPECT_DEATH(static_cast<void>(transport_->poll(0)), "contract");
}

TEST_F(MqttTransportDeathTest, NeedsAnOutputThatHoldsItsTopics) {
  start<mcp::MqttLimits{.out_size = 160}>();
  EXPECT_DEATH(static_cast<void>(transport_->poll(0)), "contract");
}

TEST_F(MqttTransportDeathTest, NeedsATransmitBufferThatHoldsConnectAndThePresence) {
  const std::string text(3000, ' ');
  mcp::MqttOptions options = plain;
  options.meta = text;
  start(full(), options);
  EXPECT_DEATH(run(), "contract");
  options.meta = "";
  options.description = text;
  start(full(), options);
  EXPECT_DEATH(run(), "contract");
}

TEST_F(MqttTransportDeathTest, NeverSendsThemInPlaintextOtherwise) {
  mcp::MqttOptions options = plain;
  options.password = "secret";
  start(full(), options);
  EXPECT_DEATH(static_cast<void>(transport_->poll(0)), "contract");
}

TEST_F(MqttTransportTest, PingsASilentBrokerAndLeavesOneThatDoesNotAnswer) {
  connect();
  EXPECT_EQ(due_, 45'000U);
  pass(45'000);
  EXPECT_EQ(broker_.log, std::vector<std::string>{"ping"});
  EXPECT_EQ(transport_->state(), State::online);
  broker_.answers_ping = false;
  pass(45'000);
  EXPECT_EQ(transport_->state(), State::online);
  pass(45'000);
  EXPECT_EQ(transport_->state(), State::waiting);
  EXPECT_STREQ(transport_->problem(), "the broker does not respond");
}

// The device has nothing to do until the output moves, or the connection counts as lost.
TEST_F(MqttTransportTest, SleepsWhileItsOutputIsBlocked) {
  connect();
  const std::string filter = R"("notifications":{"resourceSubscriptions":["test://counter"]},)";
  EXPECT_NE(ask(control, request("1", "subscriptions/listen", filter + std::string(meta))), "");
  now_ += 40'000;
  auto& wire = broker_.connection().wire;
  wire.write_fault = {.call = wire.writes() + 2, .status = mcp::IoStatus::would_block, .forever = true};
  ASSERT_TRUE(act(bench_->server, "update test://counter"));
  run();
  EXPECT_EQ(due_, 45'000U);
  pass(6'000);  // 46 s without a packet of the broker
  EXPECT_EQ(due_, 39'000U);
  pass(39'000);
  EXPECT_EQ(transport_->state(), State::waiting);
  EXPECT_STREQ(transport_->problem(), "the broker does not respond");
}

TEST_F(MqttTransportTest, StopRemovesThePresenceAndEndsSessions) {
  connect();
  begin_session();
  transport_->stop();
  run();
  EXPECT_EQ(transport_->state(), State::stopped);
  const std::vector<MqttMessage> messages = broker_.take_messages();
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0].topic, rpc_of("client"));
  EXPECT_EQ(messages[0].payload, R"({"jsonrpc":"2.0","method":"notifications/disconnected"})");
  EXPECT_EQ(messages[1].topic, presence);
  EXPECT_EQ(messages[1].payload, "");
  EXPECT_TRUE(messages[1].retain);
  EXPECT_EQ(broker_.log.back(), "bye 0");
  EXPECT_TRUE(broker_.connection().released());
  EXPECT_EQ(transport_->poll(now_ + 1'000'000), mcp::forever);
  EXPECT_FALSE(bench_->anything_left());
}

TEST_F(MqttTransportTest, StopsAtOnceWithoutAConnection) {
  start();
  for (int i = 0; i < 2; ++i) {
    transport_->stop();
    EXPECT_EQ(transport_->poll(now_), mcp::forever);
    EXPECT_EQ(transport_->state(), State::stopped);
  }
}

TEST_F(MqttTransportTest, StopsAtOnceBeforeTheBrokerAccepts) {
  start();
  static_cast<void>(transport_->poll(now_));
  EXPECT_EQ(transport_->state(), State::connecting);
  transport_->stop();
  static_cast<void>(transport_->poll(now_));
  EXPECT_EQ(transport_->state(), State::stopped);
  EXPECT_TRUE(broker_.connection().released());
  run();
  EXPECT_EQ(broker_.log, std::vector<std::string>{});
}

TEST_F(MqttTransportTest, SecondStopChangesNothing) {
  connect();
  begin_session();
  transport_->stop();
  static_cast<void>(transport_->poll(now_));
  EXPECT_EQ(transport_->state(), State::leaving);
  transport_->stop();
  run();
  EXPECT_EQ(transport_->state(), State::stopped);
  EXPECT_STREQ(transport_->problem(), "the device has left");
  EXPECT_EQ(broker_.take_messages().size(), 2U);
}

TEST_F(MqttTransportTest, StaysStoppedWhenThePresenceIsAcknowledgedLate) {
  broker_.acknowledges = false;
  start();
  run();
  transport_->stop();
  run();
  broker_.acknowledge_all();
  run();
  EXPECT_EQ(transport_->state(), State::stopped);
  EXPECT_EQ(broker_.take_messages().back().payload, "");
}

TEST_F(MqttTransportTest, StopWaitsForTheAcknowledgementsThatItsMessagesNeed) {
  begin_session_with_a_response_in_flight();
  transport_->stop();
  run();
  EXPECT_EQ(transport_->state(), State::leaving);
  EXPECT_EQ(heard(), "");
  broker_.acknowledges = true;
  broker_.acknowledge_all();
  run();
  EXPECT_EQ(transport_->state(), State::stopped);
  EXPECT_EQ(heard(), R"({"jsonrpc":"2.0","method":"notifications/disconnected"})");
}

TEST_F(MqttTransportTest, StopsAfterItsTimeoutWithoutAcknowledgements) {
  begin_session_with_a_response_in_flight();
  now_ += 10'000;  // since the last poll
  transport_->stop();
  run();
  EXPECT_EQ(due_, limits.connect_timeout_ms);
  pass(limits.connect_timeout_ms - 1);
  EXPECT_EQ(transport_->state(), State::leaving);
  pass(1);
  EXPECT_EQ(transport_->state(), State::stopped);
  EXPECT_STREQ(transport_->problem(), "the device has left");
  EXPECT_EQ(broker_.log.back(), "bye 4");  // with the will, which removes the presence
  EXPECT_TRUE(broker_.connection().released());
}

TEST_F(MqttTransportTest, StopsAlsoIfTheBrokerAcceptsNoPresence) {
  broker_.connack_properties = std::string("\x27\0\0\0\x40", 5);
  broker_.confirms = false;
  start<mcp::MqttLimits{.in_flight = 2}>();
  run();
  EXPECT_TRUE(has_filter(control));
  transport_->stop();
  run();
  EXPECT_EQ(transport_->state(), State::leaving);
  broker_.confirm_all();
  run();
  EXPECT_EQ(transport_->state(), State::stopped);
  EXPECT_TRUE(broker_.connection().released());
}

TEST_F(MqttTransportTest, StopEndsStatelessRequestsWithoutAMessage) {
  connect(detached_tasks);
  EXPECT_EQ(ask(control, call("1", "forever", "," + std::string(meta))), "");
  transport_->stop();
  run();
  EXPECT_EQ(transport_->state(), State::stopped);
  EXPECT_EQ(heard(), "");
  EXPECT_FALSE(has_filter("$mcp-client/presence/client"));
  EXPECT_FALSE(bench_->anything_left());
}

}  // namespace
}  // namespace test::mqtt
