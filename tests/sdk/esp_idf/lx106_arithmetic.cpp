// SPDX-License-Identifier: Apache-2.0
// Arithmetic that compilers call and that the GCC of Debian lacks: an ESP8266 has it in its ROM. Short instead of fast.
// 64 bits are two words here, so that no function calls itself.
#include <cstdint>

namespace {

struct Words {
  std::uint32_t low;
  std::uint32_t high;
};
Words words(std::uint64_t value) { return __builtin_bit_cast(Words, value); }
std::uint64_t joined(std::uint32_t low, std::uint32_t high) {
  return __builtin_bit_cast(std::uint64_t, Words{low, high});
}

std::uint64_t twice(std::uint64_t value) {
  const Words w = words(value);
  return joined(w.low << 1, w.high << 1 | w.low >> 31);
}
std::uint64_t half(std::uint64_t value) {
  const Words w = words(value);
  return joined(w.low >> 1 | w.high << 31, w.high >> 1);
}
bool top_bit(std::uint32_t value) { return value >> 31 != 0; }
bool top_bit(std::uint64_t value) { return words(value).high >> 31 != 0; }
std::uint32_t twice(std::uint32_t value) { return value << 1; }

template <typename Number>
struct Quotient {
  Number value;
  Number rest;
};
template <typename Number>
Quotient<Number> divide(Number dividend, Number divisor) {
  Quotient<Number> q{0, 0};
  for (unsigned bits = sizeof(Number) * 8; bits != 0; --bits) {
    q.rest = twice(q.rest) | Number{top_bit(dividend)};
    dividend = twice(dividend);
    q.value = twice(q.value);
    if (q.rest >= divisor) {
      q.rest -= divisor;
      q.value |= 1;
    }
  }
  return q;
}

// Divides magnitudes, and gives the quotient its sign.
template <typename Signed, typename Number>
Signed divide_signed(Signed a, Signed b) {
  const auto magnitude = [](Signed value) {
    return value < 0 ? Number{0} - static_cast<Number>(value) : Number(value);
  };
  const Number quotient = divide<Number>(magnitude(a), magnitude(b)).value;
  return static_cast<Signed>((a < 0) != (b < 0) ? Number{0} - quotient : quotient);
}

}  // namespace

extern "C" {

std::uint32_t __udivsi3(std::uint32_t a, std::uint32_t b) { return divide(a, b).value; }
std::uint32_t __umodsi3(std::uint32_t a, std::uint32_t b) { return divide(a, b).rest; }
std::uint64_t __udivdi3(std::uint64_t a, std::uint64_t b) { return divide(a, b).value; }
int __divsi3(int a, int b) { return divide_signed<int, std::uint32_t>(a, b); }
std::int64_t __divdi3(std::int64_t a, std::int64_t b) { return divide_signed<std::int64_t, std::uint64_t>(a, b); }

std::uint64_t __muldi3(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  for (; b != 0; b = half(b), a = twice(a)) {
    if ((b & 1) != 0) product += a;
  }
  return product;
}

}  // extern "C"
