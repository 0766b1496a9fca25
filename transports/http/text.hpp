// The small things that HTTP's texts are made of: kinds of characters, comparing without case, lists, packed tables.
// Knows no header and no method.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mcp::http {

using std::string_view_literals::operator""sv;

/// A set of ASCII characters, a bit each.
class CharSet {
 public:
  /// Letters, digits and `others`.
  consteval explicit CharSet(std::string_view others) {
    for (char c = '0'; c <= '9'; ++c) add(c);
    for (char c = 'a'; c <= 'z'; ++c) add(c);
    for (char c = 'A'; c <= 'Z'; ++c) add(c);
    for (const char c : others) add(c);
  }

  [[nodiscard]] constexpr bool has(char c) const {
    const auto byte = static_cast<std::uint8_t>(c);
    return byte < 128 && (words_[byte / 32] >> (byte % 32) & 1) != 0;
  }

  /// True when `text` has at least one character and none that is not in the set.
  [[nodiscard]] bool makes_up(const std::string_view& text) const;

 private:
  consteval void add(char c) { words_[static_cast<std::uint8_t>(c) / 32] |= 1U << (static_cast<std::uint8_t>(c) % 32); }

  std::uint32_t words_[4] = {};
};

/// What a token is made of: names of headers, methods, transfer codings. Source: RFC 9110 section 5.6.2.
inline constexpr CharSet token_chars("!#$%&'*+-.^_`|~");

/// True for the bytes that no line of a head may have. Source: RFC 9110 section 5.5.
[[nodiscard]] constexpr bool is_control(char c) {
  const auto byte = static_cast<std::uint8_t>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7F;
}

/// True when both are the same but for the case of ASCII letters.
[[nodiscard]] bool equal_without_case(const std::string_view& a, const std::string_view& b);

/// `text` without spaces and tabs at its ends. Of a text that is empty then, the place is still inside of `text`.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Takes what is before the first `separator` off the front of `rest`, and the separator; all of it when there is none.
[[nodiscard]] std::string_view take_until(std::string_view& rest, char separator);

/// Takes the next part of a list off the front of `rest` and returns it trimmed; what is inside of a quoted string
/// separates nothing. A part may be empty; when `rest` is, there are no more.
[[nodiscard]] std::string_view take_part(std::string_view& rest, char separator);

/// True when `token` is one of the comma-separated parts of `list`, whatever its case.
[[nodiscard]] bool list_has(std::string_view list, const std::string_view& token);

/// Writes a text that ends in a zero byte to where there is room for it, and returns the end.
char* put(char* at, const char* text);
/// The same with a number between two texts. Line ends stay line ends, which they would not in a json::Writer.
char* put_line(char* at, const char* before, std::uint32_t number, const char* behind);

/// Makes one constant of many texts: a byte with the length, the text, and so on. `texts` is an array of
/// std::string_view, each below 128 bytes; it is not in the image itself.
template <const auto& texts>
consteval auto packed() {
  constexpr std::size_t size = [] {
    std::size_t sum = 0;
    for (const std::string_view text : texts) sum += 1 + text.size();
    return sum;
  }();
  std::array<char, size> table{};
  std::size_t at = 0;
  for (const std::string_view text : texts) {
    table[at++] = static_cast<char>(text.size());
    for (const char c : text) table[at++] = c;
  }
  return table;
}

/// The text of this index in a packed table.
[[nodiscard]] std::string_view packed_at(const char* table, unsigned index);

}  // namespace mcp::http
