// SPDX-License-Identifier: Apache-2.0
/// @file
/// The pins of a PC or a Raspberry Pi with Linux.
/// @code
/// mcp::Pins& pins() {
///   static mcp::posix::GpioChip chip{"/dev/gpiochip0", "/sys/bus/iio/devices/iio:device0"};
///   return chip;
/// }
/// bool lamp_on() { return pins().output(17, true) == mcp::PinError::none; }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/ports/pins.hpp"

namespace mcp::posix {

/// The lines 0 to 255 of a GPIO character device (Linux 5.10 or newer), and the voltages of a device of the subsystem
/// IIO. Only on Linux. The number of a pin is the offset of its line, as `gpioinfo` prints it. The number of an analog
/// input is that of its IIO channel: `in_voltage3_raw` or `in_voltage3_input` is 3. An output reads the level on its
/// wire, if the driver of the chip can read it.
///
/// The object keeps each line that it has used, so that no other program gets it. When the object is destroyed, its
/// lines may become inputs again. Linux ignores a pull that the chip does not have, so input() returns `none`.
///
/// Limits: a capture loses edges if the application does not call captured() before the kernel has 64 unread edges.
/// Pulses are `unsupported`. Errors: `no_pin`, `busy` if another program or a driver has the line or the converter,
/// `unsupported` if there is no interrupt for a capture, or no IIO device. All others are `failed`, and `errno` has the
/// reason: EBADMSG if the driver of the converter returns no number, ERANGE if the voltage does not fit.
/// Context: main loop; millivolts() blocks as long as the driver of the converter.
class GpioChip final : public Pins {
 public:
  /// Opens a chip, such as "/dev/gpiochip0". `iio_folder` is the folder of an IIO device, or null. Ownership: the
  /// caller owns it, and it outlives this object. Errors: see ok().
  explicit GpioChip(const char* path, const char* iio_folder = nullptr);
  ~GpioChip();
  GpioChip(const GpioChip&) = delete;
  GpioChip& operator=(const GpioChip&) = delete;

  /// Returns whether the chip is open. If not, `errno` after the constructor has the reason, and all functions but
  /// millivolts() return `failed`.
  [[nodiscard]] bool ok() const { return chip_ >= 0; }

 private:
  struct Line {
    int file = -1;
    bool is_input = false;
    PinPull pull = PinPull::none;
    std::uint32_t edges = 0;  // that the kernel has counted
  };

  PinError do_input(std::uint8_t pin, PinPull pull) override;
  PinError do_output(std::uint8_t pin, bool high) override;
  PinError do_level(std::uint8_t pin, bool& high) override;
  PinError do_millivolts(std::uint8_t input, unsigned samples, std::int32_t& out) override;
  PinError do_begin_capture(std::uint8_t pin, PinEdges edges, std::span<std::uint32_t> times_us) override;
  Capture do_captured() override;
  void do_end_capture() override;

  PinError configure(std::uint8_t pin, std::uint64_t flags, bool high);
  static bool next_edge(Line& line, std::uint64_t& time_ns, bool& is_next);
  bool read_voltage(const char* channel, const char* attribute, double& value) const;
  bool read_factor(const char* channel, const char* attribute, double& value) const;

  int chip_;
  const char* iio_folder_;
  std::span<std::uint32_t> times_us_;
  std::size_t count_ = 0;
  std::uint64_t start_ns_ = 0;
  std::uint8_t captured_pin_ = 0;
  bool has_lost_ = false;
  Line lines_[256];
};

}  // namespace mcp::posix

#include <mcp/detail/epilogue.hpp>
