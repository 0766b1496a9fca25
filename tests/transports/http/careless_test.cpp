// SPDX-License-Identifier: Apache-2.0
// Clients that leave out what the specification requires of them, while the meaning stays plain: their headers, ids and
// bodies. Without sockets: bytes in, bytes out.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "transports/http/streamable.hpp"

namespace {

using namespace test;

constexpr std::string_view json_only = "Accept: application/json\r\n";
constexpr std::string_view events_only = "Accept: text/event-stream\r\n";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// A request with this header in place of the usual Accept.
std::string accepting(std::string_view accept, std::string_view body, std::string_view more = "") {
  return replaced(post(body, more), both_types, accept);
}

std::string session_in(const HttpResponse& response) {
  return "MCP-Session-Id: " + response.header("mcp-session-id") + "\r\n";
}

// ---- Accept ------------------------------------------------------------------------------------------------------

TEST(HttpAccept, AbsentHeaderTakesEachType) {
  for (const std::string_view accept : {"", "Accept: */*\r\n"}) {
    Site site;
    HttpClient client = site.connect();
    const HttpResponse begun = site.ask(client, accepting(accept, initialize()));
    EXPECT_EQ(begun.header("content-type"), "application/json");
    const std::string session = session_in(begun);
    EXPECT_EQ(site.ask(client, accepting(accept, initialized, session)).status, 202);
    EXPECT_TRUE(site.ask(client, accepting(accept, count_to(1), session)).streams);
    site.pass(100);
    EXPECT_EQ(data_of(client.events()), (Texts{"", counting(0, 1), counted(1)}));
    HttpClient listener = site.connect();
    EXPECT_TRUE(site.ask(listener, replaced(get(session), events_only, accept)).streams);
  }
}

TEST(HttpAccept, OtherTypesAloneGet406) {
  Site site;
  const std::string session = site.begin();
  for (const std::string_view accept : {"Accept: text/html\r\n", "Accept: text/html, image/*\r\n", "Accept:\r\n"}) {
    HttpClient client = site.connect();
    const HttpResponse response = site.ask(client, accepting(accept, ping(), session));
    expect_rejection(response, 406);
    EXPECT_NE(response.body.find("Accept must have application/json or text/event-stream."), std::string::npos);
  }
  HttpClient listener = site.connect();
  expect_rejection(site.ask(listener, replaced(get(session), events_only, json_only)), 406);
}

// The body of a response that was not ready at once, from its head to its end.
std::string take_json(HttpClient& client, const HttpResponse& head) {
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.header("content-type"), "application/json");
  EXPECT_TRUE(head.streams);
  const std::string body = client.text();
  EXPECT_TRUE(client.ended());
  return body;
}

TEST(HttpAccept, JsonAloneGetsTheResponseWithoutNotifications) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = session_in(site.ask(client, accepting(json_only, initialize())));
  EXPECT_EQ(site.ask(client, accepting(json_only, initialized, session)).status, 202);
  EXPECT_EQ(site.ask(client, accepting(json_only, set_debug, session)).status, 200);
  const HttpResponse head = site.ask(client, accepting(json_only, count_to(3), session));
  EXPECT_EQ(client.text(), "");
  EXPECT_TRUE(test::act(site.bench.server, "log error - hot"));
  site.pass(400);
  EXPECT_EQ(take_json(client, head), counted(3) + "\n\n");
  // The connection stays.
  EXPECT_EQ(site.ask(client, accepting(json_only, ping(), session)).body, pong());
}

TEST(HttpAccept, JsonAloneGetsWhiteSpaceWhileItWaits) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  const HttpResponse head = site.ask(client, accepting(json_only, count_to(9), session));
  site.pass(900);
  EXPECT_EQ(take_json(client, head), counted(9) + "\n\n");
  constexpr mcp::HttpLimits often{.connections = 2, .head_size = 512, .comment_interval_ms = 40};
  Site<often> other;
  const std::string key = other.begin();
  HttpClient waits = other.connect();
  const HttpResponse begun = other.ask(waits, accepting(json_only, count_to(1), key));
  other.pass(90);
  EXPECT_EQ(waits.text(), "\n\n\n\n");
  other.pass(20);
  EXPECT_EQ(take_json(waits, begun), counted(1) + "\n\n");
}

