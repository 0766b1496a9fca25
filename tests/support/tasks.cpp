// SPDX-License-Identifier: Apache-2.0
// A device whose calls become tasks: of clients without a session, and of others as well.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "mcp/server.hpp"
#include "support/device.hpp"

namespace test {
namespace {

constexpr std::string_view task_outcomes[] = {"none",        "accepted",  "declined",       "cancelled",
                                              "unsupported", "timed out", "failed",         "invalid",
                                              "no space",    "too large", "invalid content"};
std::string_view outcome_word(const mcp::Answer& answer) {
  return task_outcomes[static_cast<std::size_t>(answer.outcome())];
}

struct TaskForm {
  mcp::FixedString<16> word;
};
constexpr auto task_form = mcp::params(mcp::param<&TaskForm::word>("word"));

unsigned last_steps = 0;  // of tasks that were ended
mcp::Errc tell_last_steps(mcp::Call& call) { return call.result().text(last_steps); }

// Takes 100 ms, then does the requested action.
struct TaskWork {
  struct Arguments {
    mcp::FixedString<16> how;
  };
  Arguments arguments;
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
    const std::string_view how = arguments.how.view();
    if (context.stop_requested()) {
      ++last_steps;
      return context.done();
    }
    if (!slept) {
      slept = true;
      context.progress(1, 2, "working");
      return context.sleep(100);
    }
    if (how == "fail") return context.done(context.fail("It failed."));
    if (how == "demand") return context.done(context.needs_client(mcp::ClientCapability::sampling));
    if (how == "large") {
      mcp::Errc errc = mcp::Errc::ok;
      while (errc == mcp::Errc::ok) errc = context.result().text("0123456789012345678901234567890123456789");
      return context.done(errc);
    }
    return how == "forever" ? context.sleep(60'000) : context.done(context.result().text("worked"));
  }
};
constexpr auto task_params = mcp::params(mcp::param<&TaskWork::Arguments::how>("how", {.default_value = ""}));

// Requests one input under one key until the content is a known word.
struct TaskAsks {
  mcp::Step step(mcp::AskContext& context) {
    const mcp::Answer answer = context.answer("word");
    if (context.stop_requested()) return context.done();
    TaskForm filled{};
    if (answer.outcome() == mcp::Outcome::accepted && context.read_form(answer, task_form, filled) == mcp::Errc::ok &&
        filled.word.view() == "yes") {
      return context.done(context.result().text("yes"));
    }
    if (answer.outcome() == mcp::Outcome::none || answer.outcome() == mcp::Outcome::accepted ||
        answer.outcome() == mcp::Outcome::invalid_content) {
      return context.timeout(1000).key("word").elicit(task_form, "Well?");
    }
    return context.done(context.result().text(outcome_word(answer)));
  }
};

void read_word(mcp::AskContext& context, const mcp::Answer& answer, TaskForm& filled) {
  if (answer.outcome() == mcp::Outcome::accepted) static_cast<void>(context.read_form(answer, task_form, filled));
}

// Requests two inputs at once, and returns both outcomes.
struct TaskAsksBoth {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    const mcp::Answer first = context.answer("a");
    const mcp::Answer second = context.answer("b");
    if (asked || context.stop_requested()) {
      TaskForm filled[2] = {};
      read_word(context, first, filled[0]);
      read_word(context, second, filled[1]);
      return context.done(context.result().text("a ", outcome_word(first), " ", filled[0].word, ", b ",
                                                outcome_word(second), " ", filled[1].word));
    }
    asked = true;
    static_cast<void>(context.key("a").elicit(task_form, "A?"));
    return context.timeout(1000).key("b").elicit(task_form, "B?");
  }
};

// Its input request is larger than the memory of a task.
struct TaskAsksLong {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (asked || context.stop_requested()) return context.done(context.result().text(outcome_word(context.answer())));
    asked = true;
    static constexpr char text[100'000] = {};
    return context.elicit(task_form, std::string_view(text, sizeof text));
  }
};

// Asks before it is a task, and works for 100 ms then.
struct TaskAsksFirst {
  TaskForm user;
  bool named;
  mcp::Step step(mcp::AskContext& context) {
    if (context.stop_requested()) {
      ++last_steps;
      return context.done();
    }
    if (named) return context.done(context.result().text("worked for ", user.word));
    const mcp::Answer answer = context.answer("word");
    if (answer.outcome() == mcp::Outcome::declined) return context.done(context.fail("Declined."));
    if (answer.outcome() == mcp::Outcome::unsupported) {
      static_cast<void>(user.word.assign("nobody"));
    } else if (answer.outcome() != mcp::Outcome::accepted ||
               context.read_form(answer, task_form, user) != mcp::Errc::ok) {
      return context.key("word").elicit(task_form, "For whom?");
    }
    named = true;
    return context.sleep(100);
  }
};

mcp::Errc at_once(mcp::Call& call) { return call.result().text("at once"); }

constexpr auto may = mcp::TaskSupport::optional;
constexpr auto must = mcp::TaskSupport::required;
constexpr mcp::Tool tools[] = {
    mcp::job<TaskWork>({.name = "work", .task_support = may}, task_params),
    mcp::job<TaskWork, 150>({.name = "required", .description = "Work.", .task_support = must}, task_params),
    mcp::job<TaskWork>({.name = "never"}, task_params),
    mcp::tool<at_once>({.name = "quick", .task_support = may}),
    mcp::job<TaskAsks>({.name = "asks", .task_support = may}),
    mcp::job<TaskAsksBoth>({.name = "both", .task_support = may}),
    mcp::job<TaskAsksLong>({.name = "long", .task_support = may}),
    mcp::job<TaskAsksFirst>({.name = "first", .task_support = must, .input_before_task = true}),
    mcp::job<TaskAsksFirst>({.name = "may_first", .task_support = may, .input_before_task = true}),
    mcp::tool<tell_last_steps>({.name = "last_steps"}),
};

}  // namespace

constexpr mcp::Definition tasks{.name = "tasks", .version = "0", .tools = tools, .subscriptions = true};

bool act_on_tasks(std::string_view action) {
  if (action != "forget last steps") return false;
  last_steps = 0;
  return true;
}

namespace {

// As in an application: the compiler checks the limits against all tables.
constexpr mcp::Limits task_limits{.jobs = 1, .tasks = 1, .subscriptions = 1};
class NoTaskEntropy : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t>) override { return false; }
};
constinit NoTaskEntropy no_task_entropy;
constinit mcp::Storage<tasks, task_limits> task_storage;
[[maybe_unused]] constinit mcp::Server server_with_tasks{task_storage, {.entropy = &no_task_entropy}};

}  // namespace
}  // namespace test
