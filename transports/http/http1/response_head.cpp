// SPDX-License-Identifier: Apache-2.0
#include "http/http1/response_head.hpp"

#include <cstring>

#include "http/http1/http_text.hpp"

namespace mcp::http {

ResponseHead::ResponseHead(std::span<char> into)
    : at_(into.data()), begin_(into.data()), end_(into.data() + into.size()) {}

void ResponseHead::begin(const std::string_view& name) {
  add("\r\n"sv);
  add(name);
  add(": "sv);
}

void ResponseHead::append(const std::string_view& value) {
  for (const char c : value) failed_ = failed_ || is_control(c);
  add(value);
}

void ResponseHead::add(const std::string_view& text) {
  failed_ = failed_ || text.size() > static_cast<std::size_t>(end_ - at_);
  if (failed_ || text.empty()) return;
  std::memcpy(at_, text.data(), text.size());
  at_ += text.size();
}

void frame_chunk(char*& begin, char*& end) {
  auto size = static_cast<std::size_t>(end - begin);
  *end++ = '\r';
  *end++ = '\n';
  char* at = put_before(begin, "\r\n");
  do {
    *--at = "0123456789abcdef"[size & 15];
    size >>= 4;
  } while (size != 0);
  begin = at;
}

}  // namespace mcp::http
