// SPDX-License-Identifier: Apache-2.0
/// @file
/// Pins for tests of an application: the test sets levels, voltages and edges, and looks at the outputs.
/// @code
/// mcp::FakePin states[8];
/// mcp::FakePins fake{states};
/// mcp::Pins& pins() { return fake; }  // the application gets this function in place of board::pins
/// bool follows_the_wire() {
///   states[4].wire = mcp::FakePin::Wire::high;
///   bool is_high = false;
///   return pins().input(4) == mcp::PinError::none && pins().level(4, is_high) == mcp::PinError::none && is_high;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/ports/pins.hpp"

namespace mcp {

/// The state of a pin of FakePins. The test may change all members.
struct FakePin {
  /// What the application made of a pin.
  enum class Mode : std::uint8_t {
    unused,  ///< Nothing yet.
    input,   ///< An input.
    output,  ///< An output.
    pwm,     ///< An output of pulses.
  };
  /// What the wire of a pin is connected to.
  enum class Wire : std::uint8_t {
    open,  ///< Nothing. An input has the level of its pull, or without one it is low.
    low,   ///< Ground. An output reads low, too, because of the short circuit.
    high,  ///< The supply.
  };

  Mode mode = Mode::unused;         ///< What the application made of the pin.
  PinPull pull = PinPull::none;     ///< Of an input.
  Wire wire = Wire::open;           ///< Set by the test.
  bool is_high = false;             ///< The level that an output drives.
  std::int32_t millivolts = 0;      ///< The voltage of the analog input with this number.
  std::uint32_t period_ns = 0;      ///< Of pulses.
  std::uint32_t high_ns = 0;        ///< Of pulses.
  PinError error = PinError::none;  ///< If set, each function for this pin returns it, and changes nothing.
};

/// Pins whose number is the index of their state.
class FakePins final : public Pins {
 public:
  /// Ownership: the caller owns `pins`, at most 256, which outlive this object.
  constexpr explicit FakePins(std::span<FakePin> pins) : pins_(pins) {}

  /// An edge of the pin that the application captures, at a time in microseconds since its begin_capture(). If the
  /// capture does not record such edges, or is full, or is of another pin, nothing happens.
  void add_edge(std::uint8_t pin, bool rising, std::uint32_t time_us) {
    if (times_.empty() || pin != captured_pin_ || count_ == times_.size()) return;
    if (edges_ == (rising ? PinEdges::falling : PinEdges::rising)) return;
    times_[count_++] = time_us;
  }

  /// Edges of the capture are lost.
  void lose_edges() { has_lost_ = true; }

 private:
  PinError check(std::size_t pin) const { return pin < pins_.size() ? pins_[pin].error : PinError::no_pin; }

  PinError do_input(std::uint8_t pin, PinPull pull) override {
    const PinError error = check(pin);
    if (error != PinError::none) return error;
    pins_[pin].mode = FakePin::Mode::input;
    pins_[pin].pull = pull;
    return PinError::none;
  }
  PinError do_output(std::uint8_t pin, bool high) override {
    const PinError error = check(pin);
    if (error != PinError::none) return error;
    pins_[pin].mode = FakePin::Mode::output;
    pins_[pin].is_high = high;
    return PinError::none;
  }
  PinError do_level(std::uint8_t pin, bool& high) override {
    const PinError error = check(pin);
    if (error != PinError::none) return error;
    const FakePin& state = pins_[pin];
    if (state.mode != FakePin::Mode::input && state.mode != FakePin::Mode::output) return PinError::failed;
    const bool open = state.mode == FakePin::Mode::output ? state.is_high : state.pull == PinPull::up;
    high = state.wire == FakePin::Wire::open ? open : state.wire == FakePin::Wire::high;
    return PinError::none;
  }
  PinError do_millivolts(std::uint8_t input, unsigned, std::int32_t& out) override {
    const PinError error = check(input);
    if (error == PinError::none) out = pins_[input].millivolts;
    return error;
  }
  PinError do_pwm(std::uint8_t pin, std::uint32_t period_ns, std::uint32_t high_ns,
                  std::uint32_t& actual_period_ns) override {
    const PinError error = check(pin);
    if (error != PinError::none) return error;
    pins_[pin].mode = FakePin::Mode::pwm;
    pins_[pin].period_ns = period_ns;
    pins_[pin].high_ns = high_ns;
    actual_period_ns = period_ns;
    return PinError::none;
  }
  PinError do_begin_capture(std::uint8_t pin, PinEdges edges, std::span<std::uint32_t> times_us) override {
    const PinError error = check(pin);
    if (error != PinError::none) return error;
    if (!times_.empty()) return PinError::busy;
    if (pins_[pin].mode != FakePin::Mode::input) return PinError::failed;
    times_ = times_us;
    edges_ = edges;
    captured_pin_ = pin;
    count_ = 0;
    has_lost_ = false;
    return PinError::none;
  }
  Capture do_captured() override { return times_.empty() ? Capture{0, false} : Capture{count_, has_lost_}; }
  void do_end_capture() override { times_ = {}; }

  std::span<FakePin> pins_;
  std::span<std::uint32_t> times_;
  std::size_t count_ = 0;
  PinEdges edges_ = PinEdges::both;
  std::uint8_t captured_pin_ = 0;
  bool has_lost_ = false;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
