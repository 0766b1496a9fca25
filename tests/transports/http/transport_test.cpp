// SPDX-License-Identifier: Apache-2.0
// The HTTP transport without sockets: bytes in, bytes out. The test sets the time.
#include "mcp/http_transport.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/device.hpp"
#include "support/http_client.hpp"
#include "transports/http/streamable.hpp"

namespace {

using namespace test;

// ---- Memory ------------------------------------------------------------------------------------------------------

// Storage takes no bytes in an image, and the transport clears an exchange without a copy of a new one.
TEST(HttpTransport, StorageStartsAsZero) {
  static constinit mcp::HttpStorage<test::shape<512>, usual> storage;
  const std::span bytes = std::as_bytes(std::span(&storage, 1));
  EXPECT_TRUE(std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{0}; }));
}

// A stored event that is longer than the buffer of an exchange would overflow it.
TEST(HttpTransportDeathTest, RejectsTheStorageOfAnotherServer) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  using Storage = mcp::HttpStorage<test::shape<512>, usual>;
  const std::unique_ptr<Storage> storage(new Storage());
  test::Bench bench(test::features, {.transmit_size = 1024, .sessions = 2});
  test::FakeListener listener;
  mcp::HttpTransport transport(bench.server, listener, bench.entropy, *storage, default_options);
  EXPECT_DEATH(static_cast<void>(transport.poll(0)), "contract");
}

// ---- Sessions ----------------------------------------------------------------------------------------------------

TEST(HttpTransport, EachInitializeReturnsADifferentSessionId) {
  Site site;
  HttpClient client = site.connect();
  std::vector<std::string> ids;
  for (int i = 0; i < 3; ++i) {
    const HttpResponse response = site.ask(client, post(initialize()));
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.header("content-type"), "application/json");
    const std::string id = response.header("mcp-session-id");
    EXPECT_EQ(id.size(), 32U);
    EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_EQ(std::count(ids.begin(), ids.end(), id), 0);
    ids.push_back(id);
  }
  // The server has at most two sessions, so the first one has ended.
  EXPECT_EQ(site.ask(client, post(ping(), "MCP-Session-Id: " + ids[2] + "\r\n")).body, pong());
  EXPECT_EQ(site.ask(client, post(ping(), "MCP-Session-Id: " + ids[1] + "\r\n")).body, pong());
  expect_rejection(site.ask(client, post(ping(), "MCP-Session-Id: " + ids[0] + "\r\n")), 404);
}

TEST(HttpTransport, SendsASessionIdOnce) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  EXPECT_EQ(site.ask(client, post(ping(), session)).header("mcp-session-id"), "(none)");
}

TEST(HttpTransport, RequiresASession) {
  Site site;
  for (const std::string& request : {get(""), delete_request("")}) {
    HttpClient client = site.connect();
    expect_rejection(site.ask(client, request), 400);
  }
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, post(ping())).status, 400);
  EXPECT_EQ(site.ask(client, post(initialized)).status, 400);
  EXPECT_EQ(site.bench.open_sessions(), 0U);
}

// If a message that needs a session is a request, the error has its id.
TEST(HttpTransport, RejectsMessagesWithoutASessionUnderTheirId) {
  constexpr std::string_view parse = R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error: )";
  constexpr std::string_view invalid = R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: )";
  constexpr std::string_view uninvited = R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"Session required; )";
  struct Case {
    std::string_view body;
    std::string begin;
  };
  const auto with_id = [](std::string_view id, std::string_view begin) {
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) + std::string(begin.substr(begin.find(R"(,"error")")));
  };
  const Case cases[] = {
      {"", std::string(parse)},
      {" ", std::string(parse)},
      {"{", std::string(parse)},
      {"\xff", std::string(parse)},
      {"[]", std::string(invalid)},
      {R"([{"jsonrpc":"2.0","id":1,"method":"initialize"}])", std::string(invalid)},
      {"3", std::string(invalid)},
      {R"({"jsonrpc":"2.0","id":null,"method":"initialize"})", std::string(invalid)},
      {R"({"jsonrpc":"1.0","id":7,"method":"initialize"})", with_id("7", invalid)},
      {R"({"jsonrpc":"2.0","id":7,"method":3})", with_id("7", invalid)},
      {R"({"jsonrpc":"2.0","id":7,"method":"ping"})", with_id("7", uninvited)},
      {R"({"jsonrpc":"2.0","id":"seven","method":"tools/list"})", with_id(R"("seven")", uninvited)},
      {R"({"jsonrpc":"2.0","method":"initialize"})", std::string(uninvited)},
      {initialized, std::string(uninvited)},
      {R"({"jsonrpc":"2.0","id":7,"result":{}})", std::string(uninvited)},
      {R"({"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m"}})", std::string(uninvited)},
  };
  Site<> site;
  const std::string first = site.begin();
  const std::string second = site.begin();
  HttpClient client = site.connect();
  for (const Case& wrong : cases) {
    const HttpResponse response = site.ask(client, post(wrong.body));
    EXPECT_EQ(response.status, 400) << wrong.body;
    EXPECT_EQ(response.body.substr(0, wrong.begin.size()), wrong.begin) << wrong.body;
    EXPECT_EQ(response.header("mcp-session-id"), "(none)");
  }
  // The connection stays open, and no session was evicted.
  EXPECT_EQ(site.ask(client, post(ping(), first)).body, pong());
  EXPECT_EQ(site.ask(client, post(ping(), second)).body, pong());
}

TEST(HttpTransport, InitializeWithEscapesStartsASession) {
  Site<> site;
  HttpClient client = site.connect();
  std::string message = initialize();
  message.replace(message.find("initialize"), 10, "in\\u0069tialize");
  message.replace(message.find("params"), 6, "par\\u0061ms");
  const HttpResponse response = site.ask(client, post(message));
  EXPECT_EQ(response.status, 200);
  EXPECT_NE(response.body.find("\"result\""), std::string::npos) << response.body;
  EXPECT_EQ(response.header("mcp-session-id").size(), 32U);
}

TEST(HttpTransport, FailedInitializeStartsNoSession) {
  Site site;
  HttpClient client = site.connect();
  const HttpResponse response = site.ask(client, post(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})"));
  EXPECT_EQ(response.status, 200);
  EXPECT_NE(response.body.find("\"error\""), std::string::npos);
  EXPECT_EQ(response.header("mcp-session-id"), "(none)");
  EXPECT_EQ(site.bench.open_sessions(), 0U);
}

TEST(HttpTransport, UnknownSessionGets404) {
  Site site;
  const std::string session = site.begin();
  const std::string other = "MCP-Session-Id: ffffffffffffffffffffffffffffffff\r\n";
  const std::string shorter = session.substr(0, session.size() - 3) + "\r\n";
  for (const std::string& wrong : {other, shorter, std::string("MCP-Session-Id:\r\n")}) {
    for (const std::string& request : {post(ping(), wrong), get(wrong), delete_request(wrong)}) {
      HttpClient client = site.connect();
      expect_rejection(site.ask(client, request), 404);
    }
  }
}

TEST(HttpTransport, DeleteEndsASessionAndItsStreams) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  HttpClient listener = site.listen(session);
  HttpClient caller = site.connect();
  EXPECT_TRUE(site.ask(caller, post(call("forever"), session)).streams);
  EXPECT_EQ(site.ask(client, delete_request(session)).status, 200);
  EXPECT_EQ(site.bench.open_sessions(), 0U);
  EXPECT_EQ(listener.events().size(), 0U);
  EXPECT_TRUE(listener.ended());
  EXPECT_EQ(caller.events().size(), 1U);  // the priming event
  EXPECT_TRUE(caller.ended());
  expect_rejection(site.ask(client, post(ping(), session)), 404);
  HttpClient again = site.connect();
  expect_rejection(site.ask(again, delete_request(session)), 404);
}

TEST(HttpTransport, WithoutEntropyStartsNoSession) {
  Site site;
  HttpClient client = site.connect();
  site.bench.entropy.fails = true;
  expect_rejection(site.ask(client, post(initialize())), 503);
  EXPECT_EQ(site.bench.open_sessions(), 0U);
  site.bench.entropy.fails = false;
  EXPECT_EQ(site.ask(client, post(initialize())).status, 200);
}

TEST(HttpTransport, TwoSessionsNeverSeeEachOthersStreams) {
  Site site;
  const std::string a = site.begin();
  const std::string b = site.begin();
  HttpClient listens_a = site.listen(a);
  HttpClient listens_b = site.listen(b);
  HttpClient calls_a = site.connect();
  HttpClient calls_b = site.connect();
  EXPECT_EQ(site.ask(calls_a, post(subscribe("test://here"), a)).status, 200);
  EXPECT_TRUE(test::act(site.bench.server, "disable plain"));
  EXPECT_TRUE(site.ask(calls_a, post(count_to(1, 5), a)).streams);
  EXPECT_TRUE(site.ask(calls_b, post(count_to(2, 5), b)).streams);
  site.pass(300);
  const std::vector<HttpEvent> events_a = calls_a.events();
  const std::vector<HttpEvent> events_b = calls_b.events();
  EXPECT_EQ(data_of(events_a), (Texts{"", counting(0, 1), counted(1, 5)}));
  EXPECT_EQ(data_of(events_b), (Texts{"", counting(0, 2), counting(1, 2), counted(2, 5)}));
  EXPECT_EQ(data_of(listens_a.events()).size(), 1U);
  EXPECT_EQ(data_of(listens_b.events()).size(), 1U);
  // A session cannot resume a stream of the other session, ended or not.
  for (const HttpEvent& event : events_a) {
    HttpClient thief = site.connect();
    expect_rejection(site.ask(thief, get(b + "Last-Event-ID: " + event.id + "\r\n")), 400);
  }
  EXPECT_TRUE(site.ask(calls_a, post(call("forever"), a)).streams);
  const std::vector<HttpEvent> running = calls_a.events();
  ASSERT_EQ(running.size(), 1U);
  HttpClient thief = site.connect();
  expect_rejection(site.ask(thief, get(b + "Last-Event-ID: " + running[0].id + "\r\n")), 400);
  // It cannot cancel the call either.
  HttpClient canceller = site.connect();
  const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
  EXPECT_EQ(site.ask(canceller, post(cancel, b)).status, 202);
  EXPECT_EQ(calls_a.events().size(), 0U);
  EXPECT_FALSE(calls_a.ended());
}

// ---- Responses ---------------------------------------------------------------------------------------------------

TEST(HttpTransport, SendsAnImmediateResponseAsJson) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  const HttpResponse response = site.ask(client, post(ping(), session));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, pong());
  const HttpResponse error = site.ask(client, post(R"({"jsonrpc":"2.0","id":1,"method":"nothing"})", session));
  EXPECT_EQ(error.status, 200);
  EXPECT_NE(error.body.find("-32601"), std::string::npos);
  // The error for an invalid message has no id.
  for (const std::string_view text : {"{", "[]", "3", "", "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}"}) {
    const HttpResponse refused = site.ask(client, post(text, session));
    EXPECT_EQ(refused.status, 400) << text;
    EXPECT_EQ(refused.body.find("\"id\""), std::string::npos);
  }
  EXPECT_EQ(site.ask(client, post(ping(), session)).body, pong());  // the connection stays open
}

