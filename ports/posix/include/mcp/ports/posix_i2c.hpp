// SPDX-License-Identifier: Apache-2.0
/// @file
/// An I2C bus of a PC or a Raspberry Pi with Linux.
/// @code
/// mcp::I2cBus& i2c0() {
///   static mcp::posix::I2cDevice bus{"/dev/i2c-1"};
///   return bus;
/// }
/// bool has_sensor() { return i2c0().probe(0x48) == mcp::BusError::none; }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>
#include <span>

#include "mcp/ports/i2c.hpp"

namespace mcp::posix {

/// A bus of the driver i2c-dev. Only on Linux. A transaction has at most 4096 bytes in one direction.
///
/// The adapter of a PC may have only the transactions of SMBus. A transaction then has at most 32 bytes in one
/// direction. It is a read of one byte, a write of 1 to 32 bytes, or a write of one byte and a read of 1 to 32 bytes,
/// as far as the adapter can do them. Other transactions are `unsupported`.
///
/// Errors: `arbitration_lost`, `too_late` (ETIMEDOUT), `stuck` (EBUSY), `unsupported` (EOPNOTSUPP), and `no_device` for
/// ENXIO, ENODEV and EREMOTEIO. All others are `failed`. Linux has no error for a refused byte of data: drivers report
/// EREMOTEIO, which is `no_device`, or EIO. A driver recovers the bus itself, so recover() returns false. A device that
/// a driver of the kernel uses is `failed`, too.
///
/// Context: main loop; the thread sleeps during a transaction. The constructor sets the time limit of the adapter to
/// 1 s, the default of the kernel, also for other programs. Source: Documentation/i2c/fault-codes.rst of Linux.
class I2cDevice final : public I2cBus {
 public:
  /// Opens a bus, such as "/dev/i2c-1". Errors: see ok().
  explicit I2cDevice(const char* path) : I2cDevice(open_adapter(path)) {}
  ~I2cDevice();
  I2cDevice(const I2cDevice&) = delete;
  I2cDevice& operator=(const I2cDevice&) = delete;

  /// Returns whether the bus is open. If not, `errno` after the constructor has the reason, and all transactions return
  /// `failed`.
  [[nodiscard]] bool ok() const { return file_ >= 0; }

 private:
  struct Adapter {
    int file;
    unsigned long functions;
  };
  static Adapter open_adapter(const char* path);
  explicit I2cDevice(Adapter adapter);

  BusError do_transfer(std::uint8_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) override;
  bool do_recover() override { return false; }

  BusError select(std::uint8_t address);
  BusError transact(std::uint8_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) const;
  BusError write_smbus(std::span<const std::uint8_t> out) const;
  BusError read_smbus(std::span<const std::uint8_t> out, std::span<std::uint8_t> in) const;

  int file_;
  unsigned long functions_;
  int address_ = -1;  // that the file has
};

}  // namespace mcp::posix

#include <mcp/detail/epilogue.hpp>
