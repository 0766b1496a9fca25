// What both directions between decimal and binary floating point share: the formats, and the one piece of arithmetic
// they need, an integer times powers of two and of ten, with the knowledge whether the result is exact. No table, no
// floating point, no 64-bit division. Private to number_read.cpp and number_write.cpp. Knows neither text nor rounding.
#pragma once

#include <cstdint>

namespace mcp::json {

/// An IEEE 754 binary format: its finite values are the integers below 2^precision times 2^exponent, with
/// min_exponent <= exponent <= max_exponent. Below min_exponent there is nothing, so the smallest lose leading bits.
struct FloatFormat {
  int precision;
  int min_exponent;
  int max_exponent;
};
inline constexpr FloatFormat binary32{24, -149, 104};
inline constexpr FloatFormat binary64{53, -1074, 971};

/// Multiplies the number in `word[0]` (lowest) to `word[count - 1]` by `factor`, modulo 2^(32 * count).
[[gnu::noinline]] inline void multiply_words(std::uint32_t* word, int count, std::uint32_t factor) {
  std::uint64_t carry = 0;
  for (; count > 0; --count, ++word) {
    carry += std::uint64_t{*word} * factor;
    *word = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
}

/// Divides the number in `word[0]` (lowest) to `word[count - 1]` by `divisor` (< 2^16) and rounds down. By halves of a
/// word, so that a 32-bit division is enough.
[[gnu::noinline]] inline void divide_words(std::uint32_t* word, int count, std::uint32_t divisor) {
  std::uint32_t remainder = 0;
  while (count-- > 0) {
    const std::uint32_t high = remainder << 16 | word[count] >> 16;
    const std::uint32_t low = high % divisor << 16 | (word[count] & 0xFFFF);
    word[count] = high / divisor << 16 | low / divisor;
    remainder = low % divisor;
  }
}

/// A positive number of 161 to 192 significant bits: its words, lowest first, times 2^(32 * exponent). Word 5 is never
/// 0, so that an operation rounds down by less than 2^-160 of the value; word 6 is not 0 only during one.
class Wide {
 public:
  /// x * 2^binary, x > 0.
  Wide(std::uint64_t x, int binary) : exponent_((binary >> 5) - 4) {
    word_[5] = static_cast<std::uint32_t>(x >> 32);
    word_[4] = static_cast<std::uint32_t>(x);
    if (word_[5] == 0) shift_up();
    multiply(std::uint32_t{1} << (binary & 31));
  }

  void multiply(std::uint32_t factor) {
    multiply_words(word_, words, factor);
    if (word_[6] != 0) shift_down();
  }

  /// divisor < 2^16
  void divide(std::uint32_t divisor) {
    if (word_[5] < divisor) shift_up();  // or word 5 of the quotient would be 0; now it is word 6
    divide_words(word_, words, divisor);
  }

  /// The value (< 2^64) rounded down, with bit 0 set when that dropped anything. What is up to 2^-84 below or 2^-83
  /// above an integer counts as that integer.
  std::uint64_t round_to_odd() {
    while (exponent_ < -4) shift_down();
    std::uint64_t carry = 1U << 12;  // 2^-84: word 4 holds the units, word 1 counts in 2^-96
    for (int i = 1; i < 6; ++i) {
      carry += word_[i];
      word_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    const bool inexact = (word_[3] | word_[2] | word_[1] >> 13) != 0;
    return std::uint64_t{word_[5]} << 32 | word_[4] | (inexact ? 1 : 0);
  }

 private:
  void shift_up() {
    for (int i = words - 1; i > 0; --i) word_[i] = word_[i - 1];
    word_[0] = 0;
    --exponent_;
  }
  void shift_down() {
    for (int i = 0; i < words - 1; ++i) word_[i] = word_[i + 1];
    word_[words - 1] = 0;
    ++exponent_;
  }

  static constexpr int words = 7;
  std::uint32_t word_[words] = {};
  int exponent_;
};

/// The power of five with the exponent min(exponent, max_exponent), which it takes off `exponent`.
constexpr std::uint32_t take_power_of_5(int& exponent, int max_exponent) {
  std::uint32_t power = 1;
  for (; exponent > 0 && max_exponent > 0; --exponent, --max_exponent) power *= 5;
  return power;
}

/// x * 2^binary * 10^decimal, rounded down to an integer, whose bit 0 is also set when that dropped anything ("round to
/// odd"): with a few bits more than wanted, every comparison with a half is exact. x > 0; the result must be < 2^63.
///
/// Why it is exact although Wide is not: |decimal| <= 343 takes at most 59 operations, so the error is below 2^-154 of
/// the value, which is below 2^-91. The true value is an integer, or further than 2^-77 from one: computed from the
/// continued fraction of 2^binary * 10^decimal, for each pair of exponents and each x that the reader (2^-76, x < 2^64)
/// and the writer (2^-65.4, x <= 2^55 + 2) can come with. 2^-84 lies between the two.
[[gnu::noinline]] inline std::uint64_t scale(std::uint64_t x, int binary, int decimal) {
  Wide wide(x, binary + decimal);  // 10 = 2 * 5
  int divisions = -decimal;
  while (decimal > 0) wide.multiply(take_power_of_5(decimal, 13));   // 5^13 < 2^32
  while (divisions > 0) wide.divide(take_power_of_5(divisions, 6));  // 5^6 < 2^16
  return wide.round_to_odd();
}

}  // namespace mcp::json