TEST(HttpTransport, AcceptsNotificationsAndResponses) {
  Site site(test::input_requests);
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  for (const std::string_view text :
       {R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})",
        R"({"jsonrpc":"2.0","method":"notifications/of/the/future"})", R"({"jsonrpc":"2.0","id":9,"result":{}})",
        R"({"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"m"}})"}) {
    const HttpResponse response = site.ask(client, post(text, session));
    EXPECT_EQ(response.status, 202) << text;
    EXPECT_EQ(response.body, "");
  }
  EXPECT_EQ(site.bench.server.stale_answers(), 2U);
}

TEST(HttpTransport, SendsALongCallAsAStream) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  const HttpResponse response = site.ask(client, post(count_to(2), session));
  EXPECT_EQ(response.status, 200);
  ASSERT_TRUE(response.streams);
  EXPECT_EQ(response.header("cache-control"), "no-cache");
  EXPECT_EQ(response.header("x-accel-buffering"), "no");
  std::vector<HttpEvent> events = client.events();
  EXPECT_EQ(data_of(events), (Texts{"", counting(0, 2)}));
  site.pass(99);
  EXPECT_EQ(client.events().size(), 0U);
  site.pass(1);
  EXPECT_EQ(data_of(client.events()), Texts{counting(1, 2)});
  EXPECT_FALSE(client.ended());
  site.pass(100);
  EXPECT_EQ(data_of(client.events()), Texts{counted(2)});
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(site.ask(client, post(ping(), session)).body, pong());  // on the same connection
}

TEST(HttpTransport, IdsOfEventsAreUnique) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  HttpClient listener = site.listen(session);
  std::vector<std::string> ids;
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(site.ask(client, post(count_to(2), session)).streams);
    EXPECT_TRUE(test::act(site.bench.server, i == 0 ? "disable content" : "enable content"));
    site.pass(300);
    for (const HttpEvent& event : client.events()) ids.push_back(event.id);
    for (const HttpEvent& event : listener.events()) ids.push_back(event.id);
  }
  EXPECT_EQ(ids.size(), 10U);
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

TEST(HttpTransport, EarlierRevisionsGetNoEmptyEvent) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client, "2025-06-18");
  // The negotiated revision counts, not the header of the request.
  EXPECT_TRUE(site.ask(client, post(count_to(0), session + "MCP-Protocol-Version: 2025-11-25\r\n")).streams);
  EXPECT_EQ(data_of(client.events()), Texts{counted(0)});
}

TEST(HttpTransport, SendsHttp10ClientsAStreamWithoutChunks) {
  Site site;
  const std::string session = site.begin();
  const auto old = [&](std::string request) {
    const std::size_t at = request.find("HTTP/1.1");
    return request.replace(at, 8, "HTTP/1.0");
  };
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, old(post(count_to(1), session))).streams);
  site.pass(100);
  EXPECT_EQ(data_of(client.events()), (Texts{"", counting(0, 1), counted(1)}));
  EXPECT_TRUE(client.ended());
  HttpClient plain = site.connect();
  const HttpResponse response = site.ask(plain, old(post(ping(), session)));
  EXPECT_EQ(response.body, pong());
  EXPECT_EQ(response.header("connection"), "close");
  EXPECT_TRUE(plain.connection().closed());
}

TEST(HttpTransport, CancellationEndsTheStream) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(9), session)).streams);
  HttpClient other = site.connect();
  const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
  EXPECT_EQ(site.ask(other, post(cancel, session)).status, 202);
  EXPECT_EQ(data_of(client.events()), (Texts{"", counting(0, 9)}));
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(site.ask(client, post(ping(), session)).body, pong());
}

TEST(HttpTransport, LostConnectionCancelsNothing) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(2), session)).streams);
  client.leave();
  site.pass(1000);
  EXPECT_TRUE(client.connection().closed());
  HttpClient other = site.connect();
  EXPECT_NE(site.ask(other, post(call("ends"), session)).body.find("\"text\":\"0\""), std::string::npos);
}

// The session and its calls continue. Without the id, the client begins another session.
TEST(HttpTransport, InitializeWithASessionIdIsRejected) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  HttpClient running = site.connect();
  EXPECT_TRUE(site.ask(running, post(count_to(1), session)).streams);
  const HttpResponse refused = site.ask(client, post(initialize("2025-11-25"), session));
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find(R"("id":0,"error":{"code":-32600)"), std::string::npos) << refused.body;
  site.pass(100);
  EXPECT_EQ(data_of(running.events()).back(), counted(1));
  EXPECT_TRUE(running.ended());
  EXPECT_EQ(site.ask(client, post(ping(), session)).body, pong());
  EXPECT_EQ(site.ask(client, post(initialize("2025-11-25"))).status, 200);
}

// ---- Input requests ------------------------------------------------------------------------------------------------

constexpr std::string_view question =
    R"({"jsonrpc":"2.0","id":"m-1","method":"elicitation/create","params":{"mode":"form","message":"Choose.",)"
    R"("requestedSchema":{"type":"object","properties":{"x":{"type":"string","enum":["a"],"enumNames":["A"]}}}}})";
constexpr std::string_view choice = R"({"jsonrpc":"2.0","id":"m-1","result":{"action":"accept","content":{"x":"a"}}})";
constexpr std::string_view chosen =
    R"({"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"{\"x\":\"a\"}"}]}})";

TEST(HttpTransport, SendsAnInputRequestOnTheStreamOfItsCall) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  HttpClient listener = site.listen(session);
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(call("hand", 4), session)).streams);
  EXPECT_EQ(data_of(client.events()), (Texts{"", std::string(question)}));
  HttpClient other = site.connect();
  EXPECT_EQ(site.ask(other, post(choice, session)).status, 202);
  EXPECT_EQ(data_of(client.events()), Texts{std::string(chosen)});
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(listener.events().size(), 0U);
  EXPECT_EQ(site.ask(other, post(ping(), session)).body, pong());
}

TEST(HttpTransport, AcceptsAnInputResponseBeforeTheRequestIsSent) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  HttpClient client = site.connect();
  client.connection().wire.write_fault = {2, mcp::IoStatus::would_block, true};  // the input request
  client.send(post(call("hand", 4), session));
  site.run();
  HttpClient other = site.connect();
  EXPECT_EQ(site.ask(other, post(choice, session)).status, 202);
  client.connection().wire.write_fault = {};
  site.run();
  EXPECT_TRUE(client.response().streams);
  EXPECT_EQ(data_of(client.events()), (Texts{"", std::string(question), std::string(chosen)}));
  EXPECT_TRUE(client.ended());
}

TEST(HttpTransport, ResultSurvivesTheConnectionOfItsInputResponse) {
  for (const bool question_is_lost : {false, true}) {
    Site site(test::input_requests);
    const std::string session = site.begin();
    HttpClient client = site.connect();
    client.connection().wire.write_fault = {2, mcp::IoStatus::would_block, true};
    client.send(post(call("hand", 4), session));
    site.run();
    HttpClient other = site.connect();
    other.connection().wire.write_fault = {1, mcp::IoStatus::failed};
    other.send(post(choice, session));
    site.run();
    client.connection().wire.write_fault = {};
    if (question_is_lost) {
      const std::size_t next = client.connection().wire.writes() + 1;
      client.connection().wire.write_fault = {next, mcp::IoStatus::failed};
    }
    site.run();
    EXPECT_TRUE(client.response().streams);
    std::vector<HttpEvent> events = client.events();
    ASSERT_GE(events.size(), 1U);
    if (!question_is_lost) {
      EXPECT_EQ(data_of(events), (Texts{"", std::string(question), std::string(chosen)}));
      continue;
    }
    HttpClient again = site.listen(session, "Last-Event-ID: " + events[0].id + "\r\n");
    EXPECT_EQ(data_of(again.events()), (Texts{std::string(question), std::string(chosen)}));
    EXPECT_TRUE(again.ended());
  }
}

// Begins a call with an input request, and loses its connection. Returns the id of the last event.
std::string lose_a_question(Site<>& site, const std::string& session) {
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(call("hand", 4), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  EXPECT_EQ(events.size(), 2U);
  client.leave();
  site.run();
  return events.back().id;
}

TEST(HttpTransport, StoresAResponseForALostStream) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  const std::string last_event = lose_a_question(site, session);
  HttpClient other = site.connect();
  EXPECT_EQ(site.ask(other, post(choice, session)).status, 202);
  HttpClient again = site.listen(session, "Last-Event-ID: " + last_event + "\r\n");
  EXPECT_EQ(data_of(again.events()), Texts{std::string(chosen)});
  EXPECT_TRUE(again.ended());
}

// The output after a response waits in the exchange of the response, until the server has served all streams.
TEST(HttpTransport, LostStreamStaysUntilItsLastEventIsStored) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  const std::string last_event = lose_a_question(site, session);
  HttpClient other = site.connect();
  std::string request = post(choice, session);
  const std::size_t head = request.size() - choice.size();
  for (const std::size_t size :
       {head, choice.size() - 3, std::size_t{1}, std::size_t{1}, std::size_t{1}}) {  // the poll ends after the last one
    other.send(request.substr(0, size));
    request.erase(0, size);
  }
  site.run();
  EXPECT_EQ(other.response().status, 202);
  HttpClient again = site.listen(session, "Last-Event-ID: " + last_event + "\r\n");
  EXPECT_EQ(data_of(again.events()), Texts{std::string(chosen)});
  EXPECT_TRUE(again.ended());
}

TEST(HttpTransport, ResponseGoesToOneOfTwoLostStreams) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  std::vector<std::string> last;
  for (const int id : {4, 5}) {
    HttpClient client = site.connect();
    EXPECT_TRUE(site.ask(client, post(call("hand", id), session)).streams);
    const std::vector<HttpEvent> events = client.events();
    ASSERT_EQ(events.size(), 2U);
    last.push_back("Last-Event-ID: " + events[1].id + "\r\n");
    client.leave();
    site.run();
  }
  HttpClient other = site.connect();
  EXPECT_EQ(site.ask(other, post(decline(2), session)).status, 202);
  HttpClient first = site.listen(session, last[0]);
  EXPECT_EQ(data_of(first.events()), Texts{});
  EXPECT_FALSE(first.ended());
  HttpClient second = site.listen(session, last[1]);
  EXPECT_NE(data_of(second.events()).back().find("declined"), std::string::npos);
  EXPECT_TRUE(second.ended());
}

// Another connection cancels the call. The cancellation of the input request goes to the stream of the call.
TEST(HttpTransport, CancelsAnInputRequestOnTheStreamOfItsCall) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(call("hand", 4), session)).streams);
  EXPECT_EQ(client.events().size(), 2U);
  const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}})";
  HttpClient other = site.connect();
  EXPECT_EQ(site.ask(other, post(cancel, session)).status, 202);
  const Texts data = data_of(client.events());
  ASSERT_EQ(data.size(), 1U);
  EXPECT_NE(data[0].find(R"("notifications/cancelled","params":{"requestId":"m-1")"), std::string::npos) << data[0];
  EXPECT_TRUE(client.ended());
}

TEST(HttpTransport, InputRequestWithoutAResponseTimesOut) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(call("hand", 4), session)).streams);
  site.pass(500);
  const Texts data = data_of(client.events());
  ASSERT_EQ(data.size(), 4U);
  EXPECT_NE(data[2].find("notifications/cancelled"), std::string::npos);
  EXPECT_NE(data[3].find("timed out"), std::string::npos);
  EXPECT_TRUE(client.ended());
}

