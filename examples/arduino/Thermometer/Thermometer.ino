// SPDX-License-Identifier: Apache-2.0
// A thermometer for AI clients on Serial, which is the USB cable of most boards. This file is the board: the sensor,
// the LED and the wire. The tools and resources are in the tab thermometer.cpp.
//
// Wiring: a TMP36 temperature sensor. Its left pin to 3V3, its middle pin to A0, its right pin to GND.
#include <mote.h>

#include "device.hpp"
#include "thermometer.hpp"

#ifdef MOTE_NO_SERIAL
#error "This board has no Serial. In the menu Tools, choose a generic 'Serial', or put the name of another port for it."
#endif

// The pin of the LED, or -1 without an LED.
#ifdef LED_BUILTIN
const int LED_PIN = LED_BUILTIN;
#else
#pragma message("This board package names no LED. Set LED_PIN to the pin of an LED.")
const int LED_PIN = -1;
#endif

namespace device {

const std::string_view hardware = "Arduino";

mcp::Millis now() { return millis(); }
std::uint32_t boot_id() { return mcp::arduino::boot_id(); }

// A TMP36 has 500 mV at 0 degrees, and 10 mV more per degree. analogRead() counts 4096 steps up to 3.3 V.
bool read_millidegrees(std::int32_t& value) {
  const std::int32_t microvolts = std::int32_t{analogRead(A0)} * 3'300 * 125 / 512;
  value = (microvolts - 500'000) / 10;
  return true;
}

void led(bool on) {
  if (LED_PIN >= 0) digitalWrite(LED_PIN, on ? HIGH : LOW);
}

}  // namespace device

mcp::arduino::StreamPort wire{Serial};
mcp::StdioTransport transport{thermometer::server, wire};

void setup() {
  if (LED_PIN >= 0) pinMode(LED_PIN, OUTPUT);
  analogReadResolution(12);
  Serial.begin(115200);
}

void loop() {
  thermometer::sample(millis());
  mcp::arduino::poll(transport);
}
