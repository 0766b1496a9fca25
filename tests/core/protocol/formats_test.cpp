// SPDX-License-Identifier: Apache-2.0
// The formats of strings that the server checks, at their limits.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string_view>

#include "mcp/detail/string_check.hpp"

namespace {

using Check = bool (*)(const std::string_view& text);

void expect_accepts(Check check, std::initializer_list<const char*> texts) {
  for (const char* const text : texts) {
    EXPECT_TRUE(check(text)) << text;
  }
}
void expect_rejects(Check check, std::initializer_list<const char*> texts) {
  for (const char* const text : texts) {
    EXPECT_FALSE(check(text)) << text;
  }
}

TEST(Formats, DateIsADayOfTheCalendar) {
  expect_accepts(mcp::detail::is_date, {"2026-01-31", "2026-04-30", "2026-07-31", "2026-08-31", "2026-09-30",
                                        "2026-12-31", "2024-02-29", "2000-02-29", "2026-02-28", "0000-01-01"});
  expect_rejects(mcp::detail::is_date,
                 {"", "2026", "202a-01-01", "2026/01-01", "2026-13-01", "2026-00-01", "2026-1-01", "2026-01/01",
                  "2026-01-32", "2026-01-00", "2026-01-1", "2026-04-31", "2026-11-31", "2026-02-29", "1900-02-29",
                  "2024-02-30", "2026-01-01x", "2026-01-01T00:00:00Z"});
}

TEST(Formats, DateTimeHasAnOffsetAndLeapSecondsAtMidnightOfUtc) {
  expect_accepts(mcp::detail::is_date_time,
                 {"2026-11-25T23:59:59Z", "2026-11-25t00:00:00z", "2026-11-25T00:00:00.5Z",
                  "2026-11-25T00:00:00.000001Z", "2026-11-25T00:00:00+23:59", "2026-11-25T00:00:00-00:00",
                  "2016-12-31T23:59:60Z", "2017-01-01T05:29:60+05:30", "2016-12-31T18:59:60-05:00"});
  expect_rejects(mcp::detail::is_date_time, {"",
                                             "2026-11-25",
                                             "2026-11-31T00:00:00Z",
                                             "2026-11-25 00:00:00Z",
                                             "2026-11-25T24:00:00Z",
                                             "2026-11-25T00-00:00Z",
                                             "2026-11-25T00:60:00Z",
                                             "2026-11-25T00:00-00Z",
                                             "2026-11-25T00:00:61Z",
                                             "2026-11-25T00:00:00",
                                             "2026-11-25T00:00:00.Z",
                                             "2026-11-25T00:00:00.5",
                                             "2026-11-25T00:00:00~00:00",
                                             "2026-11-25T00:00:00+24:00",
                                             "2026-11-25T00:00:00+00-00",
                                             "2026-11-25T00:00:00+00:60",
                                             "2026-11-25T00:00:00+0000",
                                             "2026-11-25T00:00:00Zx",
                                             "2026-11-25T23:58:60Z",
                                             "2017-01-01T05:29:60-05:30"});
}

TEST(Formats, Ipv4HasFourNumbersWithoutLeadingZeros) {
  expect_accepts(mcp::detail::is_ipv4, {"0.0.0.0", "255.255.255.255", "1.20.3.100"});
  expect_rejects(mcp::detail::is_ipv4, {"", "1", "1.2.3", "1.2.3.", "1.2.3.4.", "1.2.3.4.5", "256.0.0.0", "1.02.3.4",
                                        "1.2.3.0000", "1..2.3", "1,2.3.4", "1.2.3.a", "1.2.3.4 "});
}

TEST(Formats, Ipv6HasEightGroupsOrOneGap) {
  expect_accepts(mcp::detail::is_ipv6,
                 {"1:2:3:4:5:6:7:8", "::", "::1", "1::", "fe80::1", "ABCD:ef01::0:1",
                  "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "1::1.2.3.4"});
  expect_rejects(mcp::detail::is_ipv6,
                 {"", ":", ":::", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:", ":1:2:3:4:5:6:7",
                  "1::2::3", "1::2::", "12345::", "::g", "1:2:3:4:5:6:7::8", "::1.2.3", "::1.2.3.4:5", "1.2.3.4",
                  "1:2:3:4:5:6:7:1.2.3.4", "fe80::1%eth0", "1:2:3:4:5:6:7:8:"});
}

}  // namespace
