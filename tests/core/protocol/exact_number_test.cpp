// SPDX-License-Identifier: Apache-2.0
// Reads numbers of tables exactly and checks them against a type. tests/compile_fail has the rejected ones.
#include "mcp/detail/exact_number.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>

#include "mcp/json/number.hpp"
#include "schema/codecs.hpp"

// A number that the compiler would reject ends the program at run time.
namespace mcp::compile_error {
namespace {
void refuse(const char* why) {
  std::fputs(why, stderr);
  std::abort();
}
}  // namespace
void a_bound_or_default_value_must_be_in_the_range_of_its_type() { refuse("outside"); }
void a_bound_or_default_value_must_be_finite() { refuse("not finite"); }
void a_bound_or_default_value_of_an_integer_must_not_have_a_fraction() { refuse("fraction"); }
void a_bound_or_default_value_must_not_have_more_digits_than_its_type_holds() { refuse("digits"); }
}  // namespace mcp::compile_error

namespace {

using mcp::detail::as_written;
using mcp::detail::ExactNumber;
using mcp::detail::narrow;

enum { most_percent = 100 };

// The limits of a type, written in any other.
static_assert(ExactNumber(-128).as<std::int8_t>() == -128 && ExactNumber(127.0F).as<std::int8_t>() == 127);
static_assert(ExactNumber(255U).as<std::uint8_t>() == 255 && ExactNumber(0.0).as<std::uint8_t>() == 0);
static_assert(ExactNumber(-0x1p63).as<std::int64_t>() == std::numeric_limits<std::int64_t>::min());
static_assert(ExactNumber(std::numeric_limits<std::int64_t>::min()).as<double>() == -0x1p63);
static_assert(ExactNumber(std::numeric_limits<std::uint64_t>::max()).as<std::uint64_t>() == 0xFFFFFFFFFFFFFFFF);
static_assert(ExactNumber(1e3).as<int>() == 1000 && ExactNumber(most_percent).as<float>() == 100.0F);
static_assert(ExactNumber('a').as<std::uint8_t>() == 97 && ExactNumber(-0.0).as<unsigned>() == 0);
// A float, as itself and as its text.
static_assert(ExactNumber(0.1).as<float>() == 0.1F && ExactNumber(0.1F).as<float>() == 0.1F);
static_assert(ExactNumber(0.1F).as<double>() == static_cast<double>(0.1F));
static_assert(ExactNumber(3.4028235e38).as<float>() == std::numeric_limits<float>::max());
static_assert(ExactNumber(std::numeric_limits<float>::max()).as<float>() == std::numeric_limits<float>::max());
static_assert(ExactNumber(-3.4028235e38).as<float>() == std::numeric_limits<float>::lowest());
static_assert(ExactNumber(1e-45).as<float>() == std::numeric_limits<float>::denorm_min());
static_assert(ExactNumber(16'777'216).as<float>() == 0x1p24F);
static_assert(!ExactNumber().given() && ExactNumber(0).given());

TEST(ExactNumber, IsGivenOnlyWhenSet) {
  EXPECT_FALSE(ExactNumber().given());
  EXPECT_TRUE(ExactNumber(0).given());
}

// The limits of a type, written in any other; the same when the program runs as when it is compiled.
TEST(ExactNumber, ConvertsToTheExactValueOfItsType) {
  using std::numeric_limits;
  EXPECT_EQ(ExactNumber(-128).as<std::int8_t>(), -128);
  EXPECT_EQ(ExactNumber(127.0F).as<std::int8_t>(), 127);
  EXPECT_EQ(ExactNumber(-0x1p63).as<std::int64_t>(), numeric_limits<std::int64_t>::min());
  EXPECT_EQ(ExactNumber(numeric_limits<std::uint64_t>::max()).as<std::uint64_t>(), 0xFFFF'FFFF'FFFF'FFFF);
  EXPECT_EQ(ExactNumber(numeric_limits<std::int64_t>::min()).as<double>(), -0x1p63);
  EXPECT_EQ(ExactNumber(0x1p53).as<double>(), 0x1p53);
  EXPECT_EQ(ExactNumber(16'777'216).as<float>(), 0x1p24F);
  EXPECT_EQ(ExactNumber(0.1).as<float>(), 0.1F);
  EXPECT_EQ(ExactNumber(-0.5).as<float>(), -0.5F);
  EXPECT_EQ(ExactNumber(3.4028235e38).as<float>(), numeric_limits<float>::max());
  EXPECT_EQ(ExactNumber(-3.4028235e38).as<float>(), numeric_limits<float>::lowest());
}

TEST(ExactNumberDeathTest, AbortsForAValueOutsideOfItsType) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_DEATH(static_cast<void>(ExactNumber(128).as<std::int8_t>()), "outside");
  EXPECT_DEATH(static_cast<void>(ExactNumber(-129).as<std::int8_t>()), "outside");
  EXPECT_DEATH(static_cast<void>(ExactNumber(-1).as<unsigned>()), "outside");
  EXPECT_DEATH(static_cast<void>(ExactNumber(0x1p64).as<std::uint64_t>()), "outside");
  EXPECT_DEATH(static_cast<void>(ExactNumber(0.5).as<int>()), "fraction");
  EXPECT_DEATH(static_cast<void>(ExactNumber(-infinity).as<int>()), "not finite");
  EXPECT_DEATH(static_cast<void>(ExactNumber(infinity).as<double>()), "not finite");
  EXPECT_DEATH(static_cast<void>(ExactNumber(0xFFFF'FFFF'FFFF'FFFFU).as<double>()), "digits");
  EXPECT_DEATH(static_cast<void>(ExactNumber((std::int64_t{1} << 53) + 1).as<double>()), "digits");
  EXPECT_DEATH(static_cast<void>(ExactNumber(3.5e38).as<float>()), "outside");
  EXPECT_DEATH(static_cast<void>(ExactNumber(0.12345678901).as<float>()), "digits");
}

// A zero has no digits, and keeps its sign.
TEST(ExactNumber, WritesZeroWithItsSign) {
  for (const float zero : {0.0F, -0.0F}) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(as_written(zero)), std::bit_cast<std::uint64_t>(static_cast<double>(zero)));
  }
}

// The C library reads the text that the device writes.
TEST(ExactNumber, WritesTheDoubleThatTheDeviceCompares) {
  std::mt19937 random(1);
  for (int i = 0; i < 300'000; ++i) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(value)) continue;
    char text[mcp::json::max_float_chars + 1] = {};
    mcp::json::write_number(text, value);
    const double read = std::strtod(text, nullptr);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(as_written(value)), std::bit_cast<std::uint64_t>(read)) << text;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(narrow(read)), std::bit_cast<std::uint32_t>(value)) << text;
  }
}

// The conversion of the processor, near every midpoint between two floats and everywhere.
TEST(ExactNumber, ConvertsDoublesToTheNearestFloat) {
  const auto expect_nearest = [](double value) {
    if (!(std::abs(value) <= as_written(std::numeric_limits<float>::max()))) return;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(narrow(value)), std::bit_cast<std::uint32_t>(static_cast<float>(value)))
        << value;
  };
  std::mt19937_64 random(1);
  for (int i = 0; i < 300'000; ++i) {
    const std::uint64_t bits = random();
    expect_nearest(std::bit_cast<double>(bits));
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    const auto between = std::bit_cast<std::uint64_t>(static_cast<double>(value)) + (1U << 28);
    for (const std::uint64_t beside : {between - 1, between, between + 1})
      expect_nearest(std::bit_cast<double>(beside));
  }
  for (const double value : {0.0, 5e-324, 1e-300, 0x1p-150, 0x1.8p-150, 0x1p-149, 0x1.fffffep-127, 0x1p-126}) {
    expect_nearest(value);
    expect_nearest(-value);
  }
}

}  // namespace
