// SPDX-License-Identifier: Apache-2.0
// The HTTP+SSE transport of revision 2024-11-05 without sockets: bytes in, bytes out. The test sets the time.
#include "mcp/http_sse_2024.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/device.hpp"
#include "support/http_client.hpp"
#include "transports/http/site.hpp"

namespace {

using test::HttpClient;
using test::HttpEvent;
using test::HttpResponse;
using Texts = std::vector<std::string>;

constexpr mcp::HttpLimits sizes{.connections = 4, .head_size = 512, .replay_size = 2048};
constexpr std::size_t transmit_size = 512;
constexpr mcp::HttpSse2024 sse;

constexpr mcp::HttpOptions usual_options{.sse_2024 = &sse};

// One device on a network, with both transports. A session ends with its stream.
class OldSite : public test::HttpSite<sizes, transmit_size> {
 public:
  explicit OldSite(const mcp::Definition& definition = test::features, const mcp::HttpOptions& options = usual_options)
      : HttpSite(definition, {.receive_size = 1024, .sessions = 4, .jobs = 3, .job = 128}, options) {}

  // Opens a stream. `target` becomes the path and query for messages.
  HttpClient open(std::string& target, std::string_view request = {});
  // Opens a stream and initializes its session.
  HttpClient begin(std::string& target, std::string_view version = "2024-11-05");
  // Sends a message, which the server must accept.
  void tell(const std::string& target, std::string_view message);
  // Returns the status with which the server rejects the message.
  int refused(const std::string& target, std::string_view message);
};

constexpr std::string_view open_request =
    "GET /sse HTTP/1.1\r\nHost: localhost:8080\r\nAccept: text/event-stream\r\n\r\n";

std::string post_to(std::string_view target, std::string_view body, std::string_view more = "") {
  std::string text = "POST " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n";
  text.append("Content-Type: application/json\r\n").append(more);
  return text + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

std::string initialize(std::string_view version) {
  return R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" + std::string(version) +
         R"(","capabilities":{"elicitation":{},"sampling":{}},"clientInfo":{"name":"c","version":"0"}}})";
}
constexpr std::string_view initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
std::string ping(int id = 1) { return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"ping"})"; }
std::string pong(int id = 1) { return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":{}})"; }
std::string call(std::string_view tool, std::string_view arguments = "{}") {
  return R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":")" + std::string(tool) +
         R"(","arguments":)" + std::string(arguments) + R"(,"_meta":{"progressToken":"p"}}})";
}

// The messages that the client has received.
Texts messages(HttpClient& client) {
  Texts texts;
  for (const HttpEvent& event : client.events()) {
    if (!event.data && event.type.empty()) continue;  // the comment of a silent stream
    EXPECT_EQ(event.type, "message");
    EXPECT_EQ(event.id + event.retry + event.comment, "");
    texts.push_back(event.data.value_or("(none)"));
  }
  return texts;
}

HttpClient OldSite::open(std::string& target, std::string_view request) {
  HttpClient client = connect();
  EXPECT_TRUE(ask(client, request.empty() ? open_request : request).streams);
  const std::vector<HttpEvent> events = client.events();
  EXPECT_EQ(events.size(), 1U);
  if (events.empty()) return client;
  EXPECT_EQ(events[0].type, "endpoint");
  target = events[0].data.value_or("");
  return client;
}

void OldSite::tell(const std::string& target, std::string_view message) {
  HttpClient client = connect();
  const HttpResponse response = ask(client, post_to(target, message));
  EXPECT_EQ(response.status, 202) << message;
  EXPECT_EQ(response.header("content-length"), "0");
  EXPECT_EQ(response.header("mcp-session-id"), "(none)");
  client.leave();
  run();
}

int OldSite::refused(const std::string& target, std::string_view message) {
  HttpClient client = connect();
  const HttpResponse response = ask(client, post_to(target, message));
  EXPECT_EQ(response.header("mcp-session-id"), "(none)");
  EXPECT_NE(response.body.find("\"error\""), std::string::npos);
  client.leave();
  run();
  return response.status;
}

HttpClient OldSite::begin(std::string& target, std::string_view version) {
  HttpClient client = open(target);
  tell(target, initialize(version));
  const Texts answers = messages(client);
  EXPECT_EQ(answers.size(), 1U);
  if (!answers.empty()) {
    EXPECT_NE(answers[0].find("\"protocolVersion\":\"" + std::string(version)), std::string::npos) << answers[0];
  }
  tell(target, initialized);
  EXPECT_EQ(messages(client), Texts{});
  return client;
}

// ---- Streams and messages ----------------------------------------------------------------------------------------

// The response is an event of the stream, whatever the POST accepts.
TEST(HttpSse2024, PostMayAcceptJsonAlone) {
  OldSite site;
  std::string target;
  HttpClient client = site.begin(target);
  HttpClient other = site.connect();
  EXPECT_EQ(site.ask(other, post_to(target, ping(), "Accept: application/json\r\n")).status, 202);
  EXPECT_EQ(messages(client), Texts{pong()});
}

