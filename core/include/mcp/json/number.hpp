// SPDX-License-Identifier: Apache-2.0
/// @file
/// Converts numbers of JSON to and from binary: exact, without libc, heap, tables or floating-point arithmetic.
/// The reader checks the grammar of a number before it calls these functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mcp::json {

/// The outcome of Value::number().
enum class NumberStatus : std::uint8_t {
  ok,            ///< The value was written.
  not_integer,   ///< An integer was asked for and the value has a fraction (1.5, 1e-1). 1.0 and 10e-1 are integers.
  out_of_range,  ///< The value does not fit the type asked for; for float and double: it would round to infinity.
};

/// @cond server
/// Longest texts the writers below produce, in bytes.
inline constexpr std::size_t max_integer_chars = 20;  // -9223372036854775808, 18446744073709551615
inline constexpr std::size_t max_double_chars = 25;   // -0.0000012345678901234567
inline constexpr std::size_t max_float_chars = 22;    // -340282350000000000000

/// Each converts one number token of the JSON grammar (`-?int frac? exp?`, nothing before or after it), of up to 10^8
/// bytes, in time linear in its length. `value` is written only on `ok`. Floating point is rounded to nearest, ties to
/// even; what is too small becomes a subnormal or a zero of the same sign. A value with a fraction is `not_integer`
/// even where it would be out of range. Any context; up to 150 bytes of stack for integers, 450 for floating point.
/// RFC 8259 section 6; IEEE 754-2019 sections 4.3.1 and 5.12.
[[nodiscard]] NumberStatus read_number(const std::string_view& token, std::int64_t& value);
[[nodiscard]] NumberStatus read_number(const std::string_view& token, std::uint64_t& value);
[[nodiscard]] NumberStatus read_number(const std::string_view& token, double& value);
[[nodiscard]] NumberStatus read_number(const std::string_view& token, float& value);

/// Each writes the value at `at` (room for the maximum above, owned by the caller, no NUL) and returns the end.
/// Floating point: the shortest decimal that reads back as the same bits; of several the closest to the value.
/// Plain notation while the exponent of the first digit is in [-6, 20], else `d.ddde±x`, as ECMAScript prints them (so
/// 21.5, 1, 0.000001, 1e-7, 1.5e+300); negative zero is `-0`. Must be finite: JSON has no word for the rest, and some
/// number comes out. Any context; up to 200 bytes of stack. ECMA-262, Number::toString, section 6.1.6.1.20.
char* write_number(char* at, std::int64_t value);
char* write_number(char* at, std::uint64_t value);
char* write_number(char* at, double value);
char* write_number(char* at, float value);
/// @endcond

}  // namespace mcp::json
