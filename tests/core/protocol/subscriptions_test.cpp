// SPDX-License-Identifier: Apache-2.0
// Subscriptions of stateless clients that one client on one stream cannot show: several channels, clients that share a
// session, events before the acknowledgement, exact sizes, tasks.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "engine/hooks.hpp"
#include "mcp/server.hpp"
#include "mcp/stdio_transport.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"
#include "support/fake_stream.hpp"

namespace {

using mcp::Channel;
using mcp::Reply;
using mcp::SessionId;
using test::Bench;

constexpr std::string_view meta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

std::string listen(std::string_view id, std::string_view notifications) {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) +
         R"(,"method":"subscriptions/listen","params":{"notifications":)" + std::string(notifications) + "," +
         std::string(meta) + "}}";
}
std::string cancel(std::string_view id) {
  return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + std::string(id) + "}}";
}
std::string tag(std::string_view id) {
  return R"("_meta":{"io.modelcontextprotocol/subscriptionId":)" + std::string(id) + "}}}";
}
std::string acknowledged(std::string_view id, std::string_view notifications) {
  return R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":)" +
         std::string(notifications) + "," + tag(id);
}
std::string updated(std::string_view id, std::string_view uri) {
  return R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":")" + std::string(uri) + "\"," +
         tag(id);
}
std::string tools_changed(std::string_view id) {
  return R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{)" + tag(id);
}
std::string ended(std::string_view id, std::string_view name, std::string_view version) {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) +
         R"(,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":")" +
         std::string(name) + R"(","version":")" + std::string(version) +
         R"("},"io.modelcontextprotocol/subscriptionId":)" + std::string(id) + "}}}";
}

constexpr std::string_view counter_and_last = R"({"resourceSubscriptions":["test://counter","urn:last"]})";

/// A session that stateless clients share, each request on its own channel, as over HTTP.
class SubscriptionsTest : public testing::Test {
 protected:
  void SetUp() override { test::reset_device(); }

  std::string ask(Channel channel, std::string_view message) {
    std::string copy(message);
    const Reply reply = bench_.server.receive(shared_, copy, bench_.server.transmit_buffer(), 0, channel);
    EXPECT_NE(reply.status, Reply::Status::no_session);
    return {bench_.server.transmit_buffer().data(), reply.size};
  }
  std::string next(Channel channel) {
    const Reply reply = bench_.server.transmit(shared_, bench_.server.transmit_buffer(), 0, channel);
    return {bench_.server.transmit_buffer().data(), reply.size};
  }
  std::string next_in(std::size_t transmit_buffer, Channel channel) {
    const std::unique_ptr<char[]> bytes(new char[transmit_buffer]);
    const Reply reply = bench_.server.transmit(shared_, {bytes.get(), transmit_buffer}, 0, channel);
    return {bytes.get(), reply.size};
  }
  void update(const char* uri) { bench_.server.resource_updated(*test::find_resource(uri)); }

  Bench bench_{*test::find_definition("full"), {.sessions = 2, .subscriptions = 3}};
  SessionId shared_ = bench_.server.open_shared(0);
};

TEST_F(SubscriptionsTest, EachSubscriptionHasItsChannel) {
  EXPECT_EQ(ask(1, listen("1", counter_and_last)), "");
  EXPECT_EQ(ask(2, listen("1", R"({"resourceSubscriptions":["urn:last"]})")), "") << "another client's id";
  EXPECT_TRUE(bench_.server.serves(shared_, 1));
  EXPECT_TRUE(bench_.server.serves(shared_, 2));
  EXPECT_FALSE(bench_.server.serves(shared_, 3));
  EXPECT_EQ(next(3), "");
  EXPECT_EQ(next(mcp::session_channel), "");
  EXPECT_EQ(next(2), acknowledged("1", R"({"resourceSubscriptions":["urn:last"]})"));
  EXPECT_EQ(next(1), acknowledged("1", counter_and_last));
  update("test://counter");
  EXPECT_EQ(next(2), "");
  EXPECT_EQ(next(1), updated("1", "test://counter"));
  update("urn:last");
  EXPECT_EQ(next(1), updated("1", "urn:last"));
  EXPECT_EQ(next(1), "");
  EXPECT_EQ(next(2), updated("1", "urn:last"));
}

