// A prompt as a row of a constant table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/completion.hpp"
#include "mcp/content.hpp"
#include "mcp/errors.hpp"
#include "mcp/extras.hpp"
#include "mcp/json/value.hpp"

namespace mcp {

class AskPromptResult;
class PromptArguments;
class PromptResult;

/// The function of a prompt, made by naming it: `.get = diagnose`. Its own functions are for the server.
class GetPrompt {
 public:
  using Function = Errc (*)(const PromptArguments& arguments, PromptResult& out);
  using AskFunction = Errc (*)(const PromptArguments& arguments, AskPromptResult& out);
  constexpr GetPrompt() = default;
  consteval GetPrompt(std::nullptr_t) {}                                     // NOLINT(google-explicit-constructor)
  consteval GetPrompt(Function wanted) : function_(wanted), given_(true) {}  // NOLINT(google-explicit-constructor)
  consteval GetPrompt(AskFunction wanted)                                    // NOLINT(google-explicit-constructor)
      : asking_(wanted), given_(true), asks_(true) {}
  [[nodiscard]] constexpr Function function() const { return function_; }
  [[nodiscard]] constexpr AskFunction asking() const { return asking_; }
  [[nodiscard]] consteval bool given() const { return given_; }
  [[nodiscard]] constexpr bool asks() const { return asks_; }

 private:
  Function function_ = nullptr;
  AskFunction asking_ = nullptr;
  bool given_ = false;  // the same, for compile time, where GCC's sanitizers compare no addresses
  bool asks_ = false;
};

/// An argument that a prompt takes: a string.
struct PromptArgument {
  std::string_view name = {};         ///< Required, unique in the prompt.
  std::string_view title = {};        ///< For people. Not sent when empty, nor before revision 2025-06-18.
  std::string_view description = {};  ///< Not sent when empty.
  bool required = false;              ///< A request without it is refused before the handler is called.
};

/// The arguments of one request, decoded. Views into the message: valid until the handler returns.
class PromptArguments {
 public:
  /// For the server.
  explicit PromptArguments(json::Value object) : object_(object) {}
  /// The value of an argument, empty when the client gave none.
  [[nodiscard]] std::string_view operator[](std::string_view name) const {
    return json::find_member(object_, name).string();
  }

 private:
  json::Value object_;
};

/// The messages of a prompt, in the order of the calls: `out.user().text("Look at ", arguments["what"], ".")`.
/// Source: server/prompts#promptmessage, 2025-11-25.
class PromptResult : private Content {
 public:
  /// The next item is said by the user.
  [[nodiscard]] Content& user() { return said_by(0); }
  /// The next item is said by the assistant.
  [[nodiscard]] Content& assistant() { return said_by(1); }

  /// For the server.
  PromptResult(json::Writer& out, Known known) : Content(out, known, detail::wrap_message) {}

 protected:
  using Content::known;
  using Content::Known;

 private:
  Content& said_by(std::uint8_t role) {
    role_ = role;
    return *this;
  }
};

/// A row of the table. Strings are UTF-8 and live as long as the program.
struct Prompt {
  /// A reference to a constant array of arguments, made by naming the array.
  class Arguments {
   public:
    constexpr Arguments() = default;
    template <std::size_t N>
    consteval Arguments(const PromptArgument (&rows)[N]) : rows_(rows) {}  // NOLINT(google-explicit-constructor)
    [[nodiscard]] constexpr std::span<const PromptArgument> rows() const { return rows_; }

   private:
    std::span<const PromptArgument> rows_;
  };

  std::string_view name = {};         ///< Required, unique in the table.
  std::string_view title = {};        ///< For people. Not sent when empty, nor before revision 2025-06-18.
  std::string_view description = {};  ///< Not sent when empty.
  Arguments arguments = {};
  /// Writes the messages: `Errc(const PromptArguments&, PromptResult&)`, or with an AskPromptResult& if it may ask its
  /// client. Main loop, must not block. An Errc other than ok becomes a JSON-RPC error: invalid_argument and not_found
  /// -32602, others -32603.
  GetPrompt get = {};
  Complete complete = nullptr;  ///< Suggests values for the arguments; may be nullptr.
  /// For a prompt that may ask and acts on consent: an input response counts only when the prompt has asked for it, in
  /// the response whose `requestState` comes with it. Needs a server with an Hmac, and Limits::jobs or
  /// Limits::state_key. Without it, a client may bring input responses with its first request.
  bool asks_itself = false;
  ExtrasOf<PromptExtras> extras = {};  ///< Icons and `_meta`: names a constant.
};

}  // namespace mcp
