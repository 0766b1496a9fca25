// SPDX-License-Identifier: Apache-2.0
// Numbers of JSON text to and from binary, against libc's strtod and strtof, std::to_chars, and against midpoints
// between neighbouring floating-point numbers that are computed here digit by digit.
#include "mcp/json/number.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace mcp::json {
namespace {

// Unoptimised and instrumented builds look at fewer samples.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
constexpr int thoroughness = 6;
#else
constexpr int thoroughness = 1;
#endif

template <typename T>
constexpr std::size_t max_chars = std::is_same_v<T, double>  ? max_double_chars
                                  : std::is_same_v<T, float> ? max_float_chars
                                                             : max_integer_chars;

template <typename T>
using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <typename T>
Bits<T> bits_of(T value) {
  return std::bit_cast<Bits<T>>(value);
}

// The output of `write_number`. Fails if it exceeds the maximum.
template <typename T>
std::string written(T value) {
  constexpr char untouched = '#';
  std::array<char, max_chars<T> + 8> buffer;
  buffer.fill(untouched);
  char* const end = write_number(buffer.data() + 4, value);
  const auto size = static_cast<std::size_t>(end - buffer.data()) - 4;
  EXPECT_LE(size, max_chars<T>);
  EXPECT_EQ(std::count(buffer.begin(), buffer.begin() + 4, untouched), 4);
  EXPECT_EQ(std::count(buffer.begin() + 4 + std::ptrdiff_t(size), buffer.end(), untouched),
            std::ptrdiff_t(max_chars<T> + 4 - size));
  return {buffer.data() + 4, size};
}

// The outcome of `read_number`, comparable and printable: the bits of the value, or the error.
template <typename T>
std::string read_as(std::string_view token) {
  for (const T before : {T{1}, T{2}}) {  // twice, to detect unwritten bytes
    T value = before;
    const NumberStatus status = read_number(token, value);
    if (status != NumberStatus::ok) {
      EXPECT_EQ(bits_of(value), bits_of(before)) << "written although not ok: " << token;
      return status == NumberStatus::not_integer ? "not_integer" : "out_of_range";
    }
    if (bits_of(value) != bits_of(before)) return std::to_string(bits_of(value));
  }
  return "not written";
}

template <typename T>
std::string as_read(T value) {
  return std::isfinite(value) ? std::to_string(bits_of(value)) : "out_of_range";
}

template <typename T>
T libc_read(const std::string& token) {
  if constexpr (std::is_same_v<T, float>) {
    return std::strtof(token.c_str(), nullptr);
  } else {
    return std::strtod(token.c_str(), nullptr);
  }
}

// Failure messages of 10,000 digits are not readable.
std::string shown(const std::string& token) {
  return token.size() < 100 ? token : token.substr(0, 50) + "..." + token.substr(token.size() - 50);
}

template <typename T>
bool reads_like_libc(const std::string& token) {
  const bool same = read_as<T>(token) == as_read(libc_read<T>(token));
  EXPECT_TRUE(same) << shown(token);
  return same;
}

// Number::toString of ECMA-262, by its own steps, from the shortest digits in std::to_chars' scientific notation.
template <typename T>
std::string ecmascript_text(T value) {
  if (value == 0) return std::signbit(value) ? "-0" : "0";
  std::array<char, 64> buffer;
  const auto converted =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  std::string text(buffer.data(), converted.ptr);
  const std::string sign = text[0] == '-' ? "-" : "";
  const std::size_t mark = text.find('e');
  const int n = std::stoi(text.substr(mark + 1)) + 1;
  std::string digits = text.substr(sign.size(), mark - sign.size());
  std::erase(digits, '.');
  const int k = static_cast<int>(digits.size());

  if (k <= n && n <= 21) return sign + digits + std::string(static_cast<std::size_t>(n - k), '0');
  if (0 < n && n <= 21) return sign + digits.insert(static_cast<std::size_t>(n), ".");
  if (-6 < n && n <= 0) return sign + "0." + std::string(static_cast<std::size_t>(-n), '0') + digits;
  const std::string exponent = (n > 0 ? "e+" : "e-") + std::to_string(std::abs(n - 1));
  if (k > 1) digits.insert(1, ".");
  return sign + digits + exponent;
}

// Shortest, closest, in the right notation, and back to the same bits: by us, and by libc from our text.
template <typename T>
bool round_trips(T value) {
  const std::string text = written(value);
  const bool good = text == ecmascript_text(value) && read_as<T>(text) == as_read(value) &&
                    bits_of(libc_read<T>(text)) == bits_of(value);
  EXPECT_TRUE(good) << text << " for " << ecmascript_text(value) << ", bits " << bits_of(value);
  return good;
}

template <typename T>
bool round_trips_bits(Bits<T> bits) {
  const T value = std::bit_cast<T>(bits);
  return !std::isfinite(value) || round_trips(value);
}

// An exact decimal: the integer of these digits times 10^exponent.
struct Exact {
  std::string digits;
  int exponent;
};

// odd * 2^binary, digit by digit.
Exact exact_decimal(std::uint64_t odd, int binary) {
  constexpr std::uint64_t base = 1'000'000'000;
  std::vector<std::uint64_t> limbs{odd % base, odd / base % base, odd / base / base};
  for (int i = std::abs(binary); i > 0; --i) {
    std::uint64_t carry = 0;
    for (std::uint64_t& limb : limbs) {
      carry += limb * (binary < 0 ? 5 : 2);
      limb = carry % base;
      carry /= base;
    }
    if (carry != 0) limbs.push_back(carry);
  }
  std::string digits;
  for (auto limb = limbs.rbegin(); limb != limbs.rend(); ++limb) {
    const std::string part = std::to_string(*limb);
    digits += std::string(9 - part.size(), '0') + part;
  }
  digits.erase(0, digits.find_first_not_of('0'));
  return {digits, std::min(binary, 0)};
}

std::string token_of(const Exact& exact) { return exact.digits + "e" + std::to_string(exact.exponent); }

// The same value with a point `before` digits in, or that many zeros and more in front.
std::string token_with_point(const Exact& exact, std::size_t before) {
  const int exponent = exact.exponent + static_cast<int>(exact.digits.size()) - static_cast<int>(before);
  return exact.digits.substr(0, before) + "." + exact.digits.substr(before) + "E" + std::to_string(exponent);
}
std::string token_behind_zeros(const Exact& exact, int zeros) {
  const int exponent = exact.exponent + static_cast<int>(exact.digits.size()) + zeros;
  return "0." + std::string(static_cast<std::size_t>(zeros), '0') + exact.digits + (exponent < 0 ? "e" : "e+") +
         std::to_string(exponent);
}

Exact a_little_more(Exact exact, std::size_t zeros) {
  exact.exponent -= static_cast<int>(zeros) + 1;
  exact.digits += std::string(zeros, '0') + "1";
  return exact;
}
Exact a_little_less(Exact exact, std::size_t nines) {
  exact.exponent -= static_cast<int>(nines);
  const std::size_t last = exact.digits.find_last_not_of('0');
  exact.digits[last] = static_cast<char>(exact.digits[last] - 1);
  for (std::size_t i = last + 1; i < exact.digits.size(); ++i) exact.digits[i] = '9';
  exact.digits += std::string(nines, '9');
  return exact;
}

// Around the midpoint between the value of `bits` (finite, positive) and the next: ties to even, one digit decides.
template <typename T>
void check_midpoint_above(Bits<T> bits) {
  constexpr int precision = std::numeric_limits<T>::digits;
  constexpr int min_exponent = std::numeric_limits<T>::min_exponent - precision;
  const auto field = static_cast<int>(bits >> (precision - 1));
  const Bits<T> fraction = bits & ((Bits<T>{1} << (precision - 1)) - 1);
  const Bits<T> mantissa = field > 0 ? fraction | Bits<T>{1} << (precision - 1) : fraction;
  const Exact midpoint = exact_decimal(2 * std::uint64_t{mantissa} + 1, min_exponent + std::max(field - 1, 0) - 1);

  const std::string below = as_read(std::bit_cast<T>(bits));
  const std::string above = as_read(std::bit_cast<T>(bits + 1));
  const std::string even = bits % 2 == 0 ? below : above;
  EXPECT_EQ(read_as<T>(token_of(midpoint)), even) << bits;
  EXPECT_EQ(read_as<T>(token_with_point(midpoint, 1)), even) << bits;
  EXPECT_EQ(read_as<T>(token_with_point(midpoint, midpoint.digits.size() / 2)), even) << bits;
  EXPECT_EQ(read_as<T>(token_behind_zeros(midpoint, 3)), even) << bits;
  for (const std::size_t more : {0U, 1U, 400U}) {
    EXPECT_EQ(read_as<T>(token_of(a_little_less(midpoint, more))), below) << bits << " " << more;
    EXPECT_EQ(read_as<T>(token_of(a_little_more(midpoint, more))), above) << bits << " " << more;
    EXPECT_EQ(read_as<T>(token_with_point(a_little_more(midpoint, more), 1)), above) << bits << " " << more;
  }
}

// ---- integers

TEST(Number, WritesIntegers) {
  EXPECT_EQ(written(std::int64_t{0}), "0");
  EXPECT_EQ(written(std::int64_t{-1}), "-1");
  EXPECT_EQ(written(std::int64_t{42}), "42");
  EXPECT_EQ(written(std::int64_t{INT64_MIN}), "-9223372036854775808");
  EXPECT_EQ(written(std::int64_t{INT64_MAX}), "9223372036854775807");
  EXPECT_EQ(written(std::uint64_t{UINT64_MAX}), "18446744073709551615");
}

TEST(Number, IntegersOfEveryLengthRoundTrip) {
  std::mt19937_64 random(1);
  for (int bits = 1; bits <= 64; ++bits) {
    for (int i = 0; i < 50; ++i) {
      const std::uint64_t value = i == 0   ? UINT64_MAX >> (64 - bits)
                                  : i == 1 ? std::uint64_t{1} << (bits - 1)
                                           : random() >> (64 - bits);
      const auto negative = static_cast<std::int64_t>(0 - value);
      EXPECT_EQ(written(value), std::to_string(value));
      EXPECT_EQ(written(negative), std::to_string(negative));
      EXPECT_EQ(read_as<std::uint64_t>(written(value)), std::to_string(value));
      EXPECT_EQ(read_as<std::int64_t>(written(negative)), std::to_string(bits_of(negative)));
    }
  }
  for (std::uint64_t power = 1; power != 7'766'279'631'452'241'920U; power *= 10) {  // 10^20 modulo 2^64
    for (const std::uint64_t value : {power - 1, power, power + 1, 2 * power}) {
      EXPECT_EQ(written(value), std::to_string(value));
      EXPECT_EQ(read_as<std::uint64_t>(written(value)), std::to_string(value));
    }
  }
}

TEST(Number, ReadsIntegersInAnyNotation) {
  for (const char* token : {"100", "1e2", "1E+2", "1e0002", "100.0", "100.000e0", "10000e-2", "0.1e3", "0.00001e7",
                            "1.00e2", "1000000000000000000000000000000e-28"}) {
    EXPECT_EQ(read_as<std::int64_t>(token), "100") << token;
    EXPECT_EQ(read_as<std::uint64_t>(token), "100") << token;
  }
  EXPECT_EQ(read_as<std::int64_t>("10e-1"), "1");
  EXPECT_EQ(read_as<std::int64_t>("-1.0"), std::to_string(UINT64_MAX));
  for (const std::string token : {"0", "0.000", "0e-5", "0e5", "0e999999999999", "0.0e-999999999999"}) {
    for (const char* sign : {"", "-"}) {
      EXPECT_EQ(read_as<std::int64_t>(sign + token), "0") << token;
      EXPECT_EQ(read_as<std::uint64_t>(sign + token), "0") << token;
    }
  }
}

TEST(Number, ReadsTheLimitsOfIntegers) {
  for (const char* token : {"9223372036854775807", "9223372036854775807.0", "0.9223372036854775807e19"}) {
    EXPECT_EQ(read_as<std::int64_t>(token), "9223372036854775807") << token;
  }
  EXPECT_EQ(read_as<std::int64_t>("9223372036854775808"), "out_of_range");
  EXPECT_EQ(read_as<std::int64_t>("-9223372036854775808"), "9223372036854775808");  // in two's complement
  EXPECT_EQ(read_as<std::int64_t>("-92233720368547758080e-1"), "9223372036854775808");
  EXPECT_EQ(read_as<std::int64_t>("-9223372036854775809"), "out_of_range");
  EXPECT_EQ(read_as<std::int64_t>("18446744073709551615"), "out_of_range");
  EXPECT_EQ(read_as<std::uint64_t>("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(read_as<std::uint64_t>("18446744073709551615.000"), "18446744073709551615");
  for (const char* token :
       {"18446744073709551616", "18446744073709551620", "18446744073709551625", "18446744073709551700",
        "18446744073709552000", "20000000000000000000", "36893488147419103233", "184467440737095516150",
        "184467440737095516151", "1844674407370955162e1", "1e20", "1e400", "1e999999999999999999999", "-1"}) {
    EXPECT_EQ(read_as<std::uint64_t>(token), "out_of_range") << token;
  }
  for (const char* token : {"1e19", "-1e19", "1e400", "-1e400", "1e4294967296", "1e18446744073709551616"}) {
    EXPECT_EQ(read_as<std::int64_t>(token), "out_of_range") << token;
  }
}

TEST(Number, RejectsFractionsAsIntegers) {
  for (const char* token : {"1.5", "-1.5", "1e-1", "0.1", "10.01e1", "15e-1", "1e-400", "1e-999999999999",
                            "9223372036854775807.5", "18446744073709551615.1", "18446744073709551616.5",
                            "123456789012345678901234567890.1", "123456789012345678901234567890e-1000",
                            "123456789012345678901234567891e-1", "0.00000000000000000000000000001"}) {
    EXPECT_EQ(read_as<std::int64_t>(token), "not_integer") << token;
    EXPECT_EQ(read_as<std::uint64_t>(token), "not_integer") << token;
  }
}

TEST(Number, ReadsLongTokensOfIntegers) {
  const std::string zeros(9999, '0');
  EXPECT_EQ(read_as<std::int64_t>("7" + zeros + "e-9999"), "7");
  EXPECT_EQ(read_as<std::int64_t>("7" + zeros + "e-10000"), "not_integer");
  EXPECT_EQ(read_as<std::int64_t>("7" + zeros), "out_of_range");
  EXPECT_EQ(read_as<std::int64_t>("0." + zeros + "7e10000"), "7");
  EXPECT_EQ(read_as<std::int64_t>("7." + zeros), "7");
  EXPECT_EQ(read_as<std::int64_t>("7." + zeros + "1"), "not_integer");
  EXPECT_EQ(read_as<std::int64_t>("7." + zeros + "1e10000"), "out_of_range");
  EXPECT_EQ(read_as<std::int64_t>("0." + zeros), "0");
  EXPECT_EQ(read_as<std::int64_t>(std::string(10000, '9')), "out_of_range");
  EXPECT_EQ(read_as<std::int64_t>("1e" + zeros + "2"), "100");
  EXPECT_EQ(read_as<std::int64_t>("1e-" + zeros), "1");
}

// ---- writing floating point

TEST(Number, WritesTheShortestNotation) {
  EXPECT_EQ(written(21.5), "21.5");
  EXPECT_EQ(written(21.5F), "21.5");
  EXPECT_EQ(written(0.1), "0.1");
  EXPECT_EQ(written(0.1F), "0.1");
  EXPECT_EQ(written(-0.30000000000000004), "-0.30000000000000004");
  EXPECT_EQ(written(0.0), "0");
  EXPECT_EQ(written(-0.0), "-0");
  EXPECT_EQ(written(-0.0F), "-0");
  EXPECT_EQ(written(1.0), "1");
  EXPECT_EQ(written(-100.0), "-100");
  EXPECT_EQ(written(1e-6), "0.000001");
  EXPECT_EQ(written(1e-7), "1e-7");
  EXPECT_EQ(written(-1.25e-7), "-1.25e-7");
  EXPECT_EQ(written(1e20), "100000000000000000000");
  EXPECT_EQ(written(1e21), "1e+21");
  EXPECT_EQ(written(123456789012345680000.0), "123456789012345680000");
  EXPECT_EQ(written(1234567890123456800000.0), "1.2345678901234568e+21");
  EXPECT_EQ(written(1.5e300), "1.5e+300");
  EXPECT_EQ(written(9007199254740993.0), "9007199254740992");
  EXPECT_EQ(written(9007199254740991.0), "9007199254740991");
  EXPECT_EQ(written(2e23), "2e+23");
  EXPECT_EQ(written(5e-324), "5e-324");
  EXPECT_EQ(written(1.7976931348623157e308), "1.7976931348623157e+308");
  EXPECT_EQ(written(2.2250738585072014e-308), "2.2250738585072014e-308");
  EXPECT_EQ(written(3.4028235e38F), "3.4028235e+38");
  EXPECT_EQ(written(1e-45F), "1e-45");
  EXPECT_EQ(written(16777216.0F), "16777216");
  EXPECT_EQ(written(8388608.5F), "8388608");
}

TEST(Number, LongestNumbersHaveTheirMaximumSize) {
  EXPECT_EQ(written(-1.2345678901234567e-6).size(), max_double_chars);
  EXPECT_EQ(written(-1.2345678e20F).size(), max_float_chars);
  EXPECT_EQ(written(std::int64_t{INT64_MIN}).size(), max_integer_chars);
}

TEST(Number, PowersOfTwoAndTheirNeighboursRoundTrip) {
  for (std::uint64_t field = 0; field < 2047; ++field) {
    const std::uint64_t power = field << 52;
    for (const std::uint64_t bits :
         {power, power + 1, power + 2, power + (std::uint64_t{1} << 51), power - 1, power - 2}) {
      round_trips_bits<double>(bits);
    }
  }
  for (int bit = 0; bit < 52; ++bit) round_trips_bits<double>(std::uint64_t{1} << bit);
  for (std::uint32_t field = 0; field < 255; ++field) {
    const std::uint32_t power = field << 23;
    for (const std::uint32_t bits : {power, power + 1, power + 2, power + (1U << 22), power - 1, power - 2}) {
      round_trips_bits<float>(bits);
    }
  }
  for (int bit = 0; bit < 23; ++bit) round_trips_bits<float>(1U << bit);
}

TEST(Number, PowersOfTenAndTheirNeighboursRoundTrip) {
  for (int exponent = -323; exponent <= 308; ++exponent) {
    for (const char* digits : {"1", "2", "5", "9", "9.5", "9.999999999999999"}) {
      const std::uint64_t bits = bits_of(libc_read<double>(digits + ("e" + std::to_string(exponent))));
      for (const std::uint64_t near : {bits - 1, bits, bits + 1}) round_trips_bits<double>(near);
    }
  }
  for (int exponent = -45; exponent <= 38; ++exponent) {
    const std::uint32_t bits = bits_of(libc_read<float>("1e" + std::to_string(exponent)));
    for (const std::uint32_t near : {bits - 1, bits, bits + 1}) round_trips_bits<float>(near);
  }
}

TEST(Number, SampleOfAllFloatsRoundTrips) {
  constexpr std::uint32_t stride = 47'639 / thoroughness;
  for (std::uint64_t bits = 0; bits <= UINT32_MAX; bits += stride) {
    if (!round_trips_bits<float>(static_cast<std::uint32_t>(bits))) break;
  }
}

// Half an hour: --gtest_also_run_disabled_tests.
TEST(Number, DISABLED_AllFloatsRoundTrip) {
  for (std::uint64_t bits = 0; bits <= UINT32_MAX; ++bits) {
    if (!round_trips_bits<float>(static_cast<std::uint32_t>(bits))) break;
  }
}

TEST(Number, RandomDoublesRoundTrip) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 40'000 * thoroughness; ++i) {
    if (!round_trips_bits<double>(random())) break;
  }
}

TEST(Number, RandomDoublesOfOrdinaryMagnitudeRoundTrip) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 10'000 * thoroughness; ++i) {
    const auto hundredths = static_cast<std::int64_t>(random() >> (40 + i % 20));
    if (!round_trips(static_cast<double>(hundredths) / 100)) break;
    if (!round_trips(static_cast<float>(hundredths) / 1000)) break;
    if (!round_trips(static_cast<double>(random() >> (i % 64)))) break;
  }
}

