// Bounded value types that an argument struct can hold. Trivially copyable, no heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace mcp {

/// Text of at most `N` bytes of UTF-8 (a character takes 1 to 4), held by value. RAM: N + 2 bytes, rounded up. view()
/// is valid as long as it.
template <std::size_t N>
class FixedString {
 public:
  static constexpr std::size_t capacity = N;

  [[nodiscard]] constexpr std::string_view view() const { return {bytes_, size_}; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }

  /// Copies `text`. False, with nothing changed, when it is longer than the capacity.
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

/// At most `N` values of type T, in order. RAM: N * sizeof(T) + 2 bytes, rounded up.
template <class T, std::size_t N>
class List {
 public:
  static constexpr std::size_t capacity = N;

  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr const T* begin() const { return items_; }
  [[nodiscard]] constexpr const T* end() const { return items_ + size_; }
  /// `index` must be below size().
  [[nodiscard]] constexpr const T& operator[](std::size_t index) const { return items_[index]; }

  /// Puts a value-initialised item at the end and returns it, or nullptr when the list is full. It stays the list's.
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
