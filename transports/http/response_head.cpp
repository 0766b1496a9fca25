#include "transports/http/response_head.hpp"

#include <cstring>

#include "mcp/assert.hpp"
#include "transports/http/text.hpp"

namespace mcp::http {

ResponseHead::ResponseHead(std::span<char> into, Status status)
    : at_(into.data()), begin_(into.data()), end_(into.data() + into.size()) {
  add("HTTP/1.1 "sv);
  add(line_of(status));
}

void ResponseHead::begin(Header name) {
  add("\r\n"sv);
  add(name_of(name));
  add(": "sv);
}

void ResponseHead::append(const std::string_view& value) {
  for (const char c : value) failed_ = failed_ || is_control(c);
  add(value);
}

ResponseHead& ResponseHead::field(Header name, const std::string_view& value) {
  begin(name);
  append(value);
  return *this;
}

ResponseHead& ResponseHead::field(Header name, const char* value) { return field(name, std::string_view(value)); }

ResponseHead& ResponseHead::field(Header name, std::uint32_t number) {
  char digits[10];
  char* at = digits + sizeof digits;
  do {
    *--at = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  return field(name, {at, static_cast<std::size_t>(digits + sizeof digits - at)});
}

std::span<const char> ResponseHead::finish() {
  add("\r\n\r\n"sv);
  if (failed_) return {};
  return {begin_, static_cast<std::size_t>(at_ - begin_)};
}

void ResponseHead::add(const std::string_view& text) {
  failed_ = failed_ || text.size() > static_cast<std::size_t>(end_ - at_);
  if (failed_ || text.empty()) return;
  std::memcpy(at_, text.data(), text.size());
  at_ += text.size();
}

std::span<const char> frame_chunk(std::span<char> room, std::size_t data_size) {
  MCP_ASSERT(room.size() >= chunk_prefix_size + chunk_suffix_size &&
             data_size <= room.size() - chunk_prefix_size - chunk_suffix_size);
  if (data_size == 0) return {};
  // Always as many digits, so that the data need not be moved when its size is known.
  std::size_t rest = data_size;
  for (std::size_t i = chunk_prefix_size - 2; i-- != 0; rest >>= 4) room[i] = "0123456789abcdef"[rest & 15];
  const auto end_line = [&](std::size_t at) { std::memcpy(room.data() + at, "\r\n", 2); };
  end_line(chunk_prefix_size - 2);
  end_line(chunk_prefix_size + data_size);
  return room.first(chunk_prefix_size + data_size + chunk_suffix_size);
}

}  // namespace mcp::http
