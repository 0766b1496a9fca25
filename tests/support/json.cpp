// SPDX-License-Identifier: Apache-2.0
#include "support/json.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace test {
namespace {

class Parser {
 public:
  Parser(std::string_view text, Keys keys) : text_(text), keys_(keys) {}

  std::optional<Json> whole() {
    Json value;
    if (!read(value)) return std::nullopt;
    space();
    if (at_ != text_.size()) return fail("something behind the value"), std::nullopt;
    return value;
  }

  std::string problem() const { return problem_ + " at byte " + std::to_string(at_); }

 private:
  bool fail(const char* problem) {
    if (problem_.empty()) problem_ = problem;
    return false;
  }
  int peek() const { return at_ < text_.size() ? static_cast<unsigned char>(text_[at_]) : -1; }
  bool take(char c) { return peek() == static_cast<unsigned char>(c) ? ++at_, true : false; }
  void space() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n') ++at_;
  }

  bool read(Json& value) {
    space();
    const std::size_t start = at_;
    const bool good = read_kind(value);
    value.raw = text_.substr(start, at_ - start);
    if (value.kind != Json::Kind::string) value.text = value.raw;
    return good;
  }

  bool read_kind(Json& value) {
    switch (peek()) {
      case '{': return value.kind = Json::Kind::object, read_items(value, '}');
      case '[': return value.kind = Json::Kind::array, read_items(value, ']');
      case '"': return value.kind = Json::Kind::string, read_string(value.text);
      case 't': return value.kind = Json::Kind::boolean, word("true");
      case 'f': return value.kind = Json::Kind::boolean, word("false");
      case 'n': return word("null");
      default: return value.kind = Json::Kind::number, read_number();
    }
  }

  bool read_items(Json& value, char end) {
    if (depth_ == 100) return fail("nested too deep");
    ++depth_;
    const bool good = read_all_items(value, end);
    --depth_;
    return good;
  }

  bool read_all_items(Json& value, char end) {
    ++at_;
    if (space(), take(end)) return true;
    for (;;) {
      if (end == '}') {
        std::string key;
        if (space(), peek() != '"') return fail("no key");
        if (!read_string(key)) return false;
        if (std::find(value.keys.begin(), value.keys.end(), key) != value.keys.end()) {
          if (keys_ == Keys::are_unique) return fail("a key twice");
          value.repeats_keys = true;
        }
        value.keys.push_back(key);
        if (space(), !take(':')) return fail("no colon");
      }
      if (!read(value.items.emplace_back())) return false;
      if (space(), take(end)) return true;
      if (!take(',')) return fail("no comma");
    }
  }

  bool word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return fail("no such word");
    at_ += word.size();
    return true;
  }

  bool digits() {
    const std::size_t start = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    return at_ != start ? true : fail("no digit");
  }

  bool read_number() {
    take('-');
    if (!take('0') && !digits()) return false;
    if (take('.') && !digits()) return false;
    if (!take('e') && !take('E')) return true;
    if (!take('+')) take('-');
    return digits();
  }

  bool read_hex(std::uint32_t& unit) {
    unit = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const int c = peek();
      const bool small = c >= 'a' && c <= 'f';
      const bool big = c >= 'A' && c <= 'F';
      if (!small && !big && !(c >= '0' && c <= '9')) return fail("no hexadecimal digit");
      unit = unit * 16 + static_cast<std::uint32_t>(small ? c - 'a' + 10 : big ? c - 'A' + 10 : c - '0');
    }
    return true;
  }

  static void append(std::string& out, std::uint32_t code) {
    const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (code < 0x80) return put(code);
    if (code < 0x800) return put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
    if (code < 0x10000) return put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
    put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 0x3F)), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
  }

  bool read_escape(std::string& out) {
    const int c = peek();
    ++at_;
    const std::size_t simple =
        c < 0 ? std::string_view::npos : std::string_view("\"\\/bfnrt").find(static_cast<char>(c));
    if (simple != std::string_view::npos) return out.push_back("\"\\/\b\f\n\r\t"[simple]), true;
    std::uint32_t code = 0;
    if (c != 'u' || !read_hex(code)) return fail("no such escape");
    if (code >= 0xDC00 && code <= 0xDFFF) return fail("half of a surrogate pair");
    if (code >= 0xD800 && code <= 0xDBFF) {
      std::uint32_t low = 0;
      if (!take('\\') || !take('u') || !read_hex(low) || low < 0xDC00 || low > 0xDFFF)
        return fail("half of a surrogate pair");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    append(out, code);
    return true;
  }

  // One character of more than one byte, as RFC 3629 section 4 lists them.
  bool read_multibyte(std::string& out) {
    const int lead = peek();
    const int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    std::uint32_t code = static_cast<std::uint32_t>(lead) & (0xFFU >> (length + 1));
    if (lead < 0xC2 || lead > 0xF4) return fail("not UTF-8");
    const std::size_t start = at_++;
    for (int i = 1; i < length; ++i, ++at_) {
      if (peek() < 0x80 || peek() > 0xBF) return fail("not UTF-8");
      code = code << 6 | (static_cast<std::uint32_t>(peek()) & 0x3F);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return fail("not UTF-8");
    out.append(text_.substr(start, at_ - start));
    return true;
  }

  bool read_string(std::string& out) {
    ++at_;
    for (;;) {
      const int c = peek();
      if (c < 0x20) return fail(c < 0 ? "no end of a string" : "a control byte in a string");
      if (take('"')) return true;
      if (take('\\')) {
        if (!read_escape(out)) return false;
      } else if (c >= 0x80) {
        if (!read_multibyte(out)) return false;
      } else {
        out.push_back(static_cast<char>(c));
        ++at_;
      }
    }
  }

  std::string_view text_;
  Keys keys_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
  std::string problem_;
};

}  // namespace

const Json* Json::find(std::string_view key) const {
  const auto place = std::find(keys.begin(), keys.end(), key);
  return place == keys.end() ? nullptr : &items[static_cast<std::size_t>(place - keys.begin())];
}

const Json* Json::at(std::string_view path) const {
  const Json* value = this;
  while (!path.empty() && value != nullptr) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const std::string step(path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
    if (value->kind == Kind::array) {
      const auto index = static_cast<std::size_t>(std::strtoul(step.c_str(), nullptr, 10));
      value = index < value->items.size() ? &value->items[index] : nullptr;
    } else {
      value = value->find(step);
    }
  }
  return value;
}

std::string Json::text_at(std::string_view path) const {
  const Json* const value = at(path);
  return value == nullptr ? std::string() : value->text;
}

bool operator==(const Json& a, const Json& b) {
  if (a.kind != b.kind || a.items.size() != b.items.size()) return false;
  if (a.kind == Json::Kind::array) return a.items == b.items;
  if (a.kind != Json::Kind::object) return a.text == b.text;
  for (std::size_t i = 0; i < a.keys.size(); ++i) {
    const Json* const other = b.find(a.keys[i]);
    if (other == nullptr || !(a.items[i] == *other)) return false;
  }
  return true;
}

std::optional<Json> parse_json(std::string_view text, std::string* problem, Keys keys) {
  Parser parser(text, keys);
  std::optional<Json> value = parser.whole();
  if (!value && problem != nullptr) *problem = parser.problem();
  return value;
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      static_cast<void>(std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c)));
      out += escape;
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + '"';
}

}  // namespace test
