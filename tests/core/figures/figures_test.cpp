// SPDX-License-Identifier: Apache-2.0
// The figures of a server: use, marks and overflows of each pool, messages, errors, times, and their JSON.
#include "mcp/figures.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

#include "mcp/coroutine.hpp"
#include "mcp/input_request.hpp"
#include "mcp/job.hpp"
#include "mcp/mailbox.hpp"
#include "mcp/method.hpp"
#include "mcp/rpc/id_finder.hpp"
#include "mcp/schedule.hpp"
#include "mcp/trace.hpp"
#include "mcp/transport_info.hpp"
#include "mcp/with_caller.hpp"
#include "support/bench.hpp"
#include "support/device.hpp"

namespace {

using mcp::Millis;
using mcp::SessionId;
using test::Bench;

struct Wait {
  mcp::Step step(mcp::JobContext& context) {
    return context.stop_requested() ? context.done() : context.sleep(1'000'000);
  }
};
mcp::Errc run(mcp::Call& call) { return call.result().text("ran"); }
constexpr auto later_params = mcp::schedulable();

mcp::Chunk read_nothing(std::uint32_t, std::span<std::uint8_t>) { return mcp::Chunk::end(); }
mcp::Errc read_pin(const mcp::UriVariables&, mcp::ReadResult& out) { return out.text("x"); }

constinit mcp::FramePool<2, 512> frame_pool;
std::uint64_t supply = 3300;
void add(mcp::FigureWriter& out) {
  out.gauge("supply_millivolts", supply);
  out.memory("stack", {.size = 2048, .used = 0, .high_water = 900});
  out.frames("frames", frame_pool);
}

constexpr mcp::Tool tools[] = {mcp::job<Wait>({.name = "work", .task_support = mcp::TaskSupport::optional}),
                               mcp::tool<run>({.name = "later"}, later_params)};
constexpr mcp::Resource resources[] = {{.uri = "x:a", .name = "a", .stream = mcp::blob_stream(read_nothing)},
                                       mcp::health_resource<add>()};
constexpr mcp::ResourceTemplate templates[] = {
    {.uri_template = "pin://{pin}", .name = "pin", .read = read_pin, .subscribable = true}};
constexpr mcp::Definition all{.name = "all",
                              .version = "1.2.3",
                              .tools = tools,
                              .resources = resources,
                              .resource_templates = templates,
                              .logging = true,
                              .list_changes = true,
                              .subscriptions = true,
                              .url_elicitations = true};

// All figures by name. A value with a label has the name `name{label}`.
class Kept final : public mcp::FigureWriter {
 public:
  explicit Kept(const Bench& bench, Millis now = 0) : Kept(bench.server, now) {}
  explicit Kept(const mcp::Server& of, Millis now = 0) { of.figures(*this, now); }
  std::map<std::string, mcp::PoolFigures> pools;
  std::map<std::string, std::uint64_t> values;

 private:
  void do_pool(std::string_view name, const mcp::PoolFigures& figures, bool) override {
    EXPECT_TRUE(pools.emplace(name, figures).second) << name;
  }
  void do_value(const mcp::FigureValue& figure) override {
    const std::string label = figure.label.key.empty() ? std::string() : "{" + std::string(figure.label.text) + "}";
    EXPECT_TRUE(values.emplace(std::string(figure.name) + label, figure.value).second) << figure.name;
  }
};

constexpr std::string_view stateless =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

std::string request(int id, std::string_view method, std::string_view params) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + std::string(method) + R"(","params":)" +
         std::string(params) + "}";
}

std::string initialize() {
  return request(0, "initialize",
                 R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}})");
}

