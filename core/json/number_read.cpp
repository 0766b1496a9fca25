// SPDX-License-Identifier: Apache-2.0
// Converts JSON number tokens to binary, exactly rounded. The digits that fit 64 bits decide. If a longer token is
// close to the midpoint between two neighbours, all of its digits are compared with the midpoint.
// The grammar is not checked. For a token that is not a JSON number, the result is arbitrary, or bytes after its end
// are read.
#include <algorithm>
#include <bit>

#include "mcp/json/number.hpp"
#include "mcp/json/scale.hpp"

namespace mcp::json {
namespace {

/// The parts of a token. Its value is digits * 10^exponent. If digits were dropped, the value is above this number and
/// below the number with `digits` + 1.
struct Decimal {
  bool negative;
  std::uint64_t digits;  ///< As many as fit, without zeros at the end.
  int exponent;
  int dropped;              ///< The number of digits that did not fit; the last one is not 0.
  const char* begin;        ///< The begin of the digits, including the point.
  const char* end;          ///< The end of the digits.
  int digits_before_point;  ///< Counted from `begin`, with the token's exponent applied; may be negative.
};

/// Appends a decimal digit to `digits` if they still fit then.
bool append_digit(std::uint64_t& digits, unsigned digit) {
  constexpr std::uint64_t most = UINT64_MAX / 10;
  if (digits > most || (digits == most && digit > UINT64_MAX % 10)) return false;
  digits = digits * 10 + digit;
  return true;
}

/// The exponent of a number, from after its 'e'. It stops growing beyond 2^27, which no token's digits can compensate.
int read_exponent(const char* at, const char* end) {
  const bool negative = *at == '-';
  if (negative || *at == '+') ++at;
  int exponent = 0;
  for (; at != end; ++at) {
    if (exponent < 1 << 27) exponent = exponent * 10 + (*at - '0');
  }
  return negative ? -exponent : exponent;
}

Decimal split(const std::string_view& token) {
  const char* at = token.data();
  const char* const end = at + token.size();
  const bool negative = *at == '-';
  if (negative) ++at;
  const char* const begin = at;

  std::uint64_t all = 0;  // digits, including zeros at the end
  int lost = 0;           // digits that did not fit in `digits`
  std::uint64_t digits = 0;
  int dropped = 0;
  int zeros = 0;         // after `digits`
  int fraction = 0;      // 1 after the point
  int behind_point = 0;  // digits after the point
  for (; at != end && (*at | 0x20) != 'e'; ++at) {
    if (*at == '.') {
      fraction = 1;
      continue;
    }
    behind_point += fraction;
    const auto digit = static_cast<unsigned>(*at - '0');
    if (lost > 0 || !append_digit(all, digit)) ++lost;
    ++zeros;
    if (digit == 0) continue;
    digits = all;
    dropped = lost;
    zeros = 0;
  }

  const int exponent = at != end ? read_exponent(at + 1, end) : 0;
  const int before_point = exponent + static_cast<int>(at - begin) - fraction - behind_point;
  return {negative, digits, exponent - behind_point + zeros + dropped, dropped, begin, at, before_point};
}

// ---- integers

/// `value` gets a negative number in two's complement.
NumberStatus read_integer(const std::string_view& token, bool is_signed, std::uint64_t& value) {
  const Decimal decimal = split(token);
  std::uint64_t magnitude = decimal.digits;
  if (magnitude != 0) {
    if (decimal.exponent < decimal.dropped) return NumberStatus::not_integer;
    if (decimal.dropped > 0) return NumberStatus::out_of_range;
    for (int i = decimal.exponent; i > 0; --i) {
      if (!append_digit(magnitude, 0)) return NumberStatus::out_of_range;
    }
  }
  const std::uint64_t result = decimal.negative ? 0 - magnitude : magnitude;
  const bool below_zero = is_signed && result >> 63 != 0;
  if (magnitude != 0 && below_zero != decimal.negative) return NumberStatus::out_of_range;
  value = result;
  return NumberStatus::ok;
}

// ---- floating point

/// A signed integer in two's complement. Summands may be larger than it can hold, as long as their sum is not.
class Difference {
 public:
  /// For sums below 2^bits (at most 1075, the last place of a midpoint of doubles), times a digit.
  explicit Difference(int bits) { resize(bits); }
  void resize(int bits) { size_ = (bits + 5) / 32 + 1; }

  void multiply(std::uint32_t factor) { multiply_words(word_, word_, size_, factor); }

  /// Adds value * 2^bit, |value| < 2^31.
  void add(std::int64_t value, int bit) {
    std::int64_t carry = value * (std::int64_t{1} << (bit & 31));
    for (int i = bit >> 5; i < size_; ++i) {
      carry += word_[i];
      word_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }

  /// The sign of the value divided by 2^bit and rounded down.
  [[nodiscard]] int sign_of_part_above(int bit) const {
    if (word_[size_ - 1] >> 31 != 0) return -1;
    std::uint32_t any = word_[bit >> 5] >> (bit & 31);
    for (int i = (bit >> 5) + 1; i < size_; ++i) any |= word_[i];
    return any != 0 ? 1 : 0;
  }

 private:
  static constexpr int max_size = (1075 + 5) / 32 + 1;
  std::uint32_t word_[max_size] = {};
  int size_;
};

/// Hands out the digits of a token one by one, then zeros.
class Digits {
 public:
  explicit Digits(const Decimal& decimal) : at_(decimal.begin), end_(decimal.end) {}

