// SPDX-License-Identifier: Apache-2.0
// A server with all features of MCP 2025-11-25: the tools, resources and prompts that the official conformance suite
// calls by name, and those that show the rest to other clients. Texts are as in the suite's documentation. Written like
// an application: portable, and everything.hpp is its only platform interface.
#include "everything.hpp"

#ifdef MOTE_HMAC  // without it, jobs hold their slots while clients of revision 2026-07-28 think
#include <mcp/ports/mbedtls_hmac.hpp>
#endif

namespace everything {
namespace {

// ---- Content --------------------------------------------------------------------------------------------------------

// A picture of one red pixel.
constexpr std::uint8_t png[] = {0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48,
                                0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00,
                                0x00, 0x1F, 0x15, 0xC4, 0x89, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x44, 0x41, 0x54, 0x78,
                                0xDA, 0x63, 0xFC, 0xCF, 0xC0, 0xF0, 0x1F, 0x00, 0x05, 0x05, 0x02, 0x00, 0x5F, 0xC8,
                                0xF1, 0xD2, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82};

// A sound of no length.
constexpr std::uint8_t wav[] = {0x52, 0x49, 0x46, 0x46, 0x26, 0x00, 0x00, 0x00, 0x57, 0x41, 0x56,
                                0x45, 0x66, 0x6D, 0x74, 0x20, 0x10, 0x00, 0x00, 0x00, 0x01, 0x00,
                                0x01, 0x00, 0x40, 0x1F, 0x00, 0x00, 0x00, 0x7D, 0x00, 0x00, 0x02,
                                0x00, 0x10, 0x00, 0x64, 0x61, 0x74, 0x61, 0x02, 0x00, 0x00, 0x00};

mcp::Errc simple_text(mcp::Call& call) { return call.result().text("This is a simple text response for testing."); }

mcp::Errc image(mcp::Call& call) { return call.result().image(png, "image/png"); }

mcp::Errc audio(mcp::Call& call) { return call.result().audio(wav, "audio/wav"); }

mcp::Errc embedded_resource(mcp::Call& call) {
  return call.result().resource_text("test://embedded-resource", "text/plain", "This is an embedded resource content.");
}

// If an item does not fit, the server sends an error. So the last Errc is the result of all calls.
mcp::Errc multiple_content_types(mcp::Call& call) {
  mcp::ToolResult& result = call.result();
  static_cast<void>(result.text("Multiple content types test:"));
  static_cast<void>(result.image(png, "image/png"));
  return result.resource_text("test://mixed-content-resource", "application/json", R"({"test":"data","value":123})");
}

mcp::Errc resource_links(mcp::Call& call) {
  constexpr mcp::Annotations annotations{.audience = mcp::Annotations::Audience::user,
                                         .priority = mcp::Scaled{8, 1},
                                         .last_modified = "2025-11-25T00:00:00Z"};
  mcp::ToolResult& result = call.result();
  static_cast<void>(result.annotate(annotations).text("This text is for the user."));
  static_cast<void>(result.link({.uri = "test://static-binary",
                                 .name = "static-binary",
                                 .title = "Static binary",
                                 .description = "A picture.",
                                 .mime_type = "image/png",
                                 .size = sizeof png}));
  return result.resource_blob("test://embedded-blob", "image/png", png);
}

mcp::Errc error_handling(mcp::Call& call) { return call.fail("This tool intentionally returns an error for testing"); }

// Over a resumable connection, the response follows after the stream was cut. A pipe has no stream to cut.
struct Reconnection {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (slept || context.stop_requested()) {
      return context.done(context.result().text("Reconnection test completed successfully."));
    }
    slept = true;
    context.reconnect(500);
    return context.sleep(100);
  }
};

constexpr mcp::InputSchema schema_2020_12(
    R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",)"
    R"("$defs":{"address":{"$anchor":"addressDef","type":"object",)"
    R"("properties":{"street":{"type":"string"},"city":{"type":"string"}}}},)"
    R"("properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},)"
    R"("contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},)"
    R"("allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],)"
    R"("if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},)"
    R"("then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false})");

mcp::Errc any_arguments(mcp::json::Value arguments, mcp::Call& call) {
  const bool given = arguments.present();
  return call.result().text("JSON Schema 2020-12 tool called with: ", given ? arguments.raw() : std::string_view("{}"));
}