TEST(HttpSse2024, WritesTheStreamByteForByte) {
  OldSite site;
  HttpClient client = site.connect();
  client.send(open_request);
  site.run();
  constexpr std::string_view id = "000102030405060708090a0b0c0d0e0f";  // the entropy of the test counts
  EXPECT_EQ(client.connection().wire.take(),
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nX-Accel-Buffering: no\r\n"
            "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
            "4c\r\nevent: endpoint\ndata: /messages?sessionId=" +
                std::string(id) + "\n\n\r\n");
  HttpClient other = site.connect();
  other.send(post_to("/messages?sessionId=" + std::string(id), ping()));
  site.run();
  EXPECT_EQ(other.connection().wire.take(), "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(client.connection().wire.take(), "3b\r\nevent: message\ndata: " + pong() + "\n\n\r\n");
}

TEST(HttpSse2024, SendsAllMessagesOnTheStream) {
  OldSite site;
  std::string target;
  HttpClient stream = site.begin(target);
  site.tell(target, ping());
  EXPECT_EQ(messages(stream), Texts{pong()});
  site.tell(target, call("count", R"({"to":2})"));
  site.pass(300);
  EXPECT_EQ(messages(stream),
            (Texts{R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":0,)"
                   R"("total":2}})",
                   R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1,)"
                   R"("total":2}})",
                   R"({"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"counted to 2"}]}})"}));
  site.tell(target, R"({"jsonrpc":"2.0","id":5,"method":"logging/setLevel","params":{"level":"debug"}})");
  EXPECT_EQ(messages(stream).size(), 1U);
  EXPECT_TRUE(test::act(site.bench.server, "disable plain"));
  EXPECT_TRUE(test::act(site.bench.server, "log error valve It is stuck."));
  site.run();
  EXPECT_EQ(messages(stream).size(), 2U);
  // The ring stores none of these events, because HTTP+SSE has no resumption.
  EXPECT_EQ(site.storage().replay_state->count, 0U);
  EXPECT_FALSE(stream.ended());
}

TEST(HttpSse2024, AcceptsManyMessagesOnOneConnection) {
  OldSite site;
  std::string target;
  HttpClient stream = site.begin(target);
  HttpClient client = site.connect();
  Texts expected;
  std::string requests;
  for (int i = 0; i < 20; ++i) {
    requests += post_to(target, ping(i));
    expected.push_back(pong(i));
  }
  client.send(requests);
  site.run();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(client.response().status, 202);
  EXPECT_EQ(messages(stream), expected);
}

TEST(HttpSse2024, SendsInputRequestsAndAcceptsTheirResponses) {
  OldSite site(test::input_requests);
  std::string target;
  HttpClient stream = site.begin(target, "2025-06-18");
  site.tell(target, call("hand"));
  const Texts asked = messages(stream);
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_NE(asked[0].find("\"method\":\"elicitation/create\""), std::string::npos) << asked[0];
  site.tell(target, R"({"jsonrpc":"2.0","id":1000000001,"result":{"action":"accept","content":{"x":"a"}}})");
  EXPECT_EQ(messages(stream),
            Texts{R"({"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"{\"x\":\"a\"}"}]}})"});
}

TEST(HttpSse2024, TooLongResponseEndsItsInputRequest) {
  OldSite site(test::input_requests);
  std::string target;
  HttpClient stream = site.begin(target, "2025-06-18");
  site.tell(target, call("hand"));
  EXPECT_EQ(messages(stream).size(), 1U);
  const std::string filler(3'000, 'x');
  EXPECT_EQ(site.refused(target, R"({"jsonrpc":"2.0","id":1000000001,"result":{"action":")" + filler + "\"}}"), 413);
  EXPECT_EQ(messages(stream),
            Texts{R"({"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"too large 0"}]}})"});
}

TEST(HttpSse2024, SendsHttp10ClientsAStreamWithoutChunks) {
  OldSite site;
  std::string target;
  HttpClient stream = site.open(target, "GET /sse HTTP/1.0\r\nHost: localhost\r\n\r\n");  // also without Accept
  site.tell(target, ping());
  EXPECT_EQ(messages(stream), Texts{pong()});
  EXPECT_FALSE(stream.connection().closed());
}

TEST(HttpSse2024, SendsContinueToAClientThatExpectsIt) {
  OldSite site;
  std::string target;
  HttpClient stream = site.open(target);
  HttpClient client = site.connect();
  const std::string request = post_to(target, ping(), "Expect: 100-continue\r\n");
  EXPECT_EQ(site.ask(client, request.substr(0, request.size() - ping().size())).status, 100);
  EXPECT_EQ(site.ask(client, ping()).status, 202);
  EXPECT_EQ(messages(stream), Texts{pong()});
}