SessionId open_ready(Bench& bench) {
  const SessionId id = bench.server.open(0);
  bench.ask(id, initialize());
  bench.ask(id, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  return id;
}

std::uint64_t errors_of(const Bench& bench) {
  std::uint64_t errors = 0;
  for (const auto& [name, value] : Kept(bench).values) {
    if (name.starts_with("errors{")) errors += value;
  }
  return errors;
}

std::string describe(const mcp::PoolFigures& pool) {
  return std::to_string(pool.size) + " " + std::to_string(pool.used) + " " + std::to_string(pool.high_water) + " " +
         std::to_string(pool.full);
}

TEST(FiguresTest, HaveUseMarkAndOverflowsOfEachPool) {
  struct Case {
    const char* pool;
    std::string message;  // a second one, with another id, finds the pool full
  };
  const std::string listen = R"({"notifications":{},)" + std::string(stateless) + "}";
  const Case cases[] = {
      {"jobs", request(1, "tools/call", R"({"name":"work"})")},
      {"tasks", request(1, "tools/call", R"({"name":"work","task":{}})")},
      {"scheduled_calls", request(1, "tools/call", R"({"name":"later","arguments":{"after":3600}})")},
      {"streams", request(1, "resources/read", R"({"uri":"x:a"})")},
      {"subscriptions", request(1, "subscriptions/listen", listen)},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.pool);
    Bench bench(all,
                {.jobs = 1, .streams = 1, .subscriptions = 1, .tasks = 1, .scheduled = 1, .reserved_for_others = 0});
    const SessionId id = open_ready(bench);
    EXPECT_EQ(describe(Kept(bench).pools[test.pool]), "1 0 0 0");
    bench.ask(id, test.message);
    EXPECT_EQ(describe(Kept(bench).pools[test.pool]), "1 1 1 0");
    std::string again = test.message;
    again.replace(again.find("\"id\":1"), 6, "\"id\":2");
    EXPECT_NE(bench.ask(id, again).find("in use"), std::string::npos);
    EXPECT_EQ(describe(Kept(bench).pools[test.pool]), "1 1 1 1");
    bench.server.close(id, 0);
    const bool stays = std::string_view(test.pool) == "scheduled_calls";  // no session owns it
    EXPECT_EQ(describe(Kept(bench).pools[test.pool]), stays ? "1 1 1 1" : "1 0 1 1") << "the mark stays";
    EXPECT_EQ(describe(Kept(bench).pools["sessions"]), "1 0 1 0");
  }
}

TEST(FiguresTest, MarkOfAPoolCountsWhatWasInUseAtTheSameTime) {
  Bench bench(all, {.jobs = 4, .reserved_for_others = 0});
  const SessionId id = open_ready(bench);
  const auto cancel = [&](int call) {
    bench.ask(id, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
                      std::to_string(call) + "}}");
  };
  for (int call = 1; call <= 40; ++call) {
    bench.ask(id, request(call, "tools/call", R"({"name":"work"})"));
    if (call >= 3) cancel(call - 2);
  }
  EXPECT_EQ(describe(Kept(bench).pools["jobs"]), "4 2 3 0");
}

TEST(FiguresTest, MarkSurvivesTheWrapOfTheGenerationOfASlot) {
  Bench bench(all, {.jobs = 1, .reserved_for_others = 0});
  open_ready(bench);
  const auto jobs = bench.storage().jobs;
  jobs.release(jobs.acquire());
  static_cast<void>(bench.server.poll(1));
  for (int i = 1; i < 0x8000; ++i) jobs.release(jobs.acquire());
  ASSERT_FALSE(jobs.was_used(0));
  EXPECT_EQ(describe(Kept(bench).pools["jobs"]), "1 0 1 0");
}

