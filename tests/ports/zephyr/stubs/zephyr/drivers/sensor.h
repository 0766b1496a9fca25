// SPDX-License-Identifier: Apache-2.0
// Declarations as in include/zephyr/drivers/sensor.h of Zephyr, commit db786f3, where the functions are system calls. It has
// the channels that the port names, in their order, and the functions that fetch and get.
#pragma once

#include <stdint.h>

#include <zephyr/device.h>
#include <zephyr/sys/iterable_sections.h>

struct sensor_value {
  int32_t val1;
  int32_t val2;
};

enum sensor_channel {
  SENSOR_CHAN_ACCEL_X,
  SENSOR_CHAN_ACCEL_Y,
  SENSOR_CHAN_ACCEL_Z,
  SENSOR_CHAN_ACCEL_XYZ,
  SENSOR_CHAN_GYRO_X,
  SENSOR_CHAN_GYRO_Y,
  SENSOR_CHAN_GYRO_Z,
  SENSOR_CHAN_GYRO_XYZ,
  SENSOR_CHAN_MAGN_X,
  SENSOR_CHAN_MAGN_Y,
  SENSOR_CHAN_MAGN_Z,
  SENSOR_CHAN_MAGN_XYZ,
  SENSOR_CHAN_DIE_TEMP,
  SENSOR_CHAN_AMBIENT_TEMP,
  SENSOR_CHAN_PRESS,
  SENSOR_CHAN_PROX,
  SENSOR_CHAN_HUMIDITY,
  SENSOR_CHAN_LIGHT,
  SENSOR_CHAN_IR,
  SENSOR_CHAN_RED,
  SENSOR_CHAN_GREEN,
  SENSOR_CHAN_BLUE,
  SENSOR_CHAN_ALTITUDE,
  SENSOR_CHAN_PM_1_0,
  SENSOR_CHAN_PM_2_5,
  SENSOR_CHAN_PM_10,
  SENSOR_CHAN_DISTANCE,
  SENSOR_CHAN_CO2,
  SENSOR_CHAN_VOC,
  SENSOR_CHAN_GAS_RES,
  SENSOR_CHAN_VOLTAGE,
  SENSOR_CHAN_CURRENT,
  SENSOR_CHAN_POWER,
  SENSOR_CHAN_RESISTANCE,
  SENSOR_CHAN_ROTATION,
  SENSOR_CHAN_POS_DX,
  SENSOR_CHAN_POS_DY,
  SENSOR_CHAN_POS_DZ,
  SENSOR_CHAN_POS_DXYZ,
  SENSOR_CHAN_RPM,
  SENSOR_CHAN_GAUGE_VOLTAGE,
  SENSOR_CHAN_GAUGE_AVG_CURRENT,
  SENSOR_CHAN_GAUGE_STDBY_CURRENT,
  SENSOR_CHAN_GAUGE_MAX_LOAD_CURRENT,
  SENSOR_CHAN_GAUGE_TEMP,
  SENSOR_CHAN_GAUGE_STATE_OF_CHARGE,
  SENSOR_CHAN_GAUGE_FULL_CHARGE_CAPACITY,
  SENSOR_CHAN_GAUGE_REMAINING_CHARGE_CAPACITY,
  SENSOR_CHAN_GAUGE_AVG_POWER,
  SENSOR_CHAN_GAUGE_STATE_OF_HEALTH,
  SENSOR_CHAN_GAUGE_TIME_TO_EMPTY,
  SENSOR_CHAN_GAUGE_TIME_TO_FULL,
  SENSOR_CHAN_GAUGE_CYCLE_COUNT,
  SENSOR_CHAN_ALL,
};

struct sensor_info {
  const struct device* dev;
  const char* vendor;
  const char* model;
  const char* friendly_name;
};

extern "C" {
int sensor_sample_fetch(const struct device* dev);
int sensor_channel_get(const struct device* dev, enum sensor_channel chan, struct sensor_value* val);
}