TEST(HttpAccept, JsonAloneEndsAnInputRequestAsUnsupported) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  HttpClient client = site.connect();
  const HttpResponse response = site.ask(client, accepting(json_only, call("hand", 4), session));
  const std::string body = response.streams ? take_json(client, response) : response.body;
  EXPECT_EQ(body.substr(0, body.find('\n')),
            R"({"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"unsupported 0"}]}})");
  // A request that takes events still asks.
  EXPECT_TRUE(site.ask(client, post(call("hand", 5), session)).streams);
  EXPECT_NE(data_of(client.events()).back().find("elicitation/create"), std::string::npos);
  site.pass(600);
  EXPECT_EQ(data_of(client.events()).size(), 2U);  // the withdrawal and the result
}

TEST(HttpAccept, JsonAloneEndsTheInputRequestOfATaskAsUnsupported) {
  Site site(test::input_requests);
  const std::string session = site.begin();
  HttpClient client = site.connect();
  for (const bool waits : {false, true}) {
    const HttpResponse made = site.ask(
        client,
        post(
            R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{"how":"ask"},"task":{}}})",
            session));
    const std::string id = made.body.substr(made.body.find("taskId") + 9, 32);
    // The task requests its input before or after the client waits for it.
    if (!waits) site.pass(100);
    const HttpResponse head = site.ask(
        client,
        accepting(json_only, R"({"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":")" + id + R"("}})",
                  session));
    site.pass(200);
    EXPECT_EQ(
        take_json(client, head),
        R"({"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"unsupported 0"}],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":")" +
            id + "\"}}}}\n\n");
  }
}

TEST(HttpAccept, JsonAloneGetsAStreamedBody) {
  Site<usual, 256> site(test::streams, {.receive_size = 512});
  const std::string session = site.begin();
  HttpClient client = site.connect();
  const HttpResponse whole = site.ask(client, post(read_resource("stream:text"), session));
  ASSERT_TRUE(whole.streams);
  const std::string expected = *client.events().back().data;
  const HttpResponse head = site.ask(client, accepting(json_only, read_resource("stream:text"), session));
  EXPECT_EQ(take_json(client, head), expected + "\n\n");
}

TEST(HttpAccept, JsonAloneWithoutChunksGetsTheResponse) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  const HttpResponse head =
      site.ask(client, replaced(accepting(json_only, count_to(1), session), "HTTP/1.1", "HTTP/1.0"));
  EXPECT_EQ(head.header("connection"), "close");
  site.pass(100);
  EXPECT_EQ(take_json(client, head), counted(1) + "\n\n");
}

TEST(HttpAccept, JsonAloneLosesItsConnectionButNotItsCall) {
  Site site;
  const std::string session = site.begin();
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, accepting(json_only, count_to(3), session)).streams);
  client.leave();
  site.run();
  EXPECT_EQ(site.detached_calls(), 1U);
  site.pass(400);
  EXPECT_EQ(site.detached_calls(), 0U);
  EXPECT_EQ(site.running_jobs(), 0U);
}

TEST(HttpAccept, JsonAloneSendsNoBatch) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = site.begin(client, "2025-03-26");
  expect_rejection(site.ask(client, accepting(json_only, " [" + ping() + "]", session)), 406);
  EXPECT_EQ(site.ask(client, post("[" + ping() + "]", session)).body, "[" + pong() + "]");
}