// Doubles whose scaled value, or a midpoint beside them, comes closest to an integer (2^-65), from the continued
// fractions of 2^e / 10^k. Inexact arithmetic fails on these.
TEST(Number, WritesTheHardestDoubles) {
  for (const std::uint64_t bits :
       {0x6cbf92bacb3cb40cU, 0x4d63de005bd620dfU, 0x4d73de005bd620dfU, 0x0d07c0747bd76fa1U, 0x4d83de005bd620dfU,
        0x0d17c0747bd76fa1U, 0x4d53de005bd620dfU, 0x494ec55666d8f9ecU, 0x494ec55666d8f9edU, 0x15e7f399fe02c4b9U,
        0x15e7f399fe02c4baU, 0x67c43e72fcd3aeb2U}) {
    for (std::uint64_t near = bits - 2; near <= bits + 2; ++near) round_trips_bits<double>(near);
  }
}

// ---- reading floating point

TEST(Number, ReadsFloatingPoint) {
  EXPECT_EQ(read_as<double>("21.5"), as_read(21.5));
  EXPECT_EQ(read_as<float>("21.5"), as_read(21.5F));
  EXPECT_EQ(read_as<double>("-0"), as_read(-0.0));
  EXPECT_EQ(read_as<float>("-0.0e5"), as_read(-0.0F));
  EXPECT_EQ(read_as<double>("0e999999999"), as_read(0.0));
  EXPECT_EQ(read_as<double>("1e-99999999"), as_read(0.0));
  EXPECT_EQ(read_as<double>("-1e-999999999999999999999"), as_read(-0.0));
  EXPECT_EQ(read_as<double>("1e999999999999"), "out_of_range");
  EXPECT_EQ(read_as<float>("-1e39"), "out_of_range");
  EXPECT_EQ(read_as<double>("9007199254740993"), as_read(9007199254740992.0));
  EXPECT_EQ(read_as<double>("9007199254740993.0000000000000000000000000000000000001"), as_read(9007199254740994.0));
  EXPECT_EQ(read_as<double>("9007199254740995"), as_read(9007199254740996.0));
  EXPECT_EQ(read_as<double>("1.7976931348623158e308"), as_read(std::numeric_limits<double>::max()));
  EXPECT_EQ(read_as<double>("1.7976931348623159e308"), "out_of_range");
  EXPECT_EQ(read_as<double>("2.4703282292062327e-324"), as_read(0.0));
  EXPECT_EQ(read_as<double>("2.4703282292062328e-324"), as_read(std::numeric_limits<double>::denorm_min()));
  EXPECT_EQ(read_as<double>("2.2250738585072011e-308"), as_read(std::bit_cast<double>(0x000FFFFFFFFFFFFFULL)));
  EXPECT_EQ(read_as<double>("2.2250738585072012e-308"), as_read(std::numeric_limits<double>::min()));
  EXPECT_EQ(read_as<float>("3.4028235677973367e38"), "out_of_range");
  EXPECT_EQ(read_as<float>("3.4028235677973366e38"), as_read(std::numeric_limits<float>::max()));
  EXPECT_EQ(read_as<float>("7.006492321624085e-46"), as_read(0.0F));
  EXPECT_EQ(read_as<float>("7.006492321624086e-46"), as_read(std::numeric_limits<float>::denorm_min()));
  // A double on the way would make a tie of this, and a float of that 16777216.
  EXPECT_EQ(read_as<float>("16777217.0000000001"), as_read(16777218.0F));
}

