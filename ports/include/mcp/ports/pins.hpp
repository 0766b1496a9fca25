// SPDX-License-Identifier: Apache-2.0
/// @file
/// The interface that a board implements for its pins: levels, voltages, pulses, and the times of edges.
/// @code
/// bool door_is_open() {
///   constexpr std::uint8_t door = 4;
///   bool is_high = false;
///   return board::pins().input(door, mcp::PinPull::up) == mcp::PinError::none &&
///          board::pins().level(door, is_high) == mcp::PinError::none && is_high;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <mcp/port.hpp>
#include <span>
#include <string_view>

namespace mcp {

/// The resistor that a chip connects to an input.
enum class PinPull : std::uint8_t {
  none,  ///< None.
  up,    ///< To the supply.
  down,  ///< To ground.
};

/// The edges that a capture records.
enum class PinEdges : std::uint8_t {
  both,     ///< Rising and falling edges.
  rising,   ///< Only rising edges.
  falling,  ///< Only falling edges.
};

/// Why a function of Pins failed. Each value has another remedy. A later version may add values.
enum class PinError : std::uint8_t {
  none,          ///< It did not fail.
  no_pin,        ///< The chip has no pin with this number.
  unsupported,   ///< The chip or the port cannot do this with this pin.
  busy,          ///< A peripheral, a driver or another program uses the pin, or a capture is running.
  out_of_range,  ///< A parameter is out of the range of the hardware.
  failed,        ///< The operating system reports another error, or the pin is in another mode.
};

/// Returns a sentence for a person or a model: what failed, and what to do. Lifetime: static.
[[nodiscard]] constexpr std::string_view remedy(PinError error) {
  switch (error) {
    case PinError::none: return "No error.";
    case PinError::no_pin: return "The chip has no pin with this number.";
    case PinError::unsupported: return "The chip cannot do this with this pin.";
    case PinError::busy: return "Something else uses the pin. Choose another pin.";
    case PinError::out_of_range: return "The value is out of the range of the pin.";
    case PinError::failed: break;
  }
  return "The pin reports an error.";
}

/// The pins of a chip. The port says which number a pin has. Of the functions, a port implements those that its chip
/// has. The others return `unsupported`, and take no flash.
/// Context: main loop; never blocks, except millivolts().
class Pins {
 public:
  /// The most conversions of one call of millivolts().
  static constexpr unsigned most_samples = 1024;

  /// Edges since begin_capture().
  struct Capture {
    std::size_t count;  ///< The number of edges whose times are stored.
    bool has_lost;      ///< Edges are missing before the last one, because they came too fast.
  };

  /// Makes the pin an input with this pull. Errors: `unsupported` if the chip does not have the pull.
  [[nodiscard]] PinError input(std::uint8_t pin, PinPull pull = PinPull::none) { return do_input(pin, pull); }

  /// Makes the pin an output with this level. A pin that was an input gets the level at once, without a pulse of the
  /// other level. A pin that is an output changes to this level.
  [[nodiscard]] PinError output(std::uint8_t pin, bool high) { return do_output(pin, high); }

  /// Reads the level of an input or output. Whether an output returns the level on its wire, which shows a short
  /// circuit, depends on the port. Errors: leaves `high` unchanged, with `failed` if the pin is neither.
  [[nodiscard]] PinError level(std::uint8_t pin, bool& high) { return do_level(pin, high); }

  /// Reads the voltage of an analog input: the mean of `samples` conversions (1 to most_samples), in millivolts.
  /// `input` is the number of the analog input, or of its pin, as the port says. Errors: leaves `out` unchanged.
  /// Context: blocks for the time of the conversions.
  [[nodiscard]] PinError millivolts(std::uint8_t input, unsigned samples, std::int32_t& out) {
    return samples == 0 || samples > most_samples ? PinError::out_of_range : do_millivolts(input, samples, out);
  }

  /// Makes the pin an output of pulses: `high_ns` of each `period_ns` are high, in nanoseconds. With 0 the pin stays
  /// low, with `period_ns` it stays high. The period that the hardware makes is stored in `actual_period_ns`. input()
  /// and output() end the pulses. Errors: `busy` if another pin with the same timer has another period.
  [[nodiscard]] PinError pwm(std::uint8_t pin, std::uint32_t period_ns, std::uint32_t high_ns,
                             std::uint32_t& actual_period_ns) {
    return period_ns == 0 || high_ns > period_ns ? PinError::out_of_range
                                                 : do_pwm(pin, period_ns, high_ns, actual_period_ns);
  }

  /// Begins to store the times of edges of an input, in microseconds since this call (they wrap after 71 minutes),
  /// until `times_us` is full. Limits: one capture at a time. Ownership: the caller owns `times_us`, and leaves it
  /// alone until end_capture(). Errors: `busy` if another capture is running, `failed` if the pin is no input.
  [[nodiscard]] PinError begin_capture(std::uint8_t pin, PinEdges edges, std::span<std::uint32_t> times_us) {
    return times_us.empty() ? PinError::out_of_range : do_begin_capture(pin, edges, times_us);
  }

  /// Returns the edges so far. Without a capture there are none.
  [[nodiscard]] Capture captured() { return do_captured(); }

  /// Ends the capture. The pin stays an input. Without a capture it does nothing.
  void end_capture() { do_end_capture(); }

 protected:
  constexpr Pins() = default;
  ~Pins() = default;  // Not virtual, because a virtual destructor links operator delete.

 private:
  virtual PinError do_input(std::uint8_t pin, PinPull pull) = 0;
  virtual PinError do_output(std::uint8_t pin, bool high) = 0;
  virtual PinError do_level(std::uint8_t pin, bool& high) = 0;
  virtual PinError do_millivolts(std::uint8_t, unsigned, std::int32_t&) { return PinError::unsupported; }
  virtual PinError do_pwm(std::uint8_t, std::uint32_t, std::uint32_t, std::uint32_t&) { return PinError::unsupported; }
  virtual PinError do_begin_capture(std::uint8_t, PinEdges, std::span<std::uint32_t>) { return PinError::unsupported; }
  virtual Capture do_captured() { return {0, false}; }
  virtual void do_end_capture() {}
};

/// A board's function that returns its pins, such as `board::pins`.
using PinsOf = Pins& (*)();

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
