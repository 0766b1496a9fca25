// SPDX-License-Identifier: Apache-2.0
// The numbers in the tables of an application. A table stores them without a conversion. At compile time, they are
// compared with the type of the member that they belong to.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "mcp/json/number_text.hpp"
#include "mcp/json/scale.hpp"

namespace mcp {

namespace compile_error {
void a_bound_or_default_value_must_be_in_the_range_of_its_type();
void a_bound_or_default_value_must_be_finite();
void a_bound_or_default_value_of_an_integer_must_not_have_a_fraction();
void a_bound_or_default_value_must_not_have_more_digits_than_its_type_holds();
void a_bool_of_a_table_must_be_true_or_false();
void the_size_of_a_resource_must_be_0_to_4294967295_bytes();
}  // namespace compile_error

namespace detail {

/// A number of any arithmetic type except bool and long double, or no number. A number converts implicitly:
/// `.minimum = -40`. Errors: as<T>() does not compile if the conversion would change the value.
class ExactNumber {
 public:
  constexpr ExactNumber() = default;
  template <class T>
  requires((std::integral<T> && !std::same_as<T, bool>) || std::same_as<T, float> ||
           std::same_as<T, double>) constexpr ExactNumber(T value)
      : given_(true) {  // NOLINT(google-explicit-constructor)
    if constexpr (std::floating_point<T>) {
      is_floating_ = true;
      floating_ = static_cast<double>(value);
    } else {
      negative_ = value < 0;
      magnitude_ = negative_ ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    }
  }
  /// The value of an unscoped enumerator, as in `enum { most = 100 };`.
  template <class E>
  requires(std::is_enum_v<E>&& std::is_convertible_v<E, int>) constexpr ExactNumber(
      E value)  // NOLINT(google-explicit-constructor)
      : ExactNumber(static_cast<std::underlying_type_t<E>>(value)) {}

  [[nodiscard]] constexpr bool given() const { return given_; }

  /// Returns the number as a T.
  template <class T>
  [[nodiscard]] constexpr T as() const {
    if constexpr (std::floating_point<T>) {
      return as_floating<T>();
    } else {
      return as_integer<T>();
    }
  }

 private:
  // `negative` and a magnitude hold every integer of up to 64 bits.
  template <class T>
  [[nodiscard]] constexpr T as_integer() const {
    bool negative = negative_;
    std::uint64_t magnitude = magnitude_;
    if (is_floating_) {
      check_finite();
      negative = floating_ < 0;
      const double size = negative ? -floating_ : floating_;
      if (size >= 0x1p64) compile_error::a_bound_or_default_value_must_be_in_the_range_of_its_type();
      magnitude = static_cast<std::uint64_t>(size);
      if (static_cast<double>(magnitude) != size)
        compile_error::a_bound_or_default_value_of_an_integer_must_not_have_a_fraction();
    }
    // The lowest value of a signed T is one further from zero than the highest.
    const auto most = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    const std::uint64_t least = std::signed_integral<T> ? most + 1 : 0;
    if (magnitude > (negative ? least : most))
      compile_error::a_bound_or_default_value_must_be_in_the_range_of_its_type();
    return static_cast<T>(negative ? 0 - magnitude : magnitude);
  }

  template <class T>
  [[nodiscard]] constexpr T as_floating() const;

  constexpr void check_finite() const {
    constexpr double most = std::numeric_limits<double>::max();
    if (!(floating_ >= -most && floating_ <= most)) compile_error::a_bound_or_default_value_must_be_finite();
  }

  double floating_ = 0;
  std::uint64_t magnitude_ = 0;
  bool given_ = false;
  bool is_floating_ = false;
  bool negative_ = false;
};

/// A boolean, or no value. A string or a number does not compile, because it would become true.
class ExactBool {
 public:
  constexpr ExactBool() = default;
  template <class T>
  consteval ExactBool(const T& value) : given_(true) {  // NOLINT(google-explicit-constructor)
    check(std::same_as<T, bool>);
    if constexpr (std::same_as<T, bool>) value_ = value;
  }
  constexpr explicit operator bool() const { return given_; }
  constexpr bool operator*() const { return value_; }

 private:
  static consteval void check(bool is_bool) {
    if (!is_bool) compile_error::a_bool_of_a_table_must_be_true_or_false();
  }

  bool given_ = false;
  bool value_ = false;
};

/// A number of bytes below 2^32, or no number.
class ExactSize {
 public:
  constexpr ExactSize() = default;
  template <std::integral T>
  consteval ExactSize(T value)  // NOLINT(google-explicit-constructor)
      : value_(static_cast<std::uint32_t>(value)), given_(true) {
    if (value < 0 || static_cast<std::uint64_t>(value) > std::numeric_limits<std::uint32_t>::max()) {
      compile_error::the_size_of_a_resource_must_be_0_to_4294967295_bytes();
    }
  }
  constexpr explicit operator bool() const { return given_; }
  constexpr std::uint32_t operator*() const { return value_; }

 private:
  std::uint32_t value_ = 0;
  bool given_ = false;
};

/// Returns the double that a client reads from the text of a float: 0.1 for 0.1F, which is 0.100000001490116.
constexpr double as_written(float value) {
  constexpr int extra = 9;  // bits after the last one, for rounding
  constexpr json::FloatFormat format = json::binary64;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (bits << 1 == 0) return static_cast<double>(value);
  const auto [digits, decimal] =
      json::number_text::shortest(static_cast<int>(bits >> 23 & 0xFF), bits << 9 >> 9, json::binary32);
  const int first_bit = 63 - std::countl_zero(digits) + (decimal * 217706 >> 16);  // or one less: log2(10)
  int exponent = first_bit - format.precision + 1;
  std::uint64_t scaled = json::scale(digits, extra - exponent, decimal);
  if (scaled >> (format.precision + extra) != 0) {
    scaled = scaled >> 1 | (scaled & 1);
    ++exponent;
  }
  // Rounds to the nearest, and a tie to even. Each float is a normal double.
  std::uint64_t mantissa = scaled >> extra;
  const std::uint64_t rest = scaled & ((1u << extra) - 1);
  constexpr std::uint64_t half = 1u << (extra - 1);
  if (rest > half || (rest == half && (mantissa & 1) != 0)) ++mantissa;
  const auto field = static_cast<std::uint64_t>(exponent - format.min_exponent);
  return std::bit_cast<double>(std::uint64_t{bits >> 31} << 63 | ((field << 52) + mantissa));
}

template <class T>
constexpr T ExactNumber::as_floating() const {
  double value = floating_;
  if (is_floating_) {
    check_finite();
  } else {
    const auto size = static_cast<double>(magnitude_);
    value = negative_ ? -size : size;
    const bool is_exact = size < 0x1p64 && static_cast<std::uint64_t>(size) == magnitude_;
    if (!is_exact) compile_error::a_bound_or_default_value_must_not_have_more_digits_than_its_type_holds();
  }
  if constexpr (std::same_as<T, double>) {
    return value;
  } else {
    // The text of a float means that float, although the text of the greatest float is slightly above its value.
    constexpr float most = std::numeric_limits<float>::max();
    if (value == as_written(most)) return most;
    if (value == -as_written(most)) return -most;
    const double size = value < 0 ? -value : value;
    if (size > static_cast<double>(most)) compile_error::a_bound_or_default_value_must_be_in_the_range_of_its_type();
    const auto result = static_cast<float>(value);
    if (static_cast<double>(result) != value && as_written(result) != value) {
      compile_error::a_bound_or_default_value_must_not_have_more_digits_than_its_type_holds();
    }
    return result;
  }
}

}  // namespace detail

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
