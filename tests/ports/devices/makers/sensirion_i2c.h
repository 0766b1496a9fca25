// SPDX-License-Identifier: Apache-2.0
// Of Sensirion's embedded-i2c-scd4x 1.2.0.
#pragma once

#define CRC_ERROR 1
#define I2C_BUS_ERROR 2
