// SPDX-License-Identifier: Apache-2.0
/// @file
/// Suggestions for an argument of a prompt or a variable of a template, while the user types.
/// @code
/// mcp::Errc complete_code(const mcp::CompletionRequest& request, mcp::Completions& completions) {
///   if (request.argument() != "code") return mcp::Errc::ok;
///   for (const std::string_view code : {"E1", "E2", "W7"}) completions.offer(code);
///   return mcp::Errc::ok;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcp/errors.hpp"
#include "mcp/json/value.hpp"
#include "mcp/json/writer.hpp"

namespace mcp {

/// The input of the user. Lifetime: the views are valid until the handler returns.
class CompletionRequest {
 public:
  /// @cond server
  CompletionRequest(std::string_view argument, std::string_view value, json::Value context)
      : argument_(argument), value_(value), context_(context) {}
  /// @endcond

  /// Returns the name of the argument or variable.
  [[nodiscard]] std::string_view argument() const { return argument_; }
  /// Returns the characters typed so far; may be empty.
  [[nodiscard]] std::string_view value() const { return value_; }
  /// Returns the value of another argument; empty if it has none. Clients send it since revision 2025-06-18.
  [[nodiscard]] std::string_view other(std::string_view argument) const {
    return json::find_member(context_, argument).string();
  }

 private:
  std::string_view argument_;
  std::string_view value_;
  json::Value context_;
};

/// Which values of a row match the bytes typed so far.
enum class Match : std::uint8_t {
  prefix,  ///< Values that begin with them. The server sends the values in the order of the calls.
  /// Values that contain them, in lower or upper case. The server sends the values that begin with them first, then the
  /// others, each group in the order of the calls. It needs no memory for this: it calls the function twice. The
  /// function must offer the same values in both calls. Limits: only the letters A to Z are equal in both cases. All
  /// other characters must be the same bytes.
  anywhere,
};

/// The suggestions of a handler, the best one first. Limits: the server sends at most 100, and as many as fit into the
/// transmit buffer. If there are more, it sends `hasMore`. Source: server/utilities/completion, 2025-11-25.
class Completions {
 public:
  static constexpr std::size_t max_values = 100;  ///< The largest number of suggestions that the server sends.

  /// Adds a suggestion (UTF-8) if it matches the bytes typed so far (see Match). Lifetime: the bytes are copied at
  /// once.
  void offer(std::string_view value);

  /// @cond server
  using Matcher = bool (*)(std::string_view typed, std::string_view value);
  /// Without a matcher, values that begin with `typed` match.
  Completions(json::Writer& out, std::string_view typed, Matcher matcher = nullptr)
      : out_(out), typed_(typed), matcher_(matcher) {}
  void match_by(Matcher matcher) { matcher_ = matcher; }
  [[nodiscard]] std::size_t sent() const { return sent_; }
  [[nodiscard]] std::size_t total() const { return total_; }
  /// @endcond

 private:
  json::Writer& out_;
  std::string_view typed_;
  Matcher matcher_;
  std::size_t sent_ = 0;
  std::size_t total_ = 0;
};

/// The function that offers suggestions. Context: main loop; must not block.
/// Errors: a value other than Errc::ok becomes a JSON-RPC error, as for Prompt::get.
using Complete = Errc (*)(const CompletionRequest& request, Completions& completions);

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