TEST(FiguresTest, HaveTheLogAndElicitationsAndTemplates) {
  Bench bench(all, {.log = 64, .elicitations = 1});
  const SessionId id = open_ready(bench);
  EXPECT_EQ(describe(Kept(bench).pools["log"]), "64 0 0 0");
  bench.ask(id, request(1, "logging/setLevel", R"({"level":"info"})"));
  bench.server.log(mcp::LogLevel::info, "", "0123456789");
  EXPECT_EQ(describe(Kept(bench).pools["log"]), "64 16 16 0");
  for (int i = 0; i < 4; ++i) bench.server.log(mcp::LogLevel::info, "", "0123456789");
  EXPECT_EQ(describe(Kept(bench).pools["log"]), "64 64 64 1");
  EXPECT_TRUE(bench.server.elicitation_completed(id, "a"));
  EXPECT_FALSE(bench.server.elicitation_completed(id, "b"));
  EXPECT_EQ(describe(Kept(bench).pools["elicitations"]), "1 1 1 1");
  bench.ask(id, request(2, "resources/subscribe", R"({"uri":"pin://1"})"));
  EXPECT_EQ(describe(Kept(bench).pools["template_subscriptions"]), "2 1 1 0");
  bench.ask(id, request(3, "resources/unsubscribe", R"({"uri":"pin://1"})"));
  EXPECT_EQ(describe(Kept(bench).pools["template_subscriptions"]), "2 0 1 0");
}

TEST(FiguresTest, CountMessagesAndErrorsByCode) {
  Bench bench(all);
  const SessionId id = open_ready(bench);
  struct Case {
    const char* message;
    const char* kind;
    const char* code;  // nullptr: no error
  };
  const Case cases[] = {
      {R"({"jsonrpc":"2.0","id":1,"method":"ping"})", "request", nullptr},
      {R"({"jsonrpc":"2.0","id":"\"error\":{\"code\":-1","method":"nope"})", "request", "-32601"},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}})", "request", "-32602"},
      {R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"no:1"}})", "request", "-32002"},
      {R"({"jsonrpc":"2.0","method":"notifications/cancelled"})", "notification", nullptr},
      {R"({"jsonrpc":"2.0","method":"notifications/unknown"})", "notification", nullptr},
      {R"({"jsonrpc":"2.0","id":1000000001,"result":{}})", "response", nullptr},
      {R"({"id":1})", "invalid", "-32600"},
      {R"({"jsonrpc":)", "unreadable", "-32700"},
      {R"({"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1999-01-01",)"
       R"("io.modelcontextprotocol/clientCapabilities":{}}}})",
       "request", "-32022"},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.message);
    auto expected = Kept(bench).values;
    ++expected["messages{" + std::string(test.kind) + "}"];
    if (test.code != nullptr) ++expected["errors{" + std::string(test.code) + "}"];
    bench.ask(id, test.message);
    EXPECT_EQ(Kept(bench).values, expected);
  }
  mcp::rpc::IdFinder message;
  static_cast<void>(bench.server.receive_oversized(id, message, bench.server.transmit_buffer(), 0));
  EXPECT_EQ(Kept(bench).values["messages{too_long}"], 1U);
  bench.server.audit_rejected(0, 401);  // a transport has refused a token
  EXPECT_EQ(Kept(bench).values["refused"], 1U);
}

struct Fails {
  mcp::Step step(mcp::JobContext& context) { return context.done(mcp::Errc::no_space); }
};
TEST(FiguresTest, CountTheErrorOfAJobOnce) {
  static constexpr mcp::Tool failing[] = {mcp::job<Fails>({.name = "fails"})};
  static constexpr mcp::Resource rows[] = {mcp::health_resource()};
  static constexpr mcp::Definition definition{.name = "n", .version = "1", .tools = failing, .resources = rows};
  Bench bench(definition);
  const SessionId id = open_ready(bench);
  std::string answer = bench.ask(id, request(1, "tools/call", R"({"name":"fails"})"));
  answer += bench.next(id);
  const bool is_error = answer.find("\"error\"") != std::string::npos;
  EXPECT_EQ(errors_of(bench), is_error ? 1U : 0U) << answer;
}

// Without `_meta`, after server/discover on a wire: the client gets its result.
TEST(FiguresTest, DoNotCountAPingOfAStatelessClientAsAnError) {
  Bench bench(all);
  const SessionId id = bench.server.open(0);
  bench.ask(id, request(1, "server/discover", "{" + std::string(stateless) + "}"));
  EXPECT_NE(bench.ask(id, request(2, "ping", "{}")).find("\"result\":{}"), std::string::npos);
  EXPECT_EQ(errors_of(bench), 0U);
}

TEST(FiguresTest, CountRateLimitedCalls) {
  Bench bench(all, {.call_burst = 1, .call_interval_ms = 1000});
  const SessionId id = open_ready(bench);
  for (int call = 1; call <= 3; ++call) bench.ask(id, request(call, "tools/call", R"({"name":"work"})"));
  EXPECT_EQ(Kept(bench).values["rate_limited"], 2U);
}

