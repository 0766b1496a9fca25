// SPDX-License-Identifier: Apache-2.0
// An imitation of the GPIO ports, the timers 1 to 3 and the ADC of the LM3S6965, by the data sheet. Its ADC may be that
// of QEMU.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "mcp/port.hpp"

namespace lm3s6965 {

inline constexpr std::uint32_t rcgc0 = 0x400F'E100;
inline constexpr std::uint32_t rcgc1 = 0x400F'E104;
inline constexpr std::uint32_t rcgc2 = 0x400F'E108;
inline constexpr std::uint32_t port_a = 0x4000'4000;
inline constexpr std::uint32_t port_d = 0x4000'7000;
inline constexpr std::uint32_t port_f = 0x4002'5000;
inline constexpr std::uint32_t timer_1 = 0x4003'1000;

inline constexpr std::uint8_t ports = 7;
inline constexpr std::uint8_t pf1 = 41;

class Chip {
 public:
  std::map<std::uint32_t, std::uint32_t> registers;
  std::string pf1_levels;         // that it drives, z for none
  std::uint32_t now_us = 0;       // of micros()
  mcp::Millis now_ms = 0;         // of millis()
  bool is_masked = false;         // interrupts are off
  std::function<void()> cleared;  // called after a port has cleared interrupts

  std::uint32_t steps[5] = {};    // of a conversion of each analog input, the last one of the temperature sensor
  std::uint32_t alternation = 0;  // that each second conversion has in addition
  unsigned conversions = 0;
  bool has_converter_stopped = false;
  unsigned adc_resets = 0;
  bool has_adc_of_qemu = false;

  std::uint32_t read(std::uint32_t address);
  void write(std::uint32_t address, std::uint32_t value);

  /// Sets the level of the wire of a pin.
  void set_wire(std::uint8_t pin, bool high);
  /// Runs the handlers of pending interrupts of the ports.
  void run_interrupts();

 private:
  std::uint32_t read_port(std::uint32_t address);
  void write_port(std::uint32_t address, std::uint32_t value);
  std::uint32_t read_adc(std::uint32_t offset);
  void write_timer(std::uint32_t address, std::uint32_t value);
  void trigger();
  void trigger_as_qemu();
  std::uint32_t read_fifo_as_qemu();

  std::uint32_t wires_[ports] = {};
  unsigned busy_reads_ = 0;  // of a conversion
  std::optional<std::uint32_t> result_;
  std::uint32_t noise_ = 0;
  unsigned tail_ = 0;
  unsigned head_ = 0;
  bool is_empty_ = true;
  bool is_full_ = false;
  std::uint32_t fifo_[16] = {};
};

extern Chip chip;

/// The drivers have a new chip from now on.
void begin();

}  // namespace lm3s6965
