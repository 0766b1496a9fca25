// The writer that only counts, at compile time: what a table will take on the wire is known before it is flashed.
// Knows the same calls as Writer, and no window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "json/number.hpp"
#include "json/scan.hpp"

namespace mcp::json {

/// Counts the bytes that Writer would write for the same calls. Numbers count as long as they can be.
class Sizer {
 public:
  [[nodiscard]] constexpr std::size_t size() const { return size_; }

  constexpr void object_begin() { open(); }
  constexpr void object_end() { close(); }
  constexpr void array_begin() { open(); }
  constexpr void array_end() { close(); }
  constexpr void key(std::string_view name) {
    string(name);
    ++size_;
    comma_ = false;
  }
  constexpr void string(std::string_view text) {
    separate();
    size_ += 2;
    for (const char c : text) size_ += is_plain(c) || (static_cast<unsigned char>(c) >= 0x80) ? 1 : escaped(c);
  }
  constexpr void boolean(bool value) {
    separate();
    size_ += value ? 4 : 5;
  }
  constexpr void raw(std::string_view json) {
    separate();
    size_ += json.size();
  }
  constexpr void number_begin() {
    separate();
    size_ += max_double_chars;
  }
  constexpr void member(std::string_view name, std::string_view text) { key(name), string(text); }
  constexpr void member(std::string_view name, const char* text) { key(name), string(text); }
  constexpr void member(std::string_view name, bool value) { key(name), boolean(value); }
  constexpr void member(std::string_view name, std::uint16_t) { key(name), number_begin(); }

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
