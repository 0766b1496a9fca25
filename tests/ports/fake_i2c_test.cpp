// SPDX-License-Identifier: Apache-2.0
// The I2C bus for tests of applications, and what I2cBus does for each bus.
#include "mcp/ports/fake_i2c.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace {

using mcp::BusError;

static_assert(mcp::is_device_address(0x08) && mcp::is_device_address(0x77));
static_assert(!mcp::is_device_address(0x07) && !mcp::is_device_address(0x78));

class FakeI2c : public testing::Test {
 protected:
  static constexpr std::uint8_t number[] = {0xFF};
  static constexpr std::uint8_t three[] = {0x10, 0x11, 0x12};

  mcp::FakeRegisters sensor_{0x48};
  mcp::FakeRegisters other_{0x50};
  mcp::FakeI2cDevice* const devices_[2] = {&sensor_, &other_};
  mcp::FakeTransaction entries_[3];
  mcp::FakeI2c bus_{devices_, entries_};
  std::uint8_t in_[2] = {};
};

TEST_F(FakeI2c, WritesAndReadsRegistersFromANumberOn) {
  sensor_[0xFF] = 0x19;
  sensor_[0x00] = 0x80;
  EXPECT_EQ(bus_.transfer(0x48, number, in_), BusError::none);
  EXPECT_EQ(in_[0], 0x19);
  EXPECT_EQ(in_[1], 0x80);
  EXPECT_EQ(bus_.write(0x48, three), BusError::none);
  EXPECT_EQ(sensor_[0x10], 0x11);
  EXPECT_EQ(sensor_[0x11], 0x12);
  EXPECT_EQ(other_[0x10], 0);
  EXPECT_EQ(bus_.write(0x48, number), BusError::none);
  EXPECT_EQ(bus_.read(0x48, in_), BusError::none);
  EXPECT_EQ(in_[0], 0x19) << "the device keeps the number of the register";
}

TEST_F(FakeI2c, LogsTransactions) {
  sensor_[0xFF] = 0x19;
  EXPECT_EQ(bus_.transfer(0x48, number, in_), BusError::none);
  EXPECT_EQ(bus_.probe(0x20), BusError::no_device);
  ASSERT_EQ(bus_.log().size(), 2U);
  EXPECT_EQ(bus_.log()[0].address, 0x48);
  EXPECT_EQ(bus_.log()[0].error, BusError::none);
  EXPECT_EQ(bus_.log()[0].out_size, 1U);
  EXPECT_EQ(bus_.log()[0].out[0], 0xFF);
  EXPECT_EQ(bus_.log()[0].in_size, 2U);
  EXPECT_EQ(bus_.log()[0].in[0], 0x19);
  EXPECT_EQ(bus_.log()[1].address, 0x20);
  EXPECT_EQ(bus_.log()[1].error, BusError::no_device);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(bus_.write(0x48, three), BusError::none);
  EXPECT_EQ(bus_.log().size(), 3U) << "the log has room for three";
  EXPECT_EQ(bus_.count(), 4U);
  bus_.clear_log();
  EXPECT_TRUE(bus_.log().empty());
  std::array<std::uint8_t, 40> many{};
  EXPECT_EQ(bus_.write(0x48, many), BusError::none);
  EXPECT_EQ(bus_.log()[0].out_size, 40U) << "an entry keeps the first 32 bytes";
}

TEST_F(FakeI2c, HasDevicesThatAreRemoved) {
  sensor_.is_present = false;
  EXPECT_EQ(bus_.probe(0x48), BusError::no_device);
  sensor_.is_present = true;
  EXPECT_EQ(bus_.probe(0x48), BusError::none);
}

