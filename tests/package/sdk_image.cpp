// SPDX-License-Identifier: Apache-2.0
// An image as a vendor's SDK links it, with code that throws in libstdc++ and divides in libgcc.
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

extern "C" [[noreturn]] void mcp_assert_failed(const char*, int) {
  for (;;) {
  }
}

namespace {

volatile std::uint32_t input;
volatile std::uint64_t output;

struct Base {
  virtual std::uint32_t value() const = 0;
};
struct One : Base {
  std::uint32_t value() const override { return 1; }
};
struct Two : Base {
  std::uint32_t value() const override { return 2; }
};

}  // namespace

int main() {
  const std::array numbers{1u, 2u, 3u};
  output = numbers.at(input);
  output = std::string_view("text").substr(input).size();
  std::optional<std::uint32_t> maybe;
  if (input == 7) maybe = input;
  output = maybe.value();
  std::function<std::uint32_t()> function;
  if (input == 8) function = [] { return input; };
  output = function();
  const One one;
  const Two two;
  const Base& base = input == 9 ? static_cast<const Base&>(one) : two;
  output = base.value();
  output = output / input;
}

extern "C" void reset_handler() { main(); }
