// SPDX-License-Identifier: Apache-2.0
/// @file
/// Strings, lists and maps of bounded size, and values that can be null, for argument structs. Trivially copyable, no
/// heap.
/// @code
/// struct Show {
///   mcp::FixedString<20> title;
///   mcp::List<std::int32_t, 8> bars;
/// };
/// constexpr auto show_params = mcp::params(mcp::param<&Show::title>("title"),
///                                          mcp::param<&Show::bars>("bars", {.items = {.maximum = 100}}));
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace mcp {

/// A string of at most `N` bytes of UTF-8, held by value. A character takes 1 to 4 bytes.
/// Limits: `N` is 1 to 65,535. RAM: N + 2 bytes, rounded up.
template <std::size_t N>
class FixedString {
 public:
  static constexpr std::size_t capacity = N;  ///< The largest size in bytes.

  /// Returns the string. Lifetime: valid as long as this object, until the next assign().
  [[nodiscard]] constexpr std::string_view view() const { return {bytes_, size_}; }
  /// Returns the size in bytes.
  [[nodiscard]] constexpr std::size_t size() const { return size_; }

  /// Copies `text`. Errors: returns false and changes nothing if `text` is longer than the capacity.
  constexpr bool assign(std::string_view text) {
    if (text.size() > N) return false;
    for (std::size_t i = 0; i < text.size(); ++i) bytes_[i] = text[i];
    size_ = static_cast<std::uint16_t>(text.size());
    return true;
  }

 private:
  static_assert(N > 0 && N <= 0xFFFF, "a FixedString holds 1 to 65535 bytes");
  std::uint16_t size_ = 0;
  char bytes_[N] = {};
};

/// A list of at most `N` values of type T. Limits: `N` is 1 to 65,535. RAM: N * sizeof(T) + 2 bytes, rounded up.
template <class T, std::size_t N>
class List {
 public:
  static constexpr std::size_t capacity = N;  ///< The largest number of items.

  /// Returns the number of items.
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  /// Returns whether there is no item.
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  /// Returns the first item, for range-based for loops.
  [[nodiscard]] constexpr const T* begin() const { return items_; }
  /// Returns the end, for range-based for loops.
  [[nodiscard]] constexpr const T* end() const { return items_ + size_; }
  /// Returns an item. `index` must be below size(); it is not checked.
  [[nodiscard]] constexpr const T& operator[](std::size_t index) const { return items_[index]; }

  /// Appends a value-initialised item and returns it. Ownership: the list owns the item.
  /// Errors: returns nullptr if the list is full.
  constexpr T* grow() {
    if (size_ == N) return nullptr;
    items_[size_] = T{};
    return &items_[size_++];
  }

 private:
  static_assert(N > 0 && N <= 0xFFFF, "a List holds 1 to 65535 items");
  std::uint16_t size_ = 0;
  T items_[N] = {};
};

/// A value that can be `null` in JSON. A std::optional can be absent, which is something else:
/// `std::optional<mcp::Nullable<float>>` is absent, `null` or a number. Begins as null. RAM: as a std::optional.
template <class T>
class Nullable {
 public:
  /// Makes a null.
  constexpr Nullable() = default;
  /// Makes a value.
  constexpr Nullable(const T& value) : value_(value), has_value_(true) {}  // NOLINT(google-explicit-constructor)

  /// Returns whether there is a value and no null.
  [[nodiscard]] constexpr bool has_value() const { return has_value_; }
  /// Returns whether there is a value and no null.
  [[nodiscard]] constexpr explicit operator bool() const { return has_value_; }
  /// Returns the value; of a null, the value-initialised T.
  [[nodiscard]] constexpr const T& operator*() const { return value_; }
  /// Returns the members of the value.
  [[nodiscard]] constexpr const T* operator->() const { return &value_; }
  /// Replaces a null by a value-initialised T and returns it. Ownership: this object owns the value.
  constexpr T& emplace() {
    value_ = T{};
    has_value_ = true;
    return value_;
  }

 private:
  T value_ = {};
  bool has_value_ = false;
};

/// A JSON object with at most `N` members of any name, such as `{"bed1": 3, "bed2": 5}`. Each value is a T. A name has
/// 1 to `Size` bytes of UTF-8, and no name occurs twice. find() and insert() take a time that is linear in the number
/// of members. Limits: `N` is 1 to 256. RAM: N * (Size + 2 + sizeof(T)) + 2 bytes, rounded up.
template <class T, std::size_t N, std::size_t Size = 16>
class Map {
 public:
  /// A member: its name and its value.
  struct Entry {
    FixedString<Size> name;  ///< The name.
    T value;                 ///< The value.
  };
  static constexpr std::size_t capacity = N;          ///< The largest number of members.
  static constexpr std::size_t name_capacity = Size;  ///< The largest size of a name in bytes.

  /// Returns the number of members.
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  /// Returns whether there is no member.
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  /// Returns the first Entry, for range-based for loops. Entries have the order in which they came.
  [[nodiscard]] constexpr const Entry* begin() const { return entries_; }
  /// Returns the end, for range-based for loops.
  [[nodiscard]] constexpr const Entry* end() const { return entries_ + size_; }

  /// Returns the value under this name, or nullptr.
  [[nodiscard]] constexpr const T* find(std::string_view name) const {
    for (const Entry& entry : *this) {
      if (entry.name.view() == name) return &entry.value;
    }
    return nullptr;
  }
  /// Returns the value under this name. If there is none, first adds a value-initialised one. Ownership: the map owns
  /// the value. Errors: returns nullptr if the map is full, or if the name is empty or too long.
  constexpr T* insert(std::string_view name) {
    for (std::size_t i = 0; i < size_; ++i) {
      if (entries_[i].name.view() == name) return &entries_[i].value;
    }
    if (size_ == N || name.empty() || name.size() > Size) return nullptr;
    entries_[size_] = Entry{};
    static_cast<void>(entries_[size_].name.assign(name));
    return &entries_[size_++].value;
  }

 private:
  static_assert(N > 0 && N <= 256, "a Map holds 1 to 256 members");
  static_assert(Size <= 255, "the names of a Map have at most 255 bytes");
  std::uint16_t size_ = 0;
  Entry entries_[N] = {};
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
