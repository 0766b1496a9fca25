// SPDX-License-Identifier: Apache-2.0
#include "json/utc_time.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

std::string text_of(std::uint64_t ms) {
  char text[mcp::json::utc_text_size];
  mcp::json::write_utc(text, ms);
  return {text, sizeof text};
}

TEST(UtcTime, WritesDateAndMilliseconds) {
  EXPECT_EQ(text_of(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(text_of(951'782'399'999), "2000-02-28T23:59:59.999Z");
  EXPECT_EQ(text_of(951'782'400'000), "2000-02-29T00:00:00.000Z");
  EXPECT_EQ(text_of(1'769'896'800'250), "2026-01-31T22:00:00.250Z");
  EXPECT_EQ(text_of(4'294'967'295'999), "2106-02-07T06:28:15.999Z");
}

TEST(UtcTime, ReadsWhatItWrites) {
  for (std::uint64_t ms = 0; ms < 4'294'967'296'000; ms += 100'000'019) {
    std::uint64_t back = 0;
    ASSERT_TRUE(mcp::json::read_utc(text_of(ms), back));
    ASSERT_EQ(back, ms);
  }
}

TEST(UtcTime, ReadsOffsetsFractionsAndShortForms) {
  struct Case {
    const char* text;
    std::uint64_t ms;
  };
  constexpr Case cases[] = {
      {"2026-01-31T22:00:00Z", 1'769'896'800'000},
      {"2026-01-31t22:00:00z", 1'769'896'800'000},
      {"2026-01-31T22:00Z", 1'769'896'800'000},
      {"2026-02-01T00:30:00+02:30", 1'769'896'800'000},
      {"2026-01-31T12:00:00-10:00", 1'769'896'800'000},
      {"2026-01-31T22:00:00.5Z", 1'769'896'800'500},
      {"2026-01-31T22:00:00.0019Z", 1'769'896'800'001},
      {"2026-01-31T21:59:60Z", 1'769'896'800'000},
      {"2026-01-31", 1'769'817'600'000},
      {"1970-01-01", 0},
      {"1970-01-01T02:00:00+02:00", 0},
      {"9999-12-31T23:59:59.999Z", 253'402'300'799'999},
  };
  for (const Case& one : cases) {
    std::uint64_t ms = 1;
    EXPECT_TRUE(mcp::json::read_utc(one.text, ms)) << one.text;
    EXPECT_EQ(ms, one.ms) << one.text;
  }
}

TEST(UtcTime, RejectsOtherTexts) {
  for (const char* const text : {"",
                                 "2",
                                 "2026",
                                 "2026-",
                                 "2026-01",
                                 "2026-01-",
                                 "2026-01-3",
                                 "2026/01-31",
                                 "2026-01/31",
                                 "2026-00-10",
                                 "2026-13-01",
                                 "2026-01-00",
                                 "2026-01-32",
                                 "2026-04-31",
                                 "2026-02-29",
                                 "1969-12-31",
                                 "2026-01-31 22:00:00Z",
                                 "2026-01-31T",
                                 "2026-01-31T22",
                                 "2026-01-31T22:",
                                 "2026-01-31T22:00",
                                 "2026-01-31T22:00:00",
                                 "2026-01-31T24:00Z",
                                 "2026-01-31T22:60Z",
                                 "2026-01-31T22:00:61Z",
                                 "2026-01-31T22:00:00.Z",
                                 "2026-01-31T22:00:00,5Z",
                                 "2026-01-31T22:00:00+2:00",
                                 "2026-01-31T22:00:00+0200",
                                 "2026-01-31T22:00:00+24:00",
                                 "2026-01-31T22:00:00+02:60",
                                 "2026-01-31T22:00:00Zx",
                                 "2026-01-31x",
                                 "1970-01-01T00:00:00+00:01",
                                 "+026-01-31"}) {
    std::uint64_t ms = 7;
    EXPECT_FALSE(mcp::json::read_utc(text, ms)) << text;
    EXPECT_EQ(ms, 7U) << text;
  }
}

TEST(UtcTime, DividesWithoutLibrary) {
  for (const std::uint64_t value : {0ULL, 1ULL, 999ULL, 65'535ULL, 65'536ULL, 1ULL << 47U, ~0ULL}) {
    for (const std::uint32_t divisor : {1U, 2U, 1000U, 65'535U}) {
      std::uint64_t quotient = value;
      EXPECT_EQ(mcp::json::divide(quotient, divisor), value % divisor);
      EXPECT_EQ(quotient, value / divisor);
    }
  }
}

}  // namespace
