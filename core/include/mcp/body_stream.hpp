// Bodies of resources that are larger than RAM: read piece by piece while they are sent. Knows no JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/errors.hpp"
#include "mcp/port.hpp"

namespace mcp {

/// What became of reading the next bytes of a body.
class [[nodiscard]] Chunk {
 public:
  /// The first `size` bytes of the span were filled: at least 1, at most all.
  [[nodiscard]] static constexpr Chunk bytes(std::size_t size) {
    return {Kind::bytes, Errc::ok, static_cast<std::uint32_t>(size)};
  }
  /// The body ends at the offset that was asked for.
  [[nodiscard]] static constexpr Chunk end() { return {Kind::end, Errc::ok, 0}; }
  /// Nothing can be read now, as a medium is busy: asked again after so many milliseconds (below 2^31).
  [[nodiscard]] static constexpr Chunk not_ready(Millis ask_again_ms) {
    return {Kind::not_ready, Errc::ok, ask_again_ms};
  }
  /// The body cannot be read (any further). `errc` is not Errc::ok.
  [[nodiscard]] static constexpr Chunk failed(Errc errc) { return {Kind::failed, errc, 0}; }

 private:
  friend class StreamRunner;
  enum class Kind : std::uint8_t { bytes, end, not_ready, failed };
  constexpr Chunk(Kind kind, Errc errc, std::uint32_t value) : kind_(kind), errc_(errc), value_(value) {}

  Kind kind_;
  Errc errc_;
  std::uint32_t value_;  // bytes, or milliseconds
};

/// Reads bytes of a body from `offset` on into `into` (1 to 48 bytes, owned by the server). The body must end, below
/// 2^32 - 48 bytes. The same offset may be asked for again, and none is left out. Main loop, must not block.
using ReadChunk = Chunk(std::uint32_t offset, std::span<std::uint8_t> into);

/// How a row says that its body is streamed; made by text_stream() and blob_stream().
class BodyStream {
 public:
  constexpr BodyStream() = default;
  [[nodiscard]] constexpr bool on() const { return kind_ != Kind::none; }
  [[nodiscard]] constexpr bool is_text() const { return kind_ == Kind::text; }
  /// Calls the function of a stream that is on().
  [[nodiscard]] Chunk read(std::uint32_t offset, std::span<std::uint8_t> into) const { return read_(offset, into); }

 private:
  friend consteval BodyStream text_stream(ReadChunk& read);
  friend consteval BodyStream blob_stream(ReadChunk& read);
  enum class Kind : std::uint8_t { none, text, blob };
  consteval BodyStream(ReadChunk& read, Kind kind) : read_(&read), kind_(kind) {}

  ReadChunk* read_ = nullptr;
  Kind kind_ = Kind::none;
};

/// A text body of any size. UTF-8, cut anywhere; bytes that are not UTF-8 become U+FFFD.
consteval BodyStream text_stream(ReadChunk& read) { return {read, BodyStream::Kind::text}; }

/// A binary body of any size; sent as base64.
consteval BodyStream blob_stream(ReadChunk& read) { return {read, BodyStream::Kind::blob}; }

}  // namespace mcp
