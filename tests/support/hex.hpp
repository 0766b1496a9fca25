// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace test {

/// The two hexadecimal digits of a byte.
inline std::string hex(unsigned byte) {
  constexpr char digits[] = "0123456789abcdef";
  return {digits[byte >> 4 & 15], digits[byte & 15]};
}

}  // namespace test
