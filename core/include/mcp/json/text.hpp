// SPDX-License-Identifier: Apache-2.0
/// @file
/// A string as an argument: a literal, a std::string_view or a C string.
/// @code
/// void write_unit(mcp::json::Writer& out, mcp::json::Text unit) { out.member("unit", unit); }
/// void write_celsius(mcp::json::Writer& out) { write_unit(out, "celsius"); }
/// void write_either(mcp::json::Writer& out, std::string_view unit) { write_unit(out, unit); }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace mcp::json {

/// A view of UTF-8 bytes. Literals, std::string_view and C strings convert implicitly. The size of a literal is a
/// constant, which std::string_view counts at run time when the compiler optimizes for size.
/// Ownership: the caller owns the bytes. Lifetime: until the function that takes the Text returns.
class Text {
 public:
  /// A view of a string literal.
  template <std::size_t N>
  consteval Text(const char (&literal)[N]) : data_(literal), size_(N - 1) {}  // NOLINT(google-explicit-constructor)
  /// A view of the bytes of `text`.
  constexpr Text(std::string_view text)  // NOLINT(google-explicit-constructor)
      : data_(text.data()), size_(text.size()) {}
  /// A view of a string that ends with NUL.
  template <class T>
  requires std::same_as<T, const char*> Text(const T& c_string)
      : Text(std::string_view(c_string)) {}  // NOLINT(google-explicit-constructor)

  /// Returns the bytes.
  constexpr operator std::string_view() const { return {data_, size_}; }  // NOLINT(google-explicit-constructor)
  /// Returns the bytes.
  [[nodiscard]] constexpr std::string_view view() const { return {data_, size_}; }
  /// Returns a pointer to the first byte.
  [[nodiscard]] constexpr const char* data() const { return data_; }
  /// Returns the number of bytes.
  [[nodiscard]] constexpr std::size_t size() const { return size_; }

 private:
  const char* data_;
  std::size_t size_;
};

/// A string literal without embedded NUL, as one pointer. A call with it takes less code than a call with a Text, but
/// its size is counted at run time.
class Literal {
 public:
  /// The literal itself.
  template <std::size_t N>
  consteval Literal(const char (&literal)[N]) : text_(literal) {}  // NOLINT(google-explicit-constructor)
  /// Returns a pointer to the first byte. A NUL follows the last one.
  [[nodiscard]] constexpr const char* c_str() const { return text_; }

 private:
  const char* text_;
};

/// A string that converts to Text and is not a literal.
template <class T>
concept NoLiteral = std::convertible_to<const T&, Text> && !std::is_array_v<T>;

/// @cond server
/// Returns whether the bytes at `a` and at `b` are equal. A call takes a tenth of the code of std::string_view's
/// comparison.
[[nodiscard]] bool equal_bytes(const char* a, std::size_t a_size, const char* b, std::size_t b_size);
[[nodiscard]] inline bool equal(Text a, Text b) { return equal_bytes(a.data(), a.size(), b.data(), b.size()); }
/// @endcond

}  // namespace mcp::json

#include <mcp/detail/epilogue.hpp>
