// SPDX-License-Identifier: Apache-2.0
// Streams of stateless requests over HTTP: their end, their comments, input requests, streamed bodies, and clients
// that accept one type of content. Without sockets. The test sets the time.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/device.hpp"
#include "transports/http/stateless.hpp"

namespace {

using test::HttpClient;
using test::HttpEvent;
using test::HttpResponse;
using namespace test::stateless;

// ---- Streams -----------------------------------------------------------------------------------------------------

TEST(HttpStateless, StreamHasNoIdsAndCannotBeResumed) {
  StatelessSite site;
  HttpClient client = site.connect();
  const HttpResponse response = site.ask(client, count_to(2));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.header("content-type"), "text/event-stream");
  EXPECT_EQ(response.header("x-accel-buffering"), "no");
  EXPECT_EQ(response.header("mcp-session-id"), "(none)");
  site.pass(300);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 3U);  // without an empty first event
  for (const HttpEvent& event : events) {
    EXPECT_EQ(event.id + event.retry + event.comment + event.type, "");
    EXPECT_TRUE(event.data && !event.data->empty());
  }
  EXPECT_NE(events[0].data->find("notifications/progress"), std::string::npos);
  EXPECT_NE(events[2].data->find(R"("id":1,"result":)"), std::string::npos);
  EXPECT_NE(events[2].data->find("counted to 2"), std::string::npos);
  EXPECT_TRUE(client.ended());
  EXPECT_FALSE(client.connection().closed());  // it stays open for the next request
  EXPECT_EQ(site.ask(client, call("hello")).status, 200);
}

TEST(HttpStateless, ClosingTheConnectionCancelsItsCall) {
  StatelessSite site;
  HttpClient client = site.connect();
  HttpClient other = site.connect();
  EXPECT_TRUE(site.ask(client, count_to(9)).streams);
  EXPECT_TRUE(site.ask(other, count_to(3)).streams);
  site.pass(100);
  EXPECT_EQ(site.jobs_in_use(), 2U);
  client.leave();
  site.run();
  EXPECT_EQ(stateless_ended, 1);
  EXPECT_EQ(site.jobs_in_use(), 1U);
  EXPECT_TRUE(client.connection().closed());
  site.pass(300);
  EXPECT_EQ(stateless_ended, 1);  // the call of the other client continues
  EXPECT_TRUE(other.ended() || !other.events().empty());
  EXPECT_EQ(site.jobs_in_use(), 0U);
}

TEST(HttpStateless, FailedConnectionCancelsItsCall) {
  StatelessSite site;
  HttpClient client = site.connect();
  client.connection().wire.write_fault = {3, mcp::IoStatus::failed};
  client.send(count_to(9));
  site.pass(500);
  EXPECT_EQ(stateless_ended, 1);
  EXPECT_EQ(site.jobs_in_use(), 0U);
}

