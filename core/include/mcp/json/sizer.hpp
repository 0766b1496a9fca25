// SPDX-License-Identifier: Apache-2.0
// A writer that only counts bytes. With it, the compiler checks that the JSON of a table fits the transmit buffer.
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
class Sizer {
 public:
  [[nodiscard]] constexpr std::size_t size() const { return size_; }

  [[nodiscard]] constexpr SchemaOptions schema_options() const { return schema_options_; }
  constexpr void set_schema_options(SchemaOptions options) { schema_options_ = options; }

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
  constexpr void append(const char* text) { append(Text(std::string_view(text))); }
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
  constexpr void put(char) { ++size_; }
  constexpr void put(const char* begin, const char* end) { size_ += static_cast<std::size_t>(end - begin); }
  constexpr void put(std::string_view text) { size_ += text.size(); }
  constexpr void put_escaped(char c) {
    constexpr std::string_view named = "\"\\\b\t\n\f\r";
    size_ += named.find(c) != std::string_view::npos ? 2U : 6U;  // `\n`, `\u001f`
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

  std::size_t size_ = 0;
  bool comma_ = false;
  SchemaOptions schema_options_ = {};
};

}  // namespace mcp::json

#include <mcp/detail/epilogue.hpp>
