// SPDX-License-Identifier: Apache-2.0
// Random bytes that are the same in each run, for protocols that need different ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <span>

#include "mcp/port.hpp"

namespace test {

class SeededEntropy final : public mcp::Entropy {
 public:
  bool fails = false;
  std::size_t left = SIZE_MAX;  // calls until it fails for good

 private:
  bool do_fill(std::span<std::uint8_t> into) override {
    if (fails || left == 0) {
      if (++failed_ == 1'000'000) std::abort();  // its caller asks for ever
      return false;
    }
    --left;
    for (std::uint8_t& byte : into) byte = static_cast<std::uint8_t>(generator_());
    return true;
  }
  std::mt19937 generator_{1};
  std::size_t failed_ = 0;
};

}  // namespace test
