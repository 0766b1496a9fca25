// SPDX-License-Identifier: Apache-2.0
/// @file
/// Jobs as C++20 coroutines. The state of the call is in local variables. Optional: no other header includes this one.
/// @code
/// mcp::Coroutine blink(mcp::CoroutineContext& context) {
///   board::led(100);
///   co_await context.sleep(250);
///   board::led(0);
///   co_return context.result().text("Blinked.");
/// }
/// constinit mcp::FramePool<1, 200> frames;
/// constexpr mcp::Tool tools[] = {mcp::coroutine<blink, frames>({.name = "blink"})};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "mcp/assert.hpp"
#include "mcp/caller.hpp"
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

/// The return type of a coroutine of a tool. Only the server uses the object. `co_return errc;` ends the call: with the
/// content of result() if `errc` is Errc::ok, else as failed.
class [[nodiscard]] Coroutine {
 public:
  /// @cond server
  /// For the compiler, which looks for this name.
  class promise_type {
   public:
    template <class... Arguments>
    static void* operator new(std::size_t size, const CoroutineContext& context, const Arguments&...) noexcept;
    // The job that destroys the frame releases its slot, because it knows the pool.
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
  /// @endcond

 private:
  friend class detail::CoroutineState;
  explicit Coroutine(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

/// The call of a coroutine. The coroutine takes it by reference, and it is the same object during the whole call. All
/// functions act on the current step, which ends at the next co_await.
class CoroutineContext {
 public:
  /// The object to `co_await` for a pause.
  struct [[nodiscard]] Pause : std::suspend_always {};

  /// Returns the time of this step in milliseconds.
  [[nodiscard]] Millis now() const { return step_->context.now(); }
  /// Returns the session of the call. See Call::session.
  [[nodiscard]] SessionId session() const { return step_->context.session(); }
  /// Returns who is calling. See Call::caller. Lifetime: valid until the next co_await.
  [[nodiscard]] Caller caller() const { return step_->context.caller(); }

  /// Returns the result. Lifetime: until the next co_await, which discards its content:
  /// `co_return context.result().text("done");`. Never write `context.result().text(co_await …)`, because result() is
  /// evaluated first, and its step has then ended.
  [[nodiscard]] ToolResult& result() { return step_->context.result(); }
  /// Ends the call as failed. See Call::fail: `co_return context.fail("The valve is stuck.");`.
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

  /// See Call::structured: `co_return context.structured(output, value);`.
  template <class S, std::size_t N>
  Errc structured(const Output<S, N>& output, const std::type_identity_t<S>& value) {
    return step_->context.structured(output, value);
  }
  /// See Call::meta: `co_return context.meta(…);`.
  template <std::invocable<json::Writer&> Write>
  Errc meta(Write&& write) {
    return step_->context.meta(write);
  }

  /// See JobContext::handle.
  [[nodiscard]] JobHandle handle() const;
  /// See JobContext::reconnect.
  void reconnect(Millis retry_ms) { step_->context.reconnect(retry_ms); }
  /// Sends the progress of the call. See JobContext::progress.
  void progress(std::uint32_t progress, std::uint32_t total = 0, json::Text message = "") {
    step_->context.progress(progress, total, message);
  }
  /// Sends the progress of the call as a fraction of 1: a Scaled, a float or a double. See JobContext::progress.
  template <class Fraction>
  requires(std::floating_point<Fraction> || std::same_as<Fraction, Scaled>) void progress(Fraction fraction,
                                                                                          json::Text message = "") {
    step_->context.progress(fraction, message);
  }

  /// `co_await context.sleep(100);` continues after this many milliseconds (below 2^31). Other calls run meanwhile.
  Pause sleep(Millis sleep_ms) {
    step_->next = step_->context.sleep(sleep_ms);
    return {};
  }
  /// `co_await context.again();` continues after the pending steps of other calls.
  Pause again() { return sleep(0); }

 protected:
  /// @cond server
  // Not public: a copy in a frame would keep the pointer to an old step.
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
  /// @endcond

 private:
  friend class Coroutine::promise_type;
};

class AskCoroutineContext;

/// An input request of a coroutine: `co_await` it for the Answer. If a step sends several input requests, `co_await`
/// the last one. Lifetime: the Answer is valid until the next co_await.
class [[nodiscard]] InputAwaiter : public std::suspend_always {
 public:
  /// For the compiler.
  [[nodiscard]] Answer await_resume() const noexcept;

 private:
  friend class AskCoroutineContext;
  InputAwaiter(const AskCoroutineContext& context, std::uint32_t key) : context_(context), key_(key) {}
  const AskCoroutineContext& context_;
  std::uint32_t key_;
};

/// The call of a coroutine that may send input requests: it takes this instead of a CoroutineContext.
class AskCoroutineContext : public CoroutineContext, public InputRequests<AskCoroutineContext, InputAwaiter> {
 public:
  /// Returns the response to the first input request. Lifetime: valid until the next co_await.
  [[nodiscard]] Answer answer() const { return job_context().answer(); }
  /// Returns the response with this key. See AskContext::answer. Lifetime: valid until the next co_await.
  [[nodiscard]] Answer answer(json::Text key) const { return job_context().answer(key); }

  /// Sets how long the next input request waits. See AskContext::timeout.
  AskCoroutineContext& timeout(Millis timeout_ms) {
    job_context().timeout(timeout_ms);
    return *this;
  }

  /// @cond server
  /// For InputRequests.
  [[nodiscard]] InputRequestWriter& input_writer() { return job_context().input_writer(); }
  InputAwaiter sent() {
    step_->next = job_context().sent();
    return {*this, input_writer().last_key()};
  }
  json::Writer& fail_begin() { return job_context().fail_begin(); }
  Errc fail_end() { return job_context().fail_end(); }
  Errc read_rows(const Answer& filled, std::span<const detail::ParamInfo> rows, void* into) {
    return job_context().read_rows(filled, rows, into);
  }
  /// @endcond

 protected:
  /// @cond server
  constexpr AskCoroutineContext() = default;
  constexpr AskCoroutineContext(const AskCoroutineContext&) = default;
  constexpr AskCoroutineContext& operator=(const AskCoroutineContext&) = default;
  /// @endcond

 private:
  friend class InputAwaiter;
  // The server steps a coroutine that takes this class with an AskContext.
  [[nodiscard]] AskContext& job_context() const { return static_cast<AskContext&>(step_->context); }
};

/// @cond server
inline Answer InputAwaiter::await_resume() const noexcept { return context_.job_context().find_answer(key_); }

template <class... Arguments>
void* Coroutine::promise_type::operator new(std::size_t size, const CoroutineContext& context,
                                            const Arguments&...) noexcept {
  // A coroutine must not call another one with its own context: each call has one frame.
  MCP_ASSERT(context.step_->frames != nullptr);
  return context.step_->frames->acquire(size);
}
/// @endcond

namespace detail {

/// The state of the job that runs a coroutine: the context, and the handle of the frame.
class CoroutineState : public AskCoroutineContext {
 protected:
  constexpr CoroutineState() = default;

  [[nodiscard]] bool has_frame() const { return static_cast<bool>(frame_); }
  void set_frame(Coroutine coroutine) { frame_ = coroutine.handle_; }

  /// Lets the coroutine run up to its next co_await, or destroys it when the job must end.
  Step resume(Frames& frames) {
    JobContext& context = step_->context;
    step_->frames = nullptr;
    if (context.stop_requested()) {
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
  static constexpr bool is_of_coroutine = true;
  static constexpr bool asks = !is_coroutine<Function, S>(false);
  using Context = std::conditional_t<asks, AskContext, JobContext>;

  constexpr CoroutineJob() = default;

  Step step(Context& context) {
    Frames frames = pool.frames();
    CurrentStep current{context, context.again(), &frames};
    step_ = &current;
    if (!has_frame() && !context.stop_requested()) {
      std::conditional_t<asks, AskCoroutineContext, CoroutineContext>& view = *this;
      if constexpr (std::is_void_v<S>) {
        set_frame(Function(view));
      } else {
        set_frame(Function(view, this->arguments));
      }
    }
    return resume(frames);
  }
};

template <auto Function, auto& frames, class S>
consteval void check_coroutine() {
  static_assert(is_frame_pool<std::remove_cvref_t<decltype(frames)>>,
                "the frames of a coroutine are in an mcp::FramePool");
  if constexpr (std::is_void_v<S>) {
    static_assert(
        is_coroutine<Function, void>(true),
        "a coroutine without params() is mcp::Coroutine(mcp::CoroutineContext&), or with an mcp::AskCoroutineContext&");
  } else {
    static_assert(is_coroutine<Function, S>(true),
                  "a coroutine with params() is mcp::Coroutine(mcp::CoroutineContext&, const Arguments&), or with an "
                  "mcp::AskCoroutineContext&, with the struct of its params()");
  }
}

}  // namespace detail

/// Makes a tool of a coroutine: `mcp::Coroutine f(mcp::CoroutineContext&, const Arguments&)`, or with an
/// AskCoroutineContext& if it may send input requests. `frames` is the FramePool for its frame. A call that is
/// cancelled, takes longer than `time_limit_ms` (0: no limit) or loses its session ends at its co_await: the server
/// destroys the frame, and the destructors of local variables run. Lifetime: the arguments are valid during the call.
/// A coroutine that drives hardware needs a time limit, as a job does.
/// Limits: each call uses one of Limits::jobs and one frame. A coroutine cannot call another one with its context.
template <auto Function, auto& frames, Millis time_limit_ms = 0, class S, std::size_t N>
consteval Tool coroutine(const ToolInfo& info, const Params<S, N>& params) {
  detail::check_coroutine<Function, frames, S>();
  return job<detail::CoroutineJob<Function, frames, S>, time_limit_ms>(info, params);
}

/// Makes a tool of a coroutine without arguments.
template <auto Function, auto& frames, Millis time_limit_ms = 0>
consteval Tool coroutine(const ToolInfo& info) {
  detail::check_coroutine<Function, frames, void>();
  return job<detail::CoroutineJob<Function, frames, void>, time_limit_ms>(info);
}

/// Makes a tool of a coroutine whose result is the struct that `output` describes: `co_return
/// context.structured(output, value);`.
template <auto Function, auto& frames, Millis time_limit_ms = 0, class S, std::size_t N, class O, std::size_t M>
consteval Tool coroutine(const ToolInfo& info, const Params<S, N>& params, const Output<O, M>& output) {
  detail::check_coroutine<Function, frames, S>();
  return job<detail::CoroutineJob<Function, frames, S>, time_limit_ms>(info, params, output);
}

/// Makes a tool of a coroutine with an output and without arguments.
template <auto Function, auto& frames, Millis time_limit_ms = 0, class O, std::size_t M>
consteval Tool coroutine(const ToolInfo& info, const Output<O, M>& output) {
  detail::check_coroutine<Function, frames, void>();
  return job<detail::CoroutineJob<Function, frames, void>, time_limit_ms>(info, output);
}

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
