// SPDX-License-Identifier: Apache-2.0
// A second test device: prompts, completion, every type of content, logging, rows that are switched, jobs.
#include <algorithm>
#include <array>
#include <charconv>

#include "support/device.hpp"

namespace test {
namespace {

constexpr std::uint8_t bytes[] = {1, 2, 3, 4};

// ---- Content -----------------------------------------------------------------------------------------------------

mcp::Errc content(mcp::Call& call) {
  mcp::ToolResult& result = call.result();
  constexpr mcp::Annotations annotations{.audience = mcp::Annotations::Audience::both,
                                         .priority = mcp::Scaled{5, 1},
                                         .last_modified = "2026-01-02T03:04:05Z"};
  constexpr mcp::Annotations for_user{.audience = mcp::Annotations::Audience::user};
  constexpr mcp::Annotations for_assistant{.audience = mcp::Annotations::Audience::assistant};
  const mcp::Errc outcomes[] = {result.annotate(annotations).text("one"),
                                result.annotate(for_user).image(bytes, "image/png"),
                                result.annotate(for_assistant).audio(bytes, "audio/wav"),
                                result.link({.uri = "test://link",
                                             .name = "link",
                                             .title = "Link",
                                             .description = "d",
                                             .mime_type = "text/plain",
                                             .size = 7}),
                                result.link({.uri = "test://bare", .name = "bare"}),
                                result.resource_text("test://text", "text/plain", "number ", 1),
                                result.resource_blob("test://blob", "", bytes)};
  for (const mcp::Errc errc : outcomes) {
    if (errc != mcp::Errc::ok) return errc;
  }
  return mcp::Errc::ok;
}

// ---- Jobs --------------------------------------------------------------------------------------------------------

// Counts to `to`, 100 ms for each, and reports its end in test://ended.
int ended = 0;

struct Count {
  struct Arguments {
    std::int32_t to;
  };
  Arguments arguments;
  std::int32_t at;

  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) {
      ++ended;
      static_cast<void>(context.result().text("never sent"));
      return context.done();
    }
    if (at == arguments.to) return context.done(context.result().text("counted to ", at));
    context.progress(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(arguments.to), "counting");
    ++at;
    return context.sleep(100);
  }
};
constexpr auto count_params = mcp::params(mcp::param<&Count::Arguments::to>("to", {.minimum = 0, .maximum = 9}));

// Reports 2, 1, 2, 3 without a pause: only what grows is sent, and the newest only.
struct Hurry {
  std::uint32_t at;
  mcp::Step step(mcp::JobContext& context) {
    constexpr std::uint32_t reports[] = {2, 1, 2, 3};
    if (at == 4) return context.done(context.fail("in a hurry"));
    context.progress(reports[at]);
    context.progress(reports[at]);
    ++at;
    return context.again();
  }
};

// Never done: its time limit is one second.
struct Forever {
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) ++ended;
    return context.sleep(60'000);
  }
};

// Never done, and always has news.
struct Chatter {
  std::uint32_t at;
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) ++ended;
    context.progress(++at);
    return context.again();
  }
};

// Done at once, in each way.
struct AtOnce {
  struct Arguments {
    mcp::FixedString<16> how;
  };
  Arguments arguments;
  mcp::Step step(mcp::JobContext& context) {
    const std::string_view how = arguments.how.view();
    if (how == "nothing") return context.done();
    if (how == "unavailable") return context.done(mcp::Errc::unavailable);
    if (how == "large") {
      mcp::Errc errc = mcp::Errc::ok;
      while (errc == mcp::Errc::ok) errc = context.result().text("0123456789012345678901234567890123456789");
      return context.done(errc);
    }
    return context.done(context.fail("failed: ", how));
  }
};
constexpr auto at_once_params = mcp::params(mcp::param<&AtOnce::Arguments::how>("how"));

mcp::Errc ends(mcp::Call& call) { return call.result().text(ended); }

constexpr mcp::Tool tools[] = {
    mcp::tool<content>({.name = "content"}),
    mcp::job<Count>({.name = "count", .description = "Counts."}, count_params),
    mcp::job<Hurry>({.name = "hurry"}),
    mcp::job<Forever, 1000>({.name = "forever"}),
    mcp::job<AtOnce>({.name = "at_once"}, at_once_params),
    mcp::tool<ends>({.name = "ends"}),
    mcp::job<Chatter>({.name = "chatter"}),
};

// ---- Prompts and completion --------------------------------------------------------------------------------------

mcp::Errc plain(const mcp::PromptArguments&, mcp::PromptResult& out) { return out.user().text("Hello."); }

