// SPDX-License-Identifier: Apache-2.0
// A third test device: jobs that ask their client, and calls that tasks answer.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "support/device.hpp"

namespace test {
namespace {

constexpr std::string_view outcomes[] = {"none",   "accepted", "declined", "cancelled", "unsupported",    "timed out",
                                         "failed", "invalid",  "no space", "too large", "invalid content"};

std::string_view name_of(mcp::Outcome outcome) { return outcomes[static_cast<std::size_t>(outcome)]; }

// The result of every job here for a missing input response.
mcp::Step say(mcp::AskContext& context) {
  const mcp::Answer& answer = context.answer();
  return context.done(context.result().text(name_of(answer.outcome()), " ", answer.error_code()));
}

bool is_accepted(const mcp::AskContext& context) { return context.answer().outcome() == mcp::Outcome::accepted; }

// ---- Forms -------------------------------------------------------------------------------------------------------

enum class Level : std::uint8_t { low, high };
constexpr auto levels = mcp::choices<Level>({{"low", Level::low}, {"high", Level::high}});

struct Filled {
  mcp::FixedString<16> name;
  std::int32_t age;
  float score;
  bool sure;
  Level level;
  mcp::List<Level, 2> more;
};
constexpr auto filled_form =
    mcp::params(mcp::param<&Filled::name>("name", {.description = "Your name", .default_value = "John Doe"}),
                mcp::param<&Filled::age>("age", {.minimum = 0, .maximum = 150, .default_value = 30}),
                mcp::param<&Filled::score>("score", {.default_value = 95.5F}),
                mcp::param<&Filled::sure>("sure", {.default_value = true}),
                mcp::param<&Filled::level>("level", {.choices = levels}),
                mcp::param<&Filled::more>("more", {.items = {.choices = levels}}));

// Requests input once more if the content is invalid, then stops.
struct Fill {
  std::int32_t asked;
  mcp::Step step(mcp::AskContext& context) {
    if (context.stop_requested()) return context.done();
    if (asked == 0) return ask(context);
    const bool breaks = context.answer().outcome() == mcp::Outcome::invalid_content;
    if (!is_accepted(context) && !breaks) return say(context);
    Filled filled{};
    if (const mcp::Errc errc = context.read_form(filled_form, filled); errc != mcp::Errc::ok) {
      return asked == 1 ? ask(context) : context.done(errc);
    }
    return context.done(context.result().text(filled.name, " ", filled.age, " ", filled.score, " ", filled.sure, " ",
                                              filled.level == Level::high ? "high" : "low", " ", filled.more.size()));
  }
  mcp::Step ask(mcp::AskContext& context) {
    ++asked;
    return context.elicit(filled_form, "Who are you (", asked, ")?");
  }
};

constexpr auto titled_levels = mcp::choices<Level>({{"low", Level::low, "Low"}, {"high", Level::high, "High"}});

struct Titled {
  Level level;
  mcp::List<Level, 2> more;
  std::string_view mail;
};
constexpr auto titled_form = mcp::params(
    mcp::param<&Titled::level>("level", {.title = "Level", .choices = titled_levels, .default_value = Level::high}),
    mcp::param<&Titled::more>("more", {.min_items = 1, .items = {.choices = titled_levels}}),
    mcp::param<&Titled::mail>("mail", {.title = "Mail", .format = mcp::Format::email}));

// A form whose fields and choices have titles.
struct FillTitled {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (!asked) {
      asked = true;
      return context.elicit(titled_form, "Choose.");
    }
    if (!is_accepted(context)) return say(context);
    Titled titled{};
    if (const mcp::Errc errc = context.read_form(titled_form, titled); errc != mcp::Errc::ok) return context.done(errc);
    return context.done(
        context.result().text(titled.level == Level::high ? "high" : "low", " ", titled.more.size(), " ", titled.mail));
  }
};

// Gives back what came for a form, byte for byte.
struct EchoForm {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (!asked) {
      asked = true;
      return context.elicit(titled_form, "Choose.");
    }
    if (!is_accepted(context)) return say(context);
    return context.done(context.result().text(context.answer().content().raw()));
  }
};

