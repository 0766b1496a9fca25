// Suggestions for the value of a prompt's argument or a template's variable, while somebody types it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcp/errors.hpp"
#include "mcp/json/value.hpp"
#include "mcp/json/writer.hpp"

namespace mcp {

/// What is being typed. Views into the message: valid until the handler returns.
class CompletionRequest {
 public:
  /// For the server.
  CompletionRequest(std::string_view argument, std::string_view value, json::Value context)
      : argument_(argument), value_(value), context_(context) {}

  /// The name of the argument or variable.
  [[nodiscard]] std::string_view argument() const { return argument_; }
  /// What has been typed so far; may be empty.
  [[nodiscard]] std::string_view value() const { return value_; }
  /// The value that another argument has already; empty when it has none. Known since revision 2025-06-18.
  [[nodiscard]] std::string_view other(std::string_view argument) const {
    return json::find_member(context_, argument).string();
  }

 private:
  std::string_view argument_;
  std::string_view value_;
  json::Value context_;
};

/// Where the handler puts its suggestions, the best first. At most 100 are sent, and as many as fit the message; the
/// client is told when there are more. Source: server/utilities/completion, 2025-11-25.
class Completions {
 public:
  static constexpr std::size_t max_values = 100;

  /// Adds a suggestion if it begins with what has been typed, byte for byte. UTF-8, copied at once.
  void offer(std::string_view value);

  /// For the server.
  Completions(json::Writer& out, std::string_view typed) : out_(out), typed_(typed) {}
  [[nodiscard]] std::size_t sent() const { return sent_; }
  [[nodiscard]] std::size_t total() const { return total_; }

 private:
  json::Writer& out_;
  std::string_view typed_;
  std::size_t sent_ = 0;
  std::size_t total_ = 0;
};

/// Offers suggestions. Main loop, must not block. An Errc other than ok becomes a JSON-RPC error, as for Prompt::get.
using Complete = Errc (*)(const CompletionRequest& request, Completions& completions);

}  // namespace mcp
