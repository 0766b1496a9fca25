// SPDX-License-Identifier: Apache-2.0
/// @file
/// The pins of a board of Arduino. Include <mote.h> before this file.
/// @code
/// mcp::Pins& pins() {
///   static mcp::arduino::ChipPins pins{3300};  // the voltage of the chip in millivolts
///   return pins;
/// }
/// @endcode
#pragma once

#include <Arduino.h>

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <mcp/detail/atomic.hpp>
#include <mcp/ports/pins.hpp>
#include <span>

#include "mote_pins_core.h"

namespace mcp::arduino {

namespace detail {

/// The edges of a pin. The interrupt adds to it.
struct EdgeRecord {
  std::uint32_t* times = nullptr;  // while there is a capture
  std::size_t size = 0;
  mcp::detail::Atomic<std::size_t> count = 0;
  std::uint32_t begin_us = 0;
  std::uint8_t pin = 0;
  bool is_both = false;
  bool was_high = false;
  mcp::detail::Atomic<bool> has_lost = false;
};
inline EdgeRecord edge_record;

inline void record_edge() {
  EdgeRecord& record = edge_record;
  const auto now = static_cast<std::uint32_t>(micros());
  const std::size_t count = record.count.load_relaxed();
  if (count == record.size) return;
  if (record.is_both) {
    // A level that has not changed has changed twice.
    const bool is_high = digitalRead(record.pin) != LOW;
    if (is_high == record.was_high) record.has_lost.store(true);
    record.was_high = is_high;
  }
  record.times[count] = now - record.begin_us;
  record.count.store(count + 1);
}

}  // namespace detail

/// The pins of a board, with the numbers of Arduino, by functions of its core. Use each pin through this object alone.
///
/// millivolts(): `input` is the number for analogRead(), such as A0, whose resolution becomes 12 bits. The pin is no
/// input of levels afterwards. Errors: a core reports no failed conversion: it is 0 mV. pwm(): on RP2040 by its
/// hardware; on an ESP32, STM32 and Teensy 4 by functions of the core, on ESP32 and STM32 in whole hertz and with the
/// heap. The actual period is that of the hardware; on an ESP32, of whole hertz. Other cores report no period:
/// `unsupported`. `busy` if another pin with the same timer has another period. A Teensy does not report timers, so all
/// its pins have one period. On STM32, when the pulses of a pin end, those of other pins of its timer begin again.
///
/// begin_capture(): an interrupt stores micros(), after the latency of the core. With PinEdges::both, `has_lost` is set
/// if the level is the same as at the edge before. Then edges between them may be missing. With one kind of edge, it is
/// never set. On an ESP32, edges during a write to flash come late.
/// Limits: pulses on 16 pins. RAM: 224 bytes, and 1 byte for each pin. Context: main loop.
class ChipPins final : public Pins {
 public:
  /// The pins of the board. `reference_mv` is the voltage with which analogRead() compares, in millivolts. With 0 there
  /// are no voltages. An ESP32 does not use it, because its chip has a calibration. Limits: one object.
  constexpr explicit ChipPins(std::uint16_t reference_mv = 0) : reference_mv_(reference_mv) {}

 private:
  enum class Mode : std::uint8_t { unused, input, output, pulses };
  static constexpr std::size_t most_pulses = 16;

  [[nodiscard]] static PinError check(std::uint8_t pin) {
    if (!detail::has_pin(pin)) return PinError::no_pin;
    const bool is_captured = detail::edge_record.times != nullptr && detail::edge_record.pin == pin;
    return is_captured ? PinError::busy : PinError::none;
  }

  // Ends the pulses of a pin, and changes its mode with `make`.
  template <class Make>
  void change(std::uint8_t pin, Mode mode, const Make& make) {
    detail::Pulses* const pulses = find(pin);
    if (pulses != nullptr) *pulses = {};
    make();
    modes_[pin] = mode;
    if (detail::input_ends_timer && pulses != nullptr) restart(pin);
  }

  void restart(std::uint8_t pin) {
    std::uint32_t actual_ns = 0;
    for (const detail::Pulses& pulses : pulses_) {
      if (pulses.period_ns != 0 && detail::share_timer(pulses.pin, pin))
        static_cast<void>(detail::set_pulses(pulses, true, true, actual_ns));
    }
  }

  PinError do_input(std::uint8_t pin, PinPull pull) override {
    const PinError error = check(pin);
    if (error != PinError::none) return error;
    const bool has_pull = pull == PinPull::down ? detail::has_pull_down : true;
    if (pull != PinPull::none && (!has_pull || !detail::can_drive(pin))) return PinError::unsupported;
    change(pin, Mode::input, [pin, pull] { detail::make_input(pin, pull); });
    return PinError::none;
  }

  PinError do_output(std::uint8_t pin, bool high) override {
    const PinError error = check(pin);
    if (error != PinError::none) return error;
    if (!detail::can_drive(pin)) return PinError::unsupported;
    if (modes_[pin] == Mode::output) {
      detail::write_pin(pin, high);
    } else {
      change(pin, Mode::output, [pin, high] { detail::make_output(pin, high); });
    }
    return PinError::none;
  }

