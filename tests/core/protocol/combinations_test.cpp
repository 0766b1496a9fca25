// SPDX-License-Identifier: Apache-2.0
// Each combination of tables, flags, eras and services gets a server with the counts of its Storage, and a few
// requests. A pointer to optional code that is missing, or a pool that is too small, ends the test.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>

#include "mcp/audit.hpp"
#include "mcp/body_stream.hpp"
#include "mcp/job.hpp"
#include "mcp/prompt_input.hpp"
#include "mcp/storage.hpp"
#include "support/bench.hpp"
#include "support/json.hpp"

namespace {

using mcp::AskContext;
using mcp::Call;
using mcp::Errc;
using mcp::JobContext;
using mcp::Millis;
using mcp::SessionId;
using mcp::Step;
using mcp::TaskSupport;
using test::Bench;

struct Word {
  mcp::FixedString<8> word;
};
constexpr auto form = mcp::params(mcp::param<&Word::word>("word"));

Errc work(Call& call) { return call.result().text("done"); }
Errc open_urls(Call& call) {
  constexpr mcp::UrlElicitation urls[] = {{.message = "Sign in.", .url = "https://example.com/", .id = "1"}};
  return call.needs_urls(urls);
}
struct Works {
  Step step(JobContext& context) {
    context.progress(1, 2, "half");
    return context.done(context.result().text("done"));
  }
};
struct AsksAll {
  Step step(AskContext& context) {
    if (context.stop_requested()) return context.done();
    if (context.answer("a").outcome() != mcp::Outcome::none) return context.done(context.result().text("done"));
    static_cast<void>(context.key("a").elicit(form, "A?"));
    return context.key("b").list_roots();
  }
};
struct AsksInSlot : AsksAll {
  static constexpr bool keeps_slot = true;
};

constexpr mcp::Tool plain_rows[] = {mcp::tool<work>({.name = "t"})};
constexpr mcp::Tool client_rows[] = {mcp::tool<open_urls>({.name = "t", .knows_client = true})};
constexpr mcp::Tool job_rows[] = {mcp::job<Works>({.name = "t"})};
constexpr mcp::Tool asking_rows[] = {mcp::job<AsksAll>({.name = "t"})};
constexpr mcp::Tool kept_rows[] = {mcp::job<AsksInSlot, mcp::no_time_limit>({.name = "t", .asks_itself = true})};
constexpr mcp::Tool task_rows[] = {mcp::tool<work>({.name = "t", .task_support = TaskSupport::optional})};
constexpr mcp::Tool job_task_rows[] = {mcp::job<Works>({.name = "t", .task_support = TaskSupport::required})};
constexpr mcp::Tool asking_task_rows[] = {mcp::job<AsksAll>({.name = "t", .task_support = TaskSupport::optional})};
constexpr mcp::Tool first_task_rows[] = {
    mcp::job<AsksAll>({.name = "t", .task_support = TaskSupport::optional, .input_before_task = true})};
constexpr mcp::Table<mcp::Tool> tool_tables[] = {
    {},        plain_rows, client_rows,   job_rows,         asking_rows,
    kept_rows, task_rows,  job_task_rows, asking_task_rows, first_task_rows};

Errc read_row(mcp::ReadResult& out) { return out.text("body"); }
Errc read_template(const mcp::UriVariables&, mcp::ReadResult& out) { return out.text("body"); }
Errc complete(const mcp::CompletionRequest&, mcp::Completions&) { return Errc::ok; }
mcp::Chunk read_stream(std::uint32_t offset, std::span<std::uint8_t> into) {
  if (offset != 0) return mcp::Chunk::end();
  into[0] = 'a';
  return mcp::Chunk::bytes(1);
}
constexpr mcp::Resource resource_rows[] = {{.uri = "test://r", .name = "r", .read = read_row}};
constexpr mcp::Resource subscribable_rows[] = {
    {.uri = "test://r", .name = "r", .read = read_row, .subscribable = true}};
constexpr mcp::Resource stream_rows[] = {
    {.uri = "test://r", .name = "r", .stream = mcp::text_stream(read_stream), .subscribable = true}};
constexpr mcp::Table<mcp::Resource> resource_tables[] = {{}, resource_rows, subscribable_rows, stream_rows};
constexpr mcp::ResourceTemplate template_rows[] = {
    {.uri_template = "test://t/{x}", .name = "t", .read = read_template}};
constexpr mcp::ResourceTemplate operator_rows[] = {
    {.uri_template = "test://t{/x}", .name = "t", .read = read_template, .complete = complete}};
constexpr mcp::Table<mcp::ResourceTemplate> template_tables[] = {{}, template_rows, operator_rows};

Errc get_prompt(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().text("hello"); }
Errc ask_in_prompt(const mcp::PromptArguments&, mcp::AskPromptResult& out) {
  if (out.answer("a").outcome() != mcp::Outcome::none) return out.user().text("hello");
  return out.key("a").elicit(form, "A?");
}
constexpr mcp::Prompt prompt_rows[] = {{.name = "p", .get = get_prompt, .complete = complete}};
constexpr mcp::Prompt asking_prompt_rows[] = {{.name = "p", .get = ask_in_prompt}};
constexpr mcp::Prompt sealed_prompt_rows[] = {{.name = "p", .get = ask_in_prompt, .asks_itself = true}};
constexpr mcp::Table<mcp::Prompt> prompt_tables[] = {{}, prompt_rows, asking_prompt_rows, sealed_prompt_rows};

constexpr mcp::Eras eras[] = {mcp::legacy_era, mcp::modern_era, mcp::dual_era};
constexpr mcp::FeatureFlag flags[] = {false, true};
constexpr mcp::LoggingFlag logs[] = {false, true};
void take_roots(SessionId) {}
constexpr mcp::RootsChanged roots_changed[] = {{}, take_roots};
void take_record(const mcp::AuditRecord&) {}
constexpr mcp::Audit audits[] = {{}, take_record};
constexpr mcp::KeepAlive keep_alives[] = {{}, {1'000, 1'000}};

/// Picks one of several things after the other out of one number.
class Choice {
 public:
  explicit Choice(std::uint64_t number) : number_(number) {}
  std::size_t below(std::size_t count) {
    const auto index = static_cast<std::size_t>(number_ % count);
    number_ /= count;
    return index;
  }
  template <class T, std::size_t N>
  const T& of(const T (&items)[N]) {
    return items[below(N)];
  }

