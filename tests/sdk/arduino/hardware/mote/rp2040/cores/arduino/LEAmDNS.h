// SPDX-License-Identifier: Apache-2.0
// Of the mDNS library of an Arduino core, what mote_network.h uses.
#pragma once

#include "Arduino.h"

class MDNSResponder {
 public:
  bool begin(const char*) { return false; }
  bool end() { return true; }
  bool addService(const char*, const char*, uint16_t) { return true; }
  bool addServiceTxt(const char*, const char*, const char*, const char*) { return true; }
  bool update() { return true; }
};
inline MDNSResponder MDNS;
