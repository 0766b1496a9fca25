// Jobs written as C++20 coroutines: what a job keeps in its state and its phase, a coroutine keeps in its local
// variables and in the place where it waits. Optional: no other header includes this one. Knows no transport; runs in
// the main loop.
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "mcp/assert.hpp"
#include "mcp/errors.hpp"
#include "mcp/frame_pool.hpp"
#include "mcp/input_request.hpp"
#include "mcp/job.hpp"
#include "mcp/job_context.hpp"
#include "mcp/params.hpp"
#include "mcp/port.hpp"
#include "mcp/tool.hpp"

namespace mcp {

class CoroutineContext;
namespace detail {
class CoroutineState;
}

/// What the coroutine of a tool returns; only the server can do something with it. Inside, `co_return errc;` ends the
/// call: with what was written into result() if it is Errc::ok, as failed otherwise.
class [[nodiscard]] Coroutine {
 public:
  /// For the compiler, which looks for this name.
  class promise_type {
   public:
    template <class... Arguments>
    static void* operator new(std::size_t size, const CoroutineContext& context, const Arguments&...) noexcept;
    // The slot is given back by who destroys the frame, and knows its pool.
    static void operator delete(void*) noexcept {}
    static Coroutine get_return_object_on_allocation_failure() noexcept { return Coroutine({}); }
    Coroutine get_return_object() noexcept {
      return Coroutine(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_value(Errc errc) noexcept { errc_ = errc; }
    void unhandled_exception() noexcept {}  // there are none

   private:
    friend class detail::CoroutineState;
    Errc errc_ = Errc::ok;
  };

 private:
  friend class detail::CoroutineState;
  explicit Coroutine(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

/// A coroutine's view of its call: one object from the beginning to the end, taken by reference. Everything in it
/// concerns the current step, which ends at the next co_await.
class CoroutineContext {
 public:
  /// `co_await` it.
  struct [[nodiscard]] Pause : std::suspend_always {};

  /// The time of this step.
  [[nodiscard]] Millis now() const { return step_->context.now(); }
  /// Whose call this is: for applications that keep something for each client.
  [[nodiscard]] SessionId session() const { return step_->context.session(); }

  /// The result, until the next co_await. What is written into it counts only when no co_await follows:
  /// `co_return context.result().text("done");`. Never `context.result().text(co_await …)`: result() comes first there,
  /// and is the result of a step that has ended.
  [[nodiscard]] ToolResult& result() { return step_->context.result(); }
  /// Tells the model what went wrong, with a text made of pieces: `co_return context.fail("The valve is stuck.");`.
  template <TextPiece... Pieces>
  Errc fail(Pieces&&... pieces) {
    return step_->context.fail(pieces...);
  }
  /// See Call::busy: `co_return context.busy(500, "The motor is moving.");`.
  template <TextPiece... Pieces>
  Errc busy(Millis retry_after_ms, Pieces&&... pieces) {
    return step_->context.busy(retry_after_ms, pieces...);
  }
  /// See Call::client_can.
  [[nodiscard]] bool client_can(ClientCapability capability) const { return step_->context.client_can(capability); }
  /// See Call::needs_client.
  Errc needs_client(ClientCapability capability) { return step_->context.needs_client(capability); }
  /// See Call::needs_urls: `co_return context.needs_urls(urls);`.
  Errc needs_urls(std::span<const UrlElicitation> urls) { return step_->context.needs_urls(urls); }

  /// Tells the client how far the call is. See JobContext::progress.
  void progress(std::uint32_t progress, std::uint32_t total = 0, json::Text message = "") {
    step_->context.progress(progress, total, message);
  }

  /// `co_await context.sleep(100);` goes on after this many milliseconds (below 2^31); others run meanwhile.
  Pause sleep(Millis sleep_ms) {
    step_->next = step_->context.sleep(sleep_ms);
    return {};
  }
  /// `co_await context.again();` goes on as soon as others had their turn.
  Pause again() { return sleep(0); }

 protected:
  // Not to be copied: a copy in a frame would not be told of later steps.
  constexpr CoroutineContext() = default;
  constexpr CoroutineContext(const CoroutineContext&) = default;
  constexpr CoroutineContext& operator=(const CoroutineContext&) = default;

  /// One step, on the stack of the server.
  struct CurrentStep {
    JobContext& context;
    Step next;
    detail::Frames* frames;  // while the frame is made
  };

  CurrentStep* step_ = nullptr;

 private:
  friend class Coroutine::promise_type;
};

/// The view of a coroutine that may ask its client: it takes this instead of a CoroutineContext. Of several questions
/// that go to a client together (see AskContext), the last one is awaited. What the client never declared is not asked,
/// and the answer is Outcome::unsupported.
class AskCoroutineContext : public CoroutineContext {
 public:
  /// `co_await` it for the Answer, whose content points into the client's message: it is valid until the next co_await.
  class [[nodiscard]] Question : public std::suspend_always {
   public:
    [[nodiscard]] Answer await_resume() const noexcept { return context_.asking().find_answer(key_); }

   private:
    friend class AskCoroutineContext;
    explicit Question(const AskCoroutineContext& context)
        : context_(context), key_(context.asking().asker_.last_key()) {}
    const AskCoroutineContext& context_;
    std::uint32_t key_;
  };

  /// The answer to one of several questions, before the next co_await. See AskContext::answer.
  [[nodiscard]] Answer answer(json::Text key) const { return asking().answer(key); }

  /// The key of the question that follows. See AskContext::as.
  AskCoroutineContext& as(json::Text key) {
    asking().as(key);
    return *this;
  }

  /// For how long the question that follows waits. See AskContext::within.
  AskCoroutineContext& within(Millis timeout_ms) {
    asking().within(timeout_ms);
    return *this;
  }

  /// Asks the user to fill in a form. See AskContext::elicit.
  template <TextPiece... Pieces>
  Question elicit(const Form& form, Pieces&&... message) {
    return ask(asking().elicit(form, message...));
  }
  /// Reads what the user filled in, before the next co_await. Errc::failed when it breaks the table: the call has then
  /// failed with a text that says why, unless the coroutine asks once more.
  template <class S, std::size_t N>
  Errc read_form(const Params<S, N>& table, S& into) {
    return asking().read_form(table, into);
  }
  /// The same for one of several answers.
  template <class S, std::size_t N>
  Errc read_form(const Answer& filled, const Params<S, N>& table, S& into) {
    return asking().read_form(filled, table, into);
  }
  /// Asks the user to open a URL. See AskContext::elicit_url.
  Question elicit_url(const UrlElicitation& question) { return ask(asking().elicit_url(question)); }
  /// Has the client's model continue a conversation. See AskContext::sample.
  template <class Write>
  Question sample(const Sampling& sampling, Write&& write) {
    return ask(asking().sample(sampling, write));
  }
  /// Asks for the directories that the client lets servers work in.
  Question list_roots() { return ask(asking().list_roots()); }

 protected:
  constexpr AskCoroutineContext() = default;
  constexpr AskCoroutineContext(const AskCoroutineContext&) = default;
  constexpr AskCoroutineContext& operator=(const AskCoroutineContext&) = default;

 private:
  // The server steps a coroutine that takes this class with an AskContext.
  [[nodiscard]] AskContext& asking() const { return static_cast<AskContext&>(step_->context); }
  Question ask(Step next) {
    step_->next = next;
    return Question(*this);
  }
};

template <class... Arguments>
void* Coroutine::promise_type::operator new(std::size_t size, const CoroutineContext& context,
                                            const Arguments&...) noexcept {
  // Else a coroutine calls another one with its own context: each frame belongs to one call.
  MCP_ASSERT(context.step_->frames != nullptr);
  return context.step_->frames->acquire(size);
}

namespace detail {

/// What the job that runs a coroutine keeps: the context, and where the frame is.
class CoroutineState : public AskCoroutineContext {
 protected:
  constexpr CoroutineState() = default;

  [[nodiscard]] bool has_frame() const { return static_cast<bool>(frame_); }
  void take_frame(Coroutine coroutine) { frame_ = coroutine.handle_; }

  /// Lets the coroutine run up to its next co_await, or destroys it when the job must end.
  Step resume(Frames& frames) {
    JobContext& context = step_->context;
    step_->frames = nullptr;
    if (context.ending()) {
      if (has_frame()) destroy(frames);
      return context.done();
    }
    if (!has_frame()) return context.done(frames.fail(context));
    frame_.resume();
    if (!frame_.done()) return step_->next;
    const Errc errc = frame_.promise().errc_;
    destroy(frames);
    return context.done(errc);
  }

 private:
  void destroy(Frames& frames) {
    const void* const frame = frame_.address();
    frame_.destroy();
    frames.release(frame);
  }

  std::coroutine_handle<Coroutine::promise_type> frame_;
};

template <class S>
struct CoroutineArguments {
  S arguments;
};
template <>
struct CoroutineArguments<void> {};

template <auto Function, class S>
consteval bool is_coroutine(bool may_ask) {
  if constexpr (std::is_void_v<S>) {
    return std::is_invocable_r_v<Coroutine, decltype(Function), CoroutineContext&> ||
           (may_ask && std::is_invocable_r_v<Coroutine, decltype(Function), AskCoroutineContext&>);
  } else {
    return std::is_invocable_r_v<Coroutine, decltype(Function), CoroutineContext&, const S&> ||
           (may_ask && std::is_invocable_r_v<Coroutine, decltype(Function), AskCoroutineContext&, const S&>);
  }
}

template <class T>
inline constexpr bool is_frame_pool = false;
template <std::size_t count, std::size_t size>
inline constexpr bool is_frame_pool<FramePool<count, size>> = true;

/// The job that runs a coroutine.
template <auto Function, auto& pool, class S>
class CoroutineJob : public CoroutineState, public CoroutineArguments<S> {
 public:
  static constexpr bool keeps_slot = true;  // a frame cannot travel
  using Context = std::conditional_t<is_coroutine<Function, S>(false), JobContext, AskContext>;

  constexpr CoroutineJob() = default;

  Step step(Context& context) {
    Frames frames = pool.frames();
    CurrentStep current{context, context.again(), &frames};
    step_ = &current;
    if (!has_frame() && !context.ending()) {
      AskCoroutineContext& view = *this;
      if constexpr (std::is_void_v<S>) {
        take_frame(Function(view));
      } else {
        take_frame(Function(view, this->arguments));
      }
    }
    return resume(frames);
  }
};

}  // namespace detail

/// A tool that runs as a job which is a coroutine: `mcp::Coroutine f(mcp::CoroutineContext&, const Arguments&)`, or
/// with an AskCoroutineContext, if it may ask its client. Its frame stands in `frames`, a FramePool; the arguments stay
/// where they are for as long as the call lasts. Beside the frame each call takes one of Limits::jobs, of job_size()
/// bytes. A call that is cancelled, takes longer than `time_limit_ms` (0: no limit) or loses its session ends where it
/// waits: the coroutine is destroyed, and the destructors of its local variables switch off what is on. A coroutine
/// cannot call another one with its context.
template <auto Function, auto& frames, Millis time_limit_ms = 0, class S, std::size_t N>
consteval Tool coroutine(const ToolInfo& info, const Params<S, N>& params) {
  static_assert(detail::is_frame_pool<std::remove_cvref_t<decltype(frames)>>,
                "the frames of a coroutine stand in an mcp::FramePool");
  static_assert(detail::is_coroutine<Function, S>(true),
                "a coroutine with params() is mcp::Coroutine(mcp::CoroutineContext&, const Arguments&), or with an "
                "mcp::AskCoroutineContext&, with the struct of its params()");
  return job<detail::CoroutineJob<Function, frames, S>, time_limit_ms>(info, params);
}

/// The same without arguments.
template <auto Function, auto& frames, Millis time_limit_ms = 0>
consteval Tool coroutine(const ToolInfo& info) {
  static_assert(detail::is_frame_pool<std::remove_cvref_t<decltype(frames)>>,
                "the frames of a coroutine stand in an mcp::FramePool");
  static_assert(
      detail::is_coroutine<Function, void>(true),
      "a coroutine without params() is mcp::Coroutine(mcp::CoroutineContext&), or with an mcp::AskCoroutineContext&");
  return job<detail::CoroutineJob<Function, frames, void>, time_limit_ms>(info);
}

}  // namespace mcp
