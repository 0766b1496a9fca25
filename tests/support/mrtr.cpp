// SPDX-License-Identifier: Apache-2.0
// A device whose jobs and prompt ask clients without a session in every way that there is, and others as well.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "mcp/server.hpp"
#include "support/device.hpp"

namespace test {
namespace {

constexpr std::string_view mrtr_outcomes[] = {"none",        "accepted",  "declined",       "cancelled",
                                              "unsupported", "timed out", "failed",         "invalid",
                                              "no space",    "too large", "invalid content"};
std::string_view word_for(const mcp::Answer& answer) {
  return mrtr_outcomes[static_cast<std::size_t>(answer.outcome())];
}

bool lacks(const mcp::Answer& answer) {
  return answer.outcome() == mcp::Outcome::none || answer.outcome() == mcp::Outcome::invalid ||
         answer.outcome() == mcp::Outcome::invalid_content;
}

struct RoundName {
  mcp::FixedString<8> name;
};
constexpr auto mrtr_form = mcp::params(mcp::param<&RoundName::name>("name"));
constexpr mcp::UrlElicitation mrtr_page{.message = "Sign in.", .url = "https://example.com/", .id = "one"};

void greet(mcp::SampleMessages& messages) { static_cast<void>(messages.user().text("Greet.")); }

// Requests a name until it has one, at most twice, and returns how it was called.
struct Greet {
  struct Arguments {
    std::int32_t times;
    mcp::FixedString<8> how;
  };
  Arguments arguments;
  std::uint8_t asked;
  mcp::Step step(mcp::AskContext& context) {
    const mcp::Answer answer = context.answer("who");
    RoundName filled{};
    if (answer.outcome() == mcp::Outcome::accepted && context.read_form(answer, mrtr_form, filled) == mcp::Errc::ok) {
      return context.done(context.result().text("Hello ", filled.name, " ", arguments.times, " ", arguments.how, "."));
    }
    if (asked == 2 || (!lacks(answer) && answer.outcome() != mcp::Outcome::accepted)) {
      return context.done(context.fail("No name: ", word_for(answer)));
    }
    ++asked;
    return context.timeout(1000).key("who").elicit(mrtr_form, "Who (", asked, ")?");
  }
};
constexpr auto greet_params = mcp::params(mcp::param<&Greet::Arguments::times>("times", {.default_value = 1}),
                                          mcp::param<&Greet::Arguments::how>("how", {.default_value = "well"}));

// Asks everything that it lacks, in each step.
struct Everything {
  RoundName user;
  mcp::FixedString<16> greeting;
  std::uint8_t roots;
  std::uint8_t has;  // bits
  mcp::Step step(mcp::AskContext& context) {
    const mcp::Answer answers[] = {context.answer("user"), context.answer("greeting"), context.answer("roots"),
                                   context.answer("page")};
    for (std::size_t i = 0; i < std::size(answers); ++i) {
      if (answers[i].outcome() != mcp::Outcome::accepted) {
        if (!lacks(answers[i])) return context.done(context.fail("No answer ", i, ": ", word_for(answers[i])));
        continue;
      }
      has = static_cast<std::uint8_t>(has | 1U << i);
      if (i == 0 && context.read_form(answers[i], mrtr_form, user) != mcp::Errc::ok)
        return context.done(mcp::Errc::failed);
      if (i == 1) greeting.assign(answers[i].text());
      for (mcp::Roots list(answers[i]); i == 2 && list.next();) ++roots;
    }
    if (has == 15) return context.done(context.result().text(greeting, " ", user.name, " ", roots));
    mcp::Step next = context.again();
    if ((has & 1) == 0) next = context.key("user").elicit(mrtr_form, "Who?");
    if ((has & 2) == 0) next = context.key("greeting").sample({.max_tokens = 10}, greet);
    if ((has & 4) == 0) next = context.key("roots").list_roots();
    if ((has & 8) == 0) next = context.key("page").elicit_url(mrtr_page);
    return next;
  }
};

// The job sees for each input request whether the client supports it.
struct TellOutcomes {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (asked) {
      return context.done(context.result().text(word_for(context.answer()), ", ", word_for(context.answer("user")),
                                                ", ", word_for(context.answer("greeting")), ", ",
                                                word_for(context.answer("other"))));
    }
    asked = true;
    static_cast<void>(context.key("user").elicit(mrtr_form, "Who?"));
    return context.key("greeting").sample({.max_tokens = 10}, greet);
  }
};

int held = 0;  // calls that have something switched on
mcp::Errc tell_held(mcp::Call& call) { return call.result().text(held); }

struct Hold {
  static constexpr bool keeps_slot = true;
  bool on;
  mcp::Step step(mcp::AskContext& context) {
    if (!on) {
      if (context.stop_requested()) return context.done();
      on = true;
      ++held;
      return context.timeout(500).elicit(mrtr_form, "Hold?");
    }
    --held;
    return context.done(context.result().text(word_for(context.answer())));
  }
};

// Sleeps between its input requests, and reports progress.
struct SlowRounds {
  std::uint8_t at;
  mcp::Step step(mcp::AskContext& context) {
    if (context.stop_requested()) return context.done();
    switch (at++) {
      case 0: return context.timeout(60'000).elicit(mrtr_form, "First?");
      case 1: context.progress(1, 2, "half"); return context.sleep(100);
      case 2: return context.elicit(mrtr_form, "Second?");
      default: return context.done(context.result().text(word_for(context.answer())));
    }
  }
};

// Sends one input request that fits in no transmit buffer, and one that fits.
struct TooLong {
  struct Arguments {
    bool both;
  };
  Arguments arguments;
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    static constexpr char text[100'000] = {};
    if (asked) {
      return context.done(
          context.result().text(word_for(context.answer("long")), ", ", word_for(context.answer("short"))));
    }
    asked = true;
    mcp::Step next = context.key("long").elicit(mrtr_form, std::string_view(text, sizeof text));
    if (arguments.both) next = context.key("short").elicit(mrtr_form, "Short?");
    return next;
  }
};
constexpr auto too_long_params = mcp::params(mcp::param<&TooLong::Arguments::both>("both"));

// Acts on what the user agrees to, as soon as there is an answer: to a form and to a URL.
struct Consent {
  mcp::Step step(mcp::AskContext& context) {
    const mcp::Answer answers[] = {context.answer(), context.answer("sure"), context.answer("page")};
    const bool any = answers[0].outcome() != mcp::Outcome::none || answers[1].outcome() != mcp::Outcome::none ||
                     answers[2].outcome() != mcp::Outcome::none;
    if (context.stop_requested() || any) {
      return context.done(
          context.result().text(word_for(answers[0]), ", ", word_for(answers[1]), ", ", word_for(answers[2])));
    }
    static_cast<void>(context.key("sure").elicit(mrtr_form, "Sure?"));
    return context.key("page").elicit_url(mrtr_page);
  }
};
struct HeldConsent : Consent {
  static constexpr bool keeps_slot = true;
};

// Runs for a second without an input request.
struct Nap {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (slept || context.stop_requested()) return context.done(context.result().text("slept"));
    slept = true;
    return context.sleep(1000);
  }
};

struct NeedsSampling {
  mcp::Step step(mcp::JobContext& context) {
    return context.done(context.needs_client(mcp::ClientCapability::sampling_tools));
  }
};

struct Needs {
  std::int32_t what;
};
constexpr auto needs_params = mcp::params(mcp::param<&Needs::what>("what"));
mcp::Errc needs(const Needs& arguments, mcp::Call& call) {
  const auto capability = static_cast<mcp::ClientCapability>(arguments.what);
  if (const mcp::Errc errc = call.needs_client(capability); errc != mcp::Errc::ok) return errc;
  return call.result().text("can ", call.client_can(capability));
}

std::string mrtr_trail;
void keep_mrtr_trail(const mcp::AuditRecord& record) {
  constexpr std::string_view names[] = {"ok", "failed", "error", "later", "cancelled", "asks"};
  mrtr_trail.append(record.subject).append(" ").append(names[static_cast<std::size_t>(record.outcome)]);
  if (record.error_code != 0) mrtr_trail += std::to_string(record.error_code);
  mrtr_trail += "; ";
}

constexpr mcp::Tool tools[] = {
    mcp::job<Greet>({.name = "greet"}, greet_params),
    mcp::job<Greet>({.name = "salute"}, greet_params),
    mcp::job<Everything>({.name = "everything"}),
    mcp::job<TellOutcomes>({.name = "outcomes"}),
    mcp::job<Hold, mcp::no_time_limit>({.name = "hold"}),
    mcp::job<Hold, 300>({.name = "hold_shortly"}),
    mcp::job<Hold, 2000>({.name = "hold_with_time"}),
    mcp::job<SlowRounds>({.name = "slow"}),
    mcp::job<SlowRounds, 1000>({.name = "hurried"}),
    mcp::job<TooLong>({.name = "too_long"}, too_long_params),
    mcp::job<Consent>({.name = "trusts_any_answer"}),
    mcp::job<Consent>({.name = "asks_itself", .asks_itself = true}),
    mcp::job<HeldConsent, mcp::no_time_limit>({.name = "asks_itself_and_waits", .asks_itself = true}),
    mcp::job<Nap>({.name = "nap"}),
    mcp::job<NeedsSampling>({.name = "needs_sampling"}),
    mcp::tool<needs>({.name = "needs"}, needs_params),
    mcp::tool<tell_held>({.name = "held"}),
};

mcp::Errc ask_in_prompt(const mcp::PromptArguments&, mcp::AskPromptResult& out) {
  const mcp::Answer answer = out.answer("topic");
  if (answer.outcome() == mcp::Outcome::unsupported) return out.user().text("Anything.");
  RoundName filled{};
  if (answer.outcome() == mcp::Outcome::accepted) {
    if (const mcp::Errc errc = out.read_form(answer, mrtr_form, filled); errc != mcp::Errc::ok) return errc;
    return out.user().text("About ", filled.name, ", ", word_for(out.answer("more")));
  }
  if (!lacks(answer)) return out.assistant().text("Nothing: ", word_for(answer));
  static_cast<void>(out.key("topic").elicit(mrtr_form, "What about?"));
  return out.key("more").sample({.max_tokens = 10}, greet);
}

mcp::Errc ask_all_in_prompt(const mcp::PromptArguments& arguments, mcp::AskPromptResult& out) {
  static constexpr char text[100'000] = {};
  const std::string_view what = arguments["what"];
  if (what == "consent") {
    const mcp::Answer answer = out.answer("yes");
    if (answer.outcome() == mcp::Outcome::none) return out.key("yes").elicit(mrtr_form, "Sure?");
    return out.fail_input(answer, "There is no ", what, ".");
  }
  if (what == "roots") return out.list_roots();
  if (what == "url") return out.elicit_url(mrtr_page);
  return out.elicit(mrtr_form, std::string_view(text, sizeof text));
}
constexpr mcp::PromptArgument what_argument[] = {{.name = "what", .required = true}};

constexpr mcp::Prompt prompts[] = {
    {.name = "asks", .get = ask_in_prompt},
    {.name = "asks_all", .arguments = what_argument, .get = ask_all_in_prompt},
    {.name = "asks_itself", .get = ask_in_prompt, .asks_itself = true},
    {.name = "asks_itself_of", .arguments = what_argument, .get = ask_all_in_prompt, .asks_itself = true},
};

}  // namespace

constexpr mcp::Definition mrtr{
    .name = "mrtr", .version = "0", .tools = tools, .prompts = prompts, .audit = keep_mrtr_trail};

bool act_on_mrtr(std::string_view action) {
  constexpr std::string_view told = "mrtr trail ";
  if (action == "forget mrtr") {
    held = 0;
    mrtr_trail.clear();
    return true;
  }
  if (!action.starts_with(told)) return false;
  EXPECT_EQ(mrtr_trail, std::string(action.substr(told.size())) + " ");
  mrtr_trail.clear();
  return true;
}

namespace {

// As in an application: the compiler checks the limits against all tables.
constexpr mcp::Limits mrtr_limits{.jobs = 1};
class NoRoundEntropy : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t>) override { return false; }
};
class NoHmac : public mcp::Hmac {
  void do_start(std::span<const std::uint8_t, size>) override {}
  void do_update(std::span<const std::uint8_t>) override {}
  bool do_finish(std::span<std::uint8_t, size>) override { return false; }
};
constinit NoRoundEntropy no_entropy;
constinit NoHmac no_hmac;
constinit mcp::Storage<mrtr, mrtr_limits> mrtr_storage;
[[maybe_unused]] constinit mcp::Server server_in_rounds{mrtr_storage, {.entropy = &no_entropy, .hmac = &no_hmac}};

}  // namespace
}  // namespace test
