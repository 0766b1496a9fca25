// SPDX-License-Identifier: Apache-2.0
// Patterns and formats of strings: what they accept, and how many steps a hostile text takes.
#include "mcp/pattern.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace {

using mcp::pattern;
using mcp::detail::matches_pattern;
using mcp::detail::PatternCheck;

struct Counter {
  std::size_t steps = 0;
  void step() { ++steps; }
};

std::size_t steps_of(const PatternCheck& check, const std::string& text) {
  Counter counter;
  EXPECT_FALSE(mcp::detail::run_pattern(check, text, counter)) << text.substr(0, 20);
  return counter.steps;
}

// Each would take exponential or quadratic time in an engine that goes back.
TEST(Pattern, TakesLinearTimeForHostileTexts) {
  const PatternCheck* const patterns[] = {&pattern<"^(a+)+$">, &pattern<"^(a|a)*b$">, &pattern<"^(.*)*[0-9]$">,
                                          &pattern<"(a?){30}b">, &pattern<"^(a*)*(a*)*(a*)*x$">};
  for (const PatternCheck* const check : patterns) {
    SCOPED_TRACE(check->text);
    const std::size_t short_steps = steps_of(*check, std::string(1'000, 'a') + "!");
    const std::size_t long_steps = steps_of(*check, std::string(10'000, 'a') + "!");
    EXPECT_LE(long_steps, short_steps * 10);
    EXPECT_LE(long_steps, 10'001U * 2 * 64);
    EXPECT_GE(long_steps, 10'000U);
  }
}

struct Case {
  const PatternCheck* check;
  std::string_view text;
  bool matches;
};

TEST(Pattern, MatchesAsECMA262Does) {
  using namespace std::string_view_literals;
  const Case cases[] = {
      {&pattern<"">, "", true},
      {&pattern<"">, "a", true},
      {&pattern<"^$">, "", true},
      {&pattern<"^$">, "a", false},
      {&pattern<"b">, "abc", true},
      {&pattern<"^b">, "abc", false},
      {&pattern<"^b">, "bc", true},
      {&pattern<"b$">, "ab", true},
      {&pattern<"b$">, "abc", false},
      {&pattern<"^a*">, "b", true},
      {&pattern<"a*$">, "b", true},
      {&pattern<"^a{0}b$">, "b", true},
      {&pattern<"^a{0}b$">, "ab", false},
      {&pattern<"^a{2}$">, "a", false},
      {&pattern<"^a{2}$">, "aa", true},
      {&pattern<"^a{2,}$">, "aaaa", true},
      {&pattern<"^a{0,}$">, "", true},
      {&pattern<"^a{1,2}$">, "aaa", false},
      {&pattern<"^(ab){1,2}$">, "abab", true},
      {&pattern<"^(ab){1,2}$">, "ababab", false},
      {&pattern<"^(?:a|b|)c$">, "c", true},
      {&pattern<"^(?:a|b|)c$">, "bc", true},
      {&pattern<"^(?:a|b|)c$">, "abc", false},
      {&pattern<"a|b">, "xb", true},
      {&pattern<"a|b">, "xc", false},
      {&pattern<"^a.c$">,
       "a\xF0\x9F\x8C\xA1"
       "c",
       true},
      {&pattern<"^a.c$">, "a\nc", false},
      {&pattern<"^a.c$">, "a\rc", false},
      {&pattern<"^.$">, "\xE2\x80\xA8", false},
      {&pattern<"^.$">, "\xFF", true},
      {&pattern<"^[^a-c]$">, "d", true},
      {&pattern<"^[^a-c]$">, "b", false},
      {&pattern<"^[^a-c]$">, "\n", true},
      {&pattern<"^[-a]+[a-]$">, "-a-", true},
      {&pattern<"^[a\\-c]$">, "b", false},
      {&pattern<"^[a\\-c]$">, "-", true},
      {&pattern<"^[\\^\\]\\\\[]+$">, "^]\\[", true},
      {&pattern<"^[\\da-f]+$">, "1f", true},
      {&pattern<"^[\\da-f]+$">, "g", false},
      {&pattern<"^[\\w-]+$">, "a_-9", true},
      {&pattern<"^[\\s]$">, "\xE2\x80\x83", true},
      {&pattern<"^\\s$">, "\xEF\xBB\xBF", true},
      {&pattern<"^\\S$">, "a", true},
      {&pattern<"^\\S$">, " ", false},
      {&pattern<"^\\D\\W$">, "a!", true},
      {&pattern<"^\\D\\W$">, "1!", false},
      {&pattern<"^\\t\\n\\v\\f\\r$">, "\t\n\v\f\r", true},
      {&pattern<"^\\$\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/\\^$">, "$.*+?()[]{}|/^", true},
      {&pattern<"^[\xE2\x82\xAC-\xF0\x9F\x8C\xA1]$">, "\xE2\x82\xAC", true},
      {&pattern<"^[\xE2\x82\xAC-\xF0\x9F\x8C\xA1]$">, "\xC3\xA4", false},
      {&pattern<"^a$">, "a\0"sv, false},
      {&pattern<"^[a-z]{64}$">, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl", true},
      {&pattern<"^[a-z]{64}$">, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk", false},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(matches_pattern(*one.check, one.text), one.matches) << one.check->text << " and " << one.text;
  }
}

}  // namespace
