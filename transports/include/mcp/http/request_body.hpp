// SPDX-License-Identifier: Apache-2.0
// The body of an HTTP/1.1 request, with a length or in chunks: taken out of what was received, into memory of the
// caller. Knows no head beyond its framing, no sockets, no content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/http/request_head.hpp"
#include "mcp/http/status.hpp"
#include "mcp/rpc/id_finder.hpp"

namespace mcp::http {

/// Decodes one body. Source: RFC 9112 sections 6 and 7. Main loop.
class RequestBody {
 public:
  /// Bytes of chunk extensions and trailers that are skipped in one body, all together: what is behind the `;`, and
  /// the lines of the trailers and the empty one, each with its CR. More are refused with 413.
  static constexpr std::size_t max_overhead = 256;

  /// No body: complete at once.
  constexpr RequestBody() = default;

  /// The body that belongs to `head`, to be decoded into `into`: memory of the caller, to stay until the body is
  /// complete. A body that is longer is refused with 413: as soon as its length is known, or the size of the chunk.
  /// What still comes of it can be shown to an IdFinder.
  RequestBody(const RequestHead& head, std::span<char> into);

  /// Takes the next bytes that were received, any number, and returns how many of them belonged to this request; what
  /// is behind them belongs to the next. `input` may lie inside of `into`, at `into[size()]` or behind, so that a
  /// caller can receive where the body will stand; it is overwritten then. Consumes nothing when progress() is not
  /// `more`.
  [[nodiscard]] std::size_t read(std::span<const char> input);

  /// Takes the next bytes of a body that was refused because it is too long, as read() does, and shows `finder` what it
  /// would have stored. What read() stored before is at data().
  void pass(std::span<const char> input, rpc::IdFinder& finder);

  /// True for a body that was refused because it is too long.
  [[nodiscard]] bool is_too_large() const { return refusal_ == ParseError::body_too_large; }

  [[nodiscard]] Progress progress() const;

  /// Why progress() is `refused`, else `none`.
  [[nodiscard]] ParseError refusal() const { return refusal_; }

  /// `into`.
  [[nodiscard]] char* data() const { return into_; }

  /// Bytes of the body that stand in `into`.
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Bytes of `into` that will be filled next without anything in between: a caller may receive that many straight to
  /// `into[size()]`, and pass them to read(). 0 when the next byte is none of the body.
  [[nodiscard]] std::size_t expected() const {
    const bool stores = refusal_ == ParseError::none && (state_ == State::whole || state_ == State::chunk);
    return stores ? left_ : 0;
  }

 private:
  /// What the next byte belongs to.
  enum class State : std::uint8_t {
    done,   // or refused; the first, so that a link that is free is all zero
    whole,  // a body with a length
    chunk,
    chunk_cr,
    chunk_lf,
    size,
    size_lf,
    trailer_lf,
    last_lf,
    // Overhead, which is counted.
    blank,  // between a size and its extension
    extension,
    trailer,  // the first byte of a line of the trailers, or of the empty line behind them
    trailer_name,
    trailer_value,
  };

  std::size_t take_all(std::span<const char> input, rpc::IdFinder* finder);
  ParseError take(char c);
  ParseError take_size(char c);
  ParseError begin_chunk();
  std::size_t copy(const char* from, std::size_t size, rpc::IdFinder* finder);

  char* into_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  std::size_t left_ = 0;  // bytes of the body or chunk that are still to come
  std::uint16_t overhead_ = 0;
  std::uint8_t digits_ = 0;  // of a chunk's size
  State state_ = State::done;
  ParseError refusal_ = ParseError::none;
};

}  // namespace mcp::http
