// SPDX-License-Identifier: Apache-2.0
#include "arduino_fakes.hpp"

#include <cstdio>
#include <cstdlib>

#include <Arduino.h>

test::Board test::board;
using test::board;

HardwareSerial Serial;

void HardwareSerial::begin(unsigned long) {}
int HardwareSerial::available() { return static_cast<int>(board.to_serial.size()); }
int HardwareSerial::peek() { return -1; }
int HardwareSerial::read() {
  if (board.to_serial.empty()) return -1;
  const unsigned char byte = static_cast<unsigned char>(board.to_serial.front());
  board.to_serial.erase(0, 1);
  return byte;
}
int HardwareSerial::availableForWrite() { return board.space; }
size_t HardwareSerial::write(uint8_t byte) {
  board.from_serial += static_cast<char>(byte);
  --board.space;
  return 1;
}

unsigned long millis() { return board.now_ms; }
unsigned long micros() { return board.now_ms * 1000UL; }
void delay(unsigned long milliseconds) {
  if (board.delay_ends) {
    static_cast<void>(std::fputs(board.from_serial.c_str(), stderr));
    std::exit(3);
  }
  board.now_ms += static_cast<std::uint32_t>(milliseconds);
}
void delayMicroseconds(unsigned) {}
void pinMode(int pin, int mode) {
  if (board.on_mode) board.on_mode(pin, mode);
}
int digitalRead(int pin) { return board.level(pin); }
void digitalWrite(int pin, int value) { board.pins[pin] = value; }
int analogRead(int) { return board.analog; }
void analogReadResolution(int) {}
void attachInterrupt(int, void (*handler)(), int) { board.on_edge = handler; }
void detachInterrupt(int) { board.on_edge = nullptr; }