// ---- Batches (2025-03-26) ----------------------------------------------------------------------------------------

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
  return R"({"jsonrpc":"2.0","id":"m-)" + std::to_string(id) + R"(","result":{"roots":[]}})";
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
  EXPECT_EQ(data_of(first.events()), Texts{R"({"jsonrpc":"2.0","id":"m-1","method":"roots/list","params":{}})"});
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

// ---- Tasks -------------------------------------------------------------------------------------------------------

TEST(HttpTransport, TasksContinueWithoutAStream) {
  Site site(test::input_requests);
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  const HttpResponse created = site.ask(client, post(R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":)"
                                                     R"({"name":"slow","arguments":{"how":""},"task":{}}})",
                                                     session));
  const std::size_t at = created.body.find(R"("taskId":")");
  ASSERT_NE(at, std::string::npos) << created.body;
  const std::string id = created.body.substr(at + 10, 32);
  const auto about = [&](std::string_view method) {
    return post(
        R"({"jsonrpc":"2.0","id":5,"method":")" + std::string(method) + R"(","params":{"taskId":")" + id + R"("}})",
        session);
  };
  EXPECT_NE(site.ask(client, about("tasks/get")).body.find("\"working\""), std::string::npos);
  EXPECT_GT(site.run(), 0U);
  site.pass(100);
  EXPECT_NE(site.ask(client, about("tasks/get")).body.find("\"completed\""), std::string::npos);
  const HttpResponse result = site.ask(client, about("tasks/result"));
  EXPECT_EQ(result.status, 200);
  const std::string text = result.streams ? client.events().back().data.value_or("") : result.body;
  EXPECT_NE(text.find("slept"), std::string::npos) << text;
  // The client gets the status when it opens the standalone stream.
  HttpClient listener = site.connect();
  EXPECT_TRUE(site.ask(listener, get(session)).streams);
  EXPECT_EQ(listener.events().size(), 2U);
  site.pass(60'000);  // the server removes the task
  HttpClient late = site.connect();
  EXPECT_NE(site.ask(late, about("tasks/get")).body.find("\"error\""), std::string::npos);
}

TEST(HttpTransport, TasksResultWaitsOnAStream) {
  Site site(test::input_requests);
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  const HttpResponse created = site.ask(client, post(R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":)"
                                                     R"({"name":"slow","arguments":{"how":"ask"},"task":{}}})",
                                                     session));
  const std::size_t at = created.body.find(R"("taskId":")");
  ASSERT_NE(at, std::string::npos) << created.body;
  const std::string id = created.body.substr(at + 10, 32);
  const std::string wait = R"({"jsonrpc":"2.0","id":5,"method":"tasks/result","params":{"taskId":")" + id + R"("}})";
  EXPECT_TRUE(site.ask(client, post(wait, session)).streams);
  site.pass(100);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_NE(events[1].data->find("elicitation/create"), std::string::npos);
  HttpClient other = site.connect();
  EXPECT_EQ(site.ask(other, post(choice, session)).status, 202);
  const Texts data = data_of(client.events());
  ASSERT_EQ(data.size(), 1U);
  EXPECT_NE(data[0].find("chosen"), std::string::npos);
  EXPECT_TRUE(client.ended());
}

// A running task, and the tasks/result that waits for it.
struct AwaitedTask {
  explicit AwaitedTask(Site<>& the_site) : site(the_site) {
    HttpClient client = site.connect();
    session = site.begin(client);
    const HttpResponse created = site.ask(client, post(R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":)"
                                                       R"({"name":"slow","arguments":{"how":"x"},"task":{}}})",
                                                       session));
    const std::size_t at = created.body.find(R"("taskId":")");
    EXPECT_NE(at, std::string::npos) << created.body;
    if (at != std::string::npos) task = created.body.substr(at + 10, 32);
    client.leave();
  }
  [[nodiscard]] std::string wait(int id) const {
    return post(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tasks/result","params":{"taskId":")" +
                    task + R"("}})",
                session);
  }

  Site<>& site;
  std::string session;
  std::string task;
};

constexpr std::string_view replaced = R"("error":{"code":-32600,"message":"A newer tasks/result replaced this one."}})";

// A request with a lost connection does not block the same request on a new connection.
TEST(HttpTransport, TasksResultCanBeRepeatedAfterALostConnection) {
  Site site(test::input_requests);
  const AwaitedTask task(site);
  HttpClient lost = site.connect();
  EXPECT_TRUE(site.ask(lost, task.wait(5)).streams);
  lost.leave();
  site.run();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, task.wait(6)).streams);
  site.pass(100);
  const Texts data = data_of(client.events());
  ASSERT_EQ(data.size(), 2U);
  EXPECT_NE(data[1].find(R"("id":6,"result":{"content":[{"type":"text","text":"slept"}])"), std::string::npos)
      << data[1];
  EXPECT_TRUE(client.ended());
}

TEST(HttpTransport, SecondTasksResultEndsTheFirstWithAnError) {
  Site site(test::input_requests);
  const AwaitedTask task(site);
  HttpClient older = site.connect();
  EXPECT_TRUE(site.ask(older, task.wait(5)).streams);
  HttpClient newer = site.connect();
  EXPECT_TRUE(site.ask(newer, task.wait(6)).streams);
  EXPECT_EQ(data_of(older.events()), (Texts{"", R"({"jsonrpc":"2.0","id":5,)" + std::string(replaced)}));
  EXPECT_TRUE(older.ended());
  site.pass(100);
  const Texts data = data_of(newer.events());
  ASSERT_EQ(data.size(), 2U);
  EXPECT_NE(data[1].find(R"("id":6,"result")"), std::string::npos) << data[1];
}

// Two tasks/result of a client that reads nothing wait. A third one is rejected until the first gets its error.
TEST(HttpTransport, RejectsAThirdTasksResult) {
  Site site(test::input_requests);
  const AwaitedTask task(site);
  HttpClient stalled = site.connect();
  stalled.connection().wire.write_fault = {1, mcp::IoStatus::would_block, true};
  stalled.send(task.wait(5));
  site.run();
  HttpClient second = site.connect();
  EXPECT_TRUE(site.ask(second, task.wait(6)).streams);
  HttpClient third = site.connect();
  const HttpResponse refused = site.ask(third, task.wait(7));
  EXPECT_FALSE(refused.streams);
  EXPECT_NE(refused.body.find(R"("id":7,"error":{"code":-32600)"), std::string::npos) << refused.body;
  stalled.connection().wire.write_fault = {};
  site.run();
  EXPECT_TRUE(stalled.response().streams);
  EXPECT_EQ(data_of(stalled.events()), (Texts{"", R"({"jsonrpc":"2.0","id":5,)" + std::string(replaced)}));
  EXPECT_TRUE(site.ask(third, task.wait(8)).streams);
  EXPECT_EQ(data_of(second.events()), (Texts{"", R"({"jsonrpc":"2.0","id":6,)" + std::string(replaced)}));
  site.pass(100);
  EXPECT_NE(data_of(third.events()).back().find(R"("id":8,"result")"), std::string::npos);
}

// ---- The standalone stream ---------------------------------------------------------------------------------------

TEST(HttpTransport, SendsUpdatesListChangesAndLogsOnTheSessionStream) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  EXPECT_EQ(site.ask(client, post(subscribe("test://here"), session)).status, 200);
  EXPECT_EQ(site.ask(client, post(test::set_debug, session)).status, 200);
  HttpClient listener = site.listen(session);
  EXPECT_TRUE(test::act(site.bench.server, "disable content"));
  site.run();
  EXPECT_EQ(data_of(listener.events()), Texts{std::string(tools_changed)});
  EXPECT_TRUE(test::act(site.bench.server, "log error valve It is stuck."));
  site.run();
  EXPECT_EQ(data_of(listener.events()),
            Texts{R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","logger":"valve",)"
                  R"("data":"It is stuck."}})"});
  EXPECT_FALSE(listener.ended());
}

TEST(HttpTransport, SendsUpdatesOnTheSessionStream) {
  Site site(*test::find_definition("full"));
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  EXPECT_EQ(site.ask(client, post(subscribe("test://counter"), session)).status, 200);
  HttpClient listener = site.listen(session);
  for (const char* const action : {"update test://counter", "update_from_isr test://counter"}) {
    EXPECT_TRUE(test::act(site.bench.server, action));
    site.run();
    EXPECT_EQ(data_of(listener.events()), Texts{updated("test://counter")}) << action;
  }
}

TEST(HttpTransport, NotificationsWaitForAStream) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  EXPECT_TRUE(test::act(site.bench.server, "disable content"));
  site.pass(1000);  // the device must not poll without a pause
  HttpClient listener = site.connect();
  EXPECT_TRUE(site.ask(listener, get(session)).streams);
  EXPECT_EQ(data_of(listener.events()), (Texts{"", std::string(tools_changed)}));
}

TEST(HttpTransport, IdleDeviceSleeps) {
  Site site(test::input_requests);  // its keep-alive is due every minute, also without a stream
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  site.pass(61'000);
  EXPECT_GT(site.run(), 0U);
  client.leave();
  EXPECT_GT(site.run(), 0U);
}

TEST(HttpTransport, SecondStreamReplacesTheFirst) {
  Site site;
  const std::string session = site.begin();
  HttpClient first = site.listen(session);
  HttpClient second = site.listen(session);
  EXPECT_EQ(first.events().size(), 0U);
  EXPECT_TRUE(first.ended());
  EXPECT_FALSE(first.connection().closed());
  EXPECT_EQ(site.ask(first, post(ping(), session)).body, pong());
  EXPECT_TRUE(test::act(site.bench.server, "disable content"));
  site.run();
  EXPECT_EQ(data_of(second.events()), Texts{std::string(tools_changed)});
}

TEST(HttpTransport, ClosesAReplacedStreamThatTakesNothing) {
  for (std::size_t call = 1; call <= 6; ++call) {
    Site site(test::features, {.write_limit = 40});
    const std::string session = site.begin();
    HttpClient first = site.connect();
    first.connection().wire.write_fault = {call, mcp::IoStatus::would_block, true};
    first.send(get(session));
    site.run();
    HttpClient second = site.listen(session);
    first.connection().wire.write_fault = {};
    site.run();
    const bool streams = first.response().streams;
    EXPECT_LE(streams ? first.events().size() : 0, 1U);
    EXPECT_TRUE(first.ended() || first.connection().closed());
    EXPECT_TRUE(test::act(site.bench.server, "disable content"));
    site.run();
    EXPECT_EQ(data_of(second.events()), Texts{std::string(tools_changed)});
  }
}

// ---- Resumption --------------------------------------------------------------------------------------------------

TEST(HttpTransport, ResumesARunningStream) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(4), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(data_of(events), (Texts{"", counting(0, 4)}));
  client.leave();
  site.pass(200);
  HttpClient again = site.listen(session, "Last-Event-ID: " + events[1].id + "\r\n");
  EXPECT_EQ(data_of(again.events()), (Texts{counting(1, 4), counting(2, 4)}));
  EXPECT_FALSE(again.ended());
  site.pass(200);
  EXPECT_EQ(data_of(again.events()), (Texts{counting(3, 4), counted(4)}));
  EXPECT_TRUE(again.ended());
}

TEST(HttpTransport, ResumesAStreamFromItsFirstEvent) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(1), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 2U);
  client.leave();
  site.pass(200);
  HttpClient again = site.listen(session, "Last-Event-ID: " + events[0].id + "\r\n");
  const std::vector<HttpEvent> replayed = again.events();
  EXPECT_EQ(data_of(replayed), (Texts{counting(0, 1), counted(1)}));
  ASSERT_EQ(replayed.size(), 2U);
  EXPECT_EQ(replayed[0].id, events[1].id);  // a replayed event keeps its id
  EXPECT_TRUE(again.ended());
}