struct Weather {
  float celsius;
  std::string_view conditions;
};
constexpr auto weather_output =
    mcp::output(mcp::param<&Weather::celsius>("celsius", {.title = "Temperature", .minimum = -90, .maximum = 60}),
                mcp::param<&Weather::conditions>("conditions", {.description = "In a word"}));
mcp::Errc structured_content(Weather& out, mcp::Call&) {
  out = {.celsius = 22.5F, .conditions = "sunny"};
  return mcp::Errc::ok;
}
constexpr mcp::Icon icons[] = {{.src = "https://example.com/icon.png", .mime_type = "image/png", .sizes = "48x48"}};
constexpr mcp::ToolExtras weather_extras{.icons = icons,
                                         .meta = R"({"com.example/unit":"celsius"})",
                                         .annotations = {.read_only_hint = true, .open_world_hint = false}};

// ---- Logging, progress, cancellation -----------------------------------------------------------------------------

constexpr mcp::Millis pause_ms = 50;

struct Logging {
  std::uint8_t at;
  mcp::Step step(mcp::JobContext& context) {
    constexpr std::string_view texts[] = {"Tool execution started", "Tool processing data", "Tool execution completed"};
    if (context.stop_requested()) return context.done();
    if (at == std::size(texts)) {
      return context.done(context.result().text("Tool with logging executed successfully."));
    }
    server.log(mcp::LogLevel::info, "test_tool_with_logging", texts[at++]);
    // The last message leaves before the result does.
    return at < std::size(texts) ? context.sleep(pause_ms) : context.again();
  }
};

struct Progress {
  std::uint8_t at;
  mcp::Step step(mcp::JobContext& context) {
    if (at == 3) return context.done(context.result().text("Tool with progress executed successfully."));
    context.progress(50u * at++, 100);
    // After the last as well: there are clients that take up a result before the news that came just before it.
    return context.sleep(pause_ms);
  }
};

mcp::Errc log_levels(mcp::Call& call) {
  constexpr std::string_view names[] = {"debug", "info",     "notice", "warning",
                                        "error", "critical", "alert",  "emergency"};
  for (std::size_t i = 0; i < std::size(names); ++i) server.log(static_cast<mcp::LogLevel>(i), "levels", names[i]);
  return call.result().text("Logged a message at each level.");
}

// Takes a minute: long enough for any client to cancel it. When it has begun, it reports progress.
struct Slow {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) {
      server.log(mcp::LogLevel::notice, "test_slow", "cancelled");
      return context.done();
    }
    if (slept) return context.done(context.result().text("Slept for a minute."));
    slept = true;
    context.progress(1, 2, "asleep");
    return context.sleep(60'000);
  }
};

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

// ---- Input requests in several retries
// ---------------------------------------------------------------------------------

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

// Its result follows after the progress notifications.
struct StreamingElicitation {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (slept) return context.done(context.result().text("Streamed."));
    slept = true;
    context.progress(1, 2);
    return context.sleep(pause_ms);
  }
};

struct LoggingTool {
  bool logged;
  mcp::Step step(mcp::JobContext& context) {
    if (logged || context.stop_requested()) return context.done(context.result().text("Logged."));
    logged = true;
    server.log(mcp::LogLevel::info, "test_logging_tool", "A message of this request.");
    return context.again();
  }
};

void roots_changed(mcp::SessionId) { server.log(mcp::LogLevel::info, "roots", "The roots of a client changed."); }

// ---- Tasks -------------------------------------------------------------------------------------------------------

struct Work {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (slept) return context.done(context.result().text("Task completed."));
    slept = true;
    context.progress(1, 2, "working");
    return context.sleep(pause_ms);
  }
};

struct Confirmation {
  bool confirmed;
};
constexpr auto confirmation_form = mcp::params(mcp::param<&Confirmation::confirmed>("confirmed"));

struct AskingTask {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (!asked) {
      asked = true;
      return context.elicit(confirmation_form, "Shall the task go on?");
    }
    if (context.answer().outcome() != mcp::Outcome::accepted) return say_action(context, "Task ended");
    Confirmation confirmation{};
    if (const mcp::Errc errc = context.read_form(confirmation_form, confirmation); errc != mcp::Errc::ok)
      return context.done(errc);
    return context.done(context.result().text("Task completed: confirmed=", confirmation.confirmed));
  }
};

// ---- Tasks of clients without a session --------------------------------------------------------------------------

