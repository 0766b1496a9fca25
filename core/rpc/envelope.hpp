// SPDX-License-Identifier: Apache-2.0
// The envelope of a JSON-RPC 2.0 message: its kind, id and method. Knows no method by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcp/json/value.hpp"

namespace mcp::rpc {

enum class Kind : std::uint8_t { request, notification, response, invalid };

/// Whether the outcome of a response can be read.
enum class Readable : std::uint8_t {
  yes,
  malformed,  ///< It is no response of JSON-RPC 2.0, or no JSON.
  too_long,   ///< It was longer than the receive buffer.
};

/// Views into the message. Source: JSON-RPC 2.0 sections 4 and 5; ids as MCP has them: a string or an integer, never
/// null. A message whose `method` is no string and that has `result` or `error` is a response, whatever else is wrong
/// with it: a response is never answered.
struct Envelope {
  Kind kind = Kind::invalid;
  Readable readable = Readable::yes;  // of a response
  std::string_view id;                // exactly as in the message, with quotes; empty if no response can repeat it
  std::string_view method;            // decoded
  json::Object params;                // whatever was sent
  json::Value result;                 // of a response that is readable: this, or
  json::Value error;                  // this
  const char* problem = nullptr;      // of an invalid message: the error message after "Invalid request: "
};

/// A string, or an integer written as one, exactly as in the message: the type of ids and progress tokens. Empty for
/// anything else. Source: schema 2025-11-25, RequestId and ProgressToken.
[[nodiscard]] std::string_view raw_id(json::Value value);

/// Reads the envelope of one value of a validated message. An id longer than `id_size` bytes makes a request invalid.
/// `outline`: the message's, if there is one; `params` refers to it.
[[nodiscard]] Envelope read_envelope(json::Value message, std::size_t id_size,
                                     const json::MemberIndex* outline = nullptr);

}  // namespace mcp::rpc