// ---- Sessions ----------------------------------------------------------------------------------------------------

TEST(HttpSse2024, SessionEndsWithItsStream) {
  OldSite site;
  std::string target;
  HttpClient stream = site.begin(target);
  site.tell(target, call("forever"));
  EXPECT_TRUE(site.bench.anything_left());
  stream.leave();
  site.run();
  EXPECT_EQ(site.bench.open_sessions(), 0U);
  EXPECT_FALSE(site.bench.anything_left());  // the job has had its last step
  EXPECT_EQ(site.refused(target, ping()), 404);
}

TEST(HttpSse2024, IdsDifferAndMustMatchCompletely) {
  OldSite site;
  std::string first;
  std::string second;
  HttpClient a = site.open(first);
  HttpClient b = site.open(second);
  EXPECT_NE(first, second);
  site.tell(first, ping(1));
  site.tell(second, ping(2));
  EXPECT_EQ(messages(a), Texts{pong(1)});
  EXPECT_EQ(messages(b), Texts{pong(2)});
  std::string other = first;
  other.back() = other.back() == '0' ? '1' : '0';
  for (const std::string& wrong : {std::string("/messages"), std::string("/messages?"),
                                   std::string("/messages?sessionId="), first.substr(0, first.size() - 1), first + "0",
                                   first + "&x=y", other, std::string("/messages?") + first.substr(20)}) {
    EXPECT_EQ(site.refused(wrong, ping()), 404) << wrong;
  }
  EXPECT_EQ(messages(a), Texts{});
}

TEST(HttpSse2024, SessionsOfTheTwoTransportsAreSeparate) {
  OldSite site;
  std::string target;
  HttpClient stream = site.begin(target);
  const std::string types = "Accept: application/json, text/event-stream\r\n";
  const std::string old_id = target.substr(target.find('=') + 1);
  // The path of Streamable HTTP does not accept the session of an HTTP+SSE client,
  EXPECT_EQ(site.refused("/messages?sessionId=" + old_id + "x", ping()), 404);
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, post_to("/mcp", ping(), types + "MCP-Session-Id: " + old_id + "\r\n")).status, 404);
  // and the path of HTTP+SSE does not accept a session of Streamable HTTP.
  HttpClient newer = site.connect();
  const std::string id = site.ask(newer, post_to("/mcp", initialize("2025-06-18"), types)).header("mcp-session-id");
  ASSERT_EQ(id.size(), 32U);
  EXPECT_EQ(site.refused("/messages?sessionId=" + id, ping()), 404);
  EXPECT_EQ(site.ask(newer, post_to("/mcp", ping(), types + "MCP-Session-Id: " + id + "\r\n")).body, pong());
  EXPECT_EQ(messages(stream), Texts{});
  EXPECT_EQ(site.ask(newer, "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMCP-Session-Id: " + id + "\r\n\r\n").status,
            200);
}

// A session has a stream until it ends, so it never ends for another one.
TEST(HttpSse2024, KeepsItsSessionWhileOthersWait) {
  test::HttpSite<mcp::HttpLimits{.connections = 6, .head_size = 512}, transmit_size> site(
      test::features, {.receive_size = 1024, .sessions = 3}, usual_options);
  HttpClient streams[] = {site.connect(), site.connect()};
  for (HttpClient& stream : streams) EXPECT_TRUE(site.ask(stream, open_request).streams);
  const std::string target = streams[0].events().at(0).data.value_or("");
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, post_to(target, initialize("2024-11-05"))).status, 202);
  EXPECT_EQ(messages(streams[0]).size(), 1U);
  for (int i = 0; i < 3; ++i) {
    HttpClient third = site.connect();
    const HttpResponse refused = site.ask(third, open_request);
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.header("retry-after"), "11") << "if a stream ends now";
    third.leave();
    site.pass(11'000);
  }
  EXPECT_EQ(site.ask(client, post_to(target, ping(3))).status, 202);
  EXPECT_EQ(messages(streams[0]), Texts{pong(3)});
  streams[0].leave();
  site.run();
  HttpClient third = site.connect();
  EXPECT_TRUE(site.ask(third, open_request).streams);
}

// An HTTP+SSE stream keeps its connection, and its client needs another connection for messages.
TEST(HttpSse2024, StreamsDoNotTakeTheLastConnection) {
  test::HttpSite<mcp::HttpLimits{.connections = 3, .head_size = 512}, transmit_size> site(
      test::features, {.receive_size = 1024, .sessions = 5}, usual_options);
  HttpClient first = site.connect();
  EXPECT_TRUE(site.ask(first, open_request).streams);
  HttpClient second = site.connect();
  EXPECT_TRUE(site.ask(second, open_request).streams);
  HttpClient third = site.connect();
  const HttpResponse response = site.ask(third, open_request);
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(response.header("retry-after"), "1");
  EXPECT_EQ(site.bench.open_sessions(), 2U);
  HttpClient poster = site.connect();
  EXPECT_EQ(site.ask(poster, post_to(first.events().at(0).data.value_or(""), initialize("2024-11-05"))).status, 202);
}