constexpr mcp::InputSchema handwritten(
    R"({"type":"object","properties":{"x":{"type":"string","enum":["a"],"enumNames":["A"]}}})");

// A form written by hand, with half a second for the answer.
struct Hand {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (asked) {
      if (!is_accepted(context)) return say(context);
      return context.done(context.result().text(context.answer().content().raw()));
    }
    asked = true;
    return context.timeout(500).elicit(handwritten, "Choose.");
  }
};

constexpr mcp::InputSchema handwritten_list(
    R"({"type":"object","properties":{"type":{"type" : "array","items":{"type":"string","enum":["a"]}}}})");

// A form written by hand that has a list.
struct HandList {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (asked) return say(context);
    asked = true;
    return context.elicit(handwritten_list, "Choose some.");
  }
};

// Its time limit passes before the timeout of its input request.
struct Impatient {
  mcp::Step step(mcp::AskContext& context) {
    if (context.stop_requested()) return context.done();
    // A job that repeats an unsupported input request would be due without a pause.
    const mcp::Outcome outcome = context.answer().outcome();
    if (outcome == mcp::Outcome::unsupported || outcome == mcp::Outcome::no_space) return say(context);
    return context.elicit(handwritten, "Choose.");
  }
};

// Sends an input request that fits in no transmit buffer.
struct Endless {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    static constexpr char text[100'000] = {};
    if (asked) return say(context);
    asked = true;
    return context.elicit(handwritten, std::string_view(text, sizeof text));
  }
};

mcp::SessionId client;  // the client of the URL elicitation

struct Url {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (asked) return say(context);
    asked = true;
    client = context.session();
    return context.elicit_url({.message = "Sign in.", .url = "https://example.com/sign-in", .id = "one"});
  }
};

mcp::Errc needs_urls(mcp::Call& call) {
  client = call.session();
  constexpr mcp::UrlElicitation urls[] = {
      {.message = "Sign in.", .url = "https://example.com/sign-in", .id = "one"},
      {.message = "Pay.", .url = "https://example.com/pay", .id = "two"},
  };
  return call.needs_urls(urls);
}

struct UrlsNeeded {
  mcp::Step step(mcp::JobContext& context) {
    constexpr mcp::UrlElicitation url{.message = "Pay.", .url = "https://example.com/pay", .id = "two"};
    return context.done(context.needs_urls({&url, 1}));
  }
};

// ---- Samples -----------------------------------------------------------------------------------------------------

struct Sample {
  struct Arguments {
    mcp::FixedString<16> how;
  };
  Arguments arguments;
  bool asked;

  mcp::Step step(mcp::AskContext& context) {
    using Context = mcp::Sampling::Context;
    if (asked) {
      const mcp::Answer& answer = context.answer();
      if (!is_accepted(context)) return say(context);
      return context.done(context.result().text(answer.model(), ": ", answer.text(), " (", answer.stop_reason(), ")"));
    }
    asked = true;
    const std::string_view how = arguments.how.view();
    if (how == "this" || how == "all") {
      return context.sample({.max_tokens = 10, .context = how == "all" ? Context::all_servers : Context::this_server},
                            [](mcp::SampleMessages& messages) { static_cast<void>(messages.user().text("Hi.")); });
    }
    constexpr auto hello = [](mcp::SampleMessages& messages) { static_cast<void>(messages.user().text("Hi.")); };
    if (how == "default") return context.sample({}, hello);
    if (how == "plain") return context.sample({.max_tokens = 256}, hello);
    if (how == "cost") {
      return context.sample({.max_tokens = 256, .preferences = {.cost_priority = mcp::Scaled{1, 0}}}, hello);
    }
    if (how == "speed") {
      return context.sample({.max_tokens = 256, .preferences = {.speed_priority = mcp::Scaled{5, 1}}}, hello);
    }
    if (how == "intelligence") {
      return context.sample({.max_tokens = 256, .preferences = {.intelligence_priority = mcp::Scaled{0, 0}}}, hello);
    }
    if (how == "no tools") {
      return context.sample({.max_tokens = 256, .tool_choice = mcp::Sampling::ToolChoice::none}, hello);
    }
    constexpr std::string_view stops[] = {"END", "\n"};
    constexpr std::string_view hints[] = {"small", "smaller"};
    constexpr std::uint8_t bytes[] = {1, 2, 3};
    return context.sample({.max_tokens = 100,
                           .system_prompt = "Be brief.",
                           .temperature = mcp::Scaled{5, 1},
                           .stop_sequences = stops,
                           .preferences = {.hints = hints,
                                           .cost_priority = mcp::Scaled{1, 0},
                                           .speed_priority = mcp::Scaled{5, 1},
                                           .intelligence_priority = mcp::Scaled{0, 0}}},
                          [&](mcp::SampleMessages& messages) {
                            static_cast<void>(messages.user().text("What is this?"));
                            static_cast<void>(messages.user().image(bytes, "image/png"));
                            static_cast<void>(messages.assistant().audio(bytes, "audio/wav"));
                            messages.tool_use("past", "look", R"({"at":"it"})", "a ", 1);
                          });
  }
};
constexpr auto sample_params = mcp::params(mcp::param<&Sample::Arguments::how>("how"));