TEST(HttpAccept, EventsAloneGetAStream) {
  Site site;
  HttpClient client = site.connect();
  const HttpResponse begun = site.ask(client, accepting(events_only, initialize(), "Origin: http://localhost\r\n"));
  EXPECT_TRUE(begun.streams);
  EXPECT_EQ(begun.header("access-control-expose-headers"), "*");
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_NE(events[0].data->find("\"result\""), std::string::npos);
  EXPECT_TRUE(client.ended());
  const std::string session = session_in(begun);
  EXPECT_EQ(session.size(), std::string("MCP-Session-Id: \r\n").size() + 32);
  EXPECT_EQ(site.ask(client, accepting(events_only, initialized, session)).status, 202);
  EXPECT_TRUE(site.ask(client, accepting(events_only, ping(), session)).streams);
  EXPECT_EQ(data_of(client.events()), Texts{pong()});
  EXPECT_TRUE(client.ended());
  // An error under an id is a response as any other.
  EXPECT_TRUE(site.ask(client, accepting(events_only, call("unknown"), session)).streams);
  EXPECT_NE(data_of(client.events()).at(0).find("-32602"), std::string::npos);
  EXPECT_TRUE(site.ask(client, accepting(events_only, count_to(1), session)).streams);
  site.pass(100);
  EXPECT_EQ(data_of(client.events()), (Texts{"", counting(0, 1), counted(1)}));
  EXPECT_TRUE(client.ended());
  // What has no id has a status.
  EXPECT_EQ(site.ask(client, accepting(events_only, "{", session)).status, 400);
}

// Without a session nothing can be resumed, so nothing of it takes the place of events that others may resume.
TEST(HttpAccept, EventsAloneGetAnErrorWithoutASessionAndWithoutAnId) {
  Site site;
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, accepting(events_only, R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})"))
                  .streams);
  const std::vector<HttpEvent> events = client.events();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].id, "");
  EXPECT_NE(events[0].data->find("-32602"), std::string::npos);
  EXPECT_TRUE(client.ended());
}

// ---- The path, the session, the body -------------------------------------------------------------------------------

TEST(HttpCareless, PathMayEndWithASlash) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = session_in(site.ask(client, replaced(post(initialize()), "/mcp", "/mcp/")));
  EXPECT_EQ(site.ask(client, replaced(post(initialized, session), "/mcp", "/mcp/?x=y")).status, 202);
  EXPECT_EQ(site.ask(client, replaced(post(ping(), session), "/mcp", "/mcp/")).body, pong());
  EXPECT_TRUE(site.ask(client, replaced(get(session), "/mcp", "/mcp/")).streams);
  for (const std::string_view path : {"/mcp//", "/mcpx", "/mc/", "//mcp", "/"}) {
    HttpClient wrong = site.connect();
    expect_rejection(site.ask(wrong, replaced(post(ping(), session), "/mcp", path)), 404);
  }
}

template <bool legacy>
void initialize_again() {
  static constexpr mcp::Definition legacy_device{.name = "n", .version = "1", .eras = mcp::legacy_era};
  Site<usual, 2048, legacy> site(legacy ? legacy_device : features);
  HttpClient client = site.connect();
  const std::string ended = site.begin(client);
  EXPECT_EQ(site.ask(client, delete_request(ended)).status, 200);
  const std::string unknown = "MCP-Session-Id: of another server\r\n";
  for (const std::string& dead : {ended, unknown}) {
    const HttpResponse begun = site.ask(client, post(initialize(), dead));
    EXPECT_EQ(begun.status, 200);
    const std::string session = session_in(begun);
    EXPECT_NE(session, dead);
    EXPECT_EQ(site.ask(client, post(initialized, session)).status, 202);
    EXPECT_EQ(site.ask(client, post(ping(), session)).body, pong());
    // Everything else of a dead session stays 404.
    for (const std::string& body : {ping(), std::string(initialized), decline(1), "[" + ping() + "]", std::string("{")})
      expect_rejection(site.ask(client, post(body, dead)), 404);
    site.bench.entropy.fails = true;  // no other session can begin
    expect_rejection(site.ask(client, post(ping(), dead)), 404);
    site.bench.entropy.fails = false;
    EXPECT_EQ(site.bench.open_sessions(), 1U);
    EXPECT_EQ(site.ask(client, delete_request(session)).status, 200);
  }
}

TEST(HttpCareless, InitializeWithADeadSessionBeginsAnother) {
  initialize_again<false>();
  initialize_again<true>();
}

