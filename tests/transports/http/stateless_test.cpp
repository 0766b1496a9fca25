// SPDX-License-Identifier: Apache-2.0
// Stateless requests over HTTP (2026-07-28): how the server detects them, their headers and statuses, and sessions of
// Streamable HTTP and HTTP+SSE beside them. Without sockets.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "transports/http/stateless.hpp"

namespace {

using test::HttpClient;
using test::HttpEvent;
using test::HttpResponse;
using namespace test::stateless;

// ---- The era of a request (section 11) ---------------------------------------------------------------------------

TEST(HttpStateless, DetectsTheEraInTheDocumentedOrder) {
  const std::string discover = body_of("server/discover", "", claim());
  const std::string old_ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  const std::string method = header("Mcp-Method", "server/discover");
  const std::string unknown_version = header("MCP-Protocol-Version", "2099-01-01");
  const std::string no_session = header("MCP-Session-Id", std::string(32, '0'));
  expect_rows(
      both_eras,
      {
          {"2: an array with a claim", http_post(modern + method, "[" + discover + "]"), 400, -32600},
          {"2: an array with a claim, no header", http_post("", "[" + discover + "]"), 400, -32600},
          {"2: an array of both eras", http_post(modern, "[" + old_ping + "," + discover + "]"), 400, -32600},
          {"2: an array of what is no message", http_post(modern, "[1]"), 400, -32600},
          {"2: an empty array", http_post(modern, "[]"), 400, -32600},
          {"2: an array of a session's, without one", http_post("", "[" + old_ping + "]"), 400, -32600},
          {"3: a response", http_post(modern, R"({"jsonrpc":"2.0","id":1,"result":{}})"), 400, -32600},
          {"3: a response, no header", http_post("", R"({"jsonrpc":"2.0","id":1,"result":{}})"), 400, -32600},
          {"4: initialize", http_post("", initialize_body), 200, 0},
          {"4: initialize with its header", http_post(session_era, initialize_body), 200, 0},
          {"4: initialize with a modern header", http_post(modern, initialize_body), 400, -32020},
          {"4: initialize with a claim and no header", http_post("", body_of("initialize", "", claim())), 400, -32020},
          {"5: a claim", request("server/discover"), 200, 0},
          {"5: a claim without headers", http_post("", discover), 400, -32020},
          {"5: a claim with the header of a session", http_post(session_era + method, discover), 400, -32020},
          {"5: a claim of a version that is no text",
           http_post(modern + method,
                     body_of("server/discover", "", R"("_meta":{"io.modelcontextprotocol/protocolVersion":1})")),
           400, -32602},
          {"5: a claim without capabilities",
           http_post(modern + method, body_of("server/discover", "",
                                              R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})")),
           400, -32602},
          {"5: capabilities that are no object",
           http_post(modern + method, body_of("server/discover", "", claim("2026-07-28", "[]"))), 400, -32602},
          {"5: malformed comes before mismatch",
           http_post(session_era, body_of("server/discover", "",
                                          R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})")),
           400, -32602},
          {"5: mismatch comes before unsupported",
           http_post(modern + method, body_of("server/discover", "", claim("2099-01-01"))), 400, -32020},
          {"5: the method comes before unsupported",
           http_post(unknown_version + header("Mcp-Method", "ping"),
                     body_of("server/discover", "", claim("2099-01-01"))),
           400, -32020},
          {"5: unsupported", http_post(unknown_version + method, body_of("server/discover", "", claim("2099-01-01"))),
           400, -32022},
          {"5: unsupported comes before missing headers",
           http_post(unknown_version, body_of("server/discover", "", claim("2099-01-01"))), 400, -32022},
          {"5: an older revision cannot be claimed",
           http_post(session_era + method, body_of("server/discover", "", claim("2025-11-25"))), 400, -32022},
          {"5: headers come before dispatch", http_post(modern, body_of("no/such", "", claim())), 400, -32020},
          {"5: initialize with a claim is unknown",
           http_post(modern + header("Mcp-Method", "initialize"), body_of("initialize", "", claim())), 404, -32601},
          {"6: a header without a claim",
           http_post(modern + header("Mcp-Method", "tools/list"), body_of("tools/list", "", "")), 400, -32602},
          {"6: a header with an empty _meta",
           http_post(modern + header("Mcp-Method", "tools/list"), body_of("tools/list", "", "\"_meta\":{}")), 400,
           -32602},
          {"6: server/discover is of one era only", http_post("", body_of("server/discover", "", "")), 400, -32602},
          {"7: a session's request without one", http_post("", old_ping), 400, -32600},
          {"7: a session's request with its header, without one", http_post(session_era, old_ping), 400, -32600},
          {"7: a header of no revision", http_post(unknown_version, old_ping), 400, -32600},
          {"5: a claim without headers, and a session that is not there", http_post(no_session, discover), 400, -32020},
          {"5: the same with the header of a session", http_post(session_era + method + no_session, discover), 400,
           -32020},
          {"5: a malformed claim, and a session that is not there",
           http_post(no_session,
                     body_of("server/discover", "", R"("_meta":{"io.modelcontextprotocol/protocolVersion":1})")),
           400, -32602},
          {"7: a session that is not there", http_post(no_session, old_ping), 404, -32600},
          {"7: the same with its header", http_post(session_era + no_session, old_ping), 404, -32600},
          {"7: an array for it", http_post(no_session, "[" + old_ping + "]"), 404, -32600},
          {"7: a response for it", http_post(no_session, R"({"jsonrpc":"2.0","id":1,"result":{}})"), 404, -32600},
          {"7: a notification for it", http_post(no_session, std::string(initialized_body)), 404, -32600},
          {"7: initialize for it", http_post(no_session, initialize_body), 200, 0},
          {"no JSON", http_post(modern, "{"), 400, -32700},
          {"no message", http_post(modern, "{}"), 400, -32600},
      });
}

TEST(HttpStateless, HeaderSelectsTheEraOfNotifications) {
  StatelessSite site;
  const std::string cancelled = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
  const HttpResponse taken = site.ask(http_post(modern, cancelled));
  EXPECT_EQ(taken.status, 202);
  EXPECT_EQ(taken.body, "");
  EXPECT_EQ(site.ask(http_post(modern, R"({"jsonrpc":"2.0","method":"notifications/none"})")).status, 202);
  EXPECT_EQ(site.ask(http_post("", cancelled)).status, 400);
  EXPECT_EQ(site.ask(http_post(session_era, cancelled)).status, 400);
  EXPECT_EQ(site.ask(http_post(header("MCP-Protocol-Version", "2099-01-01"), cancelled)).status, 400);
}

TEST(HttpStateless, UnsupportedVersionErrorListsTheSupportedVersions) {
  StatelessSite site;
  const HttpResponse response = site.ask(
      http_post(header("MCP-Protocol-Version", "2027-01-01"), body_of("tools/list", "", claim("2027-01-01"), "\"x\"")));
  EXPECT_TRUE(has(response, R"("id":"x")")) << response.body;
  EXPECT_TRUE(has(response, R"("data":{"supported":["2026-07-28"],"requested":"2027-01-01"})")) << response.body;
}

// ---- Headers (section 4) -----------------------------------------------------------------------------------------

TEST(HttpStateless, RequiresStandardHeadersToMatchTheBody) {
  const auto with = [](std::string_view headers, std::string_view method, std::string_view params) {
    return http_post(modern + std::string(headers), body_of(method, params, claim()));
  };
  const std::string tool = R"("name":"hello")";
  const std::string uri = R"("uri":"test://here")";
  const std::string called = header("Mcp-Method", "tools/call");
  const std::string read = header("Mcp-Method", "resources/read");
  const std::string got = header("Mcp-Method", "prompts/get");
  expect_rows(
      both_eras,
      {
          {"all there", with(called + header("Mcp-Name", "hello"), "tools/call", tool), 200, 0},
          {"names in other letters", with("mcp-METHOD: tools/call\r\nMCP-name:\t hello \t\r\n", "tools/call", tool),
           200, 0},
          {"base64", with(called + header("Mcp-Name", "=?base64?aGVsbG8=?="), "tools/call", tool), 200, 0},
          {"base64 of something else", with(called + header("Mcp-Name", "=?base64?aGVsbG9v?="), "tools/call", tool),
           400, -32020},
          {"base64 without its end", with(called + header("Mcp-Name", "=?base64?aGVsbG8?="), "tools/call", tool), 400,
           -32020},
          {"no base64", with(called + header("Mcp-Name", "=?base64?a*Vsb!8=?="), "tools/call", tool), 400, -32020},
          {"bits behind the last byte", with(called + header("Mcp-Name", "=?base64?aGVsbG9=?="), "tools/call", tool),
           400, -32020},
          {"markers in capitals are literal",
           with(called + header("Mcp-Name", "=?BASE64?aGVsbG8=?="), "tools/call", tool), 400, -32020},
          {"one marker is literal", with(called + header("Mcp-Name", "=?base64?aGVsbG8="), "tools/call", tool), 400,
           -32020},
          {"Mcp-Method is missing", with(header("Mcp-Name", "hello"), "tools/call", tool), 400, -32020},
          {"Mcp-Method is empty", with("Mcp-Method:\r\n" + header("Mcp-Name", "hello"), "tools/call", tool), 400,
           -32020},
          {"Mcp-Method in other letters",
           with(header("Mcp-Method", "Tools/Call") + header("Mcp-Name", "hello"), "tools/call", tool), 400, -32020},
          {"Mcp-Method is another",
           with(header("Mcp-Method", "tools/list") + header("Mcp-Name", "hello"), "tools/call", tool), 400, -32020},
          {"Mcp-Method is not to be base64",
           with(header("Mcp-Method", "=?base64?dG9vbHMvY2FsbA==?=") + header("Mcp-Name", "hello"), "tools/call", tool),
           400, -32020},
          {"Mcp-Name is missing", with(called, "tools/call", tool), 400, -32020},
          {"Mcp-Name is empty", with(called + "Mcp-Name:\r\n", "tools/call", tool), 400, -32020},
          {"Mcp-Name is another", with(called + header("Mcp-Name", "ask"), "tools/call", tool), 400, -32020},
          {"Mcp-Name in other letters", with(called + header("Mcp-Name", "Hello"), "tools/call", tool), 400, -32020},
          {"a resource", with(read + header("Mcp-Name", "test://here"), "resources/read", uri), 200, 0},
          {"a resource, base64", with(read + header("Mcp-Name", "=?base64?dGVzdDovL2hlcmU=?="), "resources/read", uri),
           200, 0},
          {"a resource without Mcp-Name", with(read, "resources/read", uri), 400, -32020},
          {"another resource", with(read + header("Mcp-Name", "test://there"), "resources/read", uri), 400, -32020},
          {"a prompt", with(got + header("Mcp-Name", "greet"), "prompts/get", R"("name":"greet")"), 200, 0},
          {"a prompt without Mcp-Name", with(got, "prompts/get", R"("name":"greet")"), 400, -32020},
          {"a task without Mcp-Name", with(header("Mcp-Method", "tasks/get"), "tasks/get", R"("taskId":"t")"), 400,
           -32020},
          {"a task, where there are none",
           with(header("Mcp-Method", "tasks/get") + header("Mcp-Name", "t"), "tasks/get", R"("taskId":"t")"), 404,
           -32601},
          {"a list needs no Mcp-Name", with(header("Mcp-Method", "tools/list"), "tools/list", ""), 200, 0},
          {"what is escaped in the body",
           with(called + header("Mcp-Name", "hello"), "tools/call", R"("name":"h\u0065llo")"), 200, 0},
          {"no name at all", with(called, "tools/call", ""), 200, -32602},
          {"a method that is escaped", with(called + header("Mcp-Name", "hello"), R"(tools\/call)", tool), 200, 0},
          {"MCP-Protocol-Version is missing",
           http_post(called + header("Mcp-Name", "hello"), body_of("tools/call", tool, claim())), 400, -32020},
          {"MCP-Protocol-Version is empty",
           http_post("MCP-Protocol-Version:\r\n" + called + header("Mcp-Name", "hello"),
                     body_of("tools/call", tool, claim())),
           400, -32020},
          {"Mcp-Name stands twice",
           with(called + header("Mcp-Name", "hello") + header("Mcp-Name", "hello"), "tools/call", tool), 400, -32600},
      });
}

TEST(HttpStateless, RequiresParameterHeadersToMatchTheBody) {
  const auto param = [](std::string_view name, std::string_view value) {
    return header("Mcp-Param-" + std::string(name), value);
  };
  expect_rows(
      both_eras,
      {
          {"none", call("routed"), 200, 0},
          {"no arguments", request("tools/call", R"("name":"routed")", "routed"), 200, 0},
          {"a text", call("routed", R"({"region":"here"})", param("Region", "here")), 200, 0},
          {"in other letters", call("routed", R"({"region":"here"})", "mcp-PARAM-rEGION: here\r\n"), 200, 0},
          {"a text, base64", call("routed", "{\"region\":\"B\xC3\xA4r\"}", param("Region", "=?base64?QsOkcg==?=")), 200,
           0},
          {"a text, wrong base64", call("routed", R"({"region":"here"})", param("Region", "=?base64?aGVyZ_==?=")), 400,
           -32020},
          {"a text that is missing", call("routed", R"({"region":"here"})"), 400, -32020},
          {"a text that is wrong", call("routed", R"({"region":"here"})", param("Region", "there")), 400, -32020},
          {"an empty text", call("routed", R"({"region":""})", "Mcp-Param-Region:\r\n"), 200, 0},
          {"null is none", call("routed", R"({"region":null})", param("Region", "null")), 400, -32020},
          {"a header without its argument", call("routed", "{}", param("Region", "here")), 400, -32020},
          {"a header without arguments",
           request("tools/call", R"("name":"routed")", "routed", "1", param("Region", "here")), 400, -32020},
          {"twice", call("routed", R"({"region":"here"})", param("Region", "here") + param("region", "here")), 400,
           -32020},
          {"a number", call("routed", R"({"level":5})", param("Level", "5")), 200, 0},
          {"the same number", call("routed", R"({"level":5.0})", param("Level", "5")), 200, 0},
          {"a number as the body has it", call("routed", R"({"level":5.0})", param("Level", "5.0")), 200, 0},
          {"another number", call("routed", R"({"level":5})", param("Level", "6")), 400, -32020},
          {"no number", call("routed", R"({"level":5})", param("Level", "five")), 400, -32020},
          {"a number with more", call("routed", R"({"level":5})", param("Level", "5 ,")), 400, -32020},
          {"the largest number", call("routed", R"({"level":9007199254740991})", param("Level", "9007199254740991")),
           200, 0},
          {"a negative number", call("routed", R"({"level":-5})", param("Level", "-5")), 200, 0},
          {"a boolean", call("routed", R"({"urgent":true})", param("Urgent", "true")), 200, 0},
          {"another boolean", call("routed", R"({"urgent":true})", param("Urgent", "false")), 400, -32020},
          {"a boolean in capitals", call("routed", R"({"urgent":true})", param("Urgent", "True")), 400, -32020},
          {"all",
           call("routed", R"({"urgent":false,"level":0,"region":"r"})",
                param("Urgent", "false") + param("Level", "0") + param("Region", "r")),
           200, 0},
          {"of no tool's parameter", call("hello", "{}", param("Region", "here")), 200, 0},
      });
}

TEST(HttpStateless, AcceptsEveryNotationOfANumber) {
  StatelessSite site;
  EXPECT_EQ(site.ask(call("routed", R"({"level":5})", "Mcp-Param-Level: 5.0\r\n")).status, 200);
  EXPECT_EQ(site.ask(call("routed", R"({"level":5.00})", "Mcp-Param-Level: 5.0\r\n")).status, 200);
  EXPECT_EQ(site.ask(call("routed", R"({"level":-5})", "Mcp-Param-Level: -5.0\r\n")).status, 200);
  for (const std::string_view wrong :
       {"5.5", "5.", ".0", "5.0.0", "5.01", "-5.0", "05.0", "+5", "5e0", "0x5", "=?base64?NQ==?"}) {
    const HttpResponse response = site.ask(call("routed", R"({"level":5})", header("Mcp-Param-Level", wrong)));
    EXPECT_EQ(response.status, 400) << wrong;
    EXPECT_EQ(code_of(response), -32020) << wrong;
  }
}

// ---- Statuses and errors (sections 3 to 5) -----------------------------------------------------------------------

TEST(HttpStateless, EachErrorHasItsStatus) {
  const std::string level = claim("2026-07-28", "{}", R"(,"io.modelcontextprotocol/logLevel":"loud")");
  std::vector<Row> rows = {
      {"a tool that fails", call("fails"), 200, 0},
      {"no such tool", call("none"), 200, -32602},
      {"arguments that are wrong", call("count", R"({"to":"x"})"), 200, 0},
      {"no such resource", request("resources/read", R"("uri":"test://none")", "test://none"), 200, -32602},
      {"no such prompt", request("prompts/get", R"("name":"none")", "none"), 200, -32602},
      {"params that are a list",
       http_post(modern + header("Mcp-Method", "tools/list"),
                 R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]})"),
       400, -32602},
      {"a capability that is missing", call("samples"), 400, -32021},
      {"a filter that is wrong", request("subscriptions/listen", R"("notifications":1)"), 200, -32602},
  };
  for (const std::string_view removed : {"no/such", "ping", "logging/setLevel", "resources/subscribe",
                                         "resources/unsubscribe", "tasks/list", "tasks/result", "initialize"}) {
    rows.push_back({removed, request(removed), 404, -32601});
  }
  expect_rows(both_eras, rows);
  expect_rows(newest_era, rows);
}

TEST(HttpStateless, NamesTheMissingCapability) {
  StatelessSite site;
  const HttpResponse response = site.ask(call("samples"));
  EXPECT_TRUE(has(response, R"("data":{"requiredCapabilities":{"sampling":{}}})")) << response.body;
}

TEST(HttpStateless, ResultsHaveTypeAndCacheHints) {
  StatelessSite site;
  for (const std::string_view list : {"tools/list", "resources/list", "prompts/list", "server/discover"}) {
    const HttpResponse response = site.ask(request(list));
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.header("content-type"), "application/json");
    for (const std::string_view member : {R"("resultType":"complete")", R"("ttlMs":)", R"("cacheScope":)",
                                          R"("io.modelcontextprotocol/serverInfo":{"name":"both")"}) {
      EXPECT_TRUE(has(response, member)) << list << member;
    }
    EXPECT_EQ(site.ask(request(list)).body, response.body);  // equal for each client and each request
  }
  EXPECT_TRUE(has(site.ask(request("server/discover")), R"("supportedVersions":["2026-07-28"])"));
  EXPECT_FALSE(has(site.ask(call("hello")), "ttlMs"));
}

