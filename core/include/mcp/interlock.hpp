// SPDX-License-Identifier: Apache-2.0
/// @file
/// Interlocks: the state of the device that a row needs, and what the model must do first if the device is not in it.
/// @code
/// bool is_primed() { return board::pin(0) > 1; }
/// constexpr mcp::Interlock pump_primed{
///     .holds = is_primed, .refusal = "The pump is not primed.", .call_first = "prime_pump"};
/// mcp::Errc prime_pump(mcp::Call& call) { return call.result().text("The pump is primed."); }
/// mcp::Errc start_pump(mcp::Call& call) { return call.result().text("The pump runs."); }
/// constexpr mcp::Tool tools[] = {mcp::tool<prime_pump>({.name = "prime_pump"}),
///                                mcp::tool<start_pump>({.name = "start_pump", .needs = pump_primed})};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <span>
#include <string_view>

namespace mcp {

namespace compile_error {
void an_interlock_needs_a_function_and_a_refusal();
void the_parts_of_all_of_must_not_be_all_of();
}  // namespace compile_error

/// A condition of the device: a constant that rows name as `.needs`. Several interlocks are one: all_of.
/// Lifetime: the strings (UTF-8) live as long as the program.
struct Interlock {
  /// Returns whether the condition holds now. It has no effect on the device. Context: main loop; must not block.
  bool (*holds)() = nullptr;
  /// For the model, if it does not hold: what is wrong and what to do. A sentence.
  std::string_view refusal = {};
  /// The name of a tool that makes the condition hold. If it is not empty, the refusal ends with
  /// `Call NAME first.` Errors: a name that is not in the tools of the Definition does not compile.
  std::string_view call_first = {};
  /// @cond server
  std::span<const Interlock* const> parts = {};  // of all_of
  /// Returns the first condition that does not hold; nullptr if all hold.
  [[nodiscard]] const Interlock* broken() const {
    for (const Interlock* const part : parts) {
      if (!part->holds()) return part;
    }
    return holds == nullptr || holds() ? nullptr : this;
  }
  /// @endcond
};

namespace detail {

inline constexpr Interlock no_interlock{};

template <const Interlock&... parts>
inline constexpr const Interlock* interlock_parts[] = {&parts...};

consteval void check_interlock(const Interlock& interlock) {
  if (interlock.parts.empty() && (interlock.holds == nullptr || interlock.refusal.empty()))
    compile_error::an_interlock_needs_a_function_and_a_refusal();
  for (const Interlock* const part : interlock.parts) {
    // One level, so that the check does not recurse.
    if (!part->parts.empty()) compile_error::the_parts_of_all_of_must_not_be_all_of();
    check_interlock(*part);
  }
}

}  // namespace detail

/// Several interlocks, in the order in which a call checks them: `.needs = mcp::all_of<lid_closed, pump_primed>`.
/// Errors: an all_of in an all_of does not compile.
template <const Interlock&... parts>
inline constexpr Interlock all_of{.parts = detail::interlock_parts<parts...>};

/// The interlock of a row: names a constant.
class Needs {
 public:
  /// No condition.
  constexpr Needs() = default;
  /// Names a constant. Errors: an interlock without a function or without a refusal does not compile.
  consteval Needs(const Interlock& interlock) : interlock_(&interlock) {  // NOLINT(google-explicit-constructor)
    detail::check_interlock(interlock);
  }
  /// @cond server
  [[nodiscard]] consteval bool any() const { return interlock_->holds != nullptr || !interlock_->parts.empty(); }
  [[nodiscard]] constexpr const Interlock& get() const { return *interlock_; }
  /// @endcond

 private:
  // Not nullptr, since GCC's sanitizers compare no addresses at compile time.
  const Interlock* interlock_ = &detail::no_interlock;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
