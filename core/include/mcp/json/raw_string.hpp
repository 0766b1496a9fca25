// SPDX-License-Identifier: Apache-2.0
// Reads strings of a message without decoding them in place, so that the bytes of the message do not change.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>

namespace mcp::json {

/// Walks over the bytes of a string with its escapes decoded:
/// `for (DecodedBytes bytes(begin); bytes.next();) use(bytes.byte());`. Lifetime: a view of the string.
class DecodedBytes {
 public:
  /// `begin` is after the quote of a string of a validated text, or later in the string.
  explicit DecodedBytes(const char* begin) : at_(begin) {}
  /// Goes to the next byte. Returns false after the last one.
  [[nodiscard]] bool next();
  /// Returns the byte.
  [[nodiscard]] char byte() const { return static_cast<char>(bytes_); }
  /// Returns the position after the byte or its escape. After the last byte, returns the position of the closing quote.
  [[nodiscard]] const char* at() const { return at_; }

 private:
  const char* at_;
  std::uint32_t bytes_ = 0;  // the byte; in the higher bits, the further bytes of its escape
};

}  // namespace mcp::json

#include <mcp/detail/epilogue.hpp>
