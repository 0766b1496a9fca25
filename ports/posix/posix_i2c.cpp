// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/posix_i2c.hpp"

#ifdef __linux__
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace mcp::posix {
namespace {

// Both directions take 740 ms at 100 kHz, and the limit of many drivers includes this time. The kernel takes 8192.
constexpr std::uint16_t most_bytes_i2c = 4096;
constexpr std::uint16_t most_bytes_smbus = I2C_SMBUS_BLOCK_MAX;
constexpr std::uint16_t most_wait_ms = 1000;  // the default of the kernel

// The driver of the adapter chooses the number.
BusError bus_error() {
  switch (errno) {
    case ENXIO:
    case ENODEV:  // of i2c-stub
    case EREMOTEIO: return BusError::no_device;
    case EAGAIN: return BusError::arbitration_lost;
    case ETIMEDOUT: return BusError::too_late;
    case EBUSY: return BusError::stuck;
    case EOPNOTSUPP: return BusError::unsupported;
    default: return BusError::failed;
  }
}

struct Smbus {
  std::uint32_t size;      // the kind of transaction
  unsigned long function;  // the bit of an adapter that can do it
};

BusError call_smbus(int file, unsigned long functions, Smbus kind, std::uint8_t direction, std::uint8_t command,
                    i2c_smbus_data& data) {
  if ((functions & kind.function) == 0) return BusError::unsupported;
  i2c_smbus_ioctl_data call{direction, command, kind.size, &data};
  return ioctl(file, I2C_SMBUS, &call) < 0 ? bus_error() : BusError::none;
}

}  // namespace

I2cDevice::Adapter I2cDevice::open_adapter(const char* path) {
  Adapter adapter{open(path, O_RDWR | O_CLOEXEC), 0};
  if (adapter.file < 0 || ioctl(adapter.file, I2C_FUNCS, &adapter.functions) == 0) return adapter;
  const int reason = errno;
  close(adapter.file);
  errno = reason;
  return {-1, 0};
}

I2cDevice::I2cDevice(Adapter adapter)
    : I2cBus({.most_bytes = (adapter.functions & I2C_FUNC_I2C) != 0 ? most_bytes_i2c : most_bytes_smbus,
              .limit_ms = most_wait_ms}),
      file_(adapter.file),
      functions_(adapter.functions) {
  if (!ok()) return;
  // The unit is 10 ms. An adapter that has no time limit has no error for it.
  static_cast<void>(ioctl(file_, I2C_TIMEOUT, static_cast<unsigned long>(most_wait_ms / 10)));
}

I2cDevice::~I2cDevice() {
  if (ok()) close(file_);
}

BusError I2cDevice::do_transfer(std::uint8_t address, std::span<const std::uint8_t> out, std::span<std::uint8_t> in) {
  if (!ok()) return BusError::failed;
  const BusError error = select(address);
  if (error != BusError::none) return error;
  if ((functions_ & I2C_FUNC_I2C) != 0) return transact(address, out, in);
  return in.empty() ? write_smbus(out) : read_smbus(out, in);
}

// I2C_RDWR does not need it, but only this call reports a device that has a driver.
BusError I2cDevice::select(std::uint8_t address) {
  if (address == address_) return BusError::none;
  if (ioctl(file_, I2C_SLAVE, static_cast<unsigned long>(address)) < 0) return BusError::failed;
  address_ = address;
  return BusError::none;
}

BusError I2cDevice::transact(std::uint8_t address, std::span<const std::uint8_t> out,
                             std::span<std::uint8_t> in) const {
  i2c_msg messages[2];
  std::uint32_t count = 0;
  if (!out.empty()) {
    // The kernel reads these bytes.
    auto* const bytes = const_cast<std::uint8_t*>(out.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    messages[count++] = {address, 0, static_cast<std::uint16_t>(out.size()), bytes};
  }
  if (!in.empty()) messages[count++] = {address, I2C_M_RD, static_cast<std::uint16_t>(in.size()), in.data()};
  i2c_rdwr_ioctl_data call{messages, count};
  const int done = ioctl(file_, I2C_RDWR, &call);
  if (done < 0) return bus_error();
  return static_cast<std::uint32_t>(done) == count ? BusError::none : BusError::failed;
}

BusError I2cDevice::write_smbus(std::span<const std::uint8_t> out) const {
  i2c_smbus_data data{};
  Smbus kind{I2C_SMBUS_I2C_BLOCK_DATA, I2C_FUNC_SMBUS_WRITE_I2C_BLOCK};
  const std::span<const std::uint8_t> bytes = out.subspan(1);
  switch (bytes.size()) {
    case 0: kind = {I2C_SMBUS_BYTE, I2C_FUNC_SMBUS_WRITE_BYTE}; break;
    case 1:
      kind = {I2C_SMBUS_BYTE_DATA, I2C_FUNC_SMBUS_WRITE_BYTE_DATA};
      data.byte = bytes[0];
      break;
    case 2:
      kind = {I2C_SMBUS_WORD_DATA, I2C_FUNC_SMBUS_WRITE_WORD_DATA};
      data.word = static_cast<std::uint16_t>(bytes[0] | bytes[1] << 8);
      break;
    default:
      data.block[0] = static_cast<std::uint8_t>(bytes.size());
      std::copy(bytes.begin(), bytes.end(), data.block + 1);
  }
  return call_smbus(file_, functions_, kind, I2C_SMBUS_WRITE, out[0], data);
}

BusError I2cDevice::read_smbus(std::span<const std::uint8_t> out, std::span<std::uint8_t> in) const {
  i2c_smbus_data data{};
  Smbus kind{I2C_SMBUS_I2C_BLOCK_DATA, I2C_FUNC_SMBUS_READ_I2C_BLOCK};
  if (out.size() > 1 || (out.empty() && in.size() > 1)) return BusError::unsupported;
  if (out.empty()) {
    kind = {I2C_SMBUS_BYTE, I2C_FUNC_SMBUS_READ_BYTE};
  } else if (in.size() == 1) {
    kind = {I2C_SMBUS_BYTE_DATA, I2C_FUNC_SMBUS_READ_BYTE_DATA};
  } else if (in.size() == 2) {
    kind = {I2C_SMBUS_WORD_DATA, I2C_FUNC_SMBUS_READ_WORD_DATA};
  } else {
    data.block[0] = static_cast<std::uint8_t>(in.size());
  }
  const std::uint8_t command = out.empty() ? std::uint8_t{0} : out[0];
  const BusError error = call_smbus(file_, functions_, kind, I2C_SMBUS_READ, command, data);
  if (error != BusError::none) return error;
  if (in.size() == 1) {
    in[0] = data.byte;
  } else if (in.size() == 2) {
    in[0] = static_cast<std::uint8_t>(data.word);
    in[1] = static_cast<std::uint8_t>(data.word >> 8);
  } else if (data.block[0] < in.size()) {
    return BusError::failed;  // the adapter read less
  } else {
    std::copy_n(data.block + 1, in.size(), in.begin());
  }
  return BusError::none;
}

}  // namespace mcp::posix
#endif