TEST(HttpTransport, ResumesAStreamWithAnOpenConnection) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(2), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 2U);
  HttpClient again = site.listen(session, "Last-Event-ID: " + events[0].id + "\r\n");
  EXPECT_TRUE(client.connection().closed());
  site.pass(200);
  EXPECT_EQ(data_of(again.events()), (Texts{counting(0, 2), counting(1, 2), counted(2)}));
  EXPECT_TRUE(again.ended());
}

TEST(HttpTransport, ReplaysAnEndedStream) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(2), session)).streams);
  site.pass(200);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 4U);
  EXPECT_TRUE(client.ended());
  for (int i = 0; i < 2; ++i) {  // for each request, also on the same connection
    EXPECT_TRUE(site.ask(client, get(session + "Last-Event-ID: " + events[2].id + "\r\n")).streams);
    EXPECT_EQ(data_of(client.events()), Texts{counted(2)});
    EXPECT_TRUE(client.ended());
  }
  EXPECT_TRUE(site.ask(client, get(session + "Last-Event-ID: " + events[3].id + "\r\n")).streams);
  EXPECT_EQ(client.events().size(), 0U);
  EXPECT_TRUE(client.ended());
}

TEST(HttpTransport, ReportsLostEvents) {
  constexpr mcp::HttpLimits small{.connections = 3, .head_size = 512, .replay_size = 300};
  Site<small> site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(9), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 2U);
  client.leave();
  site.pass(600);  // six more events, of which the ring stores two
  HttpClient again = site.listen(session, "Last-Event-ID: " + events[1].id + "\r\n");
  const std::vector<HttpEvent> replayed = again.events();
  const Texts data = data_of(replayed);
  EXPECT_EQ(data, (Texts{"(4 events were lost)", counting(5, 9), counting(6, 9)}));
  ASSERT_GE(replayed.size(), 2U);
  EXPECT_EQ(replayed[0].id, "");
  site.pass(1000);
  EXPECT_EQ(data_of(again.events()), (Texts{counting(7, 9), counting(8, 9), counted(9)}));
}

// A call that counts to `steps` loses its client after two events. The client resumes its stream, and the device cannot
// finish the `blocked`th write before the events of a call that counts to `others` have taken space in the ring.
template <class AnySite>
HttpClient resume_slowly(AnySite& site, int steps, std::size_t blocked, int others) {
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(steps), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  EXPECT_EQ(events.size(), 2U);
  client.leave();
  site.pass(200);
  HttpClient slow = site.connect();
  slow.connection().wire.write_fault = {blocked, mcp::IoStatus::would_block, true};
  slow.send(get(session + "Last-Event-ID: " + events.at(1).id + "\r\n"));
  site.run();
  HttpClient other = site.connect();
  EXPECT_TRUE(site.ask(other, post(count_to(others, 2), session)).streams);
  site.pass(static_cast<mcp::Millis>(100 * others));
  slow.connection().wire.write_fault = {};
  site.pass(1000);
  EXPECT_TRUE(slow.response().streams);
  return slow;
}

// Also if other events replace them after the begin of the stream, and before they are sent.
TEST(HttpTransport, ReportsLostEventsOfACallThatHasEnded) {
  constexpr mcp::HttpLimits small{.connections = 3, .head_size = 512, .replay_size = 300};
  Site<small> site;
  HttpClient again = resume_slowly(site, 2, 1, 9);
  EXPECT_EQ(data_of(again.events()), Texts{"(2 events were lost)"});
  EXPECT_TRUE(again.ended());
}

TEST(HttpTransport, WithoutAReplayRingReplaysNothing) {
  constexpr mcp::HttpLimits none{.connections = 3, .head_size = 512};
  Site<none> site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(2), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 2U);
  client.leave();
  site.pass(100);
  // The call still runs. The client gets the number of lost events, and the later events.
  HttpClient again = site.listen(session, "Last-Event-ID: " + events[0].id + "\r\n");
  EXPECT_EQ(data_of(again.events()), Texts{"(2 events were lost)"});
  site.pass(100);
  EXPECT_EQ(data_of(again.events()), Texts{counted(2)});
  HttpClient late = site.connect();
  expect_rejection(site.ask(late, get(session + "Last-Event-ID: " + events[0].id + "\r\n")), 400);
}

// The ring stores the name of the event, so that the client learns of the loss.
TEST(HttpTransport, ReportsAnEventLongerThanTheRingAsLost) {
  constexpr mcp::HttpLimits small{.connections = 3, .head_size = 512, .replay_size = 100};
  Site<small> site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(2), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_GT(events[1].data->size(), small.replay_size);
  client.leave();
  site.pass(100);
  HttpClient again = site.listen(session, "Last-Event-ID: " + events[0].id + "\r\n");
  EXPECT_EQ(data_of(again.events()), Texts{"(2 events were lost)"});
  site.pass(100);
  EXPECT_EQ(data_of(again.events()), Texts{counted(2)});
  EXPECT_TRUE(again.ended());
}

TEST(HttpTransport, StreamThatCannotBeResumedEndsWithItsCall) {
  constexpr mcp::HttpLimits none{.connections = 2, .head_size = 512, .resumable = false};
  Site<none> site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(2), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 2U);
  client.leave();
  site.pass(100);
  HttpClient again = site.connect();
  expect_rejection(site.ask(again, get(session + "Last-Event-ID: " + events[0].id + "\r\n")), 400);
  site.pass(300);
  // The lost stream has released its exchange.
  HttpClient other = site.listen(session);
  HttpClient third = site.connect();
  EXPECT_TRUE(site.ask(third, post(count_to(1), session)).streams);
}

TEST(HttpTransport, LegacyEraIgnoresModernHeaders) {
  static constexpr mcp::Definition older{.name = "n", .version = "1", .eras = mcp::legacy_era};
  Site<usual, 2048, true> site(older);
  const std::string session = site.begin();
  HttpClient client = site.connect();
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  EXPECT_EQ(site.ask(client, post(ping, session + "Mcp-Method: another\r\n")).status, 200);
}

TEST(HttpTransport, ResumesTheSessionStream) {
  Site site;
  const std::string session = site.begin();
  HttpClient first = site.connect();
  EXPECT_TRUE(site.ask(first, get(session)).streams);
  std::vector<HttpEvent> events = first.events();
  ASSERT_EQ(events.size(), 1U);
  std::string last = events[0].id;
  std::vector<std::string> ids{last};
  for (int i = 0; i < 3; ++i) {
    first.leave();
    site.run();
    EXPECT_TRUE(first.connection().closed());
    first = site.listen(session, "Last-Event-ID: " + last + "\r\n");
    EXPECT_EQ(first.events().size(), 0U);
    EXPECT_FALSE(first.ended());
    EXPECT_TRUE(test::act(site.bench.server, i % 2 == 0 ? "disable content" : "enable content"));
    site.run();
    events = first.events();
    ASSERT_EQ(data_of(events), Texts{std::string(tools_changed)});
    EXPECT_EQ(std::count(ids.begin(), ids.end(), events[0].id), 0);
    last = events[0].id;
    ids.push_back(last);
  }
  // A client that missed events gets them again, and the stream continues.
  first.leave();
  site.run();
  first = site.listen(session, "Last-Event-ID: " + ids[1] + "\r\n");
  EXPECT_EQ(first.events().size(), 2U);
  EXPECT_FALSE(first.ended());
}

TEST(HttpTransport, RejectsAnUnknownEventId) {
  Site site;
  const std::string session = site.begin();
  for (const std::string_view id :
       {"", "1", "1-", "-1", "1-1", "99-0", "a-b", "1-1-1", "1234567890-1", "1 -1", "0-0", "4294967297-0"}) {
    HttpClient client = site.connect();
    expect_rejection(site.ask(client, get(session + "Last-Event-ID: " + std::string(id) + "\r\n")), 400);
  }
}

// ---- Errors ------------------------------------------------------------------------------------------------------

std::string with(std::string request, std::string_view old_text, std::string_view new_text) {
  const std::size_t at = request.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text;
  return request.replace(at, old_text.size(), new_text);
}

// Names that an attacker could rebind to the address of the device.
TEST(HttpTransport, RejectsHostNamesByDefault) {
  Site site;
  for (const std::string_view host :
       {"evil.example.com", "localhost.evil.example.com", "127.0.0.1.evil.example.com", "127.0.0.1.a:80", "10.0.0.x",
        "0x7f.1", "localhos", "localhost..", "localhost:x", "10.0.0.1:x", "a", "a.", ":80", "::1", "evil.example.com:1",
        "192.168.1.7.nip.io"}) {
    HttpClient client = site.connect();
    const HttpResponse response = site.ask(client, with(post(initialize()), "localhost:8080", host));
    expect_rejection(response, 403);
    EXPECT_NE(response.body.find("HttpOptions::hosts"), std::string::npos) << host;
    EXPECT_TRUE(client.connection().closed());
  }
  EXPECT_EQ(site.bench.open_sessions(), 0U);
}

TEST(HttpTransport, AcceptsAddressesAndLocalhostWithAnyList) {
  constexpr std::string_view hosts[] = {"boiler.local"};
  const mcp::HttpOptions with_list{.hosts = hosts};
  for (const mcp::HttpOptions* const options : {static_cast<const mcp::HttpOptions*>(nullptr), &with_list}) {
    Site site(test::features, {.options = options});
    for (const std::string_view host :
         {"localhost", "LocalHost:1", "localhost.", "localhost.:80", "127.0.0.1", "127.0.0.1:80", "10.0.2.15",
          "192.168.1.7:8080", "[::1]", "[::1]:8080", "[fe80::1]", "[2001:db8::7]:80"}) {
      HttpClient client = site.connect();
      EXPECT_EQ(site.ask(client, with(post(initialize()), "localhost:8080", host)).status, 200) << host;
      client.leave();
    }
  }
}

TEST(HttpTransport, ComparesHostsWithAndWithoutPorts) {
  constexpr std::string_view hosts[] = {"boiler.local", "gate.example:443", ""};
  const mcp::HttpOptions options{.hosts = hosts};
  Site site(test::features, {.options = &options});
  const auto status = [&](std::string_view host) {
    HttpClient client = site.connect();
    const int code = site.ask(client, with(post(initialize()), "localhost:8080", host)).status;
    client.leave();
    return code;
  };
  for (const std::string_view host : {"boiler.local", "boiler.local:80", "boiler.local:8080", "BOILER.local.",
                                      "boiler.local.:80", "gate.example:443"}) {
    EXPECT_EQ(status(host), 200) << host;
  }
  for (const std::string_view host :
       {"boiler.local..", "boiler-2.local", "xboiler.local", "boiler.localx", "gate.example", "gate.example:44",
        "gate.example:4430", "gate.example.:443", ":443", ":"}) {
    EXPECT_EQ(status(host), 403) << host;
  }
}

TEST(HttpTransport, FollowsAHostThatChanges) {
  std::string_view hosts[] = {""};
  const mcp::HttpOptions options{.hosts = hosts};
  Site site(test::features, {.options = &options});
  const auto status = [&](std::string_view host) {
    HttpClient client = site.connect();
    const int code = site.ask(client, with(post(initialize()), "localhost:8080", host)).status;
    client.leave();
    return code;
  };
  EXPECT_EQ(status("boiler.local"), 403);
  hosts[0] = "boiler.local";
  EXPECT_EQ(status("boiler.local"), 200);
  hosts[0] = "boiler-2.local";
  EXPECT_EQ(status("boiler.local"), 403);
  EXPECT_EQ(status("boiler-2.local"), 200);
}

