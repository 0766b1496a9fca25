// SPDX-License-Identifier: Apache-2.0
// Stateless requests over HTTP (2026-07-28): bytes in, bytes out, beside sessions of Streamable HTTP and HTTP+SSE.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/http_sse_2024.hpp"
#include "mcp/http_transport.hpp"
#include "support/device.hpp"
#include "support/http_client.hpp"
#include "transports/http/site.hpp"

namespace {

using test::HttpClient;
using test::HttpEvent;
using test::HttpResponse;
using Texts = std::vector<std::string>;

// ---- The device --------------------------------------------------------------------------------------------------

int stateless_ended = 0;  // calls that were cancelled

// Takes 100 ms for each number.
struct StatelessCount {
  struct Arguments {
    std::int32_t to;
  };
  Arguments arguments;
  std::int32_t at;
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) {
      ++stateless_ended;
      return context.done();
    }
    if (at == arguments.to) return context.done(context.result().text("counted to ", at));
    context.progress(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(arguments.to));
    ++at;
    return context.sleep(100);
  }
};
constexpr auto stateless_count_params = mcp::params(mcp::param<&StatelessCount::Arguments::to>("to"));

// Sends nothing for a minute.
struct StatelessSilence {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) {
      ++stateless_ended;
      return context.done();
    }
    if (slept) return context.done(context.result().text("slept"));
    slept = true;
    return context.sleep(60'000);
  }
};

struct StatelessName {
  mcp::FixedString<16> name;
};
constexpr auto stateless_form = mcp::params(mcp::param<&StatelessName::name>("name"));

struct StatelessAsk {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    StatelessName filled{};
    const mcp::Answer answer = context.answer("who");
    if (answer.outcome() == mcp::Outcome::accepted &&
        context.read_form(answer, stateless_form, filled) == mcp::Errc::ok) {
      return context.done(context.result().text("Hello ", filled.name, "."));
    }
    if (asked) return context.done(context.fail("No name."));
    asked = true;
    return context.key("who").elicit(stateless_form, "Who?");
  }
};

struct StatelessRouted {
  std::optional<std::string_view> region;
  std::optional<std::int64_t> level;
  std::optional<bool> urgent;
};
constexpr auto stateless_routed_params =
    mcp::params(mcp::param<&StatelessRouted::region>("region", {.header = "Region"}),
                mcp::param<&StatelessRouted::level>("level", {.header = "Level"}),
                mcp::param<&StatelessRouted::urgent>("urgent", {.header = "Urgent"}));
mcp::Errc stateless_routed(const StatelessRouted&, mcp::Call& call) { return call.result().text("routed"); }
mcp::Errc stateless_fails(mcp::Call& call) { return call.fail("It failed."); }
mcp::Errc stateless_samples(mcp::Call& call) { return call.needs_client(mcp::ClientCapability::sampling); }
mcp::Errc stateless_hello(mcp::Call& call) { return call.result().text("hello"); }

constexpr mcp::Tool stateless_tools[] = {
    mcp::job<StatelessCount>({.name = "count"}, stateless_count_params),
    mcp::job<StatelessSilence>({.name = "silence"}),
    mcp::job<StatelessAsk>({.name = "ask"}),
    mcp::tool<stateless_routed>({.name = "routed"}, stateless_routed_params),
    mcp::tool<stateless_fails>({.name = "fails"}),
    mcp::tool<stateless_samples>({.name = "samples", .knows_client = true}),
    mcp::tool<stateless_hello>({.name = "hello"}),
};

mcp::Errc stateless_read(mcp::ReadResult& out) { return out.text("here"); }
constexpr mcp::Resource stateless_resources[] = {
    {.uri = "test://here", .name = "here", .read = stateless_read, .subscribable = true}};
mcp::Errc stateless_prompt(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().text("Hi."); }
constexpr mcp::Prompt stateless_prompts[] = {{.name = "greet", .get = stateless_prompt}};

constexpr mcp::Definition both_eras{.name = "both",
                                    .version = "1",
                                    .tools = stateless_tools,
                                    .resources = stateless_resources,
                                    .prompts = stateless_prompts,
                                    .list_changes = true,
                                    .subscriptions = true};
constexpr mcp::Definition newest_era{.name = "newest",
                                     .version = "1",
                                     .eras = mcp::modern_era,
                                     .tools = stateless_tools,
                                     .resources = stateless_resources,
                                     .prompts = stateless_prompts,
                                     .list_changes = true,
                                     .subscriptions = true};

// ---- The network -------------------------------------------------------------------------------------------------

constexpr mcp::HttpLimits stateless_limits{.connections = 6, .head_size = 768, .replay_size = 1024};
constexpr std::size_t stateless_transmit_size = 1024;
constexpr mcp::HttpSse2024 sse_transport;
constexpr mcp::HttpOptions open_to_all{.sse_2024 = &sse_transport};

