// SPDX-License-Identifier: Apache-2.0
// As Adafruit_BME280 2.2.4: begin() reports a missing device, and getEvent() nothing. A value is not a number if its
// measurement is switched off.
#pragma once

#include <Adafruit_Sensor.h>

#include <cstdint>
#include <cstring>

class Adafruit_BME280_Temp : public Adafruit_Sensor {
 public:
  bool getEvent(sensors_event_t* event) override {
    std::memset(event, 0, sizeof *event);
    event->type = SENSOR_TYPE_AMBIENT_TEMPERATURE;
    event->timestamp = static_cast<std::int32_t>(millis());
    event->temperature = celsius;
    return true;
  }
  void getSensor(sensor_t* sensor) override {
    std::memset(sensor, 0, sizeof *sensor);
    std::strncpy(sensor->name, "BME280", sizeof sensor->name - 1);
    sensor->type = SENSOR_TYPE_AMBIENT_TEMPERATURE;
    sensor->min_value = -40;
    sensor->max_value = 85;
  }
  float celsius = 0;
};

class Adafruit_BME280 {
 public:
  bool begin(std::uint8_t address) { return is_there && address == 0x76; }
  Adafruit_Sensor* getTemperatureSensor() { return &temperature; }

  bool is_there = false;
  Adafruit_BME280_Temp temperature;
};
