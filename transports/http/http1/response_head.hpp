// SPDX-License-Identifier: Apache-2.0
// What is written of HTTP/1.1 responses beside what the transport says: a header of an Authorizer, and the frames of
// chunks. Knows no request, no body, no sockets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace mcp::http {

/// What a client that expects it waits for before it sends the body. Source: RFC 9110 section 10.1.1.
inline constexpr std::string_view continue_response = "HTTP/1.1 100 Continue\r\n\r\n";

/// Writes headers into memory of the caller. After a mistake everything more is ignored and finish() says so, so that
/// pieces need not be checked one by one. Source: RFC 9112 section 5. Main loop.
class ResponseHead {
 public:
  /// Writes into `into`, which belongs to the caller.
  explicit ResponseHead(std::span<char> into);

  /// Begins a header: `begin("WWW-Authenticate")`. The caller gives none twice.
  void begin(const std::string_view& name);
  /// Adds a piece of its value. After a control character (such as CR or LF), with which the author of a value could
  /// add headers, the head is unusable.
  void append(const std::string_view& value);

  /// False when something did not fit or a value was not possible.
  [[nodiscard]] bool ok() const { return !failed_; }
  /// What was written, a part of `into`: each header behind a line end.
  [[nodiscard]] std::string_view text() const { return {begin_, static_cast<std::size_t>(at_ - begin_)}; }

 private:
  void add(const std::string_view& text);

  char* at_;
  char* begin_;
  char* end_;
  bool failed_ = false;
};

// ---- Chunks, RFC 9112 section 7.1 ----------------------------------------------------------------------------------

/// Bytes to be left free in front of the data of a chunk, for its size in at most eight digits, and behind it.
inline constexpr std::size_t chunk_prefix_size = 10;
inline constexpr std::size_t chunk_suffix_size = 2;

/// Makes a chunk of the data from `begin` to `end`, which is not empty: an empty chunk would end the body. Before it
/// chunk_prefix_size bytes are free, and behind it chunk_suffix_size. Then the chunk stands from `begin` to `end`.
void frame_chunk(char*& begin, char*& end);

/// Ends a body in chunks.
inline constexpr std::string_view last_chunk = "0\r\n\r\n";

}  // namespace mcp::http