struct Look {
  std::string_view at;
};
mcp::Errc look(const Look& arguments, mcp::Call& call) { return call.result().text("at ", arguments.at); }
constexpr auto look_params = mcp::params(mcp::param<&Look::at>("at"));
constexpr mcp::Tool sample_tools[] = {mcp::tool<look>({.name = "look", .description = "Looks."}, look_params)};

// Lets the model use tools twice, and no more often.
struct Loop {
  std::int32_t turns;
  mcp::Step step(mcp::AskContext& context) {
    constexpr mcp::Sampling sampling{
        .max_tokens = 50, .tools = sample_tools, .tool_choice = mcp::Sampling::ToolChoice::automatic};
    if (turns == 0) {
      ++turns;
      return context.sample(sampling,
                            [](mcp::SampleMessages& messages) { static_cast<void>(messages.user().text("Look.")); });
    }
    const mcp::Answer& answer = context.answer();
    if (!is_accepted(context)) return say(context);
    if (answer.stop_reason() != "toolUse") return context.done(context.result().text(answer.text()));
    if (turns == 2) return context.done(context.fail("The model wants no end of tools."));
    ++turns;
    return context.sample(sampling, [&](mcp::SampleMessages& messages) {
      static_cast<void>(messages.user().text("Look."));
      messages.tool_turn(answer, [](const mcp::ToolUses& use, mcp::ToolResult& result) {
        if (use.name() != "look") return static_cast<void>(result.text("no tool ", use.name())), mcp::Errc::failed;
        return result.text("at ", mcp::json::find_member(use.input(), "at").string());
      });
    });
  }
};

// ---- Roots -------------------------------------------------------------------------------------------------------

int roots_changes = 0;
void count_roots_change(mcp::SessionId) { ++roots_changes; }
mcp::Errc tell_roots_changes(mcp::Call& call) { return call.result().text(roots_changes); }

struct ListRoots {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (!asked) {
      asked = true;
      return context.list_roots();
    }
    if (!is_accepted(context)) return say(context);
    for (mcp::Roots roots(context.answer()); roots.next();) {
      const mcp::Errc errc = context.result().text(roots.uri(), " ", roots.name());
      if (errc != mcp::Errc::ok) return context.done(errc);
    }
    return context.done();
  }
};

// ---- Tasks -------------------------------------------------------------------------------------------------------

int stopped = 0;
mcp::Errc tell_stopped(mcp::Call& call) { return call.result().text(stopped); }

// Takes 100 ms, then does the requested action.
struct Slow {
  struct Arguments {
    mcp::FixedString<16> how;
  };
  Arguments arguments;
  bool slept;
  mcp::Step step(mcp::AskContext& context) {
    const std::string_view how = arguments.how.view();
    if (context.stop_requested()) {
      ++stopped;
      return context.done();
    }
    if (!slept) {
      slept = true;
      context.progress(1, 2, "sleeping");
      return context.sleep(100);
    }
    if (context.answer().outcome() != mcp::Outcome::none) {
      return is_accepted(context) ? context.done(context.result().text("chosen")) : say(context);
    }
    if (how == "ask") return context.timeout(1000).elicit(handwritten, "Choose.");
    if (how == "fail") return context.done(context.fail("It failed."));
    if (how == "pay") {
      constexpr mcp::UrlElicitation url{.message = "Pay.", .url = "https://example.com/pay", .id = "two"};
      return context.done(context.needs_urls({&url, 1}));
    }
    if (how == "large") {
      mcp::Errc errc = mcp::Errc::ok;
      while (errc == mcp::Errc::ok) errc = context.result().text("0123456789012345678901234567890123456789");
      return context.done(errc);
    }
    return context.done(context.result().text("slept"));
  }
};
constexpr auto slow_params = mcp::params(mcp::param<&Slow::Arguments::how>("how"));

