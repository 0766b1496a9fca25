// SPDX-License-Identifier: Apache-2.0
// Stands in for the library libstdc++, of which Debian's package has 1.5 GB: where that throws, this allocates and
// unwinds, with the malloc of newlib and the unwinder of libgcc.
#include <cstdlib>

extern "C" int _Unwind_RaiseException(void* exception);

[[noreturn]] static void raise_exception() {
  static_cast<void>(_Unwind_RaiseException(std::malloc(64)));
  std::abort();
}

extern "C" [[noreturn]] void __cxa_pure_virtual() { raise_exception(); }

namespace std {
[[gnu::noreturn]] void __throw_out_of_range_fmt(const char*, ...) { raise_exception(); }
[[gnu::noreturn]] void __throw_bad_function_call() { raise_exception(); }
}  // namespace std
