// SPDX-License-Identifier: Apache-2.0
// Declarations as in include/zephyr/drivers/i2c.h of Zephyr 4, where these functions are inline or system calls.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <zephyr/device.h>

extern "C" {
int i2c_write(const struct device* dev, const uint8_t* buf, uint32_t num_bytes, uint16_t addr);
int i2c_read(const struct device* dev, uint8_t* buf, uint32_t num_bytes, uint16_t addr);
int i2c_write_read(const struct device* dev, uint16_t addr, const void* write_buf, size_t num_write, void* read_buf,
                   size_t num_read);
int i2c_recover_bus(const struct device* dev);
}
