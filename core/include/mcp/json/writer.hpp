// SPDX-License-Identifier: Apache-2.0
/// @file
/// Writes JSON into a buffer of fixed size: the writer sets commas and escapes, and checks UTF-8.
/// @code
/// mcp::Errc read_climate(mcp::ReadResult& out) {
///   mcp::json::Writer& json = out.json();
///   json.object_begin();
///   json.member("celsius", mcp::json::Scaled{21'500, 3});  // 21.5
///   json.member("sensor", "attic");
///   json.object_end();
///   return mcp::Errc::ok;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

#include "mcp/json/text.hpp"

namespace mcp::json {

/// A decimal number as sensors return it: {21500, 3} is 21.5. It is written without trailing zeros, and without
/// floating-point arithmetic.
struct Scaled {
  std::int32_t value;     ///< The number without its decimal point.
  std::uint8_t decimals;  ///< The number of digits after the decimal point, 0 to 9.
};

/// @cond server
/// Optional members of the JSON Schemas of a message.
struct SchemaOptions {
  std::uint8_t strict : 1 = 0;      ///< Omits lengths of strings and names, `multipleOf` and `uniqueItems`.
  std::uint8_t unit_codes : 1 = 0;  ///< Adds the codes of units, in `_meta`.
  std::uint8_t form : 1 = 0;        ///< The schema is for a form.
};
/// @endcond

/// Writes one JSON value. A handler uses the writer that it gets from ReadResult::json(), Call::meta() or a sampling
/// request. Strings are copied at once.
/// Errors: if the buffer is full, each further call does nothing, and ok() is false. The server then sends an error, so
/// a handler need not check.
/// Context: any, never blocks. The time is linear in the number of bytes.
class Writer {
 public:
  /// @cond server
  /// A position to roll back to.
  struct Mark {
    char* at;
    bool comma;
    bool quoted;
  };

  explicit Writer(std::span<char> transmit_buffer)
      : begin_(transmit_buffer.data()), at_(begin_), end_(begin_ + transmit_buffer.size()) {}
  /// @endcond

  /// Returns false after a call that did not fit into the buffer.
  [[nodiscard]] bool ok() const { return ok_; }
  /// Returns the number of bytes written so far.
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(at_ - begin_); }
  /// @cond server
  /// The part of the buffer that is still free.
  [[nodiscard]] std::span<char> rest() const { return {at_, end_}; }

  [[nodiscard]] Mark mark() const { return {at_, comma_, quoted_}; }
  /// The options of the schemas that are written next. The writer itself does not read them.
  [[nodiscard]] SchemaOptions schema_options() const { return schema_options_; }
  void set_schema_options(SchemaOptions options) { schema_options_ = options; }

  /// Removes all output since `mark`. ok() becomes true again.
  void rollback(const Mark& mark);

  /// Reserves `bytes` at the end of the buffer for later output, and returns the number reserved. To end the
  /// reservation, pass the number to release(). Errors: if fewer bytes are free, it reserves all of them, and ok()
  /// becomes false.
  [[nodiscard]] std::size_t reserve(std::size_t bytes);
  void release(std::size_t bytes) { end_ += bytes; }
  /// @endcond

  /// Begins an object. Write members, then call object_end().
  void object_begin() { open('{'); }
  /// Ends the object.
  void object_end() { close('}'); }
  /// Begins an array. Write values, then call array_end().
  void array_begin() { open('['); }
  /// Ends the array.
  void array_end() { close(']'); }
  /// Writes the name of a member. Write its value next. member() writes both.
  void key(Literal name) { put_name(name.c_str()); }
  /// Writes the name of a member, for a name that is not a literal.
  [[gnu::always_inline]] void key(const NoLiteral auto& name) { key_of(name); }

  /// Writes a string. A byte that is not UTF-8 becomes U+FFFD.
  void string(Text text) { put_string(text.data(), text.size()); }
  /// Writes `true` or `false`.
  void boolean(bool value);
  /// Writes `null`.
  void null() { fragment("null"); }
  /// Writes a signed integer.
  void number(std::signed_integral auto value) { signed_number(value); }
  /// Writes an unsigned integer.
  void number(std::unsigned_integral auto value) { unsigned_number(value); }
  /// Writes the shortest number that reads back as the same float. NaN and infinity become `null`.
  void number(float value);
  /// Writes the shortest number that reads back as the same double. NaN and infinity become `null`.
  void number(double value);
  /// Writes a decimal number.
  void number(Scaled value);

  /// Begins a number. Call append_number() once next.
  void number_begin() { separate(); }

  /// Writes a constant part of a JSON value: brackets, keys and values. `json` is not empty. The writer sets a comma
  /// before it where JSON needs one, unless `json` closes something. It may end after a bracket, a colon, a value, or
  /// the opening quote of a string.
  void fragment(Literal json) { put_fragment(json.c_str()); }
  /// As fragment(Literal), for other strings. With Text("…"), the size of a literal is a constant, which is faster.
  [[gnu::always_inline]] void fragment(const NoLiteral auto& json) { fragment_of(json); }

