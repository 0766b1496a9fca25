// SPDX-License-Identifier: Apache-2.0
// A third test device: streamed bodies, and all that may interrupt them.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "support/device.hpp"

namespace test {

StreamState streamed{};

namespace {

// The one body, in pieces of streamed.piece bytes at most.
mcp::Chunk read_body(std::uint32_t offset, std::span<std::uint8_t> into) {
  if (into.empty() || into.size() > 48) return mcp::Chunk::failed(mcp::Errc::internal);
  if (offset >= streamed.fails_at) return mcp::Chunk::failed(streamed.errc);
  if (offset >= streamed.busy_at) return mcp::Chunk::not_ready(100);
  if (offset >= streamed.body.size()) return mcp::Chunk::end();
  const std::size_t until = std::min({streamed.body.size(), streamed.fails_at, streamed.busy_at});
  const std::size_t size = std::min({into.size(), until - offset, streamed.piece});
  std::copy_n(streamed.body.data() + offset, size, into.data());
  return mcp::Chunk::bytes(size);
}

mcp::Errc read_plain(mcp::ReadResult& out) { return out.text(streamed.body); }
mcp::Errc read_plain_blob(mcp::ReadResult& out) {
  return out.blob({reinterpret_cast<const std::uint8_t*>(streamed.body.data()), streamed.body.size()});
}
mcp::Errc read_matched(const mcp::UriVariables& variables, mcp::ReadResult& out) { return out.text(variables["x"]); }

// `plains:` is as long as `stream:`, so that the two answers differ in this one word.
constexpr mcp::Resource resources[] = {
    {.uri = "stream:text",
     .name = "text",
     .description = "A text of any size.",
     .mime_type = "text/plain",
     .stream = mcp::text_stream(read_body),
     .subscribable = true},
    {.uri = "stream:blob", .name = "blob", .stream = mcp::blob_stream(read_body)},
    {.uri = "plains:text", .name = "plain text", .mime_type = "text/plain", .read = read_plain},
    {.uri = "plains:blob", .name = "plain blob", .read = read_plain_blob},
};
constexpr mcp::ResourceTemplate resource_templates[] = {
    {.uri_template = "match:{x}", .name = "matched", .read = read_matched}};

// ---- Streams of a template ---------------------------------------------------------------------------------------

// The variables come first, and then the one body.
struct Day {
  std::uint16_t year = {};
  mcp::FixedString<8> name = {};
  bool loud = {};
};
constexpr auto day_params = mcp::params(mcp::param<&Day::year>("year", {.minimum = 1, .maximum = 2999}),
                                        mcp::param<&Day::name>("name", {.min_length = 1}),
                                        mcp::param<&Day::loud>("loud", {.default_value = false}));
mcp::Chunk read_day(const Day& day, std::uint32_t offset, std::span<std::uint8_t> into) {
  if (day.year == 1) return mcp::Chunk::failed(mcp::Errc::not_found);
  if (streamed.busy_at == 0) return mcp::Chunk::not_ready(100);
  const std::string start = std::to_string(day.year) + (day.loud ? "!" : " ") + std::string(day.name.view()) + ": ";
  if (offset >= start.size()) return read_body(offset - static_cast<std::uint32_t>(start.size()), into);
  const std::size_t size = std::min(into.size(), start.size() - offset);
  std::copy_n(start.data() + offset, size, into.data());
  return mcp::Chunk::bytes(size);
}

struct Page {
  std::uint8_t number = {};
};
constexpr auto page_params = mcp::params(mcp::param<&Page::number>("number"));
mcp::Chunk read_page(const Page& page, std::uint32_t offset, std::span<std::uint8_t> into) {
  if (offset != 0 || streamed.busy_at == 0) return read_body(offset == 0 ? 0 : offset - 1, into);
  into[0] = page.number;
  return mcp::Chunk::bytes(1);
}

constexpr mcp::ResourceTemplate streamed_templates[] = {
    {.uri_template = "match:{x}", .name = "matched", .read = read_matched},
    mcp::text_stream_template<read_day, day_params>(
        {.uri_template = "stream:day/{year}/{name}{?loud}", .name = "day", .mime_type = "text/plain", .ttl_ms = 5'000}),
    mcp::blob_stream_template<read_page, page_params>({.uri_template = "stream:page/{number}", .name = "page"}),
};

// Ends when it is cancelled, and sends a message every 10 ms until then.
struct Patience {
  std::uint32_t steps;
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) return context.done();
    context.progress(++steps);
    return context.sleep(10);
  }
};
constexpr mcp::Tool tools[] = {mcp::job<Patience>({.name = "patience"})};

constexpr mcp::Definition definition{.name = "streams",
                                     .version = "0",
                                     .tools = tools,
                                     .resources = resources,
                                     .resource_templates = resource_templates,
                                     .logging = true,
                                     .list_changes = true};

constexpr mcp::Definition with_templates{.name = "template_streams",
                                         .version = "0",
                                         .tools = tools,
                                         .resources = resources,
                                         .resource_templates = streamed_templates,
                                         .logging = true,
                                         .list_changes = true};
constexpr mcp::Definition templates_alone{
    .name = "template_streams_alone", .version = "0", .resource_templates = streamed_templates};

// As in an application: the compiler checks the limits against all tables.
constexpr mcp::Limits limits{.jobs = 1, .streams = 1, .log_size = 64};
constinit mcp::Storage<with_templates, limits> storage_of_templates;
[[maybe_unused]] constinit mcp::Server server_of_templates{storage_of_templates};
constinit mcp::Storage<definition, limits> storage;
[[maybe_unused]] constinit mcp::Server server_of_an_application{storage};

std::size_t take_number(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::size_t number = std::strtoul(std::string(text.substr(0, end)).c_str(), nullptr, 10);
  text = text.substr(std::min(end + 1, text.size()));
  return number;
}

}  // namespace

const mcp::Definition& streams = definition;
const mcp::Definition& template_streams = with_templates;
const mcp::Definition& template_streams_alone = templates_alone;
const mcp::Definition input_requests_streams{
    .name = "input_requests_streams", .version = "0", .tools = input_requests.tools, .resources = resources};

bool act_on_streams(mcp::Server& server, std::string_view action) {
  const std::size_t blank = std::min(action.find(' '), action.size());
  const std::string_view verb = action.substr(0, blank);
  std::string_view rest = action.substr(std::min(blank + 1, action.size()));
  if (verb == "body") return streamed.body = rest, true;
  if (verb == "body_bytes") {
    streamed.body.clear();
    while (!rest.empty()) streamed.body += static_cast<char>(take_number(rest));
    return true;
  }
  if (verb == "body_times") {
    const std::size_t times = take_number(rest);
    streamed.body.clear();
    for (std::size_t i = 0; i < times; ++i) streamed.body += rest;
    return true;
  }
  if (verb == "pieces") return streamed.piece = take_number(rest), true;
  if (verb == "busy") return streamed.busy_at = take_number(rest), true;
  if (verb == "ready") return streamed.busy_at = StreamState::never, true;
  if (verb == "fail") {
    streamed.fails_at = take_number(rest);
    streamed.errc = rest == "not_found"          ? mcp::Errc::not_found
                    : rest == "invalid_argument" ? mcp::Errc::invalid_argument
                                                 : mcp::Errc::unavailable;
    return true;
  }
  if (verb == "heal") return streamed.fails_at = StreamState::never, true;
  if (verb == "update" && rest == resources[0].uri) return server.resource_updated(resources[0]), true;
  return false;
}

}  // namespace test