TEST(HttpStateless, AllPagesOfAListHaveTheSameCacheHints) {
  StatelessSite site;
  std::string cursor;
  int pages = 0;
  for (bool more = true; more && pages < 10; ++pages) {
    const HttpResponse page = site.ask(request("tools/list", cursor));
    EXPECT_EQ(page.status, 200);
    // A list whose rows can be disabled is stale at once.
    EXPECT_TRUE(has(page, R"("ttlMs":0,"cacheScope":"private")")) << page.body;
    constexpr std::string_view key = R"("nextCursor":")";
    const std::size_t at = page.body.find(key);
    more = at != std::string::npos;
    if (!more) break;
    const std::size_t begin = at + key.size();
    cursor = R"("cursor":")" + page.body.substr(begin, page.body.find('"', begin) - begin) + "\"";
  }
  EXPECT_EQ(pages, 1);  // and the last one
}

// A browser sends a preflight request before a page may send the headers of a parameter.
TEST(HttpStateless, PreflightAllowsParameterHeaders) {
  StatelessSite site;
  const HttpResponse preflight = site.ask(
      "OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
      "Access-Control-Request-Headers: mcp-method, mcp-name, mcp-param-region\r\n\r\n");
  EXPECT_EQ(preflight.status, 204);
  const std::string allowed = preflight.header("access-control-allow-headers");
  EXPECT_NE(allowed.find("Mcp-Name"), std::string::npos);
  EXPECT_NE(allowed.find("Authorization"), std::string::npos);  // `*` does not include it
  EXPECT_NE(allowed.find(", *"), std::string::npos);
}