struct Greeted {
  std::string_view name;
};
constexpr auto greeted_params = mcp::params(mcp::param<&Greeted::name>("name"));
mcp::Errc greet(const Greeted& arguments, mcp::Call& call) {
  return call.result().text("Hello, ", arguments.name, "!");
}

struct Compute {
  struct Arguments {
    std::int64_t seconds;
    mcp::FixedString<32> label;
  };
  Arguments arguments;
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (slept || arguments.seconds == 0) {
      return context.done(
          context.result().text("Computed ", arguments.label.view(), " for ", arguments.seconds, " s."));
    }
    slept = true;
    return context.sleep(static_cast<mcp::Millis>(arguments.seconds) * 1000);
  }
};
constexpr auto compute_params =
    mcp::params(mcp::param<&Compute::Arguments::seconds>("seconds", {.minimum = 0, .maximum = 3600}),
                mcp::param<&Compute::Arguments::label>("label"));

struct FailingJob {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (slept) return context.done(context.fail("This job always fails."));
    slept = true;
    return context.sleep(1000);
  }
};

// More than any task keeps: the one error of the protocol that a tool can bring about by itself.
struct ProtocolErrorJob {
  mcp::Step step(mcp::JobContext& context) {
    mcp::Errc errc = mcp::Errc::ok;
    while (errc == mcp::Errc::ok) errc = context.result().text("This result is too long for a task.");
    return context.done(errc);
  }
};

constexpr auto delete_form = mcp::params(mcp::param<&Confirm::ok>("confirm"));

struct ConfirmDelete {
  struct Arguments {
    mcp::FixedString<64> filename;
  };
  Arguments arguments;
  mcp::Step step(mcp::AskContext& context) {
    const mcp::Answer answer = context.answer("confirm");
    if (is_missing(answer)) {
      return context.key("confirm").elicit(delete_form, "Shall ", arguments.filename, " be deleted?");
    }
    if (answer.outcome() != mcp::Outcome::accepted) return refused(context, answer);
    return context.done(context.result().text("Deleted ", arguments.filename, "."));
  }
};
constexpr auto delete_params = mcp::params(mcp::param<&ConfirmDelete::Arguments::filename>("filename"));

// Requests two inputs at once. A client may respond to them one by one.
struct MultiInput {
  bool named;
  bool confirmed;
  mcp::Step step(mcp::AskContext& context) {
    const mcp::Answer name = context.answer("name");
    if (is_refused(name)) return refused(context, name);
    named = named || !is_missing(name);
    confirmed = confirmed || !is_missing(context.answer("confirm"));
    if (named && confirmed) return context.done(context.result().text("Both answers came."));
    // A client of a legacy revision gets one input request at a time.
    if (!named) {
      const mcp::Step step = context.key("name").elicit(name_form, "What is your name?");
      if (confirmed) return step;
    }
    return context.key("confirm").elicit(delete_form, "Shall the task go on?");
  }
};

// Knows the name before there is a task.
struct AskThenWork {
  Name user;
  bool named;
  mcp::Step step(mcp::AskContext& context) {
    if (named) return context.done(context.result().text("Worked for ", user.name, "."));
    const mcp::Answer answer = context.answer("user_name");
    if (is_missing(answer)) return ask_name(context);
    if (answer.outcome() != mcp::Outcome::accepted) return refused(context, answer);
    if (context.read_form(answer, name_form, user) != mcp::Errc::ok) return ask_name(context);
    named = true;
    return context.sleep(pause_ms);
  }
};

// ---- Resources ---------------------------------------------------------------------------------------------------

mcp::Errc read_text(mcp::ReadResult& out) { return out.text("This is the content of the static text resource."); }

mcp::Errc read_binary(mcp::ReadResult& out) { return out.blob(png); }

// 1000 lines of ten characters: many times the size of one message.
mcp::Chunk read_large(std::uint32_t offset, std::span<std::uint8_t> into) {
  constexpr std::uint32_t line_size = 10;
  constexpr std::uint32_t lines = 1000;
  if (offset == lines * line_size) return mcp::Chunk::end();
  std::size_t size = 0;
  for (; size < into.size() && offset < lines * line_size; ++offset, ++size) {
    char line[] = "line 000\n\n";
    std::uint32_t number = offset / line_size;
    for (std::size_t digit = 8; digit-- > 5; number /= 10) line[digit] = static_cast<char>('0' + number % 10);
    into[size] = static_cast<std::uint8_t>(line[offset % line_size]);
  }
  return mcp::Chunk::bytes(size);
}