TEST(HttpSse2024, ClosesAnUnusedStream) {
  OldSite site;
  std::string idle;
  std::string used;
  HttpClient a = site.open(idle);
  HttpClient b = site.begin(used);
  site.pass(sizes.idle_timeout_ms - 1);
  EXPECT_FALSE(a.connection().closed());
  site.pass(1);
  EXPECT_TRUE(a.connection().closed());
  EXPECT_EQ(site.refused(idle, ping()), 404);
  site.pass(10 * sizes.idle_timeout_ms);
  site.tell(used, ping());
  EXPECT_EQ(messages(b), Texts{pong()});
}

TEST(HttpSse2024, WithoutEntropyStartsNoSession) {
  OldSite site;
  site.bench.entropy.fails = true;
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, open_request).status, 503);
  EXPECT_EQ(site.bench.open_sessions(), 0U);
}

TEST(HttpSse2024, IgnoresLastEventId) {
  OldSite site;
  std::string first;
  std::string second;
  HttpClient a = site.begin(first);
  HttpClient b = site.open(second, "GET /sse HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 1-1\r\n\r\n");
  EXPECT_NE(first, second);
  EXPECT_EQ(messages(b), Texts{});
}

// ---- Rejected requests --------------------------------------------------------------------------------------------

TEST(HttpSse2024, GetsNotFoundUnlessEnabled) {
  static constexpr mcp::HttpOptions without{};
  OldSite site(test::features, without);
  for (const std::string_view request : {open_request, std::string_view("POST /messages HTTP/1.1\r\nHost: localhost\r\n"
                                                                        "Content-Length: 0\r\n\r\n")}) {
    HttpClient client = site.connect();
    EXPECT_EQ(site.ask(client, request).status, 404);
  }
}

TEST(HttpSse2024, UsesThePathsOfTheApplication) {
  static constexpr mcp::HttpSse2024 elsewhere("/old/stream", "/old/say");
  static constexpr mcp::HttpOptions options{.sse_2024 = &elsewhere};
  OldSite site(test::features, options);
  std::string target;
  HttpClient stream = site.open(target, "GET /old/stream HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_TRUE(target.starts_with("/old/say?sessionId="));
  site.tell(target, ping());
  EXPECT_EQ(messages(stream), Texts{pong()});
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, open_request).status, 404);
}

TEST(HttpSse2024, AcceptsOnlyTheMethodsOfEachPath) {
  OldSite site;
  struct Row {
    std::string_view path;
    std::string_view methods;
    std::vector<std::string_view> refused;
  };
  for (const Row& row : {Row{"/sse", "GET, OPTIONS", {"POST", "DELETE", "PUT"}},
                         Row{"/messages", "POST, OPTIONS", {"GET", "DELETE", "PUT"}}}) {
    const std::string rest = " " + std::string(row.path) + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
    for (const std::string_view method : row.refused) {
      HttpClient client = site.connect();
      const HttpResponse response = site.ask(client, std::string(method) + rest);
      EXPECT_EQ(response.status, 405) << method << row.path;
      EXPECT_EQ(response.header("allow"), row.methods);
      client.leave();
      site.run();
    }
    HttpClient client = site.connect();
    const HttpResponse response = site.ask(client, "OPTIONS" + rest);
    EXPECT_EQ(response.status, 204);
    EXPECT_EQ(response.header("access-control-allow-methods"), row.methods);
    client.leave();
    site.run();
  }
}

TEST(HttpSse2024, ChecksHostsOriginsAndTokens) {
  static constexpr std::string_view known[] = {"secret"};
  mcp::StaticTokens tokens(known);
  const mcp::HttpOptions options{.authorizer = &tokens, .sse_2024 = &sse};
  OldSite site(test::features, options);
  const std::string token = "Authorization: Bearer secret\r\n";
  std::string target;
  HttpClient stream = site.open(target, "GET /sse HTTP/1.1\r\nHost: localhost\r\n" + token + "\r\n");
  struct Row {
    std::string headers;
    int status;
  };
  for (const Row& row :
       {Row{"Host: evil.example\r\n" + token, 403},
        Row{"Host: localhost\r\nOrigin: http://evil.example\r\n" + token, 403}, Row{"Host: localhost\r\n", 401},
        Row{"Host: localhost\r\nAuthorization: Bearer other\r\n", 401},
        Row{"Host: localhost\r\nMCP-Protocol-Version: 1999-01-01\r\n" + token, 400}}) {
    for (const std::string& line : {std::string("GET /sse"), "POST " + target}) {
      HttpClient client = site.connect();
      const HttpResponse response =
          site.ask(client, line + " HTTP/1.1\r\n" + row.headers + "Content-Length: 0\r\n\r\n");
      EXPECT_EQ(response.status, row.status) << line << row.headers;
      if (row.status == 401) {
        const bool had_token = row.headers.find("Bearer") != std::string::npos;
        EXPECT_EQ(response.header("www-authenticate"), had_token ? "Bearer error=\"invalid_token\"" : "Bearer");
      }
      client.leave();
      site.run();
    }
  }
  EXPECT_EQ(site.bench.open_sessions(), 1U);
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, post_to(target, ping(), token + "Origin: http://localhost\r\n")).status, 202);
  EXPECT_EQ(messages(stream), Texts{pong()});
}

