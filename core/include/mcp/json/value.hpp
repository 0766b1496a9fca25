// SPDX-License-Identifier: Apache-2.0
/// @file
/// Reads JSON values of a client's message without copying them.
/// @code
/// // The handler of a tool with an InputSchema gets its arguments as a JSON value.
/// mcp::Errc play(mcp::json::Value arguments, mcp::Call& call) {
///   const mcp::json::Value notes = mcp::json::find_member(arguments, "notes");
///   for (mcp::json::Elements note(notes); note.next();) board::play(note.value().string());
///   return call.result().text("played");
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/json/number.hpp"
#include "mcp/json/scan.hpp"
#include "mcp/json/text.hpp"
#include "mcp/json/validate.hpp"

namespace mcp::json {

/// The type of a value. `missing`: there is no value.
enum class Type : std::uint8_t { missing, object, array, string, number, boolean, null };

/// A value in the message of a client, as one pointer. A default-constructed Value is `missing`.
/// Lifetime: valid until the handler returns.
/// Errors: for a missing value or a wrong type, each function returns false or an empty string.
class Value {
 public:
  /// A missing value.
  constexpr Value() = default;

  /// @cond server
  /// The value at `at`. It must point into a validated text whose outermost value is an object or an array.
  explicit Value(char* at) : at_(at) {}
  /// @endcond

  /// Returns the type of the value.
  [[nodiscard]] Type type() const;
  /// Returns false for a missing value.
  [[nodiscard]] bool present() const { return at_ != nullptr; }
  /// Returns whether the value has this type.
  [[nodiscard]] bool is(Type wanted) const {
    // The first byte is enough for the most frequent types.
    if (wanted == Type::object) return at_ != nullptr && *at_ == '{';
    if (wanted == Type::array) return at_ != nullptr && *at_ == '[';
    if (wanted == Type::string) return is_string();
    return type() == wanted;
  }

  /// Returns the bytes of the value in the message: a string with its quotes, an object or array with its contents.
  /// Not for a string that string() has decoded.
  [[nodiscard]] std::string_view raw() const;

  /// Returns the decoded bytes of a string. They are UTF-8 and may contain NUL. The first call decodes escapes in the
  /// message itself. Errors: another type gives an empty view with a null pointer.
  [[nodiscard, gnu::always_inline]] std::string_view string() const { return string_at(at_); }

  /// Returns the digits of an integer, with its minus sign. Empty for other types, and for a fraction or an exponent.
  [[nodiscard]] std::string_view integer() const;

  /// Returns whether the value is a string with exactly these bytes.
  [[nodiscard, gnu::always_inline]] bool equals(Text expected) const {
    return equals_at(at_, expected.data(), expected.size());
  }

  /// Returns whether the value is `null`.
  [[nodiscard]] bool is_null() const { return at_ != nullptr && *at_ == 'n'; }
  /// Returns the value, or a missing value for `null`. Some clients write null instead of leaving a member out.
  [[nodiscard]] Value unless_null() const { return is_null() ? Value() : *this; }

  /// Returns whether the value is `true`.
  [[nodiscard]] bool is_true() const { return at_ != nullptr && *at_ == 't'; }

  /// Reads a number as T: std::int64_t, std::uint64_t, double or float.
  /// Errors: returns false for another type. `value` is written only if `status` is NumberStatus::ok.
  template <class T>
  [[nodiscard]] bool number(T& value, NumberStatus& status) const {
    if (!present()) return false;
    // Most numbers are small.
    if (std::uint32_t small = 0; std::integral<T> && small_integer(small)) {
      value = static_cast<T>(small);
      status = NumberStatus::ok;
      return true;
    }
    if (!is(Type::number)) return false;
    status = read_number(raw(), value);
    return true;
  }

