// SPDX-License-Identifier: Apache-2.0
#include "measured.hpp"

void bench_measured(void (*work)(void*), void* context, unsigned long times) {
  for (; times != 0; --times) work(context);
}