 private:
  std::uint64_t number_;
};

mcp::Definition make_definition(Choice& choice) {
  mcp::Definition made = [] {
    static constexpr mcp::Definition empty{.name = "d", .version = "1"};
    return empty;
  }();
  made.eras = choice.of(eras);
  made.tools = choice.of(tool_tables);
  made.resources = choice.of(resource_tables);
  made.resource_templates = choice.of(template_tables);
  made.prompts = choice.of(prompt_tables);
  made.logging = choice.of(logs);
  made.list_changes = choice.of(flags);
  made.subscriptions = choice.of(flags);
  made.url_elicitations = choice.of(flags);
  made.roots_changed = choice.of(roots_changed);
  made.audit = choice.of(audits);
  made.keep_alive = choice.of(keep_alives);
  return made;
}

/// The sizes that a Storage derives, each part in a heap block of its own.
class Device {
 public:
  explicit Device(std::uint64_t number)
      : choice_(number),
        definition_(make_definition(choice_)),
        limits_{.sessions = 1 + choice_.below(2),
                .jobs = 2,
                .tasks = 2,
                .task_result_size = 512,
                .elicitations = 1,
                .streams = 1,
                .subscriptions = 1,
                .call_burst = choice_.below(2) * 100,
                .call_interval_ms = 1,
                .log_size = 64},
        counts_(definition_, limits_),
        entropy_(choice_.below(2) != 0),
        hmac_(choice_.below(2) != 0),
        bench_(definition_, sizes()) {
    mcp::detail::StorageView storage = bench_.storage();
    if (counts_.log_size == 0) storage.log_state = nullptr;
    if (!counts_.state_key) storage.server_request_ids = ids_.get();
    features_ = mcp::detail::list_features(definition_, limits_);
    capabilities_ = mcp::detail::list_capabilities(definition_);
    storage.links = mcp::detail::link(definition_, limits_, storage.services, features_.items, capabilities_.items);
    server_ = std::make_unique<mcp::Server>(definition_, storage);
  }

  /// Sends the message, and then takes all that the server sends for 5 seconds.
  void tell(SessionId id, const std::string& message, mcp::Channel channel) {
    const std::unique_ptr<char[]> copy(new char[message.size()]);
    std::copy(message.begin(), message.end(), copy.get());
    check(server_->receive(id, {copy.get(), message.size()}, server_->transmit_buffer(), now_, channel));
    for (unsigned i = 0; i < 6; ++i) {
      for (const mcp::Channel each : {channel, mcp::session_channel}) {
        std::string text;
        for (unsigned k = 0; k < 8; ++k) {
          const mcp::Reply reply = server_->transmit(id, server_->transmit_buffer(), now_, each);
          text.append(server_->transmit_buffer().data(), reply.size);
          if (reply.size == 0) break;
          if (reply.status == mcp::Reply::Status::part) continue;
          EXPECT_TRUE(test::parse_json(text)) << text;
          text.clear();
        }
      }
      server_->advance_tasks(now_);
      static_cast<void>(server_->poll(now_));
      now_ += i == 4 ? 130'000 : 1'000;
    }
  }

  void act(SessionId id) {
    if (definition_.logging.on()) server_->log(mcp::LogLevel::error, "l", "text");
    if (definition_.url_elicitations.on()) static_cast<void>(server_->elicitation_completed(id, "1"));
    if (!definition_.resources.rows().empty()) server_->resource_updated(definition_.resources.rows()[0]);
    if (definition_.list_changes.on() && !definition_.tools.rows().empty()) {
      server_->set_enabled(definition_.tools.rows()[0], false);
      server_->set_enabled(definition_.tools.rows()[0], true);
    }
    if (definition_.subscriptions.on()) server_->end_subscriptions();
  }

