// Texts put together from pieces, without a format string and without a buffer of their own.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "json/writer.hpp"
#include "mcp/values.hpp"

namespace mcp {

using json::Scaled;

/// What a text can be made of: strings, FixedStrings, characters, integers, float, double, Scaled, bool.
/// `text("LED at ", 80, " %")` writes `LED at 80 %`.
template <class T>
concept TextPiece = std::convertible_to<const T&, std::string_view> || std::is_arithmetic_v<T> || std::same_as<T, Scaled> || requires(const T& t) {
  { t.view() } -> std::same_as<std::string_view>;
};

namespace detail {

template <TextPiece T>
void append_piece(json::Writer& out, const T& piece) {
  if constexpr (std::same_as<T, bool>) {
    out.append(piece ? "true" : "false");
  } else if constexpr (std::same_as<T, char>) {
    out.append({&piece, 1});
  } else if constexpr (std::signed_integral<T>) {
    out.append_number(static_cast<std::int64_t>(piece));
  } else if constexpr (std::unsigned_integral<T>) {
    out.append_number(static_cast<std::uint64_t>(piece));
  } else if constexpr (std::floating_point<T> || std::same_as<T, Scaled>) {
    out.append_number(piece);
  } else if constexpr (std::convertible_to<const T&, std::string_view>) {
    out.append(piece);
  } else {
    out.append(piece.view());
  }
}

}  // namespace detail
}  // namespace mcp