  PinError do_level(std::uint8_t pin, bool& high) override {
    if (!detail::has_pin(pin)) return PinError::no_pin;
    if (modes_[pin] != Mode::input && modes_[pin] != Mode::output) return PinError::failed;
    high = digitalRead(pin) != LOW;
    return PinError::none;
  }

  PinError do_millivolts(std::uint8_t input, unsigned samples, std::int32_t& out) override {
    const int number = detail::analog_pin(input);
#ifndef MOTE_PINS_ESP32
    if (reference_mv_ == 0) return PinError::unsupported;
#endif
    if (number < 0) return PinError::unsupported;
    const auto pin = static_cast<std::uint8_t>(number);
    const PinError error = check(pin);
    if (error != PinError::none) return error;
    // pinMode() also makes a core set up the analog input again.
    if (modes_[pin] != Mode::unused) change(pin, Mode::unused, [pin] { detail::make_input(pin, PinPull::none); });
    const std::uint64_t sum = detail::sum_voltages(input, samples, reference_mv_);
    out = static_cast<std::int32_t>(detail::divide(sum, samples));
    return PinError::none;
  }

  [[nodiscard]] detail::Pulses* find(std::uint8_t pin) {
    for (detail::Pulses& pulses : pulses_) {
      if (pulses.period_ns != 0 && pulses.pin == pin) return &pulses;
    }
    return nullptr;
  }
  [[nodiscard]] detail::Pulses* find_free() {
    for (detail::Pulses& pulses : pulses_) {
      if (pulses.period_ns == 0) return &pulses;
    }
    return nullptr;
  }

  PinError do_pwm(std::uint8_t pin, std::uint32_t period_ns, std::uint32_t high_ns,
                  std::uint32_t& actual_period_ns) override {
    const PinError checked = check(pin);
    if (checked != PinError::none) return checked;
    if (!detail::can_drive(pin) || !detail::has_pulses(pin)) return PinError::unsupported;
    bool is_timer_new = true;
    for (const detail::Pulses& other : pulses_) {
      if (other.period_ns == 0 || other.pin == pin || !detail::share_timer(other.pin, pin)) continue;
      if (other.period_ns != period_ns || detail::share_output(other.pin, pin)) return PinError::busy;
      is_timer_new = false;
    }
    detail::Pulses* const own = find(pin);
    detail::Pulses* const entry = own != nullptr ? own : find_free();
    if (entry == nullptr) return PinError::busy;
    const bool is_new_period = own == nullptr || own->period_ns != period_ns;
    const detail::Pulses pulses{period_ns, high_ns, pin};
    std::uint32_t actual_ns = 0;
    PinError error = detail::set_pulses(pulses, is_new_period, is_timer_new && is_new_period, actual_ns);
    if (error == PinError::out_of_range) return error;  // nothing has changed
    for (const detail::Pulses& other : pulses_) {
      const bool is_other = other.period_ns != 0 && other.pin != pin && other.period_ns != period_ns;
      if (error == PinError::none && is_other && !detail::keeps_period(other, pin)) error = PinError::busy;
    }
    if (error == PinError::none) actual_period_ns = actual_ns;
    *entry = error == PinError::none ? pulses : detail::Pulses{};
    modes_[pin] = error == PinError::none ? Mode::pulses : Mode::unused;
    return error;
  }

  PinError do_begin_capture(std::uint8_t pin, PinEdges edges, std::span<std::uint32_t> times_us) override {
    detail::EdgeRecord& record = detail::edge_record;
    if (!detail::has_pin(pin)) return PinError::no_pin;
    if (record.times != nullptr) return PinError::busy;
    if (modes_[pin] != Mode::input) return PinError::failed;
    record.size = times_us.size();
    record.count.store_relaxed(0);
    record.has_lost.store_relaxed(false);
    record.pin = pin;
    record.is_both = edges == PinEdges::both;
    record.was_high = digitalRead(pin) != LOW;
    record.times = times_us.data();
    record.begin_us = static_cast<std::uint32_t>(micros());
    mcp::detail::signal_fence();
    if (detail::attach(pin, edges, detail::record_edge)) return PinError::none;
    record.times = nullptr;
    return PinError::unsupported;
  }

  Capture do_captured() override {
    const detail::EdgeRecord& record = detail::edge_record;
    if (record.times == nullptr) return {0, false};
    const std::size_t count = record.count.load();
    return {count, record.has_lost.load()};
  }

  void do_end_capture() override {
    detail::EdgeRecord& record = detail::edge_record;
    if (record.times == nullptr) return;
    detail::detach(record.pin);
    mcp::detail::signal_fence();
    record.times = nullptr;
  }

  std::uint16_t reference_mv_;
  Mode modes_[detail::pin_numbers] = {};
  detail::Pulses pulses_[most_pulses] = {};
};

}  // namespace mcp::arduino

#include <mcp/detail/epilogue.hpp>
