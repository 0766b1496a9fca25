/* SPDX-License-Identifier: Apache-2.0 */
/* As in pico-sdk 2.1.1: src/common/pico_base_headers/include/pico/error.h. */
#pragma once

enum pico_error_codes {
  PICO_OK = 0,
  PICO_ERROR_GENERIC = -1,
  PICO_ERROR_TIMEOUT = -2,
  PICO_ERROR_NOT_PERMITTED = -4
};
