// SPDX-License-Identifier: Apache-2.0
// The I2C bus of Linux against i2cdev_ioctl() of drivers/i2c/i2c-dev.c and stub_xfer() of drivers/i2c/i2c-stub.c, as
// Linux 6.1 has them.
#include "mcp/ports/posix_i2c.hpp"

#include <gtest/gtest.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ports/linux/fake_kernel.hpp"
#include "support/hex.hpp"

namespace {

using mcp::BusError;
using test::hex;

constexpr char path[] = "/dev/i2c-7";
constexpr std::uint8_t number[] = {0x05};
constexpr std::uint8_t two[] = {0x05, 0x11};

// A chip of i2c-stub: registers of a word, of which a transaction with bytes uses the low byte.
struct StubChip {
  std::uint8_t pointer = 0;
  std::array<std::uint16_t, 256> words{};
};

struct Adapter {
  unsigned long functions = I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
  std::map<int, StubChip> chips;
  int error = 0;         // of transactions
  int messages = -1;     // that the adapter executes, if not all
  int used_address = 0;  // of a driver of the kernel
  int address = -1;
  unsigned long timeout = 0;
  std::string log;
};
Adapter adapter;

int run_messages(const i2c_rdwr_ioctl_data& call) {
  for (std::uint32_t i = 0; i < call.nmsgs; ++i) {
    const i2c_msg& message = call.msgs[i];
    if (message.len > 8192) return -EINVAL;
    const bool is_read = (message.flags & I2C_M_RD) != 0;
    adapter.log += (is_read ? "R" : "W") + hex(message.addr);
    if (adapter.error != 0) return -adapter.error;
    for (int at = 0; at < message.len; ++at) {
      if (is_read) message.buf[at] = static_cast<std::uint8_t>(0xA0 + at);
      adapter.log += " " + hex(message.buf[at]);
    }
    adapter.log += ";";
  }
  return adapter.messages >= 0 ? adapter.messages : static_cast<int>(call.nmsgs);
}

int run_block(StubChip& chip, const i2c_smbus_ioctl_data& call) {
  if (call.data->block[0] > 256 - call.command) call.data->block[0] = static_cast<std::uint8_t>(256 - call.command);
  for (int i = 0; i < call.data->block[0]; ++i) {
    std::uint16_t& word = chip.words[static_cast<std::size_t>(call.command + i)];
    if (call.read_write == I2C_SMBUS_WRITE) {
      word = static_cast<std::uint16_t>((word & 0xFF00) | call.data->block[1 + i]);
    } else {
      call.data->block[1 + i] = static_cast<std::uint8_t>(word);
    }
  }
  return 0;
}

int run_smbus(const i2c_smbus_ioctl_data& call) {
  if (adapter.error != 0) return -adapter.error;
  const auto found = adapter.chips.find(adapter.address);
  if (found == adapter.chips.end()) return -ENODEV;
  StubChip& chip = found->second;
  std::uint16_t& word = chip.words[call.command];
  const bool is_write = call.read_write == I2C_SMBUS_WRITE;
  switch (call.size) {
    case I2C_SMBUS_BYTE:
      if (is_write) {
        chip.pointer = call.command;
      } else {
        call.data->byte = static_cast<std::uint8_t>(chip.words[chip.pointer++]);
      }
      return 0;
    case I2C_SMBUS_BYTE_DATA:
      if (is_write) {
        word = static_cast<std::uint16_t>((word & 0xFF00) | call.data->byte);
      } else {
        call.data->byte = static_cast<std::uint8_t>(word);
      }
      chip.pointer = static_cast<std::uint8_t>(call.command + 1);
      return 0;
    case I2C_SMBUS_WORD_DATA:
      if (is_write) {
        word = call.data->word;
      } else {
        call.data->word = word;
      }
      return 0;
    case I2C_SMBUS_I2C_BLOCK_DATA: return run_block(chip, call);
    default: return -EOPNOTSUPP;
  }
}

int ioctl_of_i2c_dev(unsigned long request, void* argument) {
  switch (request) {
    case I2C_FUNCS: *static_cast<unsigned long*>(argument) = adapter.functions; return 0;
    case I2C_TIMEOUT: adapter.timeout = reinterpret_cast<unsigned long>(argument); return 0;
    case I2C_SLAVE:
      if (reinterpret_cast<unsigned long>(argument) > 0x7F) return -EINVAL;
      if (static_cast<int>(reinterpret_cast<unsigned long>(argument)) == adapter.used_address) return -EBUSY;
      adapter.address = static_cast<int>(reinterpret_cast<unsigned long>(argument));
      return 0;
    case I2C_RDWR: return run_messages(*static_cast<i2c_rdwr_ioctl_data*>(argument));
    case I2C_SMBUS: return run_smbus(*static_cast<i2c_smbus_ioctl_data*>(argument));
    default: return -ENOTTY;
  }
}

class PosixI2c : public testing::Test {
 protected:
  PosixI2c() {
    adapter = {};
    test::kernel = {};
    test::kernel.devices[path] = {.ioctl = ioctl_of_i2c_dev, .is_readable = {}, .read = {}};
  }
  void open_bus() { bus_ = std::make_unique<mcp::posix::I2cDevice>(path); }

