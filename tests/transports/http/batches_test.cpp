// SPDX-License-Identifier: Apache-2.0
// Batches of revision 2025-03-26, and the streams of their calls. Without sockets. The test sets the time.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/device.hpp"
#include "transports/http/streamable.hpp"

namespace {

using namespace test;

constexpr std::string_view batch_revision = "2025-03-26";

std::string batch(const Texts& messages) {
  std::string text;
  for (const std::string& message : messages) text += (text.empty() ? "[" : ",") + message;
  return text + "]";
}
std::string cancel(int id) {
  return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + std::to_string(id) + "}}";
}
// The response of a client to roots/list.
std::string no_roots(int id) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(1'000'000'000 + id) + R"(,"result":{"roots":[]}})";
}
std::string empty_result(int id) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":{"content":[]}})";
}

// Begins a session whose client has roots, and returns its header.
template <class S>
std::string begin_with_roots(S& site) {
  HttpClient client = site.connect();
  const HttpResponse response =
      site.ask(client, post(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26",)"
                            R"("capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"0"}}})"));
  std::string session = "MCP-Session-Id: " + response.header("mcp-session-id") + "\r\n";
  EXPECT_EQ(site.ask(client, post(initialized, session)).status, 202);
  client.leave();
  return session;
}

// Begins a call that sends roots/list on its own stream.
HttpClient ask_for_roots(Site<>& site, const std::string& session, int id) {
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(call("roots", id), session)).streams);
  EXPECT_EQ(client.events().size(), 1U);
  return client;
}

// Requests input, and completes 100 ms after the response.
struct WaitsAfterInput {
  int steps;
  mcp::Step step(mcp::AskContext& context) {
    if (context.stop_requested() || steps == 2) return context.done();
    return steps++ == 0 ? context.list_roots() : context.sleep(100);
  }
};
constexpr mcp::Tool tools_silent_after_input[] = {mcp::job<WaitsAfterInput>({.name = "waits"})};
constexpr mcp::Definition silent_after_input{.name = "silent", .version = "1", .tools = tools_silent_after_input};

TEST(HttpTransport, SendsAnImmediateBatchAsJson) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client, batch_revision);
  const HttpResponse response = site.ask(client, post(batch({ping(1), cancel(9), ping(2)}), session));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, batch({pong(1), pong(2)}));
  EXPECT_EQ(site.ask(client, post(batch({cancel(9)}), session)).status, 202);
}

TEST(HttpTransport, LateResponsesOfABatchFollowTheOthers) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client, batch_revision);
  ASSERT_TRUE(site.ask(client, post(batch({ping(1), count_to(1, 2), ping(3)}), session)).streams);
  EXPECT_EQ(data_of(client.events()), (Texts{batch({pong(1), pong(3)}), counting(0, 1)}));
  EXPECT_NE(site.run(), 0U);  // the device sleeps until the call continues
  site.pass(100);
  EXPECT_EQ(data_of(client.events()), Texts{counted(1, 2)});
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(site.ask(client, post(ping(), session)).body, pong());
}

TEST(HttpTransport, ServesABatchWithAStreamedBody) {
  Site<usual, 512> site(test::streams);
  HttpClient client = site.connect();
  const std::string session = site.begin(client, batch_revision);
  EXPECT_TRUE(test::act(site.bench.server, "body_times 100 0123456789"));
  ASSERT_TRUE(site.ask(client, post(batch({read_resource("stream:text", 2), ping(1)}), session)).streams);
  const Texts data = data_of(client.events());
  ASSERT_EQ(data.size(), 2U);
  EXPECT_EQ(data[0], batch({pong(1)}));
  EXPECT_EQ(data[1].substr(0, 24), R"({"jsonrpc":"2.0","id":2,)");
  EXPECT_TRUE(client.ended());
}