std::uint32_t updates = 0;
mcp::Errc read_watched(mcp::ReadResult& out) { return out.text("Updated ", updates, " times."); }

mcp::Errc read_template(const mcp::UriVariables& variables, mcp::ReadResult& out) {
  mcp::json::Writer& json = out.json();
  json.object_begin();
  json.member("id", variables["id"]);
  json.member("templateTest", true);
  json.key("data");
  json.string_begin();
  json.append("Data for ID: ");
  json.append(variables["id"]);
  json.string_end();
  json.object_end();
  return mcp::Errc::ok;
}

mcp::Errc complete_id(const mcp::CompletionRequest&, mcp::Completions& completions) {
  for (const char* const id : {"1", "12", "123"}) completions.offer(id);
  return mcp::Errc::ok;
}

constexpr mcp::ResourceExtras binary_extras{
    .annotations = {.audience = mcp::Annotations::Audience::user, .priority = mcp::Scaled{5, 1}}, .size = sizeof png};

constexpr mcp::Resource resources[] = {
    {.uri = "test://static-text",
     .name = "static-text",
     .title = "Static text",
     .description = "A text that never changes.",
     .mime_type = "text/plain",
     .read = read_text},
    {.uri = "test://static-binary",
     .name = "static-binary",
     .title = "Static binary",
     .description = "A picture that never changes.",
     .mime_type = "image/png",
     .read = read_binary,
     .extras = binary_extras},
    {.uri = "test://large",
     .name = "large",
     .description = "A text that is larger than the memory for a message.",
     .mime_type = "text/plain",
     .stream = mcp::text_stream(read_large)},
    {.uri = "test://watched-resource",
     .name = "watched-resource",
     .description = "Changes with each call of test_update_resource.",
     .mime_type = "text/plain",
     .read = read_watched,
     .subscribable = true},
    {.uri = "test://switched",
     .name = "switched",
     .description = "Is there until test_set_enabled switches it off.",
     .mime_type = "text/plain",
     .read = read_text},
};
constexpr const mcp::Resource& watched_resource = resources[3];
constexpr const mcp::Resource& switched_resource = resources[4];

constexpr mcp::ResourceTemplate resource_templates[] = {
    {.uri_template = "test://template/{id}/data",
     .name = "template",
     .description = "Data for an id.",
     .mime_type = "application/json",
     .read = read_template,
     .complete = complete_id},
};

// ---- Prompts -----------------------------------------------------------------------------------------------------

mcp::Errc simple_prompt(const mcp::PromptArguments&, mcp::PromptResult& out) {
  return out.user().text("This is a simple prompt for testing.");
}

mcp::Errc prompt_with_arguments(const mcp::PromptArguments& arguments, mcp::PromptResult& out) {
  return out.user().text("Prompt with arguments: arg1='", arguments["arg1"], "', arg2='", arguments["arg2"], "'");
}

mcp::Errc prompt_with_embedded_resource(const mcp::PromptArguments& arguments, mcp::PromptResult& out) {
  static_cast<void>(
      out.user().resource_text(arguments["resourceUri"], "text/plain", "Embedded resource content for testing."));
  return out.user().text("Please process the embedded resource above.");
}

mcp::Errc prompt_with_image(const mcp::PromptArguments&, mcp::PromptResult& out) {
  static_cast<void>(out.user().image(png, "image/png"));
  return out.user().text("Please analyze the image above.");
}

struct Topic {
  std::string_view context;
};
constexpr auto topic_form = mcp::params(mcp::param<&Topic::context>("context"));

mcp::Errc prompt_that_asks(const mcp::PromptArguments&, mcp::AskPromptResult& out) {
  const mcp::Answer answer = out.answer("user_context");
  if (answer.outcome() == mcp::Outcome::unsupported) return out.user().text("Use any context.");
  Topic topic{};
  if (answer.outcome() != mcp::Outcome::accepted || out.read_form(answer, topic_form, topic) != mcp::Errc::ok) {
    return out.key("user_context").elicit(topic_form, "What context should the prompt use?");
  }
  return out.user().text("Use this context: ", topic.context);
}

mcp::Errc switched_prompt(const mcp::PromptArguments&, mcp::PromptResult& out) {
  static_cast<void>(out.user().text("Are you there?"));
  return out.assistant().text("I am.");
}