 private:
  // The pointer is an argument, because a call through `this` would first store the value to get its address.
  [[nodiscard]] static std::string_view string_at(char* at);
  [[nodiscard]] static bool equals_at(char* at, const char* expected, std::size_t size) {
    const std::string_view text = string_at(at);
    return text.data() != nullptr && equal_bytes(text.data(), text.size(), expected, size);
  }
  [[nodiscard]] bool is_string() const;
  [[nodiscard]] bool small_integer(std::uint32_t& value) const;

  friend class Members;
  friend class Elements;
  friend struct Object;
  char* at_ = nullptr;
};

/// Walks over the members of an object, in the order of the message:
/// `for (Members m(value); m.next();) use(m.key(), m.value());`. Another type has no members.
class Members {
 public:
  /// Begins before the first member.
  explicit Members(Value object) : at_(object.is(Type::object) ? object.at_ : nullptr) {}
  /// Goes to the next member. Returns false after the last one.
  [[nodiscard]] bool next();
  /// Returns the key of the member, decoded.
  [[nodiscard]] const std::string_view& key() const { return key_; }
  /// Returns the value of the member.
  [[nodiscard]] Value value() const { return Value(at_); }

 private:
  char* at_;
  std::string_view key_;
};

/// Walks over the elements of an array: `for (Elements e(value); e.next();) use(e.value());`. Another type has none.
class Elements {
 public:
  /// Begins before the first element.
  explicit Elements(Value array) : at_(array.is(Type::array) ? array.at_ : nullptr) {}
  /// Goes to the next element. Returns false after the last one.
  [[nodiscard]] bool next();
  /// Returns the element.
  [[nodiscard]] Value value() const { return Value(at_); }

 private:
  char* at_;
  bool inside_ = false;
};

/// @cond server
/// The index that means no key.
inline constexpr std::size_t no_key = static_cast<std::size_t>(-1);

/// An object, and the index of the members of its message if there is one. It is cheap to copy. In a value of another
/// type, it finds no member. Lifetime: valid as long as the message and the index.
struct Object {
  Value value;
  const MemberIndex* outline = nullptr;

  /// Finds several members in one pass: `values[i]` becomes the value of `keys[i]`, or stays missing. Keys are compared
  /// decoded and byte for byte. Returns the index of the first duplicate key, or `no_key`.
  std::size_t find(std::span<const std::string_view> keys, std::span<Value> values) const;

  /// Calls `take` with the key, decoded, and the value of each member, in the order of the message.
  template <std::invocable<const std::string_view&, Value> Take>
  void each(Take take) const {
    const std::span<const MemberIndex::Member> members = known();
    if (members.data() == nullptr) {
      for (Members walk(value); walk.next();) take(walk.key(), walk.value());
    }
    for (const MemberIndex::Member& member : members) {
      // The owner of the text has passed it to the parser as writable, so the cast is valid.
      take({member.key, member.key_size}, Value(const_cast<char*>(skip_space(member.value))));
    }
  }

  /// Finds one member. Returns the first one of two members with the same key, and a missing value if there is none.
  [[nodiscard]] Value find(Text key) const { return find(key.data(), key.size()); }

 private:
  [[nodiscard]] Value find(const char* key, std::size_t key_size) const;
  [[nodiscard]] std::span<const MemberIndex::Member> known() const {
    std::span<const MemberIndex::Member> members;
    if (outline != nullptr && value.present()) static_cast<void>(outline->find(value.at_, members));
    return members;
  }
};

/// Object::find() without an index.
inline std::size_t find_members(Value object, std::span<const std::string_view> keys, std::span<Value> values) {
  return Object{object}.find(keys, values);
}
// Not inlined, because there are many calls and each takes less code then.
[[nodiscard, gnu::noinline]] inline Value find_member(Value object, const char* key, std::size_t key_size) {
  return Object{object}.find(std::string_view(key, key_size));
}
/// @endcond
/// Finds a member of an object. Returns the first one of two members with the same key.
/// Errors: returns a missing value if `object` has no such member, or is not an object.
inline Value find_member(Value object, Text key) { return find_member(object, key.data(), key.size()); }

}  // namespace mcp::json

#include <mcp/detail/epilogue.hpp>
