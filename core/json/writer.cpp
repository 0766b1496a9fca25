// SPDX-License-Identifier: Apache-2.0
#include "mcp/json/writer.hpp"

#include <bit>
#include <cstring>

#include "json/base64.hpp"
#include "mcp/assert.hpp"
#include "mcp/json/number.hpp"
#include "mcp/json/number_text.hpp"
#include "mcp/json/scan.hpp"
#include "mcp/json/utf8.hpp"

namespace mcp::json {
namespace {

// Compares the bits of the exponent, so that a core without an FPU links no floating-point arithmetic.
bool is_finite(float value) { return (std::bit_cast<std::uint32_t>(value) & 0x7F80'0000) != 0x7F80'0000; }
bool is_finite(double value) { return (std::bit_cast<std::uint64_t>(value) >> 52 & 0x7FF) != 0x7FF; }

}  // namespace

void Writer::rollback(const Mark& mark) {
  MCP_DEBUG_ASSERT(begin_ <= mark.at && mark.at <= end_);
  at_ = mark.at;
  comma_ = mark.comma;
  quoted_ = mark.quoted;
  ok_ = true;
}

std::size_t Writer::reserve(std::size_t bytes) {
  if (rest().size() < bytes) {
    ok_ = false;
    bytes = rest().size();
  }
  end_ -= bytes;
  return bytes;
}

void Writer::put(char c) {
  const bool escape = quoted_ && (c == '"' || c == '\\');
  if (rest().size() < (escape ? 2u : 1u)) ok_ = false;
  if (!ok_) return;
  if (escape) *at_++ = '\\';
  *at_++ = c;
}

void Writer::put(const char* text, std::size_t size) {
  if (quoted_) {
    for (; size != 0; --size) put(*text++);
    return;
  }
  if (rest().size() < size) ok_ = false;
  if (!ok_) return;
  char* const to = at_;
  at_ += size;
  std::memcpy(to, text, size);
}

void Writer::separate() {
  if (comma_) put(',');
  comma_ = true;
}

void Writer::open(char bracket) {
  separate();
  put(bracket);
  comma_ = false;
}

void Writer::close(char bracket) {
  put(bracket);
  comma_ = true;
}

void Writer::put_key(const char* text, std::size_t size) {
  string_begin();
  put_text(text, size);
  key_end();
}

void Writer::put_string(const char* text, std::size_t size) {
  string_begin();
  put_text(text, size);
  string_end();
}

void Writer::boolean(bool value) {
  if (value) {
    fragment("true");
  } else {
    fragment("false");
  }
}

void Writer::put_fragment(const char* json, std::size_t size) {
  // Comments on braces also apply to square brackets.
  if (comma_ && (*json | 0x20) != '}') put(',');
  const char last = json[size - 1];
  comma_ = (last | 0x20) != '{' && last != ':';
  put(json, size);
}

void Writer::string_begin() {
  separate();
  put('"');
}

void Writer::string_end() { put('"'); }

void Writer::key_end() {
  put('"');
  put(':');
  comma_ = false;
}

void Writer::put_text(const char* at, std::size_t size) {
  const char* const end = at + size;
  while (at != end && ok_) {
    const char* const plain = skip_plain(at, end);
    put(at, static_cast<std::size_t>(plain - at));
    at = plain;
    if (at == end) return;
    const std::size_t length = utf8_length(at, end);
    if (length == 0) {
      put("\xEF\xBF\xBD", 3);
      ++at;
    } else if (length == 1) {
      put_escaped(*at++);
    } else {
      put(at, length);
      at += length;
    }
  }
}

void Writer::append(const char* piece) { put_text(piece, std::strlen(piece)); }

void Writer::put_escaped(char c) {
  constexpr std::string_view controls = "\b\t\n\f\r";
  constexpr std::string_view letters = "btnfr";
  put('\\');
  const auto byte = static_cast<std::uint8_t>(c);
  if (byte >= 0x20) return put(c);
  if (const std::size_t i = controls.find(c); i != std::string_view::npos) return put(letters[i]);
  constexpr std::string_view hex = "0123456789abcdef";
  put("u00", 3);
  put(hex[byte >> 4]);
  put(hex[byte & 15]);
}

void Writer::quoted_begin() {
  string_begin();
  quoted_ = true;
  comma_ = false;
}

void Writer::quoted_end() {
  quoted_ = false;
  string_end();
  comma_ = true;
}

void Writer::put_raw(const char* json, std::size_t size) {
  separate();
  for (; size != 0; --size, ++json) {
    if (*json != '\n' && *json != '\r') put(*json);
  }
}

void Writer::copy(Text value) {
  std::string_view text = value;
  for (separate();; comma_ = false) {
    const std::size_t open = text.find(decoded_open);
    comma_ = false;
    put_raw(text.data(), open < text.size() ? open : text.size());
    if (open >= text.size()) return;
    const std::size_t close = text.find(decoded_close, open);
    comma_ = false;
    put_string(text.data() + open + 1, close - open - 1);
    text.remove_prefix(close + 1);
  }
}

void Writer::base64(std::span<const std::uint8_t> bytes) {
  string_begin();
  append_base64(bytes);
  string_end();
}

void Writer::append_base64(std::span<const std::uint8_t> bytes) {
  if (ok_ && rest().size() >= base64_size(bytes.size())) {
    at_ = write_base64(at_, bytes);
  } else {
    ok_ = false;
  }
}

void Writer::append_number(std::int64_t value) {
  if (ok_ && rest().size() >= max_integer_chars) {
    at_ = write_number(at_, value);  // none of its characters is ever escaped
    return;
  }
  char text[max_integer_chars];
  put(text, static_cast<std::size_t>(write_number(text, value) - text));
}

void Writer::append_number(std::uint64_t value) {
  char text[max_integer_chars];
  put(text, static_cast<std::size_t>(write_number(text, value) - text));
}

void Writer::append_number(float value) {
  if (!is_finite(value)) return put("null", 4);
  char text[max_float_chars];
  put(text, static_cast<std::size_t>(write_number(text, value) - text));
}

void Writer::append_number(double value) {
  if (!is_finite(value)) return put("null", 4);
  char text[max_double_chars];
  put(text, static_cast<std::size_t>(write_number(text, value) - text));
}

void Writer::append_number(Scaled value) {
  char text[max_integer_chars];
  char* const end = text + sizeof text;
  const char* const at = number_text::write_scaled(end, value.value, value.decimals);
  put(at, static_cast<std::size_t>(end - at));
}

void Writer::signed_number(std::int64_t value) {
  number_begin();
  append_number(value);
}

void Writer::unsigned_number(std::uint64_t value) {
  number_begin();
  append_number(value);
}

void Writer::number(float value) {
  number_begin();
  append_number(value);
}

void Writer::number(Scaled value) {
  number_begin();
  append_number(value);
}

void Writer::number(double value) {
  number_begin();
  append_number(value);
}

}  // namespace mcp::json