// The second argument is suggested to go with the first.
mcp::Errc complete_arguments(const mcp::CompletionRequest& request, mcp::Completions& completions) {
  if (request.argument() == "arg1") {
    for (const char* const value : {"test", "testValue1", "other"}) completions.offer(value);
  } else if (request.other("arg1") == "testValue1") {
    completions.offer("testValue2");
  }
  return mcp::Errc::ok;
}

constexpr mcp::PromptArgument two_arguments[] = {
    {.name = "arg1", .description = "First test argument", .required = true},
    {.name = "arg2", .description = "Second test argument", .required = true}};
constexpr mcp::PromptArgument uri_argument[] = {
    {.name = "resourceUri", .description = "URI of the resource to embed", .required = true}};

constexpr mcp::Prompt prompts[] = {
    {.name = "test_simple_prompt", .description = "A prompt without arguments.", .get = simple_prompt},
    {.name = "test_prompt_with_arguments",
     .description = "A prompt with two arguments.",
     .arguments = two_arguments,
     .get = prompt_with_arguments,
     .complete = complete_arguments},
    {.name = "test_prompt_with_embedded_resource",
     .description = "A prompt with a resource in it.",
     .arguments = uri_argument,
     .get = prompt_with_embedded_resource},
    {.name = "test_prompt_with_image", .description = "A prompt with a picture in it.", .get = prompt_with_image},
    {.name = "test_switched_prompt",
     .description = "Is there until test_set_enabled switches it off.",
     .get = switched_prompt},
    {.name = "test_input_required_result_prompt", .description = "Asks the user first.", .get = prompt_that_asks},
};
constexpr const mcp::Prompt& switched_row_of_prompts = prompts[4];

// ---- Changes --------------------------------------------------------------------------------------------------------

mcp::Errc update_resource(mcp::Call& call) {
  ++updates;
  server.resource_updated(watched_resource);
  return call.result().text("Updated test://watched-resource.");
}

mcp::Errc switched_tool(mcp::Call& call) { return call.result().text("This tool is switched on."); }

enum class Row : std::uint8_t { tool, resource, prompt };
constexpr auto rows = mcp::choices<Row>({{"tool", Row::tool, "The tool test_switched_tool"},
                                         {"resource", Row::resource, "The resource test://switched"},
                                         {"prompt", Row::prompt, "The prompt test_switched_prompt"}});
struct SetEnabled {
  Row what;
  bool enabled;
};
constexpr auto set_enabled_params =
    mcp::params(mcp::param<&SetEnabled::what>("what", {.description = "What is switched", .choices = rows}),
                mcp::param<&SetEnabled::enabled>("enabled"));
mcp::Errc set_enabled(const SetEnabled& arguments, mcp::Call& call);
mcp::Errc trigger_tool_change(mcp::Call& call);
mcp::Errc trigger_prompt_change(mcp::Call& call);

// ---- The server --------------------------------------------------------------------------------------------------

constexpr auto optional = mcp::TaskSupport::optional;
constexpr auto required = mcp::TaskSupport::required;

// ---- Headers ------------------------------------------------------------------------------------------------------

struct Routed {
  std::string_view region;
  std::optional<std::int32_t> priority;
  std::optional<bool> urgent;
};

constexpr auto routed_params = mcp::params(
    mcp::param<&Routed::region>("region",
                                {.description = "Where it is done", .default_value = "here", .header = "Region"}),
    mcp::param<&Routed::priority>("priority", {.description = "From 1", .minimum = 1, .header = "Priority"}),
    mcp::param<&Routed::urgent>("urgent", {.description = "At once", .header = "Urgent"}));

mcp::Errc routed(const Routed& arguments, mcp::Call& call) {
  return call.result().text("Done in ", arguments.region, ".");
}

