// SPDX-License-Identifier: Apache-2.0
// A target under libFuzzer: MOTE_FUZZ_TARGET names it. The mutator of the target takes turns with libFuzzer's own.
#include <algorithm>

#include "fuzz/target.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

constexpr const fuzz::Target& target = fuzz::MOTE_FUZZ_TARGET;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static_cast<void>(target.run({reinterpret_cast<const char*>(data), std::min(size, target.max_size)}));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  if (seed % 3 == 0) return LLVMFuzzerMutate(data, size, max_size);
  fuzz::Random random(seed);
  std::string input(reinterpret_cast<const char*>(data), size);
  fuzz::mutate(target, input, input, random);
  input.resize(std::min(input.size(), max_size));
  std::copy(input.begin(), input.end(), data);
  return input.size();
}
