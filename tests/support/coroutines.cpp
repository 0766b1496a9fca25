// SPDX-License-Identifier: Apache-2.0
// A device whose tools exist twice, as coroutines and as jobs, so that a conversation can run with either form. A
// second device has frames that are too few or too small.
#include "mcp/coroutine.hpp"

#include <string_view>

#include "support/device.hpp"

namespace test {
namespace {

// ---- What both forms have in common ------------------------------------------------------------------------------

int running = 0;  // calls that have something switched on
int started = 0;  // of those, since `forget running`

mcp::Errc tell_running(mcp::Call& call) { return call.result().text(running, " of ", started); }

void switch_on() {
  ++running;
  ++started;
}
void switch_off() { --running; }

struct Move {
  std::int32_t to;
};
constexpr auto move_params = mcp::params(mcp::param<&Move::to>("to", {.minimum = 0, .maximum = 9}));

struct Person {
  mcp::FixedString<8> name;
  std::int32_t age;
};
constexpr auto person_form =
    mcp::params(mcp::param<&Person::name>("name"), mcp::param<&Person::age>("age", {.minimum = 0}));

struct How {
  mcp::FixedString<16> how;
};
constexpr auto how_params = mcp::params(mcp::param<&How::how>("how"));

struct Reading {
  std::int32_t value;
};
constexpr auto reading = mcp::output(mcp::param<&Reading::value>("value", {.maximum = 9}));
// Ends a measurement: with a reading, one beyond its maximum, or none.
template <class Context>
mcp::Errc end_measurement(Context& context, std::string_view how) {
  if (how == "silent") return context.result().text("no reading");
  const mcp::Errc errc = context.structured(reading, {.value = how == "wrong" ? 10 : 7});
  if (errc != mcp::Errc::ok || how != "meta") return errc;
  return context.meta([](mcp::json::Writer& out) { out.member("com.example/bus", 2); });
}

constexpr mcp::InputSchema yes_or_no(R"({"type":"object","properties":{}})");
constexpr mcp::UrlElicitation sign_in{.message = "Sign in.", .url = "https://example.com/", .id = "one"};

constexpr std::string_view outcomes[] = {"none",   "accepted", "declined", "cancelled", "unsupported",    "timed out",
                                         "failed", "invalid",  "no space", "too large", "invalid content"};

std::string_view name_of(mcp::Outcome outcome) { return outcomes[static_cast<std::size_t>(outcome)]; }

// Longer than each transmit buffer.
constexpr std::size_t much = 100'000;
constexpr char much_text[much] = {};

constexpr mcp::ToolInfo move_info{
    .name = "move", .title = "Move", .description = "Moves.", .task_support = mcp::TaskSupport::optional};
constexpr mcp::ToolInfo ask_and_move_info{
    .name = "ask_and_move", .task_support = mcp::TaskSupport::optional, .input_before_task = true};

// ---- As coroutines -----------------------------------------------------------------------------------------------

namespace as_coroutines {

constinit mcp::FramePool<2, 1024> frames;

class SwitchedOn {
 public:
  SwitchedOn() { switch_on(); }
  ~SwitchedOn() { switch_off(); }
  SwitchedOn(const SwitchedOn&) = delete;
  SwitchedOn& operator=(const SwitchedOn&) = delete;
};

mcp::Coroutine move(mcp::AskCoroutineContext& context, const Move& arguments) {
  if (arguments.to > 5) {
    const mcp::Answer answer = co_await context.elicit(yes_or_no, "Move to ", arguments.to, "?");
    if (answer.outcome() != mcp::Outcome::accepted) {
      co_return context.fail("The user said: ", name_of(answer.outcome()), " ", answer.error_code());
    }
  }
  const auto total = static_cast<std::uint32_t>(arguments.to);
  {
    const SwitchedOn on;
    for (std::uint32_t at = 0; at != total; ++at) {
      context.progress(at, total, "moving");
      co_await context.sleep(100);
    }
  }
  co_return context.result().text("at ", total);
}

// Requests input once more if the content is invalid, then stops.
mcp::Coroutine fill(mcp::AskCoroutineContext& context) {
  Person person{};
  mcp::Errc errc = mcp::Errc::failed;
  for (int asked = 1; asked <= 2 && errc != mcp::Errc::ok; ++asked) {
    const mcp::Answer answer = co_await context.elicit(person_form, "Who are you (", asked, ")?");
    if (answer.outcome() != mcp::Outcome::accepted && answer.outcome() != mcp::Outcome::invalid_content) {
      co_return context.fail("nobody");
    }
    errc = context.read_form(person_form, person);
  }
  if (errc != mcp::Errc::ok) co_return errc;
  co_return context.result().text(person.name, " ", person.age);
}

// Keeps an object on while it waits for the input response.
mcp::Coroutine hold(mcp::AskCoroutineContext& context) {
  const SwitchedOn on;
  const mcp::Answer answer = co_await context.timeout(500).elicit(yes_or_no, "Hold?");
  co_return context.result().text(name_of(answer.outcome()));
}

// Fails for each outcome but one: by the argument, also for that.
mcp::Coroutine consent(mcp::AskCoroutineContext& context, How arguments) {
  const std::string_view how = arguments.how.view();
  mcp::Answer answer(mcp::Outcome::none);
  if (how == "long") {
    answer = co_await context.elicit(yes_or_no, std::string_view(much_text, much));
  } else if (how == "form") {
    answer = co_await context.elicit(person_form, "Who?");
  } else {
    answer = co_await context.timeout(500).elicit(yes_or_no, "Sure?");
  }
  if (how == "alone") co_return context.fail_input(answer);
  if (how == "never" || answer.outcome() != mcp::Outcome::accepted) {
    co_return context.fail_input(answer, "It is at ", 7, " %.");
  }
  co_return context.result().text("done");
}

mcp::Coroutine ask(mcp::AskCoroutineContext& context, How arguments) {
  const std::string_view how = arguments.how.view();
  if (how == "url") {
    const mcp::Answer answer = co_await context.elicit_url(sign_in);
    co_return context.result().text(name_of(answer.outcome()));
  }
  if (how == "need") co_return context.needs_urls({&sign_in, 1});
  if (how == "roots") {
    const mcp::Answer answer = co_await context.list_roots();
    for (mcp::Roots roots(answer); roots.next();) {
      if (const mcp::Errc errc = context.result().text(roots.uri()); errc != mcp::Errc::ok) co_return errc;
    }
    co_return mcp::Errc::ok;
  }
  const mcp::Answer answer = co_await context.sample({.max_tokens = 10}, [&](mcp::SampleMessages& messages) {
    static_cast<void>(messages.user().text("What is ", how, "?"));
  });
  co_return context.result().text(answer.text());
}

// What is written before a step ends is lost.
mcp::Coroutine lose(mcp::CoroutineContext& context) {
  mcp::Errc errc = context.result().text("lost");
  co_await context.again();
  if (errc == mcp::Errc::ok) errc = context.fail("lost, too");
  co_await context.again();
  const mcp::Millis before = context.now();
  co_await context.sleep(100);
  co_return context.result().text(context.now() - before, " ", errc == mcp::Errc::failed, " ",
                                  context.session() != mcp::SessionId{});
}

// Longer than it may.
mcp::Coroutine patience(mcp::CoroutineContext& context) {
  const SwitchedOn on;
  for (;;) co_await context.sleep(300);
  co_return mcp::Errc::ok;
}

mcp::Coroutine at_once(mcp::CoroutineContext&, const How& arguments) {
  const std::string_view how = arguments.how.view();
  co_return how == "nothing" ? mcp::Errc::ok : mcp::Errc::unavailable;
}

mcp::Coroutine measure(mcp::CoroutineContext& context, const How& arguments) {
  static_cast<void>(context.structured(reading, {.value = 1}));  // is lost: a co_await follows
  co_await context.sleep(50);
  co_return end_measurement(context, arguments.how.view());
}

mcp::Coroutine measure_once(mcp::CoroutineContext& context) { co_return end_measurement(context, "meta"); }

constexpr mcp::Tool tools[] = {
    mcp::coroutine<move, frames>(move_info, move_params),
    mcp::coroutine<move, frames>(ask_and_move_info, move_params),
    mcp::coroutine<fill, frames>({.name = "fill"}),
    mcp::coroutine<hold, frames>({.name = "hold"}),
    mcp::coroutine<hold, frames, 400>({.name = "hurry"}),
    mcp::coroutine<ask, frames>({.name = "ask"}, how_params),
    mcp::coroutine<lose, frames>({.name = "lose"}),
    mcp::coroutine<patience, frames, 1000>({.name = "patience"}),
    mcp::coroutine<at_once, frames>({.name = "at_once"}, how_params),
    mcp::coroutine<measure, frames>({.name = "measure"}, how_params, reading),
    mcp::coroutine<measure_once, frames>({.name = "measure_once"}, reading),
    mcp::tool<tell_running>({.name = "running"}),
    mcp::coroutine<consent, frames>({.name = "consent"}, how_params),
};

}  // namespace as_coroutines

// ---- As jobs -----------------------------------------------------------------------------------------------------

namespace with_jobs {

struct MoveJob {
  static constexpr bool keeps_slot = true;  // as a coroutine has to
  enum class Phase : std::uint8_t { start, asked, moving };
  Move arguments;
  std::uint32_t at;
  Phase phase;

