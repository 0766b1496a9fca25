#include "json/value.hpp"

#include <cstring>

#include "json/scan.hpp"
#include "json/utf8.hpp"

namespace mcp::json {
namespace {

char* skip_space(char* at) {
  while (is_space(*at)) ++at;
  return at;
}

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

// Behind the value at `at`. A loop over the brackets, since the text is known to be well formed.
char* skip_value(char* at) {
  if (starts_string(*at)) return string_end(at) + 1;
  if (*at != '{' && *at != '[') {
    // Numbers and words have nothing up to the comma but a plus.
    while ((*at > ',' && *at != '}' && *at != ']') || *at == '+') ++at;
    return at;
  }
  for (unsigned depth = 0;;) {
    const char c = *at++;
    if (starts_string(c)) {
      at = string_end(at - 1) + 1;
    } else if (c >= '[') {
      const char brace = static_cast<char>(c | 0x20);  // of a square bracket too
      if (brace == '{') ++depth;
      if (brace == '}' && --depth == 0) return at;
    }
  }
}

std::uint32_t hex4(const char* at) {
  std::uint32_t unit = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = at[i];
    unit = (unit << 4) | static_cast<std::uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return unit;
}

// Decodes one escape; `from` stands behind the backslash and is moved behind the escape.
char* decode_escape(char* to, const char*& from) {
  const char c = *from++;
  switch (c) {
    case 'b': *to = '\b'; return to + 1;
    case 'f': *to = '\f'; return to + 1;
    case 'n': *to = '\n'; return to + 1;
    case 'r': *to = '\r'; return to + 1;
    case 't': *to = '\t'; return to + 1;
    case 'u': break;
    default: *to = c; return to + 1;
  }
  std::uint32_t code = hex4(from);
  from += 4;
  if (code >= 0xD800 && code <= 0xDBFF) {
    code = 0x10000 + ((code - 0xD800) << 10) + (hex4(from + 2) - 0xDC00);
    from += 6;
  }
  return write_utf8(to, code);
}

std::string_view decode(char* open, char* first_escape) {
  char* to = first_escape;
  const char* from = first_escape;
  while (*from != '"') {
    if (*from == '\\') {
      to = decode_escape(to, ++from);
    } else {
      *to++ = *from++;
    }
  }
  // Every escape is longer than what it stands for, so there is room for the closing mark.
  char* const close = to;
  *open = decoded_open;
  *close = decoded_close;
  for (char* pad = close + 1; pad <= from; ++pad) *pad = ' ';
  return {open + 1, close};
}

}  // namespace

bool equal_bytes(const char* a, std::size_t a_size, const char* b, std::size_t b_size) {
  return a_size == b_size && (a_size == 0 || std::memcmp(a, b, a_size) == 0);
}

Type Value::type() const {
  if (at_ == nullptr) return Type::missing;
  switch (*at_) {
    case '{': return Type::object;
    case '[': return Type::array;
    case '"':
    case decoded_open: return Type::string;
    case 't':
    case 'f': return Type::boolean;
    case 'n': return Type::null;
    default: return Type::number;
  }
}

bool Value::is_string() const { return at_ != nullptr && starts_string(*at_); }

std::string_view Value::raw() const {
  return at_ != nullptr ? std::string_view(at_, skip_value(at_)) : std::string_view();
}

std::string_view Value::string() const {
  if (!is_string()) return {};
  if (*at_ == decoded_open) return {at_ + 1, string_end(at_)};
  char* at = at_ + 1;
  while (*at != '"' && *at != '\\') ++at;
  return *at == '"' ? std::string_view(at_ + 1, at) : decode(at_, at);
}

bool Members::next() {
  if (at_ == nullptr) return false;
  // Before the first member `at_` stands on the brace, afterwards on the value of the member before.
  at_ = skip_space(key_.data() == nullptr ? at_ + 1 : skip_value(at_));
  if (*at_ == ',') at_ = skip_space(at_ + 1);
  if (*at_ == '}') {
    at_ = nullptr;
    return false;
  }
  key_ = Value(at_).string();
  at_ += key_.size() + 2;                 // behind its quote, or among the spaces that follow a decoded key
  at_ = skip_space(skip_space(at_) + 1);  // the colon
  return true;
}

bool Elements::next() {
  if (at_ == nullptr) return false;
  at_ = skip_space(inside_ ? skip_value(at_) : at_ + 1);
  inside_ = true;
  if (*at_ == ',') at_ = skip_space(at_ + 1);
  if (*at_ == ']') at_ = nullptr;
  return at_ != nullptr;
}

std::size_t Object::find(std::span<const std::string_view> keys, std::span<Value> values) const {
  std::span<const Outline::Member> known;
  const bool is_known = outline != nullptr && outline->find(value.at_, known);
  const Outline::Member* next = known.data();
  Members members(is_known ? Value() : value);
  std::size_t twice = no_key;
  for (;;) {
    Outline::Member member;
    if (is_known) {
      if (next == known.data() + known.size()) return twice;
      member = *next++;
    } else {
      if (!members.next()) return twice;
      member = {members.key().data(), members.key().size(), members.value().at_};
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (member.key_size != keys[i].size() || !equal(std::string_view(member.key, member.key_size), keys[i])) continue;
      if (!values[i].present()) {
        values[i].at_ = const_cast<char*>(member.value);  // whoever had the text checked had it to write to
      } else if (twice == no_key) {
        twice = i;
      }
      break;
    }
  }
}

Value Object::find(const char* key, std::size_t key_size) const {
  const std::string_view name(key, key_size);
  Value found;
  static_cast<void>(find({&name, 1}, {&found, 1}));
  return found;
}

}  // namespace mcp::json