TEST(HttpCareless, SkipsAByteOrderMark) {
  Site site;
  const std::string mark = "\xEF\xBB\xBF";
  HttpClient client = site.connect();
  const std::string session = session_in(site.ask(client, post(mark + initialize())));
  EXPECT_EQ(site.ask(client, post(mark + std::string(initialized), session)).status, 202);
  EXPECT_EQ(site.ask(client, post(mark + ping(), session)).body, pong());
  for (const std::string& wrong : {mark, mark + mark + ping(), mark.substr(0, 2) + ping(), ping() + mark})
    EXPECT_EQ(site.ask(client, post(wrong, session)).status, 400) << wrong;
}

TEST(HttpCareless, ResumesAReplacedSessionStream) {
  Site site;
  const std::string session = site.begin();
  HttpClient first = site.connect();
  EXPECT_TRUE(site.ask(first, get(session)).streams);
  const std::string id = first.events().at(0).id;
  HttpClient second = site.listen(session);
  EXPECT_EQ(first.events().size(), 0U);
  EXPECT_TRUE(first.ended());
  HttpClient again = site.connect();
  EXPECT_TRUE(site.ask(again, get(session + "Last-Event-ID: " + id + "\r\n")).streams);
  EXPECT_TRUE(second.connection().closed());
  EXPECT_TRUE(test::act(site.bench.server, "disable content"));
  site.run();
  const std::vector<HttpEvent> events = again.events();
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().data, std::string(tools_changed));
  EXPECT_NE(events.back().id, id);
  // What the second connection got is not lost, either, to a client that had only the first one.
  HttpClient last = site.connect();
  EXPECT_TRUE(site.ask(last, get(session + "Last-Event-ID: " + id + "\r\n")).streams);
  EXPECT_EQ(data_of(last.events()).back(), std::string(tools_changed));
}

// ---- The head ------------------------------------------------------------------------------------------------------

std::string cookies(std::size_t size) { return "Cookie: " + std::string(size, 'c') + "\r\n"; }
std::string browser_fields() {
  std::string fields = "sec-ch-ua-platform: \"Linux\"\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n";
  for (const std::string_view name : {"dest", "mode", "site", "user"}) {
    fields += "Sec-Fetch-" + std::string(name) + ": " + std::string(60, 's') + "\r\n";
  }
  return fields;
}

