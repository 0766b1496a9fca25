// SPDX-License-Identifier: Apache-2.0
// Declarations as in include/mdns.h of the component espressif/mdns 1.8.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "esp_err.h"

typedef struct {
  const char* key;
  const char* value;
} mdns_txt_item_t;

extern "C" {
esp_err_t mdns_init(void);
esp_err_t mdns_hostname_set(const char* hostname);
esp_err_t mdns_instance_name_set(const char* instance_name);
esp_err_t mdns_service_add(const char* instance_name, const char* service_type, const char* proto, uint16_t port,
                           mdns_txt_item_t txt[], size_t num_items);
}
