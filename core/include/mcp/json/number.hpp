// SPDX-License-Identifier: Apache-2.0
/// @file
/// Converts JSON numbers to and from binary, exactly, and without libc, heap, tables or floating-point arithmetic.
/// The reader checks the grammar of a number before it calls these functions.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mcp::json {

/// The outcome of Value::number().
enum class NumberStatus : std::uint8_t {
  ok,            ///< The value was written.
  not_integer,   ///< The type is an integer and the value has a fraction (1.5, 1e-1). 1.0 and 10e-1 are integers.
  out_of_range,  ///< The value does not fit the type. As a float or double, it would round to infinity.
};

/// @cond server
/// The largest number of bytes that write_number() writes.
inline constexpr std::size_t max_integer_chars = 20;  // -9223372036854775808, 18446744073709551615
inline constexpr std::size_t max_double_chars = 25;   // -0.0000012345678901234567
inline constexpr std::size_t max_float_chars = 22;    // -340282350000000000000

/// Converts one number of the JSON grammar (`-?int frac? exp?`, nothing before or after it). Floating point is rounded
/// to nearest, ties to even. A value that is too small becomes a subnormal or a zero of the same sign.
/// Limits: the token has at most 10^8 bytes. The time is linear in its length. The stack is at most 150 bytes for
/// integers, and 450 for floating point.
/// Errors: `value` is written only on `ok`. A value with a fraction is `not_integer`, also if it is out of range.
/// Context: any. Source: RFC 8259 section 6; IEEE 754-2019 sections 4.3.1 and 5.12.
[[nodiscard]] NumberStatus read_number(const std::string_view& token, std::int64_t& value);
[[nodiscard]] NumberStatus read_number(const std::string_view& token, std::uint64_t& value);
[[nodiscard]] NumberStatus read_number(const std::string_view& token, double& value);
[[nodiscard]] NumberStatus read_number(const std::string_view& token, float& value);

/// Writes the value at `at`, without NUL, and returns the end. Floating point is written as the shortest decimal that
/// reads back as the same bits. If there are several, the closest one is written. If the exponent of its first digit is
/// in [-6, 20], the notation is plain, else `d.ddde±x`, as in ECMAScript: 21.5, 1, 0.000001, 1e-7, 1.5e+300. Negative
/// zero is `-0`.
/// Ownership: `at` belongs to the caller, and has space for the maximum above. Limits: at most 200 bytes of stack.
/// Errors: do not pass NaN or infinity; the result is then an arbitrary number. Context: any.
/// Source: ECMA-262, Number::toString, section 6.1.6.1.20.
char* write_number(char* at, std::int64_t value);
char* write_number(char* at, std::uint64_t value);
char* write_number(char* at, double value);
char* write_number(char* at, float value);
/// @endcond

}  // namespace mcp::json

#include <mcp/detail/epilogue.hpp>
