// SPDX-License-Identifier: Apache-2.0
/// @file
/// Strings made of pieces, without a format string and without a buffer.
/// @code
/// mcp::Errc read_position(mcp::ReadResult& out) {
///   return out.text("x=", 3, " y=", mcp::Scaled{1250, 2}, " moving=", true);  // x=3 y=12.5 moving=true
/// }
/// mcp::Errc read_pins(mcp::ReadResult& out) {
///   return out.text("Pins:", [](mcp::TextWriter& text) {
///     for (std::int32_t pin = 0; pin < 4; ++pin) text.add(' ', board::pin(pin));
///   });
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "mcp/json/writer.hpp"
#include "mcp/values.hpp"

namespace mcp {

/// A decimal number: `{1250, 2}` is 12.5.
using json::Scaled;

class TextWriter;

namespace detail {
template <class T>
concept TextFunction = std::invocable<const T&, TextWriter&>;
}  // namespace detail

/// The types that a string can be made of: strings, FixedString, characters, integers, float, double, Scaled, bool, and
/// functions that take a TextWriter&. `text("LED at ", 80, " %")` writes `LED at 80 %`. An array of characters that is
/// not a literal ends at its NUL. A function is called once, and a lambda is not `mutable`.
template <class T>
concept TextPiece = std::convertible_to<const T&, std::string_view> || std::is_arithmetic_v<std::remove_cvref_t<T>> ||
    std::same_as<std::remove_cvref_t<T>, Scaled> || detail::TextFunction<std::remove_cvref_t<T>> ||
    requires(const T& t) {
  { t.view() } -> std::same_as<std::string_view>;
};

namespace detail {

template <class Function>
void append_function(json::Writer& out, const Function& function);

// A literal comes with its size; that is cheaper than counting it.
template <std::size_t N>
inline void append_piece(json::Writer& out, const char (&literal)[N]) {
  out.append(std::string_view(literal, N - 1));
}

template <class T>
inline void append_piece(json::Writer& out, const T& piece) {
  if constexpr (std::same_as<T, bool>) {
    out.append(piece ? json::Text("true") : json::Text("false"));
  } else if constexpr (std::same_as<T, char>) {
    out.append(std::string_view(&piece, 1));
  } else if constexpr (std::signed_integral<T>) {
    out.append_number(static_cast<std::int64_t>(piece));
  } else if constexpr (std::unsigned_integral<T>) {
    out.append_number(static_cast<std::uint64_t>(piece));
  } else if constexpr (std::floating_point<T> || std::same_as<T, Scaled>) {
    out.append_number(piece);
  } else if constexpr (std::same_as<T, const char*>) {
    out.append(piece);
  } else if constexpr (std::convertible_to<const T&, std::string_view>) {
    out.append(std::string_view(piece));
  } else if constexpr (TextFunction<T>) {
    append_function(out, piece);
  } else {
    out.append(piece.view());
  }
}

// An array that is no literal ends at its NUL.
template <std::size_t N>
inline void append_piece(json::Writer& out, char (&text)[N]) {
  out.append(std::string_view(text));
}

}  // namespace detail

/// Adds pieces to one string, for a piece that is a function: a string of any number of pieces, such as the values of a
/// list. Lifetime: valid until the function returns, which must not write elsewhere in the response.
class TextWriter {
 public:
  /// Adds pieces. Errors: if the buffer is full, it does nothing, and ok() is false.
  template <TextPiece... Pieces>
  void add(Pieces&&... pieces) {
    (detail::append_piece(out_, pieces), ...);
  }
  /// Returns false after a piece that did not fit. The server then sends an error, so a function need not check.
  [[nodiscard]] bool ok() const { return out_.ok(); }

  /// @cond server
  explicit TextWriter(json::Writer& out) : out_(out) {}
  /// @endcond

 private:
  json::Writer& out_;
};

namespace detail {

template <class Function>
void append_function(json::Writer& out, const Function& function) {
  TextWriter text(out);
  function(text);
}

}  // namespace detail
}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
