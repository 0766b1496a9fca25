// SPDX-License-Identifier: Apache-2.0
#include "lm3s6965_chip.hpp"

#include <gtest/gtest.h>

#include "registers.hpp"

extern "C" {
void gpio_a_handler();
void gpio_b_handler();
void gpio_c_handler();
void gpio_d_handler();
void gpio_e_handler();
void gpio_f_handler();
void gpio_g_handler();
}

namespace lm3s6965 {

Chip chip;

void begin() {
  chip = {};
  imitate({.read = [](std::uint32_t address) { return chip.read(address); },
           .write = [](std::uint32_t address, std::uint32_t value) { chip.write(address, value); },
           .wake_from_isr = {},
           .millis = [] { return chip.now_ms++; },
           .micros = [] { return chip.now_us; }});
}

namespace {

constexpr std::uint32_t direction = 0x400;
constexpr std::uint32_t sense = 0x404;
constexpr std::uint32_t both_edges = 0x408;
constexpr std::uint32_t event = 0x40C;
constexpr std::uint32_t mask = 0x410;
constexpr std::uint32_t raw_status = 0x414;
constexpr std::uint32_t masked_status = 0x418;
constexpr std::uint32_t interrupt_clear = 0x41C;
constexpr std::uint32_t digital_enable = 0x51C;

constexpr std::uint32_t timer_mode = 0x004;
constexpr std::uint32_t timer_control = 0x00C;

constexpr std::uint32_t adc = 0x4003'8000;
constexpr std::uint32_t adc_actss = adc;
constexpr std::uint32_t adc_ris = adc + 0x004;
constexpr std::uint32_t adc_isc = adc + 0x00C;
constexpr std::uint32_t adc_emux = adc + 0x014;
constexpr std::uint32_t adc_ssmux3 = adc + 0x0A0;
constexpr std::uint32_t adc_ssctl3 = adc + 0x0A4;
constexpr std::uint32_t adc_ssfifo3 = adc + 0x0A8;
constexpr std::uint32_t srcr0 = 0x400F'E040;
constexpr std::uint32_t adc_gate = 1 << 16;
constexpr std::uint32_t sequencer_3 = 1 << 3;
constexpr unsigned reads_of_a_conversion = 3;

constexpr std::uint32_t nvic_iser0 = 0xE000'E100;

bool is_port(std::uint32_t address) {
  return (address >= 0x4000'4000 && address < 0x4000'8000) || (address >= 0x4002'4000 && address < 0x4002'7000);
}
std::uint32_t port_of(std::uint32_t address) { return (address >= 0x4002'4000 ? 4 : 0) + (address >> 12 & 7) - 4; }
std::uint32_t address_of(std::uint32_t port) { return port < 4 ? port_a + port * 0x1000 : 0x4002'0000 + port * 0x1000; }
bool is_timer(std::uint32_t address) { return address >= timer_1 && address < timer_1 + 0x3000; }

}  // namespace

std::uint32_t Chip::read(std::uint32_t address) {
  if (is_port(address)) return read_port(address);
  if (address >= adc && address < adc + 0x1000) return read_adc(address);
  return registers[address];
}

void Chip::write(std::uint32_t address, std::uint32_t value) {
  if (is_port(address)) {
    write_port(address, value);
  } else if (is_timer(address)) {
    write_timer(address, value);
  } else if (address >= nvic_iser0 && address <= nvic_iser0 + 4) {
    registers[address] |= value;
  } else if (address == adc_isc) {
    registers[adc_ris] &= ~value;
  } else {
    if (address >= adc && address < adc + 0x1000) {
      EXPECT_NE(registers[rcgc0] & adc_gate, 0U) << "the ADC has no clock";
    }
    registers[address] = value;
    if (address != srcr0 || (value & adc_gate) == 0) return;
    ++adc_resets;
    registers.erase(registers.lower_bound(adc), registers.upper_bound(adc_ssfifo3));
    result_.reset();
  }
}

// ---- GPIO ----------------------------------------------------------------------------------------------------------

std::uint32_t Chip::read_port(std::uint32_t address) {
  EXPECT_NE(registers[rcgc2] & 1U << port_of(address), 0U) << "the port has no clock";
  const std::uint32_t offset = address & 0xFFF;
  const std::uint32_t port = address - offset;
  if (offset == masked_status) return registers[port + raw_status] & registers[port + mask];
  if (offset >= 0x400) return registers[address];
  const std::uint32_t outputs = registers[port + direction];
  return ((registers[port] & outputs) | (wires_[port_of(address)] & ~outputs)) & offset >> 2;
}

// A write to the data register changes outputs only. A pin without digital enable drives nothing.
void Chip::write_port(std::uint32_t address, std::uint32_t value) {
  const std::uint32_t offset = address & 0xFFF;
  const std::uint32_t port = address - offset;
  if (offset < 0x400) {
    const std::uint32_t changed = offset >> 2 & registers[port + direction];
    registers[port] = (registers[port] & ~changed) | (value & changed);
  } else if (offset == interrupt_clear) {
    registers[port + raw_status] &= ~value;
    if (cleared) cleared();
  } else {
    registers[address] = value;
  }
  const bool is_driven = (registers[port_f + direction] & registers[port_f + digital_enable] & 2) != 0;
  const char level = !is_driven ? 'z' : (registers[port_f] & 2) != 0 ? '1' : '0';
  if (pf1_levels.empty() || pf1_levels.back() != level) pf1_levels += level;
}

// An edge is stored also while its interrupt is off.
void Chip::set_wire(std::uint8_t pin, bool high) {
  const std::uint32_t bit = 1U << pin % 8;
  std::uint32_t& wires = wires_[pin / 8];
  if (((wires & bit) != 0) == high) return;
  wires ^= bit;
  const std::uint32_t port = address_of(pin / 8);
  const bool is_wanted = ((registers[port + event] & bit) != 0) == high || (registers[port + both_edges] & bit) != 0;
  if ((registers[port + sense] & bit) == 0 && is_wanted) registers[port + raw_status] |= bit;
  run_interrupts();
}

void Chip::run_interrupts() {
  constexpr void (*handlers[ports])() = {gpio_a_handler, gpio_b_handler, gpio_c_handler, gpio_d_handler,
                                         gpio_e_handler, gpio_f_handler, gpio_g_handler};
  constexpr unsigned numbers[ports] = {0, 1, 2, 3, 4, 30, 31};
  if (is_masked) return;
  is_masked = true;
  for (std::uint32_t port = 0; port < ports; ++port) {
    const std::uint32_t address = address_of(port);
    for (int i = 0; (registers[address + raw_status] & registers[address + mask]) != 0; ++i) {
      if ((registers[nvic_iser0] >> numbers[port] & 1) == 0) break;
      ASSERT_LT(i, 9) << "the handler does not clear its interrupt";
      handlers[port]();
    }
  }
  is_masked = false;
}

// ---- Timers and the ADC --------------------------------------------------------------------------------------------

// A timer that ends at once.
void Chip::write_timer(std::uint32_t address, std::uint32_t value) {
  EXPECT_NE(registers[rcgc1] & 1U << (16 + (address >> 12 & 7)), 0U) << "the timer has no clock";
  registers[address] = value;
  if ((address & 0xFFF) != timer_control || (value & 0x21) != 0x21) return;
  EXPECT_EQ(registers[address - timer_control + timer_mode], 1U) << "a timer that goes on starts more conversions";
  registers[address] = value & ~1U;
  if (has_adc_of_qemu) {
    trigger_as_qemu();
  } else {
    trigger();
  }
}

void Chip::trigger() {
  const bool is_active = (registers[adc_actss] & sequencer_3) != 0 && (registers[adc_emux] >> 12 & 0xF) == 5;
  if (is_active && !has_converter_stopped) busy_reads_ = reads_of_a_conversion;
}

std::uint32_t Chip::read_adc(std::uint32_t address) {
  if (address == adc_ssfifo3 && has_adc_of_qemu) return read_fifo_as_qemu();
  if (address == adc_ssfifo3) {
    EXPECT_TRUE(result_.has_value()) << "the FIFO is empty";
    const std::uint32_t result = result_.value_or(0);
    result_.reset();
    return result;
  }
  if (address == adc_ris && busy_reads_ != 0 && --busy_reads_ == 0) {
    const std::uint32_t control = registers[adc_ssctl3];
    EXPECT_NE(control & 2, 0U) << "the sequence has no end";
    EXPECT_FALSE(result_.has_value()) << "the FIFO has one place";
    const std::uint32_t input = (control & 8) != 0 ? 4 : registers[adc_ssmux3];
    result_ = steps[input] + (conversions++ % 2 != 0 ? alternation : 0);
    if ((control & 4) != 0) registers[adc_ris] |= sequencer_3;
  }
  return registers[address];
}

// QEMU 7.2, hw/arm/stellaris.c: stellaris_adc_trigger() gives each conversion at once, of no input, and compares the
// start of a sequencer with that of the next one. stellaris_adc_fifo_write() has 16 places.
void Chip::trigger_as_qemu() {
  if ((registers[adc_actss] & sequencer_3) == 0 || (registers[adc_emux] >> 12 & 0xFF) != 5) return;
  noise_ = noise_ * 314159 + 1;
  registers[adc_ris] |= sequencer_3;
  if (is_full_) return;
  fifo_[head_] = 0x200 + (noise_ >> 16 & 7);
  head_ = (head_ + 1) % 16;
  is_empty_ = false;
  is_full_ = tail_ == head_;
}

// The same: stellaris_adc_fifo_read(). Of the last place, it does not detect that the FIFO is empty.
std::uint32_t Chip::read_fifo_as_qemu() {
  const unsigned place = tail_;
  if (!is_empty_) {
    tail_ = (place + 1) % 16;
    is_full_ = false;
    is_empty_ = place + 1 == head_;
  }
  ++conversions;
  return fifo_[place];
}

}  // namespace lm3s6965
