// SPDX-License-Identifier: Apache-2.0
/// @file
/// An I2C bus in a project of ESP-IDF 5.5 or newer, with the driver of `driver/i2c_master.h`.
/// @code
/// i2c_master_bus_handle_t handle;  // made by i2c_new_master_bus(), with pins 6 and 7
/// mcp::I2cBus& i2c0() {
///   static mcp::esp_idf::I2c bus{handle, 6, 7};
///   return bus;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>
#include <span>

#include "mcp/ports/i2c.hpp"

struct i2c_master_bus_t;
struct i2c_master_dev_t;

namespace mcp::esp_idf {

/// A bus of the driver. The application makes it with i2c_new_master_bus(), without a queue (`trans_queue_depth` 0).
/// The first transaction allocates one device of the driver, for all addresses. It sends a repeated start between write
/// and read. The driver resets the controller and the bus after each error.
///
/// Errors: all but `arbitration_lost`, which the driver reports as a timeout. If a transaction fails, a write without
/// bytes shows whether the device is there. Before ESP-IDF 6, the driver has one error for a refused byte and for a
/// timeout. It is `failed` if the device is there. Context: a task; blocks for the time of the bytes, and at most 60 ms
/// longer, rounded up to ticks.
class I2c final : public I2cBus {
 public:
  /// `bus` is the handle of the driver, and `data_pin` and `clock_pin` are the GPIO numbers that it has. `hz`: bits per
  /// second. Lifetime: the bus of the driver must outlive the object.
  constexpr I2c(i2c_master_bus_t* bus, int data_pin, int clock_pin, std::uint32_t hz = 100'000)
      : I2cBus({.most_bytes = 0xFFFF, .limit_ms = 3 * most_wait_ms}),
        bus_(bus),
        data_pin_(data_pin),
        clock_pin_(clock_pin),
        hz_(hz) {}

 private:
  static constexpr std::uint16_t most_wait_ms = 20;  // at least one tick of 10 ms

  BusError do_transfer(std::uint8_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) override;
  bool do_recover() override;

  bool select(std::uint8_t address);
  [[nodiscard]] bool are_high() const;

  i2c_master_bus_t* bus_;
  i2c_master_dev_t* device_ = nullptr;
  int data_pin_;
  int clock_pin_;
  std::uint32_t hz_;
  std::uint8_t address_ = 0;  // of `device_`
};

}  // namespace mcp::esp_idf

#include <mcp/detail/epilogue.hpp>
