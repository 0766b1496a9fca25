/* SPDX-License-Identifier: Apache-2.0 */
/* As in pico-sdk 2.1.1: src/rp2_common/hardware_i2c/include/hardware/i2c.h, where the functions with a time limit are
   inline. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct i2c_inst i2c_inst_t;
struct i2c_inst {
  void* hw;
  bool restart_on_next;
};
extern i2c_inst_t i2c0_inst;
#define i2c0 (&i2c0_inst)

unsigned i2c_init(i2c_inst_t* i2c, unsigned baudrate);
int i2c_write_timeout_us(i2c_inst_t* i2c, uint8_t addr, const uint8_t* src, size_t len, bool nostop, unsigned timeout_us);
int i2c_read_timeout_us(i2c_inst_t* i2c, uint8_t addr, uint8_t* dst, size_t len, bool nostop, unsigned timeout_us);

#ifdef __cplusplus
}
#endif