TEST(FiguresTest, UptimeSurvivesWrapsOfTheClock) {
  Bench bench(all);
  struct Case {
    const char* name;
    std::uint64_t passed_ms;  // since the last poll
    std::uint64_t uptime_ms;  // after it
  };
  constexpr std::uint64_t half = 0x8000'0000;
  const Case cases[] = {
      {"the first poll", 0xFFFF'F000, 0},
      {"a second", 1000, 1000},
      {"the wrap", 0x1000, 1000 + 0x1000},
      {"more than 2^31 ms", half + 5, 1000 + 0x1000 + half + 5},
      {"once more", half + 5, 1000 + 0x1000 + 2 * (half + 5)},
      {"a second back", 0xFFFF'FFFF - 999, 1000 + 0x1000 + 2 * (half + 5)},
      {"where it was", 1000, 1000 + 0x1000 + 2 * (half + 5)},
      {"after that", 7, 1000 + 0x1000 + 2 * (half + 5) + 7},
  };
  Millis now = 0;
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name);
    now += static_cast<Millis>(test.passed_ms);
    static_cast<void>(bench.server.poll(now));
    EXPECT_EQ(Kept(bench, now).values["uptime"], test.uptime_ms);
  }
  EXPECT_EQ(Kept(bench, now).values["longest_poll"], half + 5);
  EXPECT_EQ(Kept(bench, now + 50).values["uptime"], cases[7].uptime_ms + 50) << "also between two polls";
}

TEST(FiguresTest, FramesHaveUseAndMark) {
  class Frames final : public mcp::FigureWriter {
   public:
    std::string text;

   private:
    void do_pool(std::string_view, const mcp::PoolFigures& figures, bool) override { text = describe(figures); }
    void do_value(const mcp::FigureValue&) override {}
  } out;
  static constinit mcp::FramePool<3, 64> frames;
  const auto show = [&] { return out.frames("f", frames), out.text; };
  EXPECT_EQ(show(), "3 0 0 0");
  mcp::detail::Frames slots = frames.frames();
  auto* const one = static_cast<char*>(slots.acquire(10));
  auto* const two = static_cast<char*>(slots.acquire(10));
  one[0] = two[9] = 'x';
  EXPECT_EQ(show(), "3 2 2 0");
  slots.release(two);
  EXPECT_EQ(show(), "3 1 2 0");
}

