/* SPDX-License-Identifier: Apache-2.0 */
/* In place of ST's startup_stm32f103xb.s, with its names and those of the linker script that CubeMX writes. */
#include <stdint.h>

extern uint32_t _estack[], _sidata[], _sdata[], _edata[], _sbss[], _ebss[];
extern void (*__preinit_array_start[])(void);
extern void (*__init_array_end[])(void);
extern void (*__init_array_start[])(void);
int main(void);
void Reset_Handler(void);
void NMI_Handler(void);
void HardFault_Handler(void);
void SysTick_Handler(void);
void USART2_IRQHandler(void);
__attribute__((weak)) void SVC_Handler(void) { HardFault_Handler(); }
__attribute__((weak)) void PendSV_Handler(void) { HardFault_Handler(); }

void Reset_Handler(void) {
  const uint32_t* from = _sidata;
  for (uint32_t* to = _sdata; to != _edata;) *to++ = *from++;
  for (uint32_t* to = _sbss; to != _ebss;) *to++ = 0;
  for (void (**construct)(void) = __init_array_start; construct != __init_array_end;) (*construct++)();
  main();
  HardFault_Handler();
}

/* 16 exceptions and 43 interrupts: RM0008, table 63. */
__attribute__((section(".isr_vector"), used)) static const struct {
  uint32_t* stack;
  void (*handlers[58])(void);
} vectors = {_estack,
             {[0] = Reset_Handler,
              [1] = NMI_Handler,
              [2] = HardFault_Handler,
              [3] = HardFault_Handler,
              [4] = HardFault_Handler,
              [5] = HardFault_Handler,
              [10] = SVC_Handler,
              [13] = PendSV_Handler,
              [14] = SysTick_Handler,
              [15 + 38] = USART2_IRQHandler}};
