// SPDX-License-Identifier: Apache-2.0
// The voltages of the analog inputs, by sample sequencer 3 of the ADC, which stores one conversion. A timer starts each
// conversion, because the emulator ignores the start by the processor.
#include "ports/boards/lm3s6965evb/lm3s6965_pins.hpp"

namespace board {
namespace {

// "Analog-to-Digital Converter (ADC)".
constexpr std::uint32_t adc_actss = 0x4003'8000;    // Active sample sequencers
constexpr std::uint32_t adc_ris = 0x4003'8004;      // Raw interrupt status: the conversion has ended
constexpr std::uint32_t adc_isc = 0x4003'800C;      // Interrupt status and clear
constexpr std::uint32_t adc_emux = 0x4003'8014;     // What starts a sequencer
constexpr std::uint32_t adc_ssmux3 = 0x4003'80A0;   // The input of sequencer 3
constexpr std::uint32_t adc_ssctl3 = 0x4003'80A4;   // Sample control of sequencer 3
constexpr std::uint32_t adc_ssfifo3 = 0x4003'80A8;  // Result of sequencer 3

constexpr std::uint32_t sequencer_3 = bit(3);
constexpr std::uint32_t started_by_timer = 5u << 12;  // of sequencer 3
constexpr std::uint32_t sample_end = bit(1);
constexpr std::uint32_t sample_interrupt = bit(2);
constexpr std::uint32_t sample_temperature = bit(3);
constexpr std::uint32_t result_mask = 0x3FF;  // 3 V are 1024 steps

constexpr std::uint8_t temperature_input = 4;
constexpr std::uint32_t start_cycles = core_clock_hz / 1'000'000;
// A conversion takes 8 us. In an emulator the host may take its time. All inputs, if none answers, must stay below the
// time of a watchdog.
constexpr mcp::Millis most_wait_ms = 100;

bool convert(std::uint32_t timer) {
  reg(adc_isc) = sequencer_3;
  reg(timer + timer_interval) = start_cycles;
  reg(timer + timer_control) = timer_enable | timer_trigger;
  const mcp::Millis start_ms = millis();
  for (;;) {
    const bool is_over = millis() - start_ms >= most_wait_ms;
    if ((reg(adc_ris) & sequencer_3) != 0) return true;
    if (is_over) return false;
  }
}

}  // namespace

mcp::PinError ChipPins::do_millivolts(std::uint8_t input, unsigned samples, std::int32_t& out) {
  if (input > temperature_input) return mcp::PinError::no_pin;
  const std::uint32_t timer = free_timer();
  if (timer == 0) return mcp::PinError::busy;
  clock_on(sysctl_rcgc0, rcgc0_adc);
  reg(adc_actss) = 0;
  reg(adc_emux) = started_by_timer;
  reg(adc_ssmux3) = input % temperature_input;
  reg(adc_ssctl3) = sample_end | sample_interrupt | (input == temperature_input ? sample_temperature : 0);
  reg(adc_actss) = sequencer_3;
  std::uint32_t sum = 0;
  for (unsigned i = 0; i < samples; ++i) {
    if (!convert(timer)) {
      // Only a reset ends a conversion that does not end.
      reg(sysctl_srcr0) = rcgc0_adc;
      reg(sysctl_srcr0) = 0;
      return mcp::PinError::failed;
    }
    sum += reg(adc_ssfifo3) & result_mask;
  }
  reg(adc_actss) = 0;
  static_assert(std::uint64_t{most_samples} * (result_mask * 3000 + 512) < std::uint64_t{1} << 32);
  out = static_cast<std::int32_t>((sum * 3000 + samples * 512) / (samples * 1024));
  return mcp::PinError::none;
}

}  // namespace board