// Origin may be at any position in the head. The page can read the response only with the header for it.
TEST(HttpSse2024, AllowsTheOriginOfAPage) {
  OldSite site;
  constexpr std::string_view origin = "Origin: http://localhost:3000\r\n";
  constexpr std::string_view rest = "Host: localhost:8080\r\nAccept: text/event-stream\r\n";
  for (const bool first : {true, false}) {
    HttpClient client = site.connect();
    std::string request = "GET /sse HTTP/1.1\r\n";
    request.append(first ? origin : rest).append(first ? rest : origin);
    EXPECT_EQ(site.ask(client, request + "\r\n").header("access-control-allow-origin"), "http://localhost:3000");
    client.leave();
    site.run();
  }
}

TEST(HttpSse2024, RejectsInvalidRequests) {
  OldSite site;
  std::string target;
  HttpClient stream = site.begin(target);
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, "GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n").status, 406);
  HttpClient text = site.connect();
  EXPECT_EQ(
      site.ask(text, "POST " + target +
                         " HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}")
          .status,
      415);
  HttpClient coded = site.connect();
  const HttpResponse refused = site.ask(coded, "POST " + target +
                                                   " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                                   "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}");
  EXPECT_EQ(refused.status, 415);
  EXPECT_EQ(refused.header("accept-encoding"), "identity");
  // An error without an id belongs to no pending request, so it is the response to the POST.
  EXPECT_EQ(site.refused(target, "{"), 400);
  EXPECT_EQ(site.refused(target, "[]"), 400);
  EXPECT_EQ(site.refused(target, "{}"), 400);
  EXPECT_EQ(site.refused(target, std::string(1025, ' ')), 413);
  EXPECT_EQ(messages(stream), Texts{});
  // Other errors are sent on the stream.
  site.tell(target, R"({"jsonrpc":"2.0","id":1,"method":"none"})");
  const Texts answers = messages(stream);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_NE(answers[0].find("-32601"), std::string::npos);
}

// ---- Slow readers, lost connections and cut requests -------------------------------------------------------------

TEST(HttpSse2024, ResponseWaitsForASlowStream) {
  OldSite site;
  std::string target;
  HttpClient stream = site.begin(target);
  test::FakeStream& wire = stream.connection().wire;
  wire.write_fault = {wire.writes() + 1, mcp::IoStatus::would_block, true};
  HttpClient client = site.connect();
  client.send(post_to(target, ping(1)) + post_to(target, ping(2)) + post_to(target, ping(3)));
  site.run();
  EXPECT_EQ(client.response().status, 202);
  EXPECT_EQ(client.response().status, 0);  // the server has not accepted the next message yet
  wire.write_fault = {};
  site.run();
  EXPECT_EQ(client.response().status, 202);
  EXPECT_EQ(client.response().status, 202);
  EXPECT_EQ(messages(stream), (Texts{pong(1), pong(2), pong(3)}));
}

// The client reads 55 bytes of its stream every 50 ms, above the minimum rate. Its messages must not keep all
// connections.
TEST(HttpSse2024, MessagesForASlowStreamDelayNoOtherClient) {
  OldSite site;
  std::string target;
  HttpClient stream = site.begin(target);
  test::FakeStream& wire = stream.connection().wire;
  wire.write_limit = 55;
  wire.write_fault = {.call = wire.writes() + 1, .forever = true};
  std::list<HttpClient> clients;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(site.connect(1));
    clients.back().send(post_to(target, R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"));
  }
  site.run();
  HttpClient other = site.connect(2);
  other.send(post_to("/messages?sessionId=0", ping()));
  mcp::Millis ms = 0;
  for (; ms < 20'000 && other.response().status == 0; ++ms) {
    if (ms % 50 == 0) wire.write_fault = {.call = wire.writes() + 2, .forever = true};
    site.pass(1);
  }
  EXPECT_LE(ms, 1'000U);
  wire.write_fault = {};
  wire.write_limit = test::FakeStream::no_limit;
}

// The server responds to the POST while its result, which may fill the transmit buffer, is still in the buffer.
TEST(HttpSse2024, SendsAResponseThatFillsTheTransmitBuffer) {
  OldSite site;
  std::string target;
  HttpClient stream = site.begin(target);
  std::size_t longest = 0;
  for (std::size_t size = 0; size <= transmit_size && longest < transmit_size; ++size) {
    const std::string what(size, 'w');
    site.tell(target,
              R"({"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"look","arguments":{"what":")" + what +
                  R"("}}})");
    const Texts answers = messages(stream);
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_TRUE(answers[0].starts_with(R"({"jsonrpc":"2.0","id":1,"result":{)")) << answers[0];
    EXPECT_NE(answers[0].find("\"Look at " + what + ".\""), std::string::npos) << answers[0];
    longest = answers[0].size();
  }
  EXPECT_EQ(longest, transmit_size);
}

