// SPDX-License-Identifier: Apache-2.0
// Who gets the update of a resource over MQTT: all clients that may read the capability topic, or those alone that have
// subscribed and have its scope.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "transports/mqtt/mqtt_device.hpp"

namespace test::mqtt {
namespace {

mcp::Errc read(mcp::ReadResult& out) { return out.text("here"); }
mcp::Errc read_any(const mcp::UriVariables&, mcp::ReadResult& out) { return out.text("any"); }

constexpr mcp::Resource doors[] = {
    {.uri = "door://state", .name = "state", .read = read, .subscribable = true},
    {.uri = "door://log", .name = "log", .read = read, .subscribable = true, .scope = "door:admin"},
    {.uri = "part://?a=1&b=2", .name = "part", .read = read, .scope = "door:admin"},
};
constexpr mcp::ResourceTemplate rooms[] = {
    {.uri_template = "room://{name}", .name = "room", .read = read_any, .subscribable = true, .scope = "door:admin"},
    {.uri_template = "hall://{name}", .name = "hall", .read = read_any, .subscribable = true},
    {.uri_template = "part://{?a,b}", .name = "parts", .read = read_any, .subscribable = true},
};
constexpr std::string_view scopes[] = {"door:user", "door:admin"};
constexpr mcp::Definition house{
    .name = "house", .version = "0", .resources = doors, .resource_templates = rooms, .scopes = scopes};
constexpr mcp::Definition without_templates{.name = "doors", .version = "0", .resources = doors, .scopes = scopes};

// Every client is a user, with the scopes that the test says.
class Guards final : public mcp::MqttAuthorizer {
 public:
  const mcp::Definition* definition = &house;
  std::map<std::string, std::string> granted{{"ann", "door:admin"}, {"bob", "door:user door:admin"}, {"eve", ""}};

 private:
  mcp::MqttGrant do_check(const mcp::MqttSender& sender) override {
    const std::string client(sender.client_id);
    return {.is_accepted = true,
            .principal = static_cast<std::uint8_t>(client.front()),
            .scopes = definition->scopes.named(granted[client])};
  }
};

class MqttUpdatesTest : public MqttTransportTest {
 protected:
  void connect_guarded(const mcp::Definition& definition) {
    users_.definition = &definition;
    mcp::MqttOptions options = plain;
    options.authorizer = &users_;
    connect(definition, options);
  }
  std::string subscribe(std::string_view client, std::string_view uri, std::string_view id = "1") {
    return ask(rpc_of(client), request(id, "resources/subscribe", "\"uri\":\"" + std::string(uri) + '"'), client);
  }
  void begin(std::string_view client, std::string_view uri) {
    begin_session(client);
    EXPECT_EQ(subscribe(client, uri), R"({"jsonrpc":"2.0","id":1,"result":{}})") << client << " " << uri;
  }
  /// The topics to which the device publishes the update of this resource, and nothing else.
  std::multiset<std::string> topics(std::string_view uri) {
    run();
    std::multiset<std::string> found;
    for (const MqttMessage& message : broker_.take_messages()) {
      found.insert(message.topic);
      EXPECT_EQ(message.payload, R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":")" +
                                     std::string(uri) + "\"}}");
      EXPECT_FALSE(message.retain);
    }
    return found;
  }
  std::multiset<std::string> update(std::string_view uri) {
    bench_->server.resource_updated(uri);
    return topics(uri);
  }

