// SPDX-License-Identifier: Apache-2.0
// Other texts of a JSON message: escapes in keys and in values, white space, and another order of members. Each has the
// same meaning as the plain text.
#pragma once

#include <string>
#include <string_view>

namespace test {

/// How a string is written: as it is, with `\/`, with its first character as an escape, or with all of them.
enum class Escapes { none, slashes, first, lower, upper };

struct Encoding {
  const char* name;
  Escapes keys = Escapes::none;
  Escapes values = Escapes::none;
  bool has_space = false;   // blanks and tabs between all tokens
  bool is_reverse = false;  // the members of each object in reverse order
};

inline constexpr Encoding encodings[] = {
    {.name = "an escape in each key", .keys = Escapes::first},
    {.name = "keys in lower-case digits", .keys = Escapes::lower},
    {.name = "keys in upper-case digits", .keys = Escapes::upper},
    {.name = "escaped slashes", .keys = Escapes::slashes, .values = Escapes::slashes},
    {.name = "an escape in each value", .values = Escapes::first},
    {.name = "values in lower-case digits", .values = Escapes::lower},
    {.name = "values in upper-case digits", .values = Escapes::upper},
    {.name = "white space", .has_space = true},
    {.name = "reverse order", .is_reverse = true},
    {.name = "all of it", .keys = Escapes::upper, .values = Escapes::lower, .has_space = true, .is_reverse = true},
};

/// `text` is valid JSON in ASCII, without escapes and without white space between its tokens.
std::string encode(std::string_view text, const Encoding& encoding);

}  // namespace test