TEST(Number, ReadsPowersOfTenInAnyRange) {
  for (int exponent = -420; exponent <= 420; ++exponent) {
    for (const std::string digits :
         {"1", "-3", "9.999999999999999999", "18446744073709551615", "18446744073709551615.5", "184467440737095516159",
          "123456789012345678901234567890123456789", "0.000000000000000000000000000001"}) {
      reads_like_libc<double>(digits + "e" + std::to_string(exponent));
      reads_like_libc<float>(digits + "e" + std::to_string(exponent));
    }
  }
}

TEST(Number, ReadsRandomTokens) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 12'000 * thoroughness; ++i) {
    std::string digits;
    for (std::uint64_t left = 1 + random() % 40; left > 0; --left) digits += static_cast<char>('0' + random() % 10);
    if (digits[0] == '0') digits.insert(1, ".");
    if (digits.back() == '.') digits += '0';
    const int exponent = static_cast<int>(random() % 720) - 380;
    const bool narrow = i % 2 == 0;  // values that a float can hold
    const std::string token = digits + "e" + std::to_string(narrow ? exponent / 8 : exponent);
    if (!reads_like_libc<double>(token) || !reads_like_libc<float>(token)) break;
  }
}

// 64-bit digits whose product with a power of ten comes closest to a midpoint (2^-124 of it), from continued fractions.
TEST(Number, ReadsTheHardestDigits) {
  for (const char* token :
       {"16525611975952477901e55", "7120190517612959703e120", "14240381035225919406e120", "17967474373362407223e37",
        "7015330170006592562e-73", "14030660340013185124e-73", "17538325425016481405e-74", "6802601037806061975e198",
        "8707329328391759328e200", "9523641452928486765e198", "10884161660489699160e199", "13605202075612123950e198",
        "15237826324685578824e199", "17414658656783518656e200"}) {
    reads_like_libc<double>(token);
  }
}