TEST_F(FakeI2c, RefusesABytePastTheFirst) {
  sensor_.refuses_at = 2;
  EXPECT_EQ(bus_.write(0x48, three), BusError::data_refused);
  EXPECT_EQ(sensor_[0x10], 0x11);
  EXPECT_EQ(sensor_[0x11], 0) << "the device took two bytes";
  EXPECT_EQ(bus_.transfer(0x48, number, in_), BusError::none) << "one byte is acknowledged";
  sensor_.refuses_at = 0;
  EXPECT_EQ(bus_.transfer(0x48, number, in_), BusError::data_refused);
  EXPECT_EQ(bus_.read(0x48, in_), BusError::none) << "a read has no bytes that the device refuses";
}

/// Takes the command 7 only. Does not acknowledge a read before it.
class FakeCommands final : public mcp::FakeI2cDevice {
 public:
  FakeCommands() : FakeI2cDevice(0x44) {}

 private:
  BusError do_write(std::span<const std::uint8_t> bytes) override {
    has_begun_ = bytes[0] == 7;
    return has_begun_ ? BusError::none : BusError::data_refused;
  }
  BusError do_read(std::span<std::uint8_t> into) override {
    into[0] = 1;
    return has_begun_ ? BusError::none : BusError::no_device;
  }
  bool has_begun_ = false;
};

TEST_F(FakeI2c, EndsTransactionsAsTheDeviceSays) {
  FakeCommands device;
  mcp::FakeI2cDevice* devices[] = {nullptr, &device};
  mcp::FakeI2c bus{devices, entries_};
  constexpr std::uint8_t unknown[] = {8};
  constexpr std::uint8_t begin[] = {7};
  EXPECT_EQ(bus.read(0x44, in_), BusError::no_device);
  EXPECT_EQ(bus.transfer(0x44, unknown, in_), BusError::data_refused);
  EXPECT_EQ(bus.log()[1].written().size(), 1U);
  EXPECT_EQ(bus.log()[1].written()[0], 8);
  EXPECT_EQ(bus.transfer(0x44, begin, in_), BusError::none);
  EXPECT_EQ(in_[0], 1);
  devices[1] = nullptr;
  EXPECT_EQ(bus.probe(0x44), BusError::no_device);
}

TEST_F(FakeI2c, ReadsUndefinedBytesAfterAnError) {
  FakeCommands device;
  mcp::FakeI2cDevice* const devices[] = {&device};
  mcp::FakeI2c bus{devices, entries_};
  in_[0] = in_[1] = 3;
  EXPECT_EQ(bus.read(0x44, in_), BusError::no_device);
  EXPECT_EQ(in_[0], 0xA5);
  EXPECT_EQ(in_[1], 0xA5);
  bus.undefined = 0xFF;
  bus.fail(BusError::failed);
  EXPECT_EQ(bus.read(0x44, in_), BusError::failed);
  EXPECT_EQ(in_[0], 0xFF);
}

TEST_F(FakeI2c, HasWordsThatARegisterRepeats) {
  mcp::FakeWords words{0x49, 1};
  mcp::FakeI2cDevice* const devices[] = {&words};
  mcp::FakeI2c bus{devices, entries_};
  constexpr std::uint8_t word[] = {2, 0x12, 0x34, 0x56};
  constexpr std::uint8_t byte[] = {1, 0x60};
  std::uint8_t in[3] = {};
  EXPECT_EQ(bus.transfer(0x49, word, in), BusError::none);
  EXPECT_EQ(words[2], 0x1234);
  EXPECT_EQ(in[0], 0x12);
  EXPECT_EQ(in[1], 0x34);
  EXPECT_EQ(in[2], 0x12);
  EXPECT_EQ(bus.transfer(0x49, byte, in), BusError::none);
  EXPECT_EQ(words[1], 0x6000);
  EXPECT_EQ(in[1], 0x60) << "a register of one byte";
}