mcp::Errc quick(mcp::Call& call) { return call.result().text("at once"); }

// ---- Audit -------------------------------------------------------------------------------------------------------

std::string trail;
void keep_trail(const mcp::AuditRecord& record) {
  constexpr std::string_view names[] = {"ok", "failed", "error", "later", "cancelled", "asks"};
  if (record.client == mcp::SessionId{}) trail += "nobody ";
  trail.append(record.method).append(" ").append(record.subject).append(" ");
  trail += names[static_cast<std::size_t>(record.outcome)];
  if (record.error_code != 0) trail += std::to_string(record.error_code);
  if (record.duration_ms != 0) trail += " after " + std::to_string(record.duration_ms);
  trail += "; ";
}

constexpr auto optional = mcp::TaskSupport::optional;
constexpr mcp::Tool tools[] = {
    mcp::job<Fill>({.name = "fill"}),
    mcp::job<Hand>({.name = "hand"}),
    mcp::job<HandList>({.name = "hand_list"}),
    mcp::job<FillTitled>({.name = "fill_titled"}),
    mcp::job<EchoForm>({.name = "echo_form"}),
    mcp::job<Impatient, 1000>({.name = "impatient"}),
    mcp::job<Endless>({.name = "endless"}),
    mcp::job<Url>({.name = "url"}),
    mcp::tool<needs_urls>({.name = "needs_urls"}),
    mcp::job<UrlsNeeded>({.name = "job_needs_urls"}),
    mcp::job<Sample>({.name = "sample"}, sample_params),
    mcp::job<Loop>({.name = "loop"}),
    mcp::job<ListRoots, 90'000>({.name = "roots"}),
    mcp::tool<tell_roots_changes>({.name = "roots_changes"}),
    mcp::job<Slow>({.name = "slow", .task_support = optional}, slow_params),
    mcp::job<Slow, 500>({.name = "required", .task_support = mcp::TaskSupport::required}, slow_params),
    mcp::tool<quick>({.name = "quick", .task_support = optional}),
    mcp::tool<tell_stopped>({.name = "stopped"}),
};

}  // namespace

constexpr mcp::Definition input_requests{.name = "input_requests",
                                         .version = "0",
                                         .tools = tools,
                                         .url_elicitations = true,
                                         .roots_changed = count_roots_change,
                                         .audit = keep_trail,
                                         .keep_alive = {60'000, 5'000}};

namespace {

// As in an application: the compiler checks the limits against all tables.
constexpr mcp::Limits limits{.jobs = 1, .tasks = 1, .elicitations = 1};
class NoEntropy : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t>) override { return false; }
};
constinit NoEntropy entropy;
constinit mcp::Storage<input_requests, limits> storage;
[[maybe_unused]] constinit mcp::Server server_of_an_application{storage, {.entropy = &entropy}};

}  // namespace

bool act_on_input_requests(mcp::Server& server, std::string_view action) {
  if (action == "forget") {
    roots_changes = stopped = 0;
    trail.clear();
    return true;
  }
  constexpr std::string_view told = "trail ";
  if (action.starts_with(told)) {
    EXPECT_EQ(trail, std::string(action.substr(told.size())) + " ");
    trail.clear();
    return true;
  }
  constexpr std::string_view complete = "complete ";
  constexpr std::string_view refuse = "refuse to complete ";
  if (action.starts_with(complete)) return server.elicitation_completed(client, action.substr(complete.size()));
  if (action.starts_with(refuse)) return !server.elicitation_completed(client, action.substr(refuse.size()));
  return false;
}

}  // namespace test
