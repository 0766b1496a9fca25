// SPDX-License-Identifier: Apache-2.0
// Functions that libstdc++ and the compiler call where a program with exceptions throws. Here each is a failed
// assertion. Without them, the linker takes the functions of the C++ library, which need exceptions, the unwinder and
// malloc.
//
// All of them are weak, so that an SDK may replace them. The abort() of newlib links signals. An Arduino core may
// compile with exceptions, and then uses the functions of the C++ library.
#include <mcp/assert.hpp>

#ifndef __cpp_exceptions

extern "C" {
[[noreturn, gnu::weak]] void abort() { mcp_assert_failed("abort", 0); }
[[noreturn, gnu::weak]] void __cxa_pure_virtual() { mcp_assert_failed("__cxa_pure_virtual", 0); }
}

#if defined(__arm__) && defined(__ELF__)
// The unwind tables in libgcc name these personalities of the unwinder, which nothing calls without exceptions.
asm(".weak __aeabi_unwind_cpp_pr0, __aeabi_unwind_cpp_pr1, __aeabi_unwind_cpp_pr2\n"
    ".set __aeabi_unwind_cpp_pr0, 0\n"
    ".set __aeabi_unwind_cpp_pr1, 0\n"
    ".set __aeabi_unwind_cpp_pr2, 0\n");
#endif

// libstdc++ calls these by their names.
// NOLINTBEGIN(bugprone-std-namespace-modification,cert-dcl50-cpp,cert-dcl58-cpp,misc-use-internal-linkage)
namespace std {
[[gnu::noreturn, gnu::weak]] void __throw_logic_error(const char* what) { mcp_assert_failed(what, 0); }
[[gnu::noreturn, gnu::weak]] void __throw_length_error(const char* what) { mcp_assert_failed(what, 0); }
[[gnu::noreturn, gnu::weak]] void __throw_out_of_range(const char* what) { mcp_assert_failed(what, 0); }
[[gnu::noreturn, gnu::weak]] void __throw_out_of_range_fmt(const char* what, ...) { mcp_assert_failed(what, 0); }
[[gnu::noreturn, gnu::weak]] void __throw_invalid_argument(const char* what) { mcp_assert_failed(what, 0); }
[[gnu::noreturn, gnu::weak]] void __throw_bad_function_call() { mcp_assert_failed("bad_function_call", 0); }
// Called by programs with _GLIBCXX_ASSERTIONS.
[[gnu::noreturn, gnu::weak]] void __glibcxx_assert_fail(const char* file, int line, const char*, const char*) noexcept {
  mcp_assert_failed(file, line);
}
}  // namespace std
// NOLINTEND(bugprone-std-namespace-modification,cert-dcl50-cpp,cert-dcl58-cpp,misc-use-internal-linkage)

#endif
