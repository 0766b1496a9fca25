// SPDX-License-Identifier: Apache-2.0
#include "mcp/http/request_head.hpp"

#include <algorithm>
#include <cstring>

#include "http/http1/http_text.hpp"
#include "mcp/json/scan.hpp"
#include "mcp/json/text.hpp"

namespace mcp::http {
namespace {

/// The characters of a target and of an authority, in addition to letters and digits. Source: RFC 3986 section 2.
constexpr CharSet target_chars("-._~%!$&'()*+,;=:@/?[]");
constexpr CharSet authority_chars("-._~%!$&'()*+,;=:[]");

constexpr std::string_view methods[] = {"GET", "POST", "DELETE", "OPTIONS"};
static_assert(std::size(methods) == static_cast<unsigned>(Method::other));
constexpr auto methods_table = packed<methods>();

struct Field {
  std::string_view name;  // empty without a colon; check_fields() rejects an empty name
  std::string_view value;
};

/// Removes the next field from `rest`, which has scanned and complete lines only.
Field take_field(std::string_view& rest) {
  std::string_view line = take_until(rest, '\r');
  rest.remove_prefix(1);
  const std::string_view name = take_until(line, ':');
  const bool has_colon = line.data() != name.data() + name.size();
  return {has_colon ? name : std::string_view(), trimmed(line)};
}

/// True for a q-value of zero, such as "0" or "0.000".
bool is_zero(std::string_view number) {
  for (const char c : number) {
    if (c != '0' && c != '.') return false;
  }
  return true;
}

/// Ranks how closely a range without its parameters matches the media type. 0 is no match, and all ranks are even.
unsigned closeness(std::string_view name, const std::string_view& media_type) {
  if (equal_without_case(name, media_type)) return 6;
  if (is_word(name, "*/*")) return 2;
  if (!name.ends_with("/*"sv)) return 0;
  name.remove_suffix(1);
  return equal_without_case(name, media_type.substr(0, name.size())) ? 4 : 0;
}

/// Ranks a range of Accept with its parameters. An odd rank allows the media type, an even rank does not.
unsigned fit(std::string_view range, const std::string_view& media_type) {
  const unsigned rank = closeness(take_part(range, ';'), media_type);
  if (rank == 0) return 0;
  while (!range.empty()) {
    std::string_view parameter = take_part(range, ';');
    if (is_word(take_until(parameter, '='), "q") && is_zero(parameter)) return rank;
  }
  return rank + 1;
}

}  // namespace

// ---- The fields ----------------------------------------------------------------------------------------------------

// Not inlined, because it takes more code than a call and has many callers.
[[gnu::noinline]] std::string_view RequestHead::value(Header header) const {
  const Slice slice = values_[static_cast<unsigned>(header)];
  return {base_ + slice.at, slice.size};
}

void RequestHead::set(Header header, std::string_view value) {
  values_[static_cast<unsigned>(header)] = {static_cast<std::uint16_t>(value.data() - base_),
                                            static_cast<std::uint16_t>(value.size())};
}

RequestHead::Match RequestHead::find(std::string_view name) const {
  Match match{};
  std::string_view rest = fields_;
  while (!rest.empty()) {
    const Field field = take_field(rest);
    if (equal_without_case(field.name, name) && match.count++ == 0) match.value = field.value;
  }
  return match;
}

bool RequestHead::accepts(const std::string_view& media_type) const {
  unsigned best = 0;
  std::string_view ranges = value(Header::accept);
  std::string_view rest = a_list_goes_on_ ? fields_ : std::string_view();
  for (;;) {
    while (!ranges.empty()) best = std::max(best, fit(take_part(ranges, ','), media_type));
    if (rest.empty()) return best % 2 != 0;
    const Field field = take_field(rest);
    if (request_header(field.name) == Header::accept) ranges = field.value;
  }
}

bool is_media_type(std::string_view content_type, const std::string_view& media_type) {
  return equal_without_case(take_part(content_type, ';'), media_type);
}

// ---- The check -----------------------------------------------------------------------------------------------------

// Not inlined: the compiler would count the offsets of members from the exchange, and each takes a longer instruction.
[[gnu::noinline]] ParseError RequestHead::check(const char* base, std::size_t at, std::size_t size) {
  // json::skip_plain() skips DEL, which JSON strings may contain and a head may not.
  if (std::memchr(base, 0x7F, size) != nullptr) return ParseError::control_character;
  base_ = base;
  size_ = static_cast<std::uint16_t>(size);
  fields_ = {base + at, size - at - 2};
  const std::string_view line = take_until(fields_, '\r');
  fields_.remove_prefix(1);

  std::string_view authority;
  ParseError error = check_request_line(line, authority);
  if (error == ParseError::none) error = check_fields();
  if (error == ParseError::none) error = check_host(authority);
  if (error == ParseError::none) error = check_body();
  return error;
}

ParseError RequestHead::check_request_line(std::string_view line, std::string_view& authority) {
  const std::string_view method = take_until(line, ' ');
  const std::string_view target = take_until(line, ' ');
  const char* const version = line.data();
  if (!token_chars.makes_up(method) || line.size() != 8 || std::memcmp(version, "HTTP/", 5) != 0)
    return ParseError::bad_request_line;
  minor_version_ = static_cast<std::uint8_t>(version[7] - '0');
  if (version[5] != '1' || version[6] != '.' || minor_version_ > 1) return ParseError::unsupported_version;

  unsigned index = 0;
  while (index < std::size(methods) && !json::equal(method, packed_at(methods_table.data(), index))) ++index;
  method_ = static_cast<Method>(index);
  return check_target(target, authority);
}

ParseError RequestHead::check_target(std::string_view target, std::string_view& authority) {
  if (!target_chars.makes_up(target)) return ParseError::bad_target;
  if (target.front() != '/' && (method_ != Method::options || !is_word(target, "*"))) {
    // A server must accept the absolute form, although clients send it only to proxies (RFC 9112 section 3.2.2).
    if (!take_scheme(target)) return ParseError::bad_target;
    std::size_t size = 0;
    while (size != target.size() && target[size] != '/' && target[size] != '?') ++size;
    if (size == 0) return ParseError::bad_target;
    authority = {target.data(), size};
    target.remove_prefix(size);
  }
  path_ = take_until(target, '?');
  if (path_.empty()) path_ = "/"sv;
  query_ = target;
  return ParseError::none;
}

ParseError RequestHead::check_fields() {
  std::string_view rest = fields_;
  while (!rest.empty()) {
    const Field field = take_field(rest);
    const Header header = request_header(field.name);
    if (header == Header::none) {
      // The names of the table are valid, so only others are checked.
      if (!token_chars.makes_up(field.name)) return ParseError::bad_field;
      continue;
    }
    if (!has(header)) {
      set(header, field.value);
    } else if (header >= first_single_header) {
      return ParseError::repeated_field;
    } else {
      a_list_goes_on_ = true;
    }
    if (header == Header::expect && list_has(field.value, "100-continue")) expects_continue_ = true;
    if (header == Header::connection && list_has(field.value, "close")) closes_ = true;
  }
  return ParseError::none;
}

// RFC 9112 section 3.2: a request of HTTP/1.1 has one valid Host. An authority in the target must be equal to it.
ParseError RequestHead::check_host(std::string_view authority) {
  if (!has(Header::host) && is_http_1_0()) {
    if (authority.empty()) return ParseError::none;
    set(Header::host, authority);
  }
  const std::string_view host = value(Header::host);
  if (!authority_chars.makes_up(host)) return ParseError::bad_host;
  return authority.empty() || equal_without_case(authority, host) ? ParseError::none : ParseError::bad_host;
}

ParseError RequestHead::check_body() {
  if (has(Header::transfer_encoding)) return check_coding();
  if (!has(Header::content_length)) return method_ == Method::post ? ParseError::length_required : ParseError::none;

  const std::string_view length = value(Header::content_length);
  if (length.empty()) return ParseError::bad_length;
  std::size_t bytes = 0;
  for (const char c : length) {
    if (!is_digit(c)) return ParseError::bad_length;
    // A length that is too large stays SIZE_MAX, because a wrapped length could pass for a small one.
    constexpr std::size_t most = (SIZE_MAX - 9) / 10;
    bytes = bytes > most ? SIZE_MAX : bytes * 10 + static_cast<std::size_t>(c - '0');
  }
  content_length_ = bytes;
  return ParseError::none;
}

ParseError RequestHead::check_coding() {
  if (has(Header::content_length)) return ParseError::length_and_coding;
  // RFC 9112 section 6.1: HTTP/1.0 has no transfer codings, so the framing of a request with one is not reliable.
  if (is_http_1_0()) return ParseError::bad_coding;
  std::string_view codings = value(Header::transfer_encoding);
  constexpr std::string_view chunked = "chunked";
  chunked_ = codings.size() == chunked.size();
  bool is_last = false;
  while (!codings.empty()) is_last = equal_without_case(take_part(codings, ','), chunked);
  if (!is_last) return ParseError::bad_coding;
  // All other lists are rejected, even empty parts beside `chunked`, because a proxy may frame such a body differently.
  return chunked_ ? ParseError::none : ParseError::unknown_coding;
}

// ---- The end of the head -------------------------------------------------------------------------------------------

Progress RequestHeadReader::read(std::span<const char> buffer, std::size_t filled, RequestHead& head) {
  const std::size_t limit = std::min(buffer.size(), max_size);
  const std::size_t end = std::min(filled, limit);
  const char* const text = buffer.data();
  std::size_t at = scanned_;
  for (;; ++at) {
    at = static_cast<std::size_t>(json::skip_plain(text + at, text + end) - text);
    if (at == end) break;
    const char c = text[at];
    if (static_cast<std::uint8_t>(c) >= 0x20 || c == '\t') continue;
    if (c == '\r' && at + 1 == end) break;
    if (c != '\r' || text[at + 1] != '\n') return reject(ParseError::control_character);
    const bool empty = at == line_;
    const bool in_front = at == start_;
    ++at;
    line_ = static_cast<std::uint16_t>(at + 1);
    if (in_front) {
      if (start_ != 0) return reject(ParseError::bad_request_line);
      start_ = line_;
    } else if (empty) {
      return reject(head.check(text, start_, line_));
    }
  }
  scanned_ = static_cast<std::uint16_t>(at);
  if (end != limit) return Progress::more;
  if (line_ != start_) return reject(ParseError::head_too_long);
  std::string_view line(text + start_, limit - start_);
  const bool in_method = take_until(line, ' ').size() == limit - start_;
  return reject(in_method ? ParseError::bad_request_line : ParseError::target_too_long);
}

Progress RequestHeadReader::reject(ParseError error) {
  error_ = error;
  return error == ParseError::none ? Progress::done : Progress::rejected;
}

}  // namespace mcp::http
