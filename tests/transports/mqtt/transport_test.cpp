// SPDX-License-Identifier: Apache-2.0
// MCP over MQTT, with a broker that the tests play.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/mqtt_transport.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/json.hpp"
#include "support/mqtt_broker.hpp"

namespace {

using State = mcp::MqttTransport::State;
using mcp::mqtt::Reason;
using test::MqttMessage;

constexpr mcp::ServerShape shape{.sessions = 4, .transmit_size = 2048, .has_scopes = true};
constexpr mcp::MqttLimits limits{.calls = 3, .in_flight = 4};

constexpr mcp::MqttBroker brokers[] = {{.host = "first.example"}, {.host = "second.example", .port = 8883}};
constexpr mcp::MqttOptions plain{.brokers = brokers,
                                 .server_id = "boiler-7",
                                 .server_name = "house/boiler",
                                 .description = "Heats the \"house\".",
                                 .keep_alive_s = 60};

constexpr std::string_view control = "$mcp-server/boiler-7/house/boiler";
constexpr std::string_view presence = "$mcp-server/presence/boiler-7/house/boiler";
constexpr std::string_view capability = "$mcp-server/capability/boiler-7/house/boiler";

std::string rpc_of(std::string_view client) { return "$mcp-rpc/" + std::string(client) + "/boiler-7/house/boiler"; }

constexpr std::string_view meta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

std::string request(std::string_view id, std::string_view method, std::string_view params = "") {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) + R"(","params":{)" +
         std::string(params) + "}}";
}
std::string call(std::string_view id, std::string_view tool, std::string_view more = "") {
  return request(id, "tools/call", R"("name":")" + std::string(tool) + '"' + std::string(more));
}
std::string initialize(std::string_view id = "0") {
  return request(id, "initialize",
                 R"("protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"})");
}

const mcp::Definition& full() { return *test::find_definition("full"); }

class MqttTransportTest : public testing::Test {
 protected:
  void SetUp() override { test::reset_device(); }

  void start(const mcp::Definition& definition = full(), const mcp::MqttOptions& the_options = plain) {
    bench_.emplace(definition, test::Sizes{.receive_size = 1024,
                                           .transmit_size = 2048,
                                           .sessions = 4,
                                           .jobs = 6,
                                           .streams = 2,
                                           .subscriptions = 2,
                                           .tasks = 2});
    options_.emplace(the_options);
    storage_ = std::make_unique<Storage>();
    transport_.emplace(bench_->server, dialer_, bench_->entropy, *storage_, *options_);
  }
  // Until neither side has more to do.
  void run() {
    for (int i = 0; i < 1000; ++i) {
      due_ = transport_->poll(now_);
      const std::size_t before = broker_.log.size() + broker_.connects;
      if (!dialer_.connections.empty()) broker_.run();
      if (due_ != 0 && broker_.log.size() + broker_.connects == before) return;
    }
    ADD_FAILURE() << "never idle";
  }
  void pass(mcp::Millis ms) {
    now_ += ms;
    run();
  }
  void connect(const mcp::Definition& definition = full(), const mcp::MqttOptions& options = plain) {
    start(definition, options);
    run();
    ASSERT_EQ(transport_->state(), State::online);
    broker_.take_messages();
    broker_.log.clear();
  }
  // What the device publishes after a message. `payload` of the only message on the topic of the client.
  std::string ask(std::string_view topic, std::string_view payload, std::string_view client = "client") {
    broker_.publish(topic, payload, client);
    run();
    return heard(client);
  }
  std::string heard(std::string_view client = "client") {
    std::string all;
    for (const MqttMessage& message : broker_.take_messages()) {
      if (message.topic == rpc_of(client)) {
        all += (all.empty() ? "" : "\n") + message.payload;
      } else {
        others_.push_back(message);
      }
    }
    return all;
  }
  void begin_session(std::string_view client = "client") {
    EXPECT_NE(ask(control, initialize(), client).find(R"("protocolVersion":"2025-11-25")"), std::string::npos);
    EXPECT_EQ(ask(rpc_of(client), R"({"jsonrpc":"2.0","method":"notifications/initialized"})", client), "");
    broker_.log.clear();
  }
  [[nodiscard]] bool has_filter(std::string_view filter) const {
    return broker_.filters.count(std::string(filter)) != 0;
  }

