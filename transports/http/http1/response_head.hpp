// SPDX-License-Identifier: Apache-2.0
// The parts of an HTTP/1.1 response that the transport itself does not write: headers of an Authorizer, and the frames
// of chunks. They do not depend on a request, a body or a socket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace mcp::http {

/// The interim response to `Expect: 100-continue`, after which a client sends the body. Source: RFC 9110 section
/// 10.1.1.
inline constexpr std::string_view continue_response = "HTTP/1.1 100 Continue\r\n\r\n";

/// Writes headers into memory of the caller. After an error, begin() and append() do nothing and ok() returns false, so
/// the caller checks once at the end. Context: main loop. Source: RFC 9112 section 5.
class ResponseHead {
 public:
  /// Ownership: `into` belongs to the caller. Lifetime: it must outlive the object.
  explicit ResponseHead(std::span<char> into);

  /// Begins a header: `begin("WWW-Authenticate")`. Call it once for each name.
  void begin(const std::string_view& name);
  /// Adds a piece to the value of the header. Errors: a control character makes ok() false, because CR LF in a value
  /// would add headers.
  void append(const std::string_view& value);

  /// False if a header did not fit, or if a value contained a control character.
  [[nodiscard]] bool ok() const { return !failed_; }
  /// Returns the headers, a view into `into`. Each header has its line end before it.
  [[nodiscard]] std::string_view text() const { return {begin_, static_cast<std::size_t>(at_ - begin_)}; }

 private:
  void add(const std::string_view& text);

  char* at_;
  char* begin_;
  char* end_;
  bool failed_ = false;
};

// ---- Chunks, RFC 9112 section 7.1 ----------------------------------------------------------------------------------

/// Bytes that the caller leaves free before the data of a chunk (for a size of at most eight digits) and after the
/// data.
inline constexpr std::size_t chunk_prefix_size = 10;
inline constexpr std::size_t chunk_suffix_size = 2;

/// Makes a chunk of the data from `begin` to `end`, and moves both to the ends of the chunk. The data must not be
/// empty, because an empty chunk ends the body. Limits: chunk_prefix_size bytes before the data must be free, and
/// chunk_suffix_size bytes after it.
void frame_chunk(char*& begin, char*& end);

/// The end of a chunked body.
inline constexpr std::string_view last_chunk = "0\r\n\r\n";

}  // namespace mcp::http
