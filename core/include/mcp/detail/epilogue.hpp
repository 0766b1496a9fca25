// SPDX-License-Identifier: Apache-2.0
// The last include of each public header. It restores the macros that prelude.hpp hides.

#pragma pop_macro("F")
#pragma pop_macro("abs")
#pragma pop_macro("bit")
#pragma pop_macro("constrain")
#pragma pop_macro("degrees")
#pragma pop_macro("interrupts")
#pragma pop_macro("max")
#pragma pop_macro("min")
#pragma pop_macro("radians")
#pragma pop_macro("round")
#pragma pop_macro("sq")
#pragma pop_macro("swap")
#pragma pop_macro("word")