TEST_F(SubscriptionsTest, ClosingAChannelEndsItsSubscription) {
  EXPECT_EQ(ask(1, listen("1", counter_and_last)), "");
  EXPECT_EQ(ask(2, listen("1", counter_and_last)), "");
  std::string by_id = cancel("1");  // in a shared session, an id cancels nothing
  static_cast<void>(bench_.server.receive(shared_, by_id, bench_.server.transmit_buffer(), 0, 3));
  bench_.server.cancel(shared_, 1, 0);
  EXPECT_FALSE(bench_.server.serves(shared_, 1));
  EXPECT_TRUE(bench_.server.serves(shared_, 2));
  EXPECT_EQ(next(1), "");
  EXPECT_EQ(next(2), acknowledged("1", counter_and_last));
  bench_.server.close(shared_, 0);
  EXPECT_FALSE(bench_.server.serves(shared_, 2));
  EXPECT_FALSE(bench_.anything_left());
}

TEST_F(SubscriptionsTest, SendsTheAcknowledgementFirst) {
  EXPECT_EQ(ask(1, listen("\"x\"", counter_and_last)), "");
  update("urn:last");
  update("test://counter");
  update("urn:last");
  bench_.server.end_subscriptions();
  update("test://counter");
  EXPECT_EQ(next(1), acknowledged("\"x\"", counter_and_last));
  EXPECT_EQ(next(1), updated("\"x\"", "test://counter"));
  EXPECT_EQ(next(1), updated("\"x\"", "urn:last")) << "each once";
  update("urn:last");
  EXPECT_EQ(next(1), ended("\"x\"", "test", "1.2.3")) << "what comes behind the end is not told";
  EXPECT_FALSE(bench_.server.serves(shared_, 1));
  EXPECT_EQ(next(1), "");
  EXPECT_FALSE(bench_.anything_left());
}

TEST_F(SubscriptionsTest, PollReturnsZeroWhileNotificationsArePending) {
  EXPECT_EQ(bench_.server.poll(0), mcp::forever);
  EXPECT_EQ(ask(1, listen("1", counter_and_last)), "");
  EXPECT_EQ(bench_.server.poll(0), 0U);
  EXPECT_NE(next(1), "");
  EXPECT_EQ(bench_.server.poll(0), mcp::forever);
  update("test://counter");
  EXPECT_EQ(bench_.server.poll(0), 0U);
  EXPECT_NE(next(1), "");
  EXPECT_EQ(bench_.server.poll(0), mcp::forever);
  bench_.server.resource_updated_from_isr(*test::find_resource("urn:last"));
  EXPECT_EQ(next(1), "") << "until the next poll";
  EXPECT_EQ(bench_.server.poll(0), 0U);
  EXPECT_EQ(next(1), updated("1", "urn:last"));
  bench_.server.resource_updated_from_isr(*test::find_resource("test://second"));
  EXPECT_EQ(bench_.server.poll(0), 0U) << "of which nobody has asked to be told";
  EXPECT_EQ(next(1), "");
  EXPECT_EQ(bench_.server.poll(0), mcp::forever);
  bench_.server.end_subscriptions();
  EXPECT_EQ(bench_.server.poll(0), 0U);
  EXPECT_EQ(next(1), ended("1", "test", "1.2.3"));
  EXPECT_EQ(bench_.server.poll(0), mcp::forever);
}