  using Storage = mcp::MqttStorage<shape, limits>;
  test::FakeDialer dialer_;
  test::MqttBroker broker_{dialer_};
  std::optional<test::Bench> bench_;
  std::optional<mcp::MqttOptions> options_;
  std::unique_ptr<Storage> storage_;
  std::optional<mcp::MqttTransport> transport_;
  std::vector<MqttMessage> others_;
  mcp::Millis now_ = 1000;
  mcp::Millis due_ = 0;
};

// ---- Connections ----------------------------------------------------------------------------------------------------

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
  EXPECT_EQ(broker_.connect_properties.count("session expiry"), 0U);
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

TEST_F(MqttTransportTest, NeedsTheControlTopic) {
  broker_.refused[std::string(control)] = 0x87;
  start();
  run();
  EXPECT_EQ(transport_->state(), State::waiting);
  EXPECT_EQ(transport_->reason(), Reason::not_authorized);
  EXPECT_STREQ(transport_->problem(), "the broker refuses the subscription to the control topic");
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

TEST_F(MqttTransportTest, NeedsNoAcknowledgementOfABrokerWithoutQos1) {
  broker_.connack_properties = std::string("\x24\x00", 2);
  start();
  run();
  EXPECT_EQ(transport_->state(), State::online);
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

using MqttTransportDeathTest = MqttTransportTest;

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
  ASSERT_TRUE(test::act(bench_->server, "update test://counter"));
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
  EXPECT_EQ(transport_->state(), State::leaving);
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
  transport_->stop();
  EXPECT_EQ(transport_->state(), State::stopped);
}

// ---- Sessions -------------------------------------------------------------------------------------------------------

TEST_F(MqttTransportTest, SubscribesBeforeItAnswersInitialize) {
  connect();
  const std::string came = ask(control, initialize());
  EXPECT_NE(came.find(R"("serverInfo")"), std::string::npos) << came;
  EXPECT_EQ(broker_.log, (std::vector<std::string>{
                             "subscribe " + rpc_of("client"), "subscribe $mcp-client/presence/client",
                             "subscribe $mcp-client/capability/client", "publish " + rpc_of("client"), "puback 1"}));
  EXPECT_EQ(broker_.filters.at(rpc_of("client")), 0x25U);  // QoS 1, No Local, no kept messages
  EXPECT_EQ(broker_.filters.at("$mcp-client/presence/client"), 0x21U);
}

TEST_F(MqttTransportTest, ServesSeveralClients) {
  connect();
  for (const char* const client : {"ann", "bob", "cat"}) begin_session(client);
  for (const char* const client : {"cat", "ann", "bob"})
    EXPECT_EQ(ask(rpc_of(client), request("7", "ping"), client), R"({"jsonrpc":"2.0","id":7,"result":{}})");
}

TEST_F(MqttTransportTest, ClientEndsItsSession) {
  for (const bool by_will : {false, true}) {
    connect();
    begin_session();
    const std::string topic = by_will ? "$mcp-client/presence/client" : rpc_of("client");
    EXPECT_EQ(ask(topic, R"({"jsonrpc":"2.0","method":"notifications/disconnected"})"), "");
    EXPECT_EQ(broker_.filters.size(), 1U);
    EXPECT_FALSE(bench_->anything_left());
    EXPECT_NE(ask(control, initialize()).find("protocolVersion"), std::string::npos);
  }
}

TEST_F(MqttTransportTest, SessionOfAnotherClientContinues) {
  connect();
  begin_session("ann");
  begin_session("bob");
  ask("$mcp-client/presence/ann", R"({"jsonrpc":"2.0","method":"notifications/disconnected"})", "ann");
  EXPECT_EQ(ask(rpc_of("bob"), request("7", "ping"), "bob"), R"({"jsonrpc":"2.0","id":7,"result":{}})");
  EXPECT_TRUE(has_filter("$mcp-client/presence/bob"));
}

// Another client could otherwise end the session of a client whose id it knows.
TEST_F(MqttTransportTest, ClientIdWithASessionBeginsNoOther) {
  connect();
  begin_session();
  EXPECT_EQ(ask(control, initialize("9")),
            R"({"jsonrpc":"2.0","id":9,"error":{"code":-32600,)"
            R"("message":"This MQTT client id has a session; use a new one to initialize."}})");
  EXPECT_EQ(ask(control, initialize("9")), "");  // the same message again
  EXPECT_EQ(ask(control, initialize()), "");
  EXPECT_EQ(ask(rpc_of("client"), request("7", "ping")), R"({"jsonrpc":"2.0","id":7,"result":{}})");
}

TEST_F(MqttTransportTest, TellsAClientWhoseSessionEndsForAnotherOne) {
  connect();
  for (const char* const client : {"a", "b", "c"}) begin_session(client);
  pass(599'999);
  EXPECT_NE(ask(control, initialize(), "d").find("All 3 sessions are in use"), std::string::npos);
  pass(1);
  begin_session("d");
  std::vector<std::string> told;
  for (const MqttMessage& message : others_) told.push_back(message.topic + " " + message.payload);
  EXPECT_EQ(told,
            std::vector<std::string>{rpc_of("a") + R"( {"jsonrpc":"2.0","method":"notifications/disconnected"})"});
  EXPECT_FALSE(has_filter(rpc_of("a")));
  EXPECT_TRUE(has_filter(rpc_of("d")));
}

TEST_F(MqttTransportTest, SessionWithoutItsTopicEnds) {
  connect();
  broker_.refused[rpc_of("client")] = 0x87;
  ask(control, initialize());
  EXPECT_FALSE(bench_->anything_left());
  EXPECT_EQ(broker_.filters.size(), 1U);
}

TEST_F(MqttTransportTest, RequestIsExecutedOnceAlsoIfItComesTwice) {
  connect();
  begin_session();
  EXPECT_NE(ask(rpc_of("client"), call("5", "count")).find(R"("text":"1")"), std::string::npos);
  EXPECT_EQ(ask(rpc_of("client"), call("5", "count")), "");
  EXPECT_NE(ask(rpc_of("client"), call("6", "count")).find(R"("text":"2")"), std::string::npos);
  EXPECT_NE(ask(rpc_of("client"), call("\"5\"", "count")).find(R"("text":"3")"), std::string::npos);
}

TEST_F(MqttTransportTest, AnswersWhatIsNoRequestInASession) {
  connect();
  EXPECT_EQ(ask(rpc_of("client"), request("1", "ping")),
            R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600,)"
            R"("message":"This MQTT client id has no session; initialize on the control topic."}})");
  begin_session();
  EXPECT_NE(ask(rpc_of("client"), "no JSON").find(R"("code":-32700)"), std::string::npos);
  const std::string late = R"({"jsonrpc":"2.0","method":")" + std::string(2000, 'x') + R"(","id":77})";
  EXPECT_EQ(ask(rpc_of("client"), late), R"({"jsonrpc":"2.0","id":77,"error":{"code":-32600,)"
                                         R"("message":"Message too long: at most 1024 bytes are accepted."}})");
  EXPECT_EQ(ask(control, late), R"({"jsonrpc":"2.0","id":77,"error":{"code":-32600,)"
                                R"("message":"Message too long: at most 1024 bytes are accepted."}})");
  EXPECT_EQ(ask(rpc_of("client"), request("7", "ping")), R"({"jsonrpc":"2.0","id":7,"result":{}})");
}

TEST_F(MqttTransportTest, DropsMessagesWithoutASenderAndOnOtherTopics) {
  connect();
  for (const char* const sender : {"", "a/b", "a+b", "#"}) EXPECT_EQ(ask(control, initialize(), sender), "");
  for (const char* const topic :
       {"$mcp-server/boiler-8/house/boiler", "$mcp-server/boiler-7/house", "$mcp-rpc/client/boiler-7/house/boilers",
        "$mcp-rpc/client", "$mcp-client/presence/", "$mcp-client/other/client", "other"})
    EXPECT_EQ(ask(topic, request("1", "ping")), "");
  EXPECT_TRUE(others_.empty());
  EXPECT_EQ(broker_.pubacks.size(), 11U);
}

TEST_F(MqttTransportTest, ClientIdThatIsTooLongGetsAnError) {
  connect();
  for (const std::size_t size : {41U, 128U}) {
    const std::string client(size, 'c');
    EXPECT_NE(ask(control, initialize("1"), client).find("The MQTT client id is too long."), std::string::npos) << size;
  }
  EXPECT_EQ(ask(control, initialize("1"), std::string(129, 'c')), "");
  EXPECT_EQ(ask(control, initialize("1"), std::string(400, 'c')), "");
  EXPECT_EQ(broker_.pubacks.back(), 0x95U);  // not read
  begin_session(std::string(40, 'c'));
}

// The broker has sent it before the acknowledgement for which the response waits.
TEST_F(MqttTransportTest, DropsAMessageWithQos0WhileAResponseWaits) {
  broker_.connack_properties = std::string("\x21\0\x01", 3);
  connect();
  begin_session();
  broker_.acknowledges = false;
  EXPECT_NE(ask(rpc_of("client"), request("1", "ping")), "");
  EXPECT_EQ(ask(rpc_of("client"), request("2", "ping")), "");
  broker_.publish(rpc_of("client"), request("3", "ping"), "client", 0);
  broker_.acknowledge_all();
  run();
  EXPECT_EQ(heard(), R"({"jsonrpc":"2.0","id":2,"result":{}})");
  broker_.acknowledges = true;
  broker_.acknowledge_all();
  broker_.publish(rpc_of("client"), request("4", "ping"), "client", 0);
  run();
  EXPECT_EQ(heard(), R"({"jsonrpc":"2.0","id":4,"result":{}})");
}

TEST_F(MqttTransportTest, MessageWithQos1TakesThePlaceOfOneWithQos0) {
  broker_.connack_properties = std::string("\x21\0\x01", 3);
  connect();
  begin_session();
  broker_.acknowledges = false;
  EXPECT_NE(ask(rpc_of("client"), request("1", "ping")), "");
  broker_.publish(rpc_of("client"), request("2", "ping"), "client", 0);
  run();
  EXPECT_EQ(ask(rpc_of("client"), request("3", "ping")), "");
  broker_.acknowledges = true;
  broker_.acknowledge_all();
  run();
  EXPECT_EQ(heard(), R"({"jsonrpc":"2.0","id":3,"result":{}})");
  EXPECT_EQ(transport_->state(), State::online);
}

TEST_F(MqttTransportTest, LeavesABrokerThatSendsMoreThanTheReceiveMaximum) {
  broker_.connack_properties = std::string("\x21\0\x01", 3);
  connect();
  begin_session();
  broker_.acknowledges = false;
  for (const char* const id : {"1", "2", "3"}) ask(rpc_of("client"), request(id, "ping"));
  EXPECT_EQ(transport_->reason(), Reason::receive_maximum_exceeded);
  EXPECT_EQ(broker_.log.back(), "bye 147");
}

// A broker sends a kept message again after each connection.
TEST_F(MqttTransportTest, ExecutesNoMessageThatTheBrokerHasKept) {
  connect();
  broker_.retains = true;
  EXPECT_EQ(ask(control, call("1", "count", "," + std::string(meta))), "");
  broker_.retains = false;
  EXPECT_NE(ask(control, call("2", "count", "," + std::string(meta))).find(R"("text":"1")"), std::string::npos);
}

TEST_F(MqttTransportTest, OneClientMayUseAllCallsButOne) {
  connect(test::kept_tasks);
  for (const char* const id : {"1", "2"}) EXPECT_EQ(ask(control, call(id, "forever", "," + std::string(meta))), "");
  EXPECT_NE(ask(control, call("3", "forever", "," + std::string(meta))).find("all calls for this client are in use"),
            std::string::npos);
  EXPECT_NE(ask(control, request("4", "tools/list", meta)).find(R"("tools":[)"), std::string::npos);
  EXPECT_EQ(ask(control, call("1", "forever", "," + std::string(meta)), "other"), "");
  EXPECT_TRUE(has_filter("$mcp-client/presence/other"));
}

// ---- Stateless requests ---------------------------------------------------------------------------------------------

TEST_F(MqttTransportTest, ServesStatelessRequestsOnTheControlTopic) {
  connect();
  const std::string came = ask(control, call("1", "count", "," + std::string(meta)));
  EXPECT_NE(came.find(R"("resultType":"complete")"), std::string::npos) << came;
  EXPECT_EQ(broker_.filters.size(), 1U);
  EXPECT_EQ(ask(control, call("1", "count", "," + std::string(meta))), "");  // the same message again
  EXPECT_NE(ask(control, call("1", "count", "," + std::string(meta)), "other").find(R"("text":"2")"),
            std::string::npos);
}

TEST_F(MqttTransportTest, ClientCancelsItsStatelessRequest) {
  connect(test::kept_tasks);
  for (const char* const client : {"ann", "bob"})
    EXPECT_EQ(ask(control, call("1", "forever", "," + std::string(meta)), client), "");
  const auto cancel = [&](std::string_view client, std::string_view id) {
    ask(control,
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + std::string(id) + "}}",
        client);
  };
  for (const char* const other : {"2", "\"1\"", "null", "{}"}) cancel("ann", other);
  ask(control, R"({"jsonrpc":"2.0","method":"notifications/cancelled"})", "ann");
  EXPECT_TRUE(has_filter("$mcp-client/presence/ann"));
  cancel("ann", "1");
  EXPECT_FALSE(has_filter("$mcp-client/presence/ann"));
  EXPECT_TRUE(has_filter("$mcp-client/presence/bob"));
  ask("$mcp-client/presence/bob", R"({"jsonrpc":"2.0","method":"notifications/disconnected"})", "bob");
  EXPECT_FALSE(bench_->anything_left());
}

// Both calls need the presence of their client.
TEST_F(MqttTransportTest, EndOfOneCallKeepsTheSubscriptionOfTheOther) {
  connect(test::kept_tasks);
  for (const char* const id : {"1", "2"}) EXPECT_EQ(ask(control, call(id, "forever", "," + std::string(meta))), "");
  EXPECT_EQ(std::count(broker_.log.begin(), broker_.log.end(), "subscribe $mcp-client/presence/client"), 1);
  ask(control, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  EXPECT_TRUE(has_filter("$mcp-client/presence/client"));
  ask("$mcp-client/presence/client", R"({"jsonrpc":"2.0","method":"notifications/disconnected"})");
  EXPECT_FALSE(has_filter("$mcp-client/presence/client"));
  EXPECT_FALSE(bench_->anything_left());
}

TEST_F(MqttTransportTest, TaskOfAStatelessClientRunsWithoutACall) {
  connect(*test::find_definition("tasks"));
  const std::string task_meta =
      R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":)"
      R"({"extensions":{"io.modelcontextprotocol/tasks":{}}}})";
  const std::string begun = ask(control, call("1", "work", R"(,"arguments":{"how":""},)" + task_meta));
  const auto result = test::parse_json(begun);
  ASSERT_TRUE(result) << begun;
  const std::string id = result->text_at("result.taskId");
  pass(100);
  EXPECT_NE(ask(control, request("2", "tasks/get", R"("taskId":")" + id + R"(",)" + task_meta)).find("worked"),
            std::string::npos);
}

TEST_F(MqttTransportTest, RejectsOtherRequestsWithoutASession) {
  connect();
  EXPECT_NE(ask(control, request("1", "tools/list")).find(R"("id":1,"error":{"code":-32)"), std::string::npos);
}

// ---- Limits of the broker -------------------------------------------------------------------------------------------

TEST_F(MqttTransportTest, SendsAtMostAsManyMessagesAsTheBrokerAllows) {
  broker_.connack_properties = std::string("\x21\0\x01", 3);
  connect();
  begin_session();
  broker_.acknowledges = false;
  EXPECT_NE(ask(rpc_of("client"), request("1", "ping")), "");
  EXPECT_EQ(ask(rpc_of("client"), request("2", "ping")), "");
  broker_.acknowledge_all(0x10);  // no matching subscribers
  run();
  EXPECT_EQ(heard(), R"({"jsonrpc":"2.0","id":2,"result":{}})");
}

TEST_F(MqttTransportTest, ErrorReplacesAResponseThatTheBrokerDoesNotAccept) {
  broker_.connack_properties = std::string("\x27\0\0\x01\xC0", 5);  // 448 bytes
  connect();
  begin_session();
  EXPECT_EQ(
      ask(rpc_of("client"), request("4", "tools/list")),
      R"({"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"The response is larger than the broker accepts."}})");
}

