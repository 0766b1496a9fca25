// SPDX-License-Identifier: Apache-2.0
#include "mcp/http/request_head.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "http/http1/http_text.hpp"
#include "mcp/json/text.hpp"

namespace mcp::http {
namespace {

constexpr std::string_view methods[] = {"POST", "GET", "DELETE", "OPTIONS"};
static_assert(std::size(methods) == static_cast<unsigned>(Method::other));
constexpr auto methods_table = packed<methods>();

// The value of Accept that the official clients send.
constexpr std::string_view both_types = "application/json, text/event-stream";
constexpr std::string_view json_type = both_types.substr(0, 16);
constexpr std::string_view event_type = both_types.substr(18);

using Word = std::size_t;

/// Returns the position after the last start of a word that ends before `end`; `begin` if no word does.
const char* last_word(const char* begin, const char* end) {
  return static_cast<std::size_t>(end - begin) < sizeof(Word) ? begin : end - sizeof(Word) + 1;
}

/// Returns the first control character in [at, end) other than the tab, or `end`. Reads a word at a time before `last`.
const char* skip_line(const char* at, const char* last, const char* end) {
  constexpr Word ones = static_cast<Word>(-1) / 0xFF;  // 0x01 in every byte
  constexpr Word highs = ones * 0x80;
  while (at < last) {
    Word word;
    std::memcpy(&word, at, sizeof word);
    // The high bit of a byte is set in `hits` if the byte is below 0x20 or above 0x7E. A carry can set it wrongly, but
    // only above another hit.
    const Word hits = ((word - ones * 0x20) | (word + ones)) & highs;
    if (hits == 0) {
      at += sizeof(Word);
      continue;
    }
    if constexpr (std::endian::native != std::endian::little) break;
    at += static_cast<unsigned>(std::countr_zero(hits)) / 8;
    if (is_control(*at)) return at;
    ++at;
  }
  while (at != end && !is_control(*at)) ++at;
  return at;
}

// The rank of a range that is the media type itself.
constexpr std::uint8_t best_fit = 6;

// In a head, the byte after each part is in no set.
bool is_all_of(const std::string_view& part, CharSet set) {
  return !part.empty() && skip(part.data(), set) == part.data() + part.size();
}

/// Ranks how closely a range without its parameters matches the media type. 0 is no match, and all ranks are even.
unsigned closeness(std::string_view name, const std::string_view& media_type) {
  if (equal_without_case(name, media_type)) return best_fit;
  if (is_word(name, "*/*")) return 2;
  if (!name.ends_with("/*"sv)) return 0;
  name.remove_suffix(1);
  return equal_without_case(name, media_type.substr(0, name.size())) ? 4 : 0;
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

void RequestHead::note_moved(std::string_view line, std::size_t by) {
  const Header header = named_header(line).header;
  if (header == Header::none) return;
  Slice& slice = values_[static_cast<unsigned>(header)];
  const std::size_t at = slice.at - by;
  const auto begin = static_cast<std::size_t>(line.data() - base_);
  // Only the first line of a list is a value.
  if (at >= begin && at < begin + line.size()) slice.at = static_cast<std::uint16_t>(at);
}

std::size_t RequestHead::set_apart(Header header, char* buffer, std::size_t filled) {
  Slice& value = values_[static_cast<unsigned>(header)];
  char* begin = buffer + value.at;
  char* end = begin;
  while (begin[-1] != '\n') --begin;
  while (*end++ != '\n') {
  }
  std::rotate(begin, end, buffer + filled);
  const auto size = static_cast<std::uint16_t>(end - begin);
  for (Slice& other : values_) {
    if (other.at > value.at) other.at = static_cast<std::uint16_t>(other.at - size);
  }
  value.at = static_cast<std::uint16_t>(value.at + (buffer + filled - end));
  size_ = static_cast<std::uint16_t>(size_ - size);
  return size;
}

bool RequestHead::is_head() const {
  const char* const line = base_ + (*base_ == '\r' ? 2 : 0);  // an empty line may come before it
  return std::memcmp(line, "HEAD ", 5) == 0;
}

RequestHead::Match RequestHead::find(std::string_view name) const {
  Match match{};
  std::string_view rest(fields_, static_cast<std::size_t>(base_ + size_ - 2 - fields_));
  while (!rest.empty()) {
    std::string_view line = read_until(rest, '\r');
    rest.remove_prefix(1);
    if (equal_without_case(read_until(line, ':'), name) && match.count++ == 0) match.value = trimmed(line);
  }
  return match;
}

// An odd rank allows the media type, an even rank does not.
void RequestHead::read_accept(std::string_view ranges) {
  if (equal_without_case(ranges, both_types)) {
    json_fit_ = event_fit_ = best_fit + 1;
    return;
  }
  while (!ranges.empty()) {
    std::string_view range = next_part(ranges, ',');
    const std::string_view name = trimmed(read_until(range, ';'));
    const unsigned allowed = has_zero_quality(range) ? 0 : 1;
    const auto note = [&](std::uint8_t& best, const std::string_view& media_type) {
      const unsigned rank = closeness(name, media_type);
      if (rank != 0) best = std::max(best, static_cast<std::uint8_t>(rank + allowed));
    };
    note(json_fit_, json_type);
    note(event_fit_, event_type);
  }
}

bool is_media_type(std::string_view content_type, const std::string_view& media_type) {
  return equal_without_case(content_type, media_type) ||
         equal_without_case(trimmed(read_until(content_type, ';')), media_type);
}

// ---- The check -----------------------------------------------------------------------------------------------------

// Not inlined, because the compiler would count the offsets of members from the exchange, and each takes a longer
// instruction.
[[gnu::noinline]] ParseError RequestHead::read_request_line(const char* base, std::string_view line) {
  base_ = base;
  fields_ = line.data() + line.size() + 2;
  const std::string_view method = read_until(line, ' ');
  const std::string_view target = read_until(line, ' ');
  const char* const version = line.data();
  if (!is_all_of(method, CharSet::token) || line.size() != 8 || std::memcmp(version, "HTTP/", 5) != 0)
    return ParseError::bad_request_line;
  minor_version_ = static_cast<std::uint8_t>(version[7] - '0');
  if (version[5] != '1' || version[6] != '.' || minor_version_ > 1) return ParseError::unsupported_version;

  unsigned index = 0;
  while (index < std::size(methods) && !json::equal(method, packed_at(methods_table.data(), index))) ++index;
  method_ = static_cast<Method>(index);
  return check_target(target);
}

ParseError RequestHead::check_target(std::string_view target) {
  if (!is_all_of(target, CharSet::target)) return ParseError::bad_target;
  if (target.front() != '/' && (method_ != Method::options || !is_word(target, "*"))) {
    // A server must accept the absolute form, although clients send it only to proxies (RFC 9112 section 3.2.2).
    if (!skip_scheme(target)) return ParseError::bad_target;
    std::size_t size = 0;
    while (size != target.size() && target[size] != '/' && target[size] != '?') ++size;
    if (size == 0) return ParseError::bad_target;
    authority_ = {target.data(), size};
    target.remove_prefix(size);
  }
  path_ = read_until(target, '?');
  if (path_.empty()) path_ = "/"sv;
  query_ = target;
  return ParseError::none;
}

[[gnu::noinline]] ParseError RequestHead::read_field(std::string_view line) {
  const auto [header, size] = named_header(line);
  if (header == Header::none) {
    const char* const end = skip(line.data(), CharSet::token);
    return end != line.data() && *end == ':' ? ParseError::none : ParseError::bad_field;
  }
  line.remove_prefix(size + 1U);
  const std::string_view value = trimmed(line);
  if (!has(header)) {
    set(header, value);
  } else if (header >= first_single_header) {
    return ParseError::repeated_field;
  }
  if (header == Header::accept) read_accept(value);
  if (header == Header::expect && list_has(value, "100-continue")) expects_continue_ = true;
  if (header == Header::connection && list_has(value, "close")) closes_ = true;
  return ParseError::none;
}

[[gnu::noinline]] ParseError RequestHead::finish(std::size_t size) {
  size_ = static_cast<std::uint16_t>(size);
  // A client without the header accepts each type. Source: RFC 9110 section 12.5.1.
  if (!has(Header::accept)) json_fit_ = event_fit_ = best_fit + 1;
  const ParseError error = check_host();
  return error == ParseError::none ? check_body() : error;
}

// RFC 9112 section 3.2: a request of HTTP/1.1 has one valid Host. An authority in the target must be equal to it.
ParseError RequestHead::check_host() {
  if (!has(Header::host) && is_http_1_0()) {
    if (authority_.empty()) return ParseError::none;
    set(Header::host, authority_);
  }
  const std::string_view host = value(Header::host);
  if (!is_all_of(host, CharSet::authority)) return ParseError::bad_host;
  return authority_.empty() || equal_without_case(authority_, host) ? ParseError::none : ParseError::bad_host;
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
  while (!codings.empty()) is_last = equal_without_case(next_part(codings, ','), chunked);
  if (!is_last) return ParseError::bad_coding;
  // All other lists are rejected, even empty parts in addition to `chunked`, because a proxy may frame the body
  // differently.
  return chunked_ ? ParseError::none : ParseError::unknown_coding;
}

// ---- The lines -----------------------------------------------------------------------------------------------------

// The line ends with the CR at `end`. `done` means that it is the empty line after the head. Inlined, because it is the
// body of the loop of read().
[[gnu::always_inline]] inline Progress RequestHeadReader::read_line(const char* text, const char* end,
                                                                    RequestHead& head) {
  const char* const begin = text + line_;
  const bool is_first = line_ == start_;
  line_ = static_cast<std::uint16_t>(end + 2 - text);
  if (begin != end) {
    const std::string_view line(begin, static_cast<std::size_t>(end - begin));
    const ParseError error = is_first ? head.read_request_line(text, line) : head.read_field(line);
    return error == ParseError::none ? Progress::more : reject(error);
  }
  if (!is_first) return reject(head.finish(line_));
  if (start_ != 0) return reject(ParseError::bad_request_line);
  start_ = line_;
  return Progress::more;
}

Progress RequestHeadReader::read(std::span<const char> buffer, std::size_t filled, RequestHead& head) {
  const std::size_t limit = std::min(buffer.size(), max_size);
  const char* const text = buffer.data();
  const char* const end = text + std::min(filled, limit);
  const char* const last = last_word(text, end);
  const char* at = text + scanned_;
  for (;; at += 2) {
    at = skip_line(at, last, end);
    if (end - at < 2 && (at == end || *at == '\r')) break;
    if (at[0] != '\r' || at[1] != '\n') return reject(ParseError::control_character);
    const Progress progress = read_line(text, at, head);
    if (progress != Progress::more) return progress;
  }
  scanned_ = static_cast<std::uint16_t>(at - text);
  if (end != text + limit) return Progress::more;
  if (line_ != start_) return reject(ParseError::head_too_long);
  std::string_view line(text + start_, limit - start_);
  const bool in_method = read_until(line, ' ').size() == limit - start_;
  return reject(in_method ? ParseError::bad_request_line : ParseError::target_too_long);
}

namespace {

// True for the line of a field that is not read. The line may have no end yet, but it has a colon.
bool is_unread(std::string_view line, RequestHeadReader::Reads reads, const void* context) {
  if (named_header(line).header != Header::none) return false;
  const std::string_view rest = line;
  const std::string_view name = read_until(line, ':');
  if (name.size() == rest.size() || equal_without_case(name.substr(0, 4), "Mcp-")) return false;
  return reads == nullptr || !reads(context, name);
}

}  // namespace

// One pass, in which each kept line is moved once.
std::size_t RequestHeadReader::make_space(char* buffer, std::size_t filled, RequestHead& head, Reads reads,
                                          const void* context) {
  char* to = buffer + (head.fields() - buffer);
  char* from = to;
  const auto keep = [&to, &from](std::size_t size) {
    std::memmove(to, from, size);
    to += size;
    from += size;
  };
  const char* const last = buffer + line_;
  while (from != last) {
    const auto left = static_cast<std::size_t>(last - from);
    const auto size = static_cast<std::size_t>(static_cast<char*>(std::memchr(from, '\n', left)) + 1 - from);
    if (is_unread({from, size}, reads, context)) {
      from += size;
      continue;
    }
    const auto by = static_cast<std::size_t>(from - to);
    keep(size);
    head.note_moved({to - size, size}, by);
  }
  line_ = static_cast<std::uint16_t>(to - buffer);
  char* const scanned = buffer + scanned_;
  const std::string_view rest(from, static_cast<std::size_t>(scanned - from));
  // Keeps the name, so that the rest of the line is read as a part of this field.
  if (is_unread(rest, reads, context)) {
    keep(rest.find(':') + 1);
  } else {
    keep(rest.size());
  }
  const auto size = static_cast<std::size_t>(scanned - to);
  const std::size_t units = dropped_ + (size + dropped_unit - 1) / dropped_unit;
  scanned_ = static_cast<std::uint16_t>(to - buffer);
  if (size != 0 && units <= max_dropped / dropped_unit) {
    dropped_ = static_cast<std::uint8_t>(units);
    error_ = ParseError::none;
  }
  std::memmove(to, scanned, static_cast<std::size_t>(buffer + filled - scanned));
  return size;
}

Progress RequestHeadReader::reject(ParseError error) {
  error_ = error;
  return error == ParseError::none ? Progress::done : Progress::rejected;
}

}  // namespace mcp::http