class StatelessSite : public test::HttpSite<stateless_limits, stateless_transmit_size> {
 public:
  explicit StatelessSite(const mcp::Definition& definition = both_eras, const mcp::HttpOptions& options = open_to_all)
      : HttpSite(definition, {.receive_size = 1024, .sessions = 3, .jobs = 3, .job = 256, .subscriptions = 2},
                 options) {
    stateless_ended = 0;
  }

  using HttpSite::ask;
  // Sends a request on a new connection.
  HttpResponse ask(std::string_view request) {
    HttpClient client = connect();
    const HttpResponse response = ask(client, request);
    client.leave();
    run();
    return response;
  }

  [[nodiscard]] std::size_t jobs_in_use() {
    const mcp::detail::StorageView view = bench.storage();
    std::size_t count = 0;
    for (std::size_t i = 0; i < view.jobs.capacity(); ++i) count += view.jobs.at(i) != mcp::memory::Handle{} ? 1U : 0U;
    return count;
  }
};

// ---- Requests ----------------------------------------------------------------------------------------------------

std::string http_post(std::string_view headers, std::string_view body) {
  std::string text =
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Accept: application/json, text/event-stream\r\n";
  text.append(headers);
  return text + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

std::string header(std::string_view name, std::string_view value) {
  return std::string(name) + ": " + std::string(value) + "\r\n";
}
const std::string modern = header("MCP-Protocol-Version", "2026-07-28");
const std::string session_era = header("MCP-Protocol-Version", "2025-11-25");

std::string claim(std::string_view version = "2026-07-28", std::string_view capabilities = "{}",
                  std::string_view more = "") {
  return R"("_meta":{"io.modelcontextprotocol/protocolVersion":")" + std::string(version) +
         R"(","io.modelcontextprotocol/clientCapabilities":)" + std::string(capabilities) + std::string(more) + "}";
}

// A body with these params and this `_meta`.
std::string body_of(std::string_view method, std::string_view params, std::string_view meta,
                    std::string_view id = "1") {
  std::string text = R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) + "\"";
  if (!params.empty() || !meta.empty()) {
    text +=
        ",\"params\":{" + std::string(params) + (params.empty() || meta.empty() ? "" : ",") + std::string(meta) + "}";
  }
  return text + "}";
}

// A complete request, with its request metadata headers.
std::string request(std::string_view method, std::string_view params = "", std::string_view name = "",
                    std::string_view id = "1", std::string_view more = "") {
  std::string headers = modern + header("Mcp-Method", method);
  if (!name.empty()) headers += header("Mcp-Name", name);
  return http_post(headers + std::string(more), body_of(method, params, claim(), id));
}
std::string call(std::string_view tool, std::string_view arguments = "{}", std::string_view more_headers = "",
                 std::string_view id = "1") {
  return request("tools/call", R"("name":")" + std::string(tool) + R"(","arguments":)" + std::string(arguments), tool,
                 id, more_headers);
}
// A call with a progress token.
std::string count_to(int n, std::string_view id = "1") {
  return http_post(modern + header("Mcp-Method", "tools/call") + header("Mcp-Name", "count"),
                   body_of("tools/call", R"("name":"count","arguments":{"to":)" + std::to_string(n) + "}",
                           claim("2026-07-28", "{}", R"(,"progressToken":"p")"), id));
}
std::string listen(std::string_view id = "\"L\"") {
  return request("subscriptions/listen",
                 R"("notifications":{"toolsListChanged":true,"resourceSubscriptions":["test://here"]})", "", id);
}
const std::string initialize_body =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
    R"("clientInfo":{"name":"c","version":"0"}}})";
constexpr std::string_view initialized_body = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

// The code of the error in the body; 0 for a result, -1 for neither.
int code_of(const HttpResponse& response) {
  constexpr std::string_view key = "\"error\":{\"code\":";
  const std::size_t at = response.body.find(key);
  if (at != std::string::npos) return std::atoi(response.body.c_str() + at + key.size());
  return response.body.find("\"result\":{") != std::string::npos ? 0 : -1;
}
bool has(const HttpResponse& response, std::string_view text) { return response.body.find(text) != std::string::npos; }

struct Row {
  std::string_view what;
  std::string bytes;
  int status;
  int code;
};
void expect_rows(const mcp::Definition& definition, const std::vector<Row>& rows) {
  StatelessSite site(definition);
  for (const Row& row : rows) {
    const HttpResponse response = site.ask(row.bytes);
    EXPECT_EQ(response.status, row.status) << row.what << ": " << response.body;
    EXPECT_EQ(code_of(response), row.code) << row.what << ": " << response.body;
    EXPECT_EQ(response.header("mcp-session-id") == "(none)",
              row.bytes.find("\"initialize\"") == std::string::npos || row.code != 0)
        << row.what;
  }
}

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
          {"7: initialize for it", http_post(no_session, initialize_body), 404, -32600},
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

}  // namespace