TEST(HttpSse2024, ClosesAStalledStreamAndEndsItsSession) {
  OldSite site;
  std::string target;
  HttpClient stream = site.begin(target);
  test::FakeStream& wire = stream.connection().wire;
  wire.write_fault = {wire.writes() + 1, mcp::IoStatus::would_block, true};
  HttpClient client = site.connect();
  client.send(post_to(target, ping(1)) + post_to(target, ping(2)));
  site.pass(sizes.idle_timeout_ms);
  EXPECT_TRUE(stream.connection().closed());
  EXPECT_EQ(site.bench.open_sessions(), 0U);
  EXPECT_EQ(site.refused(target, ping()), 404);
}

// Output for a lost stream must not reach the next stream in its slot.
TEST(HttpSse2024, ResponseForALostStreamReachesNoOtherStream) {
  OldSite site;
  std::string target;
  HttpClient stream = site.begin(target);
  test::FakeStream& wire = stream.connection().wire;
  wire.write_fault = {wire.writes() + 1, mcp::IoStatus::would_block, true};
  HttpClient client = site.connect();
  client.send(post_to(target, ping(1)) + post_to(target, ping(2)));
  site.pass(sizes.idle_timeout_ms - 1);
  HttpClient next = site.connect();
  HttpClient another = site.connect();
  HttpClient last = site.connect();  // gets no slot before the stream has ended
  for (HttpClient* const opener : {&next, &another, &last}) opener->send(open_request);
  site.pass(1);
  EXPECT_TRUE(stream.connection().closed());
  for (HttpClient* const opener : {&next, &another, &last}) {
    EXPECT_TRUE(opener->response().streams);
    const std::vector<HttpEvent> events = opener->events();
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].type, "endpoint");
  }
}

TEST(HttpSse2024, SendsTheResponseAfterTheRequestConnectionClosed) {
  OldSite site;
  std::string target;
  HttpClient stream = site.begin(target);
  HttpClient client = site.connect();
  client.connection().wire.write_fault = {1, mcp::IoStatus::failed};
  client.send(post_to(target, ping()));
  site.run();
  EXPECT_TRUE(client.connection().closed());
  EXPECT_EQ(messages(stream), Texts{pong()});
}

TEST(HttpSse2024, IgnoresBytesAfterTheRequest) {
  OldSite site;
  std::string target;
  HttpClient stream = site.begin(target);
  stream.send(std::string(1000, 'x'));
  site.run();
  site.tell(target, ping());  // the session still has its id
  EXPECT_EQ(messages(stream), Texts{pong()});
}

std::string read_text() {
  return R"({"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"stream:text"}})";
}

TEST(HttpSse2024, MessagesWaitForABodyInProgress) {
  OldSite site(test::streams);
  std::string target;
  HttpClient stream = site.begin(target);
  EXPECT_TRUE(test::act(site.bench.server, "body_times 100 0123456789"));
  EXPECT_TRUE(test::act(site.bench.server, "busy 700"));
  site.tell(target, read_text());
  HttpClient client = site.connect();
  client.send(post_to(target, ping()));
  site.run();
  EXPECT_EQ(client.response().status, 0);
  EXPECT_EQ(messages(stream), Texts{});
  EXPECT_TRUE(test::act(site.bench.server, "ready"));
  site.pass(100);
  EXPECT_EQ(client.response().status, 202);
  const Texts texts = messages(stream);
  ASSERT_EQ(texts.size(), 2U);
  EXPECT_TRUE(texts[0].ends_with("0123456789\"}]}}"));
  EXPECT_EQ(texts[1], pong());
}

std::string long_response() {
  return R"({"jsonrpc":"2.0","result":{"x":")" + std::string(3'000, 'x') + R"("},"id":1000000001})";
}