// The ring does not store a body. A client that resumes could not know that the stream has ended.
TEST(HttpTransport, DoesNotResumeAStreamWhoseEndIsNotStored) {
  Site<usual, 512> site(test::streams);
  HttpClient other = site.connect();
  const std::string session = site.begin(other, batch_revision);
  EXPECT_TRUE(test::act(site.bench.server, "body_times 100 0123456789"));
  EXPECT_TRUE(test::act(site.bench.server, "busy 700"));
  HttpClient client = site.connect();
  ASSERT_TRUE(site.ask(client, post(batch({ping(1), read_resource("stream:text", 2)}), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(data_of(events), Texts{batch({pong(1)})});
  client.leave();
  site.run();
  EXPECT_TRUE(test::act(site.bench.server, "ready"));
  site.pass(100);
  expect_rejection(site.ask(other, get(session + "Last-Event-ID: " + events[0].id + "\r\n")), 400);
}

// The official client resumes a stream that ended without a response. After an empty stream, it would begin a
// standalone stream, which replaces its other one.
TEST(HttpTransport, DoesNotResumeAStreamWithoutFurtherEvents) {
  Site site;
  const std::string session = site.begin();
  HttpClient standalone = site.listen(session);
  HttpClient client = site.connect();
  ASSERT_TRUE(site.ask(client, post(count_to(9), session)).streams);
  HttpClient other = site.connect();
  EXPECT_EQ(site.ask(other, post(cancel(1), session)).status, 202);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(data_of(events), (Texts{"", counting(0, 9)}));
  EXPECT_TRUE(client.ended());
  expect_rejection(site.ask(other, get(session + "Last-Event-ID: " + events.back().id + "\r\n")), 400);
  EXPECT_FALSE(standalone.ended());
}

// The connection breaks at each write. The calls of the batch continue, and leave no state.
TEST(HttpTransport, CallsOfABatchSurviveItsConnection) {
  for (std::size_t write = 1; write <= 4; ++write) {
    Site site;
    HttpClient other = site.connect();
    const std::string session = site.begin(other, batch_revision);
    HttpClient client = site.connect();
    client.connection().wire.write_fault = {write, mcp::IoStatus::failed};
    client.send(post(batch({ping(1), count_to(2, 2)}), session));
    site.run();
    EXPECT_EQ(site.detached_calls(), write < 4 ? 1U : 0U) << write;  // a client may resume it
    site.pass(300);
    EXPECT_TRUE(client.connection().closed()) << write;
    EXPECT_EQ(site.detached_calls(), 0U) << write;
    EXPECT_EQ(site.ask(other, post(ping(), session)).body, pong());
  }
}

// The first event of a batch has its number before it is sent, and no later event gets this number.
TEST(HttpTransport, ResumesABatchBeforeItsFirstEvent) {
  Site site;
  HttpClient other = site.connect();
  const std::string session = site.begin(other, batch_revision);
  HttpClient client = site.connect();
  client.connection().wire.write_fault = {1, mcp::IoStatus::would_block, true};
  client.send(post(batch({ping(1), count_to(1, 2)}), session));
  site.run();
  EXPECT_TRUE(site.ask(other, get(session + "Last-Event-ID: 1-0\r\n")).streams);
  EXPECT_TRUE(client.connection().closed());
  site.pass(100);
  const std::vector<HttpEvent> events = other.events();
  ASSERT_EQ(data_of(events), (Texts{counting(0, 1), counted(1, 2)}));
  EXPECT_EQ(events[0].id, "1-1");
  EXPECT_TRUE(other.ended());
}

// Sends a batch of a call with an input request and a read, and stops within the body of the read. Returns the event of
// the input request.
HttpEvent stop_within_a_body(Site<usual, 512>& site, const std::string& session, HttpClient& client) {
  EXPECT_TRUE(test::act(site.bench.server, "body_times 100 0123456789"));
  EXPECT_TRUE(test::act(site.bench.server, "busy 0"));
  EXPECT_TRUE(site.ask(client, post(batch({call("roots", 4), read_resource("stream:text", 2)}), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  EXPECT_EQ(events.size(), 1U);
  EXPECT_TRUE(test::act(site.bench.server, "busy 700"));
  site.pass(100);
  return events.empty() ? HttpEvent{} : events[0];
}

// Two calls of a batch share a stream. The output after an input response waits until the body is complete, also if
// another connection resumes the stream within the body.
TEST(HttpTransport, InputResponseDoesNotInterruptABody) {
  for (const bool resumed : {false, true}) {
    SCOPED_TRACE(resumed);
    Site<usual, 512> site(test::input_requests_streams);
    const std::string session = begin_with_roots(site);
    HttpClient client = site.connect();
    const HttpEvent request = stop_within_a_body(site, session, client);
    EXPECT_NE(request.data.value_or("").find("roots/list"), std::string::npos);
    HttpClient again = resumed ? site.listen(session, "Last-Event-ID: " + request.id + "\r\n") : client;
    HttpClient other = site.connect();
    EXPECT_EQ(site.ask(other, post(no_roots(1), session)).status, 202);
    EXPECT_EQ(data_of(again.events()), Texts{});
    EXPECT_TRUE(test::act(site.bench.server, "ready"));
    site.pass(100);
    const Texts data = data_of(again.events());
    ASSERT_EQ(data.size(), 2U);
    EXPECT_TRUE(resumed ? data[0] == "(1 events were lost)" : data[0].ends_with("0123456789\"}]}}")) << data[0];
    EXPECT_EQ(data[1], empty_result(4));
    EXPECT_TRUE(again.ended());
  }
}

// The same after the loss of the connection. A client that resumes gets the result of the other call.
TEST(HttpTransport, InputResponseDoesNotInterruptABodyWithoutAConnection) {
  Site<usual, 512> site(test::input_requests_streams);
  const std::string session = begin_with_roots(site);
  HttpClient client = site.connect();
  const HttpEvent request = stop_within_a_body(site, session, client);
  client.leave();
  site.run();
  HttpClient other = site.connect();
  EXPECT_EQ(site.ask(other, post(no_roots(1), session)).status, 202);
  EXPECT_EQ(site.detached_calls(), 1U);
  EXPECT_TRUE(test::act(site.bench.server, "ready"));
  site.pass(100);
  EXPECT_EQ(site.detached_calls(), 0U);
  HttpClient again = site.listen(session, "Last-Event-ID: " + request.id + "\r\n");
  EXPECT_EQ(data_of(again.events()), (Texts{"(1 events were lost)", empty_result(4)}));
  EXPECT_TRUE(again.ended());
}

TEST(HttpTransport, CancellationInABatchChangesNoOtherCall) {
  Site site(test::input_requests);
  const std::string session = begin_with_roots(site);
  HttpClient caller = ask_for_roots(site, session, 4);
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, post(batch({cancel(4), ping(5)}), session)).body, batch({pong(5)}));
  EXPECT_EQ(data_of(caller.events()), Texts{});
  EXPECT_TRUE(caller.ended());
}

// A batch with a call has its stream. The call with the input request is on another stream, and keeps waiting.
TEST(HttpTransport, CallsOfABatchHaveTheirStream) {
  for (const std::string& late : {read_resource("stream:text", 2), call("roots", 2)}) {
    SCOPED_TRACE(late);
    Site<usual, 512> site(test::input_requests_streams);
    const std::string session = begin_with_roots(site);
    HttpClient caller = site.connect();
    EXPECT_TRUE(site.ask(caller, post(call("roots", 4), session)).streams);
    EXPECT_EQ(caller.events().size(), 1U);
    HttpClient client = site.connect();
    client.send(post(batch({late, no_roots(1)}), session));
    EXPECT_NE(site.run(), 0U);
    EXPECT_TRUE(client.response().streams);
    EXPECT_EQ(client.events().size(), 1U);
    EXPECT_EQ(caller.events().size(), 0U);
    HttpClient other = site.connect();
    EXPECT_EQ(site.ask(other, post(batch({no_roots(1), no_roots(2)}), session)).status, 202);
    EXPECT_EQ(data_of(caller.events()), Texts{batch({empty_result(4)})});
  }
}

// The call with the input request sends nothing after the response, so the batch has its own response.
TEST(HttpTransport, SilentCallTakesNoOutputOfABatch) {
  Site site(silent_after_input);
  const std::string session = begin_with_roots(site);
  HttpClient caller = site.connect();
  EXPECT_TRUE(site.ask(caller, post(call("waits", 4), session)).streams);
  EXPECT_EQ(caller.events().size(), 1U);
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, post(batch({no_roots(1), ping(5)}), session)).body, batch({pong(5)}));
  EXPECT_EQ(caller.events().size(), 0U);
  site.pass(100);
  EXPECT_EQ(data_of(caller.events()), Texts{empty_result(4)});
}

TEST(HttpTransport, InputResponsesOfABatchReachOneCall) {
  Site site(test::input_requests);
  const std::string session = begin_with_roots(site);
  HttpClient first = site.connect();
  EXPECT_TRUE(site.ask(first, post(call("roots", 4), session)).streams);
  EXPECT_EQ(data_of(first.events()), Texts{R"({"jsonrpc":"2.0","id":1000000001,"method":"roots/list","params":{}})"});
  HttpClient second = ask_for_roots(site, session, 5);
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, post(batch({no_roots(1), no_roots(2)}), session)).status, 202);
  EXPECT_EQ(data_of(first.events()), Texts{batch({empty_result(4)})});
  EXPECT_TRUE(first.ended());
  EXPECT_EQ(data_of(second.events()), Texts{});  // its input request is still pending
  EXPECT_EQ(site.bench.server.stale_answers(), 1U);
  EXPECT_EQ(site.ask(client, post(no_roots(2), session)).status, 202);
  EXPECT_EQ(data_of(second.events()), Texts{empty_result(5)});
}

}  // namespace