TEST(Number, RoundsMidpointsBetweenDoubles) {
  constexpr std::uint64_t one_ulp = 1;
  const std::uint64_t stride = thoroughness > 1 ? 7 : 61;
  for (std::uint64_t field = 0; field < 2047; field += field < 4 ? 1 : stride) {
    const std::uint64_t power = field << 52;
    for (const std::uint64_t bits : {power, power + one_ulp, power + 0x5555555555555, power + 0x0123456789ABC,
                                     power + 0x8000000000000, power + 0xFFFFFFFFFFFFE, power + 0xFFFFFFFFFFFFF}) {
      check_midpoint_above<double>(bits);
    }
  }
  // Around the point: values with an integer part and a fraction.
  for (std::uint64_t field = 1015; field < 1080; ++field) check_midpoint_above<double>((field << 52) + 0xFEDCBA9876543);
}

TEST(Number, RoundsMidpointsBetweenFloats) {
  for (std::uint32_t field = 0; field<255; field += thoroughness> 1 ? 1 : 6) {
    const std::uint32_t power = field << 23;
    for (const std::uint32_t bits : {power, power + 1, power + 0x2AAAAA, power + 0x7FFFFE, power + 0x7FFFFF}) {
      check_midpoint_above<float>(bits);
    }
  }
}