TEST(HttpStatelessDeathTest, AbortsIfBothErasHaveOneSession) {
  test::Bench both(both_eras, {.sessions = 1});
  EXPECT_DEATH(static_cast<void>(both.server.open_shared(0)), "");
  test::Bench newest(newest_era, {.sessions = 1});
  EXPECT_NE(newest.server.open_shared(0), mcp::SessionId{});
}

// ---- Differences from sessions -----------------------------------------------------------------------------------

TEST(HttpStateless, IgnoresASessionId) {
  StatelessSite site;
  const HttpResponse first = site.ask(http_post("", initialize_body));
  for (const std::string& id : {std::string("unknown"), std::string(32, '0'), first.header("mcp-session-id")}) {
    const HttpResponse response = site.ask(
        request("server/discover", "", "", "1", header("MCP-Session-Id", id) + header("Last-Event-ID", "1-1")));
    EXPECT_EQ(response.status, 200) << id;
    EXPECT_EQ(response.header("mcp-session-id"), "(none)");
  }
}

// The result does not depend on the session that the header names.
TEST(HttpStateless, VersionInMetaWithoutItsHeaderIsAMismatch) {
  StatelessSite site;
  const std::string session =
      header("MCP-Session-Id", site.ask(http_post("", initialize_body)).header("mcp-session-id"));
  const HttpResponse response = site.ask(http_post(session, body_of("server/discover", "", claim(), "\"d\"")));
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(code_of(response), -32020);
  EXPECT_TRUE(has(response, R"("id":"d")")) << response.body;
  const HttpResponse none =
      site.ask(http_post(header("MCP-Session-Id", "none"), body_of("server/discover", "", claim(), "\"d\"")));
  EXPECT_EQ(none.body, response.body);
}

