// SPDX-License-Identifier: Apache-2.0
// A ring of values, and its body as JSON. Times are ages: of the newest value, plus the gaps between values. So the
// wrap of the clock and its corrections need no code.
#include "mcp/history.hpp"

#include <bit>

#include "json/utc_time.hpp"
#include "mcp/assert.hpp"
#include "mcp/json/writer.hpp"
#include "rpc/codes.hpp"

namespace mcp::detail {
namespace {

constexpr std::uint64_t year_2000_ms = 946'684'800'000;

// For `],"truncated":false}` in a string, and the end of the message after it.
constexpr std::size_t tail_size = 40;

// The time from `from` to `to`; 0 if they are in the wrong order.
constexpr Millis passed(Millis from, Millis to) { return to - from < 0x8000'0000 ? to - from : 0; }

template <class T>
bool is_number(T value) {
  if constexpr (std::same_as<T, float>) {
    return (std::bit_cast<std::uint32_t>(value) & 0x7F80'0000) != 0x7F80'0000;
  } else {
    return true;
  }
}

template <class T>
HistoryLevel next_level(const HistoryThresholds<T>& thresholds, HistoryLevel level, T value) {
  if (thresholds.has_above && value > thresholds.above) return HistoryLevel::above;
  if (thresholds.has_below && value < thresholds.below) return HistoryLevel::below;
  if (level == HistoryLevel::above && value > thresholds.above_end) return level;
  if (level == HistoryLevel::below && value < thresholds.below_end) return level;
  return HistoryLevel::normal;
}

// The times of a body.
struct Times {
  Millis now;
  std::uint64_t utc_ms;  // 0: not known
  bool are_exact;        // ages with milliseconds
};

// The values of a request, whose age in milliseconds is greater than `until` and at most `since`.
struct Range {
  std::int64_t since = std::numeric_limits<std::int64_t>::max();
  std::int64_t until = -1;
};

// Reads `3600` or `0.5`. An age in seconds means all ages that are written as this number.
bool read_age(std::string_view text, std::int64_t& age_ms) {
  std::size_t i = 0;
  std::int64_t seconds = 0;
  for (; i < text.size() && i < 10 && is_digit(text[i]); ++i) seconds = seconds * 10 + (text[i] - '0');
  if (i == 0) return false;
  age_ms = seconds * 1000 + 999;
  if (i == text.size()) return true;
  const std::string_view fraction = text.substr(i + 1);
  if (text[i] != '.' || fraction.empty() || fraction.size() > 3) return false;
  int milliseconds = 0;
  int unit = 100;
  for (const char digit : fraction) {
    if (!is_digit(digit)) return false;
    milliseconds += unit * (digit - '0');
    unit /= 10;
  }
  age_ms = seconds * 1000 + milliseconds;
  return true;
}

bool read_bound(std::string_view text, const Times& times, std::int64_t& age_ms) {
  if (text.empty() || read_age(text, age_ms)) return true;
  std::uint64_t utc_ms = 0;
  if (times.utc_ms == 0 || !json::read_utc(text, utc_ms)) return false;
  age_ms = static_cast<std::int64_t>(times.utc_ms - utc_ms);
  return true;
}

Errc reject(ReadResult& out, const char* name, const Times& times) {
  json::Writer& error = out.fail_begin(rpc::invalid_params);
  error.append(name);
  error.append(" must be an age in seconds, such as 3600");
  error.append(times.utc_ms != 0 ? ", or a time, such as 2026-01-31T22:00:00Z."
                                 : "; the device does not know the date.");
  return out.fail_end();
}

// Calls visit(value, age in milliseconds) for each value of the range, the newest first, until it returns false.
template <class T, class Visit>
void for_each(const HistoryView<T>& history, const Times& times, const Range& range, Visit visit) {
  const HistoryState& state = history.state;
  std::int64_t age_ms = passed(state.newest_ms, times.now);
  std::size_t at = state.next;
  for (std::size_t i = 0; i < state.count && age_ms <= range.since; ++i) {
    at = (at == 0 ? history.capacity : at) - 1;
    MCP_DEBUG_ASSERT(at < history.capacity);
    if (age_ms > range.until && !visit(history.values[at], age_ms)) return;
    age_ms += history.gaps[at];
  }
}

template <class T>
struct Statistics {
  using Sum = std::conditional_t<std::same_as<T, float>, double, std::int64_t>;

  std::uint32_t count = 0;
  T minimum = {};
  T maximum = {};
  Sum sum = 0;
  std::int64_t minimum_age = 0;
  std::int64_t maximum_age = 0;
  std::int64_t first_age = 0;
  std::int64_t last_age = 0;

  void add(T value, std::int64_t age_ms) {
    if (count == 0) last_age = age_ms;
    first_age = age_ms;
    if (count == 0 || value < minimum) minimum = value, minimum_age = age_ms;
    if (count == 0 || value > maximum) maximum = value, maximum_age = age_ms;
    sum += static_cast<Sum>(value);
    ++count;
  }

  // Rounded to the nearest value, and a half away from zero.
  [[nodiscard]] T mean() const {
    if constexpr (std::same_as<T, float>) {
      return static_cast<float>(sum / count);
    } else {
      auto magnitude = static_cast<std::uint64_t>(sum < 0 ? -sum : sum) + count / 2;
      json::divide(magnitude, count);
      const auto mean = static_cast<std::int64_t>(magnitude);
      return static_cast<std::int32_t>(sum < 0 ? -mean : mean);
    }
  }
};

void write_value(json::Writer& json, std::int32_t value, std::uint8_t decimals) {
  json.number(json::Scaled{value, decimals});
}
void write_value(json::Writer& json, float value, std::uint8_t) { json.number(value); }

// In seconds.
void write_age(json::Writer& json, std::int64_t age_ms, bool is_exact) {
  if (is_exact && age_ms <= std::numeric_limits<std::int32_t>::max()) {
    return json.number(json::Scaled{static_cast<std::int32_t>(age_ms), 3});
  }
  auto seconds = static_cast<std::uint64_t>(age_ms);
  json::divide(seconds, 1000);
  json.number(seconds);
}

void write_utc(json::Writer& json, std::uint64_t utc_ms) {
  char text[json::utc_text_size];
  json::write_utc(text, utc_ms);
  text[19] = 'Z';  // in place of the milliseconds
  json.string(std::string_view(text, 20));
}

// The member `nameAt` or `nameSecondsAgo`.
void write_time(json::Writer& json, json::Text name, const Times& times, std::int64_t age_ms) {
  const bool is_known = times.utc_ms != 0;
  json.string_begin();
  json.append(name);
  json.append(is_known ? "At" : "SecondsAgo");
  json.key_end();
  if (is_known) return write_utc(json, times.utc_ms - static_cast<std::uint64_t>(age_ms));
  write_age(json, age_ms, times.are_exact);
}

template <class T>
Statistics<T> statistics_of(const HistoryView<T>& history, const Times& times, const Range& range) {
  Statistics<T> statistics;
  for_each(history, times, range, [&](T value, std::int64_t age_ms) { return statistics.add(value, age_ms), true; });
  return statistics;
}

template <class T>
void write_statistics(json::Writer& json, const Statistics<T>& statistics, const Times& times, std::uint8_t decimals) {
  json.member("count", statistics.count);
  if (statistics.count == 0) return;
  json.key("minimum");
  write_value(json, statistics.minimum, decimals);
  write_time(json, "minimum", times, statistics.minimum_age);
  json.key("maximum");
  write_value(json, statistics.maximum, decimals);
  write_time(json, "maximum", times, statistics.maximum_age);
  json.key("mean");
  write_value(json, statistics.mean(), decimals);
  write_time(json, "first", times, statistics.first_age);
  write_time(json, "last", times, statistics.last_age);
}

// The pairs of age and value that fit. Returns false if one does not.
template <class T>
bool write_values(json::Writer& json, const HistoryView<T>& history, const Times& times, const Range& range) {
  bool all_fit = true;
  json.array_begin();
  for_each(history, times, range, [&](T value, std::int64_t age_ms) {
    if (!json.ok()) return false;  // the statistics do not fit
    const json::Writer::Mark before = json.mark();
    json.array_begin();
    write_age(json, age_ms, times.are_exact);
    write_value(json, value, history.options.decimals);
    json.array_end();
    all_fit = json.ok() && json.rest().size() >= tail_size;
    if (!all_fit) json.rollback(before);
    return all_fit;
  });
  json.array_end();
  return all_fit;
}

}  // namespace

template <class T>
bool add_to_history(const HistoryView<T>& history, Millis at, T value) {
  if (!is_number(value)) return false;
  HistoryState& state = history.state;
  const Millis gap = state.count == 0 ? 0 : passed(state.newest_ms, at);
  state.newest_ms = state.count == 0 ? at : state.newest_ms + gap;
  MCP_DEBUG_ASSERT(state.next < history.capacity && state.count <= history.capacity);
  history.values[state.next] = value;
  history.gaps[state.next] = gap;
  state.next = static_cast<std::uint16_t>(state.next + 1U == history.capacity ? 0 : state.next + 1);
  if (state.count < history.capacity) ++state.count;
  const HistoryLevel level = next_level(history.thresholds, state.level, value);
  const bool has_threshold = history.thresholds.has_above || history.thresholds.has_below;
  const bool is_news = !has_threshold || level != state.level;
  state.level = level;
  return is_news;
}

template <class T>
Errc write_history(const HistoryView<T>& history, const UriVariables* query, ReadResult& out) {
  const HistoryOptions& options = history.options;
  Times times{.now = options.now(), .utc_ms = options.utc_ms != nullptr ? options.utc_ms() : 0, .are_exact = false};
  if (times.utc_ms < year_2000_ms) times.utc_ms = 0;
  Range range;
  if (query != nullptr) {
    if (!read_bound((*query)["since"], times, range.since)) return reject(out, "since", times);
    if (!read_bound((*query)["until"], times, range.until)) return reject(out, "until", times);
  }
  const Statistics<T> statistics = statistics_of(history, times, range);
  times.are_exact = statistics.first_age - statistics.last_age < (std::int64_t{statistics.count} - 1) * 1000;

  static constexpr json::Text levels[] = {"normal", "above", "below"};
  json::Writer& json = out.json();
  json.object_begin();
  json.optional_member("unit", options.unit);
  if (times.utc_ms != 0) {
    json.key("now");
    write_utc(json, times.utc_ms);
  }
  if (history.thresholds.has_above || history.thresholds.has_below)
    json.member("level", levels[static_cast<std::size_t>(history.state.level)]);
  write_statistics(json, statistics, times, options.decimals);
  json.fragment(R"("columns":["secondsAgo","value"])");
  json.key("values");
  const bool all_fit = write_values(json, history, times, range);
  json.member("truncated", !all_fit);
  json.object_end();
  return Errc::ok;
}

template bool add_to_history(const HistoryView<std::int32_t>& history, Millis at, std::int32_t value);
template bool add_to_history(const HistoryView<float>& history, Millis at, float value);
template Errc write_history(const HistoryView<std::int32_t>& history, const UriVariables* query, ReadResult& out);
template Errc write_history(const HistoryView<float>& history, const UriVariables* query, ReadResult& out);

}  // namespace mcp::detail
