// SPDX-License-Identifier: Apache-2.0
// Marks the work that an instruction counter counts (tests/bench/counts).
#pragma once

#include <cstdio>
#include <string_view>

/// Calls `work` `times` times. The counter finds it by its name, so it is never inlined.
extern "C" void bench_measured(void (*work)(void*), void* context, unsigned long times);

namespace bench {

/// Runs `work()` `times` times, and prints the name, the divisor of the count, and the number of decimal places.
template <class Work>
void measure(std::string_view name, unsigned long times, unsigned long divisor, unsigned digits, Work work) {
  static_cast<void>(std::printf("%.*s\t%lu\t%u\n", static_cast<int>(name.size()), name.data(), divisor, digits));
  bench_measured([](void* context) { (*static_cast<Work*>(context))(); }, &work, times);
}

/// The count of one time.
template <class Work>
void measure(std::string_view name, unsigned long times, Work work) {
  measure(name, times, times, 0, work);
}

}  // namespace bench
