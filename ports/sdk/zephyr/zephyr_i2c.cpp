// SPDX-License-Identifier: Apache-2.0
// An I2C controller, with the functions of Zephyr for all drivers.
#include "mcp/ports/zephyr_i2c.hpp"

#include <errno.h>
#include <zephyr/drivers/i2c.h>

namespace mcp::zephyr {
namespace {

BusError error_of(int result) {
  switch (result) {
    case 0: return BusError::none;
    case -ENXIO: return BusError::no_device;
    case -EBUSY: return BusError::stuck;
    case -EAGAIN:  // of k_sem_take() in a driver
    case -ETIMEDOUT: return BusError::too_late;
    case -ENOSPC: return BusError::too_long;
    case -EINVAL:
    case -ENOSYS:
    case -ENOTSUP: return BusError::unsupported;
    default: return BusError::failed;
  }
}

}  // namespace

BusError I2c::do_transfer(std::uint8_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) {
  if (!device_is_ready(controller_)) return BusError::failed;
  int result = 0;
  if (in.empty()) {
    result = i2c_write(controller_, out.data(), static_cast<std::uint32_t>(out.size()), address);
  } else if (out.empty()) {
    result = i2c_read(controller_, in.data(), static_cast<std::uint32_t>(in.size()), address);
  } else {
    result = i2c_write_read(controller_, address, out.data(), out.size(), in.data(), in.size());
  }
  if (result != -EIO) return error_of(result);
  const std::uint8_t nothing[1] = {};
  return i2c_write(controller_, nothing, 0, address) == -EIO ? BusError::no_device : BusError::failed;
}

bool I2c::do_recover() { return i2c_recover_bus(controller_) == 0; }

}  // namespace mcp::zephyr