mcp::Errc look(const mcp::PromptArguments& arguments, mcp::PromptResult& out) {
  if (arguments["what"] == "nothing") return mcp::Errc::not_found;
  if (arguments["what"] == "broken") return mcp::Errc::unavailable;
  if (const mcp::Errc errc = out.user().text("Look at ", arguments["what"], "."); errc != mcp::Errc::ok) return errc;
  if (const mcp::Errc errc = out.assistant().image(bytes, "image/png"); errc != mcp::Errc::ok) return errc;
  return out.user().resource_text("test://seen", "text/plain", arguments["how"]);
}

mcp::Errc suggest(const mcp::CompletionRequest& request, mcp::Completions& completions) {
  if (request.value() == "broken") return mcp::Errc::unavailable;
  if (request.argument() == "how") {
    completions.offer(request.other("what"));
    return mcp::Errc::ok;
  }
  if (request.value().starts_with("many")) {
    std::array<char, 16> text{'m', 'a', 'n', 'y'};
    for (int i = 0; i < 150; ++i) {
      const char* const end = std::to_chars(text.data() + 4, text.data() + text.size(), i).ptr;
      completions.offer({text.data(), end});
    }
    return mcp::Errc::ok;
  }
  for (const char* const value : {"red", "reddish", "green"}) completions.offer(value);
  return mcp::Errc::ok;
}

constexpr mcp::PromptArgument look_arguments[] = {
    {.name = "what", .title = "What", .description = "What to look at", .required = true}, {.name = "how"}};

constexpr mcp::Prompt prompts[] = {
    {.name = "plain", .get = plain},
    {.name = "look",
     .title = "Look",
     .description = "Looks at things.",
     .arguments = look_arguments,
     .get = look,
     .complete = suggest},
};

// ---- Resources ---------------------------------------------------------------------------------------------------

mcp::Errc read(mcp::ReadResult& out) { return out.text("here"); }
mcp::Errc read_colour(const mcp::UriVariables& variables, mcp::ReadResult& out) {
  return out.text(variables["colour"]);
}

constexpr mcp::Resource resources[] = {{.uri = "test://here", .name = "here", .read = read, .subscribable = true}};
constexpr mcp::ResourceTemplate resource_templates[] = {
    {.uri_template = "test://colour/{colour}{?shade}", .name = "colour", .read = read_colour, .complete = suggest},
    {.uri_template = "test://quiet/{colour}", .name = "quiet", .read = read_colour}};

bool set_enabled(mcp::Server& server, std::string_view name, bool enabled) {
  for (const mcp::Tool& row : tools) {
    if (row.info.name == name) return server.set_enabled(row, enabled), true;
  }
  for (const mcp::Resource& row : resources) {
    if (row.name == name) return server.set_enabled(row, enabled), true;
  }
  for (const mcp::ResourceTemplate& row : resource_templates) {
    if (row.name == name) return server.set_enabled(row, enabled), true;
  }
  for (const mcp::Prompt& row : prompts) {
    if (row.name == name) return server.set_enabled(row, enabled), true;
  }
  return false;
}

std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text = text.substr(std::min(end + 1, text.size()));
  return word;
}

}  // namespace

constexpr mcp::Definition features{.name = "features",
                                   .version = "0",
                                   .tools = tools,
                                   .resources = resources,
                                   .resource_templates = resource_templates,
                                   .prompts = prompts,
                                   .logging = true,
                                   .list_changes = true,
                                   .subscriptions = true};

namespace {

// As in an application: the compiler checks the limits against all tables.
constexpr mcp::Limits limits{.jobs = 1, .subscriptions = 1, .log_size = 64};
constinit mcp::Storage<features, limits> storage;
[[maybe_unused]] constinit mcp::Server server_of_an_application{storage};

}  // namespace

bool act_on_features(mcp::Server& server, std::string_view action) {
  const std::string_view verb = take_word(action);
  if (verb == "enable" || verb == "disable") return set_enabled(server, action, verb == "enable");
  if (verb == "reset") return ended = 0, true;
  if (verb != "log") return false;
  constexpr std::string_view levels[] = {"debug", "info",     "notice", "warning",
                                         "error", "critical", "alert",  "emergency"};
  const std::string_view level = take_word(action);
  const auto index =
      static_cast<std::size_t>(std::find(std::begin(levels), std::end(levels), level) - std::begin(levels));
  const std::string_view logger = take_word(action);
  server.log(static_cast<mcp::LogLevel>(index), logger == "-" ? "" : logger, action);
  return true;
}

}  // namespace test