  int next() {
    if (at_ == end_) return 0;
    if (*at_ == '.') ++at_;  // a digit follows it
    return *at_++ - '0';
  }
  [[nodiscard]] bool at_end() const { return at_ == end_; }

 private:
  const char* at_;
  const char* end_;
};

/// The sign of midpoint * 2^exponent - decimal, all digits considered. midpoint < 2^54; the two must be less than
/// 2^exponent apart. A step for each digit, until the binary fraction has come to its end.
[[gnu::noinline]] int compare_midpoint(std::uint64_t midpoint, int exponent, const Decimal& decimal) {
  int fraction_bits = exponent < 0 ? -exponent : 0;
  Difference difference(exponent < 0 ? -exponent : exponent);
  Digits digits(decimal);

  // First the integer part of the decimal...
  int position = decimal.digits_before_point;
  for (; position > 0; --position) {
    difference.multiply(10);
    difference.add(-digits.next(), fraction_bits);
  }
  difference.add(static_cast<std::int64_t>(midpoint & INT32_MAX), exponent + fraction_bits);
  difference.add(static_cast<std::int64_t>(midpoint >> 31), exponent + fraction_bits + 31);

  // The rest is a fraction. Times ten, its integer part is the next digit. The loop multiplies by five and moves the
  // binary point by one instead.
  for (;; --fraction_bits, ++position) {
    const int sign = difference.sign_of_part_above(fraction_bits);
    if (sign != 0) return sign;
    if (fraction_bits == 0) break;
    difference.resize(fraction_bits);
    difference.multiply(5);
    const int digit = position < 0 ? 0 : digits.next();
    difference.add(-digit, fraction_bits - 1);
  }
  while (!digits.at_end()) {
    if (digits.next() != 0) return -1;
  }
  return 0;
}

/// mantissa * 2^exponent
struct Float {
  bool negative;
  int exponent;            ///< min_exponent where the mantissa has less than `precision` bits.
  std::uint64_t mantissa;  ///< <= 2^precision: rounding up can carry out of the format's bits.
};

/// Rounds to nearest, ties to even.
NumberStatus read_float(const std::string_view& token, const FloatFormat& format, Float& value) {
  const Decimal decimal = split(token);
  value = {decimal.negative, format.min_exponent, 0};
  // 2^64 * 10^-344 is below half of the smallest double, and 10^309 above the largest.
  if (decimal.digits == 0 || decimal.exponent < -343) return NumberStatus::ok;
  if (decimal.exponent > 308) return NumberStatus::out_of_range;

  // floor(log2(digits)) + floor(log2(10) * exponent) is the position of the first bit, or one less. Scale so that the
  // mantissa is in front of `extra` bits, unless that would put its last bit below min_exponent.
  constexpr int extra = 9;
  const int first_bit = 63 - std::countl_zero(decimal.digits) + (decimal.exponent * 217706 >> 16);
  int exponent = std::max(first_bit - format.precision + 1, format.min_exponent);
  std::uint64_t scaled = scale(decimal.digits, extra - exponent, decimal.exponent);
  if (scaled >> (format.precision + extra) != 0) {
    scaled = scaled >> 1 | (scaled & 1);
    ++exponent;
  }
  if (exponent > format.max_exponent) return NumberStatus::out_of_range;
  std::uint64_t mantissa = scaled >> extra;

  // Digits are dropped after 1.8 * 10^18, so that they add less than 2^62 / 1.8 * 10^-18 < 3 to the scaled value.
  constexpr int half = 1 << (extra - 1);
  const int rest = static_cast<int>(scaled & (2 * half - 1)) | (decimal.dropped > 0 ? 1 : 0);
  int midpoint_sign = half - rest;
  if (decimal.dropped > 0 && midpoint_sign > 0 && midpoint_sign < 8) {
    midpoint_sign = compare_midpoint(2 * mantissa + 1, exponent - 1, decimal);
  }
  if (midpoint_sign < 0 || (midpoint_sign == 0 && (mantissa & 1) != 0)) ++mantissa;
  if (exponent == format.max_exponent && mantissa >> format.precision != 0) return NumberStatus::out_of_range;
  value.exponent = exponent;
  value.mantissa = mantissa;
  return NumberStatus::ok;
}

}  // namespace

NumberStatus read_number(const std::string_view& token, std::uint64_t& value) {
  return read_integer(token, false, value);
}

NumberStatus read_number(const std::string_view& token, std::int64_t& value) {
  // A signed integer may be accessed as the unsigned type of its size: [basic.lval] of the C++ standard.
  return read_integer(token, true, reinterpret_cast<std::uint64_t&>(value));
}

// The hidden bit and the carry out of the mantissa, if any, each add one to the exponent field.

NumberStatus read_number(const std::string_view& token, double& value) {
  Float read;
  const NumberStatus status = read_float(token, binary64, read);
  if (status == NumberStatus::ok) {
    const auto field = static_cast<std::uint64_t>(read.exponent - binary64.min_exponent);
    value = std::bit_cast<double>(std::uint64_t{read.negative} << 63 | ((field << 52) + read.mantissa));
  }
  return status;
}

NumberStatus read_number(const std::string_view& token, float& value) {
  Float read;
  const NumberStatus status = read_float(token, binary32, read);
  if (status == NumberStatus::ok) {
    const auto field = static_cast<std::uint32_t>(read.exponent - binary32.min_exponent);
    const auto mantissa = static_cast<std::uint32_t>(read.mantissa);
    value = std::bit_cast<float>(std::uint32_t{read.negative} << 31 | ((field << 23) + mantissa));
  }
  return status;
}

}  // namespace mcp::json
