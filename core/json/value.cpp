// SPDX-License-Identifier: Apache-2.0
#include "mcp/json/value.hpp"

#include <cstring>

#include "mcp/json/raw_string.hpp"
#include "mcp/json/scan.hpp"
#include "mcp/json/utf8.hpp"

namespace mcp::json {
namespace {

// The position of the quote or mark that ends the string which starts at `at`.
char* string_end(char* at) {
  if (*at++ == decoded_open) {
    while (*at != decoded_close) ++at;
    return at;
  }
  while (*at != '"') at += *at == '\\' ? 2 : 1;
  return at;
}

bool starts_string(char c) { return c == '"' || c == decoded_open; }

// The end of the value at `at`. A loop over the brackets, because the text is well formed.
char* skip_value(char* at) {
  unsigned depth = 0;
  do {
    const char c = *at;
    const char brace = static_cast<char>(c | 0x20);  // also matches a square bracket
    if (starts_string(c)) {
      at = string_end(at);
    } else if (brace == '{') {
      ++depth;
    } else if (brace == '}') {
      --depth;
    } else if (depth == 0) {
      // The only character of numbers and words up to the comma is a plus.
      while ((at[1] > ',' && (at[1] | 0x20) != '}') || at[1] == '+') ++at;
    }
    ++at;
  } while (depth != 0);
  return at;
}

char* behind_space(char* at) { return const_cast<char*>(skip_space(at)); }

// Returns the first item of a container if its bracket is at `at`, or the item after the item at `at`; nullptr at the
// end.
char* next_item(char* at, bool inside) {
  at = behind_space(inside ? skip_value(at) : at + 1);
  if (*at == ',') at = behind_space(at + 1);
  return (*at | 0x20) != '}' ? at : nullptr;  // also matches a square bracket
}

// Returns the number of digits at `at`, or 0 if a fraction or an exponent follows. `value` gets the number modulo 2^32.
std::size_t read_digits(const char* at, std::uint32_t& value) {
  const char* const begin = at;
  value = 0;
  for (; static_cast<std::uint8_t>(*at - '0') < 10; ++at) value = value * 10 + static_cast<std::uint32_t>(*at - '0');
  return *at != '.' && (*at | 0x20) != 'e' ? static_cast<std::size_t>(at - begin) : 0;
}

std::uint32_t hex4(const char* at) {
  std::uint32_t unit = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = at[i];
    unit = (unit << 4) | static_cast<std::uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return unit;
}

// The character after `c` in a list of pairs; `otherwise` if the list does not contain `c`.
char mapped(char c, const char* pairs, char otherwise) {
  for (; *pairs != '\0'; pairs += 2) {
    if (*pairs == c) return pairs[1];
  }
  return otherwise;
}

// Decodes one escape into bytes, the first one lowest. `at` is after the backslash, and is moved to the end of the
// escape.
std::uint32_t decode_escape(const char*& at) {
  const char c = *at++;
  if (c != 'u') return static_cast<std::uint8_t>(mapped(c, "b\bf\fn\nr\rt\t", c));
  std::uint32_t code = hex4(at);
  at += 4;
  if (code >= 0xD800 && code <= 0xDBFF) {
    code = 0x10000 + ((code - 0xD800) << 10) + (hex4(at + 2) - 0xDC00);
    at += 6;
  }
  return utf8_bytes(code);
}

// Decodes the rest of a string in place. Returns the mark that ends it.
[[gnu::noinline]] char* decode(char* open, char* first_escape) {
  char* to = first_escape;
  DecodedBytes bytes(first_escape);
  while (bytes.next()) *to++ = bytes.byte();
  // Every escape is longer than its character, so there is space for the closing mark.
  *open = decoded_open;
  *to = decoded_close;
  std::memset(to + 1, ' ', static_cast<std::size_t>(bytes.at() - to));
  return to;
}

}  // namespace

bool DecodedBytes::next() {
  bytes_ >>= 8;
  if (bytes_ != 0) return true;
  if (*at_ == '"') return false;
  bytes_ = static_cast<std::uint8_t>(*at_++);
  if (bytes_ == '\\') bytes_ = decode_escape(at_);
  return true;
}

bool equal_bytes(const char* a, std::size_t a_size, const char* b, std::size_t b_size) {
  return a_size == b_size && (a_size == 0 || std::memcmp(a, b, a_size) == 0);  // memcmp() takes no null pointer
}

Type Value::type() const {
  if (at_ == nullptr) return Type::missing;
  static_assert(static_cast<int>(Type::object) == 1 && static_cast<int>(Type::array) == 2 &&
                static_cast<int>(Type::string) == 3 && static_cast<int>(Type::boolean) == 5 &&
                static_cast<int>(Type::null) == 6);
  return static_cast<Type>(mapped(*at_, "t\5f\5n\6{\1[\2\"\3\1\3", static_cast<char>(Type::number)));
}

bool Value::is_string() const { return at_ != nullptr && starts_string(*at_); }

std::string_view Value::raw() const {
  return {at_, at_ != nullptr ? static_cast<std::size_t>(skip_value(at_) - at_) : 0};
}

std::string_view Value::integer() const {
  if (at_ == nullptr) return {};
  const std::size_t sign = *at_ == '-' ? 1 : 0;
  std::uint32_t ignored = 0;
  const std::size_t digits = read_digits(at_ + sign, ignored);
  return {at_, digits != 0 ? digits + sign : 0};
}

bool Value::small_integer(std::uint32_t& value) const { return read_digits(at_, value) - 1 < 9; }

std::string_view Value::string_at(char* begin) {
  if (!Value(begin).is_string()) return {};
  if (*begin == decoded_open) return {begin + 1, string_end(begin)};
  char* at = begin + 1;
  while (*at != '"' && *at != '\\') ++at;
  if (*at != '"') at = decode(begin, at);
  return {begin + 1, at};
}

bool Members::next() {
  if (at_ == nullptr) return false;
  // Before the first member, `at_` is at the brace. Later it is at the value of the previous member.
  at_ = next_item(at_, key_.data() != nullptr);
  if (at_ == nullptr) return false;
  key_ = Value(at_).string();
  at_ += key_.size() + 2;                     // after its quote, or among the spaces that follow a decoded key
  at_ = behind_space(behind_space(at_) + 1);  // the colon
  return true;
}

bool Elements::next() {
  if (at_ != nullptr) at_ = next_item(at_, inside_);
  inside_ = true;
  return at_ != nullptr;
}

std::size_t Object::find(std::span<const std::string_view> keys, std::span<Value> values) const {
  std::size_t twice = no_key;
  each([&](const std::string_view& key, Value found) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (key.size() != keys[i].size() || !equal(key, keys[i])) continue;
      if (!values[i].present()) {
        values[i] = found;
      } else if (twice == no_key) {
        twice = i;
      }
      return;
    }
  });
  return twice;
}

Value Object::find(const char* key, std::size_t key_size) const {
  const std::string_view name(key, key_size);
  Value found;
  static_cast<void>(find({&name, 1}, {&found, 1}));
  return found;
}

}  // namespace mcp::json
