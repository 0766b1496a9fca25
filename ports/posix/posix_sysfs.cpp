// SPDX-License-Identifier: Apache-2.0
#include "ports/posix/posix_sysfs.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace mcp::posix {
namespace {

constexpr std::size_t most_digits = 64;

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\0'; }

}  // namespace

bool parse_number(std::string_view text, double& value) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  double divisor = 1;
  bool has_digits = false;
  bool has_point = false;
  for (const char c : text) {
    if (c == '.' && !has_point) {
      has_point = true;
    } else if (is_digit(c)) {
      has_digits = true;
      number = number * 10 + (c - '0');
      if (has_point) divisor *= 10;
    } else {
      return false;
    }
  }
  if (has_digits) value = (is_negative ? -number : number) / divisor;
  return has_digits;
}

int read_line(const char* path, std::span<char> into, std::string_view& text) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  const ssize_t got = read(file, into.data(), into.size());
  const int error = got < 0 ? errno : ENODATA;
  close(file);
  if (got <= 0) return error;
  text = {into.data(), static_cast<std::size_t>(got)};
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return 0;
}

int read_number(const char* path, double& value) {
  char bytes[most_digits];
  std::string_view text;
  if (const int error = read_line(path, bytes, text); error != 0) return error;
  return parse_number(text, value) ? 0 : EBADMSG;
}

}  // namespace mcp::posix
