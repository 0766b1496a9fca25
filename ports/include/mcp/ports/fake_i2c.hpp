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

/// A device on a FakeI2c: FakeRegisters, FakeWords or FakeNoise. Derive from this class for other devices, such as
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

  /// Takes the bytes of a write, without those that it refuses. Returns how the write ends: `no_device` if the device
  /// does not acknowledge its address, such as while it measures, and `data_refused` if it does not know a command.
  BusError write(std::span<const std::uint8_t> bytes) { return do_write(bytes); }

  /// Fills `into` with the bytes of a read. Returns how the read ends, as write().
  BusError read(std::span<std::uint8_t> into) { return do_read(into); }

 protected:
  /// `at`: the 7-bit address.
  constexpr explicit FakeI2cDevice(std::uint8_t at) : address(at) {}
  ~FakeI2cDevice() = default;

 private:
  virtual BusError do_write(std::span<const std::uint8_t> bytes) = 0;
  virtual BusError do_read(std::span<std::uint8_t> into) = 0;
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
  BusError do_write(std::span<const std::uint8_t> bytes) override {
    if (bytes.empty()) return BusError::none;
    next_ = bytes[0];
    for (const std::uint8_t byte : bytes.subspan(1)) registers_[next_++] = byte;
    return BusError::none;
  }
  BusError do_read(std::span<std::uint8_t> into) override {
    for (std::uint8_t& byte : into) byte = registers_[next_++];
    return BusError::none;
  }

  std::uint8_t registers_[256] = {};
  std::uint8_t next_ = 0;
};

/// A device with registers of 16 bits, high byte first, such as an LM75 or an INA219. The first byte of a write is the
/// number of a register, and the next two are its value. A read repeats this register. A device that acts on a write,
/// such as a converter, derives from this class.
class FakeWords : public FakeI2cDevice {
 public:
  /// A device whose registers are 0. `at`: its 7-bit address. `byte_register`: the number of a register of one byte,
  /// which is the high byte of its word, such as the configuration of an LM75. -1: none.
  constexpr explicit FakeWords(std::uint8_t at, int byte_register = -1)
      : FakeI2cDevice(at), byte_register_(byte_register) {}

  /// Returns the register with this number.
  [[nodiscard]] std::uint16_t& operator[](std::uint8_t number) { return words_[number]; }

 private:
  /// The bus has written a register.
  virtual void written(std::uint8_t number, std::uint16_t value) { words_[number] = value; }
  /// The bus has read a register.
  virtual void was_read(std::uint8_t /*number*/) {}

  BusError do_write(std::span<const std::uint8_t> bytes) override {
    if (bytes.empty()) return BusError::none;
    number_ = bytes[0];
    if (number_ == byte_register_) {
      if (bytes.size() == 2) written(number_, static_cast<std::uint16_t>(bytes[1] << 8));
    } else if (bytes.size() >= 3) {
      written(number_, static_cast<std::uint16_t>(bytes[1] << 8 | bytes[2]));
    }
    return BusError::none;
  }
  BusError do_read(std::span<std::uint8_t> into) override {
    const std::uint16_t word = words_[number_];
    for (std::size_t i = 0; i < into.size(); ++i) {
      const bool is_high = i % 2 == 0 || number_ == byte_register_;
      into[i] = static_cast<std::uint8_t>(is_high ? word >> 8 : word);
    }
    was_read(number_);
    return BusError::none;
  }

  std::uint16_t words_[256] = {};
  int byte_register_;
  std::uint8_t number_ = 0;
};

/// A device that acknowledges everything, and whose reads have one byte again and again. With 0xFF, it is a data line
/// that nothing drives. With another byte, it is a device of another type. A driver must report an error.
class FakeNoise final : public FakeI2cDevice {
 public:
  /// The byte of each read.
  std::uint8_t byte;

  /// `at`: the 7-bit address.
  constexpr FakeNoise(std::uint8_t at, std::uint8_t repeated) : FakeI2cDevice(at), byte(repeated) {}

 private:
  BusError do_write(std::span<const std::uint8_t> /*bytes*/) override { return BusError::none; }
  BusError do_read(std::span<std::uint8_t> into) override {
    std::ranges::fill(into, byte);
    return BusError::none;
  }
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

  /// Returns `out`, without the room that is not used.
  [[nodiscard]] std::span<const std::uint8_t> written() const { return {out, std::min(out_size, most_bytes)}; }
};

/// A bus with the devices of a test. A transaction takes no time.
class FakeI2c final : public I2cBus {
 public:
  using I2cBus::Traits;

  /// Each byte that a read has after an error. A test with another value shows that nothing depends on it.
  std::uint8_t undefined = 0xA5;

  /// A bus with `devices`, which may be changed between two transactions. nullptr is no device. `log` has room for the
  /// log. Ownership: the caller owns all of them, and they outlive the bus. `traits`: what the bus can do.
  constexpr FakeI2c(std::span<FakeI2cDevice* const> devices, std::span<FakeTransaction> log,
                    Traits traits = {.most_bytes = 256, .limit_ms = 5})
      : I2cBus(traits), devices_(devices), entries_(log) {}

  /// The value of `times` of a fault that stays until the next fail().
  static constexpr std::size_t always = static_cast<std::size_t>(-1);

  /// After `skipped` transactions, the next `times` transactions end with `error`. They change no device. fail(error,
  /// 0) ends this.
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
    if (error != BusError::none) std::ranges::fill(in, undefined);
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
    if (skipped_ != 0) {
      --skipped_;
    } else if (failures_ != 0) {
      if (failures_ != always) --failures_;
      return failure_;
    }
    FakeI2cDevice* device = nullptr;
    for (FakeI2cDevice* one : devices_) {
      if (one != nullptr && one->address == address && one->is_present) device = one;
    }
    if (device == nullptr) return BusError::no_device;
    if (device->holds_clock_ms > limit_ms()) return BusError::too_late;
    BusError error = BusError::none;
    if (!out.empty()) error = device->write(out.first(std::min(out.size(), device->refuses_at)));
    if (error == BusError::none && out.size() > device->refuses_at) error = BusError::data_refused;
    return error == BusError::none && !in.empty() ? device->read(in) : error;
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
