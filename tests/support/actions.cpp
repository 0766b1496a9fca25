// SPDX-License-Identifier: Apache-2.0
// A device that acts: interlocks, dry runs, and scheduled calls.
#include <string>
#include <string_view>

#include "mcp/coroutine.hpp"
#include "mcp/schedule.hpp"
#include "mcp/server.hpp"
#include "support/device.hpp"

namespace test {
namespace {

std::string journal;  // of the handlers
bool is_lid_closed = true;
bool is_primed = false;

bool lid_closed() { return is_lid_closed; }
bool primed() { return is_primed; }
constexpr mcp::Interlock lid{.holds = lid_closed, .refusal = "The lid is open; close it."};
constexpr mcp::Interlock pump_primed{.holds = primed, .refusal = "The pump is not primed.", .call_first = "prime_pump"};

mcp::Errc prime_pump(mcp::Call& call) {
  is_primed = true;
  return call.result().text("primed");
}

// ---- Tools with an interlock --------------------------------------------------------------------------------------

struct Amount {
  std::int32_t amount;
};
constexpr auto amount_params = mcp::params(mcp::param<&Amount::amount>("amount", {.minimum = 1, .maximum = 9}));
constexpr auto pump_params = mcp::with_dry_run(mcp::schedulable(amount_params));

mcp::Errc pump(const Amount& arguments, mcp::Call& call) {
  journal += "pump " + std::to_string(arguments.amount) + "; ";
  return call.result().text("pumped ", arguments.amount);
}
mcp::Errc preview_pump(const Amount& arguments, mcp::Call& call) {
  if (arguments.amount == 9) return call.fail("It would overflow.");
  return call.result().text("would pump ", arguments.amount);
}

mcp::Errc take_amount(const Amount& arguments, mcp::Call& call) {
  return call.result().text("took ", arguments.amount);
}
mcp::Errc open_valve(mcp::Call& call) { return call.result().text("open"); }

struct Rinse {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (slept) return context.done(context.result().text("rinsed"));
    slept = true;
    return context.sleep(100);
  }
};

// ---- Dry runs -----------------------------------------------------------------------------------------------------

struct Level {
  std::int32_t level;
};
constexpr auto level_output = mcp::output(mcp::param<&Level::level>("level"));
constexpr auto fill_params = mcp::with_dry_run(amount_params);
constexpr auto plain_dry_run = mcp::with_dry_run();
mcp::Errc fill(const Amount& arguments, Level& out, mcp::Call&) {
  journal += "fill; ";
  out.level = arguments.amount;
  return mcp::Errc::ok;
}
mcp::Errc preview_fill(const Amount& arguments, Level& out, mcp::Call&) {
  out.level = arguments.amount;
  return mcp::Errc::ok;
}
mcp::Errc flush(mcp::Call& call) {
  journal += "flush; ";
  return call.result().text("flushed");
}
mcp::Errc preview_flush(mcp::Call& call) {
  static_cast<void>(call.result().text("would flush"));
  return call.meta([](mcp::json::Writer& out) { out.member("test/own", 1); });
}
mcp::Errc drain(Level& out, mcp::Call&) {
  journal += "drain; ";
  out.level = 0;
  return mcp::Errc::ok;
}
mcp::Errc preview_drain(Level& out, mcp::Call&) {
  out.level = 0;
  return mcp::Errc::ok;
}

// ---- Scheduled calls ------------------------------------------------------------------------------------------------

struct Note {
  mcp::FixedString<8> text;
};
constexpr auto note_params = mcp::schedulable(mcp::params(mcp::param<&Note::text>("text")));
mcp::Errc note(const Note& arguments, mcp::Call& call) {
  journal.append(arguments.text.view()).append("; ");
  if (arguments.text.view() == "fail") return call.fail("It failed.");
  if (arguments.text.view() == "long") return call.result().text(std::string(300, 'x'));
  if (arguments.text.view() == "urls") return call.needs_urls({});
  return call.result().text("noted");
}

constexpr auto plain_schedule = mcp::schedulable();
mcp::Errc beep(mcp::Call& call) {
  journal += "beep; ";
  return call.result().text("beeped");
}

// Takes 100 ms for each turn.
struct Turn {
  Amount arguments;
  std::int32_t turns;
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) {
      journal += "stop; ";
      return context.done();
    }
    context.progress(static_cast<std::uint32_t>(turns + 1));
    if (turns == arguments.amount) {
      journal += "turned; ";
      return context.done(context.result().text("turned ", turns));
    }
    ++turns;
    return context.sleep(100);
  }
  static mcp::Errc preview(const Amount& arguments, mcp::Call& call) {
    return call.result().text("would turn ", arguments.amount);
  }
};
constexpr auto turn_params = mcp::schedulable(mcp::with_dry_run(amount_params));

struct Wink {
  bool winked;
  mcp::Step step(mcp::JobContext& context) {
    if (winked) return context.done(context.fail("It cannot wink."));
    winked = true;
    return context.again();
  }
};

constinit mcp::FramePool<1, 1024> frames;
mcp::Coroutine wave(mcp::CoroutineContext& context, const Amount& arguments) {
  co_await context.sleep(50);
  journal += "wave; ";
  co_return context.result().text("waved ", arguments.amount);
}
constexpr auto wave_params = mcp::schedulable(amount_params);

mcp::Errc tell_journal(mcp::Call& call) {
  const std::string told = journal;
  journal.clear();
  return call.result().text(told);
}

constexpr mcp::Tool tools[] = {
    mcp::tool<prime_pump>({.name = "prime_pump"}),
    mcp::tool<pump, preview_pump>({.name = "pump", .needs = pump_primed}, pump_params),
    mcp::tool<take_amount>({.name = "take", .needs = mcp::all_of<lid, pump_primed>}, amount_params),
    mcp::tool<open_valve>({.name = "open_valve", .needs = lid}),
    mcp::job<Rinse, mcp::no_time_limit>({.name = "rinse", .needs = pump_primed}),
    mcp::tool<fill, preview_fill>({.name = "fill", .needs = lid}, fill_params, level_output),
    mcp::tool<flush, preview_flush>({.name = "flush"}, plain_dry_run),
    mcp::tool<drain, preview_drain>({.name = "drain"}, plain_dry_run, level_output),
    mcp::tool<note>({.name = "note"}, note_params),
    mcp::tool<beep>({.name = "beep"}, plain_schedule),
    mcp::job<Turn, 450>({.name = "turn", .needs = lid}, turn_params),
    mcp::job<Wink>({.name = "wink"}, plain_schedule),
    mcp::coroutine<wave, frames>({.name = "wave"}, wave_params),
    // With this flag, the tests send one line at a time, as a client that waits for updates does.
    mcp::tool<tell_journal>({.name = "journal", .knows_client = true}),
    mcp::cancel_scheduled({.name = "cancel_scheduled"}),
};
constexpr mcp::Resource resources[] = {
    mcp::scheduled_calls({.uri = "schedule://calls", .name = "scheduled_calls", .subscribable = true}),
};

}  // namespace

constexpr mcp::Definition actions{
    .name = "actions", .version = "0", .tools = tools, .resources = resources, .list_changes = true};

bool act_on_actions(mcp::Server& server, std::string_view action) {
  if (action == "renew actions") {
    journal.clear();
    is_primed = false;
    is_lid_closed = true;
  } else if (action == "open lid" || action == "close lid") {
    is_lid_closed = action == "close lid";
  } else if (action == "let air in") {
    is_primed = false;
  } else if (action == "remove beep") {
    server.set_enabled(tools[9], false);
  } else {
    return false;
  }
  return true;
}

}  // namespace test
