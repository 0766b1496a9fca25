// SPDX-License-Identifier: Apache-2.0
// A TMP36 temperature sensor, and the LED of the board. The left pin of the sensor is at 3V3, its middle pin at A0, its
// right pin at GND.
#include <mote.h>

#include "device.hpp"

// The pin of the LED, or -1 without an LED.
#ifdef LED_BUILTIN
static const int LED_PIN = LED_BUILTIN;
#else
#pragma message("This board package names no LED. Set LED_PIN to the pin of an LED.")
static const int LED_PIN = -1;
#endif

void begin_device() {
  if (LED_PIN >= 0) pinMode(LED_PIN, OUTPUT);
  analogReadResolution(12);
}

// A TMP36 has 500 mV at 0 degrees, and 10 mV more per degree. analogRead() counts 4096 steps up to 3.3 V.
bool read_celsius(float& celsius) {
  celsius = (static_cast<float>(analogRead(A0)) * 3300 / 4096 - 500) / 10;
  return celsius >= -55 && celsius <= 150;  // outside, no sensor is there
}

void set_led(bool on) {
  if (LED_PIN >= 0) digitalWrite(LED_PIN, on ? HIGH : LOW);
}

std::uint32_t boot_id() { return mcp::arduino::boot_id(); }
