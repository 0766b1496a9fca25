// SPDX-License-Identifier: Apache-2.0
// Of the API of Arduino, what the sketches and mote.h use. With the macros that real cores have.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HIGH 0x1
#define LOW 0x0
#define INPUT 0x0
#define OUTPUT 0x1
#define INPUT_PULLUP 0x2
#define CHANGE 0x2
#define FALLING 0x3
#define RISING 0x4
#define digitalPinToInterrupt(pin) (pin)
// Some boards have no LED, such as "ESP32 Dev Module".
#ifndef ARDUINO_MOTE_TEST_NO_LED
#define LED_BUILTIN 25
#endif
#define A0 26
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define abs(x) ((x) > 0 ? (x) : -(x))
#define round(x) ((x) >= 0 ? (long)((x) + 0.5) : (long)((x)-0.5))
#define bit(b) (1UL << (b))
#define F(string_literal) (string_literal)

class IPAddress {
 public:
  constexpr explicit IPAddress(uint32_t address = 0) : address_(address) {}
  operator uint32_t() const { return address_; }
  uint8_t operator[](int index) const { return static_cast<uint8_t>(address_ >> (8 * index)); }

 private:
  uint32_t address_;
};

class Print {
 public:
  virtual size_t write(uint8_t byte) = 0;
  virtual size_t write(const uint8_t* bytes, size_t size);
  virtual int availableForWrite() { return 0; }
  virtual void flush() {}
  size_t print(const char* text) { return write(reinterpret_cast<const uint8_t*>(text), strlen(text)); }
  size_t print(int value);
  size_t print(const IPAddress& address);
  template <class T>
  size_t println(const T& value) {
    const size_t size = print(value);
    return size + print("\r\n");
  }
};

class Stream : public Print {
 public:
  virtual int available() = 0;
  virtual int read() = 0;
  virtual int peek() = 0;
};

class HardwareSerial : public Stream {
 public:
  void begin(unsigned long baud);
  size_t write(uint8_t byte) override;
  using Print::write;
  int availableForWrite() override;
  int available() override;
  int read() override;
  int peek() override;
};
// stm32duino has a Serial only if the menus of the board choose one.
#ifndef ARDUINO_MOTE_TEST_NO_SERIAL
extern HardwareSerial Serial;
#endif

unsigned long millis();
unsigned long micros();
void delay(unsigned long milliseconds);
void delayMicroseconds(unsigned microseconds);
void pinMode(int pin, int mode);
void digitalWrite(int pin, int value);
int digitalRead(int pin);
int analogRead(int pin);
void analogReadResolution(int bits);
void attachInterrupt(int pin, void (*handler)(), int mode);
void detachInterrupt(int pin);

void setup();
void loop();
