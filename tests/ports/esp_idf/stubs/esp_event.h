// SPDX-License-Identifier: Apache-2.0
// Declarations as in components/esp_event/include/esp_event.h and esp_event_base.h of ESP-IDF v6.2-dev, commit 1021229.
#pragma once

#include <stdint.h>

#include "esp_err.h"

typedef const char* esp_event_base_t;
typedef void* esp_event_handler_instance_t;
typedef void (*esp_event_handler_t)(void* event_handler_arg, esp_event_base_t event_base, int32_t event_id,
                                    void* event_data);
#define ESP_EVENT_DECLARE_BASE(id) extern "C" esp_event_base_t const id

extern "C" {
esp_err_t esp_event_loop_create_default(void);
esp_err_t esp_event_handler_instance_register(esp_event_base_t event_base, int32_t event_id,
                                              esp_event_handler_t event_handler, void* event_handler_arg,
                                              esp_event_handler_instance_t* instance);
esp_err_t esp_event_handler_instance_unregister(esp_event_base_t event_base, int32_t event_id,
                                                esp_event_handler_instance_t instance);
}
