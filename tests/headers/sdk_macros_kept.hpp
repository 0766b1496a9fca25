// SPDX-License-Identifier: Apache-2.0
// Each macro of sdk_macros.hpp with a name that mote hides still works. Included after each public header, so it has no
// include guard.
static_assert(min(2, 1) == 1 && max(2, 1) == 2 && abs(-1) == 1 && round(1.6) == 2 && sq(3) == 9);
static_assert(constrain(7, 1, 5) == 5 && radians(0) == 0 && degrees(0) == 0 && bit(3) == 8 && F("a")[0] == 'a');
#if !defined(interrupts) || !defined(swap) || !defined(word)
#error "a header of mote has not restored a macro"
#endif
