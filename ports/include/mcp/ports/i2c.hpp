// SPDX-License-Identifier: Apache-2.0
/// @file
/// The interface that a board implements for an I2C bus: one transaction at a time, each wait with a limit.
/// @code
/// const std::uint8_t id_register[] = {0xD0};
/// std::uint8_t id[1];
/// const mcp::BusError error = board::i2c0().transfer(0x76, id_register, id);
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <mcp/port.hpp>
#include <span>
#include <string_view>

namespace mcp {

/// Why a transaction on a bus failed. Each value has another remedy. A later version may add values.
enum class BusError : std::uint8_t {
  none,              ///< It did not fail.
  no_device,         ///< No device acknowledges the address: wrong address, no power, no wire.
  data_refused,      ///< The device acknowledged its address, and not a byte of data.
  arbitration_lost,  ///< Another controller, or a disturbance, changed the data line.
  stuck,             ///< A line stays low, also after recover(): no pull-up, short circuit, or a device without power.
  too_late,          ///< The device held the clock, or the controller did not end, within I2cBus::limit_ms().
  too_long,          ///< More bytes than I2cBus::most_bytes().
  unsupported,       ///< The bus cannot do this, for example a transaction without bytes.
  failed,            ///< The controller or the operating system reports another error.
};

/// Returns a sentence for a person or a model: what failed, and what to do. Lifetime: static.
[[nodiscard]] constexpr std::string_view remedy(BusError error) {
  switch (error) {
    case BusError::none: return "No error.";
    case BusError::no_device: return "No device acknowledges the address. Check the address, the power and the wires.";
    case BusError::data_refused: return "The device does not acknowledge the data. It may be busy: try once more.";
    case BusError::arbitration_lost: return "Something else drove the bus. Try once more.";
    case BusError::stuck: return "A line of the bus stays low. Check pull-ups, power and short circuits.";
    case BusError::too_late: return "The device held the clock too long. Try once more.";
    case BusError::too_long: return "The bus cannot transfer that many bytes at once.";
    case BusError::unsupported: return "The bus cannot do this.";
    case BusError::failed: break;
  }
  return "The bus controller reports an error.";
}

/// Returns whether a device may have this 7-bit address. Source: UM10204 (revision 7), table 4 reserves the others.
[[nodiscard]] constexpr bool is_device_address(unsigned address) { return address >= 0x08 && address <= 0x77; }

/// An I2C bus whose only controller is this device. Context: main loop; one call at a time. Each call blocks for the
/// time of its bits (9 for each byte and each address; 100 kHz: 0.09 ms), and at most limit_ms() longer.
class I2cBus {
 public:
  /// Writes `out`, and reads `in` after a repeated start (or a stop and a start, see stops_between()). One of them may
  /// be empty. If a line stays low, it calls recover() and tries once more, because a device that missed a clock pulse
  /// holds the data line until it gets the rest. Ownership: the caller owns both spans. Errors: not `none`; then `in`
  /// has undefined bytes, and the device may have taken a part of `out`.
  [[nodiscard]] BusError transfer(std::uint8_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) {
    if (out.size() > most_bytes() || in.size() > most_bytes()) return BusError::too_long;
    if (address > 0x7F || (out.empty() && in.empty())) return BusError::unsupported;
    const BusError error = do_transfer(address, out, in);
    return error == BusError::stuck && do_recover() ? do_transfer(address, out, in) : error;
  }

  /// Writes `out`, at least one byte.
  [[nodiscard]] BusError write(std::uint8_t address, std::span<const std::uint8_t> out) {
    return transfer(address, out, {});
  }

  /// Reads `in`, at least one byte.
  [[nodiscard]] BusError read(std::uint8_t address, std::span<std::uint8_t> in) { return transfer(address, {}, in); }

  /// Looks for a device by reading one byte. A write without bytes would change no device, but not each controller can
  /// send it. Errors: `no_device` if there is none.
  [[nodiscard]] BusError probe(std::uint8_t address) {
    std::uint8_t byte[1];
    return transfer(address, {}, byte);
  }

  /// Gives up to nine clock pulses and a stop, so that a device releases the data line. Returns whether both lines are
  /// high. Source: UM10204 (revision 7), section 3.1.16.
  bool recover() { return do_recover(); }

  /// The most bytes that a transaction may have in one direction, at least 32.
  [[nodiscard]] std::size_t most_bytes() const { return most_bytes_; }

  /// How long a transaction may take in addition to its bits.
  [[nodiscard]] Millis limit_ms() const { return limit_ms_; }

  /// Whether a stop and a start take the place of the repeated start. Most devices accept both.
  [[nodiscard]] bool stops_between() const { return stops_between_; }

 protected:
  /// What the bus can do. These values never change.
  struct Traits {
    std::uint16_t most_bytes;    ///< As most_bytes().
    std::uint16_t limit_ms;      ///< As limit_ms().
    bool stops_between = false;  ///< As stops_between().
  };

  /// A bus with these traits.
  constexpr explicit I2cBus(Traits traits)
      : most_bytes_(traits.most_bytes), limit_ms_(traits.limit_ms), stops_between_(traits.stops_between) {}
  ~I2cBus() = default;  // Not virtual, because a virtual destructor links operator delete.

 private:
  virtual BusError do_transfer(std::uint8_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) = 0;
  virtual bool do_recover() = 0;

  std::uint16_t most_bytes_;
  std::uint16_t limit_ms_;
  bool stops_between_;
};

namespace detail {

/// Frees the data line: up to nine clock pulses while a device holds it, and a stop. `pull(data, clock)` pulls these
/// lines low for half a clock, and releases the others.
template <class Pull, class IsDataHigh>
void free_data_line(const Pull& pull, const IsDataHigh& is_data_high) {
  pull(false, false);
  for (int pulses = 0; pulses < 9 && !is_data_high(); ++pulses) {
    pull(false, true);
    pull(false, false);
  }
  // The data line changes while the clock line is low, and rises while it is high.
  pull(false, true);
  pull(true, true);
  pull(true, false);
  pull(false, false);
}

}  // namespace detail

/// A board's function that returns its bus, such as `board::i2c0`. The first call switches the controller on, so a
/// device that has one of these is a constant of the program.
using I2cBusOf = I2cBus& (*)();

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
