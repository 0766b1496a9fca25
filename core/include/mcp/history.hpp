// SPDX-License-Identifier: Apache-2.0
/// @file
/// The last values of a sensor with their times, in static memory, and the rows that serve them.
/// @code
/// constexpr mcp::HistoryOptions celsius{
///     .now = board::millis, .unit = "Cel", .decimals = 2, .notify_above = 30, .hysteresis = 0.5};
/// constinit mcp::History<celsius, 96> temperature;
/// constexpr mcp::Resource resources[] = {
///     mcp::history<temperature>({.uri = "sensor://t/history", .name = "t_history", .subscribable = true})};
/// constexpr mcp::ResourceTemplate templates[] = {
///     mcp::history_since<temperature>({.uri_template = "sensor://t/history{?since,until}", .name = "t_since"})};
/// void sample(const mcp::Server& server) {
///   if (temperature.add(2150)) server.resource_updated(resources[0]);  // 21.5 Cel
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "mcp/detail/exact_number.hpp"
#include "mcp/errors.hpp"
#include "mcp/port.hpp"
#include "mcp/resource.hpp"

namespace mcp {

namespace compile_error {
void a_history_needs_a_now_function();
void a_history_must_hold_1_to_65535_values();
void the_decimals_of_a_history_must_be_0_to_9_and_0_for_float();
void a_threshold_of_a_history_must_be_one_of_its_values();
void the_hysteresis_of_a_history_must_be_0_or_more_and_needs_a_threshold();
void notify_above_must_be_greater_than_notify_below_by_more_than_the_hysteresis();
void the_row_of_a_history_must_not_have_a_read_function();
void the_template_of_a_history_needs_the_variable_since_and_may_have_until();
}  // namespace compile_error

/// The options of a History, as a constant. Thresholds are in the unit of the values, such as 30.5 for the value 3050
/// with 2 decimals. Lifetime: the strings (UTF-8) live as long as the program.
struct HistoryOptions {
  /// Returns milliseconds since some moment, such as `board::millis`. Required. It may wrap at 2^32.
  Millis (*now)() = nullptr;
  /// Returns the milliseconds since 1970-01-01T00:00:00Z, or a value before the year 2000 while the time is not known.
  /// If the clock is corrected, the times of earlier values move with it. With nullptr, a body has the ages of values.
  std::uint64_t (*utc_ms)() = nullptr;
  /// The UCUM code of the unit, such as `Cel` or `%`. An empty code is not sent.
  std::string_view unit = {};
  /// The number of digits after the decimal point of integer values, 0 to 9: with 2, the value 2150 is 21.5.
  std::uint8_t decimals = 0;
  /// The state of the history becomes `above` with a value greater than this one.
  detail::ExactNumber notify_above = {};
  /// The state of the history becomes `below` with a value less than this one.
  detail::ExactNumber notify_below = {};
  /// The distance from the threshold at which the state becomes `normal` again.
  detail::ExactNumber hysteresis = {};
};

/// The newest value of a History compared with the thresholds.
enum class HistoryLevel : std::uint8_t { normal, above, below };

namespace detail {

/// The thresholds as values. The `_end` of a threshold is the first value that is normal again.
template <class T>
struct HistoryThresholds {
  T above = {};
  T above_end = {};
  T below = {};
  T below_end = {};
  bool has_above = false;
  bool has_below = false;
};

/// The variable state of a history, except its values.
struct HistoryState {
  Millis newest_ms = 0;
  std::uint16_t next = 0;
  std::uint16_t count = 0;
  HistoryLevel level = HistoryLevel::normal;
};

/// A history without its size.
template <class T>
struct HistoryView {
  const HistoryOptions& options;
  const HistoryThresholds<T>& thresholds;
  HistoryState& state;
  T* values;
  Millis* gaps;  // from the previous value
  std::size_t capacity;
};

// For std::int32_t and float. The code for float is linked only if a history has floats.
template <class T>
bool add_to_history(const HistoryView<T>& history, Millis at, T value);
template <class T>
Errc write_history(const HistoryView<T>& history, const UriVariables* query, ReadResult& out);

/// Returns `number` as a value with this number of decimals. Errors: does not compile if it is not exactly a value.
template <class T>
consteval T history_value(const ExactNumber& number, unsigned decimals) {
  if constexpr (std::same_as<T, float>) {
    return number.as<float>();
  } else {
    // Powers of ten up to 10^9 and their product with an int32 are exact doubles. A decimal fraction is not, so the
    // nearest integer must read back as the same double.
    double one = 1;
    for (unsigned i = 0; i < decimals; ++i) one *= 10;
    const double wanted = number.as<double>();
    const double scaled = wanted * one;
    constexpr double most = std::numeric_limits<std::int32_t>::max();
    if (!(scaled >= -most - 1 && scaled <= most)) compile_error::a_threshold_of_a_history_must_be_one_of_its_values();
    const auto value = static_cast<std::int32_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    if (static_cast<double>(value) / one != wanted) compile_error::a_threshold_of_a_history_must_be_one_of_its_values();
    return value;
  }
}

template <class T>
consteval HistoryThresholds<T> history_thresholds(const HistoryOptions& options, std::size_t capacity) {
  HistoryThresholds<T> result;
  if (capacity == 0 || capacity > 0xFFFF) compile_error::a_history_must_hold_1_to_65535_values();
  if (options.now == nullptr) compile_error::a_history_needs_a_now_function();
  if (options.decimals > (std::same_as<T, float> ? 0 : 9))
    compile_error::the_decimals_of_a_history_must_be_0_to_9_and_0_for_float();
  result.has_above = options.notify_above.given();
  result.has_below = options.notify_below.given();
  T hysteresis{};
  if (options.hysteresis.given()) hysteresis = history_value<T>(options.hysteresis, options.decimals);
  if (hysteresis < 0 || (options.hysteresis.given() && !result.has_above && !result.has_below))
    compile_error::the_hysteresis_of_a_history_must_be_0_or_more_and_needs_a_threshold();
  // Wide enough for the difference of two values.
  using Wide = std::conditional_t<std::same_as<T, float>, float, std::int64_t>;
  constexpr Wide least = std::numeric_limits<T>::lowest();
  constexpr Wide most = std::numeric_limits<T>::max();
  if (result.has_above) {
    result.above = history_value<T>(options.notify_above, options.decimals);
    const Wide end = Wide{result.above} - hysteresis;
    result.above_end = static_cast<T>(end < least ? least : end);
  }
  if (result.has_below) {
    result.below = history_value<T>(options.notify_below, options.decimals);
    const Wide end = Wide{result.below} + hysteresis;
    result.below_end = static_cast<T>(end > most ? most : end);
  }
  if (result.has_above && result.has_below && !(result.above_end > result.below && result.below_end < result.above))
    compile_error::notify_above_must_be_greater_than_notify_below_by_more_than_the_hysteresis();
  return result;
}

}  // namespace detail

/// The last `N` values of a sensor, each with its time. If it is full, a new value replaces the oldest one. `T` is
/// std::int32_t, with HistoryOptions::decimals, or float. Define it as a `constinit` variable at namespace scope. It is
/// all zero, so it takes no flash. RAM: 8 bytes for each value, and 12. Limits: `N` is 1 to 65,535. The time from one
/// value to the next, and from the newest value to a read, is less than 2^31 ms (24.8 days).
/// Context: main loop. An interrupt handler stores its value and its time in variables, and the main loop adds them
/// later.
template <const HistoryOptions& options, std::size_t N, class T = std::int32_t>
requires(std::same_as<T, std::int32_t> || std::same_as<T, float>) class History {
 public:
  /// An empty history. Errors: invalid options do not compile.
  consteval History() {
    static_cast<void>(thresholds);  // checks the options also of a history that no row serves
  }
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  /// Adds a value that was measured now. If it returns true, call Server::resource_updated() with the row of this
  /// history. With a threshold, it returns true for each change of level(). Without a threshold, it returns true for
  /// each value. Errors: does not add a NaN or an infinity, and returns false.
  [[nodiscard]] bool add(T value) { return add(value, options.now()); }

  /// Adds a value that was measured at `at_ms`, a time of HistoryOptions::now. An earlier time than the newest value
  /// has counts as the time of the newest value.
  [[nodiscard]] bool add(T value, Millis at_ms) { return detail::add_to_history(view(), at_ms, value); }

  /// Returns the number of values.
  [[nodiscard]] std::size_t size() const { return state_.count; }

  /// Returns the newest value. There must be one.
  [[nodiscard]] T newest() const { return values_[(state_.next == 0 ? N : state_.next) - 1]; }

  /// Returns the level of the newest value. A history without values is normal.
  [[nodiscard]] HistoryLevel level() const { return state_.level; }

  /// Removes all values, for example because the sensor was replaced.
  void clear() { state_ = {}; }

  /// @cond server
  [[nodiscard]] detail::HistoryView<T> view() { return {options, thresholds, state_, values_, gaps_, N}; }
  /// @endcond

 private:
  static constexpr detail::HistoryThresholds<T> thresholds = detail::history_thresholds<T>(options, N);

  detail::HistoryState state_ = {};
  T values_[N == 0 ? 1 : N] = {};
  Millis gaps_[N == 0 ? 1 : N] = {};
};

namespace detail {

template <auto& history>
Errc read_history(ReadResult& out) {
  return write_history(history.view(), nullptr, out);
}

template <auto& history>
Errc read_history_since(const UriVariables& variables, ReadResult& out) {
  return write_history(history.view(), &variables, out);
}

consteval bool names_history_variables(std::string_view uri_template) {
  bool has_since = false;
  while (!uri_template.empty()) {
    const Piece piece = next_piece(uri_template);
    if (!piece.expression) continue;
    std::string_view names = names_of(piece.text);
    while (!names.empty()) {
      const std::string_view name = next_name(names);
      if (name == "since") has_since = true;
      if (name != "since" && name != "until") return false;
    }
  }
  return has_since;
}

}  // namespace detail

/// Returns the row of a resource whose body is a history, as JSON. The body has `unit`, `now` and `level`. For all
/// values, it has `count`, `minimum`, `maximum` and `mean` (rounded to the decimals of the values). It has the times of
/// the first, last, smallest and largest value. `values` has pairs of the age in seconds and the value, the newest
/// first. If not all of them fit into the transmit buffer, `truncated` is true, and the numbers are still of all
/// values. Times are UTC (`lastAt`), or ages in seconds (`lastSecondsAgo`) while the time is not known. `row` has the
/// members of the row, without a read function. Lifetime: `samples` is a variable at namespace scope.
template <auto& samples>
consteval Resource history(Resource row) {
  if (row.read != nullptr || row.stream.on()) compile_error::the_row_of_a_history_must_not_have_a_read_function();
  row.read = detail::read_history<samples>;
  if (row.mime_type.empty()) row.mime_type = "application/json";
  return row;
}

/// Returns the row of a template for the values of a period, such as `sensor://t/history{?since,until}`. A client gives
/// each time as an age in seconds (`since=3600`), or in UTC (`since=2026-01-31T22:00:00Z`, or with an offset). `since`
/// is the earliest time of a value. All values are before `until`. The body has the form of history(). An empty
/// `description` is replaced by an explanation for the model. Errors: any other time, and a UTC time while the time is
/// not known, get -32602 with a message that names the allowed times.
template <auto& samples>
consteval ResourceTemplate history_since(ResourceTemplate row) {
  if (row.read != nullptr) compile_error::the_row_of_a_history_must_not_have_a_read_function();
  if (!detail::names_history_variables(row.uri_template))
    compile_error::the_template_of_a_history_needs_the_variable_since_and_may_have_until();
  row.read = detail::read_history_since<samples>;
  if (row.mime_type.empty()) row.mime_type = "application/json";
  if (row.description.empty())
    row.description =
        "Values since a time and before another. A time is an age in seconds, such as 3600, or UTC, such as "
        "2026-01-31T22:00:00Z. If truncated is true, read older values with until.";
  return row;
}

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
