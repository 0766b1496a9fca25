// SPDX-License-Identifier: Apache-2.0
#include "Arduino.h"

size_t Print::write(const uint8_t* bytes, size_t size) {
  size_t written = 0;
  while (written < size && write(bytes[written]) == 1) ++written;
  return written;
}

size_t Print::print(int value) {
  char text[12];
  char* at = text + sizeof text - 1;
  *at = '\0';
  unsigned rest = value < 0 ? -static_cast<unsigned>(value) : static_cast<unsigned>(value);
  do {
    *--at = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (value < 0) *--at = '-';
  return print(at);
}

size_t Print::print(const IPAddress& address) {
  size_t size = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if (i != 0) size += print(".");
    size += print(static_cast<int>(static_cast<uint32_t>(address) >> (8 * i) & 0xFF));
  }
  return size;
}
