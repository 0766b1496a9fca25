// SPDX-License-Identifier: Apache-2.0
// What a transport may need to know of a message that the server has written.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace mcp::rpc {

/// What the server has written. Each message begins with its version, and the member after that tells them apart.
enum class Written : char {
  nothing = '\0',      ///< No message.
  with_id = 'i',       ///< A response, or a request of the server.
  without_id = 'e',    ///< The error of a message whose id is not known.
  notification = 'm',  ///< A notification.
  batch = '[',         ///< The responses to a batch.
};

/// Returns what the message in a transmit buffer is. Limits: only for a message of the server, or its first part.
[[nodiscard]] constexpr Written what_is_written(std::string_view message) {
  constexpr std::size_t member = std::string_view("{\"jsonrpc\":\"2.0\",\"").size();
  if (message.size() <= member) return Written::nothing;
  return message.front() == '[' ? Written::batch : Written{message[member]};
}

/// Replaces a complete response that the transport cannot send by an error with the same id, or with the id null for a
/// batch. `problem`: a sentence that ends in a zero byte. Returns the size of the error in bytes. Returns 0 if the
/// message is not a response, or shorter than the error: the transport then drops it.
[[nodiscard]] std::size_t replace_response(std::span<char> message, const char* problem);

}  // namespace mcp::rpc

#include <mcp/detail/epilogue.hpp>
