// SPDX-License-Identifier: Apache-2.0
// A device whose tasks outlive their session, and tell the client how far they are.
#include <string_view>

#include "mcp/server.hpp"
#include "support/device.hpp"

namespace test {
namespace {

unsigned ended = 0;  // jobs that were told to stop
mcp::Errc count_ended(mcp::Call& call) { return call.result().text(ended); }

// Two beds, 100 ms each.
struct Water {
  std::uint32_t beds;
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) return ++ended, context.done();
    if (beds == 2) return context.done(context.result().text("Watered 2 beds."));
    ++beds;
    context.progress(beds, 2, beds == 1 ? mcp::json::Text("Watering bed 1.") : mcp::json::Text("Watering bed 2."));
    return context.sleep(100);
  }
};

struct Forever {
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) return ++ended, context.done();
    return context.sleep(60'000);
  }
};

struct WaterForm {
  bool yes;
};
constexpr auto water_form = mcp::params(mcp::param<&WaterForm::yes>("yes"));

// Waters 100 ms after its user agrees.
struct Consent {
  bool slept;
  mcp::Step step(mcp::AskContext& context) {
    if (context.stop_requested()) return ++ended, context.done();
    const mcp::Answer answer = context.answer();
    WaterForm form{};
    if (answer.outcome() == mcp::Outcome::accepted && context.read_form(answer, water_form, form) == mcp::Errc::ok) {
      return context.done(context.result().text(form.yes ? "Watered." : "Refused."));
    }
    if (answer.outcome() == mcp::Outcome::unsupported || answer.outcome() == mcp::Outcome::timed_out) {
      return context.done(context.fail_input(answer));
    }
    if (!slept) return slept = true, context.sleep(100);
    context.progress(1, 2, "Waiting for consent.");
    return context.timeout(1000).elicit(water_form, "Water?");
  }
};

// Its message is cut before the letter at the 60th byte, which has two bytes.
struct Talk {
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) return ++ended, context.done();
    context.progress(1, 0, "12345678901234567890123456789012345678901234567890123456789\u00E4bcd");
    return context.sleep(60'000);
  }
};

// Its message has no place at which it could be cut.
struct Mumble {
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) return ++ended, context.done();
    context.progress(1, 0,
                     "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80"
                     "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80"
                     "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80");
    return context.sleep(60'000);
  }
};

// Each byte of its message takes six in JSON.
struct Noise {
  mcp::Step step(mcp::AskContext& context) {
    if (context.stop_requested()) return ++ended, context.done();
    context.progress(1, 0, "\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1");
    return context.elicit(water_form, "Water?");
  }
};

mcp::Errc fail_at_once(mcp::Call& call) { return call.fail("No water."); }

constexpr auto may = mcp::TaskSupport::optional;
constexpr mcp::Tool tools[] = {
    mcp::job<Water>({.name = "water", .task_support = may, .task_outlives_session = true, .poll_interval_ms = 50}),
    mcp::job<Water>({.name = "water_here", .task_support = may, .poll_interval_ms = 65'535}),
    mcp::job<Forever>({.name = "forever", .task_support = may, .task_outlives_session = true}),
    mcp::job<Forever, 500>({.name = "limited", .task_support = may, .task_outlives_session = true}),
    mcp::job<Consent>({.name = "consent", .task_support = may, .task_outlives_session = true}),
    mcp::job<Talk>({.name = "talk", .task_support = may}),
    mcp::job<Mumble>({.name = "mumble", .task_support = may}),
    mcp::job<Noise>({.name = "noise", .task_support = may}),
    mcp::tool<fail_at_once>({.name = "fail", .task_support = may, .task_outlives_session = true}),
    mcp::tool<count_ended>({.name = "ended"}),
};

}  // namespace

constexpr mcp::Definition detached_tasks{
    .name = "detached_tasks", .version = "0", .tools = tools, .subscriptions = true};

bool act_on_detached_tasks(std::string_view action) {
  if (action != "forget ended") return false;
  ended = 0;
  return true;
}

namespace {

// As in an application: the compiler checks the limits against all tables.
constexpr mcp::Limits kept_limits{.jobs = 1, .tasks = 1, .subscriptions = 1};
class NoEntropy : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t>) override { return false; }
};
constinit NoEntropy kept_entropy;
constinit mcp::Storage<detached_tasks, kept_limits> kept_storage;
[[maybe_unused]] constinit mcp::Server server_with_detached_tasks{kept_storage, {.entropy = &kept_entropy}};

}  // namespace
}  // namespace test
