// SPDX-License-Identifier: Apache-2.0
// Prints the results of float and double on UART0, as a name and the bits of the number.
#include <mcp/ports/pico.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace {

mcp::pico::Uart& uart() {
  static mcp::pico::Uart wire(uart0, 0, 1);
  return wire;
}

void print(std::string_view text) {
  while (!text.empty()) text.remove_prefix(uart().write(text).size);
}

void print(std::string_view name, std::uint64_t bits) {
  char digits[17] = {};
  for (int i = 15; i >= 0; --i, bits >>= 4) digits[i] = "0123456789abcdef"[bits & 15];
  print(name);
  print(" ");
  print({digits, 16});
  print("\n");
}
void print(std::string_view name, float value) { print(name, std::uint64_t{std::bit_cast<std::uint32_t>(value)}); }
void print(std::string_view name, double value) { print(name, std::bit_cast<std::uint64_t>(value)); }
void print(std::string_view name, std::int64_t value) { print(name, static_cast<std::uint64_t>(value)); }

// The compiler computes nothing of these.
volatile float three = 3;
volatile float seventh = 1.0F / 7;
volatile float below = -2.75F;
volatile double big = 12'345'678'901.5;
volatile double small = -0.1;
volatile std::int32_t integer = -16'777'217;
volatile std::uint64_t wide = 0x0080'0000'8000'0001;

}  // namespace

int main() {
  print("add", three + seventh);
  print("subtract", seventh - three);
  print("multiply", three * seventh);
  print("divide", seventh / three);
  print("root", std::sqrt(three));
  print("truncate", std::int64_t{static_cast<std::int32_t>(below)});
  print("unsigned", std::int64_t{static_cast<std::uint32_t>(three)});
  print("integer", static_cast<float>(integer));
  print("wide", static_cast<float>(wide));
  print("sine", std::sin(three));
  print("less", std::int64_t{below < three});
  print("double add", big + small);
  print("double multiply", big * small);
  print("double divide", big / small);
  print("double root", std::sqrt(big));
  print("double truncate", static_cast<std::int64_t>(small * big));
  print("double integer", static_cast<double>(integer));
  print("double wide", static_cast<double>(wide));
  print("double to float", static_cast<float>(big));
  print("float to double", static_cast<double>(seventh));
  print("double exponential", std::exp(small));
  print("double less", std::int64_t{small < big});
  for (;;) mcp::pico::wait_for_event(mcp::forever);
}
