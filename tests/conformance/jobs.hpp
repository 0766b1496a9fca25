// SPDX-License-Identifier: Apache-2.0
// A part of everything.cpp: jobs that log, report progress, can be cancelled, and become tasks.
#pragma once

#include "input_requests.hpp"

namespace everything {
namespace {

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

}  // namespace
}  // namespace everything