// A response that is too long ends its elicitation. The next output comes after the body.
TEST(HttpSse2024, TooLongResponseWaitsForABodyInProgress) {
  OldSite site(test::input_requests_streams);
  std::string target;
  HttpClient stream = site.begin(target, "2025-11-25");
  EXPECT_TRUE(test::act(site.bench.server, "body_times 100 0123456789"));
  EXPECT_TRUE(test::act(site.bench.server, "busy 700"));
  site.tell(target, call("hand"));
  EXPECT_NE(messages(stream).at(0).find("elicitation/create"), std::string::npos);
  site.tell(target, read_text());
  HttpClient client = site.connect();
  EXPECT_EQ(site.ask(client, post_to(target, long_response())).status, 413);
  EXPECT_EQ(messages(stream), Texts{});
  EXPECT_TRUE(test::act(site.bench.server, "ready"));
  site.pass(100);
  const Texts texts = messages(stream);
  ASSERT_EQ(texts.size(), 2U);
  EXPECT_TRUE(texts[0].ends_with("0123456789\"}]}}"));
  EXPECT_NE(texts[1].find("too large"), std::string::npos) << texts[1];
}

// The session ends while its client sends a response that is too long.
TEST(HttpSse2024, TooLongResponseAfterItsSessionChangesNothing) {
  OldSite site(test::input_requests);
  std::string target;
  HttpClient stream = site.begin(target, "2025-11-25");
  site.tell(target, call("hand"));
  const std::string request = post_to(target, long_response());
  HttpClient client = site.connect();
  client.connection().stays = true;
  EXPECT_EQ(site.ask(client, request.substr(0, request.size() - 4)).status, 413);
  stream.leave();
  site.run();
  EXPECT_EQ(site.bench.open_sessions(), 0U);
  HttpClient next = site.begin(target, "2025-11-25");
  site.tell(target, call("hand"));
  EXPECT_NE(messages(next).at(0).find("elicitation/create"), std::string::npos);
  client.send(request.substr(request.size() - 4));
  site.run();
  EXPECT_EQ(messages(next), Texts{});
}

// The stream of an ended session still sends a part of a body. A message for that session does not wait for it.
TEST(HttpSse2024, MessageForAnEndedSessionDoesNotWait) {
  OldSite site(test::streams);
  std::string target;
  HttpClient stream = site.begin(target);
  EXPECT_TRUE(test::act(site.bench.server, "body_times 100 0123456789"));
  stream.connection().wire.write_fault = {stream.connection().wire.writes() + 1, mcp::IoStatus::would_block, true};
  site.tell(target, read_text());
  const std::string request = post_to(target, ping());
  HttpClient client = site.connect();
  client.send(request.substr(0, request.size() - 1));
  site.run();
  for (const mcp::http::SessionEntry& entry : site.storage().sessions)
    site.bench.server.close(entry.session, site.now());
  site.run();
  EXPECT_FALSE(stream.connection().closed());
  EXPECT_EQ(site.ask(client, "}").status, 404);
}

TEST(HttpSse2024, FailedBodyIsNoMessage) {
  OldSite site(test::streams);
  std::string target;
  HttpClient stream = site.begin(target);
  EXPECT_TRUE(test::act(site.bench.server, "body_times 100 0123456789"));
  EXPECT_TRUE(test::act(site.bench.server, "fail 700 unavailable"));
  site.tell(target, read_text());
  const Texts texts = messages(stream);
  ASSERT_EQ(texts.size(), 2U);
  EXPECT_TRUE(texts[0].ends_with("0123456789"));  // the JSON is not complete
  EXPECT_TRUE(texts[1].starts_with(R"({"jsonrpc":"2.0","id":5,"error":)")) << texts[1];
  site.tell(target, ping());
  EXPECT_EQ(messages(stream), Texts{pong()});
}

TEST(HttpSse2024, SurvivesAStreamLostWithinABody) {
  OldSite site(test::streams);
  std::string target;
  HttpClient stream = site.begin(target);
  EXPECT_TRUE(test::act(site.bench.server, "body_times 100 0123456789"));
  EXPECT_TRUE(test::act(site.bench.server, "busy 700"));
  site.tell(target, read_text());
  HttpClient client = site.connect();
  client.send(post_to(target, ping()));
  site.run();
  stream.leave();
  site.run();
  EXPECT_EQ(client.response().status, 404);
  EXPECT_EQ(site.bench.open_sessions(), 0U);
  EXPECT_FALSE(site.bench.anything_left());
}

// All bytes that both connections get if the `cut`th byte of each request begins a new piece.
std::string converse(std::size_t cut, std::size_t write_limit, bool blocks, bool& cut_any) {
  OldSite site;
  cut_any = false;
  HttpClient stream = site.connect();
  HttpClient client = site.connect();
  for (HttpClient* const one : {&stream, &client}) {
    one->connection().wire.write_limit = write_limit;
    one->connection().wire.blocks_every_second_write = blocks;
  }
  std::string all;
  std::string answers;
  const auto exchange = [&](HttpClient& by, const std::string& request) {
    cut_any = cut_any || cut < request.size();
    by.send(request.substr(0, cut));
    site.run();
    if (cut < request.size()) by.send(request.substr(cut));
    for (int i = 0; i < 1000 && !(i > 5 && site.run() > 100); ++i) site.run();
    site.pass(300);
    for (int i = 0; i < 1000; ++i) site.run();
    all += stream.connection().wire.take();
    answers += client.connection().wire.take();
  };
  exchange(stream, std::string(open_request));
  const std::size_t at = all.find("/messages?");
  if (at == std::string::npos) return all;
  const std::string target = all.substr(at, all.find('\n', at) - at);
  exchange(client, post_to(target, initialize("2024-11-05")));
  exchange(client, post_to(target, initialized));
  exchange(client, post_to(target, call("count", R"({"to":2})")));
  exchange(client, post_to(target, ping()));
  return all + answers;
}