TEST(HttpTransport, AcceptsOnlyOriginsOfThisMachineByDefault) {
  for (const std::string_view origin :
       {"http://evil.example.com", "null", "https://localhost.evil.example.com", "file://localhost", "http://", "",
        "localhost", "http://localhost.", "http://192.168.1.7", "http://localhost:80@evil", "http://localhost:80x",
        "http://[::2]", "http://127.0.0.1.evil.example.com"}) {
    Site site;
    HttpClient client = site.connect();
    const HttpResponse response = site.ask(client, post(initialize(), "Origin: " + std::string(origin) + "\r\n"));
    expect_rejection(response, 403);
    EXPECT_NE(response.body.find("HttpOptions::origins"), std::string::npos);
    EXPECT_TRUE(client.connection().closed());
  }
  for (const std::string_view origin : {"http://localhost:6274", "https://127.0.0.1", "http://[::1]:8080"}) {
    Site site;
    HttpClient client = site.connect();
    const HttpResponse response = site.ask(client, post(initialize(), "Origin: " + std::string(origin) + "\r\n"));
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.header("access-control-allow-origin"), origin);
    EXPECT_EQ(response.header("access-control-expose-headers"), "*");
    EXPECT_EQ(response.header("vary"), "Origin");
  }
}

TEST(HttpTransport, AcceptsOnlyHostsAndOriginsOfItsLists) {
  constexpr std::string_view hosts[] = {"boiler.local:8080"};
  constexpr std::string_view origins[] = {"https://app.example.com"};
  const mcp::HttpOptions options{.path = "/boiler", .hosts = hosts, .origins = origins};
  Site site(test::features, {.options = &options});
  const auto request = [&](std::string_view host, std::string_view origin) {
    std::string text = with(post(initialize(), "Origin: " + std::string(origin) + "\r\n"), "localhost:8080", host);
    return with(text, "/mcp", "/boiler");
  };
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, request("boiler.local:8080", "https://app.example.com")).status, 200);
  HttpClient wrong_host = site.connect();
  expect_rejection(site.ask(wrong_host, request("boiler.example", "https://app.example.com")), 403);
  HttpClient wrong_origin = site.connect();
  expect_rejection(site.ask(wrong_origin, request("boiler.local:8080", "http://app.example.com")), 403);
  HttpClient wrong_path = site.connect();
  expect_rejection(
      site.ask(wrong_path, with(request("boiler.local:8080", "https://app.example.com"), "/boiler", "/mcp")), 404);
}

TEST(HttpTransport, AcceptsOnlySupportedVersions) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  for (const std::string_view version : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    const std::string header = session + "MCP-Protocol-Version: " + std::string(version) + "\r\n";
    EXPECT_EQ(site.ask(client, post(ping(), header)).body, pong()) << version;
  }
  for (const std::string_view version : {"", "1999-01-01", "2025-11-2", "2025-11-255", "DRAFT"}) {
    const std::string header = session + "Connection: close\r\nMCP-Protocol-Version: " + std::string(version) + "\r\n";
    for (const std::string& request : {post(ping(), header), get(header), delete_request(header)}) {
      HttpClient wrong = site.connect();
      expect_rejection(site.ask(wrong, request), 400, request.starts_with("POST") ? R"("id":1,)" : "");
    }
  }
}

TEST(HttpTransport, RejectsInvalidRequests) {
  struct Case {
    std::string request;
    int status;
  };
  Site site;
  const std::string session = site.begin();
  const std::string right = post(ping(), session);
  const Case cases[] = {
      {with(right, both_types, ""), 406},
      {with(right, both_types, "Accept: application/json\r\n"), 406},
      {with(right, both_types, "Accept: text/event-stream\r\n"), 406},
      {with(get(session), "text/event-stream", "application/json"), 406},
      {with(right, "Content-Type: application/json", "Content-Type: text/plain"), 415},
      {with(right, "Content-Type: application/json\r\n", ""), 415},
      {with(right, "/mcp", "/"), 404},
      {with(right, "/mcp", "/mcp/"), 404},
      {with(right, "/mcp", "/MCP"), 404},
      {with(right, "POST", "PUT"), 405},
      {with(get(session), "GET", "HEAD"), 405},
      {with(get(session), "GET", "TRACE"), 405},
      {with(right, "Host: localhost:8080\r\n", ""), 400},
      {with(right, "HTTP/1.1", "HTTP/2.0"), 505},
      {with(right, "Content-Length: 40\r\n", ""), 411},
      {with(right, "Content-Length: 40", "Content-Length: 1025"), 413},
      {with(right, "Content-Length: 40", "Transfer-Encoding: gzip, chunked"), 501},
      {with(right, "Content-Length: 40", "Content-Length: 40\r\nX: " + std::string(400, 'x')), 431},
      {with(right, "/mcp", "/" + std::string(600, 'x')), 414},
  };
  for (const Case& wrong : cases) {
    HttpClient client = site.connect();
    const HttpResponse response = site.ask(client, wrong.request);
    if (wrong.status == 405) {  // no body, because the response to HEAD must have none
      EXPECT_EQ(response.status, 405);
      EXPECT_EQ(response.body, "");
    } else {
      expect_rejection(response, wrong.status);
    }
    EXPECT_EQ(response.header("connection"), "close");
    EXPECT_TRUE(client.connection().closed()) << wrong.request;
    EXPECT_EQ(response.header("allow"), wrong.status == 405 ? "GET, POST, DELETE, OPTIONS" : "(none)");
  }
  for (const std::string_view accept : {"*/*", "application/*, text/*;q=0.1", "text/event-stream, application/json"}) {
    HttpClient client = site.connect();
    EXPECT_EQ(site.ask(client, with(right, both_types, "Accept: " + std::string(accept) + "\r\n")).body, pong());
    client.leave();
  }
}

TEST(HttpTransport, RejectsTooLargeChunkedBodies) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  std::string request = with(post("", session), "Content-Length: 0", "Transfer-Encoding: chunked");
  for (int i = 0; i < 5; ++i) request += "100\r\n" + std::string(256, ' ') + "\r\n";
  const HttpResponse response = site.ask(client, request);
  expect_rejection(response, 413);
  EXPECT_TRUE(client.connection().closed());
}

TEST(HttpTransport, AnswersPreflightRequests) {
  Site site;
  HttpClient client = site.connect();
  const std::string preflight =
      "OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:6274\r\n"
      "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type,mcp-session-id\r\n\r\n";
  const HttpResponse response = site.ask(client, preflight);
  EXPECT_EQ(response.status, 204);
  EXPECT_EQ(response.header("access-control-allow-origin"), "http://localhost:6274");
  EXPECT_EQ(response.header("access-control-allow-methods"), "GET, POST, DELETE, OPTIONS");
  EXPECT_EQ(response.header("access-control-allow-headers"),
            "Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, "
            "MCP-Session-Id, *");
  EXPECT_EQ(site.ask(client, post(initialize())).status, 200);  // the connection stays open
  HttpClient wrong = site.connect();
  expect_rejection(site.ask(wrong, with(preflight, "localhost:6274", "evil.example.com")), 403);
}

TEST(HttpTransport, IgnoresTooLongOriginsOfTheList) {
  const std::string longest = "https://" + std::string(56, 'a');
  const std::string longer = longest + "a";
  const std::string_view origins[] = {longest, longer};
  const mcp::HttpOptions options{.origins = origins};
  Site site(test::features, {.options = &options});
  const std::string session = site.begin();
  const std::string header = "Origin: " + longest + "\r\n";
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, "OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n").status, 204);
  EXPECT_EQ(site.ask(client, post(initialize(), header)).status, 200);
  EXPECT_TRUE(site.ask(client, post(count_to(0), session + header + "Connection: close\r\n")).streams);
  HttpClient wrong = site.connect();
  expect_rejection(site.ask(wrong, post(initialize(), "Origin: " + longer + "\r\n")), 403);
}

// ---- Connections -------------------------------------------------------------------------------------------------

TEST(HttpTransport, IncompleteRequestGets408) {
  Site site;
  const std::string session = site.begin();
  const std::string request = post(ping(), session);
  const std::size_t body = request.find("\r\n\r\n") + 4;
  for (const std::size_t cut : {std::size_t{1}, std::size_t{20}, body - 1, body, body + 1, request.size() - 1}) {
    HttpClient client = site.connect();
    client.send(request.substr(0, cut));
    site.pass(9'999);
    EXPECT_EQ(client.response().status, 0) << cut;
    site.pass(1);
    expect_rejection(client.response(), 408);
    EXPECT_TRUE(client.connection().closed()) << cut;
  }
}

TEST(HttpTransport, RequestTimeoutIsNotExtendedByBytes) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  for (int i = 0; i < 10; ++i) {
    client.send(post(ping(), session).substr(static_cast<std::size_t>(i), 1));
    site.pass(1'000);
  }
  expect_rejection(client.response(), 408);
  EXPECT_TRUE(client.connection().closed());
}

TEST(HttpTransport, TimeoutsApplyWhileOthersAreBusy) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  HttpClient slow = site.connect();
  slow.send("POST");
  site.run();
  HttpClient busy = site.connect();
  busy.send(post(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"chatter",)"
                 R"("_meta":{"progressToken":1}}})",
                 session));
  site.pass_busily(9'999);
  EXPECT_EQ(slow.response().status, 0);
  site.pass_busily(1);
  expect_rejection(slow.response(), 408);
  const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
  EXPECT_EQ(site.ask(client, post(cancel, session)).status, 202);
}

