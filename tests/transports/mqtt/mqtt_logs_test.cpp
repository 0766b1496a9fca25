// SPDX-License-Identifier: Apache-2.0
// Log messages before a response over MQTT. The tests play the broker.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "transports/mqtt/mqtt_device.hpp"

namespace test::mqtt {
namespace {

// A call of a tool of logs.cpp that asks for log messages.
std::string logged_call(std::string_view id, std::string_view tool, std::string_view arguments = "{}") {
  return call(id, tool,
              R"(,"arguments":)" + std::string(arguments) +
                  R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                  R"("io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"warning"})");
}
constexpr std::string_view pump = R"({"name":"pump"})";
std::string log_message(std::string_view logger, std::string_view text) {
  return R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":")" +
         std::string(logger) + R"(","data":")" + std::string(text) + "\"}}";
}
std::string result_of_logs(std::string_view id, std::string_view text) {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) +
         R"(,"result":{"resultType":"complete","content":[{"type":"text","text":")" + std::string(text) +
         R"("}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"logs","version":"0"}}}})";
}

class MqttLogsTest : public MqttTransportTest {
 protected:
  void connect_logs() {
    connect(logs);
    ASSERT_TRUE(act(bench_->server, "take the log"));
  }
  // The broker acknowledges nothing from here on, and takes one message at a time.
  void begin_pump_and_hold() {
    broker_.connack_properties = std::string("\x21\0\x01", 3);
    connect_logs();
    EXPECT_EQ(ask(control, logged_call("1", "work", pump)), log_message("pump", "begins"));
    broker_.acknowledges = false;
    pass(100);
    EXPECT_EQ(heard(), log_message("pump", "works"));
  }
};

TEST_F(MqttLogsTest, EachLogMessageIsAPacketBeforeTheResponse) {
  connect_logs();
  EXPECT_EQ(ask(control, logged_call("1", "tell")), log_message("tell", "called") + "\n" + result_of_logs("1", "told"));
  EXPECT_EQ(broker_.log,
            (std::vector<std::string>{"publish " + rpc_of("client"), "publish " + rpc_of("client"), "puback 1"}));
  EXPECT_EQ(ask(control, call("2", "tell", "," + std::string(meta))), result_of_logs("2", "told"));
}

TEST_F(MqttLogsTest, LogMessagesOfALastStepComeBeforeItsResult) {
  connect_logs();
  EXPECT_EQ(ask(control, logged_call("1", "work", pump)), log_message("pump", "begins"));
  pass(100);
  EXPECT_EQ(heard(), log_message("pump", "works") + "\n" + result_of_logs("1", "pump"));
  EXPECT_FALSE(has_filter("$mcp-client/presence/client"));
  EXPECT_FALSE(bench_->anything_left());
}

TEST_F(MqttLogsTest, ResponseWaitsForTheAcknowledgementOfItsLogMessage) {
  broker_.connack_properties = std::string("\x21\0\x01", 3);
  connect_logs();
  broker_.acknowledges = false;
  EXPECT_EQ(ask(control, logged_call("1", "tell")), log_message("tell", "called"));
  EXPECT_TRUE(broker_.pubacks.empty()) << "the request is not done";
  broker_.acknowledge_all();
  run();
  EXPECT_EQ(heard(), result_of_logs("1", "told"));
  EXPECT_EQ(broker_.pubacks.size(), 1U);
}

// The call is over, but its client has a result to get. The request of another one does not take its place.
TEST_F(MqttLogsTest, ResultOfALastStepWaitsForTheAcknowledgementOfItsLogMessage) {
  begin_pump_and_hold();
  EXPECT_EQ(ask(control, logged_call("7", "tell"), "other"), "");
  EXPECT_TRUE(has_filter("$mcp-client/presence/client"));
  broker_.acknowledge_all();
  run();
  EXPECT_EQ(heard(), result_of_logs("1", "pump"));
  EXPECT_TRUE(others_.empty());
  broker_.acknowledges = true;
  broker_.acknowledge_all();
  run();
  EXPECT_EQ(heard("other"), log_message("tell", "called") + "\n" + result_of_logs("7", "told"));
  EXPECT_FALSE(has_filter("$mcp-client/presence/client"));
  EXPECT_FALSE(bench_->anything_left());
}

