// SPDX-License-Identifier: Apache-2.0
// Bodies larger than the transmit buffer, and what becomes of them if a call, a connection or a session ends. Without
// sockets. The test sets the time.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/device.hpp"
#include "transports/http/streamable.hpp"

namespace {

using namespace test;

constexpr std::string_view body_begin =
    R"({"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"stream:text","mimeType":"text/plain","text":")";

TEST(HttpTransport, StreamedBodyIsOneEventOverSeveralBuffers) {
  Site<usual, 512> site(test::streams);
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  EXPECT_TRUE(test::act(site.bench.server, "body_times 500 0123456789"));
  EXPECT_TRUE(site.ask(client, post(read_resource("stream:text"), session)).streams);
  std::string expected(body_begin);
  for (int i = 0; i < 500; ++i) expected += "0123456789";
  EXPECT_EQ(data_of(client.events()), (Texts{"", expected + "\"}]}}"}));
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(site.ask(client, post(ping(), session)).body, pong());
}

// A client that reads a body of 1000 bytes. `action` decides where the body stops.
HttpClient read_until(Site<usual, 512>& site, const std::string& session, std::string_view action) {
  HttpClient client = site.connect();
  EXPECT_TRUE(test::act(site.bench.server, "body_times 100 0123456789"));
  EXPECT_TRUE(test::act(site.bench.server, action));
  EXPECT_TRUE(site.ask(client, post(read_resource("stream:text"), session)).streams);
  return client;
}

// A client loses its connection within a body. Returns the header with which it resumes.
std::string leave_in_the_middle(Site<usual, 512>& site, const std::string& session) {
  HttpClient client = read_until(site, session, "busy 700");
  const std::vector<HttpEvent> events = client.events();
  EXPECT_EQ(events.size(), 1U);
  client.leave();
  site.run();
  return events.empty() ? std::string() : "Last-Event-ID: " + events[0].id + "\r\n";
}

TEST(HttpTransport, PausedBodyDelaysOnlyItsOwnStream) {
  Site<usual, 512> site(test::streams);
  const std::string session = site.begin();
  HttpClient client = read_until(site, session, "busy 700");
  HttpClient other = site.connect();
  EXPECT_EQ(site.ask(other, post(ping(), session)).body, pong());
  EXPECT_EQ(client.events().size(), 1U);
  EXPECT_TRUE(test::act(site.bench.server, "ready"));
  site.pass(100);
  EXPECT_EQ(client.events().size(), 1U);
  EXPECT_TRUE(client.ended());
}

TEST(HttpTransport, FailedBodyClosesTheConnection) {
  Site<usual, 512> site(test::streams);
  const std::string session = site.begin();
  HttpClient client = read_until(site, session, "fail 700 unavailable");
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_FALSE(client.ended());
  EXPECT_TRUE(client.connection().closed());
  EXPECT_FALSE(site.bench.anything_left());
  // A client that resumes gets the error with the id of the request.
  HttpClient again = site.listen(session, "Last-Event-ID: " + events[0].id + "\r\n");
  const Texts data = data_of(again.events());
  ASSERT_EQ(data.size(), 2U);
  EXPECT_EQ(data[0], "(1 events were lost)");  // the body
  EXPECT_EQ(data[1].substr(0, 36), R"({"jsonrpc":"2.0","id":1,"error":{"co)");
  EXPECT_TRUE(again.ended());
}

TEST(HttpTransport, SurvivesAConnectionLostWithinABody) {
  Site<usual, 512> site(test::streams);
  const std::string session = site.begin();
  const std::string last = leave_in_the_middle(site, session);
  HttpClient again = site.listen(session, last);
  EXPECT_EQ(again.events().size(), 0U);
  EXPECT_TRUE(test::act(site.bench.server, "ready"));
  site.pass(100);
  EXPECT_EQ(data_of(again.events()), Texts{"(1 events were lost)"});  // the event is too large for the ring
  EXPECT_TRUE(again.ended());
  EXPECT_FALSE(site.bench.anything_left());
}

TEST(HttpTransport, SurvivesASessionThatEndsWithinABody) {
  Site<usual, 512> site(test::streams);
  const std::string session = site.begin();
  HttpClient client = read_until(site, session, "busy 700");
  HttpClient other = site.connect();
  EXPECT_EQ(site.ask(other, delete_request(session)).status, 200);
  EXPECT_EQ(client.events().size(), 1U);
  EXPECT_FALSE(client.ended());
  EXPECT_TRUE(client.connection().closed());
}

TEST(HttpTransport, RejectedInitializeDoesNotCutABody) {
  Site<usual, 512> site(test::streams);
  const std::string session = site.begin();
  HttpClient client = read_until(site, session, "busy 700");
  HttpClient other = site.connect();
  EXPECT_EQ(site.ask(other, post(initialize(), session)).status, 400);
  EXPECT_TRUE(test::act(site.bench.server, "ready"));
  site.pass(100);
  EXPECT_EQ(client.events().size(), 2U);
  EXPECT_TRUE(client.ended());
}

// A body fails while its call has no stream. A client that resumes gets the error.
TEST(HttpTransport, ReportsABodyThatFailedWithoutAStream) {
  Site<usual, 512> site(test::streams);
  const std::string session = site.begin();
  const std::string last = leave_in_the_middle(site, session);
  EXPECT_TRUE(test::act(site.bench.server, "ready"));
  EXPECT_TRUE(test::act(site.bench.server, "fail 700 unavailable"));
  site.pass(100);
  HttpClient again = site.listen(session, last);
  const Texts data = data_of(again.events());
  ASSERT_EQ(data.size(), 2U);
  EXPECT_EQ(data[0], "(1 events were lost)");
  EXPECT_NE(data[1].find("\"error\""), std::string::npos);
  EXPECT_TRUE(again.ended());
}

// A body begins while its call has no stream. The server stores no part of it as a message.
TEST(HttpTransport, NoPartOfABodyIsStoredAsAMessage) {
  Site<usual, 512> site(test::streams);
  const std::string session = site.begin();
  HttpClient client = read_until(site, session, "busy 0");
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(data_of(events), Texts{""});
  client.leave();
  site.run();
  EXPECT_TRUE(test::act(site.bench.server, "body_times 500 0123456789"));
  EXPECT_TRUE(test::act(site.bench.server, "ready"));
  site.pass(100);
  EXPECT_EQ(site.detached_calls(), 0U);
  EXPECT_FALSE(site.bench.anything_left());
  HttpClient again = site.connect();
  expect_rejection(site.ask(again, get(session + "Last-Event-ID: " + events[0].id + "\r\n")), 400);
}

// A body fails after its client has resumed the stream within the body.
TEST(HttpTransport, ReportsABodyThatFailedAfterResumption) {
  Site<usual, 512> site(test::streams);
  const std::string session = site.begin();
  const std::string last = leave_in_the_middle(site, session);
  HttpClient again = site.listen(session, last);
  EXPECT_TRUE(test::act(site.bench.server, "ready"));
  EXPECT_TRUE(test::act(site.bench.server, "fail 700 unavailable"));
  site.pass(100);
  const Texts data = data_of(again.events());
  ASSERT_EQ(data.size(), 2U);
  EXPECT_EQ(data[0], "(1 events were lost)");
  EXPECT_NE(data[1].find("\"error\""), std::string::npos);
}

}  // namespace
