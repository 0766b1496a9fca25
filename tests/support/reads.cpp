// SPDX-License-Identifier: Apache-2.0
// A device whose reads take time, or send input requests.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "mcp/server.hpp"
#include "support/device.hpp"

namespace test {
namespace {

unsigned ended = 0;  // reads that were told to stop
mcp::Errc count_ended(mcp::Call& call) { return call.result().text(ended); }

// ---- Reads that take time ------------------------------------------------------------------------------------------

struct Sample {
  std::int32_t percent;
};
constexpr auto sample_output = mcp::output(mcp::param<&Sample::percent>("percent", {.minimum = 0, .maximum = 100}));

mcp::Errc write_number(mcp::ReadResult& body) { return body.number(21.5); }
mcp::Errc write_json(mcp::ReadResult& body) {
  mcp::json::Writer& out = body.json();
  out.object_begin();
  out.member("celsius", 21);
  out.object_end();
  return mcp::Errc::ok;
}
mcp::Errc write_bytes(mcp::ReadResult& body) {
  static constexpr std::uint8_t bytes[] = {0, 1, 2};
  return body.blob(bytes);
}
mcp::Errc write_sample(mcp::ReadResult& body) { return body.structured(sample_output, {.percent = 7}); }
mcp::Errc write_wrong_sample(mcp::ReadResult& body) { return body.structured(sample_output, {.percent = 101}); }
mcp::Errc write_failure(mcp::ReadResult& body) { return body.fail("The sensor is wet."); }
mcp::Errc write_nothing(mcp::ReadResult&) { return mcp::Errc::ok; }
mcp::Errc write_not_found(mcp::ReadResult&) { return mcp::Errc::not_found; }
mcp::Errc write_too_much(mcp::ReadResult& body) {
  static constexpr char text[100'000] = {};
  return body.text(std::string_view(text, sizeof text));
}

// Measures for 100 ms, then writes its body.
template <auto Write>
struct Slowly {
  bool started;
  mcp::Step step(mcp::ReadContext& context) {
    if (context.stop_requested()) return ++ended, context.done();
    if (!started) {
      started = true;
      context.progress(1, 2, "measuring");
      return context.sleep(100);
    }
    return context.done(Write(context.body()));
  }
};

struct Never {
  mcp::Step step(mcp::ReadContext& context) {
    if (context.stop_requested()) return ++ended, context.done(context.body().text("late"));
    return context.sleep(60'000);
  }
};

// Is done in its first step.
struct AtOnce {
  bool again;
  mcp::Step step(mcp::ReadContext& context) {
    if (!again) return again = true, context.again();
    return context.done(context.body().text(context.now() != 0 ? "at once" : "never"));
  }
};

// A channel of a converter.
struct ReadChannel {
  mcp::FixedString<16> uri;
  std::int32_t channel;
  bool started;
  mcp::Errc begin(const mcp::UriVariables& variables) { return variables.integer("channel", 0, 7, channel); }
  mcp::Step step(mcp::ReadContext& context) {
    if (context.stop_requested()) return ++ended, context.done();
    if (!started) return started = true, context.sleep(100);
    return context.done(context.body().number(channel * 10));
  }
};

// The same with a table.
struct Input {
  std::int32_t channel;
};
constexpr auto input_params = mcp::params(mcp::param<&Input::channel>("channel", {.minimum = 0, .maximum = 7}));
struct ReadInput {
  mcp::FixedString<16> uri;
  Input variables;
  bool started;
  mcp::Step step(mcp::ReadContext& context) {
    if (context.stop_requested()) return ++ended, context.done();
    if (!started) return started = true, context.sleep(100);
    return context.done(context.body().number(variables.channel * 100));
  }
};

// ---- Reads that ask ------------------------------------------------------------------------------------------------

struct Pin {
  std::int32_t number;
};
constexpr auto pin_form = mcp::params(mcp::param<&Pin::number>("number", {.minimum = 0, .maximum = 9999}));

mcp::Errc read_secret(mcp::AskReadResult& out) {
  const mcp::Answer answer = out.answer("pin");
  if (answer.outcome() == mcp::Outcome::unsupported) return out.text("no secret");
  if (answer.outcome() == mcp::Outcome::declined) return out.fail_input(answer);
  if (answer.outcome() != mcp::Outcome::accepted)
    return out.key("pin").elicit(pin_form, "Enter the PIN of the secret.");
  Pin pin{};
  if (const mcp::Errc errc = out.read_form(answer, pin_form, pin); errc != mcp::Errc::ok) return errc;
  return pin.number == 1234 ? out.text("secret") : mcp::Errc::not_found;
}

// In each era and for each client.
mcp::Errc read_always(mcp::AskReadResult& out) { return out.key("pin").elicit(pin_form, "Your PIN?"); }
mcp::Errc read_long(mcp::AskReadResult& out) {
  static constexpr char text[100'000] = {};
  return out.elicit(pin_form, std::string_view(text, sizeof text));
}

mcp::Errc read_room(const mcp::UriVariables& variables, mcp::AskReadResult& out) {
  if (out.answer("pin").outcome() != mcp::Outcome::accepted) {
    return out.key("pin").elicit(pin_form, "The PIN of ", variables["room"], "?");
  }
  mcp::json::Writer& json = out.json();
  json.string(variables["room"]);
  return mcp::Errc::ok;
}

mcp::Errc read_plain(mcp::ReadResult& out) { return out.text("plain"); }

std::string trail;
void keep_trail(const mcp::AuditRecord& record) {
  constexpr std::string_view names[] = {"ok", "failed", "error", "later", "cancelled", "asks"};
  if (record.method != "resources/read" && record.method != "tools/call") return;
  trail.append(record.method).append(" ").append(record.subject).append(" ");
  trail.append(names[static_cast<std::size_t>(record.outcome)]);
  if (record.error_code != 0) trail += std::to_string(record.error_code);
  trail += "; ";
}

struct Work {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested() || slept) return context.done(context.result().text("worked"));
    return slept = true, context.sleep(100);
  }
};
constexpr mcp::Tool tools[] = {mcp::tool<count_ended>({.name = "ended"}), mcp::job<Work>({.name = "work"})};
constexpr mcp::Resource resources[] = {
    mcp::read_job<Slowly<write_number>>(
        {.uri = "slow:number", .name = "number", .mime_type = "text/plain", .ttl_ms = 5000}),
    mcp::read_job<Slowly<write_json>>({.uri = "slow:json", .name = "json", .mime_type = "application/json"}),
    mcp::read_job<Slowly<write_bytes>>({.uri = "slow:bytes", .name = "bytes"}),
    mcp::read_job<Slowly<write_sample>>({.uri = "slow:sample", .name = "sample"}),
    mcp::read_job<Slowly<write_wrong_sample>>({.uri = "slow:wrong", .name = "wrong"}),
    mcp::read_job<Slowly<write_failure>>({.uri = "slow:fails", .name = "fails"}),
    mcp::read_job<Slowly<write_nothing>>({.uri = "slow:nothing", .name = "nothing"}),
    mcp::read_job<Slowly<write_not_found>>({.uri = "slow:not_found", .name = "not_found"}),
    mcp::read_job<Slowly<write_too_much>>({.uri = "slow:too_much", .name = "too_much"}),
    mcp::read_job<Never>({.uri = "slow:never", .name = "never"}),
    mcp::read_job<Never, 500>({.uri = "slow:limited", .name = "limited"}),
    mcp::read_job<AtOnce>({.uri = "slow:at_once", .name = "at_once"}),
    mcp::ask_read<read_secret>({.uri = "ask:secret", .name = "secret", .mime_type = "text/plain"}),
    mcp::ask_read<read_always>({.uri = "ask:always", .name = "always"}),
    mcp::ask_read<read_long>({.uri = "ask:long", .name = "long"}),
    {.uri = "plain:text", .name = "plain", .read = read_plain},
};
constexpr mcp::ResourceTemplate templates[] = {
    mcp::read_job<ReadChannel>({.uri_template = "adc:{channel}", .name = "adc", .mime_type = "text/plain"}),
    mcp::read_job<ReadChannel>({.uri_template = "adc2:{channel}", .name = "adc2"}),
    mcp::read_job<ReadChannel>({.uri_template = "adc_of_the_board:{channel}", .name = "adc3"}),
    mcp::read_job<ReadInput, input_params>({.uri_template = "input:{channel}", .name = "input"}),
    mcp::ask_read<read_room>({.uri_template = "room:{room}", .name = "room"}),
};

}  // namespace

constexpr mcp::Definition reads{.name = "reads",
                                .version = "0",
                                .tools = tools,
                                .resources = resources,
                                .resource_templates = templates,
                                .audit = keep_trail};

bool act_on_reads(std::string_view action) {
  constexpr std::string_view told = "reads trail ";
  if (action == "forget reads") {
    ended = 0;
    trail.clear();
    return true;
  }
  if (!action.starts_with(told)) return false;
  EXPECT_EQ(trail, std::string(action.substr(told.size())) + " ");
  trail.clear();
  return true;
}

namespace {

// As in an application: the compiler checks the limits against all tables.
constexpr mcp::Limits reads_limits{.jobs = 1};
constinit mcp::Storage<reads, reads_limits> reads_storage;
[[maybe_unused]] constinit mcp::Server server_with_reads{reads_storage};

}  // namespace
}  // namespace test