TEST(HttpTransport, ClosesIdleConnections) {
  Site site;
  HttpClient client = site.connect();
  HttpClient silent = site.connect();
  const std::string session = site.begin(client);
  site.pass(59'999);
  EXPECT_FALSE(client.connection().closed());
  EXPECT_FALSE(silent.connection().closed());
  site.pass(1);
  EXPECT_TRUE(client.connection().closed());
  EXPECT_TRUE(silent.connection().closed());
  EXPECT_TRUE(client.idle());
  // A stream without an event is not idle.
  HttpClient listener = site.listen(session);
  site.pass(300'000);
  EXPECT_FALSE(listener.connection().closed());
}

TEST(HttpTransport, NewRequestRestartsTheTimeout) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  for (int i = 0; i < 4; ++i) {
    site.pass(50'000);
    EXPECT_EQ(site.ask(client, post(ping(), session)).body, pong());
  }
}

TEST(HttpTransport, ClosesAClientThatTakesNoByte) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  client.connection().wire.write_fault = {1, mcp::IoStatus::would_block, true};
  client.send(post(ping(), session));
  site.pass(59'999);
  EXPECT_FALSE(client.connection().closed());
  site.pass(1);
  EXPECT_TRUE(client.connection().closed());
}

// A stream that was silent for long has this time for its next event, and for its end.
TEST(HttpTransport, ClosesAStreamThatTakesNoByte) {
  for (const bool ends : {false, true}) {
    Site site;
    HttpClient client = site.connect();
    const std::string session = site.begin(client);
    EXPECT_EQ(site.ask(client, post(subscribe("test://here"), session)).status, 200);
    HttpClient listener = site.listen(session);
    site.pass(usual.idle_timeout_ms);
    listener.connection().wire.write_fault = {listener.connection().wire.writes() + 1, mcp::IoStatus::would_block,
                                              true};
    if (ends) {
      HttpClient other = site.connect();
      EXPECT_EQ(site.ask(other, delete_request(session)).status, 200);
    } else {
      site.bench.server.resource_updated(features.resources.rows()[0]);
    }
    site.pass(usual.idle_timeout_ms - 1);
    EXPECT_FALSE(listener.connection().closed()) << ends;
    site.pass(1);
    EXPECT_TRUE(listener.connection().closed()) << ends;
  }
}

// A connection that has been served, and whose port says when it has input.
HttpClient connect_with_events(Site<>& site, const std::string& request) {
  HttpClient client = site.connect();
  client.connection().has_events = true;
  EXPECT_EQ(site.ask(client, request).status, 200);
  return client;
}

// A poll does not look at each of these, if the port says that they have no input.
TEST(HttpTransport, ClosesEachOfSeveralIdleConnectionsInTime) {
  Site site;
  const std::string request = post(ping(), site.begin());
  std::vector<HttpClient> clients;
  for (unsigned i = 0; i < 3; ++i) {
    clients.push_back(connect_with_events(site, request));
    site.pass(10'000);
  }
  // At 30 s. The others have waited since 10 s and 20 s.
  EXPECT_EQ(site.ask(clients[0], request).status, 200);
  site.pass(usual.idle_timeout_ms - 20'001);
  for (const unsigned first_ms : {1U, 10'000U, 10'000U}) {
    const auto closed = [](const HttpClient& client) { return client.connection().closed(); };
    const auto before = std::ranges::count_if(clients, closed);
    site.pass(first_ms - 1);
    EXPECT_EQ(std::ranges::count_if(clients, closed), before);
    site.pass(1);
    EXPECT_EQ(std::ranges::count_if(clients, closed), before + 1);
  }
  EXPECT_TRUE(clients[1].connection().closed());
}

TEST(HttpTransport, CallsNoConnectionWithoutInput) {
  unsigned calls = 0;  // also those of the end of the site
  Site site;
  const std::string request = post(ping(), site.begin());
  std::vector<HttpClient> clients;
  for (unsigned i = 0; i < 3; ++i) {
    clients.push_back(connect_with_events(site, request));
    clients[i].connection().on_call = [&calls] { ++calls; };
  }
  EXPECT_EQ(calls, 0U);
  for (HttpClient& client : clients) {
    calls = 0;
    EXPECT_EQ(site.ask(client, request).status, 200);
    EXPECT_EQ(calls, 3U);  // a read, a write, and a read without input
  }
}

TEST(Connection, NotesInputUntilItIsClosed) {
  test::FakeConnection connection;
  bool ready = false;
  connection.note_input_at(&ready);
  connection.give("x");
  EXPECT_TRUE(ready);
  ready = false;
  connection.close();
  connection.give("x");
  EXPECT_FALSE(ready);
}

// The clock wraps at 2^32.
TEST(HttpTransport, ClosesAnIdleConnectionAfterWeeksWithoutAPoll) {
  for (const mcp::Millis pause_ms : {0x7000'0000U, 0x9000'0000U, 0xF000'0000U}) {
    Site site;
    site.pass_busily(0);
    site.pass_busily(pause_ms);
    const std::string request = post(ping(), site.begin());
    const HttpClient client = connect_with_events(site, request);
    site.pass(usual.idle_timeout_ms - 1);
    EXPECT_FALSE(client.connection().closed()) << pause_ms;
    site.pass(1);
    EXPECT_TRUE(client.connection().closed()) << pause_ms;
  }
}

// A request may take longer than a response.
TEST(HttpTransport, ResponseHasATimeOfItsOwn) {
  Site<mcp::HttpLimits{.connections = 2, .head_size = 512, .request_timeout_ms = 10'000, .idle_timeout_ms = 5'000}>
      site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  client.connection().wire.write_fault = {1, mcp::IoStatus::would_block, true};
  const std::string request = post(ping(), session);
  client.send(request.substr(0, 10));
  site.pass(9'000);
  client.send(request.substr(10));
  site.pass(4'999);
  EXPECT_FALSE(client.connection().closed());
  site.pass(1);
  EXPECT_TRUE(client.connection().closed());
}

// A body that waits for the buffer of the server has no time limit, except while its client takes no `100 Continue`.
TEST(HttpTransport, ClosesAClientThatTakesNoContinue) {
  Site<usual, 512> site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  client.connection().wire.write_fault = {1, mcp::IoStatus::would_block, true};
  const std::string request = post(ping() + std::string(600, ' '), session + "Expect: 100-continue\r\n");
  client.send(request.substr(0, request.find("\r\n\r\n") + 4));
  site.pass(usual.request_timeout_ms + usual.idle_timeout_ms - 1);
  EXPECT_FALSE(client.connection().closed());
  site.pass(1);
  EXPECT_TRUE(client.connection().closed());
}

// After a part of `100 Continue`, no other response can follow.
TEST(HttpTransport, SendsNoResponseAfterAPartOfContinue) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  FakeStream& wire = client.connection().wire;
  wire.write_limit = 10;
  wire.write_fault = {2, mcp::IoStatus::would_block, true};
  const std::string request = post(ping(), session + "Expect: 100-continue\r\n");
  client.send(request.substr(0, request.find("\r\n\r\n") + 4));
  site.pass(usual.request_timeout_ms);
  wire.write_fault = {};
  site.run();
  EXPECT_EQ(wire.take(), "HTTP/1.1 1");
  EXPECT_TRUE(client.connection().closed());
}

// A call that always has output does not keep the device awake for a client that does not read.
TEST(HttpTransport, SleepsWhileAStreamTakesNoByte) {
  Site site;
  const std::string session = site.begin();
  HttpClient slow = site.connect();
  slow.connection().wire.write_fault = {5, mcp::IoStatus::would_block, true};
  slow.send(post(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"chatter",)"
                 R"("_meta":{"progressToken":1}}})",
                 session));
  const std::size_t writes = 10 + slow.connection().wire.writes();
  EXPECT_EQ(site.run(), 10U);
  EXPECT_LE(slow.connection().wire.writes(), writes);
  site.pass(59'990);
  site.pass_busily(10);
  EXPECT_TRUE(slow.connection().closed());  // the call continues
  const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
  HttpClient client = site.connect();
  client.send(post(cancel, session));
  site.pass_busily(0);
  EXPECT_EQ(client.response().status, 202);
}

// ---- More clients than connections -------------------------------------------------------------------------------

TEST(HttpTransport, FurtherConnectionsWaitForASlot) {
  Site site;
  std::list<HttpClient> clients;
  for (int i = 0; i < 7; ++i) clients.push_back(site.connect());
  site.run();
  EXPECT_EQ(site.listener.waiting(), 2U);
  clients.front().leave();
  site.run();
  EXPECT_EQ(site.listener.waiting(), 1U);
  site.pass(199);
  EXPECT_EQ(site.listener.waiting(), 1U);
  site.pass(1);
  EXPECT_EQ(site.listener.waiting(), 0U);
  EXPECT_EQ(site.ask(clients.back(), post(initialize())).status, 200);
}

// For each waiting client, the server closes one connection, the longest-idle one first.
TEST(HttpTransport, EvictsLongestIdleConnection) {
  Site site;
  const std::string session = site.begin();
  std::vector<HttpClient> clients;
  for (int i = 0; i < 5; ++i) {
    clients.push_back(site.connect());
    site.pass(100);
  }
  EXPECT_EQ(site.ask(clients[0], post(ping(), session)).body, pong());  // is now the shortest idle one
  site.pass(5'000);
  HttpClient next = site.connect();
  EXPECT_EQ(site.ask(next, post(ping(), session)).body, pong());
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(clients[i].connection().closed(), i == 1) << i;
  HttpClient another = site.connect();
  EXPECT_EQ(site.ask(another, post(ping(), session)).body, pong());
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(clients[i].connection().closed(), i == 1 || i == 2) << i;
  // Without a waiting client, no connection closes.
  site.pass(50'000);
  EXPECT_FALSE(clients[3].connection().closed());
}

// ---- The end of a connection -------------------------------------------------------------------------------------

// The server reads further input, because a reset could remove the response before the client has read it.
TEST(HttpTransport, DiscardsInputAfterARejection) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  client.connection().stays = true;
  client.send(with(post(ping(), session), "Content-Length: 40", "Content-Length: 1000000"));
  site.run();
  EXPECT_EQ(client.response().status, 413);
  EXPECT_TRUE(client.connection().closed());
  for (int i = 0; i < 100; ++i) {
    client.send(std::string(10'000, 'x'));
    site.run();
    EXPECT_EQ(client.connection().wire.unread(), 0U);
  }
  EXPECT_FALSE(client.connection().released());
  client.leave();
  site.run();
  EXPECT_TRUE(client.connection().released());
  EXPECT_TRUE(client.idle());
}

TEST(HttpTransport, ClosesAClientThatDoesNotCloseItsSide) {
  Site site;
  for (const bool sends : {false, true}) {
    HttpClient client = site.connect();
    client.connection().stays = true;
    EXPECT_EQ(site.ask(client, "x\r\n\r\n").status, 400);
    for (int i = 0; i < 9; ++i) {
      if (sends) client.send("x");
      site.pass(1'000);
    }
    EXPECT_FALSE(client.connection().released());
    site.pass(1'000);
    EXPECT_TRUE(client.connection().released());
  }
}

TEST(HttpTransport, EvictsAHalfClosedConnection) {
  constexpr mcp::HttpLimits one{.connections = 1, .head_size = 512};
  Site<one> site(test::features, {.sessions = 1});
  HttpClient client = site.connect();
  client.connection().stays = true;
  EXPECT_EQ(site.ask(client, "x\r\n\r\n").status, 400);
  HttpClient next = site.connect();
  next.send(post(initialize()));
  site.pass(199);
  EXPECT_FALSE(client.connection().released());
  site.pass(1);
  EXPECT_TRUE(client.connection().released());
  EXPECT_EQ(next.response().status, 200);
}

// ---- Pipelined and parallel requests ------------------------------------------------------------------------------

TEST(HttpTransport, SendsPipelinedResponsesInOrder) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  std::string chunked = with(post("", session), "Content-Length: 0", "Transfer-Encoding: chunked");
  chunked += "1\r\n{\r\n" + std::string("27\r\n") + ping(3).substr(1) + "\r\n0\r\n\r\n";
  client.send(post(ping(1), session) + post(count_to(1, 2), session) + chunked + "\r\n" + post(ping(4), session));
  site.pass(200);
  EXPECT_EQ(client.response().body, pong(1));
  EXPECT_TRUE(client.response().streams);
  EXPECT_EQ(data_of(client.events()), (Texts{"", counting(0, 1), counted(1, 2)}));
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(client.response().body, pong(3));
  EXPECT_EQ(client.response().body, pong(4));
  EXPECT_TRUE(client.idle());
}

TEST(HttpTransport, IgnoresRequestsAfterConnectionClose) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  client.send(post(ping(1), session + "Connection: close\r\n") + post(ping(2), session));
  site.run();
  const HttpResponse response = client.response();
  EXPECT_EQ(response.body, pong(1));
  EXPECT_EQ(response.header("connection"), "close");
  EXPECT_TRUE(client.connection().closed());
  EXPECT_TRUE(client.idle());
}

TEST(HttpTransport, IgnoresBodiesOfOtherMethods) {
  Site site;
  const std::string session = site.begin();
  const std::string hidden = post(ping(), session);
  const std::string length = "Content-Length: " + std::to_string(hidden.size()) + "\r\n";
  for (const std::string& request :
       {"OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\n" + length + "\r\n", delete_request(session + length)}) {
    HttpClient client = site.connect();
    client.send(request + hidden);
    site.run();
    const HttpResponse response = client.response();
    EXPECT_EQ(response.status / 100, 2);
    EXPECT_EQ(response.header("connection"), "close");
    EXPECT_TRUE(client.idle());
    EXPECT_TRUE(client.connection().closed());
  }
}

TEST(HttpTransport, SendsContinueToAClientThatExpectsIt) {
  Site site;
  const std::string session = site.begin();
  const std::string request = post(ping(), session + "Expect: 100-continue\r\n");
  const std::size_t body = request.find("\r\n\r\n") + 4;
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, request.substr(0, body)).status, 100);
  EXPECT_EQ(site.ask(client, request.substr(body)).body, pong());
  EXPECT_EQ(site.ask(client, request).body, pong());  // the client did not wait
  // The request gets no further time.
  client.send(request.substr(0, body));
  site.pass(5'000);
  EXPECT_EQ(client.response().status, 100);
  site.pass(5'000);
  EXPECT_EQ(client.response().status, 408);
  // The server rejects an invalid request at once.
  HttpClient wrong = site.connect();
  EXPECT_EQ(site.ask(wrong, with(request.substr(0, body), "/mcp", "/no")).status, 404);
}

// The server receives a body that fits into the transmit buffer there, so a slow client delays no other one.
TEST(HttpTransport, BodiesThatFitDoNotWait) {
  Site<usual, 1024> site;
  const std::string session = site.begin();
  const std::string request = post(ping(1) + std::string(1024 - ping(1).size(), ' '), session);
  const std::string chunked =
      with(post("", session), "Content-Length: 0", "Transfer-Encoding: chunked") + "28\r\n" + ping(2) + "\r\n0\r\n\r\n";
  HttpClient first = site.connect();
  HttpClient second = site.connect();
  first.send(request.substr(0, request.size() - 1));
  second.send(chunked.substr(0, chunked.size() - 1));
  site.run();
  HttpClient third = site.connect();
  EXPECT_EQ(site.ask(third, post(ping(3), session)).body, pong(3));
  EXPECT_EQ(site.ask(second, chunked.substr(chunked.size() - 1)).body, pong(2));
  EXPECT_EQ(site.ask(first, request.substr(request.size() - 1)).body, pong(1));
}

TEST(HttpTransport, LongerBodiesWaitForTheSharedBuffer) {
  Site<usual, 512> site;
  const std::string session = site.begin();
  const std::string chunked = with(post("", session), "Content-Length: 0", "Transfer-Encoding: chunked");
  const std::string request = chunked + "28\r\n" + ping(1) + "\r\n0\r\n\r\n";
  HttpClient first = site.connect();
  HttpClient second = site.connect();
  first.send(request.substr(0, request.size() - 1));
  site.run();
  second.send(post(ping(2) + std::string(500, ' '), session));
  HttpClient third = site.connect();
  EXPECT_EQ(site.ask(third, post(ping(3), session)).body, pong(3));  // fits into the transmit buffer
  EXPECT_EQ(second.response().status, 0);
  HttpClient listener = site.listen(session);  // needs no buffer
  EXPECT_EQ(site.ask(first, request.substr(request.size() - 1)).body, pong(1));
  EXPECT_EQ(second.response().body, pong(2));
  // The buffer is free again after the connection of the body is lost.
  const std::string longer = post(ping(2) + std::string(500, ' '), session);
  first.send(request.substr(0, request.size() - 1));
  site.run();
  second.send(longer);
  site.run();
  first.leave();
  site.run();
  EXPECT_EQ(second.response().body, pong(2));
  // The buffer is also free after its client stalls. The time of the next request begins then.
  first = site.connect();
  first.send(longer.substr(0, longer.size() - 1));
  site.run();
  second.send(longer.substr(0, longer.size() - 1));
  site.pass(199);
  EXPECT_EQ(first.response().status, 0);
  site.pass(1);
  EXPECT_EQ(first.response().status, 408);
  site.pass(9'999);
  second.send(longer.substr(longer.size() - 1));
  site.run();
  EXPECT_EQ(second.response().body, pong(2));
}

TEST(HttpTransport, BytesDuringAStreamAreTheNextRequest) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(1), session)).streams);
  client.send(post(ping(2), session));
  site.pass(50);
  EXPECT_EQ(client.events().size(), 2U);
  site.pass(50);
  EXPECT_EQ(data_of(client.events()), Texts{counted(1)});
  EXPECT_EQ(client.response().body, pong(2));
  // Input that does not fit into the buffer for heads stays in the network stack.
  EXPECT_TRUE(site.ask(client, post(count_to(1), session)).streams);
  client.send(post(std::string(600, ' ') + ping(3), session));
  site.pass(100);
  EXPECT_EQ(client.events().size(), 3U);
  EXPECT_EQ(client.response().body, pong(3));
}

// ---- Bodies larger than the transmit buffer -------------------------------------------------------------------------

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

// ---- Cut requests and slow readers -------------------------------------------------------------------------------

// All bytes that clients get in a conversation with all kinds of requests. The `cut`th byte of each begins a new piece.
std::string converse(std::size_t cut, const Setting& setting, bool& cut_any) {
  Site site(test::features, setting);
  std::string all;
  cut_any = false;
  HttpClient client = site.connect();
  const auto exchange = [&](const std::string& request) {
    if (cut < request.size()) {
      cut_any = true;
      client.send(request.substr(0, cut));
      site.run();
      client.send(request.substr(cut));
    } else {
      client.send(request);
    }
    site.settle();
    for (int i = 0; i < 3; ++i) {
      site.pass(100);
      site.settle();
    }
    std::string got = client.connection().wire.take();
    all += got;
    return got;
  };
  const std::string first = exchange(post(initialize()));
  const std::size_t id = first.find("MCP-Session-Id: ");
  if (id == std::string::npos) return all;
  const std::string session = first.substr(id, 50);
  exchange(post(initialized, session));
  exchange(post(count_to(2), session));
  std::string chunked = with(post("", session), "Content-Length: 0", "Transfer-Encoding: chunked");
  exchange(chunked + "1;x=y\r\n{\r\n27\r\n" + ping(3).substr(1) + "\r\n0\r\nX: y\r\n\r\n");
  exchange(get(session + "Last-Event-ID: 1-1\r\n"));
  exchange("OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n\r\n");
  exchange(delete_request(session));
  exchange(get(session));
  EXPECT_TRUE(client.connection().closed());
  return all;
}

TEST(HttpTransport, AcceptsRequestsCutAtEveryByte) {
  bool cut_any = false;
  const std::string whole = converse(std::string::npos, {}, cut_any);
  EXPECT_EQ(std::count(whole.begin(), whole.end(), '\n') > 40, true);
  cut_any = true;
  for (std::size_t cut = 1; cut_any && !HasFailure(); ++cut) {
    EXPECT_EQ(converse(cut, {}, cut_any), whole) << cut;
  }
}

TEST(HttpTransport, ServesSlowReaders) {
  bool cut_any = false;
  const std::string whole = converse(std::string::npos, {}, cut_any);
  for (const std::size_t limit : {1U, 2U, 3U, 7U, 64U, 1000U}) {
    EXPECT_EQ(converse(std::string::npos, {.write_limit = limit}, cut_any), whole) << limit;
    EXPECT_EQ(converse(std::string::npos, {.write_limit = limit, .blocks = true}, cut_any), whole) << limit;
  }
}

TEST(HttpTransport, SurvivesAFailureOfEveryWrite) {
  for (const mcp::IoStatus status : {mcp::IoStatus::closed, mcp::IoStatus::failed}) {
    for (std::size_t at = 1; at <= 12; ++at) {
      Site site;
      const std::string session = site.begin();
      HttpClient client = site.connect();
      client.connection().wire.write_limit = 60;
      client.connection().wire.write_fault = {at, status};
      client.send(post(count_to(1), session));
      site.pass(500);
      EXPECT_EQ(client.connection().closed(), client.connection().wire.writes() >= at);
      HttpClient other = site.connect();
      EXPECT_EQ(site.ask(other, post(ping(), session)).body, pong());
    }
  }
}

TEST(HttpTransport, SurvivesAFailureOfEveryRead) {
  for (const mcp::IoStatus status : {mcp::IoStatus::closed, mcp::IoStatus::failed}) {
    for (std::size_t at = 1; at <= 6; ++at) {
      Site site;
      const std::string session = site.begin();
      HttpClient client = site.connect();
      client.connection().wire.read_fault = {at, status};
      const std::string request = post(count_to(1), session);
      client.send(request.substr(0, 100));
      client.send(request.substr(100, 200));
      client.send(request.substr(300));
      site.pass(500);
      EXPECT_EQ(client.connection().closed(), client.connection().wire.reads() >= at);
      HttpClient other = site.connect();
      EXPECT_EQ(site.ask(other, post(ping(), session)).body, pong());
    }
  }
}

// ---- A call that ends its connection -----------------------------------------------------------------------------

// Ends the connection of its client for 200 ms, and completes after 500 ms.
struct SendsAway {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (slept || context.stop_requested()) return context.done(context.result().text("back"));
    slept = true;
    context.reconnect(200);
    return context.sleep(500);
  }
};
// Ends the connection for longer than the field can express, so the client gets the maximum.
struct SendsAwayForLong {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (slept || context.stop_requested()) return context.done(context.result().text("back"));
    slept = true;
    context.reconnect(100'000);
    return context.sleep(500);
  }
};
constexpr mcp::Tool away_tools[] = {mcp::job<SendsAway>({.name = "sends_away"}),
                                    mcp::job<SendsAwayForLong>({.name = "for_long"})};
constexpr mcp::Definition away{.name = "away", .version = "1", .tools = away_tools};
constexpr std::string_view is_back = R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"back"}]}})";

