/* SPDX-License-Identifier: Apache-2.0 */
/* As in pico-sdk 2.1.1: src/rp2_common/hardware_adc/include/hardware/adc.h, where most of these functions are inline. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#if FAKE_RP2350B
#define NUM_ADC_CHANNELS 9
#define ADC_BASE_PIN 40
#define ADC_CS_RROBIN_BITS 0x01ff0000u
#else
#define NUM_ADC_CHANNELS 5
#define ADC_BASE_PIN 26
#define ADC_CS_RROBIN_BITS 0x001f0000u
#endif
#define ADC_TEMPERATURE_CHANNEL_NUM (NUM_ADC_CHANNELS - 1)
#define ADC_CS_EN_BITS 0x1u
#define ADC_CS_TS_EN_BITS 0x2u
#define ADC_CS_START_MANY_BITS 0x8u

#ifdef __cplusplus
extern "C" {
#endif
typedef struct {
  uint32_t cs;
} adc_hw_t;
extern adc_hw_t fake_adc;
#define adc_hw (&fake_adc)

void adc_init(void);
void adc_gpio_init(unsigned gpio);
void adc_select_input(unsigned input);
void adc_set_temp_sensor_enabled(bool enable);
uint16_t adc_read(void);
#ifdef __cplusplus
}
#endif
