// SPDX-License-Identifier: Apache-2.0
// Of LittleFS, what mote_network.h uses. The emulator has no flash that a program can write.
#pragma once

#include "Arduino.h"

class File {
 public:
  explicit operator bool() const { return false; }
  size_t size() const { return 0; }
  int read(uint8_t*, size_t) { return 0; }
  size_t write(const uint8_t*, size_t) { return 0; }
  void close() {}
};

class FS {
 public:
  bool begin() { return false; }
  bool exists(const char*) { return false; }
  File open(const char*, const char*) { return {}; }
  bool remove(const char*) { return false; }
};
inline FS LittleFS;