// A server may close the connection after an event with an id, and sends the time after which the client resumes.
// Source: basic/transports#sending-messages-to-the-server, 2025-11-25.
TEST(HttpTransport, DisconnectedClientGetsItsResponseLater) {
  for (const bool chunks : {true, false}) {
    Site site(away);
    const std::string session = site.begin();
    HttpClient client = site.connect();
    const std::string request = post(call("sends_away"), session);
    EXPECT_TRUE(site.ask(client, chunks ? request : with(request, "HTTP/1.1", "HTTP/1.0")).streams);
    const std::vector<HttpEvent> events = client.events();
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[1].retry, "200");
    EXPECT_TRUE(client.ended());
    EXPECT_TRUE(client.connection().closed());
    site.pass(200);
    HttpClient again = site.listen(session, "Last-Event-ID: " + events[0].id + "\r\n");
    EXPECT_EQ(again.events().size(), 0U);
    site.pass(300);
    EXPECT_EQ(data_of(again.events()), Texts{std::string(is_back)});
    EXPECT_TRUE(again.ended());
  }
}

// Before 2025-11-25, the response comes before the end of its stream, and clients have no id to resume with.
TEST(HttpTransport, EarlierRevisionsGetTheResponseOnTheStreamOfTheCall) {
  for (const std::string_view version : {"2025-06-18", "2025-03-26"}) {
    Site site(away);
    HttpClient first = site.connect();
    const std::string session = site.begin(first, version);
    HttpClient client = site.connect();
    EXPECT_TRUE(site.ask(client, post(call("sends_away"), session)).streams);
    site.pass(499);
    EXPECT_EQ(client.events().size(), 0U);
    EXPECT_FALSE(client.ended());
    site.pass(1);
    EXPECT_EQ(data_of(client.events()), Texts{std::string(is_back)}) << version;
    EXPECT_TRUE(client.ended());
  }
}

