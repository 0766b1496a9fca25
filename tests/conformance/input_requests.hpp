// SPDX-License-Identifier: Apache-2.0
// A part of everything.cpp: jobs that need input of the client: forms, URLs, sampling, roots.
#pragma once

#include "everything.hpp"

namespace everything {
namespace {

// ---- Elicitation -------------------------------------------------------------------------------------------------

// Constants of the program: as a temporary, each would take 100 bytes of the stack.
constexpr mcp::Sampling short_answer{.max_tokens = 100};
constexpr mcp::Sampling very_short_answer{.max_tokens = 50};

mcp::Step without_answer(mcp::AskContext& context) { return context.done(context.fail_input(context.answer())); }

// Returns the action of the user, and the outcome.
mcp::Step say_action(mcp::AskContext& context, std::string_view what) {
  const mcp::Answer& answer = context.answer();
  std::string_view action = "accept";
  if (answer.outcome() == mcp::Outcome::declined) {
    action = "decline";
  } else if (answer.outcome() == mcp::Outcome::cancelled) {
    action = "cancel";
  } else if (answer.outcome() != mcp::Outcome::accepted) {
    return without_answer(context);
  }
  const bool given = answer.content().present();
  return context.done(context.result().text(what, ": action=", action,
                                            ", content=", given ? answer.content().raw() : std::string_view("{}")));
}

struct User {
  std::string_view username;
  std::string_view email;
};
constexpr auto user_form = mcp::params(mcp::param<&User::username>("username", {.description = "User's response"}),
                                       mcp::param<&User::email>("email", {.description = "User's email address"}));

struct Elicitation {
  struct Arguments {
    mcp::FixedString<128> message;
  };
  Arguments arguments;
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (asked) return say_action(context, "User response");
    asked = true;
    return context.elicit(user_form, arguments.message);
  }
};
constexpr auto elicitation_params = mcp::params(
    mcp::param<&Elicitation::Arguments::message>("message", {.description = "The message to show to the user"}));

enum class Status : std::uint8_t { active, inactive, pending };
constexpr auto statuses =
    mcp::choices<Status>({{"active", Status::active}, {"inactive", Status::inactive}, {"pending", Status::pending}});

struct Defaults {
  std::string_view name;
  std::int64_t age;
  float score;
  Status status;
  bool verified;
};
constexpr auto defaults_form = mcp::params(
    mcp::param<&Defaults::name>("name", {.description = "User name", .default_value = "John Doe"}),
    mcp::param<&Defaults::age>("age", {.description = "User age", .default_value = 30}),
    mcp::param<&Defaults::score>("score", {.description = "User score", .default_value = 95.5F}),
    mcp::param<&Defaults::status>("status", {.choices = statuses, .default_value = Status::active}),
    mcp::param<&Defaults::verified>("verified", {.description = "Verification status", .default_value = true}));

struct ElicitationDefaults {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (asked) return say_action(context, "Elicitation completed");
    asked = true;
    return context.elicit(defaults_form, "Please review and update the form fields with defaults");
  }
};

constexpr mcp::InputSchema enums_form(
    R"({"type":"object","properties":{)"
    R"("untitledSingle":{"type":"string","enum":["option1","option2","option3"]},)"
    R"("titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},)"
    R"({"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},)"
    R"("legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],)"
    R"("enumNames":["Option One","Option Two","Option Three"]},)"
    R"("untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},)"
    R"("titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},)"
    R"({"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}}})");

struct ElicitationEnums {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (asked) return say_action(context, "Elicitation completed");
    asked = true;
    return context.elicit(enums_form, "Please select options from the enum fields");
  }
};

// ---- URL elicitation ---------------------------------------------------------------------------------------------

// The page is opened while the call waits.
struct ElicitationUrl {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    constexpr mcp::UrlElicitation confirm{
        .message = "Please confirm in your browser.", .url = "https://example.com/confirm", .id = "confirm"};
    if (!asked) {
      asked = true;
      return context.elicit_url(confirm);
    }
    // No web page reports its completion here, so the server treats the URL as completed.
    if (context.answer().outcome() == mcp::Outcome::accepted &&
        !server.elicitation_completed(context.session(), confirm.id)) {
      return context.done(mcp::Errc::unavailable);
    }
    return say_action(context, "URL elicitation completed");
  }
};

// The page is opened before the call is made once more; test_sign_in plays the page.
constexpr mcp::UrlElicitation sign_in_page{
    .message = "Please sign in.", .url = "https://example.com/sign-in", .id = "sign-in"};
bool signed_in = false;

mcp::Errc needs_sign_in(mcp::Call& call) {
  if (!signed_in) return call.needs_urls({&sign_in_page, 1});
  signed_in = false;
  return call.result().text("You were signed in.");
}

mcp::Errc sign_in(mcp::Call& call) {
  if (!server.elicitation_completed(call.session(), sign_in_page.id)) return mcp::Errc::unavailable;
  signed_in = true;
  return call.result().text("Signed in.");
}

