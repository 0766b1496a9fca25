// SPDX-License-Identifier: Apache-2.0
// Sessions of clients over MQTT, their changes and input requests, and the limits of the broker. The tests play the
// broker.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/json.hpp"
#include "transports/mqtt/mqtt_device.hpp"

namespace test::mqtt {
namespace {

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

TEST_F(MqttTransportTest, SessionEndsWithoutAResponseToThePing) {
  connect(input_requests);
  begin_session();
  pass(60'000);
  EXPECT_NE(heard().find(R"("method":"ping")"), std::string::npos);
  pass(5'000);
  EXPECT_EQ(heard(), R"({"jsonrpc":"2.0","method":"notifications/disconnected"})");
  EXPECT_FALSE(has_filter(rpc_of("client")));
  EXPECT_FALSE(bench_->anything_left());
}

TEST_F(MqttTransportTest, SessionContinuesWhenTheBrokerRejectsAMessage) {
  connect();
  begin_session();
  broker_.acknowledges = false;
  EXPECT_NE(ask(rpc_of("client"), request("1", "ping")), "");
  broker_.acknowledge_all(0x97);  // quota exceeded
  run();
  EXPECT_EQ(ask(rpc_of("client"), request("2", "ping")), R"({"jsonrpc":"2.0","id":2,"result":{}})");
}

TEST_F(MqttTransportTest, SessionWithSeveralRejectedFiltersEndsOnce) {
  connect();
  for (const std::string& filter : {rpc_of("client"), std::string("$mcp-client/presence/client")})
    broker_.refused[filter] = 0x87;
  EXPECT_NE(ask(control, initialize()).find(R"({"jsonrpc":"2.0","method":"notifications/disconnected"})"),
            std::string::npos);
  EXPECT_EQ(std::count(broker_.log.begin(), broker_.log.end(), "unsubscribe " + rpc_of("client")), 1);
  EXPECT_FALSE(bench_->anything_left());
}

TEST_F(MqttTransportTest, SessionWithoutItsTopicEnds) {
  connect();
  broker_.refused[rpc_of("client")] = 0x87;
  ask(control, initialize());
  EXPECT_FALSE(bench_->anything_left());
  EXPECT_EQ(broker_.filters.size(), 1U);
}

// The session of the second client has the memory of the first one.
TEST_F(MqttTransportTest, SessionContinuesWhenTheBrokerRejectsAFilterOfAnEndedOne) {
  connect<mcp::MqttLimits{.in_flight = 16}>();
  broker_.refused["$mcp-client/capability/ann"] = 0x87;
  broker_.confirms = false;
  EXPECT_NE(ask(control, initialize(), "ann"), "");
  ask("$mcp-client/presence/ann", R"({"jsonrpc":"2.0","method":"notifications/disconnected"})", "ann");
  begin_session("bob");
  broker_.confirms = true;
  broker_.confirm_all();
  run();
  EXPECT_EQ(ask(rpc_of("bob"), request("7", "ping"), "bob"), R"({"jsonrpc":"2.0","id":7,"result":{}})");
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
  for (const char* const topic : {"$mcp-server/boiler-8/house/boiler", "$mcp-server/boiler-78/house/boiler",
                                  "$mcp-server/boiler-7/house", "$mcp-rpc/client/boiler-7/house/boilers",
                                  "$mcp-rpc/client", "$mcp-client/presence/", "$mcp-client/other/client", "other"})
    EXPECT_EQ(ask(topic, request("1", "ping")), "");
  EXPECT_TRUE(others_.empty());
  EXPECT_EQ(broker_.pubacks.size(), 12U);
}

TEST_F(MqttTransportTest, SendsNoErrorForANotificationOrAResponse) {
  connect();
  for (const std::string& topic : {rpc_of("client"), std::string(control)}) {
    for (const char* const method : {"notifications/initialized", "initialize"})
      EXPECT_EQ(ask(topic, R"({"jsonrpc":"2.0","method":")" + std::string(method) + R"("})"), "") << method;
    EXPECT_EQ(ask(topic, R"({"jsonrpc":"2.0","id":1,"result":{}})"), "");
  }
}

TEST_F(MqttTransportTest, ReadsAnObjectWithSpacesBeforeIt) {
  connect();
  EXPECT_NE(ask(control, " \r\n" + initialize()).find(R"("protocolVersion":"2025-11-25")"), std::string::npos);
}

TEST_F(MqttTransportTest, BeginsNoSessionForAnArray) {
  connect();
  const std::string came = ask(control, "[" + initialize() + "]");
  EXPECT_EQ(came.find("protocolVersion"), std::string::npos) << came;
  EXPECT_NE(came.find(R"("error":{"code":-32600)"), std::string::npos) << came;
  EXPECT_FALSE(bench_->anything_left());
}

TEST_F(MqttTransportTest, ReturnsToTheMainLoopBetweenManyMessages) {
  connect();
  begin_session();
  for (int i = 0; i < 40; ++i)
    broker_.publish(rpc_of("client"), R"({"jsonrpc":"2.0","method":"notifications/initialized"})", "client", 0);
  EXPECT_EQ(transport_->poll(now_), 0U);
  EXPECT_NE(broker_.connection().wire.unread(), 0U);
  run();
  EXPECT_EQ(broker_.connection().wire.unread(), 0U);
  EXPECT_EQ(transport_->state(), State::online);
}

TEST_F(MqttTransportTest, ClientIdThatIsTooLongGetsAnError) {
  connect();
  for (const std::size_t size : {41U, 128U}) {
    const std::string client(size, 'c');
    EXPECT_NE(ask(control, initialize("1"), client).find("The MQTT client id is too long."), std::string::npos) << size;
  }
  EXPECT_EQ(ask(control, initialize("1"), std::string(129, 'c')), "");
  EXPECT_EQ(ask(control, initialize("1"), std::string(400, 'c')), "");
  EXPECT_EQ(broker_.pubacks.back(), 0x97U);  // not read
  begin_session(std::string(40, 'c'));
}

// A message with QoS 0 waits for no acknowledgement, so the broker sends the next one at once.
TEST_F(MqttTransportTest, ServesOthersBetweenTheMessagesOfOneClient) {
  connect(*find_definition("features"));
  begin_session("victim");
  EXPECT_EQ(ask(rpc_of("victim"), call("1", "forever"), "victim"), "");
  const std::string flood = R"({"jsonrpc":"2.0","method":"notifications/x"})";
  std::string heard_by_victim;
  for (int ms = 0; heard_by_victim.empty() && ms < 2000; ++ms) {
    ++now_;
    while (broker_.connection().wire.unread() < 16'000) broker_.publish(control, flood, "attacker", 0);
    static_cast<void>(transport_->poll(now_));
    broker_.run();
    heard_by_victim = heard("victim");
  }
  EXPECT_NE(heard_by_victim.find(R"("id":1)"), std::string::npos) << "the time limit of its call is 1 s";
}

// Each request is answered, too.
TEST_F(MqttTransportTest, ServesOthersBetweenTheRequestsOfOneClient) {
  connect(*find_definition("features"));
  begin_session("victim");
  EXPECT_EQ(ask(rpc_of("victim"), call("1", "forever"), "victim"), "");
  std::string heard_by_victim;
  unsigned id = 0;
  for (int ms = 0; heard_by_victim.empty() && ms < 2000; ++ms) {
    ++now_;
    while (broker_.connection().wire.unread() < 16'000)
      broker_.publish(control, request(std::to_string(++id), "ping", meta), "attacker", 0);
    static_cast<void>(transport_->poll(now_));
    broker_.run();
    heard_by_victim = heard("victim");
  }
  EXPECT_NE(heard_by_victim.find(R"("id":1)"), std::string::npos) << "the time limit of its call is 1 s";
}

TEST_F(MqttTransportTest, ReadsManyPacketsWithoutAnEvent) {
  connect();
  for (int i = 0; i < 100; ++i) broker_.send(std::string_view("\xD0\0", 2));
  run();
  EXPECT_EQ(broker_.connection().wire.unread(), 0U);
  EXPECT_EQ(transport_->state(), State::online);
}

// A client may initialize its session again.
TEST_F(MqttTransportTest, TellsAChangeOnceAlsoAfterASecondInitialize) {
  connect();
  bench_->server.share_changes({});  // of no session
  for (const char* const client : {"ann", "bob"}) {
    begin_session(client);
    EXPECT_NE(ask(rpc_of(client), request("1", "resources/subscribe", R"("uri":"test://counter")"), client), "");
  }
  EXPECT_NE(ask(rpc_of("bob"), initialize("9"), "bob").find("protocolVersion"), std::string::npos);
  EXPECT_EQ(ask(rpc_of("bob"), R"({"jsonrpc":"2.0","method":"notifications/initialized"})", "bob"), "");
  EXPECT_NE(ask(rpc_of("bob"), request("10", "resources/subscribe", R"("uri":"test://counter")"), "bob"), "");
  broker_.take_messages();
  ASSERT_TRUE(act(bench_->server, "update test://counter"));
  run();
  EXPECT_EQ(broker_.take_messages().size(), 1U);
}

TEST_F(MqttTransportTest, SendsAStreamedBodyWhole) {
  connect(streams);
  begin_session();
  const std::string read = request("1", "resources/read", R"("uri":"stream:text")");
  streamed.body = "All of it.";
  streamed.busy_at = 4;
  EXPECT_EQ(ask(rpc_of("client"), read), "");
  streamed.busy_at = 100;
  pass(100);
  EXPECT_NE(heard().find(R"("text":"All of it.")"), std::string::npos);
  streamed.body = std::string(3000, 'x');
  streamed.busy_at = 3000;
  EXPECT_NE(ask(rpc_of("client"), request("2", "resources/read", R"("uri":"stream:text")")).find(R"("id":2,"error")"),
            std::string::npos);
}

TEST_F(MqttTransportTest, MaximumPacketSizeIsAboveTheReceiveBuffer) {
  connect();
  EXPECT_EQ(broker_.connect_properties["maximum packet size"], std::to_string(16 * 1024 + 320));
}

TEST_F(MqttTransportTest, DropsALongNotificationOnTheControlTopic) {
  connect();
  const std::string text = std::string(1100, 'a');
  EXPECT_EQ(ask(control, R"({"jsonrpc":"2.0","method":"notifications/x","params":{"a":")" + text + "\"}}"), "");
  EXPECT_NE(ask(control, request("1", "ping", "\"a\":\"" + text + '"')).find(R"("id":1,"error")"), std::string::npos);
}

TEST_F(MqttTransportTest, RejectsALongMessageAsAShortOne) {
  connect();
  begin_session();
  const std::string text = std::string(1100, 'a');
  const std::string ping = request("1", "ping", "\"a\":\"" + text + '"');
  EXPECT_EQ(ask(rpc_of("client"), R"({"jsonrpc":"2.0","id":7,"result":{"a":")" + text + "\"}}"), "");
  EXPECT_NE(ask(control, ping, std::string(41, 'c')).find(R"(The MQTT client id is too long.)"), std::string::npos);
  EXPECT_EQ(ask(rpc_of("stranger"), ping, "stranger"), ask(rpc_of("stranger"), request("1", "ping"), "stranger"));
}

// The broker has sent it before the acknowledgement for which the response waits.
TEST_F(MqttTransportTest, DropsAMessageWithQos0WhileAResponseWaits) {
  begin_session_with_a_response_in_flight();
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
  begin_session_with_a_response_in_flight();
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
  begin_session_with_a_response_in_flight();
  for (const char* const id : {"2", "3"}) ask(rpc_of("client"), request(id, "ping"));
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
  connect(detached_tasks);
  for (const char* const id : {"1", "2"}) EXPECT_EQ(ask(control, call(id, "forever", "," + std::string(meta))), "");
  EXPECT_NE(ask(control, call("3", "forever", "," + std::string(meta))).find("all calls for this client are in use"),
            std::string::npos);
  EXPECT_NE(ask(control, request("4", "tools/list", meta)).find(R"("tools":[)"), std::string::npos);
  EXPECT_EQ(ask(control, call("1", "forever", "," + std::string(meta)), "other"), "");
  EXPECT_TRUE(has_filter("$mcp-client/presence/other"));
}

TEST_F(MqttTransportTest, RejectsACallWhenAllAreInUse) {
  connect(detached_tasks);
  for (const char* const client : {"ann", "bob", "cat"})
    EXPECT_EQ(ask(control, call("1", "forever", "," + std::string(meta)), client), "");
  EXPECT_NE(ask(control, call("1", "forever", "," + std::string(meta)), "dan").find("all calls for this client are in"),
            std::string::npos);
  ask("$mcp-client/presence/bob", R"({"jsonrpc":"2.0","method":"notifications/disconnected"})", "bob");
  EXPECT_EQ(ask(control, call("2", "forever", "," + std::string(meta)), "dan"), "");
  EXPECT_TRUE(has_filter("$mcp-client/presence/dan"));
}

TEST_F(MqttTransportTest, OneClientMayUseTheOnlyCall) {
  connect<mcp::MqttLimits{.calls = 1}>(detached_tasks);
  EXPECT_EQ(ask(control, call("1", "forever", "," + std::string(meta))), "");
  EXPECT_TRUE(has_filter("$mcp-client/presence/client"));
  EXPECT_NE(ask(control, call("2", "forever", "," + std::string(meta))).find("all calls for this client are in use"),
            std::string::npos);
}

// ---- Limits of the broker -------------------------------------------------------------------------------------------

TEST_F(MqttTransportTest, SendsAtMostAsManyMessagesAsTheBrokerAllows) {
  begin_session_with_a_response_in_flight();
  EXPECT_EQ(ask(rpc_of("client"), request("2", "ping")), "");
  broker_.acknowledge_all();
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

TEST_F(MqttTransportTest, SessionEndsIfTheBrokerDoesNotAcceptItsFirstResponse) {
  broker_.connack_properties = std::string("\x27\0\0\x01\x22", 5);  // 290 bytes
  connect();
  EXPECT_NE(ask(control, initialize("1")).find("larger than the broker accepts"), std::string::npos);
  EXPECT_EQ(broker_.filters.size(), 1U);
  EXPECT_FALSE(bench_->anything_left());
}

TEST_F(MqttTransportTest, ErrorReplacesABatchThatTheBrokerDoesNotAccept) {
  broker_.connack_properties = std::string("\x27\0\0\x02\x00", 5);  // 512 bytes
  connect();
  const std::string old = R"("protocolVersion":"2025-03-26","clientInfo":{"name":"c","version":"1"},"capabilities":{})";
  EXPECT_NE(ask(control, request("0", "initialize", old)).find("2025-03-26"), std::string::npos);
  EXPECT_EQ(ask(rpc_of("client"), R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), "");
  EXPECT_EQ(
      ask(rpc_of("client"), "[" + request("1", "tools/list") + "," + request("2", "tools/list") + "]"),
      R"({"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"The response is larger than the broker accepts."}})");
}

TEST_F(MqttTransportTest, DropsANotificationThatTheBrokerDoesNotAccept) {
  broker_.connack_properties = std::string("\x27\0\0\x02\x00", 5);  // 512 bytes
  connect(features);
  begin_session();
  EXPECT_NE(ask(rpc_of("client"), request("1", "logging/setLevel", R"("level":"error")")), "");
  ASSERT_TRUE(act(bench_->server, "log error - Short."));
  run();
  EXPECT_NE(heard().find("Short."), std::string::npos);
  ASSERT_TRUE(act(bench_->server, "log error - " + std::string(240, '"')));
  run();
  EXPECT_EQ(heard(), "");
  EXPECT_EQ(ask(rpc_of("client"), request("2", "ping")), R"({"jsonrpc":"2.0","id":2,"result":{}})");
}

TEST_F(MqttTransportTest, DropsAnInputRequestThatTheBrokerDoesNotAccept) {
  broker_.connack_properties = std::string("\x27\0\0\x01\xC0", 5);  // 448 bytes
  connect(input_requests);
  begin_session_with(R"({"elicitation":{}})");
  EXPECT_EQ(ask(rpc_of("client"), call("1", "fill")), "");
  EXPECT_EQ(ask(rpc_of("client"), request("2", "ping")), R"({"jsonrpc":"2.0","id":2,"result":{}})");
}

TEST_F(MqttTransportTest, NeedsPacketsInWhichItCanBeFound) {
  // Too small for the presence message, and for the SUBSCRIBE of the control topic.
  for (const char size : {'\x40', '\x20'}) {
    broker_.connack_properties = std::string("\x27\0\0\0", 4) + size;
    start();
    run();
    EXPECT_EQ(transport_->state(), State::waiting);
    EXPECT_EQ(transport_->reason(), Reason::packet_too_large);
    EXPECT_STREQ(transport_->problem(), "the largest packet that the broker accepts is too small");
  }
}

// ---- Changes --------------------------------------------------------------------------------------------------------

TEST_F(MqttTransportTest, TellsAChangeOnceForAllSessions) {
  connect();
  for (const char* const client : {"ann", "bob"}) {
    begin_session(client);
    EXPECT_EQ(ask(rpc_of(client), request("1", "resources/subscribe", R"("uri":"test://counter")"), client),
              R"({"jsonrpc":"2.0","id":1,"result":{}})");
  }
  broker_.acknowledges = false;
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(act(bench_->server, "update test://counter"));
    run();
    broker_.acknowledge_all(0x10);  // no client has subscribed to changes, which ends no session
    run();
    const std::vector<MqttMessage> messages = broker_.take_messages();
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0].topic, capability);
    EXPECT_EQ(messages[0].payload,
              R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"test://counter"}})");
    EXPECT_FALSE(messages[0].retain);
  }
}

TEST_F(MqttTransportTest, SendsChangesOfListsToAllClientsAndLogMessagesToOne) {
  connect(features);
  begin_session();
  for (const auto& [action, method] :
       {std::pair("disable content", "tools/list_changed"), {"disable plain", "prompts/list_changed"}}) {
    ASSERT_TRUE(act(bench_->server, action)) << action;
    run();
    const std::vector<MqttMessage> messages = broker_.take_messages();
    ASSERT_EQ(messages.size(), 1U) << action;
    EXPECT_EQ(messages[0].topic, capability);
    EXPECT_EQ(messages[0].payload, R"({"jsonrpc":"2.0","method":"notifications/)" + std::string(method) + R"("})");
  }
  EXPECT_NE(ask(rpc_of("client"), request("1", "logging/setLevel", R"("level":"error")")), "");
  ASSERT_TRUE(act(bench_->server, "log error pump It is dry."));
  run();
  EXPECT_NE(heard().find("It is dry."), std::string::npos);
}

// ---- Input requests -------------------------------------------------------------------------------------------------

TEST_F(MqttTransportTest, SendsAnInputRequestAndReadsItsResponse) {
  connect(input_requests);
  begin_session_with(R"({"elicitation":{}})");
  const std::string came = ask(rpc_of("client"), call("1", "hand"));
  const auto input_request = parse_json(came);
  ASSERT_TRUE(input_request) << came;
  EXPECT_EQ(input_request->text_at("method"), "elicitation/create");
  const std::string response = R"({"jsonrpc":"2.0","id":)" + input_request->text_at("id") +
                               R"(,"result":{"action":"accept","content":{"x":"a"}}})";
  EXPECT_NE(ask(rpc_of("client"), response).find(R"("id":1,"result":)"), std::string::npos);
}

TEST_F(MqttTransportTest, ReadsTheCapabilityTopicOfAClient) {
  connect(input_requests);
  begin_session_with(R"({"roots":{"listChanged":true}})");
  const std::string before = ask(rpc_of("client"), call("1", "roots_changes"));
  EXPECT_EQ(ask("$mcp-client/capability/client", R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})"),
            "");
  const std::string after = ask(rpc_of("client"), call("1000", "roots_changes"));
  EXPECT_NE(after.substr(after.find("result")), before.substr(before.find("result")));
}

}  // namespace
}  // namespace test::mqtt
