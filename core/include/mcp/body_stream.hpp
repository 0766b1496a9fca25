// SPDX-License-Identifier: Apache-2.0
/// @file
/// Resource bodies that are larger than RAM. The server reads them in pieces while it sends the response.
/// @code
/// mcp::Chunk read_log(std::uint32_t offset, std::span<std::uint8_t> into) {
///   if (board::flash_busy()) return mcp::Chunk::not_ready(5);
///   if (offset == board::log_size()) return mcp::Chunk::end();
///   return mcp::Chunk::bytes(board::flash_read(offset, into));
/// }
/// constexpr mcp::Resource resources[] = {{.uri = "file://log", .name = "log", .stream = mcp::text_stream(read_log)}};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/errors.hpp"
#include "mcp/port.hpp"

namespace mcp {

template <class Source>
class StreamRunner;

/// The outcome of reading the next bytes of a body.
class [[nodiscard]] Chunk {
 public:
  /// The first `size` bytes of `into` were filled: at least 1, at most all of them.
  [[nodiscard]] static constexpr Chunk bytes(std::size_t size) {
    return {Kind::bytes, Errc::ok, static_cast<std::uint32_t>(size)};
  }
  /// The body ends at `offset`.
  [[nodiscard]] static constexpr Chunk end() { return {Kind::end, Errc::ok, 0}; }
  /// No byte can be read now, for example because the medium is busy. The server calls the function again after
  /// `ask_again_ms` milliseconds (below 2^31).
  [[nodiscard]] static constexpr Chunk not_ready(Millis ask_again_ms) {
    return {Kind::not_ready, Errc::ok, ask_again_ms};
  }
  /// The body cannot be read. `errc` is not Errc::ok. If the server has sent a part of the body, it cuts the message
  /// off, and the error follows.
  [[nodiscard]] static constexpr Chunk failed(Errc errc) { return {Kind::failed, errc, 0}; }

 private:
  template <class Source>
  friend class StreamRunner;
  enum class Kind : std::uint8_t { bytes, end, not_ready, failed };
  constexpr Chunk(Kind kind, Errc errc, std::uint32_t value) : kind_(kind), errc_(errc), value_(value) {}

  Kind kind_;
  Errc errc_;
  std::uint32_t value_;  // bytes, or milliseconds
};

/// Reads bytes of a body, from `offset` on, into `into` (1 to 48 bytes). The server may request the same offset again,
/// and leaves out none. Ownership: the server owns `into`. Limits: the body ends below 2^32 - 48 bytes.
/// Context: main loop; must not block.
using ReadChunk = Chunk(std::uint32_t offset, std::span<std::uint8_t> into);

/// The function that reads a body in pieces, for Resource::stream. Made by text_stream() and blob_stream().
class BodyStream {
 public:
  /// No function.
  constexpr BodyStream() = default;
  /// @cond server
  [[nodiscard]] constexpr bool on() const { return kind_ != Kind::none; }
  [[nodiscard]] constexpr bool is_text() const { return kind_ != Kind::blob; }
  /// True for the text of a trace, which tells one client of another.
  [[nodiscard]] consteval bool is_trace() const { return kind_ == Kind::trace; }
  /// Calls the function of a stream that is on().
  [[nodiscard]] Chunk read(std::uint32_t offset, std::span<std::uint8_t> into) const { return read_(offset, into); }
  /// @endcond

 private:
  friend consteval BodyStream text_stream(ReadChunk& read);
  friend consteval BodyStream blob_stream(ReadChunk& read);
  friend consteval BodyStream trace_stream(ReadChunk& read);
  enum class Kind : std::uint8_t { none, text, blob, trace };
  consteval BodyStream(ReadChunk& read, Kind kind) : read_(&read), kind_(kind) {}

  ReadChunk* read_ = nullptr;
  Kind kind_ = Kind::none;
};

/// A text body of any size, in UTF-8. A chunk may end inside a character. Bytes that are not UTF-8 become U+FFFD.
consteval BodyStream text_stream(ReadChunk& read) { return {read, BodyStream::Kind::text}; }

/// A binary body of any size. It is sent as base64.
consteval BodyStream blob_stream(ReadChunk& read) { return {read, BodyStream::Kind::blob}; }

/// @cond server
consteval BodyStream trace_stream(ReadChunk& read) { return {read, BodyStream::Kind::trace}; }
/// @endcond

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