// ---- Sampling and roots ------------------------------------------------------------------------------------------

struct Sampling {
  struct Arguments {
    mcp::FixedString<128> prompt;
  };
  Arguments arguments;
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (asked) {
      if (context.answer().outcome() != mcp::Outcome::accepted) return without_answer(context);
      return context.done(context.result().text("LLM response: ", context.answer().text()));
    }
    asked = true;
    return context.sample(short_answer, [&](mcp::SampleMessages& messages) {
      static_cast<void>(messages.user().text(arguments.prompt));
    });
  }
};
constexpr auto sampling_params =
    mcp::params(mcp::param<&Sampling::Arguments::prompt>("prompt", {.description = "The prompt to send to the LLM"}));

struct Place {
  std::string_view city;
};
mcp::Errc weather_at(const Place& arguments, mcp::Call& call) {
  return call.result().text("It rains in ", arguments.city, ".");
}
constexpr auto place_params = mcp::params(mcp::param<&Place::city>("city"));
constexpr mcp::Tool tools_of_model[] = {
    mcp::tool<weather_at>({.name = "get_weather", .description = "The weather in a city."}, place_params)};

constexpr mcp::Sampling with_tools{
    .max_tokens = 100, .tools = tools_of_model, .tool_choice = mcp::Sampling::ToolChoice::automatic};
constexpr mcp::Sampling without_tools{
    .max_tokens = 100, .tools = tools_of_model, .tool_choice = mcp::Sampling::ToolChoice::none};

// Lets the model use its tool once.
struct SamplingWithTools {
  std::uint8_t turns;
  mcp::Step step(mcp::AskContext& context) {
    const mcp::Answer& answer = context.answer();
    if (turns == 0) {
      ++turns;
      return context.sample(with_tools, ask);
    }
    if (answer.outcome() != mcp::Outcome::accepted) return without_answer(context);
    if (answer.stop_reason() != "toolUse") {
      return context.done(context.result().text("LLM response: ", answer.text()));
    }
    if (turns == 2) return context.done(context.fail("The model wants no end of tools."));
    ++turns;
    return context.sample(without_tools, [&](mcp::SampleMessages& messages) { use_tool(messages, answer); });
  }

 private:
  static void ask(mcp::SampleMessages& messages) {
    static_cast<void>(messages.user().text("What is the weather in Paris?"));
  }
  // A separate function, so that its stack is free while the input request is written.
  [[gnu::noinline]] static void use_tool(mcp::SampleMessages& messages, const mcp::Answer& answer) {
    ask(messages);
    messages.tool_turn(answer, [](const mcp::ToolUses& use, mcp::ToolResult& result) {
      if (use.name() != "get_weather") return mcp::Errc::not_found;
      return result.text("It rains in ", mcp::json::find_member(use.input(), "city").string(), ".");
    });
  }
};

struct ListRoots {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (!asked) {
      asked = true;
      return context.list_roots();
    }
    if (context.answer().outcome() != mcp::Outcome::accepted) return without_answer(context);
    mcp::Errc errc = mcp::Errc::ok;
    for (mcp::Roots roots(context.answer()); errc == mcp::Errc::ok && roots.next();) {
      errc = context.result().text(roots.uri(), " ", roots.name());
    }
    return context.done(errc);
  }
};

// ---- Input requests in several retries ---------------------------------------------------------------------------

bool is_missing(const mcp::Answer& answer) {
  return answer.outcome() == mcp::Outcome::none || answer.outcome() == mcp::Outcome::invalid ||
         answer.outcome() == mcp::Outcome::invalid_content;
}

bool is_refused(const mcp::Answer& answer) { return !is_missing(answer) && answer.outcome() != mcp::Outcome::accepted; }

mcp::Step refused(mcp::AskContext& context, const mcp::Answer& answer) {
  return context.done(context.fail_input(answer));
}

struct Name {
  mcp::FixedString<32> name;
};
constexpr auto name_form = mcp::params(mcp::param<&Name::name>("name"));

mcp::Step ask_name(mcp::AskContext& context) {
  return context.key("user_name").elicit(name_form, "What is your name?");
}

struct AskName {
  mcp::Step step(mcp::AskContext& context) {
    const mcp::Answer answer = context.answer("user_name");
    if (is_missing(answer)) return ask_name(context);
    if (answer.outcome() != mcp::Outcome::accepted) return refused(context, answer);
    Name filled{};
    if (const mcp::Errc errc = context.read_form(answer, name_form, filled); errc != mcp::Errc::ok)
      return context.done(errc);
    return context.done(context.result().text("Hello, ", filled.name, "!"));
  }
};

struct AskModel {
  mcp::Step step(mcp::AskContext& context) {
    const mcp::Answer answer = context.answer("capital_question");
    if (answer.outcome() == mcp::Outcome::accepted) return context.done(context.result().text(answer.text()));
    if (!is_missing(answer)) return refused(context, answer);
    return context.key("capital_question").sample(short_answer, [](mcp::SampleMessages& messages) {
      static_cast<void>(messages.user().text("What is the capital of France?"));
    });
  }
};

