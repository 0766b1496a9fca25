// SPDX-License-Identifier: Apache-2.0
/// @file
/// An I2C bus for tests of an application: devices with registers, errors when the test says so, and a log.
/// @code
/// mcp::FakeRegisters sensor{0x48};
/// mcp::FakeI2cDevice* const devices[] = {&sensor};
/// mcp::FakeTransaction entries[16];
/// mcp::FakeI2c bus{devices, entries};
/// mcp::I2cBus& i2c0() { return bus; }  // the application gets this function in place of board::i2c0
/// bool sensor_answers() {
///   sensor[0x00] = 0x19;
///   return i2c0().probe(0x48) == mcp::BusError::none && bus.log().size() == 1;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/ports/i2c.hpp"

namespace mcp {

/// A device on a FakeI2c. FakeRegisters is a device with registers. Derive from this class for other devices, such as
/// those with commands.
class FakeI2cDevice {
 public:
  /// The value of `refuses_at` of a device that acknowledges all bytes.
  static constexpr std::size_t never = static_cast<std::size_t>(-1);

  /// The 7-bit address.
  std::uint8_t address;
  /// Whether the device is on the bus. If not, transactions end with `no_device`.
  bool is_present = true;
  /// The number of bytes that the device acknowledges in a write. The next byte ends the transaction with
  /// `data_refused`.
  std::size_t refuses_at = never;
  /// How long the device holds the clock in each transaction, in milliseconds. If this is longer than
  /// I2cBus::limit_ms(), the transaction ends with `too_late`.
  Millis holds_clock_ms = 0;

  /// Takes the bytes of a write, without those that it refuses.
  void write(std::span<const std::uint8_t> bytes) { do_write(bytes); }

  /// Fills `into` with the bytes of a read.
  void read(std::span<std::uint8_t> into) { do_read(into); }

 protected:
  /// `at`: the 7-bit address.
  constexpr explicit FakeI2cDevice(std::uint8_t at) : address(at) {}
  ~FakeI2cDevice() = default;

 private:
  virtual void do_write(std::span<const std::uint8_t> bytes) = 0;
  virtual void do_read(std::span<std::uint8_t> into) = 0;
};

/// A device with 256 registers of one byte. The first byte of a write is the number of a register. The other bytes go
/// into this register and those after it. A read returns the registers from this number on. After register 255 comes
/// register 0.
class FakeRegisters final : public FakeI2cDevice {
 public:
  /// A device whose registers are 0. `at`: its 7-bit address.
  constexpr explicit FakeRegisters(std::uint8_t at) : FakeI2cDevice(at) {}

  /// Returns the register with this number.
  [[nodiscard]] std::uint8_t& operator[](std::uint8_t number) { return registers_[number]; }

 private:
  void do_write(std::span<const std::uint8_t> bytes) override {
    if (bytes.empty()) return;
    next_ = bytes[0];
    for (const std::uint8_t byte : bytes.subspan(1)) registers_[next_++] = byte;
  }
  void do_read(std::span<std::uint8_t> into) override {
    for (std::uint8_t& byte : into) byte = registers_[next_++];
  }

  std::uint8_t registers_[256] = {};
  std::uint8_t next_ = 0;
};

/// An entry of the log of a FakeI2c.
struct FakeTransaction {
  static constexpr std::size_t most_bytes = 32;  ///< The most bytes that an entry keeps in one direction.

  std::uint8_t address = 0;           ///< The 7-bit address.
  BusError error = BusError::none;    ///< How the transaction ended.
  std::size_t out_size = 0;           ///< The number of bytes to write.
  std::size_t in_size = 0;            ///< The number of bytes to read.
  std::uint8_t out[most_bytes] = {};  ///< The first bytes to write.
  std::uint8_t in[most_bytes] = {};   ///< The first bytes that the device returned.
};

/// A bus with the devices of a test. A transaction takes no time.
class FakeI2c final : public I2cBus {
 public:
  using I2cBus::Traits;

  /// A bus with `devices`, which may be changed between two transactions. `log` has room for the log. Ownership: the
  /// caller owns all of them, and they outlive the bus. `traits`: what the bus can do.
  constexpr FakeI2c(std::span<FakeI2cDevice* const> devices, std::span<FakeTransaction> log,
                    Traits traits = {.most_bytes = 256, .limit_ms = 5})
      : I2cBus(traits), devices_(devices), entries_(log) {}

  /// After `skipped` transactions, the next `times` transactions end with `error`. They change no device.
  void fail(BusError error, std::size_t times = 1, std::size_t skipped = 0) {
    failure_ = error;
    failures_ = times;
    skipped_ = skipped;
  }

  /// A device holds the data line low. Transactions end with `stuck` until recover() has sent `pulses`. It sends at
  /// most nine, so a larger number is a short circuit.
  void hold_data_line(unsigned pulses) { held_pulses_ = pulses; }

  /// Returns the transactions since the last clear_log(), the oldest first, at most as many as the log has room for.
  /// A transaction that transfer() tries twice has two entries.
  [[nodiscard]] std::span<const FakeTransaction> log() const {
    return entries_.first(std::min(count_, entries_.size()));
  }

  /// Returns the number of transactions since the last clear_log(), also of those without room in the log.
  [[nodiscard]] std::size_t count() const { return count_; }

  /// Removes all entries.
  void clear_log() { count_ = 0; }

  /// Returns how often recover() was called.
  [[nodiscard]] std::size_t recoveries() const { return recoveries_; }

 private:
  static constexpr unsigned most_pulses = 9;

  BusError do_transfer(std::uint8_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) override {
    const BusError error = run(address, out, in);
    if (count_ < entries_.size()) {
      FakeTransaction& entry = entries_[count_];
      entry = {.address = address, .error = error, .out_size = out.size(), .in_size = in.size()};
      std::copy_n(out.begin(), std::min(out.size(), FakeTransaction::most_bytes), entry.out);
      if (error == BusError::none) std::copy_n(in.begin(), std::min(in.size(), FakeTransaction::most_bytes), entry.in);
    }
    ++count_;
    return error;
  }

  BusError run(std::uint8_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) {
    if (held_pulses_ != 0) return BusError::stuck;
    if (failures_ != 0 && skipped_ == 0) return --failures_, failure_;
    if (skipped_ != 0) --skipped_;
    FakeI2cDevice* device = nullptr;
    for (FakeI2cDevice* one : devices_) {
      if (one->address == address && one->is_present) device = one;
    }
    if (device == nullptr) return BusError::no_device;
    if (device->holds_clock_ms > limit_ms()) return BusError::too_late;
    if (!out.empty()) device->write(out.first(std::min(out.size(), device->refuses_at)));
    if (out.size() > device->refuses_at) return BusError::data_refused;
    if (!in.empty()) device->read(in);
    return BusError::none;
  }

  bool do_recover() override {
    ++recoveries_;
    if (held_pulses_ <= most_pulses) held_pulses_ = 0;
    return held_pulses_ == 0;
  }

  std::span<FakeI2cDevice* const> devices_;
  std::span<FakeTransaction> entries_;
  std::size_t count_ = 0;
  std::size_t recoveries_ = 0;
  std::size_t failures_ = 0;
  std::size_t skipped_ = 0;
  unsigned held_pulses_ = 0;
  BusError failure_ = BusError::none;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
