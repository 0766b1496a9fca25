// SPDX-License-Identifier: Apache-2.0
// The users whose clients send messages over MQTT. The tests play the broker.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "transports/mqtt/mqtt_device.hpp"

namespace test::mqtt {
namespace {

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
  connect(detached_tasks, options);
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
  connect(detached_tasks, options);
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
  connect(detached_tasks, options);
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
