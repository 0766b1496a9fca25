// SPDX-License-Identifier: Apache-2.0
// A writer that counts bytes at compile time, and writes them into constants. The compiler checks that the JSON of a
// table fits the transmit buffer, and renders the texts of prerendered tables.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcp/json/number.hpp"
#include "mcp/json/number_text.hpp"
#include "mcp/json/scan.hpp"
#include "mcp/json/text.hpp"
#include "mcp/json/utf8.hpp"
#include "mcp/json/writer.hpp"

namespace mcp::json {

/// Counts the bytes that Writer would write for the same calls.
///
/// A rendering Sizer makes a text for write_rendered_parts() instead, in parts: a byte that says which clients get the
/// part, its size in two bytes, the lower one first, and its JSON. The Writer sets the comma before a part.
class Sizer {
 public:
  /// Bytes before the JSON of a part.
  static constexpr std::size_t part_head = 3;

  constexpr Sizer() = default;
  /// Returns a Sizer that renders. It writes to `into`, or with nullptr only counts the bytes of the text. `marks`: the
  /// members that not all clients get are parts of their own.
  static constexpr Sizer rendering(char* into, bool marks) {
    Sizer out;
    out.into_ = into;
    out.marks_ = marks;
    out.part_open(0);
    return out;
  }

  [[nodiscard]] constexpr std::size_t size() const { return size_; }

  [[nodiscard]] constexpr bool marks() const { return marks_; }
  /// Begins and ends a part for some clients, and ends the text. Limits: of a Sizer that renders.
  constexpr void part_begin(std::uint8_t clients) {
    part_close();
    part_open(clients);
  }
  constexpr void part_end() { part_begin(0); }
  constexpr void text_end() { part_close(); }
  /// True if a part has more bytes than its head can say.
  [[nodiscard]] constexpr bool has_long_part() const { return has_long_part_; }

  constexpr void object_begin() { open('{'); }
  constexpr void object_end() { close('}'); }
  constexpr void array_begin() { open('['); }
  constexpr void array_end() { close(']'); }
  constexpr void key(Text name) {
    string(name);
    put(':');
    comma_ = false;
  }
  constexpr void string(Text text) { string_begin(), append(text), string_end(); }
  constexpr void string_begin() {
    separate();
    put('"');
  }
  constexpr void string_end() {
    put('"');
    comma_ = true;
  }
  constexpr void append(Text text) {
    const char* const end = text.data() + text.size();
    for (const char* at = text.data(); at != end;) {
      const char* run = at;  // Clang allows few steps for a constant
      while (run != end && is_plain(*run)) ++run;
      put(at, run);
      if (run == end) return;
      const std::size_t length = utf8_length(run, end);
      if (length == 0) put("\xEF\xBF\xBD");
      if (length == 1) put_escaped(*run);
      if (length > 1) put(run, run + length);
      at = run + (length == 0 ? 1 : length);
    }
  }
  constexpr void boolean(bool value) {
    separate();
    put(value ? std::string_view("true") : std::string_view("false"));
  }
  constexpr void raw(Text json) {
    separate();
    for (const char c : json.view()) {
      if (c != '\n' && c != '\r') put(c);
    }
  }
  constexpr void fragment(Text json) {
    const std::string_view text = json;
    if (comma_ && text.front() != '}' && text.front() != ']') put(',');
    put(text);
    comma_ = text.back() != '{' && text.back() != '[' && text.back() != ':';
  }
  constexpr void number_begin() { separate(); }
  constexpr void append_number(std::int64_t value) {
    char text[max_integer_chars] = {};
    put(text, number_text::write(text, value));
  }
  constexpr void append_number(std::uint64_t value) {
    char text[max_integer_chars] = {};
    put(text, number_text::write(text, value));
  }
  constexpr void append_number(float value) {
    char text[max_float_chars] = {};
    put(text, number_text::write(text, value));
  }
  constexpr void append_number(double value) {
    char text[max_double_chars] = {};
    put(text, number_text::write(text, value));
  }
  constexpr void append_number(Scaled value) {
    char text[max_integer_chars] = {};
    char* const end = text + sizeof text;
    put(number_text::write_scaled(end, value.value, value.decimals), end);
  }
  constexpr void number(std::signed_integral auto value) { number_begin(), append_number(std::int64_t{value}); }
  constexpr void number(std::unsigned_integral auto value) { number_begin(), append_number(std::uint64_t{value}); }
  constexpr void number(float value) { number_begin(), append_number(value); }
  constexpr void number(double value) { number_begin(), append_number(value); }
  constexpr void number(Scaled value) { number_begin(), append_number(value); }
  constexpr void member(Text name, Text text) { key(name), string(text); }
  constexpr void optional_member(Text name, Text text) {
    if (text.size() != 0) member(name, text);
  }
  constexpr void member(Text name, std::same_as<bool> auto value) { key(name), boolean(value); }
  constexpr void member(Text name, Scaled value) { key(name), number(value); }
  constexpr void member(Text name,
                        auto value) requires(std::integral<decltype(value)> || std::floating_point<decltype(value)>) &&
      (!std::same_as<decltype(value), bool>) {
    key(name), number(value);
  }

 private:
  constexpr void put(char c) {
    if (into_ != nullptr) into_[size_] = c;
    ++size_;
  }
  constexpr void put(const char* begin, const char* end) {
    const auto size = static_cast<std::size_t>(end - begin);
    for (std::size_t i = 0; into_ != nullptr && i < size; ++i) into_[size_ + i] = begin[i];
    size_ += size;
  }
  constexpr void put(std::string_view text) { put(text.data(), text.data() + text.size()); }
  constexpr void put_escaped(char c) {
    constexpr std::string_view escaped = "\"\\\b\t\n\f\r";
    constexpr std::string_view letters = "\"\\btnfr";
    put('\\');
    if (const std::size_t i = escaped.find(c); i != std::string_view::npos) return put(letters[i]);
    constexpr std::string_view hex = "0123456789abcdef";
    const auto byte = static_cast<std::uint8_t>(c);
    put("u00");
    put(hex[byte >> 4]);
    put(hex[byte & 15]);
  }
  constexpr void separate() {
    if (comma_) put(',');
    comma_ = true;
  }
  constexpr void open(char bracket) {
    separate();
    put(bracket);
    comma_ = false;
  }
  constexpr void close(char bracket) {
    put(bracket);
    comma_ = true;
  }
  constexpr void part_open(std::uint8_t clients) {
    clients_ = clients;
    part_ = size_;
    size_ += part_head;
    comma_ = false;
  }
  // Removes a part without JSON.
  constexpr void part_close() {
    const std::size_t json = size_ - part_ - part_head;
    if (json == 0) {
      size_ = part_;
      return;
    }
    has_long_part_ = has_long_part_ || json > 0xFFFF;
    if (into_ == nullptr) return;
    into_[part_] = static_cast<char>(clients_);
    into_[part_ + 1] = static_cast<char>(json & 0xFF);
    into_[part_ + 2] = static_cast<char>(json >> 8);
  }

  char* into_ = nullptr;
  std::size_t size_ = 0;
  std::size_t part_ = 0;
  std::uint8_t clients_ = 0;
  bool comma_ = false;
  bool marks_ = false;
  bool has_long_part_ = false;
};

}  // namespace mcp::json

#include <mcp/detail/epilogue.hpp>
