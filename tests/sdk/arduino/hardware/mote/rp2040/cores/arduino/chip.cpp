// SPDX-License-Identifier: Apache-2.0
// The RP2040 as far as the emulator needs it: start-up, clock, UART0, analog inputs, pins, the edges of one pin.
// Source: RP2040 Datasheet.
#include "Arduino.h"

namespace {

volatile uint32_t& at(uint32_t address) { return *reinterpret_cast<volatile uint32_t*>(address); }

constexpr uint32_t adc_control = 0x4004'C000, adc_result = 0x4004'C004;
constexpr uint32_t uart_data = 0x4003'4000, uart_flags = 0x4003'4018, uart_line = 0x4003'402C;
constexpr uint32_t uart_control = 0x4003'4030, uart_mask = 0x4003'4038;
constexpr uint32_t timer_high = 0x4005'4008, timer_low = 0x4005'400C, timer_alarm = 0x4005'4010;
constexpr uint32_t timer_raw_low = 0x4005'4028, timer_raised = 0x4005'4034, timer_enable = 0x4005'4038;
constexpr uint32_t pins_in = 0xD000'0004, pins_set = 0xD000'0014, pins_clear = 0xD000'0018;
constexpr uint32_t pins_enable = 0xD000'0024, pins_disable = 0xD000'0028;
constexpr uint32_t pin_controls = 0x4001'4004, edges_raw = 0x4001'40F0, edges_enable = 0x4001'4100;
constexpr uint32_t pads = 0x4001'C004;
constexpr uint32_t interrupts_enable = 0xE000'E100;
constexpr uint32_t receive_empty = 1u << 4, transmit_full = 1u << 5;
constexpr uint32_t receive_interrupts = 1u << 4 | 1u << 6;
constexpr uint32_t edge_falls = 1u << 2, edge_rises = 1u << 3;  // of 4 bits for each pin
constexpr unsigned timer_number = 0, pins_number = 13, uart_number = 20;

// Longer than the emulator waits after its input has ended, so that it sees that the sketch sleeps.
constexpr uint32_t longest_sleep_us = 60'000;

int edge_pin;
void (*edge_handler)();

bool was_used;  // the sketch has read from Serial or written to it, so it may have more work

}  // namespace

// ---- Start-up ------------------------------------------------------------------------------------------------------

extern "C" {
extern uint32_t data_begin[], data_end[], data_load[], bss_begin[], bss_end[], stack_top[];
extern void (*init_array_begin[])();
extern void (*init_array_end[])();

int main() {
  setup();
  for (;;) {
    was_used = false;
    loop();
    if (was_used || Serial.available() > 0) continue;
    at(timer_alarm) = at(timer_raw_low) + longest_sleep_us;
    asm volatile("cpsid i");
    if ((at(uart_flags) & receive_empty) != 0) asm volatile("wfi");
    asm volatile("cpsie i");
  }
}

[[noreturn]] void reset() {
  for (uint32_t *to = data_begin, *from = data_load; to != data_end;) *to++ = *from++;
  for (uint32_t* to = bss_begin; to != bss_end;) *to++ = 0;
  for (auto function = init_array_begin; function != init_array_end;) (*function++)();
  at(timer_enable) = 1;
  at(interrupts_enable) = 1u << timer_number | 1u << pins_number | 1u << uart_number;
  main();
  for (;;) asm volatile("bkpt");
}

void stop() {
  for (;;) asm volatile("bkpt");
}

void end_sleep() { at(timer_raised) = 1; }

// The bytes stay in the receiver. Serial::read() takes them, and unmasks the interrupt.
void note_received() { at(uart_mask) = 0; }

void note_edge() {
  at(edges_raw + 4 * static_cast<uint32_t>(edge_pin / 8)) = (edge_falls | edge_rises) << 4 * (edge_pin % 8);
  edge_handler();
}
}

