// Numbers of JSON text to and from binary: exact, without libc, heap, tables or floating-point arithmetic.
// Knows digits only; the grammar of a number is checked by the reader before a token comes here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mcp::json {

/// How the conversion of a number token ended.
enum class NumberStatus : std::uint8_t {
  ok,
  not_integer,   ///< An integer was asked for and the value has a fraction (1.5, 1e-1). 1.0 and 10e-1 are integers.
  out_of_range,  ///< The value does not fit the type asked for; for float and double: it would round to infinity.
};

/// Longest texts the writers below produce, in bytes.
inline constexpr std::size_t max_integer_chars = 20;  // -9223372036854775808, 18446744073709551615
inline constexpr std::size_t max_double_chars = 24;   // -1.2345678901234567e-308
inline constexpr std::size_t max_float_chars = 16;

/// Each converts one number token of the JSON grammar (`-?int frac? exp?`, nothing before or after it), of any length, in
/// time linear in its length. `value` is written only on `ok`. Floating point is rounded to nearest, ties to even;
/// what is too small becomes a subnormal or a zero of the same sign.
[[nodiscard]] NumberStatus read_number(std::string_view token, std::int64_t& value);
[[nodiscard]] NumberStatus read_number(std::string_view token, std::uint64_t& value);
[[nodiscard]] NumberStatus read_number(std::string_view token, double& value);
[[nodiscard]] NumberStatus read_number(std::string_view token, float& value);

/// Each writes the value at `at` (room for the maximum above, owned by the caller, no NUL) and returns the end.
/// Floating point: the shortest decimal that reads back as the same bits; of several the closest to the value.
/// Plain notation while the exponent is in [-7, 21), else `d.ddde±x`, as ECMAScript's Number::toString prints them (so
/// 21.5, 1, 1e-7, 1.5e+300); negative zero is `-0`. Must be finite: JSON has no word for the rest.
char* write_number(char* at, std::int64_t value);
char* write_number(char* at, std::uint64_t value);
char* write_number(char* at, double value);
char* write_number(char* at, float value);

}  // namespace mcp::json