  void run();

 private:
  [[nodiscard]] test::Sizes sizes() const {
    return {.sessions = limits_.sessions,
            .log = counts_.log_size,
            .jobs = counts_.jobs,
            .job = counts_.job_stride,
            .streams = counts_.streams,
            .subscriptions = counts_.subscriptions,
            .tasks = counts_.tasks,
            .elicitations = counts_.elicitations,
            .call_burst = static_cast<std::uint16_t>(limits_.call_burst),
            .call_interval_ms = limits_.call_interval_ms,
            .seals = hmac_,
            .random = entropy_};
  }
  void check(const mcp::Reply& reply) const {
    if (reply.size == 0) return;
    const std::string text(server_->transmit_buffer().data(), reply.size);
    EXPECT_TRUE(test::parse_json(text)) << text;
  }

  Choice choice_;
  mcp::Definition definition_;
  mcp::Limits limits_;
  mcp::detail::Counts counts_;
  bool entropy_;
  bool hmac_;
  Bench bench_;
  std::unique_ptr<mcp::detail::ServerRequestIds> ids_{new mcp::detail::ServerRequestIds()};
  mcp::detail::FeatureList features_;
  mcp::detail::CapabilityList capabilities_;
  std::unique_ptr<mcp::Server> server_;
  Millis now_ = 0;
};

constexpr struct {
  std::string_view method;
  std::string_view params;  // a brace is missing
} requests[] = {
    {"tools/list", "{"},
    {"tools/call", R"({"name":"t")"},
    {"tools/call", R"({"name":"t","task":{})"},
    {"tools/call", R"({"name":"t","inputResponses":{"a":{"action":"decline"}})"},
    {"tools/call", R"({"name":"t","requestState":"AAAAAAAAAAAAAAAAAAAAAA==")"},
    {"resources/list", "{"},
    {"resources/templates/list", "{"},
    {"resources/read", R"({"uri":"test://r")"},
    {"resources/read", R"({"uri":"test://t/1")"},
    {"resources/subscribe", R"({"uri":"test://r")"},
    {"prompts/list", "{"},
    {"prompts/get", R"({"name":"p")"},
    {"prompts/get", R"({"name":"p","inputResponses":{"a":{"action":"decline"}},"requestState":"AAAA")"},
    {"completion/complete", R"({"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"x","value":""})"},
    {"completion/complete",
     R"({"ref":{"type":"ref/resource","uri":"test://t{/x}"},"argument":{"name":"x","value":""})"},
    {"logging/setLevel", R"({"level":"debug")"},
    {"tasks/list", "{"},
    {"tasks/get", R"({"taskId":"00")"},
    {"subscriptions/listen",
     R"({"notifications":{"toolsListChanged":true,"resourceSubscriptions":["test://r"],"taskIds":["0"]})"},
    {"server/discover", "{"},
    {"ping", "{"},
};
constexpr std::string_view capabilities =
    R"({"elicitation":{},"roots":{"listChanged":true},"extensions":{"io.modelcontextprotocol/tasks":{}}})";

void Device::run() {
  const auto send = [&](SessionId id, std::string_view method, std::string_view params, bool stateless, int number) {
    std::string text = R"({"jsonrpc":"2.0","id":)" + std::to_string(number) + R"(,"method":")" + std::string(method) +
                       R"(","params":)" + std::string(params) + (params.size() > 1 ? "," : "");
    text += R"("_meta":{"progressToken":1)";
    if (stateless) {
      text += R"(,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/logLevel":"debug",)"
              R"("io.modelcontextprotocol/clientCapabilities":)" +
              std::string(capabilities);
    }
    tell(id, text + "}}}", static_cast<mcp::Channel>(number));
    act(id);
  };
  SessionId id;
  const auto begin = [&] {  // after a ping without a response, too
    if (server_->is_open(id)) return;
    id = server_->open(now_);
    tell(id,
         R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":)" +
             std::string(capabilities) + R"(,"clientInfo":{"name":"c","version":"1"}}})",
         1);
    tell(id, R"({"jsonrpc":"2.0","method":"notifications/initialized"})", 1);
  };
  int number = 1;
  begin();
  tell(id, R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})", 1);
  for (const auto& request : requests) {
    begin();
    for (const bool stateless : {false, true}) send(id, request.method, request.params, stateless, ++number);
  }
  tell(id, R"({"jsonrpc":"2.0","id":1000000001,"result":{"action":"decline"}})", 1);
  tell(id, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})", 1);
  server_->cancel(id, 3, now_);
  server_->close(id, now_);
}

TEST(Combinations, HaveAllThatTheirRequestsNeed) {
  std::mt19937_64 random(1);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same each time
  for (unsigned i = 0; i < 400; ++i) {
    const std::uint64_t number = random();
    SCOPED_TRACE(number);
    Device(number).run();
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