TEST_F(FakeI2c, HasNoiseThatARegisterCannotChange) {
  mcp::FakeNoise noise{0x49, 0xFF};
  mcp::FakeI2cDevice* const devices[] = {&noise};
  mcp::FakeI2c bus{devices, entries_};
  EXPECT_EQ(bus.transfer(0x49, three, in_), BusError::none);
  EXPECT_EQ(in_[0], 0xFF);
  noise.byte = 7;
  EXPECT_EQ(bus.read(0x49, in_), BusError::none);
  EXPECT_EQ(in_[1], 7);
}

TEST_F(FakeI2c, HoldsTheClock) {
  sensor_.holds_clock_ms = bus_.limit_ms();
  EXPECT_EQ(bus_.probe(0x48), BusError::none);
  sensor_.holds_clock_ms = bus_.limit_ms() + 1;
  EXPECT_EQ(bus_.probe(0x48), BusError::too_late);
}

TEST_F(FakeI2c, RecoversFromAHeldDataLineAndTriesOnceMore) {
  bus_.hold_data_line(9);
  EXPECT_EQ(bus_.probe(0x48), BusError::none);
  EXPECT_EQ(bus_.recoveries(), 1U);
  ASSERT_EQ(bus_.log().size(), 2U);
  EXPECT_EQ(bus_.log()[0].error, BusError::stuck);
  EXPECT_EQ(bus_.log()[1].error, BusError::none);
}

TEST_F(FakeI2c, StaysStuckAfterAShortCircuit) {
  bus_.hold_data_line(10);
  EXPECT_EQ(bus_.probe(0x48), BusError::stuck);
  EXPECT_EQ(bus_.count(), 1U) << "there is no second try";
  EXPECT_FALSE(bus_.recover());
  bus_.hold_data_line(0);
  EXPECT_TRUE(bus_.recover());
  EXPECT_EQ(bus_.probe(0x48), BusError::none);
}

TEST_F(FakeI2c, FailsAsOftenAsTheTestSays) {
  bus_.fail(BusError::arbitration_lost, 2, 1);
  EXPECT_EQ(bus_.write(0x48, three), BusError::none);
  EXPECT_EQ(bus_.write(0x48, three), BusError::arbitration_lost);
  EXPECT_EQ(bus_.write(0x48, three), BusError::arbitration_lost);
  EXPECT_EQ(bus_.write(0x48, three), BusError::none);
  bus_.fail(BusError::failed);
  EXPECT_EQ(bus_.probe(0x48), BusError::failed);
  EXPECT_EQ(bus_.probe(0x48), BusError::none);
  bus_.fail(BusError::failed, mcp::FakeI2c::always);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(bus_.probe(0x48), BusError::failed);
  bus_.fail(BusError::none, 0);
  EXPECT_EQ(bus_.probe(0x48), BusError::none);
}

TEST_F(FakeI2c, RejectsWhatNoBusCanDo) {
  std::array<std::uint8_t, 257> many{};
  EXPECT_EQ(bus_.write(0x48, many), BusError::too_long);
  EXPECT_EQ(bus_.read(0x48, many), BusError::too_long);
  EXPECT_EQ(bus_.transfer(0x48, {}, {}), BusError::unsupported);
  EXPECT_EQ(bus_.probe(0x80), BusError::unsupported);
  EXPECT_EQ(bus_.count(), 0U);
}

TEST_F(FakeI2c, HasTheTraitsOfAnotherBus) {
  mcp::FakeI2c bus{devices_, entries_, {.most_bytes = 32, .limit_ms = 25, .stops_between = true}};
  EXPECT_EQ(bus.most_bytes(), 32U);
  EXPECT_EQ(bus.limit_ms(), 25U);
  EXPECT_TRUE(bus.stops_between());
}

TEST(I2cBus, HasARemedyForEachError) {
  std::string_view last;
  for (int i = 0; i <= static_cast<int>(BusError::failed); ++i) {
    const std::string_view text = mcp::remedy(static_cast<BusError>(i));
    EXPECT_TRUE(text.ends_with('.')) << i;
    EXPECT_NE(text, last) << i;
    last = text;
  }
}

}  // namespace