constexpr mcp::Tool tools[] = {
    // These two first, because the suite looks for them on the first page alone.
    mcp::tool<any_arguments>({.name = "json_schema_2020_12_tool", .description = "A schema of JSON Schema 2020-12."},
                             schema_2020_12),
    mcp::tool<routed>({.name = "test_headers", .description = "Says its parameters in headers, too."}, routed_params),
    mcp::tool<switched_tool>(
        {.name = "test_switched_tool", .description = "Is there until test_set_enabled switches it off."}),
    mcp::tool<simple_text>({.name = "test_simple_text", .description = "Answers with a text."}),
    mcp::tool<image>({.name = "test_image_content", .description = "Answers with a picture."}),
    mcp::tool<audio>({.name = "test_audio_content", .description = "Answers with a sound."}),
    mcp::tool<embedded_resource>({.name = "test_embedded_resource", .description = "Answers with a resource."}),
    mcp::tool<multiple_content_types>(
        {.name = "test_multiple_content_types", .description = "Answers with a text, a picture and a resource."}),
    mcp::tool<resource_links>(
        {.name = "test_resource_link", .description = "Answers with an annotated text, a link and a binary resource."}),
    mcp::tool<structured_content>(
        {.name = "test_structured_content", .description = "Answers with a struct.", .extras = weather_extras},
        weather_output),
    mcp::job<Logging>({.name = "test_tool_with_logging", .description = "Logs three messages while it runs."}),
    mcp::job<Progress>({.name = "test_tool_with_progress", .description = "Reports progress three times."}),
    mcp::tool<error_handling>({.name = "test_error_handling", .description = "Always fails."}),
    mcp::job<Reconnection>({.name = "test_reconnection",
                            .description = "Has its connection closed, and answers when the client is back."}),
    mcp::job<Sampling>({.name = "test_sampling", .description = "Asks the client's model."}, sampling_params),
    mcp::job<SamplingWithTools>(
        {.name = "test_sampling_with_tools", .description = "Asks the client's model, and gives it a tool."}),
    mcp::job<ListRoots>({.name = "test_list_roots", .description = "Asks for the roots of the client."}),
    mcp::job<Elicitation>({.name = "test_elicitation", .description = "Asks the user for two texts."},
                          elicitation_params),
    mcp::job<ElicitationDefaults>(
        {.name = "test_elicitation_sep1034_defaults", .description = "Asks the user, with a default for each field."}),
    mcp::job<ElicitationEnums>(
        {.name = "test_elicitation_sep1330_enums", .description = "Asks the user to choose, in each form of choice."}),
    mcp::job<ElicitationUrl>({.name = "test_elicitation_url", .description = "Asks the user to open a page."}),
    mcp::tool<needs_sign_in>(
        {.name = "test_url_required", .description = "Needs the user to open a page before it is called."}),
    mcp::tool<sign_in>(
        {.name = "test_sign_in", .description = "Plays the page that test_url_required needs the user to open."}),
    mcp::job<Work>({.name = "test_task", .description = "Can be called as a task.", .task_support = optional}),
    mcp::job<Work>(
        {.name = "test_task_required", .description = "Can be called as a task only.", .task_support = required}),
    mcp::job<AskingTask>(
        {.name = "test_task_elicitation", .description = "Asks the user, as a task too.", .task_support = optional}),
    mcp::job<Slow>(
        {.name = "test_slow", .description = "Takes a minute; meant to be cancelled.", .task_support = optional}),
    mcp::tool<greet>({.name = "greet", .description = "Greets, and is never a task."}, greeted_params),
    mcp::job<Compute>({.name = "slow_compute", .description = "Takes its time.", .task_support = optional},
                      compute_params),
    mcp::job<FailingJob>(
        {.name = "failing_job", .description = "Fails after a second, as a task only.", .task_support = required}),
    mcp::job<ProtocolErrorJob>(
        {.name = "protocol_error_job", .description = "Ends in an error, as a task only.", .task_support = required}),
    mcp::job<ConfirmDelete>(
        {.name = "confirm_delete", .description = "Asks the user while it runs.", .task_support = optional},
        delete_params),
    mcp::job<MultiInput>(
        {.name = "multi_input", .description = "Asks two things while it runs.", .task_support = optional}),
    mcp::job<AskThenWork>({.name = "test_tool_with_task",
                           .description = "Asks, then becomes a task.",
                           .task_support = required,
                           .input_before_task = true}),
    mcp::job<AskName>({.name = "test_input_required_result_elicitation", .description = "Asks the user for a name."}),
    mcp::job<AskModel>(
        {.name = "test_input_required_result_sampling", .description = "Asks the client's model for a capital."}),
    mcp::job<AskRoots>({.name = "test_input_required_result_list_roots", .description = "Counts the client's roots."}),
    mcp::job<AskToConfirm>(
        {.name = "test_input_required_result_request_state", .description = "Remembers something while it asks."}),
    mcp::job<AskForAll>(
        {.name = "test_input_required_result_multiple_inputs", .description = "Asks three things at once."}),
    mcp::job<AskTwice>({.name = "test_input_required_result_multi_round", .description = "Asks twice."}),
    mcp::job<AskToConfirm>(
        {.name = "test_input_required_result_tampered_state", .description = "Remembers something while it asks."}),
    mcp::job<AskWhatCanBe>(
        {.name = "test_input_required_result_capabilities", .description = "Asks what the client can be asked."}),
    mcp::job<AskHolding, mcp::no_time_limit>(
        {.name = "test_input_required_result_held", .description = "Holds its slot while the user thinks."}),
    mcp::tool<missing_capability>(
        {.name = "test_missing_capability", .description = "Needs a client that can sample.", .knows_client = true}),
    mcp::job<StreamingElicitation>(
        {.name = "test_streaming_elicitation", .description = "Answers on a stream without a request."}),
    mcp::job<LoggingTool>({.name = "test_logging_tool", .description = "Logs a message while it runs."}),
    mcp::tool<log_levels>({.name = "test_log_levels", .description = "Logs a message at each level."}),
    mcp::tool<update_resource>({.name = "test_update_resource", .description = "Changes test://watched-resource."}),
    mcp::tool<set_enabled>(
        {.name = "test_set_enabled", .description = "Switches a tool, a resource or a prompt on or off."},
        set_enabled_params),
    mcp::tool<trigger_tool_change>(
        {.name = "test_trigger_tool_change", .description = "Switches a tool off and on again."}),
    mcp::tool<trigger_prompt_change>(
        {.name = "test_trigger_prompt_change", .description = "Switches a prompt off and on again."}),
};
constexpr const mcp::Tool& switched_row_of_tools = tools[2];

