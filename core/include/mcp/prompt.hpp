// SPDX-License-Identifier: Apache-2.0
/// @file
/// A prompt as a row of a constant table.
/// @code
/// mcp::Errc diagnose(const mcp::PromptArguments& arguments, mcp::PromptResult& out) {
///   return out.user().text("Find out why the boiler shows ", arguments["code"], ".");
/// }
/// constexpr mcp::PromptArgument arguments[] = {{.name = "code", .required = true}};
/// constexpr mcp::Prompt prompts[] = {{.name = "diagnose", .arguments = arguments, .get = diagnose}};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/completion.hpp"
#include "mcp/content.hpp"
#include "mcp/errors.hpp"
#include "mcp/extras.hpp"
#include "mcp/json/value.hpp"
#include "mcp/scopes.hpp"

namespace mcp {

class PromptArguments;
class PromptResult;
template <class Body>
class AskResult;
/// The result of a prompt that may send input requests (mcp/prompt_input.hpp): its handler takes this instead of a
/// PromptResult.
using AskPromptResult = AskResult<PromptResult>;

namespace detail {
/// A function made by with_caller().
struct PromptWithCaller {
  Errc (*function)(const PromptArguments& arguments, PromptResult& out);
};
}  // namespace detail

/// The function of a prompt: `.get = diagnose`, or `.get = mcp::with_caller<diagnose>` (mcp/with_caller.hpp).
class GetPrompt {
 public:
  /// The type of a function that writes messages.
  using Function = Errc (*)(const PromptArguments& arguments, PromptResult& out);
  /// The type of a function that may send input requests.
  using AskFunction = Errc (*)(const PromptArguments& arguments, AskPromptResult& out);
  /// @cond server
  constexpr GetPrompt() = default;
  consteval GetPrompt(std::nullptr_t) {}                                     // NOLINT(google-explicit-constructor)
  consteval GetPrompt(Function wanted) : function_(wanted), given_(true) {}  // NOLINT(google-explicit-constructor)
  consteval GetPrompt(AskFunction wanted)                                    // NOLINT(google-explicit-constructor)
      : ask_function_(wanted), given_(true), is_special_(true), asks_(true) {}
  consteval GetPrompt(detail::PromptWithCaller wanted)  // NOLINT(google-explicit-constructor)
      : function_(wanted.function), given_(true), is_special_(true) {}
  [[nodiscard]] constexpr Function function() const { return function_; }
  [[nodiscard]] constexpr AskFunction ask_function() const { return ask_function_; }
  [[nodiscard]] consteval bool given() const { return given_; }
  /// True if protocol::PromptInputOps call it: it sends input requests, or takes the caller.
  [[nodiscard]] constexpr bool is_special() const { return is_special_; }
  [[nodiscard]] constexpr bool asks() const { return asks_; }
  [[nodiscard]] consteval bool takes_caller() const { return is_special_ && !asks_; }
  /// @endcond

 private:
  Function function_ = nullptr;
  AskFunction ask_function_ = nullptr;
  bool given_ = false;  // the same, for compile time, where GCC's sanitizers compare no addresses
  bool is_special_ = false;
  bool asks_ = false;
};

/// An argument of a prompt. Its value is a string. Lifetime: the strings (UTF-8) live as long as the program.
struct PromptArgument {
  std::string_view name = {};         ///< Required, unique in the prompt.
  std::string_view title = {};        ///< The display name. Not sent if empty, nor before revision 2025-06-18.
  std::string_view description = {};  ///< For the user. Not sent if empty.
  bool required = false;              ///< The server rejects a request without the argument with -32602.
};

/// The arguments of one request, decoded. Lifetime: the views are valid until the handler returns.
class PromptArguments {
 public:
  /// @cond server
  explicit PromptArguments(json::Value object) : object_(object) {}
  /// @endcond
  /// Returns the value of an argument; empty if the client gave none.
  [[nodiscard]] std::string_view operator[](std::string_view name) const {
    return json::find_member(object_, name).string();
  }

 private:
  json::Value object_;
};

/// The messages of a prompt, in the order of the calls: `out.user().text("Look at ", arguments["what"], ".")`.
/// Lifetime: valid until the handler returns. Source: server/prompts#promptmessage, 2025-11-25.
class PromptResult : private Content {
 public:
  /// Begins a message of the user. Add one content item.
  [[nodiscard]] Content& user() { return said_by(0); }
  /// Begins a message of the assistant. Add one content item.
  [[nodiscard]] Content& assistant() { return said_by(1); }

  /// @cond server
  PromptResult(json::Writer& out, Known known) : Content(out, known, detail::wrap_message) {}

 protected:
  using Content::known;
  using Content::Known;
  /// @endcond

 private:
  Content& said_by(std::uint8_t role) {
    role_ = role;
    return *this;
  }
};

/// A row of the table. Lifetime: the strings (UTF-8) live as long as the program.
struct Prompt {
  /// A reference to a constant array of arguments, made by naming the array.
  class Arguments {
   public:
    /// No arguments.
    constexpr Arguments() = default;
    /// Names an array.
    template <std::size_t N>
    consteval Arguments(const PromptArgument (&rows)[N]) : rows_(rows) {}  // NOLINT(google-explicit-constructor)
    /// @cond server
    consteval explicit Arguments(std::span<const PromptArgument> rows) : rows_(rows) {}
    /// @endcond
    /// Returns the arguments.
    [[nodiscard]] constexpr std::span<const PromptArgument> rows() const { return rows_; }

   private:
    std::span<const PromptArgument> rows_;
  };

  std::string_view name = {};         ///< Required, unique in the table.
  std::string_view title = {};        ///< The display name. Not sent if empty, nor before revision 2025-06-18.
  std::string_view description = {};  ///< For the user. Not sent if empty.
  Arguments arguments = {};           ///< The arguments: names an array.
  /// Writes the messages: `Errc(const PromptArguments&, PromptResult&)`, or with an AskPromptResult& if it sends input
  /// requests. Context: main loop; must not block. Errors: Errc::invalid_argument and not_found become the JSON-RPC
  /// error -32602, every other value except ok -32603.
  GetPrompt get = {};
  Complete complete = nullptr;  ///< Suggests values for the arguments; may be nullptr.
  Match match = Match::prefix;  ///< Which suggestions match the characters typed so far.
  /// For a prompt that acts on consent. An input response counts only if the prompt has sent the input request, and if
  /// the `requestState` of that result comes with it. In the modern era, needs Services::entropy and Services::hmac.
  /// Without `asks_itself`, a client can send input responses with its first request.
  bool asks_itself = false;
  ExtrasOf<PromptExtras> extras = {};  ///< Icons and `_meta`: names a constant.
  RowScope scope = {};                 ///< The scope that a caller needs: one of Definition::scopes.
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
