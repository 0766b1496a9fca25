/* SPDX-License-Identifier: Apache-2.0 */
/* Declaration as in TinyUSB 0.18.0: src/device/usbd_pvt.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
bool usbd_edpt_busy(uint8_t rhport, uint8_t ep_addr);
#ifdef __cplusplus
}
#endif