// With sessions beside, the error of the other methods names what they need, not the version.
TEST(HttpStateless, OtherMethodsNeedASession) {
  StatelessSite site;
  for (const std::string_view method : {"GET", "DELETE"}) {
    const HttpResponse response = site.ask(
        std::string(method) + " /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n" + modern + "\r\n");
    EXPECT_EQ(response.status, 400) << method;
    EXPECT_TRUE(has(response, "MCP-Session-Id")) << response.body;
  }
}

TEST(HttpStateless, ModernEraAloneAcceptsOnlyPost) {
  StatelessSite site(newest_era);
  for (const std::string_view method : {"GET", "DELETE", "PUT"}) {
    const HttpResponse response = site.ask(std::string(method) +
                                           " /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
                                           "MCP-Session-Id: 0123\r\nLast-Event-ID: 1-1\r\n\r\n");
    EXPECT_EQ(response.status, 405) << method;
    EXPECT_EQ(response.header("allow"), "POST, OPTIONS") << method;
  }
  const HttpResponse preflight =
      site.ask("OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n\r\n");
  EXPECT_EQ(preflight.status, 204);
  EXPECT_EQ(preflight.header("allow"), "POST, OPTIONS");
  const HttpResponse refused = site.ask(http_post("", initialize_body));
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(code_of(refused), -32022);
  EXPECT_TRUE(has(refused, R"("supported":["2026-07-28"],"requested":"2025-11-25")")) << refused.body;
  const HttpResponse older = site.ask(http_post(header("MCP-Protocol-Version", "2025-11-25"),
                                                R"({"jsonrpc":"2.0","method":"notifications/initialized"})"));
  EXPECT_EQ(older.status, 400);
  EXPECT_TRUE(has(older, "Unsupported MCP-Protocol-Version.")) << older.body;
  EXPECT_EQ(site.bench.open_sessions(), 0U);
}

