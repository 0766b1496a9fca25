// SPDX-License-Identifier: Apache-2.0
// The body of an HTTP/1.1 request, with a length or in chunks. It is decoded from the input into memory of the caller.
// It depends on the framing in the head, but not on a socket or the content.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/http/request_head.hpp"
#include "mcp/http/status.hpp"
#include "mcp/rpc/id_finder.hpp"

namespace mcp::http {

/// Decodes one body. Context: main loop. Source: RFC 9112 sections 6 and 7.
class RequestBody {
 public:
  /// The maximum number of bytes of chunk extensions and trailers in one body. The bytes after each `;`, the trailer
  /// lines and the empty line count, each with its CR. Errors: a body with more gets 413.
  static constexpr std::size_t max_overhead = 256;

  /// A body that is absent. progress() is `done`.
  constexpr RequestBody() = default;

  /// Prepares to decode the body of the request with this head into `into`. Lifetime: `into` must stay valid while the
  /// caller uses the body. Errors: a body longer than `into` gets 413 when its length or a chunk size is known. The
  /// caller may give the rest of a rejected body to pass().
  RequestBody(const RequestHead& head, std::span<char> into);

  /// Decodes the next input, of any size, and returns the number of bytes that belong to this request. Further bytes
  /// belong to the next request. Consumes nothing if progress() is not `more`. A caller may receive the input directly
  /// into `into`, at `into[size()]` or after it. read() then overwrites it.
  [[nodiscard]] std::size_t read(std::span<const char> input);

  /// Decodes the next input of a body that is too long, as read() does, but passes the content to `finder` instead of
  /// storing it. The content that read() stored before is at data().
  void pass(std::span<const char> input, rpc::IdFinder& finder);

  /// True for a body that was rejected because it is too long.
  [[nodiscard]] bool is_too_large() const { return error_ == ParseError::body_too_large; }

  [[nodiscard]] Progress progress() const;

  /// Returns the error if progress() is `rejected`; `none` for any other progress.
  [[nodiscard]] ParseError error() const { return error_; }

  /// Returns the begin of `into`.
  [[nodiscard]] char* data() const { return into_; }

  /// Returns the bytes of the body in `into`.
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Returns the number of next input bytes that are content without framing; 0 if the next byte is framing. A caller
  /// may receive at most this number of bytes directly at `into[size()]` and pass them to read().
  [[nodiscard]] std::size_t expected() const {
    const bool stores = error_ == ParseError::none && (state_ == State::whole || state_ == State::chunk);
    return stores ? left_ : 0;
  }

 private:
  /// The part of the body to which the next byte belongs.
  enum class State : std::uint8_t {
    done,   // or rejected; the value is 0, because a free exchange is all zero
    whole,  // a body with a length
    chunk,
    chunk_cr,
    chunk_lf,
    size,
    size_lf,
    trailer_lf,
    last_lf,
    // From here on, bytes count as overhead.
    space,  // between a size and its extension
    extension,
    trailer,  // the first byte of a trailer line, or of the empty line after them
    trailer_name,
    trailer_value,
  };

  std::size_t feed_all(std::span<const char> input, rpc::IdFinder* finder);
  ParseError feed(char c);
  ParseError feed_size(char c);
  ParseError begin_chunk();
  std::size_t copy(const char* from, std::size_t size, rpc::IdFinder* finder);

  char* into_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  std::size_t left_ = 0;  // bytes of the body or chunk that are not received yet
  std::uint16_t overhead_ = 0;
  std::uint8_t digits_ = 0;  // of the chunk size
  State state_ = State::done;
  ParseError error_ = ParseError::none;
};

}  // namespace mcp::http

#include <mcp/detail/epilogue.hpp>
