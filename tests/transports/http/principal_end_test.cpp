// SPDX-License-Identifier: Apache-2.0
// The end of all that a principal has at an endpoint: sessions, streams, stateless calls, tasks and subscriptions.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "mcp/http_access.hpp"
#include "mcp/http_transport.hpp"
#include "support/device.hpp"
#include "support/http_client.hpp"
#include "transports/http/site.hpp"

namespace {

using test::HttpClient;
using test::HttpResponse;

int ended_works = 0;  // last steps of jobs that were cancelled

struct EndlessWork {
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) {
      ++ended_works;
      return context.done();
    }
    return context.sleep(1'000);
  }
};

struct OpenName {
  mcp::FixedString<16> name;
};
constexpr auto open_form = mcp::params(mcp::param<&OpenName::name>("name"));

// Keeps its slot while its client gathers the input.
struct OpenQuestion {
  mcp::Step step(mcp::AskContext& context) {
    if (context.stop_requested()) {
      ++ended_works;
      return context.done();
    }
    return context.key("who").elicit(open_form, "Who?");
  }
};

mcp::Errc quick_work(mcp::Call& call) { return call.result().text("quick"); }
mcp::Errc read_level(mcp::ReadResult& out) { return out.text("1"); }

constexpr mcp::Tool work_tools[] = {
    mcp::job<EndlessWork>({.name = "work", .task_support = mcp::TaskSupport::optional}),
    mcp::job<EndlessWork>({.name = "call"}),
    mcp::job<OpenQuestion>({.name = "ask"}),
    mcp::tool<quick_work>({.name = "quick", .task_support = mcp::TaskSupport::optional}),
};
constexpr mcp::Resource work_resources[] = {
    {.uri = "test://level", .name = "level", .read = read_level, .subscribable = true}};

std::string audit_trail;
void keep_cancelled(const mcp::AuditRecord& record) {
  if (record.outcome != mcp::AuditRecord::Outcome::cancelled) return;
  audit_trail += std::string(record.subject) + " of " + std::to_string(record.principal) + "\n";
}
constexpr mcp::Definition works{.name = "works",
                                .version = "0",
                                .tools = work_tools,
                                .resources = work_resources,
                                .subscriptions = true,
                                .audit = keep_cancelled};

constexpr mcp::HttpLimits end_limits{.connections = 8, .head_size = 1024, .replay_size = 1024};
constexpr std::string_view two_users[] = {"ada", "bob"};  // principals 1 and 2

struct Works : test::HttpSite<end_limits, 2048> {
  explicit Works(const mcp::HttpOptions& options, bool seals = true)
      : HttpSite(works,
                 {.receive_size = 1024,
                  .sessions = 3,
                  .jobs = 8,
                  .job = 128,
                  .subscriptions = 4,
                  .tasks = 6,
                  .seals = seals},
                 options) {
    ended_works = 0;
    audit_trail.clear();
  }

  static std::string post(std::string_view token, std::string_view more, std::string_view body) {
    return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + std::string(token) +
           "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" + std::string(more) +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
  }
  // A stateless request whose client supports tasks and forms.
  static std::string stateless(std::string_view token, std::string_view method, std::string_view params,
                               std::string_view name = "") {
    std::string more = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + std::string(method) + "\r\n";
    if (!name.empty()) more += "Mcp-Name: " + std::string(name) + "\r\n";
    const std::string body = R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" +
                             std::string(params) +
                             R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                             R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}},)"
                             R"("extensions":{"io.modelcontextprotocol/tasks":{}}}}}})";
    return post(token, more, body);
  }
  static std::string call(std::string_view token, std::string_view tool) {
    return stateless(token, "tools/call", R"("name":")" + std::string(tool) + "\"", tool);
  }
  static std::string about(std::string_view token, const std::string& task) {
    return stateless(token, "tasks/get", R"("taskId":")" + task + "\"", task);
  }
  using HttpSite::ask;
  HttpResponse ask(std::string_view bytes) {
    HttpClient client = connect();
    const HttpResponse response = ask(client, bytes);
    client.leave();
    run();
    return response;
  }
  std::string begin_task(std::string_view token, std::string_view tool) {
    const HttpResponse response = ask(call(token, tool));
    constexpr std::string_view key = R"("taskId":")";
    const std::size_t at = response.body.find(key);
    EXPECT_NE(at, std::string::npos) << response.body;
    return at != std::string::npos ? response.body.substr(at + key.size(), 32) : std::string();
  }
  [[nodiscard]] std::size_t tasks_in_use() {
    const auto tasks = bench.storage().tasks;
    std::size_t count = 0;
    for (std::size_t i = 0; i < tasks.capacity(); ++i) count += tasks.in_use(i) != nullptr ? 1U : 0U;
    return count;
  }
};

bool is_known(const HttpResponse& response) { return response.body.find("\"result\":{") != std::string::npos; }

// Its tasks continue without a connection, so no closed connection ends them.
TEST(PrincipalEnd, CancelsItsStatelessTasks) {
  mcp::StaticTokens tokens(two_users);
  const mcp::HttpOptions options{.authorizer = &tokens};
  Works site(options);
  const std::string working = site.begin_task("ada", "work");
  const std::string completed = site.begin_task("ada", "quick");
  const std::string of_bob = site.begin_task("bob", "work");
  ASSERT_EQ(site.running_jobs(), 2U);
  ASSERT_EQ(site.tasks_in_use(), 3U);
  site.transport().end_principal(1);
  EXPECT_EQ(ended_works, 1);
  EXPECT_EQ(audit_trail, "work of 1\n");
  EXPECT_EQ(site.running_jobs(), 1U);
  EXPECT_EQ(site.tasks_in_use(), 1U);
  for (const std::string& task : {working, completed}) EXPECT_FALSE(is_known(site.ask(Works::about("ada", task))));
  EXPECT_TRUE(is_known(site.ask(Works::about("bob", of_bob))));
  // All its slots are free again.
  EXPECT_NE(site.begin_task("ada", "work"), working);
  site.transport().end_principal(1);
  site.transport().end_principal(2);
  EXPECT_EQ(ended_works, 3);
  EXPECT_EQ(site.tasks_in_use(), 0U);
}

