// SPDX-License-Identifier: Apache-2.0
// The envelope of a JSON-RPC 2.0 message: its kind, id and method. Does not depend on any method.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcp/json/value.hpp"

namespace mcp::rpc {

/// The kind of a message. `invalid`: a batch, not an object, or an object that breaks a rule of JSON-RPC or MCP.
enum class Kind : std::uint8_t { request, notification, response, invalid };

/// Whether the outcome of a response can be read.
enum class Readable : std::uint8_t {
  yes,
  malformed,  ///< It is not a response of JSON-RPC 2.0, or not JSON.
  too_long,   ///< It was longer than the receive buffer.
};

/// The outermost members of a message. A message that has `result` or `error` and no string `method` is a response,
/// even if it is invalid. The server never responds to a response. Ids are a string or an integer, and never null, as
/// in MCP.
/// Lifetime: views into the message. Source: JSON-RPC 2.0 sections 4 and 5.
struct Envelope {
  Kind kind = Kind::invalid;          ///< The kind of the message.
  Readable readable = Readable::yes;  ///< For a response: whether its outcome can be read.
  bool is_error = false;              ///< For a readable response: `outcome` is its error, not its result.
  std::string_view id;                ///< The id as in the message, with quotes. Empty if no response can repeat it.
  std::string_view method;            ///< The decoded method. Empty unless the message is a request or a notification.
  json::Object params;                ///< The `params` of a request or a notification; missing for null.
  json::Value outcome;                ///< For a readable response: the result or the error.
  const char* problem = nullptr;      ///< For an invalid message: the error message after "Invalid request: ".
};

/// Returns an id or a progress token exactly as in the message: a string, or an integer without fraction or exponent.
/// Empty for any other value. Source: schema 2025-11-25, RequestId and ProgressToken.
[[nodiscard]] std::string_view raw_id(json::Value value);

/// Returns a hash of an id. All JSON forms of one id have one hash. A number and a string differ. `start`: a hash that
/// begins with a secret, so that no client can choose two ids with the same hash.
[[nodiscard]] std::uint64_t hash_id(std::string_view id, std::uint64_t start);
/// Adds a byte to a hash.
constexpr std::uint64_t hash_byte(char c, std::uint64_t start) {
  return (start ^ static_cast<std::uint8_t>(c)) * 0x0000'0100'0000'01B3;  // FNV-1a
}

/// Returns whether an unchecked message is a batch. The responses to a batch may be several messages.
[[nodiscard]] bool is_batch(std::string_view message);

/// Reads the envelope of one value of a validated message. An id longer than `id_size` bytes makes a request invalid.
/// `outline`: the index of the message, if there is one; `params` refers to it.
[[nodiscard]] Envelope read_envelope(json::Value message, std::size_t id_size,
                                     const json::MemberIndex* outline = nullptr);

}  // namespace mcp::rpc

#include <mcp/detail/epilogue.hpp>
