// A string as an argument of the writer. Knows how long a literal is, so that nobody counts it at run time.
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>

namespace mcp::json {

/// A view of UTF-8 bytes. std::string_view measures even a literal at run time when the compiler optimises for size; a
/// Text made of a literal is a constant. Implicit from literals, std::string_view and C strings; the bytes belong to
/// the caller.
class Text {
 public:
  template <std::size_t N>
  consteval Text(const char (&literal)[N]) : data_(literal), size_(N - 1) {}  // NOLINT(google-explicit-constructor)
  constexpr Text(std::string_view text)                                       // NOLINT(google-explicit-constructor)
      : data_(text.data()), size_(text.size()) {}
  template <class T>
  requires std::same_as<T, const char*> Text(const T& c_string)
      : Text(std::string_view(c_string)) {}  // NOLINT(google-explicit-constructor)

  constexpr operator std::string_view() const { return {data_, size_}; }  // NOLINT(google-explicit-constructor)
  [[nodiscard]] constexpr std::string_view view() const { return {data_, size_}; }
  [[nodiscard]] constexpr const char* data() const { return data_; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }

 private:
  const char* data_;
  std::size_t size_;
};

/// True when the bytes at `a` and at `b` are the same: what std::string_view's comparison does, at a tenth of the code
/// per use.
[[nodiscard]] bool equal_bytes(const char* a, std::size_t a_size, const char* b, std::size_t b_size);
[[nodiscard]] inline bool equal(Text a, Text b) { return equal_bytes(a.data(), a.size(), b.data(), b.size()); }

}  // namespace mcp::json
