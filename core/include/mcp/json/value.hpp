// Reading values out of a message that validate() has accepted. Positions only: nothing is copied, and a string with
// escapes is decoded where it stands. Knows no RPC.
#pragma once

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

enum class Type : std::uint8_t { missing, object, array, string, number, boolean, null };

/// One value in a validated message: a position, cheap to copy. Valid as long as the message's buffer is.
/// A default-constructed Value is `missing`; of it and of a wrong type, every reader below says "no".
class Value {
 public:
  constexpr Value() = default;

  /// The value that starts at `at`, which must point into a validated text whose outermost value is an object or an
  /// array.
  explicit Value(char* at) : at_(at) {}

  [[nodiscard]] Type type() const;
  /// False for a member that is not there.
  [[nodiscard]] bool present() const { return at_ != nullptr; }
  [[nodiscard]] bool is(Type wanted) const {
    // The usual questions need no full answer.
    if (wanted == Type::object) return at_ != nullptr && *at_ == '{';
    if (wanted == Type::array) return at_ != nullptr && *at_ == '[';
    if (wanted == Type::string) return is_string();
    return type() == wanted;
  }

  /// The value exactly as it stands in the message: for a string with its quotes, for a container with all in it.
  /// Not for a string after string() decoded it.
  [[nodiscard]] std::string_view raw() const;

  /// The decoded bytes of a string (UTF-8; may contain NUL); for any other type empty, at nullptr. A string with
  /// escapes is decoded in its own place on the first call; calling again gives the same bytes.
  [[nodiscard]] std::string_view string() const;

  /// A number that is written with digits alone, and a minus, as it stands in the message; empty for anything else.
  [[nodiscard]] std::string_view integer() const;

  /// True when this is a string of exactly these bytes.
  [[nodiscard]] bool equals(Text expected) const {
    return equal(string(), expected) && (expected.size() != 0 || is(Type::string));
  }

  [[nodiscard]] bool is_true() const { return at_ != nullptr && *at_ == 't'; }

  /// Reads a number as T: std::int64_t, std::uint64_t, double or float. False when this is not a number. `value` is
  /// written only when `status` is NumberStatus::ok.
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
  [[nodiscard]] bool is_string() const;
  [[nodiscard]] bool small_integer(std::uint32_t& value) const;

  friend class Members;
  friend class Elements;
  friend struct Object;
  char* at_ = nullptr;
};

/// Walks over the members of an object, in the order of the message:
/// `for (Members m(value); m.next();) use(m.key(), m.value());`. Nothing to walk over for any other type.
class Members {
 public:
  explicit Members(Value object) : at_(object.is(Type::object) ? object.at_ : nullptr) {}
  [[nodiscard]] bool next();
  [[nodiscard]] const std::string_view& key() const { return key_; }  ///< decoded
  [[nodiscard]] Value value() const { return Value(at_); }

 private:
  char* at_;
  std::string_view key_;
};

/// Walks over the elements of an array in the same way.
class Elements {
 public:
  explicit Elements(Value array) : at_(array.is(Type::array) ? array.at_ : nullptr) {}
  [[nodiscard]] bool next();
  [[nodiscard]] Value value() const { return Value(at_); }

 private:
  char* at_;
  bool inside_ = false;
};

/// Index meaning "no key".
inline constexpr std::size_t no_key = static_cast<std::size_t>(-1);

/// An object, with the outline of the message in which it stands, if there is one. Cheap to copy; valid as long as both
/// are. Nothing is found in a value of another type.
struct Object {
  Value value;
  const MemberIndex* outline = nullptr;

  /// Finds several members in one pass: `values[i]` becomes the value of `keys[i]`, or stays missing. Keys are compared
  /// decoded and byte for byte. Returns the index of the first key that stands twice, else `no_key`.
  std::size_t find(std::span<const std::string_view> keys, std::span<Value> values) const;

  /// Calls `take` with the key, decoded, and the value of each member, in the order of the message.
  template <std::invocable<const std::string_view&, Value> Take>
  void each(Take take) const {
    const std::span<const MemberIndex::Member> members = known();
    if (members.data() == nullptr) {
      for (Members walk(value); walk.next();) take(walk.key(), walk.value());
    }
    for (const MemberIndex::Member& member : members) {
      // Whoever had the text checked had it to write to.
      take({member.key, member.key_size}, Value(const_cast<char*>(skip_space(member.value))));
    }
  }

  /// Finds one member, or a missing value. Of duplicates the first.
  [[nodiscard]] Value find(Text key) const { return find(key.data(), key.size()); }

 private:
  [[nodiscard]] Value find(const char* key, std::size_t key_size) const;
  [[nodiscard]] std::span<const MemberIndex::Member> known() const {
    std::span<const MemberIndex::Member> members;
    if (outline != nullptr && value.present()) static_cast<void>(outline->find(value.at_, members));
    return members;
  }
};

/// The same, without an outline.
inline std::size_t find_members(Value object, std::span<const std::string_view> keys, std::span<Value> values) {
  return Object{object}.find(keys, values);
}
// Not inlined, since many ask: the members of an object take less code then.
[[nodiscard, gnu::noinline]] inline Value find_member(Value object, const char* key, std::size_t key_size) {
  return Object{object}.find(std::string_view(key, key_size));
}
inline Value find_member(Value object, Text key) { return find_member(object, key.data(), key.size()); }

}  // namespace mcp::json
