// SPDX-License-Identifier: Apache-2.0
// A device with stateless tools on its network, and the stateless requests of its clients.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/http_sse_2024.hpp"
#include "mcp/http_transport.hpp"
#include "support/http_client.hpp"
#include "transports/http/site.hpp"

namespace test::stateless {

using Texts = std::vector<std::string>;

// ---- The device --------------------------------------------------------------------------------------------------

inline int stateless_ended = 0;  // calls that were cancelled

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
inline constexpr auto stateless_count_params = mcp::params(mcp::param<&StatelessCount::Arguments::to>("to"));

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
inline constexpr auto stateless_form = mcp::params(mcp::param<&StatelessName::name>("name"));

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
inline constexpr auto stateless_routed_params =
    mcp::params(mcp::param<&StatelessRouted::region>("region", {.header = "Region"}),
                mcp::param<&StatelessRouted::level>("level", {.header = "Level"}),
                mcp::param<&StatelessRouted::urgent>("urgent", {.header = "Urgent"}));
inline mcp::Errc stateless_routed(const StatelessRouted&, mcp::Call& call) { return call.result().text("routed"); }
inline mcp::Errc stateless_fails(mcp::Call& call) { return call.fail("It failed."); }
inline mcp::Errc stateless_samples(mcp::Call& call) { return call.needs_client(mcp::ClientCapability::sampling); }
inline mcp::Errc stateless_hello(mcp::Call& call) { return call.result().text("hello"); }

inline constexpr mcp::Tool stateless_tools[] = {
    mcp::job<StatelessCount>({.name = "count"}, stateless_count_params),
    mcp::job<StatelessSilence>({.name = "silence"}),
    mcp::job<StatelessAsk>({.name = "ask"}),
    mcp::tool<stateless_routed>({.name = "routed"}, stateless_routed_params),
    mcp::tool<stateless_fails>({.name = "fails"}),
    mcp::tool<stateless_samples>({.name = "samples", .knows_client = true}),
    mcp::tool<stateless_hello>({.name = "hello"}),
};

inline mcp::Errc stateless_read(mcp::ReadResult& out) { return out.text("here"); }
inline constexpr mcp::Resource stateless_resources[] = {
    {.uri = "test://here", .name = "here", .read = stateless_read, .subscribable = true}};
inline mcp::Errc stateless_prompt(const mcp::PromptArguments&, mcp::PromptResult& out) {
  return out.user().text("Hi.");
}
inline constexpr mcp::Prompt stateless_prompts[] = {{.name = "greet", .get = stateless_prompt}};

inline constexpr mcp::Definition both_eras{.name = "both",
                                           .version = "1",
                                           .tools = stateless_tools,
                                           .resources = stateless_resources,
                                           .prompts = stateless_prompts,
                                           .list_changes = true,
                                           .subscriptions = true};
inline constexpr mcp::Definition newest_era{.name = "newest",
                                            .version = "1",
                                            .eras = mcp::modern_era,
                                            .tools = stateless_tools,
                                            .resources = stateless_resources,
                                            .prompts = stateless_prompts,
                                            .list_changes = true,
                                            .subscriptions = true};

// ---- The network -------------------------------------------------------------------------------------------------

inline constexpr mcp::HttpLimits stateless_limits{.connections = 6, .head_size = 768, .replay_size = 1024};
inline constexpr std::size_t stateless_transmit_size = 1024;
inline constexpr mcp::HttpSse2024 sse_transport;
inline constexpr mcp::HttpOptions open_to_all{.sse_2024 = &sse_transport};

class StatelessSite : public test::HttpSite<stateless_limits, stateless_transmit_size> {
 public:
  explicit StatelessSite(const mcp::Definition& definition = both_eras, const mcp::HttpOptions& options = open_to_all)
      : HttpSite(
            definition,
            {.receive_size = 1024, .sessions = 3, .jobs = 3, .job = 256, .subscriptions = 2, .own_session_idle_ms = 0},
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
    for (std::size_t i = 0; i < view.jobs.capacity(); ++i) count += view.jobs.in_use(i) != nullptr ? 1U : 0U;
    return count;
  }
};

// ---- Requests ----------------------------------------------------------------------------------------------------

inline std::string http_post(std::string_view headers, std::string_view body) {
  std::string text =
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Accept: application/json, text/event-stream\r\n";
  text.append(headers);
  return text + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

inline std::string header(std::string_view name, std::string_view value) {
  return std::string(name) + ": " + std::string(value) + "\r\n";
}
inline const std::string modern = header("MCP-Protocol-Version", "2026-07-28");
inline const std::string session_era = header("MCP-Protocol-Version", "2025-11-25");

inline std::string claim(std::string_view version = "2026-07-28", std::string_view capabilities = "{}",
                         std::string_view more = "") {
  return R"("_meta":{"io.modelcontextprotocol/protocolVersion":")" + std::string(version) +
         R"(","io.modelcontextprotocol/clientCapabilities":)" + std::string(capabilities) + std::string(more) + "}";
}

// A body with these params and this `_meta`.
inline std::string body_of(std::string_view method, std::string_view params, std::string_view meta,
                           std::string_view id = "1") {
  std::string text = R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) + "\"";
  if (!params.empty() || !meta.empty()) {
    text +=
        ",\"params\":{" + std::string(params) + (params.empty() || meta.empty() ? "" : ",") + std::string(meta) + "}";
  }
  return text + "}";
}

// A complete request, with its request metadata headers.
inline std::string request(std::string_view method, std::string_view params = "", std::string_view name = "",
                           std::string_view id = "1", std::string_view more = "") {
  std::string headers = modern + header("Mcp-Method", method);
  if (!name.empty()) headers += header("Mcp-Name", name);
  return http_post(headers + std::string(more), body_of(method, params, claim(), id));
}
inline std::string call(std::string_view tool, std::string_view arguments = "{}", std::string_view more_headers = "",
                        std::string_view id = "1") {
  return request("tools/call", R"("name":")" + std::string(tool) + R"(","arguments":)" + std::string(arguments), tool,
                 id, more_headers);
}
// A call with a progress token.
inline std::string count_to(int n, std::string_view id = "1") {
  return http_post(modern + header("Mcp-Method", "tools/call") + header("Mcp-Name", "count"),
                   body_of("tools/call", R"("name":"count","arguments":{"to":)" + std::to_string(n) + "}",
                           claim("2026-07-28", "{}", R"(,"progressToken":"p")"), id));
}
inline std::string listen(std::string_view id = "\"L\"") {
  return request("subscriptions/listen",
                 R"("notifications":{"toolsListChanged":true,"resourceSubscriptions":["test://here"]})", "", id);
}
inline const std::string initialize_body =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
    R"("clientInfo":{"name":"c","version":"0"}}})";
inline constexpr std::string_view initialized_body = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

// The code of the error in the body; 0 for a result, -1 for neither.
inline int code_of(const HttpResponse& response) {
  constexpr std::string_view key = "\"error\":{\"code\":";
  const std::size_t at = response.body.find(key);
  if (at != std::string::npos) return std::atoi(response.body.c_str() + at + key.size());
  return response.body.find("\"result\":{") != std::string::npos ? 0 : -1;
}
inline bool has(const HttpResponse& response, std::string_view text) {
  return response.body.find(text) != std::string::npos;
}

struct Row {
  std::string_view what;
  std::string bytes;
  int status;
  int code;
};
inline void expect_rows(const mcp::Definition& definition, const std::vector<Row>& rows) {
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

}  // namespace test::stateless