  mcp::Step step(mcp::AskContext& context) {
    if (context.stop_requested()) {
      if (phase == Phase::moving) switch_off();
      return context.done();
    }
    if (phase == Phase::start && arguments.to > 5) {
      phase = Phase::asked;
      return context.elicit(yes_or_no, "Move to ", arguments.to, "?");
    }
    const mcp::Answer& answer = context.answer();
    if (phase == Phase::asked && answer.outcome() != mcp::Outcome::accepted) {
      return context.done(context.fail("The user said: ", name_of(answer.outcome()), " ", answer.error_code()));
    }
    const auto total = static_cast<std::uint32_t>(arguments.to);
    if (phase == Phase::moving) {
      ++at;
    } else {
      phase = Phase::moving;
      switch_on();
    }
    if (at == total) {
      switch_off();
      return context.done(context.result().text("at ", total));
    }
    context.progress(at, total, "moving");
    return context.sleep(100);
  }
};

struct FillJob {
  static constexpr bool keeps_slot = true;  // as a coroutine has to
  std::int32_t asked;
  mcp::Step step(mcp::AskContext& context) {
    if (context.stop_requested()) return context.done();
    if (asked != 0) {
      const mcp::Outcome outcome = context.answer().outcome();
      if (outcome != mcp::Outcome::accepted && outcome != mcp::Outcome::invalid_content) {
        return context.done(context.fail("nobody"));
      }
      Person person{};
      const mcp::Errc errc = context.read_form(person_form, person);
      if (errc == mcp::Errc::ok) return context.done(context.result().text(person.name, " ", person.age));
      if (asked == 2) return context.done(errc);
    }
    ++asked;
    return context.elicit(person_form, "Who are you (", asked, ")?");
  }
};

struct HoldJob {
  static constexpr bool keeps_slot = true;  // as a coroutine has to
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (!asked && !context.stop_requested()) {
      asked = true;
      switch_on();
      return context.timeout(500).elicit(yes_or_no, "Hold?");
    }
    if (asked) switch_off();
    if (context.stop_requested()) return context.done();
    return context.done(context.result().text(name_of(context.answer().outcome())));
  }
};

struct ConsentJob {
  static constexpr bool keeps_slot = true;  // as a coroutine has to
  How arguments;
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    const std::string_view how = arguments.how.view();
    if (context.stop_requested()) return context.done();
    if (!asked) {
      asked = true;
      if (how == "long") return context.elicit(yes_or_no, std::string_view(much_text, much));
      if (how == "form") return context.elicit(person_form, "Who?");
      return context.timeout(500).elicit(yes_or_no, "Sure?");
    }
    const mcp::Answer answer = context.answer();
    if (how == "alone") return context.done(context.fail_input(answer));
    if (how == "never" || answer.outcome() != mcp::Outcome::accepted) {
      return context.done(context.fail_input(answer, "It is at ", 7, " %."));
    }
    return context.done(context.result().text("done"));
  }
};

struct AskJob {
  static constexpr bool keeps_slot = true;  // as a coroutine has to
  How arguments;
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    const std::string_view how = arguments.how.view();
    if (context.stop_requested()) return context.done();
    if (how == "need") return context.done(context.needs_urls({&sign_in, 1}));
    if (!asked) {
      asked = true;
      if (how == "url") return context.elicit_url(sign_in);
      if (how == "roots") return context.list_roots();
      return context.sample({.max_tokens = 10}, [&](mcp::SampleMessages& messages) {
        static_cast<void>(messages.user().text("What is ", how, "?"));
      });
    }
    const mcp::Answer& answer = context.answer();
    if (how == "url") return context.done(context.result().text(name_of(answer.outcome())));
    if (how != "roots") return context.done(context.result().text(answer.text()));
    for (mcp::Roots roots(answer); roots.next();) {
      const mcp::Errc errc = context.result().text(roots.uri());
      if (errc != mcp::Errc::ok) return context.done(errc);
    }
    return context.done();
  }
};