// The buffer has 512 bytes.
TEST(HttpHeads, FieldsThatNothingReadsDoNotCount) {
  Site site;
  HttpClient client = site.connect();
  const std::string session = session_in(site.ask(client, post(initialize(), cookies(600))));
  EXPECT_EQ(site.ask(client, post(initialized, cookies(600) + session + cookies(5'000) + browser_fields())).status,
            202);
  const std::string many = browser_fields() + session + browser_fields() + cookies(300) + browser_fields();
  EXPECT_EQ(site.ask(client, post(ping(), many)).body, pong());
  EXPECT_EQ(site.ask(client, post(ping(), session + cookies(1) + cookies(2'000))).body, pong());
  // The order of the fields does not matter, and neither does the next request on the connection.
  const std::string body = ping(9);
  const std::string request =
      "POST /mcp HTTP/1.1\r\n" + cookies(700) + "Content-Length: " + std::to_string(body.size()) + "\r\n" +
      cookies(700) + "Content-Type: application/json\r\nHost: localhost\r\n" + session + cookies(700) + "\r\n" + body;
  client.send(request + request);
  site.run();
  EXPECT_EQ(client.response().body, pong(9));
  EXPECT_EQ(client.response().body, pong(9));
  // A list with several lines, of which each moves.
  for (const std::string& between : {cookies(600), std::string()}) {
    for (const std::string& before : {cookies(1), std::string()}) {
      const std::string lines = before + std::string(json_only) + between + std::string(events_only) + cookies(600);
      EXPECT_EQ(site.ask(client, replaced(request, "Content-Type", lines + "Content-Type")).body, pong(9));
    }
  }
}

TEST(HttpHeads, LongHeadCutAtEveryByte) {
  Site site;
  const std::string session = site.begin();
  const std::string request = post(ping(), browser_fields() + session + cookies(600) + browser_fields());
  for (std::size_t cut = 1; cut < request.size(); ++cut) {
    HttpClient client = site.connect();
    client.send(request.substr(0, cut));
    site.run();
    EXPECT_EQ(site.ask(client, request.substr(cut)).body, pong()) << cut;
    client.leave();
    site.run();
  }
}

TEST(HttpHeads, WholeHeadHasABound) {
  Site site;
  const std::string session = site.begin();
  const std::string right = post(ping(), session);
  const auto status = [&](const std::string& more) {
    HttpClient client = site.connect();
    return site.ask(client, replaced(right, session, session + more)).status;
  };
  EXPECT_EQ(status(cookies(12'000)), 200);
  EXPECT_EQ(status(cookies(17'000)), 431);
  EXPECT_EQ(status("Last-Event-ID: " + std::string(500, 'x') + "\r\n"), 431);
  EXPECT_EQ(status("Mcp-Param-X: " + std::string(500, 'x') + "\r\n"), 431);
  EXPECT_EQ(status(std::string(600, 'x') + ": y\r\n"), 431);
  // A field that is dropped is as valid as any other.
  EXPECT_EQ(status("Cookie: a\rb\r\n" + cookies(600)), 400);
  EXPECT_EQ(status("Cookie: " + std::string(600, 'c') + "\x01\r\n"), 400);
  EXPECT_EQ(status("Coo kie: " + std::string(600, 'c') + "\r\n"), 400);
  EXPECT_EQ(status(cookies(600) + session), 400);
  EXPECT_EQ(status(cookies(600) + "Content-Length: 1\r\n"), 400);
}

// An authorizer of an application, which may read any field.
class Badge final : public mcp::Authorizer {
 public:
  std::string reads_only;  // all fields if it is empty

 private:
  mcp::Grant do_check(const mcp::http::RequestHead& head) override {
    const mcp::http::RequestHead::Match match = head.find("X-Badge");
    const bool is_right = match.count == 1 && match.value == "red";
    return {is_right ? mcp::Access::granted : mcp::Access::unauthorized, 1, true, mcp::TokenScopes()};
  }
  void do_challenge(mcp::Access, mcp::http::ResponseHead&) override {}
  bool do_reads(std::string_view name) override { return reads_only.empty() || name == reads_only; }
};

TEST(HttpHeads, FieldsOfAnAuthorizerStay) {
  Badge badge;
  const mcp::HttpOptions options{.authorizer = &badge};
  Site site(features, {.options = &options});
  const auto status = [&](const std::string& fields) {
    HttpClient client = site.connect();
    const int code = site.ask(client, post(initialize(), fields)).status;
    client.leave();
    site.run();
    return code;
  };
  const std::string red = "X-Badge: red\r\n";
  const std::string blue = "x-badge: blue\r\n";
  EXPECT_EQ(status(red), 200);
  EXPECT_EQ(status(blue), 401);
  // Nothing says that it reads the badge alone, so no field is dropped.
  EXPECT_EQ(status(red + cookies(600)), 431);
  badge.reads_only = "x-badge";
  EXPECT_EQ(status(red + cookies(600)), 200);
  // A name of more than 64 bytes stays.
  EXPECT_EQ(status(red + std::string(65, 'n') + ": " + std::string(600, 'c') + "\r\n"), 431);
  EXPECT_EQ(status(cookies(600) + red + cookies(600) + blue), 401);
  // A field in other letters is the same one.
  EXPECT_EQ(status(cookies(600) + red + cookies(600) + blue + cookies(600)), 401);
  EXPECT_EQ(status(cookies(600) + blue + cookies(600) + red + cookies(600)), 401);
  badge.reads_only = "x-other";
  EXPECT_EQ(status(red + cookies(600)), 401);
}

// ---- Long tokens ---------------------------------------------------------------------------------------------------

constexpr mcp::HttpLimits long_tokens{.connections = 3, .head_size = 512, .token_size = 2048};
const std::string long_token(2'000, 't');
const std::string longest_token(2'048 - std::string("Authorization: Bearer ").size(), 'u');
const std::string_view accepted_tokens[] = {long_token, longest_token, "short"};

std::string bearer(const std::string& token) { return "Authorization: Bearer " + token + "\r\n"; }

TEST(HttpTokens, HaveALimitOfTheirOwn) {
  mcp::StaticTokens tokens(accepted_tokens);
  const mcp::HttpOptions options{.authorizer = &tokens};
  Site<long_tokens> site(features, {.options = &options});
  const std::string origin = "Origin: http://localhost:6274\r\n";
  for (const std::string& token : {long_token, longest_token, std::string("short")}) {
    HttpClient client = site.connect();
    const HttpResponse begun = site.ask(client, post(initialize(), bearer(token) + origin));
    EXPECT_EQ(begun.status, 200);
    EXPECT_EQ(begun.header("access-control-allow-origin"), "http://localhost:6274");
    const std::string session = session_in(begun);
    // Before and after other fields, with cookies, and twice on a connection.
    EXPECT_EQ(site.ask(client, post(initialized, session + bearer(token))).status, 202);
    const std::string last = post(ping(2), cookies(600) + bearer(token) + session + cookies(600) + origin);
    client.send(post(ping(1), bearer(token) + session + browser_fields()) + last);
    site.run();
    EXPECT_EQ(client.response().body, pong(1));
    const HttpResponse second = client.response();
    EXPECT_EQ(second.body, pong(2));
    EXPECT_EQ(second.header("access-control-allow-origin"), "http://localhost:6274");
    EXPECT_TRUE(site.ask(client, post(count_to(1), session + bearer(token))).streams);
    site.pass(100);
    EXPECT_EQ(data_of(client.events()).back(), counted(1));
    EXPECT_EQ(site.ask(client, delete_request(session + bearer(token))).status, 200);
    client.leave();
    site.run();
  }
}

TEST(HttpTokens, RejectsLongerTokensAndOtherLongFields) {
  mcp::StaticTokens tokens(accepted_tokens);
  const mcp::HttpOptions options{.authorizer = &tokens};
  Site<long_tokens> site(features, {.options = &options});
  const std::string origin = "Origin: http://evil.example.com\r\n";
  const auto ask = [&](const std::string& fields) {
    HttpClient client = site.connect();
    return site.ask(client, post(initialize(), fields));
  };
  // Space that the other fields do not use is for the token, too.
  EXPECT_EQ(ask(bearer(longest_token + "u")).status, 401);
  EXPECT_EQ(ask(bearer(std::string(3'000, 't'))).status, 431);
  EXPECT_EQ(ask(bearer(long_token + "x")).status, 401);
  EXPECT_EQ(ask(bearer(long_token) + "Last-Event-ID: " + std::string(500, 'x') + "\r\n").status, 431);
  EXPECT_EQ(ask("Last-Event-ID: " + std::string(500, 'x') + "\r\n" + bearer(long_token)).status, 431);
  EXPECT_EQ(ask(bearer(long_token) + bearer("short")).status, 400);
  EXPECT_EQ(ask(bearer(long_token) + origin).status, 403);
  EXPECT_EQ(ask(origin + bearer(long_token)).status, 403);
}

TEST(HttpTokens, LongTokenCutAtEveryByte) {
  mcp::StaticTokens tokens(accepted_tokens);
  const mcp::HttpOptions options{.authorizer = &tokens};
  Site<long_tokens> site(features, {.options = &options});
  HttpClient first = site.connect();
  const std::string session = session_in(site.ask(first, post(initialize(), bearer(long_token))));
  const std::string request = post(ping(), session + bearer(long_token) + browser_fields());
  for (std::size_t cut = 1; cut < request.size(); ++cut) {
    HttpClient client = site.connect();
    client.send(request.substr(0, cut));
    site.run();
    EXPECT_EQ(site.ask(client, request.substr(cut)).body, pong()) << cut;
    client.leave();
    site.run();
  }
}

}  // namespace
