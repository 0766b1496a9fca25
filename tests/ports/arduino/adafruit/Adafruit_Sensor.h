// SPDX-License-Identifier: Apache-2.0
// Declarations as in Adafruit_Sensor.h of Adafruit Unified Sensor 1.1.15: numbers of types, order and types of members.
#pragma once

#include <Arduino.h>

#include <cstdint>

typedef enum {
  SENSOR_TYPE_ACCELEROMETER = 1,
  SENSOR_TYPE_MAGNETIC_FIELD,
  SENSOR_TYPE_ORIENTATION,
  SENSOR_TYPE_GYROSCOPE,
  SENSOR_TYPE_LIGHT,
  SENSOR_TYPE_PRESSURE,
  SENSOR_TYPE_PROXIMITY = 8,
  SENSOR_TYPE_GRAVITY,
  SENSOR_TYPE_LINEAR_ACCELERATION,
  SENSOR_TYPE_ROTATION_VECTOR,
  SENSOR_TYPE_RELATIVE_HUMIDITY,
  SENSOR_TYPE_AMBIENT_TEMPERATURE,
  SENSOR_TYPE_OBJECT_TEMPERATURE,
  SENSOR_TYPE_VOLTAGE,
  SENSOR_TYPE_CURRENT,
  SENSOR_TYPE_COLOR,
  SENSOR_TYPE_TVOC,
  SENSOR_TYPE_VOC_INDEX,
  SENSOR_TYPE_NOX_INDEX,
  SENSOR_TYPE_CO2,
  SENSOR_TYPE_ECO2,
  SENSOR_TYPE_PM10_STD,
  SENSOR_TYPE_PM25_STD,
  SENSOR_TYPE_PM100_STD,
  SENSOR_TYPE_PM10_ENV,
  SENSOR_TYPE_PM25_ENV,
  SENSOR_TYPE_PM100_ENV,
  SENSOR_TYPE_GAS_RESISTANCE,
  SENSOR_TYPE_UNITLESS_PERCENT,
  SENSOR_TYPE_ALTITUDE,
} sensors_type_t;

typedef struct {
  union {
    float v[3];
    struct {
      float x, y, z;
    };
    struct {
      float roll, pitch, heading;
    };
  };
  std::int8_t status;
  std::uint8_t reserved[3];
} sensors_vec_t;

typedef struct {
  union {
    float c[3];
    struct {
      float r, g, b;
    };
  };
  std::uint32_t rgba;
} sensors_color_t;

typedef struct {
  std::int32_t version, sensor_id, type, reserved0, timestamp;
  union {
    float data[4];
    sensors_vec_t acceleration, magnetic, orientation, gyro;
    float temperature, distance, light, pressure, relative_humidity, current, voltage, tvoc, voc_index, nox_index, CO2,
        eCO2, pm10_std, pm25_std, pm100_std, pm10_env, pm25_env, pm100_env, gas_resistance, unitless_percent;
    sensors_color_t color;
    float altitude;
  };
} sensors_event_t;

typedef struct {
  char name[12];
  std::int32_t version, sensor_id, type;
  float max_value, min_value, resolution;
  std::int32_t min_delay;
} sensor_t;

class Adafruit_Sensor {
 public:
  virtual ~Adafruit_Sensor() {}
  virtual void enableAutoRange(bool) {}
  virtual bool getEvent(sensors_event_t*) = 0;
  virtual void getSensor(sensor_t*) = 0;
};
