// SPDX-License-Identifier: Apache-2.0
// Macros as an Arduino core and other vendors' headers define them, before an application includes mote.
#pragma once

// Arduino.h.
#define HIGH 0x1
#define LOW 0x0
#define INPUT 0x0
#define OUTPUT 0x1
#define PI 3.1415926535897932384626433832795
#define EULER 2.718281828459045235360287471352
#define SERIAL 0x0
#define DISPLAY 0x1
#define CHANGE 1
#define FALLING 2
#define RISING 3
#define DEFAULT 1
#define EXTERNAL 0
#define INTERNAL 2
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define abs(x) ((x) > 0 ? (x) : -(x))
#define constrain(amt, low, high) ((amt) < (low) ? (low) : ((amt) > (high) ? (high) : (amt)))
#define round(x) ((x) >= 0 ? (long)((x) + 0.5) : (long)((x)-0.5))
#define radians(deg) ((deg)*0.017453292519943295)
#define degrees(rad) ((rad)*57.29577951308232)
#define sq(x) ((x) * (x))
#define interrupts() enable_interrupts()
#define noInterrupts() disable_interrupts()
#define lowByte(w) ((unsigned char)((w)&0xff))
#define highByte(w) ((unsigned char)((w) >> 8))
#define bitRead(value, bit) (((value) >> (bit)) & 0x01)
#define bitSet(value, bit) ((value) |= (1UL << (bit)))
#define bit(b) (1UL << (b))
#define _BV(bit) (1 << (bit))
#define word(...) make_word(__VA_ARGS__)
#define F(string_literal) (string_literal)
#define PSTR(s) (s)
#define PROGMEM
#define B0 0
#define B1 1
#define DEC 10
#define HEX 16

// Vendors' SDKs.
#define BIT(n) (1UL << (n))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define swap(a, b) swap_values(a, b)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define UNUSED(x) ((void)(x))
#define SET 1
#define RESET 0
#define ENABLE 1
#define DISABLE 0
#define SUCCESS 0
#define ERROR 1
