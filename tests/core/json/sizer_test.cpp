// SPDX-License-Identifier: Apache-2.0
// The writer that counts at compile time, against the writer that writes.
#include "mcp/json/sizer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "mcp/json/writer.hpp"

namespace mcp::json {
namespace {

using namespace std::string_view_literals;

// The size that Sizer counts and the size that Writer writes for the same calls.
struct Sizes {
  std::size_t counted;
  std::size_t written;
};

template <class Calls>
Sizes sizes(Calls calls) {
  std::array<char, 4096> transmit_buffer;
  Writer out(transmit_buffer);
  calls(out);
  EXPECT_TRUE(out.ok());
  Sizer sizer;
  calls(sizer);
  return {sizer.size(), out.size()};
}

template <class Calls>
void expect_same(Calls calls) {
  const auto [counted, written] = sizes(calls);
  EXPECT_EQ(counted, written);
}

TEST(Sizer, CountsEveryNesting) {
  expect_same([](auto&) {});
  expect_same([](auto& out) { out.object_begin(), out.object_end(); });
  expect_same([](auto& out) { out.array_begin(), out.array_end(); });
  expect_same([](auto& out) {
    out.array_begin(), out.array_begin(), out.array_end(), out.object_begin(), out.object_end(), out.string("a");
    out.boolean(true), out.boolean(false), out.string(""), out.raw("[1,2]"), out.array_end();
  });
  expect_same([](auto& out) {
    out.object_begin(), out.key("a"), out.object_begin(), out.member("b", "c"sv), out.member("d", true),
        out.object_end();
    out.member("e", false), out.key("f"), out.array_begin(), out.string("g"), out.string("h"), out.array_end();
    out.key("i"), out.raw("null"), out.object_end();
  });
}

// A pointer becomes a bool more readily than a Text.
TEST(Sizer, CountsACStringAsAString) {
  const char* const c_string = "c string";
  expect_same([&](auto& out) { out.object_begin(), out.member("a", c_string), out.object_end(); });
}

TEST(Sizer, CountsTheCommasOfFragments) {
  expect_same([](auto& out) {
    out.fragment("{"), out.fragment("\"a\":"), out.string("b"), out.fragment("\"c\":1"), out.fragment("}");
  });
  expect_same([](auto& out) {
    out.fragment("["), out.fragment("{}"), out.fragment("[]"), out.string("a"), out.fragment("["), out.boolean(true),
        out.fragment("]");
    out.fragment("{"), out.member("a", "b"sv), out.fragment("}"), out.fragment("1"), out.fragment("]");
  });
  expect_same([](auto& out) {
    out.array_begin(), out.fragment("{\"a\":["), out.raw("1"), out.raw("2"), out.fragment("]}"), out.array_end();
  });
}

TEST(Sizer, CountsTheEscapesOfEveryCharacter) {
  for (int byte = 0; byte < 0x80; ++byte) {
    const char c = static_cast<char>(byte);
    expect_same([&](auto& out) { out.array_begin(), out.string(std::string_view(&c, 1)), out.array_end(); });
    expect_same(
        [&](auto& out) { out.object_begin(), out.key(std::string_view(&c, 1)), out.boolean(true), out.object_end(); });
  }
  expect_same([](auto& out) { out.string("\"\\/\b\f\n\r\t\x01\x7F \xC3\xA9\xE2\x82\xAC\xF0\x9D\x84\x9E"); });
}

TEST(Sizer, CountsTheReplacementsOfBytesThatAreNotUtf8) {
  for (const std::string_view text :
       {"\xFF", "a\x80z", "\xC3", "\xE2\x82", "\xED\xA0\x80", "\xF4\x90\x80\x80", "caf\xE9 au lait"}) {
    expect_same([&](auto& out) { out.string(text); });
  }
}

TEST(Sizer, CountsTheDigitsOfNumbers) {
  const auto check = [](auto value) {
    SCOPED_TRACE(value);
    expect_same([&](auto& out) {
      out.object_begin(), out.member("a", value), out.member("b", "c"sv), out.key("d"), out.array_begin(),
          out.number(value), out.number(value), out.array_end(), out.object_end();
    });
  };
  for (const double value : {0.0, -0.0, 1.5, -5e-324, 1e-6, 1e-7, 1e20, 1e21, -40.0, std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::lowest(), -std::numeric_limits<double>::min(),
                             -0.0000012345678901234567, -123456789012345680000.0}) {
    check(value);
    check(static_cast<float>(std::clamp(value, -3e38, 3e38)));
  }
  for (const std::int64_t value : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}, std::int64_t{0},
                                   std::int64_t{10}, std::numeric_limits<std::int64_t>::max()}) {
    check(value);
  }
  check(std::numeric_limits<std::uint64_t>::max());
  check(std::numeric_limits<std::int32_t>::min());
  check(std::numeric_limits<std::uint32_t>::max());
  check(std::uint16_t{65535});
}

TEST(Sizer, CountsTheDigitsOfScaledNumbers) {
  for (const Scaled value : {Scaled{0, 0}, Scaled{0, 9}, Scaled{21500, 3}, Scaled{-5, 1}, Scaled{-1, 9},
                             Scaled{std::numeric_limits<std::int32_t>::min(), 9}, Scaled{7, 12}}) {
    expect_same([&](auto& out) { out.object_begin(), out.member("a", value), out.object_end(); });
  }
}

TEST(Sizer, CountsRawJsonWithoutItsLineBreaks) {
  expect_same([](auto& out) { out.array_begin(), out.raw("{\n}"), out.raw("[\r\n1]"), out.array_end(); });
}

// At compile time, where it is for.
constexpr std::size_t counted() {
  Sizer out;
  out.object_begin(), out.member("a", "\n"sv), out.key("b"), out.array_begin(), out.fragment("1"), out.boolean(true),
      out.number(-0.1), out.array_end();
  out.object_end();
  return out.size();
}
static_assert(counted() == R"({"a":"\n","b":[1,true,-0.1]})"sv.size());

}  // namespace
}  // namespace mcp::json
