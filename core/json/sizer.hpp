// The writer that only counts, at compile time: what a table will take on the wire is known before it is flashed.
// Knows the same calls as Writer, and no window.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "json/number.hpp"
#include "json/scan.hpp"
#include "json/text.hpp"
#include "json/utf8.hpp"
#include "json/writer.hpp"

namespace mcp::json {

/// Counts the bytes that Writer would write for the same calls. Numbers count as long as they can be.
class Sizer {
 public:
  [[nodiscard]] constexpr std::size_t size() const { return size_; }

  constexpr void object_begin() { open(); }
  constexpr void object_end() { close(); }
  constexpr void array_begin() { open(); }
  constexpr void array_end() { close(); }
  constexpr void key(Text name) {
    string(name);
    ++size_;
    comma_ = false;
  }
  constexpr void string(Text text) {
    separate();
    size_ += 2;
    const char* const end = text.data() + text.size();
    for (const char* at = text.data(); at != end;) {
      const std::size_t length = utf8_length(at, end);
      size_ += length == 0 ? 3 : length != 1 || is_plain(*at) ? length : escaped(*at);
      at += length == 0 ? 1 : length;
    }
  }
  constexpr void boolean(bool value) {
    separate();
    size_ += value ? 4 : 5;
  }
  constexpr void raw(Text json) {
    separate();
    size_ += json.view().size();
  }
  constexpr void fragment(Text json) {
    const std::string_view text = json;
    if (comma_ && text.front() != '}' && text.front() != ']') ++size_;
    size_ += text.size();
    comma_ = text.back() != '{' && text.back() != '[' && text.back() != ':';
  }
  constexpr void number_begin() {
    separate();
    size_ += max_double_chars;
  }
  constexpr void member(Text name, Text text) { key(name), string(text); }
  constexpr void optional_member(Text name, Text text) {
    if (text.size() != 0) member(name, text);
  }
  constexpr void member(Text name, std::same_as<bool> auto value) { key(name), boolean(value); }
  constexpr void member(Text name, std::uint16_t) { key(name), number_begin(); }
  constexpr void member(Text name, std::uint32_t) { key(name), number_begin(); }
  constexpr void member(Text name, Scaled) { key(name), number_begin(); }

 private:
  static constexpr std::size_t escaped(char c) {
    return std::string_view("\"\\\b\t\n\f\r").find(c) != std::string_view::npos ? 2 : 6;
  }
  constexpr void separate() {
    if (comma_) ++size_;
    comma_ = true;
  }
  constexpr void open() {
    separate();
    ++size_;
    comma_ = false;
  }
  constexpr void close() {
    ++size_;
    comma_ = true;
  }

  std::size_t size_ = 0;
  bool comma_ = false;
};

}  // namespace mcp::json
