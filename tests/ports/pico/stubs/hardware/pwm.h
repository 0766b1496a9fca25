/* SPDX-License-Identifier: Apache-2.0 */
/* As in pico-sdk 2.1.1: src/rp2_common/hardware_pwm/include/hardware/pwm.h, where these functions are inline. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define PWM_CH0_CSR_EN_BITS 0x1u
#define PWM_CH0_DIV_INT_LSB 4

#ifdef __cplusplus
extern "C" {
#endif
typedef struct {
  uint32_t csr, div, ctr, cc, top;
} pwm_slice_hw_t;
typedef struct {
  pwm_slice_hw_t slice[12];
} pwm_hw_t;
extern pwm_hw_t fake_pwm;
#define pwm_hw (&fake_pwm)

typedef struct {
  uint32_t csr, div, top;
} pwm_config;

unsigned pwm_gpio_to_slice_num(unsigned gpio);
unsigned pwm_gpio_to_channel(unsigned gpio);
pwm_config pwm_get_default_config(void);
void pwm_init(unsigned slice_num, pwm_config* c, bool start);
void pwm_set_clkdiv_int_frac4(unsigned slice_num, uint8_t div_int, uint8_t div_frac4);
void pwm_set_wrap(unsigned slice_num, uint16_t wrap);
void pwm_set_gpio_level(unsigned gpio, uint16_t level);
void pwm_set_enabled(unsigned slice_num, bool enabled);
#ifdef __cplusplus
}
#endif
