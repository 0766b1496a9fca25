// SPDX-License-Identifier: Apache-2.0
// Random bytes that are the same in each run, for protocols that need different ones.
#pragma once

#include <cstdint>
#include <random>
#include <span>

#include "mcp/port.hpp"

namespace test {

class SeededEntropy final : public mcp::Entropy {
 public:
  bool fails = false;

 private:
  bool do_fill(std::span<std::uint8_t> into) override {
    if (fails) return false;
    for (std::uint8_t& byte : into) byte = static_cast<std::uint8_t>(generator_());
    return true;
  }
  std::mt19937 generator_{1};
};

}  // namespace test
