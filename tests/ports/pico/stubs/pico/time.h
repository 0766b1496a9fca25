/* SPDX-License-Identifier: Apache-2.0 */
/* As in pico-sdk 2.1.1: src/common/pico_time/include/pico/time.h and src/common/pico_base_headers/include/pico/types.h,
   where some of these functions are inline. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t absolute_time_t;
extern const absolute_time_t at_the_end_of_time;
absolute_time_t get_absolute_time(void);
uint32_t to_ms_since_boot(absolute_time_t t);
absolute_time_t make_timeout_time_ms(uint32_t ms);
uint32_t time_us_32(void);               /* of hardware/timer.h */
void busy_wait_us_32(uint32_t delay_us); /* of hardware/timer.h */
bool best_effort_wfe_or_timeout(absolute_time_t timeout_timestamp);

typedef int32_t alarm_id_t;
typedef int64_t (*alarm_callback_t)(alarm_id_t id, void* user_data);
alarm_id_t add_alarm_in_ms(uint32_t ms, alarm_callback_t callback, void* user_data, bool fire_if_past);

#ifdef __cplusplus
}
#endif
