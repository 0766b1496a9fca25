// SPDX-License-Identifier: Apache-2.0
// Stateless requests over MQTT. The tests play the broker.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "support/json.hpp"
#include "transports/mqtt/mqtt_device.hpp"

namespace test::mqtt {
namespace {

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
  connect(detached_tasks);
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

TEST_F(MqttTransportTest, LongIdIsCancelledAndRunsOnce) {
  id_size_ = 64;
  connect(detached_tasks);
  const std::string id = "\"" + std::string(60, 'i') + "\"";
  const std::string other = "\"" + std::string(59, 'i') + "j\"";
  EXPECT_NE(ask(control, request(id, "tools/list", meta)), "");
  EXPECT_EQ(ask(control, request(id, "tools/list", meta)), "") << "the same message again";
  EXPECT_EQ(ask(control, call(other, "forever", "," + std::string(meta))), "");
  const auto cancel = [](const std::string& which) {
    return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + which + "}}";
  };
  ask(control, cancel(id));
  EXPECT_TRUE(bench_->anything_left());
  ask(control, cancel(other));
  EXPECT_FALSE(bench_->anything_left());
}

// Both calls need the presence of their client.
TEST_F(MqttTransportTest, EndOfOneCallKeepsTheSubscriptionOfTheOther) {
  connect(detached_tasks);
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
  connect(detached_tasks);
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
  connect(detached_tasks);
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
  connect<mcp::MqttLimits{.in_flight = 8}>(detached_tasks);
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

}  // namespace
}  // namespace test::mqtt