TEST(Number, RoundsMidpointsAtTheLargestAndSmallestValues) {
  check_midpoint_above<double>(bits_of(std::numeric_limits<double>::max()));  // above it is infinity: out of range
  check_midpoint_above<double>(0);
  check_midpoint_above<float>(bits_of(std::numeric_limits<float>::max()));
  check_midpoint_above<float>(0);
}

TEST(Number, ReadsTokensOfTenThousandDigits) {
  const std::string zeros(9999, '0');
  EXPECT_EQ(read_as<double>("1" + zeros + "e-9999"), as_read(1.0));
  EXPECT_EQ(read_as<double>("1" + zeros + "1e-10000"), as_read(1.0));
  EXPECT_EQ(read_as<double>("-0." + zeros + "1e10000"), as_read(-1.0));
  EXPECT_EQ(read_as<float>("0." + zeros + "123456789012345678901234567890e9999"), as_read(0.123456789F));
  EXPECT_EQ(read_as<double>("0." + zeros), as_read(0.0));
  EXPECT_EQ(read_as<double>("0." + zeros + "1"), as_read(0.0));
  EXPECT_EQ(read_as<double>("1" + zeros), "out_of_range");
  EXPECT_EQ(read_as<double>("0." + std::string(1'000'000, '0') + "1e1000001"), as_read(1.0));
  EXPECT_EQ(read_as<double>("1e" + zeros + "1"), as_read(10.0));

  const Exact midpoint{"9007199254740993", 0};
  EXPECT_EQ(read_as<double>("9007199254740993." + zeros), as_read(9007199254740992.0));
  EXPECT_EQ(read_as<double>("9007199254740993." + zeros + "1"), as_read(9007199254740994.0));
  EXPECT_EQ(read_as<double>(token_of(a_little_less(midpoint, 9999))), as_read(9007199254740992.0));
  EXPECT_EQ(read_as<double>(token_behind_zeros(a_little_more(midpoint, 9999), 9999)), as_read(9007199254740994.0));

  std::mt19937_64 random(5);
  for (int exponent = -10'400; exponent <= -9'600; exponent += 50) {
    std::string digits;
    while (digits.size() < 10'000) digits += static_cast<char>('1' + random() % 9);
    reads_like_libc<double>(digits + "e" + std::to_string(exponent));
    reads_like_libc<float>(digits + "e" + std::to_string(exponent));
  }
}

}  // namespace
}  // namespace mcp::json
