// SPDX-License-Identifier: Apache-2.0
#include "simulator/application.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "mcp/prompt_input.hpp"

namespace sim {

Device device;

namespace {

// ---- Tools -------------------------------------------------------------------------------------------------------

constexpr std::string_view padding =
    "................................................................................................................"
    "................................................................................................................"
    "................................................................................................................";

// Each call has a token of its own.
void note_run(std::string_view token) {
  if (++device.runs[std::string(token)] > 1 && device.runs_once) ADD_FAILURE() << "a call ran twice: " << token;
}

struct SimEcho {
  std::string_view token;
  std::int32_t pad;
};
constexpr auto echo_params =
    mcp::params(mcp::param<&SimEcho::token>("label"), mcp::param<&SimEcho::pad>("pad", {.minimum = 0, .maximum = 300}));
mcp::Errc echo(const SimEcho& arguments, mcp::Call& call) {
  note_run(arguments.token);
  return call.result().text(arguments.token, padding.substr(0, static_cast<std::size_t>(arguments.pad)));
}

// A number that distinguishes a call from all others.
using SimName = mcp::FixedString<24>;

// The last word of a job: what became of its call is known to the device.
mcp::Step finish(mcp::JobContext& context, const SimName& token, mcp::Errc errc) {
  Fate& fate = device.fates[std::string(token.view())];
  (context.stop_requested() ? fate.ended : fate.done) = true;
  return context.done(errc);
}

void report(mcp::JobContext& context, const SimName& token, std::uint32_t progress, std::uint32_t total) {
  device.fates[std::string(token.view())].progress = progress;
  context.progress(progress, total, "counting");
}

// Counts to `to`, `pause` ms for each.
struct SimCount {
  struct Arguments {
    SimName token;
    std::int32_t to;
    std::int32_t pause;
    bool reconnect;
  };
  Arguments arguments;
  std::int32_t at;
  mcp::Step step(mcp::JobContext& context) {
    if (at == 0) note_run(arguments.token.view());
    if (context.stop_requested() || at == arguments.to)
      return finish(context, arguments.token, context.result().text(arguments.token, " counted to ", at));
    report(context, arguments.token, static_cast<std::uint32_t>(++at), static_cast<std::uint32_t>(arguments.to));
    if (at == 2) device.log(arguments.token.view());
    if (arguments.reconnect && at == 1) context.reconnect(500);
    return context.sleep(static_cast<mcp::Millis>(arguments.pause));
  }
};
constexpr auto count_params =
    mcp::params(mcp::param<&SimCount::Arguments::token>("label"),
                mcp::param<&SimCount::Arguments::to>("to", {.minimum = 0, .maximum = 100}),
                mcp::param<&SimCount::Arguments::pause>("pause", {.minimum = 0, .maximum = 60'000}),
                mcp::param<&SimCount::Arguments::reconnect>("reconnect", {.default_value = false}));

struct SimWord {
  mcp::FixedString<16> word;
};
constexpr auto word_form = mcp::params(mcp::param<&SimWord::word>("word"));

std::string_view word_of(mcp::Outcome outcome) {
  constexpr std::string_view words[] = {"none",   "accepted", "declined", "cancelled", "unsupported",    "timed out",
                                        "failed", "invalid",  "no space", "too large", "invalid content"};
  return words[static_cast<std::size_t>(outcome)];
}

struct SimToken {
  SimName token;
};
constexpr auto token_params = mcp::params(mcp::param<&SimToken::token>("label"));

bool is_missing(const mcp::Answer& answer) { return answer.outcome() == mcp::Outcome::none; }

// Requests a word. The input request names the call.
struct SimAsk {
  using Arguments = SimToken;
  Arguments arguments;
  mcp::Step step(mcp::AskContext& context) {
    const mcp::Answer answer = context.answer("word");
    if (is_missing(answer) && !context.stop_requested())
      return context.timeout(20'000).key("word").elicit(word_form, "A word for ", arguments.token, "?");
    SimWord filled{};
    if (answer.outcome() == mcp::Outcome::accepted) static_cast<void>(context.read_form(answer, word_form, filled));
    return finish(context, arguments.token,
                  context.result().text(arguments.token, " ", word_of(answer.outcome()), " ", filled.word));
  }
};

// The same in its slot, where states travel otherwise.
struct SimAskHeld : SimAsk {
  static constexpr bool keeps_slot = true;
};

// Asks the client's model.
struct SimSample {
  using Arguments = SimToken;
  Arguments arguments;
  mcp::Step step(mcp::AskContext& context) {
    const mcp::Answer answer = context.answer("word");
    if (is_missing(answer) && !context.stop_requested()) {
      return context.timeout(20'000).key("word").sample({.max_tokens = 8}, [&](mcp::SampleMessages& messages) {
        static_cast<void>(messages.user().text("A word for ", arguments.token, "?"));
      });
    }
    return finish(context, arguments.token,
                  context.result().text(arguments.token, " ", word_of(answer.outcome()), " ", answer.text()));
  }
};

// Requests two inputs: in one step, or one after the other.
struct SimAskBoth {
  using Arguments = SimToken;
  Arguments arguments;
  SimWord word;
  std::uint8_t roots;
  mcp::Outcome of_word;
  mcp::Outcome of_roots;
  mcp::Step step(mcp::AskContext& context) {
    const mcp::Answer said = context.answer("word");
    const mcp::Answer listed = context.answer("roots");
    if (!is_missing(said)) {
      of_word = said.outcome();
      if (of_word == mcp::Outcome::accepted) static_cast<void>(context.read_form(said, word_form, word));
    }
    if (!is_missing(listed)) {
      of_roots = listed.outcome();
      for (mcp::Roots list(listed); of_roots == mcp::Outcome::accepted && list.next();) ++roots;
    }
    if (context.stop_requested() || (of_word != mcp::Outcome::none && of_roots != mcp::Outcome::none)) {
      return finish(context, arguments.token,
                    context.result().text(arguments.token, " ", word_of(of_word), " ", word.word, " ",
                                          word_of(of_roots), " ", roots));
    }
    if (of_word == mcp::Outcome::none) {
      const mcp::Step step = context.timeout(20'000).key("word").elicit(word_form, "A word for ", arguments.token, "?");
      if (of_roots != mcp::Outcome::none) return step;
    }
    return context.timeout(20'000).key("roots").list_roots();
  }
};

// Takes `pause` ms.
struct SimWork {
  struct Arguments {
    SimName token;
    std::int32_t pause;
  };
  Arguments arguments;
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (!slept) note_run(arguments.token.view());
    if (slept || context.stop_requested())
      return finish(context, arguments.token, context.result().text(arguments.token, " worked"));
    slept = true;
    report(context, arguments.token, 1, 2);
    return context.sleep(static_cast<mcp::Millis>(arguments.pause));
  }
};
constexpr auto work_params =
    mcp::params(mcp::param<&SimWork::Arguments::token>("label"),
                mcp::param<&SimWork::Arguments::pause>("pause", {.minimum = 0, .maximum = 60'000}));

mcp::Errc switched(mcp::Call& call) { return call.result().text("on"); }

mcp::Errc log_once(const SimToken& arguments, mcp::Call& call) {
  note_run(arguments.token.view());
  device.log(arguments.token.view());
  return call.result().text("logged");
}

struct SimRow {
  std::int32_t row;
};
constexpr auto row_params = mcp::params(mcp::param<&SimRow::row>("row", {.minimum = 0, .maximum = 2}));
mcp::Errc change(const SimRow& arguments, mcp::Call& call) {
  device.change(static_cast<std::size_t>(arguments.row));
  return call.result().text("changed");
}
mcp::Errc toggle(const SimRow& arguments, mcp::Call& call) {
  device.toggle(static_cast<std::size_t>(arguments.row));
  return call.result().text("toggled");
}

constexpr auto may = mcp::TaskSupport::optional;
constexpr mcp::Tool tools[] = {
    mcp::tool<switched>({.name = "switched"}),
    mcp::tool<echo>({.name = "echo"}, echo_params),
    mcp::job<SimCount>({.name = "count"}, count_params),
    mcp::job<SimAsk>({.name = "ask", .asks_itself = true}, token_params),
    mcp::job<SimAskHeld, mcp::no_time_limit>({.name = "ask_held"}, token_params),
    mcp::job<SimAskBoth>({.name = "ask_both"}, token_params),
    mcp::job<SimSample>({.name = "sample"}, token_params),
    mcp::job<SimWork>({.name = "work", .task_support = may}, work_params),
    mcp::job<SimAsk>({.name = "work_asking", .task_support = may}, token_params),
    mcp::tool<log_once>({.name = "log"}, token_params),
    mcp::tool<change>({.name = "change"}, row_params),
    mcp::tool<toggle>({.name = "toggle"}, row_params),
};

// ---- Resources ---------------------------------------------------------------------------------------------------

mcp::Errc read_0(mcp::ReadResult& out) { return out.number(device.values[0]); }
mcp::Errc read_1(mcp::ReadResult& out) { return out.number(device.values[1]); }
mcp::Errc read_2(mcp::ReadResult& out) { return out.number(device.values[2]); }

mcp::Chunk read_large(std::uint32_t offset, std::span<std::uint8_t> into) {
  if (device.fails_in != 0 && --device.fails_in == 0) return mcp::Chunk::failed(mcp::Errc::unavailable);
  if (++device.reads % 37 == 0) return mcp::Chunk::not_ready(device.reads % 50);
  if (offset == large_size) return mcp::Chunk::end();
  const std::size_t size = std::min<std::size_t>(into.size(), large_size - offset);
  for (std::size_t i = 0; i < size; ++i)
    into[i] = static_cast<std::uint8_t>(large_byte(offset + static_cast<std::uint32_t>(i)));
  return mcp::Chunk::bytes(size);
}

mcp::Errc read_item(const mcp::UriVariables& variables, mcp::ReadResult& out) {
  return out.text("item ", variables["id"]);
}

mcp::Errc read_switched(mcp::ReadResult& out) { return out.text("on"); }

constexpr mcp::Resource resources[] = {
    {.uri = "sim://0", .name = "0", .read = read_0, .subscribable = true},
    {.uri = "sim://1", .name = "1", .read = read_1, .subscribable = true},
    {.uri = "sim://2", .name = "2", .read = read_2, .subscribable = true},
    {.uri = "sim://large", .name = "large", .stream = mcp::text_stream(read_large)},
    {.uri = "sim://switched", .name = "switched", .read = read_switched},
};
constexpr mcp::ResourceTemplate resource_templates[] = {
    {.uri_template = "sim://item/{id}", .name = "item", .read = read_item}};

// ---- Prompts -----------------------------------------------------------------------------------------------------

mcp::Errc greet(const mcp::PromptArguments& arguments, mcp::PromptResult& out) {
  return out.user().text("Greet ", arguments["label"]);
}
mcp::Errc ask_greet(const mcp::PromptArguments& arguments, mcp::AskPromptResult& out) {
  const mcp::Answer said = out.answer("word");
  if (is_missing(said)) return out.key("word").elicit(word_form, "A word for ", arguments["label"], "?");
  SimWord filled{};
  if (said.outcome() == mcp::Outcome::accepted) static_cast<void>(out.read_form(said, word_form, filled));
  return out.user().text("Greet ", arguments["label"], " ", word_of(said.outcome()), " ", filled.word);
}
mcp::Errc complete_token(const mcp::CompletionRequest& request, mcp::Completions& completions) {
  completions.offer(request.value());
  return mcp::Errc::ok;
}
constexpr mcp::PromptArgument greet_arguments[] = {{.name = "label", .required = true}};
constexpr mcp::Prompt prompts[] = {
    {.name = "greet", .arguments = greet_arguments, .get = greet, .complete = complete_token},
    {.name = "ask", .arguments = greet_arguments, .get = ask_greet},
    {.name = "switched", .arguments = greet_arguments, .get = greet},
};

}  // namespace

constexpr std::size_t job_size = mcp::detail::largest_job(tools);

constexpr mcp::Definition application{.name = "sim",
                                      .version = "0",
                                      .tools = tools,
                                      .resources = resources,
                                      .resource_templates = resource_templates,
                                      .prompts = prompts,
                                      .logging = true,
                                      .list_changes = true,
                                      .subscriptions = true,
                                      .keep_alive = {120'000, 30'000}};

void Device::change(std::size_t row) {
  ++values[row];
  server->resource_updated(resources[row]);
}

void Device::toggle(std::size_t what) {
  enabled[what] = !enabled[what];
  switch (what) {
    case 0: return server->set_enabled(tools[0], enabled[0]);
    case 1: return server->set_enabled(resources[4], enabled[1]);
    default: return server->set_enabled(prompts[2], enabled[2]);
  }
}

void Device::log(std::string_view whose) {
  const std::string text = std::to_string(++logged) + (whose.empty() ? "" : " ") + std::string(whose);
  server->log(mcp::LogLevel::info, "sim", text);
}

}  // namespace sim