TEST(HttpStateless, OtherClientsCannotCancelACall) {
  StatelessSite site;
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, count_to(2)).streams);
  HttpClient listens = site.connect();
  EXPECT_TRUE(site.ask(listens, listen("1")).streams);
  EXPECT_EQ(
      site.ask(http_post(modern, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"))
          .status,
      202);
  site.pass(300);
  EXPECT_EQ(stateless_ended, 0);
  EXPECT_EQ(client.events().size(), 3U);
  site.bench.server.resource_updated(stateless_resources[0]);
  site.run();
  EXPECT_EQ(listens.events().size(), 2U);
}

// The server notices the end also if the request has filled its buffer for heads, alone or with the next request.
TEST(HttpStateless, EndOfAStreamIsNoticedAfterALongRequest) {
  const std::string usual = listen();
  const std::size_t head_size = usual.find("\r\n\r\n") + 4;
  for (const std::size_t size : {stateless_limits.head_size - 100, stateless_limits.head_size}) {
    SCOPED_TRACE(size);
    StatelessSite site;
    HttpClient client = site.connect();
    std::string long_request = usual;
    long_request.insert(head_size - 2, "X: " + std::string(size - head_size - 5, 'x') + "\r\n");
    EXPECT_TRUE(site.ask(client, long_request).streams);
    site.run();
    client.leave();
    site.run();
    EXPECT_EQ(site.links_in_use(), 0U);
  }
}

// A subscription never ends by itself and cannot be resumed, so one connection stays free for requests.
TEST(HttpStateless, SubscriptionsDoNotTakeTheLastConnection) {
  test::HttpSite<mcp::HttpLimits{.connections = 3, .head_size = 768}, stateless_transmit_size> site(
      both_eras, {.receive_size = 1024, .sessions = 2, .jobs = 3, .job = 256, .subscriptions = 4}, open_to_all);
  HttpClient first = site.connect();
  HttpClient second = site.connect();
  EXPECT_TRUE(site.ask(first, listen("1")).streams);
  EXPECT_TRUE(site.ask(second, listen("2")).streams);
  const HttpResponse response = [&] {
    HttpClient third = site.connect();
    const HttpResponse refused = site.ask(third, listen("3"));
    third.leave();
    site.run();
    return refused;
  }();
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(response.header("retry-after"), "1");
  HttpClient third = site.connect();
  EXPECT_EQ(site.ask(third, call("hello")).status, 200);
  // A call may use this connection, because it ends.
  EXPECT_TRUE(site.ask(third, count_to(1)).streams);
  site.pass(200);
  EXPECT_TRUE(third.events().size() > 1);
  // The rejected subscription leaves no state.
  second.leave();
  site.run();
  EXPECT_TRUE(site.ask(third, listen("3")).streams);
}

// Calls of sessions that end with their connections count as well.
TEST(HttpStateless, SubscriptionsAndCallsDoNotTakeTheLastConnection) {
  constexpr mcp::HttpLimits limits{.connections = 3, .head_size = 768, .detached = 0, .replay_size = 1024};
  test::HttpSite<limits, stateless_transmit_size> site(
      both_eras, {.receive_size = 1024, .sessions = 2, .jobs = 3, .job = 256, .subscriptions = 4}, open_to_all);
  HttpClient caller = site.connect();
  const HttpResponse begun = site.ask(caller, http_post("", initialize_body));
  const std::string session = header("MCP-Session-Id", begun.header("mcp-session-id"));
  EXPECT_EQ(site.ask(caller, http_post(session, initialized_body)).status, 202);
  constexpr std::string_view silence = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"silence"}})";
  EXPECT_TRUE(site.ask(caller, http_post(session, silence)).streams);
  HttpClient first = site.connect();
  EXPECT_TRUE(site.ask(first, listen("1")).streams);
  HttpClient second = site.connect();
  EXPECT_EQ(site.ask(second, listen("2")).status, 503);
}

TEST(HttpStateless, SubscriptionEndsWithItsConnection) {
  StatelessSite site;
  HttpClient client = site.connect();
  HttpClient other = site.connect();
  EXPECT_TRUE(site.ask(client, listen("7")).streams);
  EXPECT_TRUE(site.ask(other, listen("\"7\"")).streams);
  site.bench.server.set_enabled(stateless_tools[4], false);
  site.run();
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].id + events[0].retry + events[0].type, "");
  EXPECT_EQ(*events[0].data, R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{)"
                             R"("notifications":{"toolsListChanged":true,"resourceSubscriptions":["test://here"]},)"
                             R"("_meta":{"io.modelcontextprotocol/subscriptionId":7}}})");
  EXPECT_NE(events[1].data->find("notifications/tools/list_changed"), std::string::npos);
  EXPECT_NE(other.events()[0].data->find(R"("io.modelcontextprotocol/subscriptionId":"7")"), std::string::npos);

  // Both slots are in use.
  const HttpResponse full = site.ask(listen("8"));
  EXPECT_EQ(full.status, 200);
  EXPECT_EQ(code_of(full), -32603);

  client.leave();
  site.run();
  EXPECT_TRUE(client.connection().closed());
  HttpClient next = site.connect();
  EXPECT_TRUE(site.ask(next, listen("8")).streams);
  site.bench.server.resource_updated(stateless_resources[0]);
  site.run();
  EXPECT_EQ(next.events().size(), 2U);
  EXPECT_EQ(other.events().size(), 1U);

  // The server ends the subscriptions with a response and the end of the stream.
  site.bench.server.end_subscriptions();
  site.run();
  const std::vector<HttpEvent> last = next.events();
  ASSERT_EQ(last.size(), 1U);
  EXPECT_NE(last[0].data->find(R"("id":8,"result":{)"), std::string::npos) << *last[0].data;
  EXPECT_NE(last[0].data->find(R"("io.modelcontextprotocol/subscriptionId":8)"), std::string::npos) << *last[0].data;
  EXPECT_TRUE(next.ended());
  EXPECT_EQ(site.ask(next, call("hello")).status, 200);
}

