// SPDX-License-Identifier: Apache-2.0
// A part of features.cpp: jobs, and the random source and HMAC that they need.
#pragma once

#include <mcp/server.hpp>
#ifdef WITH_COROUTINE
#include <mcp/coroutine.hpp>
#endif
#ifdef WITH_MAILBOX
#include <mcp/mailbox.hpp>
#endif

#include "handlers.hpp"

#ifndef POOL
#define POOL 1
#endif

extern const mcp::Server server;

namespace {

#ifdef WITH_TASK
constexpr mcp::TaskSupport task_support = mcp::TaskSupport::optional;
#else
[[maybe_unused]] constexpr mcp::TaskSupport task_support = mcp::TaskSupport::forbidden;
#endif

#if defined(WITH_TASK) || defined(WITH_MRTR)
// Replaces the random source of a device, which task ids and names of jobs need. Only for measurements.
class Counting final : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t> into) override {
    for (std::uint8_t& byte : into) byte = ++count_;
    return true;
  }
  std::uint8_t count_ = 0;
};
constinit Counting entropy;
#endif

#ifdef WITH_SEALED_MRTR
// Replaces the HMAC of a port. The bench measures only the library.
class Adding final : public mcp::Hmac {
  void do_start(std::span<const std::uint8_t, size> key) override { sum_ = key[0]; }
  void do_update(std::span<const std::uint8_t> from) override {
    for (const std::uint8_t byte : from) sum_ = static_cast<std::uint8_t>(sum_ + byte);
  }
  bool do_finish(std::span<std::uint8_t, size> code) override {
    for (std::uint8_t& byte : code) byte = sum_;
    return true;
  }
  std::uint8_t sum_ = 0;
};
constinit Adding hmac;
#endif

#ifdef WITH_MAILBOX
mcp::JobHandle handle;
#endif

#ifdef WITH_JOB
struct Work {
  bool slept;
  mcp::Step step(mcp::JobContext& context) {
#ifdef WITH_MAILBOX
    handle = context.handle();
#endif
#if defined(WITH_JOB_SCOPES) || defined(WITH_JOB_CALLER)
    if (!context.caller().has_scope("write")) return context.done(context.fail("x"));
#endif
#ifdef WITH_JOB_CALLER
    if (context.caller().client_name().empty()) return context.done(context.fail("x"));
#endif
    if (slept) return context.done(context.result().text("x"));
    slept = true;
#ifdef WITH_FRACTION
    context.progress(mcp::Scaled{5, 1});
#else
    context.progress(1);
#endif
    return context.sleep(50);
  }
};
#endif

#ifdef WITH_FORM
struct Confirmation {
  bool confirmed;
};
constexpr auto confirmation_form = mcp::params(mcp::param<&Confirmation::confirmed>("confirmed"));
struct AskUser {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (!asked) {
      asked = true;
      return context.elicit(confirmation_form, "x");
    }
    Confirmation confirmation{};
    if (const mcp::Errc errc = context.read_form(confirmation_form, confirmation); errc != mcp::Errc::ok)
      return context.done(errc);
    return context.done(context.result().text("x"));
  }
};
#endif

#ifdef WITH_URL
constexpr mcp::UrlElicitation page{.message = "x", .url = "https://x.y", .id = "x"};
struct AskToOpen {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (!asked) {
      asked = true;
      return context.elicit_url(page);
    }
    static_cast<void>(server.elicitation_completed(context.session(), page.id));
    return context.done(context.result().text("x"));
  }
};
mcp::Errc url_first(mcp::Call& call) { return call.needs_urls({&page, 1}); }
#endif

#ifdef WITH_SAMPLING
struct AskModel {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (asked) return context.done(context.result().text(context.answer().text()));
    asked = true;
#ifdef WITH_SAMPLING_ITEMS
    return context.sample({.metadata = R"({"x":1})"}, [](mcp::SampleMessages& messages) {
      messages.user([](mcp::SampleContent& items) { static_cast<void>(items.text("x")); });
    });
#else
    return context.sample({}, [](mcp::SampleMessages& messages) { static_cast<void>(messages.user().text("x")); });
#endif
  }
};
#endif

#ifdef WITH_SAMPLING_TOOLS
constexpr mcp::Tool tools_of_model[] = {mcp::tool<plain>({.name = "x"})};
struct LendTools {
  std::uint8_t turns;
  mcp::Step step(mcp::AskContext& context) {
    constexpr mcp::Sampling sampling{.tools = tools_of_model};
    if (++turns == 3) return context.done(context.result().text(context.answer().text()));
    return context.sample(sampling, [&](mcp::SampleMessages& messages) {
      static_cast<void>(messages.user().text("x"));
      if (turns == 2) {
        messages.tool_turn(context.answer(),
                           [](const mcp::ToolUses&, mcp::ToolResult& result) { return result.text("x"); });
      }
    });
  }
};
#endif

#ifdef WITH_ROOTS
struct AskRoots {
  bool asked;
  mcp::Step step(mcp::AskContext& context) {
    if (!asked) {
      asked = true;
      return context.list_roots();
    }
    for (mcp::Roots roots(context.answer()); roots.next();) static_cast<void>(context.result().text(roots.uri()));
    return context.done();
  }
};
void roots_changed(mcp::SessionId) {}
#endif

#ifdef WITH_COROUTINE
constinit mcp::FramePool<POOL, 64> frames;
mcp::Coroutine work(mcp::CoroutineContext& context) {
  context.progress(1);
  co_await context.sleep(50);
  co_return context.result().text("x");
}
#endif

}  // namespace
