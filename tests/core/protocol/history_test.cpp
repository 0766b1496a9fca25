// SPDX-License-Identifier: Apache-2.0
// mcp::History without a server: levels, times, statistics, and bodies that do not fit.
#include "mcp/history.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <limits>
#include <string>

#include "mcp/rpc/response.hpp"

namespace {

using mcp::HistoryLevel;

mcp::Millis now_ms;
mcp::Millis now() { return now_ms; }

constexpr mcp::HistoryOptions plain{.now = now};

/// The body with a transmit buffer of `space` bytes; "no space" if it does not fit.
template <class T>
std::string body(const mcp::detail::HistoryView<T>& history, std::size_t space = 65'536) {
  std::string buffer(space, '\0');
  mcp::json::Writer writer(buffer);
  mcp::rpc::Response response(writer, "1", {});
  mcp::ReadResult result(response);
  writer.object_begin();
  EXPECT_EQ(mcp::detail::write_history(history, nullptr, result), mcp::Errc::ok);
  if (!writer.ok()) return "no space";
  result.finish();
  return buffer.substr(0, writer.size());
}

template <class T>
std::string member(const mcp::detail::HistoryView<T>& history, const std::string& name) {
  const std::string text = body(history);
  const std::string key = "\\\"" + name + "\\\":";
  const std::size_t begin = text.find(key);
  if (begin == std::string::npos) return "";
  const std::size_t from = begin + key.size();
  return text.substr(from, text.find_first_of(",}", from) - from);
}

TEST(History, KeepsNewestValues) {
  static constinit mcp::History<plain, 3> history;
  EXPECT_EQ(history.size(), 0U);
  for (std::int32_t i = 1; i <= 5; ++i) {
    EXPECT_TRUE(history.add(i));
    EXPECT_EQ(history.newest(), i);
  }
  EXPECT_EQ(history.size(), 3U);
  EXPECT_EQ(member(history.view(), "minimum"), "3");
  history.clear();
  EXPECT_EQ(history.size(), 0U);
  EXPECT_TRUE(history.add(9));
  EXPECT_EQ(member(history.view(), "count"), "1");
}

TEST(History, HoldsSingleValue) {
  static constinit mcp::History<plain, 1> history;
  EXPECT_TRUE(history.add(1));
  EXPECT_TRUE(history.add(2));
  EXPECT_EQ(history.newest(), 2);
  EXPECT_EQ(member(history.view(), "mean"), "2");
}

TEST(History, MeanIsExactAndRounded) {
  static constinit mcp::History<plain, 4> history;
  const auto mean_of = [](std::initializer_list<std::int32_t> values) {
    history.clear();
    for (const std::int32_t value : values) EXPECT_TRUE(history.add(value));
    return member(history.view(), "mean");
  };
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(mean_of({1, 2}), "2");
  EXPECT_EQ(mean_of({-1, -2}), "-2");
  EXPECT_EQ(mean_of({-1, -1, -2}), "-1");
  EXPECT_EQ(mean_of({least, least, least, least}), "-2147483648");
  EXPECT_EQ(mean_of({most, most, most, most}), "2147483647");
  EXPECT_EQ(mean_of({most, least}), "-1");
}

TEST(History, TimeBeforeNewestCountsAsNewest) {
  static constinit mcp::History<plain, 3> history;
  now_ms = 10'000;
  EXPECT_TRUE(history.add(1, 8'000));
  EXPECT_TRUE(history.add(2, 7'000));
  EXPECT_TRUE(history.add(3, 9'000));
  EXPECT_EQ(member(history.view(), "firstSecondsAgo"), "2");
  EXPECT_EQ(member(history.view(), "lastSecondsAgo"), "1");
  now_ms = 5'000;  // before all of them
  EXPECT_EQ(member(history.view(), "lastSecondsAgo"), "0");
}

TEST(History, CoversMoreThanOneWrapOfClock) {
  static constinit mcp::History<plain, 4> history;
  constexpr mcp::Millis step = 0x7FFF'FFFF;
  mcp::Millis at = 4'000'000'000;
  for (std::int32_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(history.add(i, at));
    at += step;
  }
  now_ms = at;
  EXPECT_EQ(member(history.view(), "firstSecondsAgo"), std::to_string(4ULL * step / 1000));
  EXPECT_EQ(member(history.view(), "lastSecondsAgo"), std::to_string(step / 1000));
}

// More than 24 days within a few values of the same second have no milliseconds: the number would not fit.
TEST(History, OldValuesOfOneSecondHaveWholeSeconds) {
  static constinit mcp::History<plain, 4> history;
  EXPECT_TRUE(history.add(1, 0));
  EXPECT_TRUE(history.add(2, 10));
  now_ms = 0x7FFF'FFFF;
  EXPECT_EQ(member(history.view(), "lastSecondsAgo"), "2147483.637");
  EXPECT_EQ(member(history.view(), "firstSecondsAgo"), "2147483.647");
  now_ms += 10;
  EXPECT_EQ(member(history.view(), "firstSecondsAgo"), "2147483");
}

constexpr mcp::HistoryOptions only_below{
    .now = now, .notify_below = std::numeric_limits<std::int32_t>::max(), .hysteresis = 5};
constexpr mcp::HistoryOptions only_above{
    .now = now, .notify_above = std::numeric_limits<std::int32_t>::min(), .hysteresis = 5};

TEST(History, HysteresisEndsAtRangeOfValues) {
  static constinit mcp::History<only_below, 2> below;
  EXPECT_TRUE(below.add(0));
  EXPECT_EQ(below.level(), HistoryLevel::below);
  EXPECT_EQ(member(below.view(), "level"), "\\\"below\\\"");
  EXPECT_TRUE(below.add(std::numeric_limits<std::int32_t>::max()));
  EXPECT_EQ(below.level(), HistoryLevel::normal);
  static constinit mcp::History<only_above, 2> above;
  EXPECT_TRUE(above.add(0));
  EXPECT_EQ(above.level(), HistoryLevel::above);
  EXPECT_TRUE(above.add(std::numeric_limits<std::int32_t>::min()));
  EXPECT_EQ(above.level(), HistoryLevel::normal);
}

constexpr mcp::HistoryOptions tenth{.now = now, .notify_above = 0.1, .notify_below = -0.1, .hysteresis = 0.05};

TEST(History, FloatsHaveThresholds) {
  static constinit mcp::History<tenth, 4, float> history;
  EXPECT_FALSE(history.add(0.1F));
  EXPECT_TRUE(history.add(0.2F));
  EXPECT_FALSE(history.add(0.06F));
  EXPECT_TRUE(history.add(0.05F));
  EXPECT_TRUE(history.add(-0.2F));
  EXPECT_FALSE(history.add(std::numeric_limits<float>::quiet_NaN()));
  EXPECT_FALSE(history.add(-std::numeric_limits<float>::infinity()));
  EXPECT_EQ(history.level(), HistoryLevel::below);
  EXPECT_EQ(history.newest(), -0.2F);
  EXPECT_EQ(member(history.view(), "level"), "\\\"below\\\"");
}

// Each size of the transmit buffer: the whole body, or the newest values that fit with the statistics of all, or no
// body. It never ends in the middle, and 40 bytes are left for the end of the message.
TEST(History, LeavesOutOldestValuesThatDoNotFit) {
  static constinit mcp::History<plain, 20> history;
  history.clear();
  for (std::int32_t i = 0; i < 20; ++i) EXPECT_TRUE(history.add(100 + i, static_cast<mcp::Millis>(i) * 10'000));
  now_ms = 200'000;
  const std::string whole = body(history.view());
  EXPECT_NE(whole.find(R"(\"truncated\":false})"), std::string::npos);
  std::size_t most = 0;
  bool was_truncated = false;
  for (std::size_t space = 1; space < whole.size() + 60; ++space) {
    const std::string text = body(history.view(), space);
    if (text == "no space") {
      EXPECT_EQ(most, 0U);
      continue;
    }
    std::size_t count = 0;
    while (text.find("," + std::to_string(119 - count) + "]") != std::string::npos) ++count;
    EXPECT_GE(count, most);
    most = count;
    const bool is_truncated = text.find(R"(\"truncated\":true})") != std::string::npos;
    EXPECT_EQ(is_truncated, count < 20);
    was_truncated = was_truncated || is_truncated;
    EXPECT_NE(text.find(R"(\"count\":20)"), std::string::npos);
    EXPECT_NE(text.find(R"(\"minimum\":100)"), std::string::npos);
    EXPECT_TRUE(count == 0 || text.size() + 5 <= space);
  }
  EXPECT_TRUE(was_truncated);
  EXPECT_EQ(most, 20U);
}

}  // namespace
