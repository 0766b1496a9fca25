// SPDX-License-Identifier: Apache-2.0
// MCP over MQTT, with a broker that the tests play.
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
  connect(kept_tasks);
  for (const char* const id : {"1", "2"}) EXPECT_EQ(ask(control, call(id, "forever", "," + std::string(meta))), "");
  EXPECT_NE(ask(control, call("3", "forever", "," + std::string(meta))).find("all calls for this client are in use"),
            std::string::npos);
  EXPECT_NE(ask(control, request("4", "tools/list", meta)).find(R"("tools":[)"), std::string::npos);
  EXPECT_EQ(ask(control, call("1", "forever", "," + std::string(meta)), "other"), "");
  EXPECT_TRUE(has_filter("$mcp-client/presence/other"));
}

TEST_F(MqttTransportTest, RejectsACallWhenAllAreInUse) {
  connect(kept_tasks);
  for (const char* const client : {"ann", "bob", "cat"})
    EXPECT_EQ(ask(control, call("1", "forever", "," + std::string(meta)), client), "");
  EXPECT_NE(ask(control, call("1", "forever", "," + std::string(meta)), "dan").find("all calls for this client are in"),
            std::string::npos);
  ask("$mcp-client/presence/bob", R"({"jsonrpc":"2.0","method":"notifications/disconnected"})", "bob");
  EXPECT_EQ(ask(control, call("2", "forever", "," + std::string(meta)), "dan"), "");
  EXPECT_TRUE(has_filter("$mcp-client/presence/dan"));
}

