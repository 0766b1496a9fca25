// SPDX-License-Identifier: Apache-2.0
// Devices with what few applications have: methods and capabilities of a vendor, suggestions that match anywhere, log
// messages with objects, and (device "items") content and progress of newer revisions.
#include <cstdint>
#include <string>
#include <string_view>

#include "mcp/input_request.hpp"
#include "mcp/server.hpp"
#include "support/device.hpp"

namespace test {
namespace {

std::int32_t moved = 0;
std::string trail;

// ---- Methods -----------------------------------------------------------------------------------------------------

enum class Axis : std::uint8_t { x, y };
constexpr auto axes = mcp::choices<Axis>({{"x", Axis::x}, {"y", Axis::y}});

struct Offset {
  std::int32_t steps;
  Axis axis;
};
constexpr auto offset_params =
    mcp::params(mcp::param<&Offset::steps>("steps", {.minimum = -500, .maximum = 500}),
                mcp::param<&Offset::axis>("axis", {.choices = axes, .default_value = Axis::x}));

struct Position {
  std::int32_t steps;
  Axis axis;
};
constexpr auto position_output = mcp::output(mcp::param<&Position::steps>("steps", {.minimum = 0, .maximum = 400}),
                                             mcp::param<&Position::axis>("axis", {.choices = axes}));

mcp::Errc move_axis(const Offset& params, Position& result, mcp::MethodCall& call) {
  if (params.steps == 13) {
    return call.fail_with(
        7, [&](mcp::json::Writer& data) { data.number(params.steps); }, "The axis is stuck at \"", params.steps, "\".");
  }
  result = {.steps = params.steps, .axis = params.axis};
  return params.steps == 14 ? mcp::Errc::unavailable : mcp::Errc::ok;
}

mcp::Errc set_offset(const Offset& params, mcp::MethodCall& call) {
  moved = params.steps;
  call.result().member("offset", params.steps);
  return mcp::Errc::ok;
}

mcp::Errc echo(mcp::json::Value params, mcp::MethodCall& call) {
  const mcp::json::Value value = mcp::json::find_member(params, "value");
  call.result().member("present", params.present());
  if (!value.present()) return mcp::Errc::ok;
  call.result().key("value");
  call.result().copy(value.raw());
  return mcp::Errc::ok;
}

mcp::Errc count_moves(mcp::MethodCall& call) {
  call.result().member("moved", moved);
  return call.session() == mcp::SessionId{} ? mcp::Errc::internal : mcp::Errc::ok;
}

mcp::Errc position(Position& result, mcp::MethodCall&) {
  result = {.steps = 3, .axis = Axis::y};
  return mcp::Errc::ok;
}

// Ends as the params say.
mcp::Errc end(mcp::json::Value params, mcp::MethodCall& call) {
  const mcp::json::Value how = mcp::json::find_member(params, "how");
  call.result().member("lost", "not sent");
  if (how.equals("not_found")) return mcp::Errc::not_found;
  if (how.equals("no_space")) return mcp::Errc::no_space;
  if (how.equals("failed")) return mcp::Errc::failed;
  if (how.equals("text")) return call.fail(-32050, "No \"", how.string(), "\".");
  const std::string large(100'000, 'x');
  if (how.equals("large_data")) {
    return call.fail_with(
        9, [&](mcp::json::Writer& data) { data.string(std::string_view(large)); }, "Large.");
  }
  if (how.equals("large_text")) return call.fail(9, large);
  call.result().member("large", std::string_view(large));
  return mcp::Errc::ok;
}

// ---- Notifications -----------------------------------------------------------------------------------------------

mcp::Errc took_steps(const Offset& params, mcp::MethodCall& call) {
  moved += params.steps;
  call.result().member("lost", "not sent");
  return mcp::Errc::ok;
}

mcp::Errc stopped(mcp::json::Value params, mcp::MethodCall& call) {
  moved = params.present() ? -1 : 0;
  return params.present() ? call.fail(5, "No params.") : mcp::Errc::ok;
}

constexpr mcp::Method methods[] = {
    mcp::method<move_axis>({.name = "x-acme/move"}, offset_params, position_output),
    mcp::method<set_offset>({.name = "x-acme/offset"}, offset_params),
    mcp::method<echo>({.name = "x-acme/echo"}),
    mcp::method<count_moves>({.name = "x-acme/moves"}),
    mcp::method<position>({.name = "x-acme/v2/position"}, position_output),
    mcp::method<end>({.name = "x-acme/end"}),
    mcp::notification<took_steps>({.name = "x-acme/took_steps"}, offset_params),
    mcp::notification<stopped>({.name = "x-acme/stopped"}),
};

// ---- Completion --------------------------------------------------------------------------------------------------

constexpr std::string_view rooms[] = {"Attic",         "cellar", "bathroom", "Bath",    "battery bath",
                                      "\xC3\x96ltank", "bath",   "hall",     "cat bath"};

mcp::Errc suggest(const mcp::CompletionRequest& request, mcp::Completions& completions) {
  static int calls;  // of the present request
  if (request.value() == "fails") return mcp::Errc::unavailable;
  if (request.value() == "fails later") return ++calls % 2 == 1 ? mcp::Errc::ok : mcp::Errc::not_found;
  if (request.value() == "N") {
    for (int i = 0; i < 70; ++i) completions.offer("a n" + std::to_string(i));
    for (int i = 0; i < 60; ++i) completions.offer("N" + std::to_string(i));
    return mcp::Errc::ok;
  }
  for (const std::string_view room : rooms) completions.offer(room);
  return mcp::Errc::ok;
}

mcp::Errc say(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().text("said"); }
constexpr mcp::PromptArgument arguments[] = {{.name = "room"}};
constexpr mcp::Prompt prompts[] = {
    {.name = "heat", .arguments = arguments, .get = say, .complete = suggest, .match = mcp::Match::anywhere},
    {.name = "cool", .arguments = arguments, .get = say, .complete = suggest},
    {.name = "quiet", .arguments = arguments, .get = say}};

mcp::Errc read_room(const mcp::UriVariables& variables, mcp::ReadResult& out) { return out.text(variables["room"]); }
constexpr mcp::ResourceTemplate templates[] = {{.uri_template = "room://{room}",
                                                .name = "room",
                                                .read = read_room,
                                                .complete = suggest,
                                                .match = mcp::Match::anywhere}};

// ---- Log messages with objects -----------------------------------------------------------------------------------

struct Reading {
  std::string_view sensor;
  std::int32_t celsius;
  bool is_valid;
};
constexpr auto reading_output = mcp::output(mcp::param<&Reading::sensor>("sensor"),
                                            mcp::param<&Reading::celsius>("celsius", {.minimum = -40, .maximum = 125}),
                                            mcp::param<&Reading::is_valid>("valid"));

mcp::Server* logger = nullptr;

struct LogThis {
  std::int32_t celsius;
  std::string_view sensor;
};
constexpr auto log_params = mcp::params(mcp::param<&LogThis::celsius>("celsius"),
                                        mcp::param<&LogThis::sensor>("sensor", {.default_value = "attic"}));

mcp::Errc log_reading(const LogThis& read, mcp::Call& call) {
  if (logger == nullptr) return call.fail("no logger");
  const mcp::Errc errc = logger->log(mcp::LogLevel::notice, "sensors", reading_output,
                                     {.sensor = read.sensor, .celsius = read.celsius, .is_valid = true});
  logger->log(mcp::LogLevel::debug, "", "logged");
  return call.result().text(static_cast<int>(errc));
}

constexpr mcp::Tool tools[] = {mcp::tool<log_reading>({.name = "log"}, log_params)};

void keep_trail(const mcp::AuditRecord& record) {
  trail.append(record.method).append(" ").append(std::to_string(record.error_code)).append("; ");
}

// ---- The device "items" ------------------------------------------------------------------------------------------

constexpr mcp::Icon icons[] = {{.src = "https://example.com/i.png", .sizes = "48x48"}};
constexpr mcp::Meta of_body = R"({"com.example/slot": 2})";
constexpr mcp::Annotations for_user{.audience = mcp::Annotations::Audience::user};
constexpr std::uint8_t bytes[] = {1, 2, 3};

mcp::Errc show(mcp::Call& call) {
  static_cast<void>(call.result().link({.uri = "t://a", .name = "a"}, icons));
  static_cast<void>(call.result().annotate(for_user).resource_text(
      {.uri = "t://b", .mime_type = "text/plain", .meta = of_body}, "b", 1));
  static_cast<void>(call.result().resource_text({.uri = "t://c"}, "c"));
  return call.result().meta(of_body).resource_blob({.uri = "t://d", .meta = of_body}, bytes);
}

/// Sends progress in fractions.
struct Fill {
  int step_number;
  mcp::Step step(mcp::JobContext& context) {
    switch (step_number++) {
      case 0:
        context.progress(-0.5, "empty");
        context.progress(mcp::Scaled{-1, 0}, "not more");
        break;
      case 1: context.progress(mcp::Scaled{25, 2}); break;
      case 2: context.progress(mcp::Scaled{250'000'000, 9}, "again"); break;  // not more
      case 3: context.progress(0.5, "half"); break;
      case 4: context.progress(0.75F); break;
      case 5:
        context.progress(mcp::Scaled{3, 0}, "full");
        context.progress(1.5, "not more");
        break;
      default: return context.done(context.result().text("filled"));
    }
    return context.sleep(100);
  }
};

/// Mixes counts and fractions.
struct Mix {
  int step_number;
  mcp::Step step(mcp::JobContext& context) {
    if (step_number == 0) context.progress(2, 4);
    if (step_number == 1) context.progress(mcp::Scaled{9, 1});  // ignored
    if (step_number == 2) context.progress(3, 4);
    return step_number++ == 3 ? context.done(context.result().text("mixed")) : context.sleep(100);
  }
};

/// Samples with several items in a message.
struct Sample {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (asked) return context.done(context.result().text(context.answer().text()));
    asked = true;
    return context.sample({.max_tokens = 9, .metadata = R"({"trace": {"id": 7}})"}, [](mcp::SampleMessages& messages) {
      messages.user([](mcp::SampleContent& items) {
        static_cast<void>(items.text("Compare."));
        static_cast<void>(items.image(bytes, "image/png"));
      });
      messages.user([](mcp::SampleContent&) {});
      messages.assistant([](mcp::SampleContent& items) { static_cast<void>(items.text("[")); });
      static_cast<void>(messages.user().text("Alone."));
    });
  }
};

constexpr mcp::Tool item_tools[] = {mcp::tool<show>({.name = "show"}),
                                    mcp::job<Fill>({.name = "fill", .task_support = mcp::TaskSupport::optional}),
                                    mcp::job<Mix>({.name = "mix"}), mcp::job<Sample>({.name = "sample"})};

constexpr mcp::ServerExtras vendor_extras{.description = "Moves",
                                          .website_url = "https://example.com/",
                                          .icons = icons,
                                          .experimental = R"({"acme": {"trace": true}, "x": {}})",
                                          .extensions = R"({
  "com.example/axes": {"version": 2}, "io.modelcontextprotocol/ui": {}
} )",
                                          .meta_keys = R"(["com.example/room", "plain"])"};
constexpr mcp::ServerExtras item_extras{.extensions = R"({"com.example/items": {}})"};

}  // namespace

constexpr mcp::Definition vendor{.name = "vendor",
                                 .title = "Vendor",
                                 .version = "0",
                                 .extras = vendor_extras,
                                 .tools = tools,
                                 .resource_templates = templates,
                                 .prompts = prompts,
                                 .methods = methods,
                                 .logging = mcp::LogData::objects,
                                 .audit = keep_trail};
constexpr mcp::Definition new_items{
    .name = "items", .title = "Items", .version = "0", .extras = item_extras, .tools = item_tools};

bool act_on_vendor(mcp::Server& server, std::string_view action) {
  if (action == "forget vendor") {
    moved = 0;
    trail.clear();
    logger = &server;
    return true;
  }
  constexpr std::string_view wanted = "vendor trail ";
  if (!action.starts_with(wanted)) return false;
  const bool is_it = action.substr(wanted.size()) == trail;
  trail.clear();
  return is_it;
}

void forget_vendor() { logger = nullptr; }

}  // namespace test
