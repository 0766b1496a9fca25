// SPDX-License-Identifier: Apache-2.0
// The small things that HTTP's texts are made of: kinds of characters, comparing without case, lists, packed tables.
// Knows no header and no method.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcp/http/status.hpp"

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
/// The same with a word that ends in a zero byte: a pointer alone, as there are many calls.
[[nodiscard]] bool is_word(const std::string_view& text, const char* word);

/// `text` without spaces and tabs at its ends. Of a text that is empty then, the place is still inside of `text`.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Takes what is before the first `separator` off the front of `rest`, and the separator; all of it when there is none.
[[nodiscard]] std::string_view take_until(std::string_view& rest, char separator);

/// Takes the next part of a list off the front of `rest` and returns it trimmed; what is inside of a quoted string
/// separates nothing. A part may be empty; when `rest` is, there are no more. The separator comes before the letters.
[[nodiscard]] std::string_view take_part(std::string_view& rest, char separator);

/// True when `token` is one of the comma-separated parts of `list`, whatever its case.
[[nodiscard]] bool list_has(std::string_view list, const char* token);

/// Takes `http://` or `https://` off the front of `rest`, whatever its case. False when there is neither.
[[nodiscard]] bool take_scheme(std::string_view& rest);

/// Writes before `at`, where there is room for it, and returns the beginning of what was written: what stands in front
/// of something is written from its last piece to its first, and need not be moved when its length is known.
[[nodiscard]] char* put_before(char* at, const std::string_view& text);
/// The same with a text that ends in a zero byte.
[[nodiscard]] char* put_before(char* at, const char* text);
/// The same with a decimal number.
[[nodiscard]] char* put_before(char* at, std::uint32_t number);

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

/// How what is refused is answered.
struct Answer {
  Status status;
  std::string_view text;  ///< A sentence for the developer of the client.
};

/// Makes one constant of a table of answers: of each the status, the text, and a zero byte.
template <const auto& answers>
consteval auto packed_answers() {
  constexpr std::size_t size = [] {
    std::size_t sum = 0;
    for (const Answer& answer : answers) sum += answer.text.size() + 2;
    return sum;
  }();
  std::array<char, size> table{};
  std::size_t at = 0;
  for (const Answer& answer : answers) {
    table[at++] = static_cast<char>(answer.status);
    for (const char c : answer.text) table[at++] = c;
    ++at;
  }
  return table;
}

/// The row of this index in such a constant, counted from 1. Its status is never `ok`, so that its first byte is none
/// of an end.
[[nodiscard]] const char* answer_at(const char* table, unsigned index);

}  // namespace mcp::http