struct LoseJob {
  mcp::Millis before;
  std::uint8_t steps;
  bool failed;
  mcp::Step step(mcp::JobContext& context) {
    if (context.stop_requested()) return context.done();
    ++steps;
    if (steps == 1) return static_cast<void>(context.result().text("lost")), context.again();
    if (steps == 2) {
      failed = context.fail("lost, too") == mcp::Errc::failed;
      return context.again();
    }
    if (steps == 3) {
      before = context.now();
      return context.sleep(100);
    }
    return context.done(
        context.result().text(context.now() - before, " ", failed, " ", context.session() != mcp::SessionId{}));
  }
};

struct PatienceJob {
  bool on;
  mcp::Step step(mcp::JobContext& context) {
    if (!on && !context.stop_requested()) switch_on();
    if (on && context.stop_requested()) switch_off();
    on = true;
    return context.stop_requested() ? context.done() : context.sleep(300);
  }
};

struct AtOnceJob {
  How arguments;
  mcp::Step step(mcp::JobContext& context) {
    const std::string_view how = arguments.how.view();
    return context.done(how == "nothing" ? mcp::Errc::ok : mcp::Errc::unavailable);
  }
};

struct MeasureJob {
  How arguments;
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    if (slept || context.stop_requested()) return context.done(end_measurement(context, arguments.how.view()));
    slept = true;
    static_cast<void>(context.structured(reading, {.value = 1}));
    return context.sleep(50);
  }
};

