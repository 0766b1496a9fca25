// Writing JSON into a bounded window: commas, escapes and UTF-8 are right by construction, and what does not fit can be
// rolled back as if it had never been begun. Knows no RPC.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/json/text.hpp"

namespace mcp::json {

/// A decimal fraction as sensors deliver it: `value` thousandths are {value, 3}. Written without zeros at its end and
/// without floating-point arithmetic: {21500, 3} is 21.5.
struct Scaled {
  std::int32_t value;
  std::uint8_t decimals;  // 0 to 9
};

/// Writes one JSON text. After the window was too small once, every call does nothing and ok() is false, until a
/// roll-back to a mark taken before: a handler need not look. Texts are copied at once. The window belongs to the
/// caller and must outlive the writer. Any context, never blocks; time linear in what is written.
class Writer {
 public:
  /// A place to roll back to.
  struct Mark {
    char* at;
    bool comma;
    bool quoted;
  };

  explicit Writer(std::span<char> transmit_buffer)
      : begin_(transmit_buffer.data()), at_(begin_), end_(begin_ + transmit_buffer.size()) {}

  /// False when something did not fit.
  [[nodiscard]] bool ok() const { return ok_; }
  /// Bytes written so far.
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(at_ - begin_); }
  /// The part of the window that is still free.
  [[nodiscard]] std::span<char> rest() const { return {at_, end_}; }

  [[nodiscard]] Mark mark() const { return {at_, comma_, quoted_}; }
  /// Forgets everything written since `mark`, a failure to fit included.
  void rollback(const Mark& mark);

  /// Takes `bytes` away from the end of the window, for what must fit afterwards, until give() puts back what take()
  /// returned. When fewer are free, it takes those and ok() becomes false.
  [[nodiscard]] std::size_t take(std::size_t bytes);
  void give(std::size_t bytes) { end_ += bytes; }

  void object_begin() { open('{'); }
  void object_end() { close('}'); }
  void array_begin() { open('['); }
  void array_end() { close(']'); }
  void key(Text name) { put_key(name.data(), name.size()); }

  void string(Text text) { put_string(text.data(), text.size()); }
  void boolean(bool value);
  void null() { fragment("null"); }
  /// A number: any integer but bool, float or double (shortest text that reads back as the same value; JSON has no
  /// word for NaN and infinity: they become null).
  void number(std::signed_integral auto value) { signed_number(value); }
  void number(std::unsigned_integral auto value) { unsigned_number(value); }
  void number(float value);
  void number(double value);
  void number(Scaled value);

  /// A number in pieces: number_begin(), then append_number() once.
  void number_begin() { separate(); }

  /// A piece of JSON as it stands, not empty: brackets, keys and values that are always the same. A comma is put before
  /// it where one belongs, unless it closes something. It may end anywhere that a call of this class begins or ends:
  /// behind a bracket, a colon, a value, or the opening quote of a string.
  void fragment(Text json) { put_fragment(json.data(), json.size()); }

  /// A whole JSON value that is valid already. Line breaks in it are left out, so that it can stand in a one-line
  /// message.
  void raw(Text json) { put_raw(json.data(), json.size()); }

  /// A value of a validated message as it stands there (Value::raw), whether strings in it were decoded or not.
  void copy(Text value);

  /// A string in pieces: string_begin(), append() as often as wanted, string_end(). Each piece is whole UTF-8
  /// characters; a byte that is not UTF-8 becomes U+FFFD. A fresh writer may go on with the string of another one.
  void string_begin();
  void append(Text piece) { put_text(piece.data(), piece.size()); }
  /// The same for a literal or another text that ends in a zero byte: a pointer alone, for sentences that are seldom
  /// said.
  void append(const char* piece);
  void append_number(std::int64_t value);
  void append_number(std::uint64_t value);
  void append_number(float value);
  void append_number(double value);
  void append_number(Scaled value);
  void string_end();
  /// Ends a key that was begun by string_begin().
  void key_end();

  /// A string that contains JSON: between the two, values are written as usual and come out escaped once more. Not
  /// inside of itself.
  void quoted_begin();
  void quoted_end();

  /// A string of base64 (RFC 4648 section 4, padded).
  void base64(std::span<const std::uint8_t> bytes);
  /// A piece of such a string, between string_begin() and string_end(); each but the last a multiple of three bytes.
  void append_base64(std::span<const std::uint8_t> bytes);

  /// Members in one line: key and value.
  void member(Text name, Text text) { put_member(name.data(), name.size(), text.data(), text.size()); }
  /// The member, if there is a text; nothing if it is empty.
  void optional_member(Text name, Text text) {
    put_optional_member(name.data(), name.size(), text.data(), text.size());
  }
  void member(Text name, std::same_as<bool> auto value) { put_flag(name.data(), name.size(), value); }
  void member(Text name, Scaled value) { put_scaled(name.data(), name.size(), value); }
  void member(Text name, auto value) requires(std::integral<decltype(value)> || std::floating_point<decltype(value)>) &&
      (!std::same_as<decltype(value), bool>) {
    if constexpr (std::unsigned_integral<decltype(value)> && sizeof value <= sizeof(std::uint32_t)) {
      put_count(name.data(), name.size(), value);
    } else {
      key(name), number(value);
    }
  }

 private:
  // Pointers and sizes apart: a view passed by value costs a stack slot and two stores at each call.
  void put_key(const char* text, std::size_t size);
  void put_string(const char* text, std::size_t size);
  void put_member(const char* name, std::size_t name_size, const char* text, std::size_t size);
  void put_optional_member(const char* name, std::size_t name_size, const char* text, std::size_t size);
  void put_flag(const char* name, std::size_t size, bool value);
  void put_count(const char* name, std::size_t size, std::uint32_t value);
  [[gnu::noinline]] void put_scaled(const char* name, std::size_t size, Scaled value) {
    put_key(name, size);
    number(value);
  }
  void put_fragment(const char* json, std::size_t size);
  void put_raw(const char* json, std::size_t size);
  void put_text(const char* text, std::size_t size);
  void open(char bracket);
  void close(char bracket);
  void separate();
  void signed_number(std::int64_t value);
  void unsigned_number(std::uint64_t value);
  void put(char c);
  void put(const char* text, std::size_t size);
  void put_escaped(char c);

  char* begin_;
  char* at_;
  char* end_;
  bool ok_ = true;
  bool comma_ = false;   // the next value or key needs a comma before it
  bool quoted_ = false;  // inside quoted_begin/quoted_end: quotes and backslashes come out escaped
};

}  // namespace mcp::json
