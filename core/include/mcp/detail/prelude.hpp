// SPDX-License-Identifier: Apache-2.0
// The first include of each public header. It requires C++20. It also hides macros that an SDK defines with names that
// these headers and the standard library use for functions, such as Arduino's min() and F(). Each header ends with
// epilogue.hpp, which restores them. Headers include each other, so this file has no include guard.

#if __cplusplus < 202002L
#if defined(__GNUC__)
// GCC and Clang continue after #error and report hundreds of further errors. A missing file is one error and the end.
#include <mote needs C++20: compile with -std=c++20 or -std=gnu++20>
#else
#error "mote needs C++20"
#endif
#endif

// GCC has the name of a file without its folders from version 12 on.
#if !defined(__FILE_NAME__)
#define __FILE_NAME__ __FILE__
#endif

#pragma push_macro("F")
#pragma push_macro("abs")
#pragma push_macro("bit")
#pragma push_macro("constrain")
#pragma push_macro("degrees")
#pragma push_macro("interrupts")
#pragma push_macro("max")
#pragma push_macro("min")
#pragma push_macro("radians")
#pragma push_macro("round")
#pragma push_macro("sq")
#pragma push_macro("swap")
#pragma push_macro("word")
#undef F
#undef abs
#undef bit
#undef constrain
#undef degrees
#undef interrupts
#undef max
#undef min
#undef radians
#undef round
#undef sq
#undef swap
#undef word
