// SPDX-License-Identifier: Apache-2.0
// scan_i2c and i2c.
#include "ports/workbench/table.hpp"

namespace {

using namespace test;

using WorkbenchI2c = test::WorkbenchOfTable;

TEST_F(WorkbenchI2c, AScanListsTheDevicesAndReadsOnly) {
  run(2000);
  the_bus.clear_log();
  EXPECT_EQ(call("scan_i2c"),
            "0x20: perhaps pins (MCP23017, PCF8574), LCD; read only\n"
            "0x48: LM75, see watch or bench://readings; read only\n"
            "0x49: LM75, see watch or bench://readings; read only\n"
            "0x4a: LM75, see watch or bench://readings; read only\n"
            "0x50: perhaps EEPROM (24Cxx); read only\n"
            "0x68: perhaps clock (DS3231, DS1307), motion (MPU6050)");
  EXPECT_EQ(the_bus.count(), 0x77U - 0x08 + 1 - 4) << "each address, except the motor that no client may use, and "
                                                      "the sensors with values";
  for (const mcp::FakeTransaction& one : the_bus.log()) {
    EXPECT_EQ(one.out_size, 0U) << "a written byte is a command for some device";
    EXPECT_EQ(one.in_size, 1U);
    EXPECT_TRUE(mcp::is_device_address(one.address));
    EXPECT_NE(one.address, 0x60);
    EXPECT_TRUE(one.address < 0x48 || one.address > 0x4A) << "an SHT4x gives the values of a measurement once";
  }
}

TEST_F(WorkbenchI2c, AScanWithoutDevicesSaysWhatToDo) {
  for (mcp::FakeI2cDevice* chip : chips) chip->is_present = false;
  run(2000);
  EXPECT_EQ(call("scan_i2c"),
            "error: No device acknowledges a read. Check power, ground, SDA, SCL and the pull-ups. A device that takes "
            "commands only, such as an SHT4x, is not found: write its command with i2c.");
}

TEST_F(WorkbenchI2c, AScanOfAStuckBusEndsAtOnce) {
  the_bus.hold_data_line(100);
  EXPECT_EQ(call("scan_i2c"), "error: A line of the bus stays low. Check pull-ups, power and short circuits.");
  EXPECT_LE(the_bus.count(), 4U);
}

TEST_F(WorkbenchI2c, ARegisterIsReadWithItsNumber) {
  gyroscope[0x0A] = 0xFE;
  gyroscope[0x0B] = 0x70;
  EXPECT_EQ(call("i2c", R"("address":"0x68","write":"0a","read":2)"),
            "fe 70 (big-endian: 65136, signed -400; little-endian: 28926, signed 28926)");
  EXPECT_EQ(call("i2c", R"("address":"0x68","write":"0A","read":1)"), "fe (254)");
  EXPECT_EQ(call("i2c", R"("address":"0x68","write":"0a","read":3)"), "fe 70 00");
  EXPECT_EQ(call("i2c", R"("address":"0X68","write":"0b77")"), "Wrote 2 bytes.");
  EXPECT_EQ(gyroscope[0x0B], 0x77);
}

TEST_F(WorkbenchI2c, TheSettingsOfASensorCannotBeChanged) {
  EXPECT_EQ(call("i2c", R"("address":"0x48","write":"0101")"),
            "error: This board lets clients only read 0x48: write 1 byte for the register, and read.")
      << "an LM75 in shutdown has its last temperature forever, and a hold would heat";
  EXPECT_EQ(room_chip[1], 0);
  EXPECT_EQ(call("i2c", R"("address":"0x48","write":"00","read":1)"), "14 (20)");
}

TEST_F(WorkbenchI2c, AddressesOfNoDeviceAreRefused) {
  constexpr std::string_view range =
      "error: address must be from 0x08 to 0x77. It has 7 bits, without the bit for read or write.";
  for (const std::string_view address : {"0x00", "0x03", "0x07", "0x78", "0x7f", "0x90", "0xff"}) {
    EXPECT_EQ(call("i2c", "\"address\":\"" + std::string(address) + R"(","write":"06")"), range) << address;
  }
  for (const std::string_view address : {"", "48", "0x4", "0x048", "0xg8", "0x4 ", "72", "1x48"}) {
    EXPECT_EQ(call("i2c", "\"address\":\"" + std::string(address) + R"(","write":"06")"),
              "error: address must be 0x and two hexadecimal digits, such as 0x48.")
        << address;
  }
  EXPECT_EQ(the_bus.count(), 0U) << "the general call resets devices";
}

TEST_F(WorkbenchI2c, WrongBytesAreRefused) {
  EXPECT_EQ(call("i2c", R"("address":"0x48","write":"0")"),
            "error: write must be two hexadecimal digits for each byte, and at most 32 bytes.");
  EXPECT_EQ(call("i2c", R"("address":"0x48","write":"0g")"),
            "error: write must be two hexadecimal digits for each byte, such as f72e.");
  EXPECT_EQ(call("i2c", R"("address":"0x48")"), "error: Give bytes to write, or the number of bytes to read, or both.");
  EXPECT_EQ(call("i2c", R"("address":"0x48","write":")" + std::string(66, '0') + "\"").rfind("error: ", 0), 0U);
  EXPECT_EQ(call("i2c", R"("address":"0x48","read":33)").rfind("error: ", 0), 0U);
  EXPECT_EQ(the_bus.count(), 0U);
}

TEST_F(WorkbenchI2c, AReadOnlyDeviceIsNotWritten) {
  constexpr std::string_view refusal =
      "error: This board lets clients only read 0x50 (calibration): write 1 byte for the register, and read.";
  eeprom[0x10] = 0xAB;
  EXPECT_EQ(call("i2c", R"("address":"0x50","write":"10","read":1)"), "ab (171)");
  EXPECT_EQ(call("i2c", R"("address":"0x50","read":1)").rfind("error", 0), std::string::npos);
  EXPECT_EQ(call("i2c", R"("address":"0x50","write":"10")"), refusal) << "some devices write with one byte";
  EXPECT_EQ(call("i2c", R"("address":"0x50","write":"1099")"), refusal);
  EXPECT_EQ(call("i2c", R"("address":"0x50","write":"1099","read":1)"), refusal) << "two bytes and a read write, too";
  EXPECT_EQ(call("i2c", R"("address":"0x50","write":"109977","read":8)"), refusal);
  EXPECT_EQ(eeprom[0x10], 0xAB);
}

TEST_F(WorkbenchI2c, ADeviceWithoutRegistersIsReadOnly) {
  EXPECT_EQ(call("i2c", R"("address":"0x20","read":1)"), "00 (0)");
  EXPECT_EQ(call("i2c", R"("address":"0x20","write":"ff","read":1)"),
            "error: This board lets clients only read 0x20: leave write empty.");
}

TEST_F(WorkbenchI2c, ADeviceThatNoClientMayUseIsRefused) {
  EXPECT_EQ(call("i2c", R"("address":"0x60","read":1)"),
            "error: This board lets no client use 0x60 (motor). Use another device.");
  EXPECT_EQ(the_bus.count(), 0U);
}

TEST_F(WorkbenchI2c, AnErrorOfTheBusSaysWhatToDo) {
  EXPECT_EQ(call("i2c", R"("address":"0x33","read":1)"),
            "error: No device acknowledges the address. Check the address, the power and the wires.");
}

}  // namespace
