// SPDX-License-Identifier: Apache-2.0
// The kind of a message that the server has written, for transports.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace mcp::rpc {

/// The kind of a written message. Each message begins with its version. The next member differs by kind.
enum class Written : char {
  nothing = '\0',      ///< No message.
  with_id = 'i',       ///< A response, or a request of the server.
  without_id = 'e',    ///< An error for a message whose id is not known.
  notification = 'm',  ///< A notification.
  batch = '[',         ///< The responses to a batch.
};

/// Returns the kind of the message in a transmit buffer. Limits: only for a message of the server, or its first part.
[[nodiscard]] constexpr Written what_is_written(std::string_view message) {
  constexpr std::size_t member = std::string_view("{\"jsonrpc\":\"2.0\",\"").size();
  if (message.size() <= member) return Written::nothing;
  return message.front() == '[' ? Written::batch : Written{message[member]};
}

/// Replaces a complete response that the transport cannot send by an error with its id, or with the id null for a
/// batch. `problem`: an error message that ends in a zero byte. Returns the size of the error in bytes. Returns 0 if
/// the message is not a response, or is shorter than the error. The transport then drops it.
[[nodiscard]] std::size_t replace_response(std::span<char> message, const char* problem);

}  // namespace mcp::rpc

#include <mcp/detail/epilogue.hpp>