TEST_F(MqttLogsTest, ClientThatHasGoneGetsNoResultAfterItsLogMessage) {
  begin_pump_and_hold();
  broker_.acknowledges = true;
  broker_.acknowledge_all(0x10);  // no matching subscribers
  run();
  EXPECT_EQ(heard(), "");
  EXPECT_FALSE(has_filter("$mcp-client/presence/client"));
  EXPECT_FALSE(bench_->anything_left());
  EXPECT_EQ(ask(control, logged_call("2", "tell")), log_message("tell", "called") + "\n" + result_of_logs("2", "told"));
}

// First a last step has a result that waits, then a call that ends at once.
TEST_F(MqttLogsTest, ResponseThatWaitsIsLostWithItsConnection) {
  begin_pump_and_hold();
  for (const std::string id : {"8", "9"}) {
    broker_.connection().wire.end();
    run();
    broker_.acknowledges = true;
    pass(limits.max_retry_ms);
    ASSERT_EQ(transport_->state(), State::online);
    EXPECT_EQ(heard(), "");
    EXPECT_EQ(ask(control, logged_call(id, "tell")), log_message("tell", "called") + "\n" + result_of_logs(id, "told"));
    broker_.acknowledges = false;
    EXPECT_EQ(ask(control, logged_call("1" + id, "tell")), log_message("tell", "called"));
  }
}

// The packets with the log message and the error have less than 260 bytes, the one with the result has more.
TEST_F(MqttLogsTest, ErrorAfterLogMessagesReplacesAResponseThatTheBrokerDoesNotAccept) {
  broker_.connack_properties = std::string("\x27\0\0\x01\x04", 5);
  connect_logs();
  const auto too_large = [](std::string_view id) {
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) +
           R"(,"error":{"code":-32603,"message":"The response is larger than the broker accepts."}})";
  };
  EXPECT_EQ(ask(control, logged_call("1", "tell")), log_message("tell", "called") + "\n" + too_large("1"));
  EXPECT_EQ(ask(control, logged_call("2", "work", pump)), log_message("pump", "begins"));
  pass(100);
  EXPECT_EQ(heard(), log_message("pump", "works") + "\n" + too_large("2"));
  EXPECT_FALSE(bench_->anything_left());
}

std::string logging_call(std::string_view id, std::string_view tool, std::string_view arguments = "{}") {
  return call(id, tool,
              R"(,"arguments":)" + std::string(arguments) + "," +
                  R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
                  R"("io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"debug"})");
}

TEST_F(MqttTransportTest, SendsLogMessagesBeforeTheResponseOneByOne) {
  const auto line = [](std::string_view level, std::string_view logger, std::string_view text) {
    return R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":")" + std::string(level) +
           R"(","logger":")" + std::string(logger) + R"(","data":")" + std::string(text) + "\"}}\n";
  };
  for (const char maximum : {'\x01', '\x0A'}) {  // messages without PUBACK
    broker_.connack_properties = std::string("\x21\0", 2) + maximum;
    connect(*find_definition("logs"));
    ASSERT_TRUE(act(bench_->server, "take the log"));
    const std::string told = line("debug", "tell", "called") + line("warning", "tell", "called");
    EXPECT_EQ(ask(control, logging_call("1", "tell")).find(told + R"({"jsonrpc":"2.0","id":1,"result":{)"), 0U);
    EXPECT_EQ(broker_.log.back().substr(0, 6), "puback") << "after the response";
    // The last step of a job, which has no request any more.
    EXPECT_EQ(ask(control, logging_call("2", "late")), "");
    pass(100);
    const std::string late = line("debug", "late", "ends") + line("warning", "late", "ends");
    EXPECT_EQ(heard().find(late + R"({"jsonrpc":"2.0","id":2,"result":{)"), 0U);
    EXPECT_FALSE(bench_->anything_left());
  }
}

}  // namespace
}  // namespace test::mqtt
