/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that the files of CubeMX call. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the server. Never returns. Call it at the end of the initialization in main(). */
void run_app(void);

/* For SysTick_Handler(), after HAL_IncTick(). */
void tick_app(void);

#ifdef __cplusplus
}
#endif