mcp::Errc set_enabled(const SetEnabled& arguments, mcp::Call& call) {
  switch (arguments.what) {
    case Row::tool: server.set_enabled(switched_row_of_tools, arguments.enabled); break;
    case Row::resource: server.set_enabled(switched_resource, arguments.enabled); break;
    case Row::prompt: server.set_enabled(switched_row_of_prompts, arguments.enabled); break;
  }
  return call.result().text("Switched ", arguments.enabled ? std::string_view("on.") : std::string_view("off."));
}

// Rows that are on for certain: the tool that is called, and a prompt that nothing else switches.
mcp::Errc trigger_tool_change(mcp::Call& call) {
  const mcp::Tool& row = tools[std::size(tools) - 2];
  server.set_enabled(row, false);
  server.set_enabled(row, true);
  return call.result().text("The list of tools has changed.");
}

mcp::Errc trigger_prompt_change(mcp::Call& call) {
  server.set_enabled(prompts[0], false);
  server.set_enabled(prompts[0], true);
  return call.result().text("The list of prompts has changed.");
}

constexpr mcp::ServerExtras server_extras{
    .description = "Shows what a server can do.", .website_url = "https://example.com/everything", .icons = icons};

constexpr mcp::Definition definition{
    .name = "everything",
    .title = "Everything",
    .version = "1.0.0",
    .instructions = "A server for tests: its tools show what the protocol can do.",
    .extras = server_extras,
    .tools = tools,
    .resources = resources,
    .resource_templates = resource_templates,
    .prompts = prompts,
    .logging = true,
    .list_changes = true,
    .subscriptions = true,
    .url_elicitations = true,
    .roots_changed = roots_changed,
    .keep_alive = {300'000, 30'000},
};

constexpr mcp::Limits limits{
    .receive_size = 1024,
    .transmit_size = transmit_size,
    .sessions = sessions,
    .own_session_idle_ms = 0,  // the official suite does not end its sessions
    .jobs = jobs,
    .tasks = tasks,
    .task_result_size = 512,
    .elicitations = 2,
    .streams = 3,  // two of one client
    .subscriptions = subscriptions,
    .log_size = 256,
};
constinit mcp::Storage<definition, limits> storage;
constinit Entropy entropy;
constinit WallClock wall_clock;
#ifdef MOTE_HMAC
constinit mcp::mbedtls::Hmac hmac;
#endif

}  // namespace

#ifdef MOTE_HMAC
constinit const mcp::Server server{storage, {.entropy = &entropy, .wall_clock = &wall_clock, .hmac = &hmac}};
#else
constinit const mcp::Server server{storage, {.entropy = &entropy, .wall_clock = &wall_clock}};
#endif

}  // namespace everything
