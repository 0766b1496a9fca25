// Writes the heads of HTTP/1.1 responses, and the frames of chunks. Knows no request, no body, no sockets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "transports/http/header.hpp"
#include "transports/http/status.hpp"

namespace mcp::http {

/// What a client that expects it waits for before it sends the body. Source: RFC 9110 section 10.1.1.
inline constexpr std::string_view continue_response = "HTTP/1.1 100 Continue\r\n\r\n";

/// Writes one head into memory of the caller. After a mistake everything more is ignored and finish() says so, so that
/// fields need not be checked one by one:
/// `ResponseHead(room, Status::ok).field(Header::content_length, 17U).finish()`. Source: RFC 9112 section 4. Main loop.
class ResponseHead {
 public:
  /// Writes the status line into `into`, which belongs to the caller and is to stay until the head was sent.
  ResponseHead(std::span<char> into, Status status);

  /// Adds a header. A value with a control character (CR and LF among them) would let whoever chose it write headers of
  /// his own: the head is unusable then. Any header of the table may be given; the caller gives none twice.
  ResponseHead& field(Header name, const std::string_view& value);
  /// The same with a text that ends in a zero byte.
  ResponseHead& field(Header name, const char* value);
  /// The same with a decimal number.
  ResponseHead& field(Header name, std::uint32_t number);
  /// The same in pieces: begin(), then append() as often as wanted.
  void begin(Header name);
  void append(const std::string_view& value);

  /// Ends the head and returns it, a part of `into`; empty when it did not fit or a value was not possible.
  [[nodiscard]] std::span<const char> finish();

 private:
  void add(const std::string_view& text);

  char* at_;
  char* begin_;
  char* end_;
  bool failed_ = false;
};

// ---- Chunks, RFC 9112 section 7.1
// ------------------------------------------------------------------------------------

/// Bytes to be left free in front of the data of a chunk, for its size in eight digits, and behind it.
inline constexpr std::size_t chunk_prefix_size = 10;
inline constexpr std::size_t chunk_suffix_size = 2;

/// Makes a chunk of data that stands in `room` (memory of the caller) already, behind chunk_prefix_size bytes that are
/// free, with chunk_suffix_size free bytes or more behind it. Returns what is to be sent, a part of `room`; empty when
/// `data_size`, the number of bytes of data (below 2^32), is 0, since an empty chunk would end the body.
[[nodiscard]] std::span<const char> frame_chunk(std::span<char> room, std::size_t data_size);

/// Ends a body in chunks.
inline constexpr std::string_view last_chunk = "0\r\n\r\n";

}  // namespace mcp::http