constexpr std::string_view silent_comment = "3\r\n:\n\n\r\n";  // as a chunk

TEST(HttpStateless, SendsCommentsOnASilentStream) {
  StatelessSite site;
  HttpClient listens = site.connect();
  HttpClient waits = site.connect();
  EXPECT_TRUE(site.ask(listens, listen()).streams);
  EXPECT_TRUE(site.ask(waits, call("silence")).streams);
  EXPECT_EQ(listens.events().size(), 1U);
  site.pass(14'999);
  EXPECT_TRUE(listens.idle());
  EXPECT_TRUE(waits.idle());
  site.pass(1);
  EXPECT_EQ(listens.connection().wire.take(), silent_comment);
  EXPECT_EQ(waits.connection().wire.take(), silent_comment);
  // A notification replaces the comment.
  site.pass(14'000);
  site.bench.server.resource_updated(stateless_resources[0]);
  site.pass(14'999);
  EXPECT_EQ(listens.connection().wire.take().find("\n:\n"), std::string::npos);
  site.pass(1);
  EXPECT_EQ(listens.connection().wire.take(), silent_comment);
  site.pass(30'000);
  EXPECT_NE(waits.connection().wire.take().find("slept"), std::string::npos);
}

TEST(HttpStateless, CommentDetectsALostConnection) {
  for (const mcp::IoStatus status : {mcp::IoStatus::failed, mcp::IoStatus::closed}) {
    StatelessSite site;
    HttpClient listens = site.connect();
    HttpClient waits = site.connect();
    EXPECT_TRUE(site.ask(listens, listen()).streams);
    EXPECT_TRUE(site.ask(waits, call("silence")).streams);
    for (HttpClient* client : {&listens, &waits}) {
      client->connection().wire.write_fault = {client->connection().wire.writes() + 1, status};
    }
    site.pass(15'000);
    EXPECT_TRUE(listens.connection().released());
    EXPECT_TRUE(waits.connection().released());
    EXPECT_EQ(stateless_ended, 1);
    EXPECT_FALSE(site.bench.anything_left());
  }
}

TEST(HttpStateless, ClosesAStreamThatTakesNoComment) {
  StatelessSite site;
  HttpClient waits = site.connect();
  EXPECT_TRUE(site.ask(waits, call("silence")).streams);
  waits.connection().wire.write_fault = {waits.connection().wire.writes() + 1, mcp::IoStatus::would_block, true};
  site.pass(15'000 + stateless_limits.idle_timeout_ms - 20'000);
  EXPECT_FALSE(waits.connection().released());
  EXPECT_EQ(stateless_ended, 0);
  site.pass(20'000);
  EXPECT_TRUE(waits.connection().released());
  EXPECT_FALSE(site.bench.anything_left());
}

// ---- Parallel requests -------------------------------------------------------------------------------------------

TEST(HttpStateless, ServesManyClientsWithTheSameId) {
  StatelessSite site;
  std::vector<HttpClient> clients;
  for (int i = 0; i < 6; ++i) clients.push_back(site.connect());
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(site.ask(clients[static_cast<std::size_t>(i)], count_to(i + 1)).streams);
  EXPECT_TRUE(site.ask(clients[3], listen("1")).streams);
  EXPECT_TRUE(site.ask(clients[4], listen("1")).streams);
  EXPECT_EQ(site.ask(clients[5], call("hello")).status, 200);

  // No slot is free for another call, which gets an error. The server serves the other calls.
  const HttpResponse full = site.ask(clients[5], count_to(1));
  EXPECT_EQ(full.status, 200);
  EXPECT_TRUE(code_of(full) == -32603 || has(full, R"("isError":true)")) << full.body;
  EXPECT_EQ(site.ask(clients[5], request("tools/list")).status, 200);
  site.pass(500);
  for (int i = 0; i < 3; ++i) {
    const std::vector<HttpEvent> events = clients[static_cast<std::size_t>(i)].events();
    ASSERT_EQ(events.size(), static_cast<std::size_t>(i + 2));
    EXPECT_NE(events.back().data->find("counted to " + std::to_string(i + 1)), std::string::npos);
  }
  EXPECT_TRUE(site.ask(clients[5], count_to(1)).streams);
  site.pass(200);
}

// ---- Input requests and their principals ---------------------------------------------------------------------------

std::string ask_request(std::string_view more_headers, std::string_view more_params = "") {
  return http_post(modern + header("Mcp-Method", "tools/call") + header("Mcp-Name", "ask") + std::string(more_headers),
                   body_of("tools/call", R"("name":"ask","arguments":{})" + std::string(more_params),
                           claim("2026-07-28", R"({"elicitation":{}})"), "2"));
}
// The params of the retry: input responses and request state.
std::string answered(const std::string& body) {
  constexpr std::string_view key = "\"requestState\":\"";
  const std::size_t at = body.find(key);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + key.size();
  return R"(,"inputResponses":{"who":{"action":"accept","content":{"name":"Ada"}}},"requestState":")" +
         body.substr(begin, body.find('"', begin) - begin) + "\"";
}

// The only message of the response, from JSON or from a stream.
std::string text_of(StatelessSite& site, const std::string& bytes, int status = 200) {
  HttpClient client = site.connect();
  const HttpResponse response = site.ask(client, bytes);
  EXPECT_EQ(response.status, status);
  std::string text = response.body;
  if (response.streams) {
    for (const HttpEvent& event : client.events()) text += event.data.value_or("");
  }
  client.leave();
  site.run();
  return text;
}

TEST(HttpStateless, InputRequestIsAResultAndReservesASlotForTheRetry) {
  StatelessSite site;
  const std::string asks = text_of(site, ask_request(""));
  EXPECT_NE(asks.find(R"("resultType":"input_required")"), std::string::npos) << asks;
  EXPECT_EQ(asks.find("ttlMs"), std::string::npos);
  EXPECT_EQ(site.jobs_in_use(), 1U);
  const std::string done = text_of(site, ask_request("", answered(asks)));
  EXPECT_NE(done.find("Hello Ada."), std::string::npos) << done;
  EXPECT_EQ(site.jobs_in_use(), 0U);
  // A client without the capability gets no input request.
  const std::string undeclared = site.ask(call("ask")).body;
  EXPECT_EQ(undeclared.find("inputRequests"), std::string::npos) << undeclared;
}

TEST(HttpStateless, RejectsTheStateOfAnotherPrincipal) {
  constexpr std::string_view tokens[] = {"first", "second"};
  mcp::StaticTokens authorizer(tokens);
  const mcp::HttpOptions options{.authorizer = &authorizer};
  StatelessSite site(both_eras, options);
  EXPECT_EQ(site.ask(ask_request("")).status, 401);
  const std::string first = "Authorization: Bearer first\r\n";
  const std::string asks = text_of(site, ask_request(first));
  const std::string again = answered(asks);
  ASSERT_NE(again, "");
  const std::string stolen = text_of(site, ask_request("Authorization: Bearer second\r\n", again));
  EXPECT_NE(stolen.find("\"code\":-32602"), std::string::npos) << stolen;
  std::string changed = again;
  char& digit = changed[changed.size() - 3];
  digit = digit == 'A' ? 'B' : 'A';
  const std::string tampered = text_of(site, ask_request(first, changed));
  EXPECT_NE(tampered.find("\"code\":-32602"), std::string::npos) << tampered;
  EXPECT_NE(text_of(site, ask_request(first, again)).find("Hello Ada."), std::string::npos);
}

// ---- Cut requests and slow readers -------------------------------------------------------------------------------

// All bytes that a client gets if the `cut`th byte of each request begins a new piece.
std::string converse_stateless(std::size_t cut, std::size_t write_limit, bool blocks, bool& cut_any) {
  StatelessSite site;
  HttpClient client = site.connect();
  client.connection().wire.write_limit = write_limit;
  client.connection().wire.blocks_every_second_write = blocks;
  std::string all;
  cut_any = false;
  const std::string requests[] = {request("server/discover"),
                                  call("routed", R"({"region":"here"})", "Mcp-Param-Region: =?base64?aGVyZQ==?=\r\n"),
                                  count_to(2),
                                  request("no/such"),
                                  ask_request(""),
                                  http_post(modern, R"({"jsonrpc":"2.0","method":"notifications/none"})"),
                                  call("hello", "{}", "MCP-Session-Id: none\r\n"),
                                  listen()};
  for (const std::string& bytes : requests) {
    cut_any = cut_any || cut < bytes.size();
    client.send(bytes.substr(0, cut));
    if (cut < bytes.size()) {
      site.run();
      client.send(bytes.substr(cut));
    }
    site.settle();
    for (int i = 0; i < 3; ++i) {
      site.pass(100);
      site.settle();
    }
    all += client.connection().wire.take();
  }
  site.bench.server.end_subscriptions();
  site.settle();
  return all + client.connection().wire.take();
}

TEST(HttpStateless, AcceptsRequestsCutAtEveryByte) {
  bool cut_any = false;
  const std::string whole = converse_stateless(std::string::npos, test::FakeStream::no_limit, false, cut_any);
  for (const std::string_view text : {"supportedVersions", "routed", "counted to 2", "404 Not Found", "input_required",
                                      "202 Accepted", "hello", "acknowledged", "0\r\n\r\n"}) {
    EXPECT_NE(whole.find(text), std::string::npos) << text;
  }
  cut_any = true;
  for (std::size_t cut = 1; cut_any && !HasFailure(); ++cut) {
    EXPECT_EQ(converse_stateless(cut, test::FakeStream::no_limit, false, cut_any), whole) << cut;
  }
}

TEST(HttpStateless, ServesSlowReaders) {
  bool cut_any = false;
  const std::string whole = converse_stateless(std::string::npos, test::FakeStream::no_limit, false, cut_any);
  for (const std::size_t limit : {1U, 2U, 3U, 7U, 64U, 1000U}) {
    EXPECT_EQ(converse_stateless(std::string::npos, limit, false, cut_any), whole) << limit;
    EXPECT_EQ(converse_stateless(std::string::npos, limit, true, cut_any), whole) << limit;
  }
}

TEST(HttpStateless, SurvivesAFailureOfEveryReadAndWrite) {
  for (const mcp::IoStatus status : {mcp::IoStatus::closed, mcp::IoStatus::failed}) {
    for (std::size_t at = 1; at <= 12; ++at) {
      for (const bool reads : {false, true}) {
        StatelessSite site;
        HttpClient client = site.connect();
        test::FakeStream& wire = client.connection().wire;
        wire.write_limit = 60;
        (reads ? wire.read_fault : wire.write_fault) = {at, status};
        const std::string bytes = count_to(1);
        client.send(bytes.substr(0, 100));
        client.send(bytes.substr(100, 200));
        client.send(bytes.substr(300));
        site.pass(500);
        const std::size_t calls = reads ? wire.reads() : wire.writes();
        EXPECT_EQ(client.connection().closed(), calls >= at);
        EXPECT_EQ(site.jobs_in_use(), 0U);
        EXPECT_EQ(site.ask(call("hello")).status, 200);
      }
    }
  }
}

// ---- Bodies that are streamed ------------------------------------------------------------------------------------

std::string read_body() { return request("resources/read", R"("uri":"stream:text")", "stream:text"); }

// The server cannot send a comment within a message, and a pause of the message is no silence of the client.
TEST(HttpStateless, SendsNoCommentWithinAPausedBody) {
  StatelessSite site(test::streams);
  EXPECT_TRUE(test::act(site.bench.server, "body_times 200 0123456789"));
  EXPECT_TRUE(test::act(site.bench.server, "busy 1500"));
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, read_body()).streams);
  site.pass(40'000);
  EXPECT_TRUE(client.events().empty());
  EXPECT_FALSE(client.connection().closed());
  EXPECT_TRUE(test::act(site.bench.server, "ready"));
  site.pass(100);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_NE(events[0].data->find("0123456789\""), std::string::npos);
  EXPECT_TRUE(client.ended());
}

// Only the end of the connection shows the client that the body is cut off.
TEST(HttpStateless, FailedBodyClosesTheConnection) {
  StatelessSite site(test::streams);
  EXPECT_TRUE(test::act(site.bench.server, "body_times 200 0123456789"));
  EXPECT_TRUE(test::act(site.bench.server, "fail 1500 unavailable"));
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, read_body()).streams);
  EXPECT_TRUE(client.events().empty());
  EXPECT_FALSE(client.ended());
  EXPECT_TRUE(client.connection().closed());
  EXPECT_FALSE(site.bench.anything_left());
}

// The server abandons a response that the client does not read.
TEST(HttpStateless, ClosesAConnectionThatTakesNoResponse) {
  StatelessSite site;
  HttpClient client = site.connect();
  client.connection().wire.write_fault = {1, mcp::IoStatus::would_block, true};
  client.send(call("hello"));
  site.run();
  EXPECT_FALSE(client.connection().closed());
  site.pass(stateless_limits.idle_timeout_ms);
  EXPECT_TRUE(client.connection().closed());
}

// A number that does not fit 64 bits is equal to no other number.
TEST(HttpStateless, RejectsHeadersWithTooLongNumbers) {
  StatelessSite site;
  for (const std::string_view number : {"99999999999999999999", "9223372036854775808", "-9223372036854775809"}) {
    EXPECT_EQ(code_of(site.ask(call("routed", R"({"level":5})", header("Mcp-Param-Level", number)))), -32020) << number;
    const std::string arguments = R"({"level":)" + std::string(number) + "}";
    EXPECT_EQ(code_of(site.ask(call("routed", arguments, "Mcp-Param-Level: 5\r\n"))), -32020) << number;
    EXPECT_EQ(site.ask(call("routed", arguments, header("Mcp-Param-Level", number))).status, 200) << number;
  }
}

// ---- Accept with one of the two types ------------------------------------------------------------------------------

std::string accepting(std::string_view type, std::string text) {
  constexpr std::string_view both = "application/json, text/event-stream";
  return text.replace(text.find(both), both.size(), type);
}

TEST(HttpStatelessAccept, JsonAloneGetsTheResponseWithoutNotifications) {
  StatelessSite site;
  HttpClient client = site.connect();
  const HttpResponse head = site.ask(client, accepting("application/json", count_to(2)));
  EXPECT_EQ(head.header("content-type"), "application/json");
  site.pass(300);
  const std::string body = client.text();
  EXPECT_EQ(body.find("progress"), std::string::npos) << body;
  EXPECT_NE(body.find("counted to 2"), std::string::npos) << body;
  EXPECT_TRUE(client.ended());
  // An error has its status, and the end of the connection cancels the call.
  EXPECT_EQ(site.ask(accepting("application/json", request("unknown/method"))).status, 404);
  EXPECT_EQ(site.ask(accepting("application/json", count_to(2))).status, 200);
  EXPECT_EQ(stateless_ended, 1);
}

TEST(HttpStatelessAccept, JsonAloneGetsInputRequestsInTheResponse) {
  StatelessSite site;
  HttpClient client = site.connect();
  const HttpResponse response = site.ask(client, accepting("application/json", ask_request("")));
  EXPECT_EQ(response.header("content-type"), "application/json");
  const std::string body = response.streams ? client.text() : response.body;
  EXPECT_NE(body.find(R"("resultType":"input_required")"), std::string::npos) << body;
  const HttpResponse retry = site.ask(client, accepting("application/json", ask_request("", answered(body))));
  EXPECT_NE((retry.streams ? client.text() : retry.body).find("Hello Ada."), std::string::npos);
}

TEST(HttpStatelessAccept, JsonAloneListensToNothing) {
  StatelessSite site;
  for (int i = 0; i < 3; ++i) {  // none takes a subscription
    const HttpResponse response = site.ask(accepting("application/json", listen()));
    EXPECT_EQ(response.status, 406);
    EXPECT_TRUE(has(response, "Accept must have text/event-stream.")) << response.body;
  }
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, accepting("text/event-stream", listen())).streams);
}

TEST(HttpStatelessAccept, EventsAloneGetAStream) {
  StatelessSite site;
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, accepting("text/event-stream", call("hello"))).streams);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_NE(events[0].data->find("hello"), std::string::npos);
  EXPECT_TRUE(client.ended());
  const HttpResponse wrong = site.ask(accepting("text/event-stream", request("unknown/method")));
  EXPECT_EQ(wrong.status, 404);
  EXPECT_EQ(code_of(wrong), -32601);
}

}  // namespace
