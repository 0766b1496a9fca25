// SPDX-License-Identifier: Apache-2.0
// Of the Wi-Fi of an Arduino core, what the sketches and mote.h use. The emulator has no network, so no client comes.
#pragma once

#include "Arduino.h"

class WiFiClient : public Stream {
 public:
  uint8_t connected() { return 0; }
  int available() override { return 0; }
  int read() override { return -1; }
  int read(uint8_t*, size_t) { return -1; }
  int peek() override { return -1; }
  size_t write(uint8_t) override { return 0; }
  size_t write(const uint8_t*, size_t) override { return 0; }
  void stop() {}
  IPAddress remoteIP() const { return IPAddress(); }
  explicit operator bool() const { return false; }
};

class WiFiServer {
 public:
  explicit WiFiServer(uint16_t) {}
  void begin() {}
  WiFiClient accept() { return {}; }
};

#define WL_CONNECTED 3

#define WL_DISCONNECTED 6
enum _wifiModeESP { WIFI_STA, WIFI_AP, WIFI_OFF };

class WiFiClass {
 public:
  void mode(_wifiModeESP) {}
  int begin(const char*, const char*) { return WL_DISCONNECTED; }
  int disconnect() { return WL_DISCONNECTED; }
  uint8_t status() { return WL_DISCONNECTED; }
  IPAddress localIP() { return IPAddress(0x0100007F); }
};
inline WiFiClass WiFi;

// The random number generator, with the name that the core for Raspberry Pi Pico has.
struct RP2040 {
  uint32_t hwrand32() { return 4; }
};
inline RP2040 rp2040;
