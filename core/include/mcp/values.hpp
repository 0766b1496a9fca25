// SPDX-License-Identifier: Apache-2.0
/// @file
/// Strings and lists of bounded size for argument structs. Trivially copyable, no heap.
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

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
