// SPDX-License-Identifier: Apache-2.0
// Units of parameters and outputs: their codes in UCUM, and the forms that people read. Source: ucum.org, version 2.1.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcp/uri.hpp"

namespace mcp {

namespace compile_error {
void a_unit_must_be_a_ucum_code_of_at_most_63_characters_such_as_Cel_or_m_per_s_with_a_slash();
}  // namespace compile_error

namespace detail {

/// A unit in a row: the form that people read, and behind its NUL the code, unless both are the same.
struct UnitText {
  const char* text = nullptr;
  std::uint8_t size = 0;  // of the form; with has_code
};
inline constexpr std::uint8_t has_code = 0x80;

/// The forms that differ from the code: the form, NUL, the code.
inline constexpr std::string_view unit_forms[] = {
    {"\xC2\xB0"
     "C\0Cel",
     7},
    {"\xC2\xB0"
     "F\0[degF]",
     10},
    {"\xC2\xB0\0deg", 6},
    {"\xC2\xB0/s\0deg/s", 10},
    {"\xCE\xA9\0Ohm", 6},
    {"k\xCE\xA9\0kOhm", 8},
    {"M\xCE\xA9\0MOhm", 8},
    {"\xC2\xB5m\0um", 6},
    {"\xC2\xB5s\0us", 6},
    {"\xC2\xB5"
     "A\0uA",
     6},
    {"\xC2\xB5V\0uV", 6},
    {"\xC2\xB5T\0uT", 6},
    {"\xC2\xB5g/m\xC2\xB3\0ug/m3", 13},
    {"mg/m\xC2\xB3\0mg/m3", 12},
    {"g/m\xC2\xB3\0g/m3", 10},
    {"\xC2\xB5S/cm\0uS/cm", 12},
    {"m\xC2\xB2\0m2", 6},
    {"m\xC2\xB3\0m3", 6},
    {"m\xC2\xB3/h\0m3/h", 10},
    {"m/s\xC2\xB2\0m/s2", 10},
    {"W/m\xC2\xB2\0W/m2", 10},
    {"L/min\0l/min", 11},
    {"pH\0[pH]", 7},
    {"ppm\0[ppm]", 9},
    {"ppb\0[ppb]", 9},
    {"Wh\0W.h", 6},
    {"kWh\0kW.h", 8},
    {"Ah\0A.h", 6},
    {"mAh\0mA.h", 8},
    {"rpm\0/min{rev}", 13},
};

consteval std::string_view form_of(std::string_view form) { return form.substr(0, form.find('\0')); }
consteval std::string_view code_of(std::string_view form) { return form.substr(form.find('\0') + 1); }

/// Takes an annotation ({rev}) or an atom in brackets ([degF]) from `at` on, which ends with `close`. False when
/// nothing is in it, or something that UCUM does not allow there.
consteval bool read_bracketed(std::string_view code, std::size_t& at, char close) {
  const std::size_t begin = ++at;
  while (at < code.size() && code[at] != close && code[at] > ' ' && code[at] < 0x7F && code[at] != '{' &&
         code[at] != '[') {
    ++at;
  }
  return at < code.size() && code[at++] == close && at - begin > 1;
}

/// A term of UCUM: components with . or / between them, a component in parentheses or with an annotation.
consteval bool is_unit(std::string_view code) {
  constexpr std::string_view marks = "%*^'_\"";
  unsigned depth = 0;
  bool wants = true;  // a component must follow
  if (code.empty() || code.size() > 63) return false;
  for (std::size_t at = 0; at < code.size();) {
    const char c = code[at];
    if (c == '(') {
      if (!wants) return false;
      ++depth;
      ++at;
    } else if (c == ')') {
      if (wants || depth == 0) return false;
      --depth;
      ++at;
    } else if (c == '.' || c == '/') {
      // A term may begin with a slash.
      if (wants && !(c == '/' && (at == 0 || code[at - 1] == '('))) return false;
      wants = true;
      ++at;
    } else if (c == '{' || c == '[') {
      if (!read_bracketed(code, at, c == '{' ? '}' : ']')) return false;
      wants = false;
    } else if (c == '+' || c == '-') {
      // The sign of an exponent, behind its unit.
      if (wants || at + 1 == code.size() || !is_digit(code[at + 1])) return false;
      ++at;
    } else {
      if (!is_letter(c) && !is_digit(c) && (marks.find(c) == std::string_view::npos || c == '"')) return false;
      wants = false;
      ++at;
    }
  }
  return !wants && depth == 0;
}

/// The unit of a row, from its code or from the form of the table.
consteval UnitText unit_text(std::string_view unit) {
  if (unit.empty()) return {};
  for (const std::string_view& form : unit_forms) {
    if (unit != form_of(form) && unit != code_of(form)) continue;
    return {form.data(), static_cast<std::uint8_t>(form_of(form).size() | has_code)};
  }
  if (!is_unit(unit)) {
    compile_error::a_unit_must_be_a_ucum_code_of_at_most_63_characters_such_as_Cel_or_m_per_s_with_a_slash();
  }
  return {unit.data(), static_cast<std::uint8_t>(unit.size())};
}

constexpr std::string_view form_of(const UnitText& unit) {
  return {unit.text, static_cast<std::size_t>(unit.size & ~unsigned{has_code})};
}
constexpr std::string_view code_of(const UnitText& unit) {
  const std::string_view form = form_of(unit);
  if ((unit.size & has_code) == 0) return form;
  std::size_t size = 0;
  while (unit.text[form.size() + 1 + size] != '\0') ++size;
  return {unit.text + form.size() + 1, size};
}

}  // namespace detail
}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