TEST(HttpStateless, ChecksOriginAndHostFirst) {
  StatelessSite site;
  EXPECT_EQ(site.ask(request("server/discover", "", "", "1", "Origin: http://evil.example\r\n")).status, 403);
  std::string elsewhere = request("server/discover");
  elsewhere.replace(elsewhere.find("Host: localhost"), 15, "Host: elsewhere");
  EXPECT_EQ(site.ask(elsewhere).status, 403);
}

// ---- Both eras at once -------------------------------------------------------------------------------------------

TEST(HttpStateless, ServesThreeTransportsOnOneEndpoint) {
  StatelessSite site;
  HttpClient session_client = site.connect();
  const HttpResponse first = site.ask(session_client, http_post("", initialize_body));
  EXPECT_EQ(first.status, 200);
  const std::string id = header("MCP-Session-Id", first.header("mcp-session-id"));
  EXPECT_EQ(site.ask(session_client, http_post(id, initialized_body)).status, 202);

  HttpClient older = site.connect();
  const HttpResponse sse_stream =
      site.ask(older, "GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n");
  EXPECT_TRUE(sse_stream.streams);
  const std::vector<HttpEvent> endpoint = older.events();
  ASSERT_EQ(endpoint.size(), 1U);
  const auto sse_post = [&](std::string_view body) {
    return "POST " + *endpoint[0].data + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
  };
  std::string sse_initialize = initialize_body;
  sse_initialize.replace(sse_initialize.find("2025-11-25"), 10, "2024-11-05");
  EXPECT_EQ(site.ask(sse_post(sse_initialize)).status, 202);
  EXPECT_EQ(site.ask(sse_post(initialized_body)).status, 202);

  // All clients call with the same id at the same time.
  const std::string legacy_call =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":{"to":2}}})";
  HttpClient stateless = site.connect();
  EXPECT_TRUE(site.ask(stateless, count_to(2)).streams);
  EXPECT_TRUE(site.ask(session_client, http_post(id, legacy_call)).streams);
  EXPECT_EQ(site.ask(sse_post(legacy_call)).status, 202);
  EXPECT_EQ(site.jobs_in_use(), 3U);
  site.pass(100);

  // A subscription gets a notification meanwhile, and a session ends.
  HttpClient listens = site.connect();
  EXPECT_TRUE(site.ask(listens, listen()).streams);
  site.bench.server.set_enabled(stateless_tools[4], false);
  site.pass(300);
  EXPECT_EQ(listens.events().size(), 2U);
  std::string told;
  for (const HttpEvent& event : older.events()) told += event.data.value_or("") + "\n";
  EXPECT_NE(told.find("counted to 2"), std::string::npos);
  EXPECT_NE(told.find("list_changed\"}"), std::string::npos);
  EXPECT_EQ(told.find("resultType"), std::string::npos);
  const std::vector<HttpEvent> of_session = session_client.events();
  ASSERT_FALSE(of_session.empty());
  EXPECT_NE(of_session.front().id, "");
  EXPECT_EQ(of_session.back().data->find("resultType"), std::string::npos);
  const std::vector<HttpEvent> of_stateless = stateless.events();
  ASSERT_EQ(of_stateless.size(), 3U);
  EXPECT_NE(of_stateless.back().data->find(R"("resultType":"complete")"), std::string::npos);

  EXPECT_EQ(site.ask("DELETE /mcp HTTP/1.1\r\nHost: localhost\r\n" + id + "\r\n").status, 200);
  EXPECT_EQ(site.ask(stateless, call("hello")).status, 200);
  older.leave();
  site.run();
  EXPECT_EQ(site.ask(stateless, call("hello")).status, 200);
}

// Sessions evict each other, and never the session that stateless requests share.
TEST(HttpStateless, SessionsNeverEvictTheSharedSession) {
  StatelessSite site;
  HttpClient client = site.connect();
  EXPECT_TRUE(site.ask(client, count_to(3)).streams);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(site.ask(http_post("", initialize_body)).status, 200);
  EXPECT_EQ(site.bench.open_sessions(), 3 - 1);
  site.pass(400);
  EXPECT_EQ(client.events().size(), 4U);
  EXPECT_TRUE(client.ended());
}

}  // namespace
