// SPDX-License-Identifier: Apache-2.0
// The string functions of HTTP: character sets, comparison without case, lists, and packed tables. They do not depend
// on headers or methods.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcp/http/status.hpp"

namespace mcp::http {

using std::string_view_literals::operator""sv;

/// Sets of ASCII characters, as bits of each character in one table. Each set contains the letters and digits.
enum class CharSet : std::uint8_t {
  token = 1,      ///< Header names, methods, transfer codings. Source: RFC 9110 section 5.6.2.
  target = 2,     ///< The target of a request. Source: RFC 3986 section 2.
  authority = 4,  ///< The authority of a target, and Host.
  bearer = 8,     ///< A bearer token, without its padding (`=`). Source: RFC 6750 section 2.1.
};

/// True if the character is in the set.
[[nodiscard]] bool is_of(char c, CharSet set);
/// Returns the first character from `at` on that is not in the set. There must be one, such as the end of a line.
[[nodiscard]] const char* skip(const char* at, CharSet set);
/// True if `text` is not empty and all its characters are in the set.
[[nodiscard]] bool consists_of(const std::string_view& text, CharSet set);

/// True for a byte that no line of a head may contain. Source: RFC 9110 section 5.5.
[[nodiscard]] constexpr bool is_control(char c) {
  const auto byte = static_cast<std::uint8_t>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7F;
}

/// True for a decimal digit.
[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Returns four bytes from `at` on. It is one instruction if the processor reads words from any address.
[[nodiscard, gnu::always_inline]] inline std::uint32_t four_of(const char* at) {
  const auto byte = [at](unsigned i) { return std::uint32_t{static_cast<std::uint8_t>(at[i])}; };
  return byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
}

/// Compares two strings without the case of ASCII letters.
[[nodiscard]] bool equal_without_case(const std::string_view& a, const std::string_view& b);
/// Compares `text` with a string that ends in a zero byte. There are many calls, and a pointer takes less code.
[[nodiscard]] bool is_word(const std::string_view& text, const char* word);

/// Returns `text` without spaces and tabs at its ends. An empty result still points into `text`.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Removes the part before the first `separator` from `rest`, and the separator. Returns the part. Without a separator,
/// the part is all of `rest`.
[[nodiscard]] std::string_view read_until(std::string_view& rest, char separator);

/// Removes the next part of a list from `rest` and returns it trimmed. A separator inside a quoted string does not
/// count. A part may be empty. An empty `rest` is the end of the list. `separator` and the byte after `rest` must be
/// less than 'A'. The byte is, in a line of a head and in a string that ends in a zero byte.
[[nodiscard]] std::string_view next_part(std::string_view& rest, char separator);

/// True if `token` is one of the comma-separated parts of `list`. Case does not matter.
[[nodiscard]] bool list_has(std::string_view list, const char* token);

/// True if the parameters of a part, after its first `;`, have q=0. The client then accepts everything but this part.
/// Source: RFC 9110 section 12.4.2.
[[nodiscard]] bool has_zero_quality(std::string_view parameters);

/// Removes `http://` or `https://` from the begin of `rest`. Case does not matter. False if `rest` begins with neither.
[[nodiscard]] bool skip_scheme(std::string_view& rest);

/// Writes `text` before `at` and returns its begin. The caller ensures the space. A head is written from its last piece
/// to its first, so it ends directly before its content and is never moved.
[[nodiscard]] char* put_before(char* at, const std::string_view& text);
/// Writes a string that ends in a zero byte before `at`.
[[nodiscard]] char* put_before(char* at, const char* text);
/// Writes a decimal number before `at`.
[[nodiscard]] char* put_before(char* at, std::uint32_t number);

/// Packs an array of std::string_view into one constant. Each string has a byte with its length, then its characters.
/// Limits: each string has less than 128 bytes. The array itself is not in the image.
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

/// Returns the string at `index` of a packed table.
[[nodiscard]] std::string_view packed_at(const char* table, unsigned index);

/// The response to a rejected request.
struct Answer {
  Status status;
  std::string_view text;  ///< The error message, for the developer of the client.
};

/// Packs a table of answers into one constant. Each row has the status, the error message, and a zero byte.
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

/// Returns the row at `index` of a packed table of answers, counted from 1. No row has the status `ok`, because its
/// value is 0, as the byte between two rows.
[[nodiscard]] const char* answer_at(const char* table, unsigned index);

}  // namespace mcp::http