TEST(HttpSse2024, ServesCutRequestsAndSlowReaders) {
  bool cut_any = false;
  const std::string whole = converse(std::string::npos, test::FakeStream::no_limit, false, cut_any);
  EXPECT_NE(whole.find(pong()), std::string::npos);
  cut_any = true;
  for (std::size_t cut = 1; cut_any && !HasFailure(); ++cut) {
    EXPECT_EQ(converse(cut, test::FakeStream::no_limit, false, cut_any), whole) << cut;
  }
  for (const std::size_t limit : {1U, 7U, 64U}) {
    EXPECT_EQ(converse(std::string::npos, limit, false, cut_any), whole) << limit;
    EXPECT_EQ(converse(std::string::npos, limit, true, cut_any), whole) << limit;
  }
}

TEST(HttpSse2024, SurvivesAFailureOfEveryReadAndWrite) {
  for (const mcp::IoStatus status : {mcp::IoStatus::closed, mcp::IoStatus::failed}) {
    for (std::size_t at = 1; at <= 12; ++at) {
      for (const bool reads : {false, true}) {
        OldSite site;
        HttpClient stream = site.connect();
        test::FakeStream& wire = stream.connection().wire;
        wire.write_limit = 100;
        (reads ? wire.read_fault : wire.write_fault) = {at, status};
        stream.send(open_request);
        site.run();
        const std::string got = wire.take();
        const std::size_t found = got.find("/messages?");
        if (const std::size_t end = got.find('\n', found); found != std::string::npos && end != std::string::npos) {
          HttpClient client = site.connect();
          client.send(post_to(got.substr(found, end - found), ping()));
          site.run();
        }
        site.run();
        const std::size_t calls = reads ? wire.reads() : wire.writes();
        EXPECT_EQ(stream.connection().closed(), calls >= at);
        EXPECT_EQ(site.bench.open_sessions(), stream.connection().closed() ? 0U : 1U);
      }
    }
  }
}

// ---- Paths and assertions ----------------------------------------------------------------------------------------

// An application may choose the paths at run time.
TEST(HttpSse2024, AcceptsPathsMadeAtRunTime) {
  const std::string stream_path = "/old/" + std::to_string(1);
  const std::string message_path = "/old/" + std::to_string(2);
  const mcp::HttpSse2024 chosen(stream_path, message_path);
  const mcp::HttpOptions options{.sse_2024 = &chosen};
  OldSite site(test::features, options);
  std::string target;
  HttpClient client = site.open(target, "GET /old/1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(target.substr(0, 7), "/old/2?");
  site.tell(target, initialize("2024-11-05"));
  EXPECT_EQ(messages(client).size(), 1U);
  HttpClient usual = site.connect();
  EXPECT_EQ(site.ask(usual, open_request).status, 404);
}

// The transmit buffer must fit the first event. The transport must have as many session slots as the server.
TEST(HttpSse2024DeathTest, AbortsForInconsistentLimits) {
  class NarrowSite : public test::HttpSite<sizes, 40> {
   public:
    NarrowSite() : HttpSite(test::features, {.sessions = 3}, usual_options) {}
  };
  EXPECT_DEATH(
      {
        NarrowSite site;
        HttpClient client = site.connect();
        client.send(open_request);
        site.run();
      },
      "contract");
  static constexpr mcp::HttpLimits one{.connections = 4, .head_size = 512};
  class FewSite : public test::HttpSite<one, transmit_size, 2> {
   public:
    FewSite() : HttpSite(test::features, {.sessions = 4}, usual_options) {}
  };
  EXPECT_DEATH(
      {
        FewSite site;
        for (int i = 0; i < 3; ++i) {
          HttpClient client = site.connect();
          client.send(open_request);
          site.run();
        }
      },
      "contract");
  EXPECT_DEATH(
      {
        FewSite site;
        for (int i = 0; i < 3; ++i) {
          HttpClient client = site.connect();
          const std::string body = initialize("2025-11-25");
          client.send(
              "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
              "Accept: application/json, text/event-stream\r\nContent-Length: " +
              std::to_string(body.size()) + "\r\n\r\n" + body);
          site.run();
        }
      },
      "contract");
}

}  // namespace