TEST(FiguresTest, AreJsonInBothEras) {
  for (const bool modern : {false, true}) {
    SCOPED_TRACE(modern);
    Bench bench(all);
    const SessionId id = open_ready(bench);
    static_cast<void>(bench.server.poll(10));
    bench.server.set_reset_reason(mcp::ResetReason::watchdog);
    const std::string params =
        R"({"uri":"mote://health")" + (modern ? "," + std::string(stateless) : std::string()) + "}";
    const std::string answer = bench.ask(id, request(7, "resources/read", params), 1510);
    for (const char* part :
         {R"("uri":"mote://health","mimeType":"application/json")",
          R"("text":"{\"version\":\"1.2.3\",\"reset\":\"watchdog\",\"uptime_ms\":1500,\"longest_poll_ms\":0)",
          R"(\"messages\":{\"request\":2,\"notification\":1},\"errors\":{},\"refused\":0)",
          R"(\"supply_millivolts\":3300,\"pools\":{\"sessions\":{\"size\":1,\"used\":1,\"high\":1,\"full\":0})",
          R"(\"frames\":{\"size\":2,\"used\":0,\"high\":0,\"full\":0}},\"memory\":{\"log\":{\"size\":256)",
          R"(\"stack\":{\"size\":2048,\"used\":0,\"high\":900,\"full\":0}}})"}) {
      EXPECT_NE(answer.find(part), std::string::npos) << part << "\nin " << answer;
    }
  }
}

TEST(FiguresTest, BodyThatDoesNotFitIsAnError) {
  Bench bench(all, {.transmit_size = 512});
  const SessionId id = open_ready(bench);
  const std::string answer = bench.ask(id, request(7, "resources/read", R"({"uri":"mote://health"})"));
  EXPECT_NE(answer.find("-32603"), std::string::npos) << answer;
  EXPECT_NE(bench.ask(id, request(8, "ping", "{}")).find("\"result\":{}"), std::string::npos);
}

// ---- Optional code ------------------------------------------------------------------------------------------------

constexpr mcp::Resource health_alone[] = {mcp::health_resource()};

mcp::Errc fail_with_own_code(mcp::MethodCall& call) { return call.fail(7, "own"); }
constexpr mcp::Method own_methods[] = {mcp::method<fail_with_own_code>({.name = "x-acme/own"})};

TEST(FiguresTest, CountAServerOfTheLegacyEraAlone) {
  static constexpr mcp::Definition definition{
      .name = "n", .version = "1", .eras = mcp::legacy_era, .resources = health_alone, .methods = own_methods};
  Bench bench(definition);
  SessionId id{};
  std::string first = initialize();
  static_cast<void>(bench.server.receive_first(id, first, bench.server.transmit_buffer(), 0, 1));
  ASSERT_NE(id, SessionId{}) << "as over HTTP";
  bench.ask(id, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  bench.ask(id, request(1, "nope", "{}"));
  EXPECT_NE(bench.ask(id, request(2, "x-acme/own", "{}")).find("7"), std::string::npos);
  EXPECT_EQ(bench.ask(id, R"({"jsonrpc":"2.0","method":"x-acme/own"})"), "");
  auto values = Kept(bench).values;
  EXPECT_EQ(values["messages{request}"], 3U);
  EXPECT_EQ(values["messages{notification}"], 2U);
  EXPECT_EQ(values["errors{-32601}"], 1U);
  EXPECT_EQ(values["errors{other}"], 1U) << "a code of the application";
  EXPECT_EQ(values.count("stale_answers"), 0U);
  EXPECT_EQ(values.count("found_rows_omitted"), 0U);
  const std::string answer = bench.ask(id, request(3, "resources/read", R"({"uri":"mote://health"})"));
  EXPECT_NE(answer.find(R"(\"other\":1})"), std::string::npos) << answer;
}

TEST(FiguresTest, RejectedRequestThatDoesNotFitHasNoKnownCode) {
  Bench bench(all);
  std::string message = request(1, "ping",
                                R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"1999-01-01",)"
                                R"("io.modelcontextprotocol/clientCapabilities":{}}})");
  const SessionId id = open_ready(bench);
  constexpr std::size_t sizes = 120;
  for (std::size_t size = 0; size < sizes; ++size) {
    std::string copy = message;
    static_cast<void>(
        bench.server.receive(id, {copy.data(), copy.size()}, bench.server.transmit_buffer().first(size), 0));
  }
  EXPECT_EQ(errors_of(bench), sizes);
}

int audited = 0;
void keep(const mcp::AuditRecord&) { ++audited; }
void keep_with_caller(const mcp::AuditRecord&, const mcp::Caller&) { ++audited; }

// Sends no input request, but might.
struct AskFails {
  mcp::Step step(mcp::AskContext& context) { return context.done(mcp::Errc::no_space); }
};
constexpr mcp::Tool failing_tools[] = {mcp::job<Fails>({.name = "fails"}), mcp::job<AskFails>({.name = "ask_fails"})};

// The audit of the application gets each record, and each error counts once.
void check_audit(const mcp::Definition& definition, int records) {
  Bench bench(definition);
  const SessionId id = open_ready(bench);
  audited = 0;
  bench.ask(id, request(1, "nope", "{}"));
  EXPECT_EQ(errors_of(bench), 1U);
  const std::string first = "," + std::string(stateless);
  for (const std::string& more : {std::string(), first, R"(,"inputResponses":{})" + first}) {
    for (const char* tool : {"fails", "ask_fails"}) {
      SCOPED_TRACE(tool + more);
      const std::uint64_t before = errors_of(bench);
      const std::string params = R"({"name":")" + std::string(tool) + R"(","arguments":{})" + more + "}";
      std::string answer = bench.ask(id, request(2, "tools/call", params));
      answer += bench.next(id);
      const bool is_error = answer.find("\"error\"") != std::string::npos;
      EXPECT_EQ(errors_of(bench), before + (is_error ? 1 : 0)) << answer;
    }
  }
  EXPECT_EQ(audited, records);
  EXPECT_EQ(Kept(bench).values.count("stale_answers"), 1U);
}

TEST(FiguresTest, CountBesideTheAuditOfTheApplication) {
  static constexpr mcp::Definition none{.name = "n", .version = "1", .tools = failing_tools, .resources = health_alone};
  static constexpr mcp::Definition plain{
      .name = "n", .version = "1", .tools = failing_tools, .resources = health_alone, .audit = keep};
  static constexpr mcp::Definition with_caller{.name = "n",
                                               .version = "1",
                                               .tools = failing_tools,
                                               .resources = health_alone,
                                               .audit = mcp::with_caller<keep_with_caller>};
  check_audit(none, 0);
  check_audit(plain, 12);
  check_audit(with_caller, 12);
}

// The code that sends the log messages of a stateless request runs after the audit.
const mcp::Server* logger = nullptr;
mcp::Errc log_once(mcp::Call& call) {
  logger->log(mcp::LogLevel::error, "motor", "hot");
  return call.result().text("logged");
}
constexpr mcp::Tool logging_tools[] = {mcp::tool<log_once>({.name = "log"})};

void check_logged_audit(mcp::Definition definition, int records) {
  definition.tools = logging_tools;
  for (const auto logging : {mcp::LoggingFlag(true), mcp::LoggingFlag(mcp::LogData::objects)}) {
    definition.logging = logging;
    Bench bench(definition);
    logger = &bench.server;
    audited = 0;
    const SessionId id = bench.server.open(0);
    const std::string meta = std::string(stateless).insert(std::string(stateless).find('{') + 1,
                                                           R"("io.modelcontextprotocol/logLevel":"error",)");
    const std::string answer = bench.ask(id, request(1, "tools/call", R"({"name":"log",)" + meta + "}"));
    EXPECT_LT(answer.find(R"("data":"hot")"), answer.find(R"("text":"logged")")) << answer;
    EXPECT_NE(answer.find(R"("text":"logged")"), std::string::npos) << answer;
    bench.ask(id, request(2, "tools/call", R"({"name":"none",)" + meta + "}"));
    EXPECT_EQ(audited, records);
    if (definition.resources.uses.figures) {
      EXPECT_EQ(errors_of(bench), 1U);
    }
  }
}

TEST(FiguresTest, CountBesideTheAuditAndTheLogOfTheApplication) {
  for (const bool counts : {false, true}) {
    const auto check = [&](mcp::Definition definition, int records) {
      if (counts) definition.resources = health_alone;
      check_logged_audit(definition, records);
    };
    check({.name = "n", .version = "1"}, 0);
    check({.name = "n", .version = "1", .audit = keep}, 2);
    check({.name = "n", .version = "1", .audit = mcp::with_caller<keep_with_caller>}, 2);
  }
}

TEST(FiguresTest, CountRequestsWithoutAScope) {
  static constexpr std::string_view scopes[] = {"read"};
  static constexpr mcp::Resource scoped_rows[] = {mcp::health_resource({.scope = "read"})};
  static constexpr mcp::Definition definition{.name = "n", .version = "1", .resources = scoped_rows, .scopes = scopes};
  Bench bench(definition);
  const SessionId id = open_ready(bench);
  mcp::TransportInfo info(0);
  info.scopes = mcp::Scopes();
  std::string message = request(1, "resources/read", R"({"uri":"mote://health"})");
  static_cast<void>(bench.server.receive(id, message, bench.server.transmit_buffer(), 0, 1, &info));
  EXPECT_EQ(Kept(bench).values["refused"], 1U);
}

mcp::Errc complete(const mcp::CompletionRequest&, mcp::Completions& completions) {
  completions.offer("1");
  return mcp::Errc::ok;
}

TEST(FiguresTest, CountRateLimitedCompletions) {
  static constexpr mcp::ResourceTemplate completed[] = {
      {.uri_template = "pin://{pin}", .name = "pin", .read = read_pin, .complete = complete}};
  static constexpr mcp::Definition definition{
      .name = "n", .version = "1", .resources = health_alone, .resource_templates = completed};
  Bench bench(definition, {.call_burst = 1, .call_interval_ms = 1000});
  const SessionId id = open_ready(bench);
  for (int call = 1; call <= 3; ++call) {
    bench.ask(id,
              request(call, "completion/complete",
                      R"({"ref":{"type":"ref/resource","uri":"pin://{pin}"},"argument":{"name":"pin","value":""}})"));
  }
  EXPECT_EQ(Kept(bench).values["rate_limited"], 2U);
}

TEST(FiguresTest, CountFoundRows) {
  const mcp::Definition& found = *test::find_definition("found_only");
  mcp::Definition definition = [] {
    static constexpr mcp::Definition alone{.name = "n", .version = "1", .resources = health_alone};
    return alone;
  }();
  definition.found_tools = found.found_tools;
  EXPECT_EQ(Kept(Bench(definition)).values.count("found_rows_omitted"), 1U);
  definition.found_resources = found.found_resources;
  EXPECT_EQ(Kept(Bench(definition)).values.count("found_rows_omitted"), 1U);
  definition.found_tools = {};
  EXPECT_EQ(Kept(Bench(definition)).values.count("found_rows_omitted"), 1U);
}

TEST(FiguresTest, UrisOfStatelessSubscriptionsAreInUse) {
  Bench bench(all);
  const SessionId id = open_ready(bench);
  const std::string params =
      R"({"notifications":{"resourceSubscriptions":["pin://1"]},)" + std::string(stateless) + "}";
  const std::string answer = bench.ask(id, request(1, "subscriptions/listen", params));
  EXPECT_EQ(describe(Kept(bench).pools["template_subscriptions"]), "2 1 1 0") << answer;
  EXPECT_EQ(describe(Kept(bench).pools["subscriptions"]), "2 1 1 0");
}

// ---- Mailbox --------------------------------------------------------------------------------------------------------

mcp::JobHandle sleeper;
struct Sleeper {
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) return context.done();
    sleeper = context.handle();
    return context.sleep(1'000'000);
  }
};
constexpr mcp::Tool mailbox_tools[] = {mcp::job<Sleeper>({.name = "sleep"})};
constexpr mcp::Definition with_mailbox{
    .name = "n", .version = "1", .tools = mailbox_tools, .resources = health_alone, .logging = true};

// The memory of a mailbox with two log messages and one job.
struct MailboxParts {
  mcp::detail::SharedWord<> updates[1];
  mcp::detail::WakeSlot<> wakes[1];
  mcp::detail::LogSlot<> logs[2];
  char bytes[2 * 16] = {};
  mcp::detail::MailboxState state{};

  mcp::detail::MailboxView view(const mcp::detail::ServerRequestIds* server) {
    return {.resources = health_alone,
            .updates = updates,
            .wakes = wakes,
            .logs = logs,
            .bytes = bytes,
            .log_size = 16,
            .state = &state,
            .server = server};
  }
};

// Posts fill the slots for log messages, and a poll empties them.
void check_mailbox(const Bench& bench, const mcp::Mailbox& mailbox) {
  EXPECT_EQ(describe(Kept(bench).pools["mailbox_logs"]), "2 0 0 0");
  EXPECT_TRUE(mailbox.log(mcp::LogLevel::info, "a", "1"));
  EXPECT_TRUE(mailbox.log(mcp::LogLevel::info, "a", "2"));
  EXPECT_FALSE(mailbox.log(mcp::LogLevel::info, "a", "3"));
  EXPECT_EQ(describe(Kept(bench).pools["mailbox_logs"]), "2 2 2 0") << "before the server takes them";
  static_cast<void>(bench.server.poll(1));
  EXPECT_EQ(describe(Kept(bench).pools["mailbox_logs"]), "2 0 2 1");
  EXPECT_TRUE(mailbox.log(mcp::LogLevel::info, "a", "1"));
  static_cast<void>(bench.server.poll(2));
  EXPECT_EQ(describe(Kept(bench).pools["mailbox_logs"]), "2 0 2 1") << "the mark stays";
}

// The bench has the address of the mailbox before the mailbox exists.
struct PlainDevice {
  MailboxParts parts;
  Bench bench{with_mailbox, {.jobs = 1, .reserved_for_others = 0, .mailbox = &mailbox}};
  mcp::Mailbox mailbox{parts.view(bench.storage().server_request_ids), nullptr};
};
constinit mcp::TraceRing<1024> ring;
struct TracedDevice {
  MailboxParts parts;
  Bench bench{with_mailbox, {.jobs = 1, .reserved_for_others = 0, .mailbox = &mailbox, .mailbox_trace = true}};
  mcp::TracedMailbox mailbox{parts.view(bench.storage().server_request_ids), nullptr, ring};
};
// The server has the code of a traced mailbox, and gets another one.
struct WrongDevice {
  MailboxParts parts;
  Bench bench{with_mailbox, {.jobs = 1, .mailbox = &mailbox, .mailbox_trace = true}};
  mcp::Mailbox mailbox{parts.view(bench.storage().server_request_ids), nullptr};
};

TEST(FiguresTest, HaveTheSlotsOfAMailbox) {
  PlainDevice device;
  check_mailbox(device.bench, device.mailbox);
}

TEST(FiguresTest, HaveTheSlotsOfATracedMailbox) {
  TracedDevice device;
  ring.begin(1);
  check_mailbox(device.bench, device.mailbox);
  const SessionId id = open_ready(device.bench);
  device.bench.ask(id, request(1, "tools/call", R"({"name":"sleep"})"));
  device.bench.next(id);
  ASSERT_TRUE(sleeper.wake());
  EXPECT_EQ(device.bench.server.poll(3), 0U) << "the trace has the wake, and the job runs";
}

TEST(FiguresDeathTest, MailboxThatIsNotTracedNeedsItsOwnCode) {
  WrongDevice device;
  EXPECT_DEATH(static_cast<void>(device.bench.server.poll(1)), "contract");
}

// ---- Memory and links of a real Storage ---------------------------------------------------------------------------

constexpr mcp::Limits limits{.transmit_size = 2048,
                             .jobs = 1,
                             .tasks = 1,
                             .scheduled_calls = 1,
                             .elicitations = 1,
                             .streams = 1,
                             .subscriptions = 1,
                             .template_subscriptions = 1,
                             .log_size = 64};
constinit mcp::Storage<all, limits> storage;
constinit test::CountingEntropy entropy;
constinit const mcp::Server server{storage, {.entropy = &entropy}};

constexpr mcp::Definition bare{.name = "bare", .version = "1"};
constinit mcp::Storage<bare> bare_storage;
constinit const mcp::Server bare_server{bare_storage};

static_assert(sizeof(mcp::detail::Figures) <= 128 + 8);

TEST(FiguresTest, OnlyAServerWithTheRowHasFigures) {
  EXPECT_TRUE(server.has_figures());
  EXPECT_FALSE(bare_server.has_figures());
  EXPECT_EQ(describe(Kept(server).pools["jobs"]), "1 0 0 0");
}

TEST(FiguresDeathTest, AServerWithoutTheRowHasNone) { EXPECT_DEATH(Kept{bare_server}, "contract"); }

// Nothing but the row. Its mailbox has no log messages.
constexpr mcp::Definition small{.name = "small", .version = "1", .resources = health_alone};
constinit mcp::Storage<small, mcp::Limits{.mailbox = true}> small_storage;
constinit const mcp::Mailbox small_mailbox{small_storage};
constinit const mcp::Server small_server{small_storage, {.mailbox = &small_mailbox}};

TEST(FiguresTest, HaveNothingThatTheDefinitionDoesNotUse) {
  static_cast<void>(small_server.poll(1));
  const Kept figures(small_server);
  ASSERT_EQ(figures.pools.size(), 1U);
  EXPECT_EQ(figures.pools.begin()->first, "sessions");
  for (const char* name : {"logs_lost", "rate_limited", "stale_answers", "frames_full", "found_rows_omitted"}) {
    EXPECT_EQ(figures.values.count(name), 0U) << name;
  }
  EXPECT_TRUE(small_server.is_enabled(health_alone[0])) << "rows cannot be disabled";
}

TEST(FiguresTest, ServerKnowsDisabledResources) {
  EXPECT_TRUE(server.is_enabled(resources[1]));
  server.set_enabled(resources[1], false);
  EXPECT_FALSE(server.is_enabled(resources[1]));
  EXPECT_TRUE(server.is_enabled(resources[0]));
  server.set_enabled(resources[1], true);
  EXPECT_TRUE(server.is_enabled(resources[1]));
}

}  // namespace