struct MeasureOnceJob {
  mcp::Step step(mcp::JobContext& context) { return context.done(end_measurement(context, "meta")); }
};

constexpr mcp::Tool tools[] = {
    mcp::job<MoveJob, mcp::no_time_limit>(move_info, move_params),
    mcp::job<MoveJob, mcp::no_time_limit>(ask_and_move_info, move_params),
    mcp::job<FillJob, mcp::no_time_limit>({.name = "fill"}),
    mcp::job<HoldJob, mcp::no_time_limit>({.name = "hold"}),
    mcp::job<HoldJob, 400>({.name = "hurry"}),
    mcp::job<AskJob, mcp::no_time_limit>({.name = "ask"}, how_params),
    mcp::job<LoseJob>({.name = "lose"}),
    mcp::job<PatienceJob, 1000>({.name = "patience"}),
    mcp::job<AtOnceJob>({.name = "at_once"}, how_params),
    mcp::job<MeasureJob>({.name = "measure"}, how_params, reading),
    mcp::job<MeasureOnceJob>({.name = "measure_once"}, reading),
    mcp::tool<tell_running>({.name = "running"}),
    mcp::job<ConsentJob, mcp::no_time_limit>({.name = "consent"}, how_params),
};

}  // namespace with_jobs

constexpr mcp::Definition as_jobs{.name = "coroutines", .version = "0", .tools = with_jobs::tools};

// ---- Too few frames, and too small ones --------------------------------------------------------------------------

namespace few_frames {

constinit mcp::FramePool<1, 512> one;
constinit mcp::FramePool<1, 16> small;

mcp::Coroutine sleep(mcp::CoroutineContext& context) {
  co_await context.sleep(100);
  co_return context.result().text("slept");
}

mcp::Coroutine ask(mcp::AskCoroutineContext& context) {
  const mcp::Answer answer = co_await context.elicit(yes_or_no, "Well?");
  co_return context.result().text(name_of(answer.outcome()));
}

// What largest_wanted() must be: nothing before the first call, then more than there is.
mcp::Errc tell_wanted(mcp::Call& call) {
  return call.result().text(small.largest_wanted() == 0, " ", small.largest_wanted() > 16, " ",
                            one.largest_wanted() <= 512);
}

constexpr mcp::Tool tools[] = {
    mcp::coroutine<sleep, one>({.name = "sleep"}),
    mcp::coroutine<ask, one, 1000>({.name = "ask"}),
    mcp::coroutine<sleep, small>({.name = "large", .task_support = mcp::TaskSupport::optional}),
    mcp::tool<tell_wanted>({.name = "wanted"}),
};

}  // namespace few_frames
}  // namespace

constexpr mcp::Definition coroutines{.name = "coroutines", .version = "0", .tools = as_coroutines::tools};
constexpr mcp::Definition frames{.name = "frames", .version = "0", .tools = few_frames::tools};

const mcp::Definition* find_twin(const mcp::Definition& definition) {
  return &definition == &coroutines ? &as_jobs : nullptr;
}

namespace {

// As in an application: the compiler checks the limits against all tables.
constexpr mcp::Limits limits{.jobs = 1, .tasks = 1};
static_assert(mcp::detail::largest_job(as_coroutines::tools) >= 2 * sizeof(void*) + sizeof(How));
static_assert(mcp::detail::largest_job(as_coroutines::tools) <= 64);
class NoEntropy : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t>) override { return false; }
};
constinit NoEntropy entropy;
constinit mcp::Storage<coroutines, limits> storage;
[[maybe_unused]] constinit mcp::Server server_of_an_application{storage, {.entropy = &entropy}};

}  // namespace

bool act_on_coroutines(std::string_view action) {
  if (action != "forget running") return false;
  started = 0;
  return running == 0;
}

}  // namespace test
