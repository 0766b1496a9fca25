// SPDX-License-Identifier: Apache-2.0
// The sensors of hwmon and IIO, in folders as Linux 6.1 makes them: symbolic links to the folders of the devices, and
// one file for each value. Errors of drivers are those of the system calls.
#include "mcp/ports/posix_sensors.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "mcp/json/writer.hpp"
#include "ports/linux/fake_kernel.hpp"

namespace {

namespace fs = std::filesystem;
using mcp::posix::KernelReading;
using mcp::posix::KernelSensor;
using mcp::posix::KernelSensors;

class PosixSensors : public testing::Test {
 protected:
  PosixSensors() {
    test::kernel = {};
    EXPECT_NE(mkdtemp(root_.data()), nullptr);
    for (const char* const folder : {"class/hwmon", "bus/iio/devices", "bus/i2c", "bus/pci", "bus/hid", "bus/usb"}) {
      fs::create_directories(root_ + "/" + folder);
    }
    start();
  }
  ~PosixSensors() override { fs::remove_all(root_); }

  void start(std::size_t size = 16) {
    table_ = std::vector<KernelSensor>(size);
    sensors_ = std::make_unique<KernelSensors>(table_, root_.c_str(), 60'000);
  }
  void set(const std::string& file, const std::string& text) {
    fs::create_directories((root_ + "/" + file).substr(0, root_.size() + 1 + file.rfind('/')));
    std::ofstream(root_ + "/" + file) << text;
  }
  void on_bus(const std::string& device, const std::string& bus) {
    fs::create_directories(root_ + "/" + device);
    fs::create_symlink(root_ + "/bus/" + bus, root_ + "/" + device + "/subsystem");
  }
  // A device of hwmon, such as hwmon0. Returns its folder.
  std::string hwmon(int number, const std::string& device, const std::string& name) {
    const std::string entry = "hwmon" + std::to_string(number);
    std::string folder = device + "/hwmon/" + entry;
    set(folder + "/name", name + "\n");
    fs::create_symlink(root_ + "/" + device, root_ + "/" + folder + "/device");
    fs::create_symlink(root_ + "/" + folder, root_ + "/class/hwmon/" + entry);
    return folder + "/";
  }
  std::string iio(int number, const std::string& device, const std::string& name) {
    const std::string entry = "iio:device" + std::to_string(number);
    std::string folder = device + "/" + entry;
    set(folder + "/name", name + "\n");
    fs::create_symlink(root_ + "/" + folder, root_ + "/bus/iio/devices/" + entry);
    return folder + "/";
  }
  std::string names() {
    std::string all;
    for (const KernelSensor& sensor : table_) {
      if (sensor.exists()) all += std::string(sensor.name()) + "\n";
    }
    return all;
  }
  std::string text(const char* name) {
    char bytes[512];
    mcp::json::Writer out(bytes);
    out.string_begin();
    mcp::TextWriter writer(out);
    sensors_->measure(sensors_->find(name))(writer);
    return {bytes + 1, out.size() - 1};
  }

  std::string root_ = "/tmp/mote-sysfs-XXXXXX";
  std::vector<KernelSensor> table_;
  std::unique_ptr<KernelSensors> sensors_;
};

TEST_F(PosixSensors, FindsTheChannelsOfHwmon) {
  on_bus("devices/i2c-1/1-0048", "i2c");
  const std::string lm75 = hwmon(3, "devices/i2c-1/1-0048", "lm75");
  set(lm75 + "temp1_input", "21500\n");
  set(lm75 + "temp1_max", "80000\n");
  set(lm75 + "temp1_max_hyst", "75000\n");
  const std::string chip = hwmon(0, "devices/i2c-1/1-0048", "nct6775");
  for (const char* const file : {"temp10_input", "temp2_input", "in0_input", "fan1_input", "curr1_input",
                                 "power1_average", "power2_average", "power2_input", "humidity1_input", "pwm1",
                                 "in_reset_history", "temp1_crit", "intrusion0_alarm", "tempx_input", "cpu0_vid"}) {
    set(chip + file, "1000\n");
  }
  EXPECT_TRUE(sensors_->scan());
  EXPECT_EQ(names(),
            "hwmon/lm75/1-0048/temp1\n"
            "hwmon/nct6775/1-0048/curr1\n"
            "hwmon/nct6775/1-0048/fan1\n"
            "hwmon/nct6775/1-0048/humidity1\n"
            "hwmon/nct6775/1-0048/in0\n"
            "hwmon/nct6775/1-0048/power1\n"
            "hwmon/nct6775/1-0048/power2\n"
            "hwmon/nct6775/1-0048/temp2\n"
            "hwmon/nct6775/1-0048/temp10\n");
  EXPECT_EQ(sensors_->count(), 9U);
  EXPECT_EQ(text("hwmon/lm75/1-0048/temp1"), "21.5 Cel, max 80");
  EXPECT_EQ(text("sensor://hwmon/nct6775/1-0048/fan1"), "1000 /min");
  EXPECT_EQ(text("hwmon/nct6775/1-0048/humidity1"), "1 %");
  EXPECT_EQ(text("hwmon/nct6775/1-0048/in0"), "1000 mV");
  EXPECT_EQ(text("hwmon/nct6775/1-0048/curr1"), "1000 mA");
  EXPECT_EQ(text("hwmon/nct6775/1-0048/power1"), "1000 uW");
}

TEST_F(PosixSensors, ReadsTheBoundsOfHwmon) {
  const std::string chip = hwmon(0, "devices/virtual/chip", "chip");
  set(chip + "temp1_input", "-40125");
  const char* const bounds[] = {"min", "max", "lcrit", "crit", "emergency", "rated_min", "rated_max"};
  for (std::size_t i = 0; i < std::size(bounds); ++i) {
    set(chip + "temp1_" + bounds[i], std::to_string(i * 10'000) + "\n");
  }
  sensors_->scan();
  EXPECT_EQ(text("hwmon/chip/virtual/temp1"),
            "-40.125 Cel, min 0, max 10, lcrit 20, crit 30, emergency 40, rated_min 50, rated_max 60");
  set(chip + "temp1_max", "nan\n");
  EXPECT_EQ(text("hwmon/chip/virtual/temp1"),
            "-40.125 Cel, min 0, lcrit 20, crit 30, emergency 40, rated_min 50, rated_max 60")
      << "a bound that is no number";
}

TEST_F(PosixSensors, ScalesTheChannelsOfIio) {
  on_bus("devices/i2c-1/1-0068", "i2c");
  const std::string imu = iio(0, "devices/i2c-1/1-0068", "mpu6050");
  for (const char* const axis : {"x", "y", "z"}) set(imu + "in_accel_" + axis + "_raw", "16384\n");
  set(imu + "in_accel_scale", "0.000598\n");
  set(imu + "in_anglvel_x_raw", "-100\n");
  set(imu + "in_anglvel_x_scale", "0.001064724\n");
  set(imu + "in_anglvel_scale", "1\n");
  set(imu + "in_temp_raw", "-1520\n");
  set(imu + "in_temp_offset", "12420\n");
  set(imu + "in_temp_scale", "2.941176\n");
  set(imu + "in_voltage0-voltage1_raw", "8\n");
  set(imu + "in_voltage-voltage_scale", "0.125\n");
  set(imu + "in_voltage3_raw", "1000\n");
  set(imu + "in_voltage_scale", "3\n");
  set(imu + "in_voltage4_i_raw", "1000\n");
  set(imu + "in_voltage_i_scale", "5\n");
  set(imu + "in_voltage5_raw", "2048\n");
  set(imu + "in_voltage5_scale", "0.805664062\n");
  set(imu + "in_concentration_co2_raw", "415\n");
  set(imu + "in_concentration_co2_scale", "0.0001\n");
  set(imu + "in_pressure_input", "100.653265625\n");
  set(imu + "in_pressure_raw", "7\n");
  set(imu + "in_humidityrelative_input", "45123\n");
  set(imu + "in_gadget_raw", "3\n");
  set(imu + "scale", "2\n");
  for (const char* const file : {"in_timestamp_raw", "in_rot_quaternion_raw", "in_accel_x_peak_raw", "out_voltage0_raw",
                                 "in_accel_x_calibbias", "sampling_frequency", "in_accel_mount_matrix"}) {
    set(imu + file, "1\n");
  }
  sensors_->scan();
  EXPECT_EQ(sensors_->count(), 13U) << names();
  EXPECT_EQ(text("iio/mpu6050/1-0068/in_accel_y"), "9.797632 m/s2");
  EXPECT_EQ(text("iio/mpu6050/1-0068/in_anglvel_x"), "-0.1064724 rad/s");
  EXPECT_EQ(text("iio/mpu6050/1-0068/in_temp"), "32.0588184 Cel");
  EXPECT_EQ(text("iio/mpu6050/1-0068/in_voltage0-voltage1"), "1 mV");
  EXPECT_EQ(text("iio/mpu6050/1-0068/in_voltage3"), "3000 mV");
  EXPECT_EQ(text("iio/mpu6050/1-0068/in_voltage4_i"), "5000 mV");
  EXPECT_EQ(text("iio/mpu6050/1-0068/in_voltage5"), "1650 mV") << "a scale has 9 digits";
  EXPECT_EQ(text("iio/mpu6050/1-0068/in_concentration_co2"), "0.0415 %");
  EXPECT_EQ(text("iio/mpu6050/1-0068/in_pressure"), "100.653265625 kPa");
  EXPECT_EQ(text("iio/mpu6050/1-0068/in_humidityrelative"), "45.123 %");
  EXPECT_EQ(text("iio/mpu6050/1-0068/in_gadget"), "6") << "an unknown type has no unit";
}

// Files whose names begin or end as those of a channel.
TEST_F(PosixSensors, IgnoresOtherFiles) {
  const char* const files[] = {"in_raw",
                               "in_input",
                               "in__raw",
                               "_raw",
                               "_input",
                               "in_",
                               "in_scale",
                               "temp_input",
                               "temp1_",
                               "1_input",
                               "temp1input",
                               "in-1_input",
                               "temp1_Input",
                               "in0_raw",
                               "power_average",
                               "power1x_average",
                               "energy1_average_max"};
  const std::string chip = hwmon(0, "devices/virtual/a", "a");
  const std::string adc = iio(0, "devices/virtual/b", "b");
  for (const char* const file : files) {
    set(chip + file, "1");
    set(adc + file, "1");
  }
  set(iio(1, "devices/virtual/c", "c") + "in_0_raw", "7");
  sensors_->scan();
  EXPECT_EQ(names(), "iio/c/virtual/in_0\n");
  EXPECT_EQ(text("iio/c/virtual/in_0"), "7");
}

TEST_F(PosixSensors, TakesTheAddressOfTheNearestBus) {
  on_bus("devices/pci0000:00/0000:01:00.0", "pci");
  set(hwmon(0, "devices/pci0000:00/0000:01:00.0/nvme/nvme0", "nvme") + "temp1_input", "1");
  on_bus("devices/usb1/1-1:1.0", "usb");
  on_bus("devices/usb1/1-1:1.0/0003:1B1C:0C10.0007", "hid");
  set(hwmon(1, "devices/usb1/1-1:1.0/0003:1B1C:0C10.0007", "corsair psu/x") + "temp1_input", "1");
  set(hwmon(2, "devices/virtual/thermal/thermal_zone0", "cpu_thermal") + "temp1_input", "1");
  sensors_->scan();
  EXPECT_EQ(names(),
            "hwmon/corsair_psu_x/1-1:1.0/temp1\n"
            "hwmon/cpu_thermal/virtual/temp1\n"
            "hwmon/nvme/0000:01:00.0/temp1\n");
  EXPECT_EQ(sensors_->find("sensor://hwmon/nvme/0000%3A01%3a00.0/temp1"), 2);
  EXPECT_EQ(sensors_->find("sensor://hwmon/nvme/0000:01:00.0/temp1"), 2);
  EXPECT_EQ(sensors_->find("sensor://hwmon/nvme/0000:01:00.0/temp2"), mcp::no_number);
  EXPECT_EQ(sensors_->find("sensor://hwmon/nvme/%zz"), mcp::no_number);
  EXPECT_EQ(sensors_->find(std::string(1000, 'x')), mcp::no_number);
}

TEST_F(PosixSensors, KeepsNamesWhenTheKernelNumbersInAnotherOrder) {
  for (const char* const address : {"1-0048", "1-0049"}) on_bus(std::string("devices/i2c-1/") + address, "i2c");
  set(hwmon(0, "devices/i2c-1/1-0048", "lm75") + "temp1_input", "1000");
  set(hwmon(1, "devices/i2c-1/1-0049", "lm75") + "temp1_input", "2000");
  sensors_->scan();
  const std::string before = names();
  fs::remove_all(root_ + "/class/hwmon");
  fs::remove_all(root_ + "/devices/i2c-1/1-0048/hwmon");
  fs::remove_all(root_ + "/devices/i2c-1/1-0049/hwmon");
  fs::create_directories(root_ + "/class/hwmon");
  set(hwmon(1, "devices/i2c-1/1-0048", "lm75") + "temp1_input", "1000");
  set(hwmon(0, "devices/i2c-1/1-0049", "lm75") + "temp1_input", "2000");
  start();
  sensors_->scan();
  EXPECT_EQ(names(), before);
  EXPECT_EQ(text("hwmon/lm75/1-0049/temp1"), "2 Cel");
}

TEST_F(PosixSensors, NumbersChannelsWithOneName) {
  set(hwmon(7, "devices/virtual/b", "twin") + "temp1_input", "7000");
  set(hwmon(10, "devices/virtual/c", "twin") + "temp1_input", "10000");
  set(hwmon(2, "devices/virtual/a", "twin") + "temp1_input", "2000");
  sensors_->scan();
  EXPECT_EQ(names(), "hwmon/twin/virtual/temp1\nhwmon/twin/virtual/temp1~2\nhwmon/twin/virtual/temp1~3\n");
  EXPECT_EQ(text("hwmon/twin/virtual/temp1"), "2 Cel");
  EXPECT_EQ(text("hwmon/twin/virtual/temp1~3"), "10 Cel");
  EXPECT_FALSE(sensors_->scan()) << "the same rows";
}

TEST_F(PosixSensors, TakesLabels) {
  const std::string chip = hwmon(0, "devices/virtual/a", "chip");
  set(chip + "temp1_input", "1");
  set(chip + "temp1_label", "Package id 0\n");
  set(chip + "temp2_input", "1");
  set(chip + "label", "rear\n");
  set(iio(0, "devices/virtual/b", "adc") + "in_voltage0_raw", "1");
  set("devices/virtual/b/iio:device0/in_voltage0_label", std::string(200, 'x') + "\n");
  sensors_->scan();
  EXPECT_EQ(table_[0].label(), "Package id 0");
  EXPECT_EQ(table_[1].label(), "rear");
  EXPECT_EQ(table_[2].label(), std::string(63, 'x'));
}

TEST_F(PosixSensors, FindsFilesInTheFolderOfTheDevice) {
  const std::string chip = hwmon(0, "devices/virtual/old", "x");
  fs::remove(root_ + "/" + chip + "name");
  set("devices/virtual/old/name", "w83627hf\n");
  set("devices/virtual/old/temp1_input", "5000\n");
  sensors_->scan();
  EXPECT_EQ(text("hwmon/w83627hf/virtual/temp1"), "5 Cel");
}

TEST_F(PosixSensors, ServesDevicesThatComeAndGo) {
  EXPECT_FALSE(sensors_->scan()) << "none";
  set(hwmon(0, "devices/virtual/a", "a") + "temp1_input", "1000");
  set(hwmon(1, "devices/virtual/b", "b") + "temp1_input", "2000");
  EXPECT_TRUE(sensors_->refresh());
  EXPECT_FALSE(sensors_->refresh()) << "the scan after a change";
  EXPECT_FALSE(sensors_->refresh());
  EXPECT_EQ(sensors_->find("hwmon/b/virtual/temp1"), 1);
  fs::remove(root_ + "/class/hwmon/hwmon0");
  EXPECT_TRUE(sensors_->refresh());
  EXPECT_EQ(sensors_->find("hwmon/b/virtual/temp1"), 1) << "it keeps its number";
  EXPECT_EQ(sensors_->sensor(0), nullptr);
  set(hwmon(5, "devices/virtual/c", "c") + "temp1_input", "3000");
  EXPECT_TRUE(sensors_->refresh());
  EXPECT_EQ(sensors_->find("hwmon/c/virtual/temp1"), 0);
}

TEST_F(PosixSensors, ListsAndFindsWithoutFiles) {
  set(hwmon(0, "devices/virtual/a", "a") + "temp1_input", "1000");
  sensors_->scan();
  fs::remove_all(root_);
  char bytes[512];
  mcp::json::Writer out(bytes);
  out.object_begin();
  mcp::FoundResource row(out, mcp::FoundResource::all, false, {});
  EXPECT_TRUE(sensors_->describe(0, row));
  out.object_end();
  EXPECT_EQ(std::string(bytes, out.size()), R"({"uri":"sensor://hwmon/a/virtual/temp1","name":"hwmon/a/virtual/temp1",)"
                                            R"("description":"Temperature, in Cel.","mimeType":"application/json"})");
  EXPECT_FALSE(sensors_->describe(1, row));
  EXPECT_FALSE(sensors_->describe(100, row));
  EXPECT_EQ(sensors_->find("sensor://hwmon/a/virtual/temp1"), 0);
}

TEST_F(PosixSensors, NoticesAnotherDeviceWithTheNumberOfTheOneBefore) {
  set(hwmon(0, "devices/virtual/a", "a") + "temp1_input", "1000");
  EXPECT_TRUE(sensors_->refresh());
  EXPECT_FALSE(sensors_->refresh());
  // Both links exist at once, so they have different inodes.
  set("devices/virtual/b/hwmon/hwmon0/name", "b\n");
  set("devices/virtual/b/hwmon/hwmon0/temp1_input", "2000");
  fs::create_symlink(root_ + "/devices/virtual/b/hwmon/hwmon0", root_ + "/class/next");
  fs::rename(root_ + "/class/next", root_ + "/class/hwmon/hwmon0");
  EXPECT_TRUE(sensors_->refresh());
  EXPECT_EQ(names(), "hwmon/b/virtual/temp1\n");
}

TEST_F(PosixSensors, FindsChannelsThatComeAfterTheirDevice) {
  const std::string chip = hwmon(0, "devices/virtual/a", "a");
  EXPECT_FALSE(sensors_->refresh()) << "the folder has no file yet";
  set(chip + "temp1_input", "1000");
  EXPECT_TRUE(sensors_->refresh());
}

TEST_F(PosixSensors, ScansAgainWhenAReadFindsThatADeviceIsGone) {
  const std::string chip = hwmon(0, "devices/virtual/a", "a");
  set(chip + "temp1_input", "1000");
  EXPECT_TRUE(sensors_->scan());
  EXPECT_FALSE(sensors_->refresh());
  fs::remove(root_ + "/" + chip + "temp1_input");
  EXPECT_EQ(text("hwmon/a/virtual/temp1"), "a at virtual, temp1: The device is gone (ENOENT). List the sensors again.");
  EXPECT_TRUE(sensors_->refresh());
  EXPECT_EQ(sensors_->count(), 0U);
  EXPECT_EQ(text("hwmon/a/virtual/temp1"), "The device is gone (ENOENT). List the sensors again.");
}

TEST_F(PosixSensors, NamesTheSensorsThatHaveNoSpace) {
  start(2);
  const std::string chip = hwmon(0, "devices/virtual/a", "a");
  set(chip + "temp1_input", "1");
  set(chip + "temp2_input", "1");
  sensors_->scan();
  EXPECT_EQ(sensors_->omitted(), 0U) << "the table is full";
  set(hwmon(1, "devices/virtual/b", "b") + "temp1_input", "1");
  sensors_->scan();
  EXPECT_EQ(sensors_->omitted(), 1U);
  EXPECT_EQ(sensors_->first_omitted(), "hwmon/b/virtual/temp1");
  EXPECT_EQ(sensors_->count(), 2U);
  fs::remove(root_ + "/" + chip + "temp1_input");
  EXPECT_TRUE(sensors_->scan()) << "there is space";
  EXPECT_EQ(sensors_->omitted(), 0U);
  EXPECT_NE(sensors_->find("hwmon/b/virtual/temp1"), mcp::no_number);
}

TEST_F(PosixSensors, LeavesOutWhatIsTooLong) {
  const std::string chip = iio(0, "devices/virtual/a", "a");
  set(chip + "in_" + std::string(60, 'x') + "_raw", "1");
  set(chip + "in_" + std::string(61, 'x') + "_raw", "1");
  sensors_->scan();
  EXPECT_EQ(sensors_->count(), 1U);
  EXPECT_EQ(sensors_->omitted(), 1U);
  set(hwmon(4095, "devices/virtual/b", "b") + "temp1_input", "1");
  set(hwmon(4096, "devices/virtual/c", "c") + "temp1_input", "1");
  sensors_->scan();
  EXPECT_EQ(sensors_->count(), 2U);
  EXPECT_EQ(sensors_->omitted(), 2U);
  EXPECT_EQ(sensors_->first_omitted(), "hwmon");
  const std::string long_root(400, 'x');
  KernelSensors nowhere{table_, long_root.c_str()};
  EXPECT_TRUE(nowhere.scan());
  EXPECT_EQ(nowhere.count(), 0U);
}

TEST_F(PosixSensors, ReportsTheErrorsOfDrivers) {
  on_bus("devices/i2c-1/1-0048", "i2c");
  const std::string chip = hwmon(0, "devices/i2c-1/1-0048", "lm75");
  set(chip + "temp1_input", "1");
  sensors_->scan();
  int error = 0;
  test::kernel.devices[root_ + "/class/hwmon/hwmon0/temp1_input"] = {
      .ioctl = {}, .is_readable = {}, .read = [&error](void*, std::size_t) { return -error; }};
  const std::pair<int, const char*> texts[] = {
      {EAGAIN, "The driver has no value yet (EAGAIN). Read it again later."},
      {ENODATA, "The channel is disabled, or its device sleeps (ENODATA). Enable it, or read it again later."},
      {EIO, "The driver cannot communicate with the device (EIO). Check its power and wires, then read it again."},
      {ENXIO, "The device does not respond on its bus (ENXIO). Check its power and wires, then read it again."},
      {ETIMEDOUT, "The device has not responded to the driver in time (ETIMEDOUT). Read it again later."},
      {EBUSY, "The device is in use, such as by a buffer of IIO (EBUSY). Read it again later."},
      {ENODEV, "The device is gone (ENODEV). List the sensors again."},
      {EINVAL, "The driver reports error 22. Read it again later."},
  };
  for (const auto& [number, sentence] : texts) {
    error = number;
    EXPECT_EQ(text("hwmon/lm75/1-0048/temp1"), std::string("lm75 at 1-0048, temp1: ") + sentence);
  }
  test::kernel = {};
  EXPECT_EQ(text("hwmon/lm75/1-0048/temp1"), "0.001 Cel");
}

TEST_F(PosixSensors, ReportsAFaultOfASensor) {
  const std::string chip = hwmon(0, "devices/virtual/a", "a");
  set(chip + "temp1_input", "1000");
  set(chip + "temp1_fault", "1\n");
  sensors_->scan();
  EXPECT_EQ(text("hwmon/a/virtual/temp1"),
            "a at virtual, temp1: The driver reports a fault of the sensor. Check its wires.");
  set(chip + "temp1_fault", "0\n");
  EXPECT_EQ(text("hwmon/a/virtual/temp1"), "1 Cel");
}

TEST_F(PosixSensors, ReportsRubbish) {
  const std::string adc = iio(0, "devices/virtual/a", "adc");
  set(adc + "in_voltage0_raw", "1");
  set(adc + "in_voltage0_scale", "1");
  sensors_->scan();
  const std::string huge(62, '9');
  for (const char* const file : {"in_voltage0_raw", "in_voltage0_scale"}) {
    for (const char* const rubbish : {"nan", "-inf", " \n", "0.1 0.2 0.3 0.4", "1e400"}) {
      set(adc + file, rubbish);
      EXPECT_EQ(text("iio/adc/virtual/in_voltage0"),
                "adc at virtual, in_voltage0: The driver has returned a text that is no number. Read it again later.");
    }
    set(adc + file, "2");
  }
  EXPECT_EQ(text("iio/adc/virtual/in_voltage0"), "4 mV");
  set(adc + "in_voltage1_input", "-0.000");
  sensors_->scan();
  EXPECT_EQ(text("iio/adc/virtual/in_voltage1"), "0 mV");
  set(adc + "in_voltage0_raw", huge);
  EXPECT_EQ(text("iio/adc/virtual/in_voltage0"), "2e+62 mV");
}

// A pipe without a writer blocks open(), as a driver that waits for its device.
TEST_F(PosixSensors, DoesNotWaitForDriversThatDoNotReturn) {
  for (int i = 1; i <= 5; ++i) {
    set(hwmon(i, "devices/virtual/" + std::to_string(i), "slow") + "temp1_input", "1");
  }
  set(hwmon(6, "devices/virtual/6", "fine") + "temp1_input", "6000");
  sensors_ = std::make_unique<KernelSensors>(table_, root_.c_str(), 1);
  sensors_->scan();
  std::vector<std::string> pipes;
  for (int i = 1; i <= 5; ++i) {
    const std::string entry = std::to_string(i);
    pipes.push_back(root_ + "/devices/virtual/" + entry + "/hwmon/hwmon" + entry + "/temp1_input");
    fs::remove(pipes.back());
    ASSERT_EQ(mkfifo(pipes.back().c_str(), 0600), 0);
  }
  const std::string name = "hwmon/slow/virtual/temp1";
  EXPECT_EQ(text(name.c_str()), "slow at virtual, temp1: The driver has not returned in time. Read it again later.");
  for (int i = 2; i <= 4; ++i) {
    EXPECT_EQ(sensors_->measure(sensors_->find(name + "~" + std::to_string(i))).error(), ETIME);
  }
  EXPECT_EQ(sensors_->measure(sensors_->find(name + "~5")).error(), EUSERS);
  // The drivers return. Their threads end a little later.
  for (int i = 0; i < 4; ++i) std::ofstream(pipes[static_cast<std::size_t>(i)]) << "5000\n";
  sensors_ = std::make_unique<KernelSensors>(table_, root_.c_str(), 60'000);
  KernelReading reading;
  do {
    reading = sensors_->measure(sensors_->find("hwmon/fine/virtual/temp1"));
  } while (reading.error() == EUSERS && sched_yield() == 0);
  EXPECT_EQ(reading.value(), 6);
}

}  // namespace
