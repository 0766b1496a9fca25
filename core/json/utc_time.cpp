// SPDX-License-Identifier: Apache-2.0
#include "json/utc_time.hpp"

namespace mcp::json {
namespace {

// A date of the Gregorian calendar. Both conversions count in years that begin in March.
struct Date {
  std::uint32_t year;
  std::uint32_t month;
  std::uint32_t day;
};

constexpr std::uint32_t days_before_1970 = 719'468;  // since 0000-03-01
constexpr std::uint32_t days_of_era = 146'097;       // 400 years

constexpr Date date_of(std::uint32_t days) {
  const std::uint32_t since_era = days + days_before_1970;
  const std::uint32_t era = since_era / days_of_era;
  const std::uint32_t day_of_era = since_era % days_of_era;
  const std::uint32_t year = (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::uint32_t day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
  const std::uint32_t month = (5 * day_of_year + 2) / 153;  // from March
  return {era * 400 + year + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
          day_of_year - (153 * month + 2) / 5 + 1};
}
static_assert(date_of(0).year == 1970 && date_of(0).month == 1 && date_of(0).day == 1);
static_assert(date_of(11'016).year == 2000 && date_of(11'016).month == 2 && date_of(11'016).day == 29);
static_assert(date_of(20'454).year == 2026 && date_of(20'454).month == 1 && date_of(20'454).day == 1);

constexpr std::uint32_t days_of(const Date& date) {
  const std::uint32_t year = date.year - (date.month < 3 ? 1 : 0);
  const std::uint32_t month = date.month < 3 ? date.month + 9 : date.month - 3;
  const std::uint32_t year_of_era = year % 400;
  const std::uint32_t day_of_era =
      365 * year_of_era + year_of_era / 4 - year_of_era / 100 + (153 * month + 2) / 5 + date.day - 1;
  return year / 400 * days_of_era + day_of_era - days_before_1970;
}
static_assert(days_of({1970, 1, 1}) == 0 && days_of({2000, 2, 29}) == 11'016 && days_of({2026, 1, 1}) == 20'454);

constexpr bool exists(const Date& date) {
  if (date.year < 1970 || date.month < 1 || date.month > 12 || date.day < 1) return false;
  const Date same = date_of(days_of(date));  // a day after the last of its month is in a later month: 31 April is 1 May
  return same.month == date.month;
}

// Replaces `count` digits by the digits of a value.
void put_digits(char* at, unsigned count, std::uint32_t value) {
  for (; count != 0; value /= 10) at[--count] = static_cast<char>('0' + value % 10);
}

// Reads `count` digits of the text. After its first error, all further calls fail.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::uint32_t digits(std::size_t count) {
    std::uint32_t value = 0;
    for (; count != 0; --count) value = value * 10 + static_cast<std::uint32_t>(digit());
    return value;
  }
  // One or more digits after a point. Returns milliseconds, and ignores further digits.
  std::uint32_t fraction() {
    std::uint32_t value = 0;
    std::uint32_t unit = 100;
    do {
      value += unit * static_cast<std::uint32_t>(digit());
      unit /= 10;
    } while (ok_ && has_digit());
    return value;
  }
  // Reads one of two characters, if it is next.
  bool skip(char a, char b) {
    if (text_.empty() || (text_.front() != a && text_.front() != b)) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool skip(char a) { return skip(a, a); }
  void expect(bool found) { ok_ = ok_ && found; }
  [[nodiscard]] bool at_end() const { return text_.empty(); }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  [[nodiscard]] bool has_digit() const { return !text_.empty() && text_.front() >= '0' && text_.front() <= '9'; }
  int digit() {
    if (!has_digit()) {
      ok_ = false;
      return 0;
    }
    const int value = text_.front() - '0';
    text_.remove_prefix(1);
    return value;
  }

  std::string_view text_;
  bool ok_ = true;
};

// Minutes before UTC.
std::int32_t read_offset(Reader& reader) {
  if (reader.skip('Z', 'z')) return 0;
  const bool is_west = reader.skip('-');
  if (!is_west) reader.expect(reader.skip('+'));
  const std::uint32_t hours = reader.digits(2);
  reader.expect(reader.skip(':'));
  const std::uint32_t minutes = reader.digits(2);
  reader.expect(hours < 24 && minutes < 60);
  const auto offset = static_cast<std::int32_t>(hours * 60 + minutes);
  return is_west ? offset : -offset;
}

// Milliseconds since midnight in UTC.
std::int32_t read_time(Reader& reader) {
  const std::uint32_t hours = reader.digits(2);
  reader.expect(reader.skip(':'));
  const std::uint32_t minutes = reader.digits(2);
  std::uint32_t seconds = 0;
  std::uint32_t ms = 0;
  if (reader.skip(':')) {
    seconds = reader.digits(2);
    if (reader.skip('.')) ms = reader.fraction();
  }
  reader.expect(hours < 24 && minutes < 60 && seconds <= 60);
  const auto local = static_cast<std::int32_t>(((hours * 60 + minutes) * 60 + seconds) * 1000 + ms);
  return local + read_offset(reader) * 60'000;
}

}  // namespace

std::uint32_t divide(std::uint64_t& value, std::uint32_t divisor) {
  std::uint32_t rest = 0;
  std::uint64_t quotient = 0;
  for (const unsigned shift : {48U, 32U, 16U, 0U}) {
    const std::uint32_t piece = rest << 16U | (static_cast<std::uint32_t>(value >> shift) & 0xFFFF);
    quotient = quotient << 16U | piece / divisor;
    rest = piece % divisor;
  }
  value = quotient;
  return rest;
}

void write_utc(char (&text)[utc_text_size], std::uint64_t ms) {
  const std::uint32_t rest_ms = divide(ms, 1000);
  const auto seconds = static_cast<std::uint32_t>(ms);
  const Date date = date_of(seconds / 86'400);
  std::string_view("0000-00-00T00:00:00.000Z").copy(text, utc_text_size);
  put_digits(text, 4, date.year);
  put_digits(text + 5, 2, date.month);
  put_digits(text + 8, 2, date.day);
  put_digits(text + 11, 2, seconds / 3600 % 24);
  put_digits(text + 14, 2, seconds / 60 % 60);
  put_digits(text + 17, 2, seconds % 60);
  put_digits(text + 20, 3, rest_ms);
}

bool read_utc(std::string_view text, std::uint64_t& ms) {
  Reader reader(text);
  Date date{};
  date.year = reader.digits(4);
  reader.expect(reader.skip('-'));
  date.month = reader.digits(2);
  reader.expect(reader.skip('-'));
  date.day = reader.digits(2);
  const std::int32_t time_ms = reader.skip('T', 't') ? read_time(reader) : 0;
  if (!reader.ok() || !reader.at_end() || !exists(date)) return false;
  const std::int64_t result = std::int64_t{days_of(date)} * 86'400'000 + time_ms;
  if (result < 0) return false;
  ms = static_cast<std::uint64_t>(result);
  return true;
}

}  // namespace mcp::json
