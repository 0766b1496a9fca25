// SPDX-License-Identifier: Apache-2.0
#include "kit/actions/date_time.hpp"

#include <cstddef>

namespace mcp::protocol {
namespace {

// Reads a text from its front.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  // A number of exactly `digits` digits from `minimum` to `maximum`.
  std::uint32_t number(unsigned digits, std::uint32_t minimum, std::uint32_t maximum) {
    std::uint32_t value = 0;
    for (; digits != 0; --digits) value = value * 10 + digit();
    ok_ = ok_ && value >= minimum && value <= maximum;
    return value;
  }
  // One of two characters.
  void mark(char one, char other) {
    const char c = next();
    ok_ = ok_ && (c == one || c == other);
  }
  // The milliseconds of a fraction.
  std::uint32_t fraction() {
    std::uint32_t value = 0;
    unsigned digits = 0;
    for (; !rest_.empty() && is_digit(rest_.front()); ++digits) {
      const std::uint32_t read = digit();
      if (digits < 3) value = value * 10 + read;
    }
    ok_ = ok_ && digits != 0;
    for (; digits < 3; ++digits) value *= 10;
    return value;
  }
  [[nodiscard]] char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  char next() {
    const char c = peek();
    if (!rest_.empty()) rest_.remove_prefix(1);
    return c;
  }
  [[nodiscard]] bool is_complete() const { return ok_ && rest_.empty(); }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  std::uint32_t digit() {
    const char c = next();
    ok_ = ok_ && is_digit(c);
    return static_cast<std::uint32_t>(c - '0') & 0xF;
  }

  std::string_view rest_;
  bool ok_ = true;
};

constexpr bool is_leap(std::uint32_t year) { return year % 4 == 0; }  // from 1970 to 2099

constexpr std::uint32_t days_in(std::uint32_t month, std::uint32_t year) {
  if (month == 2) return is_leap(year) ? 29 : 28;
  return 30 + ((month + month / 8) & 1);
}

// Since 1970.
constexpr std::uint32_t days_before(std::uint32_t year, std::uint32_t month) {
  std::uint32_t days = (year - 1970) * 365 + (year - 1969) / 4;
  for (std::uint32_t i = 1; i < month; ++i) days += days_in(i, year);
  return days;
}
static_assert(days_before(1970, 1) == 0 && days_before(2000, 3) == 11'017 && days_before(2026, 1) == 20'454);

}  // namespace

bool read_date_time(std::string_view text, std::uint64_t& utc_ms) {
  Reader in(text);
  const std::uint32_t year = in.number(4, 1970, 2099);
  in.mark('-', '-');
  const std::uint32_t month = in.number(2, 1, 12);
  in.mark('-', '-');
  const std::uint32_t day = in.number(2, 1, days_in(month, year));
  in.mark('T', 't');
  const std::uint32_t hour = in.number(2, 0, 23);
  in.mark(':', ':');
  const std::uint32_t minute = in.number(2, 0, 59);
  in.mark(':', ':');
  const std::uint32_t second = in.number(2, 0, 60);
  std::uint32_t ms = 0;
  if (in.peek() == '.') {
    in.next();
    ms = in.fraction();
  }
  std::uint32_t offset = 0;  // in minutes
  const char zone = in.next();
  if (zone == '+' || zone == '-') {
    offset = in.number(2, 0, 23) * 60;
    in.mark(':', ':');
    offset += in.number(2, 0, 59);
  } else if (zone != 'Z' && zone != 'z') {
    return false;
  }
  if (!in.is_complete()) return false;
  // One day more, so that an offset gives no negative number.
  std::uint32_t seconds = ((days_before(year, month) + day) * 24 + hour) * 3600 + minute * 60 + second;
  seconds = zone == '-' ? seconds + offset * 60 : seconds - offset * 60;
  if (seconds < 86'400) return false;
  utc_ms = std::uint64_t{seconds - 86'400} * 1000 + ms;
  return true;
}

}  // namespace mcp::protocol
