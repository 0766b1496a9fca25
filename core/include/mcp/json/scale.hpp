// SPDX-License-Identifier: Apache-2.0
// The arithmetic of both conversions between decimal and binary floating point: an integer times powers of two and ten.
// The result includes whether it is exact. It needs no table, no floating point and no 64-bit division.
// Private to number_read.cpp and number_text.hpp.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <bit>
#include <cstdint>

namespace mcp::json {

/// An IEEE 754 binary format. Its finite values are the integers below 2^precision times 2^exponent, with
/// min_exponent <= exponent <= max_exponent. There is no exponent below min_exponent, so the smallest values lose
/// leading bits.
struct FloatFormat {
  int precision;
  int min_exponent;
  int max_exponent;
};
inline constexpr FloatFormat binary32{24, -149, 104};
inline constexpr FloatFormat binary64{53, -1074, 971};

/// Multiplies the number in `from[0]` (lowest) to `from[count - 1]` by `factor`. Stores the lowest `count` words of the
/// product at `to`, and returns the word above them. `to` may be `from` or below it.
[[gnu::noinline]] constexpr std::uint32_t multiply_words(std::uint32_t* to, const std::uint32_t* from, int count,
                                                         std::uint32_t factor) {
  std::uint64_t carry = 0;
  for (; count > 0; --count) {
    carry += std::uint64_t{*from++} * factor;
    *to++ = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  return static_cast<std::uint32_t>(carry);
}

/// A positive number: the integer in word[1] (lowest) to word[6], times 2^exponent. Before multiplications it has all
/// 192 bits, and loses less than 23 of them up to 5^343. Before divisions it has 160 bits, and gains less than 5. So
/// each step is too low by at most 2^-158 of the value, and never too high.
class Wide {
 public:
  /// x * 2^exponent, x > 0.
  constexpr Wide(std::uint64_t x, int exponent, bool will_be_divided) {
    const int zeros = std::countl_zero(x);
    x <<= zeros;
    const int top = will_be_divided ? 5 : 6;
    word_[top] = static_cast<std::uint32_t>(x >> 32);
    word_[top - 1] = static_cast<std::uint32_t>(x);
    exponent_ = exponent - zeros - 32 * (top - 2);
  }

  /// 0 < factor
  constexpr void multiply(std::uint32_t factor) {
    const int zeros = std::countl_zero(factor);
    multiply_and_drop_a_word(factor << zeros);
    exponent_ -= zeros;
  }

  /// 0 < divisor < 2^16. Divides half words, so that a 32-bit division is enough. The quotient moves up by one half
  /// word, because the uppermost is unused.
  constexpr void divide(std::uint32_t divisor) {
    const int zeros = std::countl_zero(divisor) - 16;
    divisor <<= zeros;
    std::uint32_t remainder = 0;
    for (int i = 6; i > 0; --i) {
      const std::uint32_t high = remainder << 16 | (word_[i] & 0xFFFF);
      const std::uint32_t low = high % divisor << 16 | word_[i - 1] >> 16;
      word_[i] = high / divisor << 16 | low / divisor;
      remainder = low % divisor;
    }
    exponent_ += zeros - 16;
  }

  /// Returns the value (< 2^63) rounded down. Bit 0 is also set if the rounding dropped a bit.
  constexpr std::uint64_t round_to_odd() {
    while (exponent_ < -128) multiply_and_drop_a_word(1);
    multiply_and_drop_a_word(std::uint32_t{1} << (exponent_ + 128));
    const bool inexact = (word_[3] | word_[2] | word_[1]) != 0;  // word 4 holds the units
    return std::uint64_t{word_[5]} << 32 | word_[4] | (inexact ? 1 : 0);
  }

 private:
  constexpr void multiply_and_drop_a_word(std::uint32_t factor) {
    word_[6] = multiply_words(word_, word_ + 1, 6, factor);
    exponent_ += 32;
  }

  std::uint32_t word_[7] = {};  // word 0 gets the dropped bits
  int exponent_;
};

/// Returns x * 2^binary * 10^decimal rounded to odd: rounded down to an integer, with bit 0 also set if the rounding
/// dropped a bit. With a few additional bits, each comparison with a half is exact. x > 0; the result must be < 2^63.
///
/// The result is exact although Wide is not. If the true value is an integer, its factors fit Wide and no step rounds.
/// Any other value is further than 2^-76 from an integer. This follows from the continued fraction of
/// 2^binary * 10^decimal, computed for each pair of exponents and each x of the reader and the writer. The distance is
/// 2^-75.2 for the reader (x < 2^64), and 2^-65.4 for the writer (x <= 2^55 + 2). Wide takes at most 58 steps, because
/// |decimal| <= 343. So it is too low by less than 2^-152 of a value below 2^63, which is 2^-89.
[[gnu::noinline]] constexpr std::uint64_t scale(std::uint64_t x, int binary, int decimal) {
  Wide wide(x, binary + decimal, decimal < 0);  // 10 = 2 * 5
  std::uint32_t power = 1;
  if (decimal < 0) {
    for (; decimal <= -6; decimal += 6) wide.divide(15625);  // 5^6, the largest power that fits
    for (; decimal < 0; ++decimal) power *= 5;
    wide.divide(power);
  } else {
    for (; decimal >= 13; decimal -= 13) wide.multiply(1220703125);  // 5^13
    for (; decimal > 0; --decimal) power *= 5;
    wide.multiply(power);
  }
  return wide.round_to_odd();
}

}  // namespace mcp::json

#include <mcp/detail/epilogue.hpp>