TEST_F(MqttTransportTest, OneClientMayUseTheOnlyCall) {
  connect<mcp::MqttLimits{.calls = 1}>(kept_tasks);
  EXPECT_EQ(ask(control, call("1", "forever", "," + std::string(meta))), "");
  EXPECT_TRUE(has_filter("$mcp-client/presence/client"));
  EXPECT_NE(ask(control, call("2", "forever", "," + std::string(meta))).find("all calls for this client are in use"),
            std::string::npos);
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
  connect(kept_tasks);
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
  connect(kept_tasks);
  for (const char* const id : {"1", "2"}) EXPECT_EQ(ask(control, call(id, "forever", "," + std::string(meta))), "");
  EXPECT_EQ(std::count(broker_.log.begin(), broker_.log.end(), "subscribe $mcp-client/presence/client"), 1);
  ask(control, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  EXPECT_TRUE(has_filter("$mcp-client/presence/client"));
  ask("$mcp-client/presence/client", R"({"jsonrpc":"2.0","method":"notifications/disconnected"})");
  EXPECT_FALSE(has_filter("$mcp-client/presence/client"));
  EXPECT_FALSE(bench_->anything_left());
}

TEST_F(MqttTransportTest, TaskOfAStatelessClientRunsWithoutACall) {
  connect(*find_definition("tasks"));
  const std::string task_meta =
      R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":)"
      R"({"extensions":{"io.modelcontextprotocol/tasks":{}}}})";
  const std::string begun = ask(control, call("1", "work", R"(,"arguments":{"how":""},)" + task_meta));
  const auto result = parse_json(begun);
  ASSERT_TRUE(result) << begun;
  const std::string id = result->text_at("result.taskId");
  pass(100);
  EXPECT_NE(ask(control, request("2", "tasks/get", R"("taskId":")" + id + R"(",)" + task_meta)).find("worked"),
            std::string::npos);
}

TEST_F(MqttTransportTest, StatelessRequestEndsWithItsResult) {
  connect(kept_tasks);
  EXPECT_EQ(ask(control, call("1", "water", "," + std::string(meta))), "");
  EXPECT_TRUE(has_filter("$mcp-client/presence/client"));
  pass(100);
  pass(100);
  EXPECT_NE(heard().find("Watered 2 beds."), std::string::npos);
  EXPECT_FALSE(has_filter("$mcp-client/presence/client"));
  EXPECT_FALSE(bench_->anything_left());
}

// The device is not notified then when the client goes.
TEST_F(MqttTransportTest, StatelessRequestContinuesWithoutThePresenceOfItsClient) {
  connect(kept_tasks);
  broker_.refused["$mcp-client/presence/client"] = 0x87;
  EXPECT_EQ(ask(control, call("1", "water", "," + std::string(meta))), "");
  pass(100);
  pass(100);
  EXPECT_NE(heard().find("Watered 2 beds."), std::string::npos);
}

// The will of a client may come before its last request.
TEST_F(MqttTransportTest, SubscriptionEndsWhenItsMessagesHaveNoSubscriber) {
  connect();
  broker_.acknowledges = false;
  const std::string listen = request("1", "subscriptions/listen", R"("notifications":{},)" + std::string(meta));
  EXPECT_NE(ask(control, listen).find("acknowledged"), std::string::npos);
  EXPECT_TRUE(has_filter("$mcp-client/presence/client"));
  broker_.acknowledge_all(0x10);  // no matching subscribers
  run();
  EXPECT_FALSE(has_filter("$mcp-client/presence/client"));
  EXPECT_FALSE(bench_->anything_left());
}

TEST_F(MqttTransportTest, SessionEndsWhenItsMessagesHaveNoSubscriber) {
  connect();
  broker_.acknowledges = false;
  EXPECT_NE(ask(control, initialize()).find(R"("protocolVersion":"2025-11-25")"), std::string::npos);
  broker_.acknowledge_all(0x10);
  broker_.acknowledges = true;
  run();
  EXPECT_FALSE(has_filter(rpc_of("client")));
  EXPECT_FALSE(bench_->anything_left());
  begin_session();
}

TEST_F(MqttTransportTest, ServerOfTheLegacyEraRejectsStatelessRequests) {
  static constexpr mcp::Definition legacy{.name = "legacy", .version = "0", .eras = mcp::legacy_era};
  connect(legacy);
  EXPECT_NE(ask(control, request("1", "tools/list", meta)).find(R"("id":1,"error":{"code":-32)"), std::string::npos);
  begin_session();
  EXPECT_EQ(ask(rpc_of("client"), request("2", "ping")), R"({"jsonrpc":"2.0","id":2,"result":{}})");
}

TEST_F(MqttTransportTest, RejectsOtherRequestsWithoutASession) {
  connect();
  EXPECT_NE(ask(control, request("1", "tools/list")).find(R"("id":1,"error":{"code":-32)"), std::string::npos);
}

// The client publishes its request again, because it has no response.
TEST_F(MqttTransportTest, ErrorReplacesAResponseThatWasLostWithTheConnection) {
  connect();
  EXPECT_NE(ask(control, call("1", "count", "," + std::string(meta))).find(R"("text":"1")"), std::string::npos);
  EXPECT_EQ(ask(control, call("1", "count", "," + std::string(meta))), "");  // the response is on its way
  broker_.connection().wire.end();
  run();
  pass(limits.max_retry_ms);
  EXPECT_EQ(transport_->state(), State::online);
  EXPECT_EQ(ask(control, call("1", "count", "," + std::string(meta))),
            R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":)"
            R"("This request came before a connection was lost; the call may have taken effect."}})");
  EXPECT_EQ(ask(control, call("1", "count", "," + std::string(meta))), "");
  EXPECT_NE(ask(control, call("2", "count", "," + std::string(meta))).find(R"("text":"2")"), std::string::npos);
}

// A client with a fixed id that starts again may count from 1.
TEST_F(MqttTransportTest, ForgetsAnIdAfterTenMinutes) {
  connect();
  EXPECT_NE(ask(control, call("1", "count", "," + std::string(meta))), "");
  pass(598'000);
  EXPECT_EQ(ask(control, call("1", "count", "," + std::string(meta))), "");
  pass(4'000);
  EXPECT_NE(ask(control, call("1", "count", "," + std::string(meta))).find(R"("text":"2")"), std::string::npos);
}

// The times of remembered requests wrap with the clock of the device alone.
TEST_F(MqttTransportTest, RemembersNoIdAgain) {
  connect();
  EXPECT_NE(ask(control, call("1", "count", "," + std::string(meta))), "");
  pass(33'554'432);  // 2^15 times 1024 ms
  EXPECT_NE(ask(control, call("1", "count", "," + std::string(meta))).find(R"("text":"2")"), std::string::npos);
}

// A message with QoS 1 takes the place of its response.
TEST_F(MqttTransportTest, SessionEndsWithoutItsFirstResponse) {
  broker_.connack_properties = std::string("\x21\0\x01", 3);
  connect();
  broker_.acknowledges = false;
  EXPECT_NE(ask(control, request("1", "tools/list", meta), "other"), "");
  broker_.publish(control, initialize(), "client", 0);
  run();
  EXPECT_TRUE(has_filter(rpc_of("client")));
  broker_.publish(control, request("2", "tools/list", meta), "other");
  run();
  broker_.acknowledges = true;
  broker_.acknowledge_all();
  run();
  EXPECT_EQ(heard(), "");
  EXPECT_FALSE(has_filter(rpc_of("client")));
}

TEST_F(MqttTransportTest, ControlTopicChangesNothingOfASession) {
  connect();
  begin_session();
  for (const char* const id : {"1", "2", "3", "4"})
    EXPECT_NE(ask(control, initialize(id)).find("has a session"), std::string::npos);
  EXPECT_EQ(ask(control, initialize("0")), "");  // delivered twice
  EXPECT_EQ(ask(rpc_of("client"), request("3", "ping")), R"({"jsonrpc":"2.0","id":3,"result":{}})");
}

// The SUBSCRIBE of a session that has ended is also that of the next one.
TEST_F(MqttTransportTest, SessionEndsIfTheBrokerRefusesASharedSubscription) {
  connect<mcp::MqttLimits{.in_flight = 8}>(kept_tasks);
  broker_.confirms = false;
  broker_.refused["$mcp-client/presence/client"] = 0x87;
  EXPECT_EQ(ask(control, call("1", "forever", "," + std::string(meta))), "");
  EXPECT_NE(ask(control, initialize()).find("protocolVersion"), std::string::npos);
  ask(control, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  broker_.confirm_all();
  run();
  EXPECT_NE(heard().find("notifications/disconnected"), std::string::npos);
  EXPECT_FALSE(bench_->anything_left());
}

// ---- Limits of the broker -------------------------------------------------------------------------------------------

TEST_F(MqttTransportTest, SendsAtMostAsManyMessagesAsTheBrokerAllows) {
  broker_.connack_properties = std::string("\x21\0\x01", 3);
  connect();
  begin_session();
  broker_.acknowledges = false;
  EXPECT_NE(ask(rpc_of("client"), request("1", "ping")), "");
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
  const std::string response = R"({"jsonrpc":"2.0","id":")" + input_request->text_at("id") +
                               R"(","result":{"action":"accept","content":{"x":"a"}}})";
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

// ---- Who sends ------------------------------------------------------------------------------------------------------

class Users final : public mcp::MqttAuthorizer {
 public:
  std::vector<std::string> asked;
  std::uint64_t principal = 7;

 private:
  mcp::MqttGrant do_check(const mcp::MqttSender& sender) override {
    asked.push_back(std::string(sender.client_id) + (sender.is_from_topic ? " topic" : " says"));
    if (sender.client_id == "stranger") return {};
    return {.is_accepted = true, .principal = principal, .scopes = scoped.scopes.named("pump:read")};
  }
};

TEST_F(MqttTransportTest, AuthorizerDecidesAboutEachMessage) {
  Users users;
  mcp::MqttOptions options = plain;
  options.authorizer = &users;
  connect(scoped, options);
  begin_session();
  EXPECT_NE(ask(rpc_of("client"), call("1", "start")).find("The scope pump:write is required"), std::string::npos);
  EXPECT_NE(ask(control, initialize("3"), "stranger").find("The sender is not accepted."), std::string::npos);
  users.principal = 8;
  EXPECT_NE(ask(rpc_of("client"), request("4", "ping")).find("The session belongs to another user."),
            std::string::npos);
  users.asked.pop_back();
  EXPECT_EQ(users.asked, (std::vector<std::string>{"client says", "client topic", "client topic", "stranger says"}));
}

// All clients that the broker vouches for are of one user, until a test says otherwise.
class OneUser final : public mcp::MqttAuthorizer {
 public:
  std::uint64_t principal = 7;

 private:
  mcp::MqttGrant do_check(const mcp::MqttSender&) override {
    return {.is_accepted = true, .principal = principal, .scopes = mcp::Scopes::all()};
  }
};

constexpr std::string_view disconnected = R"({"jsonrpc":"2.0","method":"notifications/disconnected"})";

TEST_F(MqttTransportTest, UserEndsNoRequestOfAnotherUserUnderItsClientId) {
  OneUser users;
  mcp::MqttOptions options = plain;
  options.authorizer = &users;
  connect(kept_tasks, options);
  const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
  EXPECT_EQ(ask(control, call("1", "forever", "," + std::string(meta))), "");
  users.principal = 8;
  ask(control, cancel);
  ask("$mcp-client/presence/client", disconnected);
  EXPECT_TRUE(has_filter("$mcp-client/presence/client"));
  // Its request does not take the place of one with the same id.
  EXPECT_NE(ask(control, request("2", "tools/list", meta)).find(R"("tools":[)"), std::string::npos);
  users.principal = 7;
  EXPECT_NE(ask(control, request("2", "tools/list", meta)).find(R"("tools":[)"), std::string::npos);
  ask(control, cancel);
  EXPECT_FALSE(has_filter("$mcp-client/presence/client"));
  EXPECT_FALSE(bench_->anything_left());
}

// Two users and two ids may differ in the same bits.
TEST_F(MqttTransportTest, UsersWithSimilarNumbersAreApart) {
  OneUser users;
  mcp::MqttOptions options = plain;
  options.authorizer = &users;
  connect(kept_tasks, options);
  users.principal = 1;
  EXPECT_EQ(ask(control, call("5", "forever", "," + std::string(meta))), "");
  users.principal = 2;
  ask(control, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":6}})");
  EXPECT_TRUE(has_filter("$mcp-client/presence/client"));
  EXPECT_NE(ask(control, request("8", "tools/list", meta)).find(R"("tools":[)"), std::string::npos);
  users.principal = 1;
  for (const char* const id : {"9", "10", "11"})
    EXPECT_NE(ask(control, request(id, "tools/list", meta)).find(R"("tools":[)"), std::string::npos);
}

TEST_F(MqttTransportTest, UserEndsNoSessionOfAnotherUser) {
  OneUser users;
  mcp::MqttOptions options = plain;
  options.authorizer = &users;
  connect(full(), options);
  begin_session();
  users.principal = 8;
  ask("$mcp-client/presence/client", disconnected);
  EXPECT_EQ(ask(rpc_of("client"), disconnected), "");
  users.principal = 7;
  EXPECT_EQ(ask(rpc_of("client"), request("2", "ping")), R"({"jsonrpc":"2.0","id":2,"result":{}})");
  users.principal = 0;  // a will, for which the broker sets no user
  ask("$mcp-client/presence/client", disconnected);
  EXPECT_FALSE(bench_->anything_left());
  begin_session();
  users.principal = 8;  // ends what belongs to no known user
  ask("$mcp-client/presence/client", disconnected);
  EXPECT_FALSE(bench_->anything_left());
}

TEST_F(MqttTransportTest, OneUserMayUseAllCallsButOne) {
  OneUser users;
  mcp::MqttOptions options = plain;
  options.authorizer = &users;
  connect(kept_tasks, options);
  for (const char* const client : {"ann", "bob"})
    EXPECT_EQ(ask(control, call("1", "forever", "," + std::string(meta)), client), "");
  EXPECT_NE(ask(control, call("1", "forever", "," + std::string(meta)), "cat").find("all calls for this client are in"),
            std::string::npos);
  users.principal = 8;
  EXPECT_EQ(ask(control, call("1", "forever", "," + std::string(meta)), "dan"), "");
  EXPECT_TRUE(has_filter("$mcp-client/presence/dan"));
}

}  // namespace
}  // namespace test::mqtt