TEST(HttpTransport, DisconnectClientKeepsAConnectionThatTheCallNeeds) {
  Site<mcp::HttpLimits{.connections = 3, .head_size = 512, .detached = 0, .replay_size = 2048}> site(away);
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(call("sends_away"), session)).streams);
  EXPECT_FALSE(client.ended());
  site.pass(500);
  const std::vector<HttpEvent> events = client.events();
  EXPECT_EQ(data_of(events), (Texts{"", std::string(is_back)}));
  for (const HttpEvent& event : events) EXPECT_EQ(event.retry, "");
  EXPECT_TRUE(client.ended());
}

TEST(HttpTransport, LimitsTheRetryTimeTo65535Ms) {
  Site site(away);
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(call("for_long"), session)).streams);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[1].retry, "65535");
  site.pass(500);
}

// Each of two calls ends only its own connection, with its own retry time.
TEST(HttpTransport, EachCallDisconnectsOnlyItsOwnClient) {
  Site site(away);
  const std::string session = site.begin();
  HttpClient first = site.connect();
  HttpClient second = site.connect();
  first.send(post(call("sends_away", 1), session));
  second.send(post(call("for_long", 2), session));
  site.run();
  EXPECT_TRUE(first.response().streams);
  EXPECT_TRUE(second.response().streams);
  EXPECT_EQ(first.events().back().retry, "200");
  EXPECT_EQ(second.events().back().retry, "65535");
  site.pass(500);
}

// The connection breaks while the server ends it. The call loses no event.
TEST(HttpTransport, CallSurvivesAConnectionLostDuringItsDisconnect) {
  for (std::size_t at = 2; at <= 8; ++at) {
    Site site(away);
    const std::string session = site.begin();
    HttpClient client = site.connect();
    client.connection().wire.write_limit = 80;
    client.connection().wire.write_fault = {at, mcp::IoStatus::failed};
    client.send(post(call("sends_away"), session));
    site.pass(500);
    EXPECT_TRUE(client.connection().closed());
    HttpClient again = site.listen(session, "Last-Event-ID: 1-0\r\n");
    EXPECT_EQ(data_of(again.events()), Texts{std::string(is_back)}) << at;
  }
}

// The server closes the connection of a client that reads no more.
TEST(HttpTransport, ClosesADisconnectedClientThatTakesNothing) {
  Site site(away);
  const std::string session = site.begin();
  HttpClient client = site.connect();
  client.connection().wire.write_fault = {2, mcp::IoStatus::would_block, true};
  client.send(post(call("sends_away"), session));
  site.pass(500);
  EXPECT_FALSE(client.connection().closed());
  site.pass(usual.idle_timeout_ms);
  EXPECT_TRUE(client.connection().closed());
  HttpClient again = site.listen(session, "Last-Event-ID: 1-0\r\n");
  EXPECT_EQ(data_of(again.events()), Texts{std::string(is_back)});
}

// ---- One era -----------------------------------------------------------------------------------------------------

constexpr mcp::Definition sessions_alone{
    .name = "sessions", .version = "1", .eras = mcp::legacy_era, .tools = away_tools, .logging = true};

// A server of the legacy era alone requires a session for each request. 2026-07-28 is an unsupported version.
TEST(HttpTransport, LegacyEraAloneRejectsStatelessRequests) {
  Site site(sessions_alone);
  HttpClient client = site.connect();
  const std::string session = site.begin(client);
  EXPECT_EQ(site.ask(client, post(ping(), session)).body, pong());
  EXPECT_EQ(site.ask(client, post(ping(), session + "MCP-Protocol-Version: 2025-11-25\r\n")).body, pong());
  HttpClient newer = site.connect();
  expect_rejection(site.ask(newer, post(ping(), session + "MCP-Protocol-Version: 2026-07-28\r\n")), 400);
  for (const std::string_view body :
       {R"({"jsonrpc":"2.0","id":1,"method":"ping"})", R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"}) {
    const HttpResponse response = site.ask(client, post(body));
    expect_rejection(response, 400, R"("id":1,)");
    EXPECT_NE(response.body.find("send initialize first"), std::string::npos);
  }
  expect_rejection(site.ask(client, post(initialized)), 400);
  HttpClient lost = site.connect();
  expect_rejection(site.ask(lost, post(ping(), "MCP-Session-Id: 0123\r\n")), 404);
  // The server ignores a protocol version in the body.
  HttpClient other = site.connect();
  std::string claimed = initialize();
  claimed.insert(claimed.size() - 2, R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})");
  EXPECT_NE(site.ask(other, post(claimed)).header("mcp-session-id"), "(none)");
}

// ---- Replays of lost streams -------------------------------------------------------------------------------------

// The server replays an ended call for each request, also after a client has left within the replay.
TEST(HttpTransport, ReplaysAgainAfterALostReplay) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(2), session)).streams);
  site.pass(200);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 4U);
  client.leave();
  site.run();
  for (std::size_t at = 1; at <= 6; ++at) {
    HttpClient again = site.connect();
    again.connection().wire.write_limit = 60;
    again.connection().wire.write_fault = {at, mcp::IoStatus::failed};
    again.send(get(session + "Last-Event-ID: " + events[0].id + "\r\n"));
    site.run();
    EXPECT_TRUE(again.connection().closed());
    EXPECT_EQ(site.links_in_use(), 0U);
  }
  HttpClient last = site.listen(session, "Last-Event-ID: " + events[0].id + "\r\n");
  EXPECT_EQ(data_of(last.events()), (Texts{counting(0, 2), counting(1, 2), counted(2)}));
}

// A second client resumes an ended call during the replay to the first client.
TEST(HttpTransport, ReplaysTheSameEventsToTwoClients) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, post(count_to(2), session)).streams);
  site.pass(200);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 4U);
  const std::string request = get(session + "Last-Event-ID: " + events[1].id + "\r\n");
  HttpClient slow = site.connect();
  slow.connection().wire.write_fault = {2, mcp::IoStatus::would_block, true};
  slow.send(request);
  site.run();
  HttpClient quick = site.connect();
  EXPECT_TRUE(site.ask(quick, request).streams);
  EXPECT_EQ(data_of(quick.events()), (Texts{counting(1, 2), counted(2)}));
  slow.connection().wire.write_fault = {};
  site.run();
  EXPECT_TRUE(slow.response().streams);
  EXPECT_EQ(data_of(slow.events()), (Texts{counting(1, 2), counted(2)}));
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

// Two input responses arrive at once, each for the stream of its own call, while neither stream accepts a byte.
TEST(HttpTransport, ResponsesForTwoStreamsWaitForTheirOwnStream) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  HttpClient first = site.connect();
  HttpClient second = site.connect();
  EXPECT_TRUE(site.ask(first, post(call("hand", 4), session)).streams);
  EXPECT_TRUE(site.ask(second, post(call("hand", 5), session)).streams);
  EXPECT_EQ(first.events().size(), 2U);
  EXPECT_EQ(second.events().size(), 2U);
  for (HttpClient* const client : {&first, &second}) {
    client->connection().wire.write_fault = {1, mcp::IoStatus::would_block, true};
  }
  HttpClient other = site.connect();
  HttpClient another = site.connect();
  EXPECT_EQ(site.ask(other, post(decline(1), session)).status, 202);
  EXPECT_EQ(site.ask(another, post(decline(2), session)).status, 202);
  first.connection().wire.write_fault = {};
  second.connection().wire.write_fault = {};
  site.run();
  EXPECT_NE(data_of(first.events()).back().find("declined"), std::string::npos);
  EXPECT_NE(data_of(second.events()).back().find("declined"), std::string::npos);
  EXPECT_TRUE(first.ended());
  EXPECT_TRUE(second.ended());
}

// Output that waits for one stream delays no other stream.
TEST(HttpTransport, PendingResponseDelaysNoOtherStream) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  HttpClient blocked = site.connect();
  HttpClient other = site.connect();
  blocked.connection().wire.write_fault = {2, mcp::IoStatus::would_block, true};  // the input request
  blocked.send(post(call("hand", 4), session));
  site.run();
  EXPECT_TRUE(site.ask(other, post(call("hand", 5), session)).streams);
  EXPECT_EQ(other.events().size(), 2U);
  HttpClient answers = site.connect();
  HttpClient more = site.connect();
  EXPECT_EQ(site.ask(answers, post(decline(1), session)).status, 202);
  EXPECT_EQ(site.ask(more, post(decline(2), session)).status, 202);
  EXPECT_NE(data_of(other.events()).back().find("declined"), std::string::npos);
  EXPECT_TRUE(other.ended());
  blocked.connection().wire.write_fault = {};
  site.run();
  EXPECT_TRUE(blocked.response().streams);
  EXPECT_NE(data_of(blocked.events()).back().find("declined"), std::string::npos);
}

// A client that reads its replay slowly gets the number of events lost meanwhile, and the other events in order.
TEST(HttpTransport, SlowReplayReportsLostEvents) {
  constexpr mcp::HttpLimits small{.connections = 3, .head_size = 512, .replay_size = 450};
  Site<small> site;
  HttpClient slow = resume_slowly(site, 9, 2, 6);
  int last = 0;
  int lost = 0;
  int got = 0;
  for (const HttpEvent& event : slow.events()) {
    if (!event.data) {
      lost += std::atoi(event.comment.c_str());
      continue;
    }
    const int number = std::atoi(event.id.c_str() + event.id.find('-') + 1);
    EXPECT_GT(number, last);
    last = number;
    ++got;
  }
  EXPECT_GT(lost, 0);
  EXPECT_EQ(got + lost, 9);  // of eleven events, two of which arrived before
  EXPECT_TRUE(slow.ended());
}

TEST(HttpTransportDeathTest, RejectsAnAuthorizerThatIsSetLater) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  using Storage = mcp::HttpStorage<test::shape<512>, usual>;
  const std::unique_ptr<Storage> storage(new Storage());
  test::Bench bench(test::features, {.transmit_size = 512, .sessions = 2});
  test::FakeListener listener;
  constexpr std::string_view tokens[] = {"secret"};
  mcp::StaticTokens access(tokens);
  mcp::HttpOptions options{};
  mcp::HttpTransport transport(bench.server, listener, bench.entropy, *storage, options);
  options.authorizer = &access;
  EXPECT_DEATH(static_cast<void>(transport.poll(0)), "contract");
}

TEST(HttpSessions, AreTheSameWithTheSameSlotAndSerialNumber) {
  constexpr mcp::SessionId session{1, 2, 3};
  EXPECT_TRUE(mcp::http::is_same(session, {1, 2, 3}));
  EXPECT_FALSE(mcp::http::is_same(session, {0, 2, 3}));
  EXPECT_FALSE(mcp::http::is_same(session, {1, 0, 3}));
  EXPECT_FALSE(mcp::http::is_same(session, {1, 2, 0}));
  EXPECT_TRUE(mcp::http::is_none({}));
  EXPECT_FALSE(mcp::http::is_none({1, 0, 0}));
  EXPECT_FALSE(mcp::http::is_none({0, 1, 0}));
  EXPECT_FALSE(mcp::http::is_none({0, 0, 1}));
}

}  // namespace