TEST_F(SubscriptionsTest, RejectsASubscriptionIfAllSlotsAreInUse) {
  for (Channel channel = 1; channel <= 3; ++channel) EXPECT_EQ(ask(channel, listen("1", "{}")), "");
  EXPECT_NE(ask(4, listen("1", "{}")).find("-32603"), std::string::npos);
  EXPECT_FALSE(bench_.server.serves(shared_, 4));
  bench_.server.cancel(shared_, 2, 0);
  EXPECT_EQ(ask(4, listen("1", "{}")), "");
  EXPECT_EQ(next(4), acknowledged("1", "{}"));
}

TEST_F(SubscriptionsTest, ReusedSlotKeepsNothingOfThePreviousSubscription) {
  EXPECT_EQ(ask(1, listen("1", counter_and_last)), "");
  update("test://counter");
  bench_.server.cancel(shared_, 1, 0);
  EXPECT_EQ(ask(1, listen("2", R"({"resourceSubscriptions":["test://second"]})")), "");
  EXPECT_EQ(next(1), acknowledged("2", R"({"resourceSubscriptions":["test://second"]})"));
  EXPECT_EQ(next(1), "");
}

// If an acknowledgement does not fit, an error is sent in its place at once, so that the client does not wait forever.
TEST_F(SubscriptionsTest, SendsAnErrorIfTheAcknowledgementDoesNotFit) {
  const std::string wanted = acknowledged("1", counter_and_last);
  for (const std::size_t transmit_buffer : {wanted.size() - 1, wanted.size()}) {
    std::string message = listen("1", counter_and_last);
    const std::unique_ptr<char[]> bytes(new char[transmit_buffer]);
    const Reply reply = bench_.server.receive(shared_, message, {bytes.get(), transmit_buffer}, 0, 1);
    const bool fits = transmit_buffer == wanted.size();
    EXPECT_EQ(reply.size == 0, fits);
    EXPECT_EQ(bench_.server.serves(shared_, 1), fits);
    EXPECT_EQ(std::string_view(bytes.get(), reply.size).find("-32603") == std::string_view::npos, fits);
  }
  EXPECT_EQ(next_in(wanted.size(), 1), wanted);
}

// As a transport with buffers of several sizes would: a notification that does not fit is dropped, and the next one is
// sent.
TEST_F(SubscriptionsTest, DropsNotificationsThatDoNotFit) {
  EXPECT_EQ(ask(1, listen("1", counter_and_last)), "");
  EXPECT_NE(next(1), "");
  update("test://counter");
  update("urn:last");
  const std::string shorter = updated("1", "urn:last");
  ASSERT_LT(shorter.size(), updated("1", "test://counter").size());
  EXPECT_EQ(next_in(shorter.size(), 1), shorter);
  EXPECT_EQ(next(1), "");
  bench_.server.end_subscriptions();
  const std::string answer = ended("1", "test", "1.2.3");
  EXPECT_NE(next_in(answer.size() - 1, 1).find("-32603"), std::string::npos);
  EXPECT_FALSE(bench_.server.serves(shared_, 1));
}

// In a session of one client's own the channels are its own, too, and so are the ids.
TEST_F(SubscriptionsTest, CancelsAnIdOnlyInItsOwnSession) {
  Bench bench(*test::find_definition("full"), {.sessions = 2, .subscriptions = 2});
  const SessionId a = bench.server.open(0);
  const SessionId b = bench.server.open(0);
  EXPECT_EQ(bench.ask(a, listen("1", "{}")), "");
  EXPECT_EQ(bench.ask(b, listen("1", "{}")), "");
  EXPECT_EQ(bench.next(a), acknowledged("1", "{}"));
  EXPECT_EQ(bench.next(b), acknowledged("1", "{}"));
  EXPECT_EQ(bench.ask(b, cancel("1")), "");
  bench.server.end_subscriptions();
  EXPECT_EQ(bench.next(b), "");
  EXPECT_EQ(bench.next(a), ended("1", "test", "1.2.3"));
}

// ---- During a streamed body -----------------------------------------------------------------------------------------

mcp::Chunk read_in_two(std::uint32_t offset, std::span<std::uint8_t> into) {
  if (offset == 2) return mcp::Chunk::end();
  if (offset == 1 && test::device.calls++ == 0) return mcp::Chunk::not_ready(100);
  into[0] = 'x';
  return mcp::Chunk::bytes(1);
}
mcp::Errc nothing(mcp::ReadResult& out) { return out.text(""); }
mcp::Errc tool(mcp::Call& call) { return call.result().text("x"); }

constexpr mcp::Tool tools_here[] = {mcp::tool<tool>({.name = "x"})};
constexpr mcp::Resource resources_here[] = {
    {.uri = "x:slow", .name = "slow", .stream = mcp::text_stream(read_in_two)},
    {.uri = "x:watched", .name = "watched", .read = nothing, .subscribable = true}};
constexpr mcp::Definition modern{.name = "m",
                                 .version = "1",
                                 .eras = mcp::modern_era,
                                 .tools = tools_here,
                                 .resources = resources_here,
                                 .list_changes = true,
                                 .subscriptions = true};
constexpr mcp::Limits limits{.streams = 1, .subscriptions = 1};
constinit mcp::Storage<modern, limits> storage;
constinit mcp::Server server{storage};

TEST_F(SubscriptionsTest, StartedBodyContinuesBeforeNotifications) {
  test::FakeStream stream;
  mcp::StdioTransport transport(server, stream);
  stream.give(listen("1", R"({"toolsListChanged":true,"resourceSubscriptions":["x:slow","x:watched"]})") + "\n");
  EXPECT_EQ(transport.poll(0), mcp::forever);
  EXPECT_EQ(stream.take(),
            acknowledged("1", R"({"toolsListChanged":true,"resourceSubscriptions":["x:watched"]})") + "\n");
  stream.give(R"({"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"x:slow",)" + std::string(meta) +
              "}}\n");
  EXPECT_EQ(transport.poll(0), 100U);
  EXPECT_EQ(stream.take().find('\n'), std::string::npos);
  server.resource_updated(resources_here[1]);
  server.set_enabled(tools_here[0], false);
  EXPECT_EQ(transport.poll(50), 50U) << "not awake for what cannot be sent";
  EXPECT_EQ(stream.take(), "");
  static_cast<void>(transport.poll(100));
  const std::string rest = stream.take();
  const std::string news = tools_changed("1") + "\n" + updated("1", "x:watched") + "\n";
  ASSERT_GT(rest.size(), news.size());
  EXPECT_EQ(rest.substr(rest.size() - news.size()), news);
  EXPECT_EQ(rest.find('\n'), rest.size() - news.size() - 1);
  server.set_enabled(tools_here[0], true);
  stream.end();
  static_cast<void>(transport.poll(200));
  EXPECT_TRUE(transport.closed());
}

// ---- For other areas ---------------------------------------------------------------------------------------------

// The number of an ended target may be given to another one: subscribers of the first get no notification of the
// second.
TEST_F(SubscriptionsTest, RemovesEndedTargetFromSubscriptions) {
  const mcp::detail::StorageView storage_view = bench_.storage();
  EXPECT_EQ(storage_view.first_task_target(), test::find_definition("full")->resources.rows().size());
  EXPECT_EQ(ask(1, listen("1", counter_and_last)), "");
  EXPECT_NE(next(1), "");
  update("test://counter");
  update("urn:last");
  const auto counter = static_cast<std::size_t>(test::find_resource("test://counter") -
                                                test::find_definition("full")->resources.rows().data());
  mcp::protocol::subscription_ops.forget_target(storage_view, counter);
  EXPECT_EQ(next(1), updated("1", "urn:last"));
  update("test://counter");
  mcp::protocol::subscription_ops.target_changed(storage_view, storage_view.first_task_target());
  EXPECT_EQ(next(1), "");
}

}  // namespace
