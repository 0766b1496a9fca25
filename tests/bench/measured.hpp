// Marks the work that an instruction counter counts (tests/bench/counts).
#pragma once

#include <cstdio>
#include <string_view>

/// Calls `work` so many times. The counter knows it by its name, so it is never inlined.
extern "C" void bench_measured(void (*work)(void*), void* context, unsigned long times);

namespace bench {

/// Has `work()` done `times` times, and prints the name, by what the count is to be divided, and how many digits behind
/// the decimal point are wanted.
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