  Guards users_;
};

using Topics = std::multiset<std::string>;

TEST_F(MqttUpdatesTest, UpdateOfARowWithAScopeGoesToItsSubscribersAlone) {
  for (const mcp::Definition* const definition : {&house, &without_templates}) {
    connect_guarded(*definition);
    for (const char* const client : {"ann", "bob"}) begin(client, "door://log");
    begin("eve", "door://state");
    EXPECT_NE(subscribe("eve", "door://log", "5").find("The scope door:admin is required"), std::string::npos);
    EXPECT_EQ(subscribe("ann", "door://state", "5"), R"({"jsonrpc":"2.0","id":5,"result":{}})");
    EXPECT_EQ(update("door://log"), (Topics{rpc_of("ann"), rpc_of("bob")}));
    EXPECT_EQ(update("door://log"), (Topics{rpc_of("ann"), rpc_of("bob")}));
    EXPECT_EQ(update("door://state"), Topics{std::string(capability)});
  }
}

TEST_F(MqttUpdatesTest, UpdateOfATemplateInstanceGoesToItsSubscribersAlone) {
  connect_guarded(house);
  begin("ann", "room://7");
  begin("bob", "hall://1");
  begin("eve", "hall://1");
  EXPECT_EQ(update("room://7"), Topics{rpc_of("ann")});
  EXPECT_EQ(update("hall://1"), (Topics{rpc_of("bob"), rpc_of("eve")}));
}

TEST_F(MqttUpdatesTest, UpdateOfAnInstanceWithoutScopesGoesToItsSubscribersAlone) {
  connect(*find_definition("instances"));
  for (const char* const client : {"ann", "bob"}) begin(client, "any://1");
  begin("eve", "found://fixed");
  EXPECT_EQ(update("any://1"), (Topics{rpc_of("ann"), rpc_of("bob")}));
  EXPECT_EQ(update("found://fixed"), Topics{std::string(capability)});
}

TEST_F(MqttUpdatesTest, UpdateOfAFoundResourceGoesToAllClientsUnlessItHasAScope) {
  connect(*find_definition("found"));
  ASSERT_TRUE(act(bench_->server, "find sensor 0 one:a"));
  for (const char* const client : {"ann", "bob"}) begin(client, "one:a");
  bench_->server.found_resource_updated(0);
  EXPECT_EQ(topics("one:a"), Topics{std::string(capability)});
}

TEST_F(MqttUpdatesTest, UpdateOfAFoundResourceWithAScopeGoesToItsSubscribersAlone) {
  connect_guarded(*find_definition("found_scoped"));
  users_.granted = {{"ann", "pump:admin"}, {"bob", "pump:admin"}, {"eve", "pump:read"}};
  ASSERT_TRUE(act(bench_->server, "find sensor 0 one:a"));
  for (const char* const client : {"ann", "bob"}) begin(client, "one:a");
  begin("eve", "any://1");
  bench_->server.found_resource_updated(0);
  EXPECT_EQ(topics("one:a"), (Topics{rpc_of("ann"), rpc_of("bob")}));
  // The instance may be that of a found row, whose scope the client lacks.
  EXPECT_EQ(update("any://1"), Topics{});
  users_.granted["eve"] = "pump:admin";
  EXPECT_NE(ask(rpc_of("eve"), request("2", "ping"), "eve").find("any://1"), std::string::npos);
}

// The scopes of a client are those of its last message.
TEST_F(MqttUpdatesTest, UpdateWaitsWhileTheClientLacksTheScope) {
  for (const auto& [uri, definition] : {std::pair("door://log", &house),
                                        {"door://log", &without_templates},
                                        {"room://7", &house},
                                        {"part://?b=2&a=1", &house}}) {
    SCOPED_TRACE(uri);
    users_.granted["ann"] = "door:admin";
    connect_guarded(*definition);
    begin("ann", uri);
    EXPECT_EQ(subscribe("ann", "door://state", "5"), R"({"jsonrpc":"2.0","id":5,"result":{}})");
    EXPECT_EQ(update(uri), Topics{rpc_of("ann")});
    users_.granted["ann"] = "door:user";
    EXPECT_EQ(ask(rpc_of("ann"), request("2", "ping"), "ann"), R"({"jsonrpc":"2.0","id":2,"result":{}})");
    EXPECT_EQ(update(uri), Topics{});
    EXPECT_NE(due_, 0U) << "it does not keep the device awake";
    EXPECT_EQ(update("door://state"), Topics{std::string(capability)}) << "the next update does not wait";
    users_.granted["ann"] = "door:admin";
    broker_.publish(rpc_of("ann"), R"({"jsonrpc":"2.0","method":"notifications/x"})", "ann");
    EXPECT_EQ(topics(uri), Topics{rpc_of("ann")});
  }
}

}  // namespace
}  // namespace test::mqtt
