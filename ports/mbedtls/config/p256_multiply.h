// SPDX-License-Identifier: Apache-2.0
/* Compiled in front of p256-m.c with MOTE_TLS_WIDE_MULTIPLY: its multiplication becomes UMULL, where the processor has
   that and has no UMAAL. On a Cortex-M3 UMULL takes 3 to 5 cycles, depending on its operands. mbedTLS's big numbers use
   it there too. */
#if !defined(__ARM_FEATURE_DSP) && !(defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 1)
#undef __ARM_ARCH_PROFILE
#define MUL64_IS_CONSTANT_TIME
#endif