  std::unique_ptr<mcp::posix::I2cDevice> bus_;
  std::uint8_t in_[2] = {};
};

TEST_F(PosixI2c, WritesAndReadsInOneTransaction) {
  open_bus();
  ASSERT_TRUE(bus_->ok());
  EXPECT_EQ(bus_->transfer(0x48, number, in_), BusError::none);
  EXPECT_EQ(adapter.log, "W48 05;R48 a0 a1;");
  EXPECT_EQ(in_[1], 0xA1);
  adapter.log.clear();
  EXPECT_EQ(bus_->write(0x48, two), BusError::none);
  EXPECT_EQ(bus_->read(0x49, in_), BusError::none);
  EXPECT_EQ(adapter.log, "W48 05 11;R49 a0 a1;");
  EXPECT_FALSE(bus_->stops_between());
}

TEST_F(PosixI2c, SetsTheTimeLimitOfTheAdapter) {
  open_bus();
  EXPECT_EQ(adapter.timeout * 10, bus_->limit_ms());
}

TEST_F(PosixI2c, ClosesTheFile) {
  open_bus();
  const int file = test::kernel.files.begin()->first;
  EXPECT_TRUE(test::is_open(file));
  bus_.reset();
  EXPECT_FALSE(test::is_open(file));
}

TEST_F(PosixI2c, ReportsTheErrorsOfDrivers) {
  open_bus();
  const std::pair<int, BusError> errors[] = {
      {ENXIO, BusError::no_device},         {ENODEV, BusError::no_device},   {EREMOTEIO, BusError::no_device},
      {EAGAIN, BusError::arbitration_lost}, {ETIMEDOUT, BusError::too_late}, {EBUSY, BusError::stuck},
      {EOPNOTSUPP, BusError::unsupported},  {EIO, BusError::failed},         {EPROTO, BusError::failed},
      {EBADMSG, BusError::failed},          {ESHUTDOWN, BusError::failed},   {ENOMEM, BusError::failed},
  };
  for (const auto& [number_of_error, error] : errors) {
    adapter.error = number_of_error;
    EXPECT_EQ(bus_->transfer(0x48, number, in_), error) << number_of_error;
  }
  adapter.error = 0;
  EXPECT_EQ(bus_->probe(0x48), BusError::none);
}

TEST_F(PosixI2c, LeavesTheRecoveryToTheDriver) {
  open_bus();
  adapter.error = EBUSY;
  EXPECT_FALSE(bus_->recover());
  EXPECT_EQ(bus_->probe(0x48), BusError::stuck);
  EXPECT_EQ(adapter.log, "R48") << "there is no second try";
}

TEST_F(PosixI2c, FailsIfTheAdapterExecutesOnlyAPart) {
  open_bus();
  adapter.messages = 1;
  EXPECT_EQ(bus_->transfer(0x48, number, in_), BusError::failed);
  EXPECT_EQ(bus_->write(0x48, number), BusError::none);
}

TEST_F(PosixI2c, LeavesDevicesOfTheKernelAlone) {
  open_bus();
  adapter.used_address = 0x68;
  EXPECT_EQ(bus_->probe(0x68), BusError::failed);
  EXPECT_EQ(adapter.log, "");
  EXPECT_EQ(bus_->probe(0x48), BusError::none);
}

TEST_F(PosixI2c, LimitsTheNumberOfBytes) {
  open_bus();
  std::array<std::uint8_t, 4097> many{};
  EXPECT_EQ(bus_->write(0x48, many), BusError::too_long);
  EXPECT_EQ(bus_->read(0x48, std::span(many).first(4096)), BusError::none);
}

TEST_F(PosixI2c, ReportsAFileThatDoesNotExist) {
  mcp::posix::I2cDevice bus{"/dev/mote-has-no-such-bus"};
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(bus.ok());
  EXPECT_EQ(bus.probe(0x48), BusError::failed);
  EXPECT_GE(bus.most_bytes(), 32U);
}

TEST_F(PosixI2c, ReportsAFileThatIsNoBus) {
  test::kernel.devices[path].ioctl = [](unsigned long, void*) { return -ENOTTY; };
  open_bus();
  EXPECT_EQ(errno, ENOTTY);
  EXPECT_FALSE(bus_->ok());
  EXPECT_FALSE(test::is_open(test::kernel.files.begin()->first));
}

class PosixSmbus : public PosixI2c {
 protected:
  PosixSmbus() {
    adapter.functions =
        I2C_FUNC_SMBUS_BYTE | I2C_FUNC_SMBUS_BYTE_DATA | I2C_FUNC_SMBUS_WORD_DATA | I2C_FUNC_SMBUS_I2C_BLOCK;
    adapter.chips[0x48] = {};
    open_bus();
  }
  std::array<std::uint16_t, 256>& words() { return adapter.chips[0x48].words; }
};

TEST_F(PosixSmbus, WritesBytesWordsAndBlocks) {
  EXPECT_EQ(bus_->write(0x48, number), BusError::none);
  EXPECT_EQ(adapter.chips[0x48].pointer, 5);
  EXPECT_EQ(bus_->write(0x48, two), BusError::none);
  EXPECT_EQ(words()[5], 0x11);
  const std::uint8_t three[] = {6, 0x11, 0x22};
  EXPECT_EQ(bus_->write(0x48, three), BusError::none);
  EXPECT_EQ(words()[6], 0x2211) << "the first byte is the low one";
  const std::uint8_t four[] = {7, 0x33, 0x44, 0x55};
  EXPECT_EQ(bus_->write(0x48, four), BusError::none);
  EXPECT_EQ(words()[7], 0x33);
  EXPECT_EQ(words()[9], 0x55);
}

TEST_F(PosixSmbus, ReadsBytesWordsAndBlocks) {
  words()[5] = 0x2211;
  words()[6] = 0x33;
  words()[7] = 0x44;
  EXPECT_EQ(bus_->transfer(0x48, number, in_), BusError::none);
  EXPECT_EQ(in_[0], 0x11);
  EXPECT_EQ(in_[1], 0x22);
  std::uint8_t one[1] = {};
  EXPECT_EQ(bus_->transfer(0x48, number, one), BusError::none);
  EXPECT_EQ(one[0], 0x11);
  EXPECT_EQ(bus_->read(0x48, one), BusError::none);
  EXPECT_EQ(one[0], 0x33) << "from the next register";
  std::uint8_t three[3] = {};
  EXPECT_EQ(bus_->transfer(0x48, number, three), BusError::none);
  EXPECT_EQ(three[0], 0x11);
  EXPECT_EQ(three[2], 0x44);
}

TEST_F(PosixSmbus, FailsIfTheAdapterReadsLess) {
  const std::uint8_t last[] = {254};
  std::uint8_t three[3] = {};
  EXPECT_EQ(bus_->transfer(0x48, last, three), BusError::failed);
}

TEST_F(PosixSmbus, ReportsErrors) {
  EXPECT_EQ(bus_->transfer(0x50, number, in_), BusError::no_device);
  EXPECT_EQ(bus_->write(0x50, two), BusError::no_device);
  adapter.error = ETIMEDOUT;
  EXPECT_EQ(bus_->probe(0x48), BusError::too_late);
}

TEST_F(PosixSmbus, RejectsWhatSmbusCannotDo) {
  EXPECT_EQ(bus_->transfer(0x48, two, in_), BusError::unsupported);
  EXPECT_EQ(bus_->read(0x48, in_), BusError::unsupported);
  EXPECT_EQ(bus_->most_bytes(), 32U);
}

TEST_F(PosixSmbus, RejectsWhatTheAdapterCannotDo) {
  adapter.functions = 0;
  open_bus();
  std::uint8_t one[1];
  std::uint8_t three[3];
  const std::uint8_t four[] = {7, 0x33, 0x44, 0x55};
  for (const std::size_t size : {1U, 2U, 3U, 4U}) {
    EXPECT_EQ(bus_->write(0x48, std::span(four).first(size)), BusError::unsupported) << size;
  }
  EXPECT_EQ(bus_->read(0x48, one), BusError::unsupported);
  EXPECT_EQ(bus_->transfer(0x48, number, one), BusError::unsupported);
  EXPECT_EQ(bus_->transfer(0x48, number, in_), BusError::unsupported);
  EXPECT_EQ(bus_->transfer(0x48, number, three), BusError::unsupported);
}

}  // namespace