struct AskRoots {
  mcp::Step step(mcp::AskContext& context) {
    const mcp::Answer answer = context.answer("client_roots");
    if (is_missing(answer)) return context.key("client_roots").list_roots();
    if (answer.outcome() != mcp::Outcome::accepted) return refused(context, answer);
    unsigned count = 0;
    for (mcp::Roots roots(answer); roots.next();) ++count;
    return context.done(context.result().text("The client has ", count, " roots."));
  }
};

struct Confirm {
  bool ok;
};
constexpr auto confirm_form = mcp::params(mcp::param<&Confirm::ok>("ok"));

// Returns whether the retry contains the stored state.
struct AskToConfirm {
  std::uint16_t known;
  mcp::Step step(mcp::AskContext& context) {
    const mcp::Answer answer = context.answer("confirm");
    if (is_missing(answer)) {
      known = 4711;
      return context.key("confirm").elicit(confirm_form, "Please confirm.");
    }
    if (answer.outcome() != mcp::Outcome::accepted) return refused(context, answer);
    return context.done(context.result().text(known == 4711 ? std::string_view("state-ok") : "state-lost"));
  }
};

// Requests all missing inputs: at once, or one by one if the client supports no other way.
struct AskForAll {
  Name user;
  mcp::FixedString<64> greeting;
  std::uint8_t roots;
  bool has_user;
  bool has_greeting;
  bool has_roots;
  mcp::Step step(mcp::AskContext& context) {
    const mcp::Answer filled = context.answer("user_name");
    const mcp::Answer said = context.answer("greeting");
    const mcp::Answer listed = context.answer("client_roots");
    for (const mcp::Answer& answer : {filled, said, listed}) {
      if (is_refused(answer)) return refused(context, answer);
    }
    if (filled.outcome() == mcp::Outcome::accepted) {
      if (const mcp::Errc errc = context.read_form(filled, name_form, user); errc != mcp::Errc::ok)
        return context.done(errc);
      has_user = true;
    }
    if (said.outcome() == mcp::Outcome::accepted) {
      if (!greeting.assign(said.text())) return context.done(context.fail("The greeting is too long."));
      has_greeting = true;
    }
    if (listed.outcome() == mcp::Outcome::accepted) {
      has_roots = true;
      for (mcp::Roots list(listed); list.next();) ++roots;
    }
    if (has_user && has_greeting && has_roots) {
      return context.done(context.result().text(greeting, " ", user.name, ", you have ", roots, " roots."));
    }
    mcp::Step next = context.again();
    if (!has_user) next = ask_name(context);
    if (!has_greeting) {
      next = context.key("greeting").sample(very_short_answer, [](mcp::SampleMessages& messages) {
        static_cast<void>(messages.user().text("Generate a greeting"));
      });
    }
    if (!has_roots) next = context.key("client_roots").list_roots();
    return next;
  }
};

struct Color {
  mcp::FixedString<16> color;
};
constexpr auto color_form = mcp::params(mcp::param<&Color::color>("color"));

struct AskTwice {
  Name user;
  bool has_user;
  mcp::Step step(mcp::AskContext& context) {
    const mcp::Answer answer = has_user ? context.answer("step2") : context.answer("step1");
    if (is_refused(answer)) return refused(context, answer);
    if (answer.outcome() == mcp::Outcome::accepted) {
      Color filled{};
      const mcp::Errc errc =
          has_user ? context.read_form(answer, color_form, filled) : context.read_form(answer, name_form, user);
      if (errc != mcp::Errc::ok) return context.done(errc);
      if (has_user) return context.done(context.result().text(user.name, " likes ", filled.color, "."));
      has_user = true;
    }
    return has_user ? context.key("step2").elicit(color_form, "What is your favorite color?")
                    : context.key("step1").elicit(name_form, "What is your name?");
  }
};

// Requests input that the client supports, and accepts any response.
struct AskWhatCanBe {
  mcp::Step step(mcp::AskContext& context) {
    const mcp::Answer said = context.answer("greeting");
    if (context.answer("user_name").outcome() == mcp::Outcome::accepted || said.outcome() == mcp::Outcome::accepted) {
      return context.done(context.result().text("Answered."));
    }
    if (!is_missing(said)) return refused(context, said);
    static_cast<void>(ask_name(context));
    return context.key("greeting").sample(very_short_answer, [](mcp::SampleMessages& messages) {
      static_cast<void>(messages.user().text("Generate a greeting"));
    });
  }
};

// Holds its slot while its client thinks.
struct AskHolding : AskName {
  static constexpr bool keeps_slot = true;
};

mcp::Errc missing_capability(mcp::Call& call) {
  if (const mcp::Errc errc = call.needs_client(mcp::ClientCapability::sampling); errc != mcp::Errc::ok) return errc;
  return call.result().text("The client can sample.");
}

void roots_changed(mcp::SessionId) { server.log(mcp::LogLevel::info, "roots", "The roots of a client changed."); }

}  // namespace
}  // namespace everything
