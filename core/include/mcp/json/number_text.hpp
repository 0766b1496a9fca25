// SPDX-License-Identifier: Apache-2.0
// Converts binary32, binary64 and integers to the text of JSON numbers; not infinity or NaN. The value is scaled so
// that its last place is between 1 and 10. The shortest decimal is then one of the two nearest integers, so there is no
// search. A header, because the compiler counts the numbers in tables. At run time, only number_write.cpp uses it.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

#include "mcp/json/number.hpp"
#include "mcp/json/scale.hpp"

namespace mcp::json::number_text {

/// digits * 10^exponent, digits > 0
struct Decimal {
  std::uint64_t digits;
  int exponent;
};

/// Writes the decimal digits of `value` so that they end at `end`, and returns where they begin.
constexpr char* write_digits(char* end, std::uint64_t value) {
  auto high = static_cast<std::uint32_t>(value >> 32);
  auto low = static_cast<std::uint32_t>(value);
  // A value above 32 bits is divided in parts, four digits at a time, so that 32-bit divisions are enough.
  while (high != 0) {
    const std::uint32_t middle = high % 10000 << 16 | low >> 16;
    const std::uint32_t last = middle % 10000 << 16 | (low & 0xFFFF);
    high /= 10000;
    low = middle / 10000 << 16 | last / 10000;
    std::uint32_t digits = last % 10000;
    for (int i = 0; i < 4; ++i, digits /= 10) *--end = static_cast<char>('0' + digits % 10);
  }
  do {
    *--end = static_cast<char>('0' + low % 10);
    low /= 10;
  } while (low != 0);
  return end;
}

/// Writes the decimal digits of `value` from `at` on, and returns the end.
constexpr char* write_integer(char* at, std::uint64_t value) {
  char text[max_integer_chars];
  char* const end = text + sizeof text;
  for (const char* digit = write_digits(end, value); digit != end; ++digit) *at++ = *digit;
  return at;
}

/// Returns the shortest decimal that rounds to mantissa * 2^exponent. If there are several, returns the closest one.
/// `narrow_below`: the mantissa is the first of its binade, so the neighbour below is only half as far away.
constexpr Decimal shortest(std::uint64_t mantissa, int exponent, bool narrow_below) {
  // The largest power of ten that fits between the midpoints to both neighbours. The midpoints are 2^exponent apart, or
  // 3/4 of that. The formula is floor(log10(2) * exponent + log10(1 or 3/4)), verified for each exponent.
  const int decimal = (exponent * 315653 - (narrow_below ? 131008 : 0)) >> 20;

  // All values are quarters of this power of ten, rounded to odd, so a comparison with a multiple of four is exact. A
  // midpoint itself reads back as its even neighbour.
  const auto in_quarters = [=](std::uint64_t quarters) { return scale(quarters, exponent, -decimal); };
  const unsigned odd = mantissa & 1;
  const std::uint64_t low = in_quarters(4 * mantissa - (narrow_below ? 1 : 2)) + odd;
  const std::uint64_t value = in_quarters(4 * mantissa);
  const std::uint64_t high = in_quarters(4 * mantissa + 2) - odd;

  // At most one multiple of ten is between the midpoints. If there is one, no other decimal is as short.
  const std::uint64_t below = value / 4;
  const std::uint32_t upper_part = static_cast<std::uint32_t>(below >> 32) % 10 * 6;  // 2^32 ends in 6
  const std::uint32_t last_digit = (upper_part + static_cast<std::uint32_t>(below) % 10) % 10;
  const std::uint64_t tens = below - last_digit;
  if (4 * tens >= low) return {tens, decimal};
  if (4 * (tens + 10) <= high) return {tens + 10, decimal};

  // The nearest integer, at a tie the even one, is at most 1/2 away. The midpoints are at least 1/2 away, except the
  // narrow one, which is at least 1/3 away. If the nearest integer is below it, the next integer above is not.
  const std::uint64_t nearest = (value + 1 + (below & 1)) / 4;
  return {nearest + (4 * nearest < low ? 1 : 0), decimal};
}

/// Returns the shortest decimal of a number that is not zero. `exponent_field` and `fraction` are bits of the format.
constexpr Decimal shortest(int exponent_field, std::uint64_t fraction, const FloatFormat& format) {
  if (exponent_field > 0) {
    fraction |= std::uint64_t{1} << (format.precision - 1);
    --exponent_field;
  }
  const bool narrow_below = exponent_field > 0 && (fraction & (fraction - 1)) == 0;
  return shortest(fraction, format.min_exponent + exponent_field, narrow_below);
}

/// Writes a positive number. Source: ECMA-262, Number::toString, section 6.1.6.1.20.
constexpr char* write_decimal(char* at, Decimal decimal) {
  char text[max_integer_chars];
  char* const end = text + sizeof text;
  const char* const digits = write_digits(end, decimal.digits);
  int count = static_cast<int>(end - digits);
  const int exponent = decimal.exponent + count - 1;  // of the first digit
  while (count > 1 && digits[count - 1] == '0') --count;

  // The place value of digit `i` is 10^(exponent - i). A digit before the first or after the last is 0.
  const bool plain = exponent >= -6 && exponent < 21;
  const int units = plain ? exponent : 0;
  for (int i = units < 0 ? units : 0; i < count || i <= units; ++i) {
    *at++ = i >= 0 && i < count ? digits[i] : '0';
    if (i == units && i + 1 < count) *at++ = '.';
  }
  if (plain) return at;
  *at++ = 'e';
  *at++ = exponent < 0 ? '-' : '+';
  return write_integer(at, static_cast<std::uint64_t>(exponent < 0 ? -exponent : exponent));
}

/// Writes any finite number without its sign.
constexpr char* write_float(char* at, int exponent_field, std::uint64_t fraction, const FloatFormat& format) {
  if (exponent_field == 0 && fraction == 0) {
    *at++ = '0';
    return at;
  }
  return write_decimal(at, shortest(exponent_field, fraction, format));
}

/// Writes value / 10^decimals without trailing zeros so that it ends at `end`, and returns its begin. `decimals` is at
/// most 9.
constexpr char* write_scaled(char* end, std::int32_t value, std::uint8_t decimals) {
  constexpr std::uint8_t max_decimals = 9;  // one less than an int32 can have digits
  const auto bits = static_cast<std::uint32_t>(value);
  std::uint32_t rest = value < 0 ? 0 - bits : bits;
  if (decimals > max_decimals) decimals = max_decimals;
  for (; decimals != 0 && rest % 10 == 0; --decimals) rest /= 10;

  char* at = end;
  for (; decimals != 0; --decimals, rest /= 10) *--at = static_cast<char>('0' + rest % 10);
  if (at != end) *--at = '.';
  do {
    *--at = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (value < 0) *--at = '-';
  return at;
}

constexpr char* write(char* at, std::uint64_t value) { return write_integer(at, value); }

constexpr char* write(char* at, std::int64_t value) {
  std::uint64_t magnitude = static_cast<std::uint64_t>(value);
  if (value < 0) {
    *at++ = '-';
    magnitude = 0 - magnitude;
  }
  return write_integer(at, magnitude);
}

constexpr char* write(char* at, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  if (bits >> 63 != 0) *at++ = '-';
  return write_float(at, static_cast<int>(bits >> 52 & 0x7FF), bits << 12 >> 12, binary64);
}

constexpr char* write(char* at, float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (bits >> 31 != 0) *at++ = '-';
  return write_float(at, static_cast<int>(bits >> 23 & 0xFF), bits << 9 >> 9, binary32);
}

}  // namespace mcp::json::number_text

#include <mcp/detail/epilogue.hpp>