  /// Writes a complete JSON value. `json` must be valid, and is not checked. The writer omits line breaks, because a
  /// message has one line.
  void raw(Text json) { put_raw(json.data(), json.size()); }

  /// Writes a value of the client's message (Value::raw()). Strings in it may be decoded already.
  void copy(Text value);

  /// Begins a string. Call append() for each piece, then string_end().
  void string_begin();
  /// Writes a piece of a string: complete UTF-8 characters. A byte that is not UTF-8 becomes U+FFFD.
  void append(Text piece) { put_text(piece.data(), piece.size()); }
  /// Writes a piece that ends with NUL. The call takes less code than with a Text.
  void append(const char* piece);
  /// Writes the digits of a number into a string, or after number_begin().
  void append_number(std::int64_t value);
  /// Writes the digits of a number into a string, or after number_begin().
  void append_number(std::uint64_t value);
  /// Writes the digits of a number into a string, or after number_begin().
  void append_number(float value);
  /// Writes the digits of a number into a string, or after number_begin().
  void append_number(double value);
  /// Writes the digits of a number into a string, or after number_begin().
  void append_number(Scaled value);
  /// Ends the string.
  void string_end();
  /// Ends a key that string_begin() has begun.
  void key_end();

  /// Begins a string that contains JSON. The writer escapes the values written until quoted_end(). It cannot be nested.
  void quoted_begin();
  /// Ends the string that contains JSON.
  void quoted_end();

  /// Writes bytes as a string in base64, with padding. Source: RFC 4648 section 4.
  void base64(std::span<const std::uint8_t> bytes);
  /// Writes bytes in base64 between string_begin() and string_end(). Each piece except the last has a multiple of 3
  /// bytes.
  void append_base64(std::span<const std::uint8_t> bytes);

  /// Writes a member with a string.
  void member(Literal name, Text text) { put_member(name.c_str(), text.data(), text.size()); }
  /// Writes a member with a string, or nothing if `text` is empty.
  void optional_member(Literal name, Text text) { put_optional_member(name.c_str(), text.data(), text.size()); }
  /// Writes a member with a boolean.
  void member(Literal name, std::same_as<bool> auto value) { put_flag(name.c_str(), value); }
  /// Writes a member with a decimal number.
  void member(Literal name, Scaled value) { put_scaled(name.c_str(), value); }
  /// Writes a member with an integer, a float or a double.
  void member(Literal name,
              auto value) requires(std::integral<decltype(value)> || std::floating_point<decltype(value)>) &&
      (!std::same_as<decltype(value), bool>) {
    if constexpr (std::unsigned_integral<decltype(value)> && sizeof value <= sizeof(std::uint32_t)) {
      put_count(name.c_str(), value);
    } else {
      key(name), number(value);
    }
  }
  /// Writes a member with a string. Its name is not a literal.
  void member(const NoLiteral auto& name, Text text) { key(name), string(text); }
  /// Writes a member with a boolean or a number. Its name is not a literal.
  template <class T>
  requires(std::is_arithmetic_v<T> || std::same_as<T, Scaled>) void member(const NoLiteral auto& name, T value) {
    key(name);
    if constexpr (std::same_as<T, bool>) {
      boolean(value);
    } else {
      number(value);
    }
  }
  /// Writes a member with a string, or nothing if `text` is empty. Its name is not a literal.
  void optional_member(const NoLiteral auto& name, Text text) {
    if (text.size() != 0) key(name), string(text);
  }

 private:
  // Pointer and size are separate parameters, because a view by value costs a stack slot and two stores at each call.
  void put_key(const char* text, std::size_t size);
  void put_string(const char* text, std::size_t size);
  void put_fragment(const char* json, std::size_t size);
  [[gnu::always_inline]] void key_of(Text name) { put_key(name.data(), name.size()); }
  [[gnu::always_inline]] void fragment_of(Text json) { put_fragment(json.data(), json.size()); }
  // A name, and a fragment without a size, end with NUL. Optimized for speed, the compiler inlines these functions and
  // so knows the size of a literal. Optimized for size, it calls them, and each call takes less code.
  void put_name(const char* name) { put_key(name, std::strlen(name)); }
  void put_member(const char* name, const char* text, std::size_t size) { put_name(name), put_string(text, size); }
  void put_optional_member(const char* name, const char* text, std::size_t size) {
    if (size != 0) put_member(name, text, size);
  }
  void put_flag(const char* name, bool value) { put_name(name), boolean(value); }
  void put_count(const char* name, std::uint32_t value) { put_name(name), unsigned_number(value); }
  void put_scaled(const char* name, Scaled value) { put_name(name), number(value); }
  void put_fragment(const char* json) { put_fragment(json, std::strlen(json)); }
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
  bool quoted_ = false;  // between quoted_begin() and quoted_end(), quotes and backslashes are escaped
  SchemaOptions schema_options_ = {};
};

}  // namespace mcp::json

#include <mcp/detail/epilogue.hpp>
