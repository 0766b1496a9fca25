// SPDX-License-Identifier: Apache-2.0
// The envelope of a JSON-RPC 2.0 message: its kind, id and method. Knows no method by name.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcp/json/value.hpp"

namespace mcp::rpc {

/// The kind of a message. `invalid`: no object, or one that breaks a rule of JSON-RPC or MCP; also a batch.
enum class Kind : std::uint8_t { request, notification, response, invalid };

/// Whether the outcome of a response can be read.
enum class Readable : std::uint8_t {
  yes,
  malformed,  ///< It is no response of JSON-RPC 2.0, or no JSON.
  too_long,   ///< It was longer than the receive buffer.
};

/// The outermost members of a message. A message whose `method` is no string and that has `result` or `error` is a
/// response, whatever else is wrong with it: a response is never answered. Ids are those of MCP: a string or an
/// integer, never null.
/// Lifetime: views into the message. Source: JSON-RPC 2.0 sections 4 and 5.
struct Envelope {
  Kind kind = Kind::invalid;          ///< What the message is.
  Readable readable = Readable::yes;  ///< Of a response.
  bool is_error = false;              ///< Of a readable response: `outcome` is its error, not its result.
  std::string_view id;                ///< As the message has it, with quotes. Empty if no response can repeat it.
  std::string_view method;            ///< Decoded. Empty unless the message is a request or a notification.
  json::Object params;                ///< Of a request or a notification: what was sent; missing for null.
  json::Value outcome;                ///< Of a readable response: the result or the error.
  const char* problem = nullptr;      ///< Of an invalid message: the error message after "Invalid request: ".
};

/// A string, or an integer written as one, exactly as in the message: the type of ids and progress tokens. Empty for
/// anything else. Source: schema 2025-11-25, RequestId and ProgressToken.
[[nodiscard]] std::string_view raw_id(json::Value value);

/// Returns a hash of an id that is the same for each way to write the id in JSON. A number and a string differ.
/// `start`: a hash that begins with a secret, so that no client can choose two ids with the same hash.
[[nodiscard]] std::uint64_t hash_id(std::string_view id, std::uint64_t start);
/// Adds a byte to a hash.
constexpr std::uint64_t hash_byte(char c, std::uint64_t start) {
  return (start ^ static_cast<std::uint8_t>(c)) * 0x0000'0100'0000'01B3;  // FNV-1a
}

/// Returns whether a message that is not checked yet is a batch: its responses may be several messages.
[[nodiscard]] bool is_batch(std::string_view message);

/// Reads the envelope of one value of a validated message. An id longer than `id_size` bytes makes a request invalid.
/// `outline`: the message's, if there is one; `params` refers to it.
[[nodiscard]] Envelope read_envelope(json::Value message, std::size_t id_size,
                                     const json::MemberIndex* outline = nullptr);

}  // namespace mcp::rpc

#include <mcp/detail/epilogue.hpp>