namespace {

using Handler = void (*)();
struct Vectors {
  uint32_t* stack;
  Handler exceptions[15];
  Handler interrupts[uart_number + 1];
};
constexpr Vectors make_vectors() {
  Vectors vectors{};
  vectors.stack = stack_top;
  for (Handler& handler : vectors.exceptions) handler = stop;
  for (Handler& handler : vectors.interrupts) handler = stop;
  vectors.exceptions[0] = reset;
  vectors.interrupts[timer_number] = end_sleep;
  vectors.interrupts[pins_number] = note_edge;
  vectors.interrupts[uart_number] = note_received;
  return vectors;
}
[[gnu::section(".vectors"), gnu::used]] constexpr Vectors vectors = make_vectors();

}  // namespace

// ---- Serial --------------------------------------------------------------------------------------------------------

HardwareSerial Serial;

void HardwareSerial::begin(unsigned long) {
  at(uart_line) = 0x70;  // 8 bits, with FIFOs
  at(uart_control) = 0x301;
  at(uart_mask) = receive_interrupts;
}
int HardwareSerial::available() {
  const bool is_empty = (at(uart_flags) & receive_empty) != 0;
  if (is_empty) at(uart_mask) = receive_interrupts;
  return is_empty ? 0 : 1;
}
int HardwareSerial::read() {
  if (available() == 0) return -1;
  was_used = true;
  return static_cast<int>(at(uart_data) & 0xFF);
}
int HardwareSerial::peek() { return -1; }
int HardwareSerial::availableForWrite() { return (at(uart_flags) & transmit_full) == 0 ? 1 : 0; }
size_t HardwareSerial::write(uint8_t byte) {
  while (availableForWrite() == 0) {
  }
  was_used = true;
  at(uart_data) = byte;
  return 1;
}

// ---- Time and pins -------------------------------------------------------------------------------------------------

static uint64_t microseconds() {
  const uint32_t low = at(timer_low);  // the other half stays as it is until it is read
  return static_cast<uint64_t>(at(timer_high)) << 32 | low;
}
unsigned long micros() { return static_cast<unsigned long>(microseconds()); }
unsigned long millis() { return static_cast<unsigned long>(microseconds() / 1000); }
void delay(unsigned long milliseconds) {
  const unsigned long begin = millis();
  while (millis() - begin < milliseconds) {
  }
}
void delayMicroseconds(unsigned microseconds) {
  const unsigned long begin = micros();
  while (micros() - begin < microseconds) {
  }
}
void pinMode(int pin, int mode) {
  constexpr uint32_t input_on = 1u << 6, pull_up = 1u << 3, registers = 5;
  at(pads + 4 * static_cast<uint32_t>(pin)) = input_on | (mode == INPUT_PULLUP ? pull_up : 0);
  at(pin_controls + 8 * static_cast<uint32_t>(pin)) = registers;
  at(mode == OUTPUT ? pins_enable : pins_disable) = 1u << pin;
}
void attachInterrupt(int pin, void (*handler)(), int mode) {
  const uint32_t edges = mode == CHANGE ? edge_falls | edge_rises : mode == RISING ? edge_rises : edge_falls;
  edge_pin = pin;
  edge_handler = handler;
  const auto offset = 4 * static_cast<uint32_t>(pin / 8);
  at(edges_raw + offset) = (edge_falls | edge_rises) << 4 * (pin % 8);
  at(edges_enable + offset) = edges << 4 * (pin % 8);
}
void detachInterrupt(int pin) { at(edges_enable + 4 * static_cast<uint32_t>(pin / 8)) = 0; }
int digitalRead(int pin) { return (at(pins_in) >> pin & 1) != 0 ? HIGH : LOW; }
void digitalWrite(int pin, int value) { at(value == LOW ? pins_clear : pins_set) = 1u << pin; }
int analogRead(int pin) {
  constexpr uint32_t on = 1u << 0, start = 1u << 2, ready = 1u << 8;
  at(adc_control) = on | start | static_cast<uint32_t>(pin - A0) << 12;
  while ((at(adc_control) & ready) == 0) {
  }
  return static_cast<int>(at(adc_result));
}
void analogReadResolution(int) {}