TEST_F(MqttTransportTest, NeedsPacketsInWhichItCanBeFound) {
  broker_.connack_properties = std::string("\x27\0\0\0\x40", 5);
  start();
  run();
  EXPECT_EQ(transport_->state(), State::waiting);
  EXPECT_EQ(transport_->reason(), Reason::packet_too_large);
}

// ---- Changes --------------------------------------------------------------------------------------------------------

TEST_F(MqttTransportTest, TellsAChangeOnceForAllSessions) {
  connect();
  for (const char* const client : {"ann", "bob"}) {
    begin_session(client);
    EXPECT_EQ(ask(rpc_of(client), request("1", "resources/subscribe", R"("uri":"test://counter")"), client),
              R"({"jsonrpc":"2.0","id":1,"result":{}})");
  }
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(test::act(bench_->server, "update test://counter"));
    run();
    const std::vector<MqttMessage> messages = broker_.take_messages();
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0].topic, capability);
    EXPECT_EQ(messages[0].payload,
              R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"test://counter"}})");
    EXPECT_FALSE(messages[0].retain);
  }
}

// ---- Who sends ------------------------------------------------------------------------------------------------------

class Users final : public mcp::MqttAuthorizer {
 public:
  std::vector<std::string> asked;
  std::uint64_t principal = 7;

 private:
  mcp::MqttGrant do_check(const mcp::MqttSender& sender) override {
    asked.push_back(std::string(sender.client_id) + (sender.is_from_topic ? " topic" : " says"));
    if (sender.client_id == "stranger") return {};
    return {.is_accepted = true, .principal = principal, .scopes = test::scoped.scopes.named("pump:read")};
  }
};

TEST_F(MqttTransportTest, AuthorizerDecidesAboutEachMessage) {
  Users users;
  mcp::MqttOptions options = plain;
  options.authorizer = &users;
  connect(test::scoped, options);
  begin_session();
  EXPECT_NE(ask(rpc_of("client"), call("1", "start")).find("The scope pump:write is required"), std::string::npos);
  EXPECT_NE(ask(control, initialize("3"), "stranger").find("The sender is not accepted."), std::string::npos);
  users.principal = 8;
  EXPECT_NE(ask(rpc_of("client"), request("4", "ping")).find("The session belongs to another user."),
            std::string::npos);
  users.asked.pop_back();
  EXPECT_EQ(users.asked, (std::vector<std::string>{"client says", "client topic", "client topic", "stranger says"}));
}

}  // namespace