// A job that keeps its slot for the retry, and a slot that is only reserved for it.
TEST(PrincipalEnd, CancelsItsCallsThatWaitForInput) {
  for (const bool seals : {false, true}) {
    mcp::StaticTokens tokens(two_users);
    const mcp::HttpOptions options{.authorizer = &tokens};
    Works site(options, seals);
    for (const std::string_view user : two_users) {
      HttpClient client = site.connect();
      EXPECT_TRUE(site.ask(client, Works::call(user, "ask")).streams);
      const auto events = client.events();
      ASSERT_FALSE(events.empty());
      EXPECT_NE(events.back().data.value_or("").find("\"inputRequests\""), std::string::npos);
      client.leave();
      site.run();
    }
    EXPECT_EQ(site.running_jobs(), 2U);
    site.transport().end_principal(2);
    EXPECT_EQ(site.running_jobs(), 1U);
    EXPECT_EQ(ended_works, seals ? 0 : 1);
    EXPECT_EQ(audit_trail, seals ? "" : "ask of 2\n");
    site.transport().end_principal(2);
    EXPECT_EQ(site.running_jobs(), 1U);
  }
}

// One principal with everything at once, beside another one with the same.
TEST(PrincipalEnd, EndsAllOfThePrincipalAlone) {
  mcp::StaticTokens tokens(two_users);
  const mcp::HttpOptions options{.authorizer = &tokens};
  Works site(options);
  struct User {
    HttpClient subscription;
    HttpClient call;
    std::string session;
    std::string task;
  };
  const auto begin = [&](std::string_view token) {
    User user{site.connect(), site.connect(), {}, {}};
    user.task = site.begin_task(token, "work");
    user.subscription.send(Works::stateless(
        token, "subscriptions/listen",
        R"("notifications":{"resourceSubscriptions":["test://level"],"taskIds":[")" + user.task + "\"]}"));
    user.call.send(Works::call(token, "call"));
    site.run();
    EXPECT_TRUE(user.subscription.response().streams);
    static_cast<void>(user.subscription.events());
    const HttpResponse begun = site.ask(Works::post(
        token, "",
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
        R"("clientInfo":{"name":"c","version":"0"}}})"));
    user.session = "MCP-Session-Id: " + begun.header("mcp-session-id") + "\r\n";
    return user;
  };
  User ada = begin("ada");
  User bob = begin("bob");
  ASSERT_EQ(site.running_jobs(), 4U);
  ASSERT_EQ(site.links_in_use(), 4U);
  site.transport().end_principal(1);
  EXPECT_EQ(ended_works, 2);
  EXPECT_EQ(audit_trail, "call of 1\nwork of 1\n");
  EXPECT_EQ(site.running_jobs(), 2U);
  EXPECT_EQ(site.tasks_in_use(), 1U);
  EXPECT_EQ(site.links_in_use(), 2U);
  EXPECT_EQ(site.bench.open_sessions(), 1U);
  EXPECT_TRUE(ada.subscription.connection().closed());
  EXPECT_TRUE(ada.call.connection().closed());
  site.bench.server.resource_updated(work_resources[0]);
  site.run();
  EXPECT_EQ(bob.subscription.events().size(), 1U);
  EXPECT_FALSE(bob.call.connection().closed());
  const std::string_view ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  EXPECT_EQ(site.ask(Works::post("ada", ada.session, ping)).status, 404);
  EXPECT_EQ(site.ask(Works::post("bob", bob.session, ping)).status, 200);
  site.transport().end_principal(2);
  EXPECT_EQ(ended_works, 4);
  for (User* const user : {&ada, &bob}) {
    user->subscription.leave();
    user->call.leave();
  }
}

// The end of a principal does not touch the tasks of sessions, which end with their sessions alone.
TEST(PrincipalEnd, KeepsTasksOfSessionsOfAnotherPrincipal) {
  mcp::StaticTokens tokens(two_users);
  const mcp::HttpOptions options{.authorizer = &tokens};
  Works site(options);
  const HttpResponse begun = site.ask(Works::post(
      "bob", "",
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
      R"("clientInfo":{"name":"c","version":"0"}}})"));
  const std::string session = "MCP-Session-Id: " + begun.header("mcp-session-id") + "\r\n";
  EXPECT_EQ(site.ask(Works::post("bob", session, R"({"jsonrpc":"2.0","method":"notifications/initialized"})")).status,
            202);
  EXPECT_NE(
      site.ask(Works::post("bob", session,
                           R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"work","task":{}}})"))
          .body.find("\"taskId\""),
      std::string::npos);
  site.transport().end_principal(1);
  EXPECT_EQ(site.tasks_in_use(), 1U);
  EXPECT_EQ(site.running_jobs(), 1U);
  site.transport().end_principal(2);
  EXPECT_EQ(site.tasks_in_use(), 0U);
  EXPECT_EQ(ended_works, 1);
}

}  // namespace
