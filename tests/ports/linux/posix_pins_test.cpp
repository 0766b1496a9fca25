// SPDX-License-Identifier: Apache-2.0
// The pins of Linux against gpio_ioctl(), linereq_create(), linereq_set_config(), linereq_get_values() and
// linereq_read() of drivers/gpio/gpiolib-cdev.c, as Linux 6.12 has them, and voltages in files as those of IIO.
#include "mcp/ports/posix_pins.hpp"

#include <gtest/gtest.h>
#include <linux/gpio.h>
#include <stdlib.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <deque>
#include <fstream>
#include <map>
#include <memory>
#include <string>

#include "ports/linux/fake_kernel.hpp"

namespace {

using mcp::PinEdges;
using mcp::PinError;
using mcp::PinPull;

constexpr char path[] = "/dev/gpiochip7";
constexpr std::uint64_t edge_flags = GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING;

struct Line {
  int file = -1;
  std::uint64_t flags = 0;
  bool output = false;
  bool wire = false;
  bool has_interrupt = true;
  std::size_t space = 0;
  std::uint32_t edges = 0;
  std::deque<gpio_v2_line_event> events;
};
struct Chip {
  std::map<std::uint32_t, Line> lines;  // 0 to 7
  std::uint32_t used_line = 99;
  int error = 0;  // of the next calls
  unsigned configurations = 0;
};
Chip chip;

int check(const gpio_v2_line_config& config) {
  const std::uint64_t flags = config.flags;
  const std::uint64_t bias =
      flags & (GPIO_V2_LINE_FLAG_BIAS_PULL_UP | GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN | GPIO_V2_LINE_FLAG_BIAS_DISABLED);
  if ((flags & GPIO_V2_LINE_FLAG_INPUT) != 0 && (flags & GPIO_V2_LINE_FLAG_OUTPUT) != 0) return -EINVAL;
  if ((flags & edge_flags) != 0 && (flags & GPIO_V2_LINE_FLAG_INPUT) == 0) return -EINVAL;
  if ((bias & (bias - 1)) != 0) return -EINVAL;
  for (const std::uint32_t word : config.padding) {
    if (word != 0) return -EINVAL;
  }
  return 0;
}

int configure(Line& line, const gpio_v2_line_config& config) {
  ++chip.configurations;
  if (chip.error != 0) return -chip.error;
  if (const int error = check(config); error != 0) return error;
  line.flags = config.flags;
  if ((config.flags & GPIO_V2_LINE_FLAG_OUTPUT) != 0) {
    line.output = config.num_attrs == 1 && config.attrs[0].attr.id == GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES &&
                  (config.attrs[0].mask & config.attrs[0].attr.values & 1) != 0;
  } else if ((config.flags & edge_flags) != 0 && !line.has_interrupt) {
    return -ENXIO;
  }
  return 0;
}

int ioctl_of_line(Line& line, unsigned long request, void* argument) {
  if (request == GPIO_V2_LINE_SET_CONFIG_IOCTL) {
    return configure(line, *static_cast<gpio_v2_line_config*>(argument));
  }
  EXPECT_EQ(request, GPIO_V2_LINE_GET_VALUES_IOCTL);
  if (chip.error != 0) return -chip.error;
  auto& values = *static_cast<gpio_v2_line_values*>(argument);
  if ((values.mask & 1) == 0) return -EINVAL;
  values.bits = ((line.flags & GPIO_V2_LINE_FLAG_OUTPUT) != 0 ? line.output : line.wire) ? 1 : 0;
  return 0;
}

int read_events(Line& line, void* into, std::size_t size) {
  if (size < sizeof(gpio_v2_line_event)) return -EINVAL;
  std::memcpy(into, &line.events.front(), sizeof(gpio_v2_line_event));
  line.events.pop_front();
  return sizeof(gpio_v2_line_event);
}

int ioctl_of_chip(unsigned long request, void* argument) {
  if (request != GPIO_V2_GET_LINE_IOCTL) return -EINVAL;
  auto& wanted = *static_cast<gpio_v2_line_request*>(argument);
  if (wanted.num_lines != 1) return -EINVAL;
  const auto found = chip.lines.find(wanted.offsets[0]);
  if (found == chip.lines.end()) return -EINVAL;
  Line& line = found->second;
  if (wanted.offsets[0] == chip.used_line || line.file >= 0) return -EBUSY;
  EXPECT_STREQ(wanted.consumer, "mote");
  line.space = wanted.event_buffer_size == 0 ? 16 : wanted.event_buffer_size;
  if (const int error = configure(line, wanted.config); error != 0) return error;
  line.file = test::kernel.add_file(
      {.ioctl = [&line](unsigned long code, void* data) { return ioctl_of_line(line, code, data); },
       .is_readable = [&line] { return !line.events.empty(); },
       .read = [&line](void* into, std::size_t size) { return read_events(line, into, size); }});
  wanted.fd = line.file;
  return 0;
}

// An edge on the wire, as edge_irq_thread() and linereq_put_event() store it.
void add_edge(std::uint32_t offset, bool rising, std::uint64_t time_ns) {
  Line& line = chip.lines[offset];
  line.wire = rising;
  if ((line.flags & (rising ? GPIO_V2_LINE_FLAG_EDGE_RISING : GPIO_V2_LINE_FLAG_EDGE_FALLING)) == 0) return;
  gpio_v2_line_event event{};
  event.timestamp_ns = time_ns;
  event.offset = offset;
  event.line_seqno = ++line.edges;
  event.seqno = event.line_seqno;
  if (line.events.size() == line.space) line.events.pop_front();
  line.events.push_back(event);
}

class PosixPins : public testing::Test {
 protected:
  PosixPins() {
    chip = {};
    for (std::uint32_t i = 0; i < 8; ++i) chip.lines[i] = {};
    test::kernel = {};
    test::kernel.devices[path] = {.ioctl = ioctl_of_chip, .is_readable = {}, .read = {}};
    pins_ = std::make_unique<mcp::posix::GpioChip>(path);
  }

  std::unique_ptr<mcp::posix::GpioChip> pins_;
  bool is_high_ = false;
};

TEST_F(PosixPins, ReadsInputsWithTheirPulls) {
  ASSERT_TRUE(pins_->ok());
  EXPECT_EQ(pins_->input(3, PinPull::up), PinError::none);
  EXPECT_EQ(chip.lines[3].flags, GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_BIAS_PULL_UP);
  EXPECT_EQ(pins_->input(3, PinPull::down), PinError::none);
  EXPECT_EQ(chip.lines[3].flags, GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN);
  EXPECT_EQ(pins_->input(3), PinError::none);
  EXPECT_EQ(chip.lines[3].flags, GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_BIAS_DISABLED);
  EXPECT_EQ(pins_->level(3, is_high_), PinError::none);
  EXPECT_FALSE(is_high_);
  chip.lines[3].wire = true;
  EXPECT_EQ(pins_->level(3, is_high_), PinError::none);
  EXPECT_TRUE(is_high_);
}

TEST_F(PosixPins, MakesAnOutputWithItsLevelInOneCall) {
  EXPECT_EQ(pins_->output(4, true), PinError::none);
  EXPECT_EQ(chip.configurations, 1U);
  EXPECT_EQ(chip.lines[4].flags, GPIO_V2_LINE_FLAG_OUTPUT);
  EXPECT_TRUE(chip.lines[4].output);
  EXPECT_EQ(pins_->level(4, is_high_), PinError::none);
  EXPECT_TRUE(is_high_);
  EXPECT_EQ(pins_->output(4, false), PinError::none);
  EXPECT_FALSE(chip.lines[4].output);
}

TEST_F(PosixPins, KeepsItsLinesUntilItsEnd) {
  EXPECT_EQ(pins_->output(4, true), PinError::none);
  EXPECT_EQ(pins_->input(4), PinError::none);
  const int file = chip.lines[4].file;
  const int chip_file = test::kernel.files.begin()->first;
  EXPECT_TRUE(test::is_open(file));
  pins_.reset();
  EXPECT_FALSE(test::is_open(file));
  EXPECT_FALSE(test::is_open(chip_file));
}

TEST_F(PosixPins, ReportsErrors) {
  EXPECT_EQ(pins_->level(3, is_high_), PinError::failed) << "neither input nor output";
  EXPECT_EQ(pins_->input(8), PinError::no_pin);
  EXPECT_EQ(pins_->output(255, true), PinError::no_pin);
  chip.used_line = 2;
  EXPECT_EQ(pins_->input(2), PinError::busy);
  EXPECT_EQ(pins_->output(2, true), PinError::busy);
  EXPECT_EQ(pins_->input(3), PinError::none);
  chip.error = EIO;
  EXPECT_EQ(pins_->input(3), PinError::failed);
  EXPECT_EQ(pins_->output(3, true), PinError::failed);
  EXPECT_EQ(pins_->level(3, is_high_), PinError::failed);
  chip.error = EOPNOTSUPP;
  EXPECT_EQ(pins_->input(3), PinError::unsupported);
  std::uint32_t period_ns = 0;
  EXPECT_EQ(pins_->pwm(3, 1000, 500, period_ns), PinError::unsupported);
}

TEST_F(PosixPins, ReportsAChipThatDoesNotExist) {
  mcp::posix::GpioChip none{"/dev/mote-has-no-such-chip"};
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(none.ok());
  EXPECT_EQ(none.input(0), PinError::failed);
  EXPECT_EQ(none.output(0, true), PinError::failed);
  EXPECT_EQ(none.level(0, is_high_), PinError::failed);
}

TEST_F(PosixPins, CapturesTheTimesOfEdges) {
  std::uint32_t times[3] = {};
  EXPECT_EQ(pins_->begin_capture(3, PinEdges::both, times), PinError::failed) << "the pin is no input";
  EXPECT_EQ(pins_->input(3, PinPull::up), PinError::none);
  test::kernel.monotonic_ns = 5'000'000'000;
  EXPECT_EQ(pins_->begin_capture(3, PinEdges::both, times), PinError::none);
  EXPECT_EQ(chip.lines[3].flags, GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_BIAS_PULL_UP | edge_flags);
  EXPECT_EQ(pins_->begin_capture(3, PinEdges::both, times), PinError::busy);
  EXPECT_EQ(pins_->captured().count, 0U);
  add_edge(3, true, 5'000'010'000);
  EXPECT_EQ(pins_->captured().count, 1U);
  for (std::uint64_t i = 2; i <= 5; ++i) add_edge(3, i % 2 != 0, 5'000'000'000 + i * 10'000);
  EXPECT_EQ(pins_->captured().count, 3U);
  EXPECT_FALSE(pins_->captured().has_lost);
  EXPECT_EQ(times[0], 10U);
  EXPECT_EQ(times[2], 30U);
  pins_->end_capture();
  EXPECT_EQ(chip.lines[3].flags, GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_BIAS_PULL_UP);
  EXPECT_EQ(pins_->captured().count, 0U);
}

TEST_F(PosixPins, ForgetsTheEdgesOfAnEarlierCapture) {
  std::uint32_t times[1] = {};
  EXPECT_EQ(pins_->input(3), PinError::none);
  test::kernel.monotonic_ns = 1'000'000'000;
  EXPECT_EQ(pins_->begin_capture(3, PinEdges::rising, times), PinError::none);
  for (int i = 0; i < 70; ++i) add_edge(3, true, 1'000'000'000);
  pins_->end_capture();
  test::kernel.monotonic_ns = 2'000'000'000;
  EXPECT_EQ(pins_->begin_capture(3, PinEdges::falling, times), PinError::none);
  add_edge(3, true, 2'000'001'000);
  add_edge(3, false, 2'000'002'000);
  EXPECT_EQ(pins_->captured().count, 1U);
  EXPECT_EQ(times[0], 2U);
  EXPECT_FALSE(pins_->captured().has_lost);
}

TEST_F(PosixPins, TellsThatTheKernelDiscardedEdges) {
  std::uint32_t times[100] = {};
  EXPECT_EQ(pins_->input(3), PinError::none);
  test::kernel.monotonic_ns = 1'000'000'000;
  EXPECT_EQ(pins_->begin_capture(3, PinEdges::rising, times), PinError::none);
  for (int i = 0; i < 65; ++i) add_edge(3, true, 1'000'000'000);
  EXPECT_EQ(pins_->captured().count, 64U);
  EXPECT_TRUE(pins_->captured().has_lost);
}

TEST_F(PosixPins, EndsTheCaptureOfAPinThatGetsAnotherMode) {
  std::uint32_t times[1] = {};
  EXPECT_EQ(pins_->input(3), PinError::none);
  EXPECT_EQ(pins_->begin_capture(3, PinEdges::rising, times), PinError::none);
  EXPECT_EQ(pins_->output(4, true), PinError::none);
  EXPECT_EQ(pins_->begin_capture(3, PinEdges::rising, times), PinError::busy) << "another pin";
  EXPECT_EQ(pins_->output(3, true), PinError::none);
  EXPECT_EQ(pins_->begin_capture(3, PinEdges::rising, times), PinError::failed) << "the pin is an output";
  EXPECT_EQ(pins_->input(3), PinError::none);
  EXPECT_EQ(pins_->begin_capture(3, PinEdges::rising, times), PinError::none);
}

TEST_F(PosixPins, NeedsAnInterruptForACapture) {
  std::uint32_t times[1] = {};
  chip.lines[3].has_interrupt = false;
  EXPECT_EQ(pins_->input(3), PinError::none);
  EXPECT_EQ(pins_->begin_capture(3, PinEdges::rising, times), PinError::unsupported);
  EXPECT_EQ(pins_->captured().count, 0U);
}

class PosixVoltages : public testing::Test {
 protected:
  PosixVoltages() { EXPECT_NE(mkdtemp(folder_.data()), nullptr); }
  ~PosixVoltages() override {
    const std::string command = "rm -r " + folder_;
    EXPECT_EQ(system(command.c_str()), 0);  // NOLINT(cert-env33-c,concurrency-mt-unsafe)
  }
  void set(const std::string& attribute, const std::string& text) {
    std::ofstream(folder_ + "/in_voltage" + attribute) << text << "\n";
  }
  std::int32_t read(std::uint8_t input) {
    std::int32_t millivolts = -1;
    EXPECT_EQ(pins_.millivolts(input, 3, millivolts), PinError::none);
    return millivolts;
  }

  std::string folder_ = "/tmp/mote-iio-XXXXXX";
  mcp::posix::GpioChip pins_{"/dev/null", folder_.c_str()};
};

TEST_F(PosixVoltages, AreScaledByTheChannelOrByAll) {
  set("0_raw", "2048");
  set("1_raw", "2048");
  set("_scale", "0.805664062");
  set("1_scale", "2");
  EXPECT_EQ(read(0), 1650);
  EXPECT_EQ(read(1), 4096);
}

TEST_F(PosixVoltages, HaveAnOffset) {
  set("0_raw", "-100");
  set("0_scale", "0.5");
  set("_offset", "-20");
  EXPECT_EQ(read(0), -60);
  set("0_offset", "120.5");
  EXPECT_EQ(read(0), 10);
}

TEST_F(PosixVoltages, AreComputedByTheDriver) {
  set("2_input", "-1250.5");
  set("_scale", "2");
  EXPECT_EQ(read(2), -1251) << "no scale, rounded away from 0";
}

TEST_F(PosixVoltages, ReportRubbishOfTheDriver) {
  for (const char* const text : {"nan", "inf", "", " ", "-", ".", "1 2", "1.2.3", "12 dB", "0x10"}) {
    std::int32_t millivolts = 7;
    set("0_raw", text);
    errno = 0;
    EXPECT_EQ(pins_.millivolts(0, 1, millivolts), PinError::failed) << text;
    EXPECT_EQ(errno, EBADMSG) << text;
    set("0_raw", "5");
    set("0_scale", text);
    EXPECT_EQ(pins_.millivolts(0, 1, millivolts), PinError::failed) << text;
    EXPECT_EQ(millivolts, 7);
    set("0_scale", "1");
    EXPECT_EQ(read(0), 5);
  }
  std::int32_t millivolts = 7;
  set("0_scale", "1000000000");
  EXPECT_EQ(pins_.millivolts(0, 1, millivolts), PinError::failed);
  EXPECT_EQ(errno, ERANGE);
  EXPECT_EQ(millivolts, 7);
}

TEST_F(PosixVoltages, ReportTheErrorsOfTheDriver) {
  const std::string path_of_scale = folder_ + "/in_voltage_scale";
  const std::string path_of_raw = folder_ + "/in_voltage0_raw";
  int error = 0;
  const test::Driver failing{.ioctl = {}, .is_readable = {}, .read = [&error](void*, std::size_t) { return -error; }};
  set("0_raw", "5");
  for (const char* const path_of_file : {path_of_scale.c_str(), path_of_raw.c_str()}) {
    test::kernel = {};
    test::kernel.devices[path_of_file] = failing;
    for (const int reason : {EAGAIN, ENODATA, EIO, ETIMEDOUT, ENODEV, EBUSY}) {
      error = reason;
      std::int32_t millivolts = 7;
      EXPECT_EQ(pins_.millivolts(0, 1, millivolts), reason == EBUSY ? PinError::busy : PinError::failed) << reason;
      EXPECT_EQ(errno, reason);
      EXPECT_EQ(millivolts, 7);
    }
  }
  test::kernel = {};
}

TEST_F(PosixVoltages, ReportErrors) {
  std::int32_t millivolts = 7;
  EXPECT_EQ(pins_.millivolts(0, 1, millivolts), PinError::no_pin);
  set("0_raw", "1");
  std::ofstream(folder_ + "/in_voltage1_raw") << "";
  EXPECT_EQ(pins_.millivolts(1, 1, millivolts), PinError::failed) << "the driver returns nothing";
  mcp::posix::GpioChip without{"/dev/null"};
  EXPECT_EQ(without.millivolts(0, 1, millivolts), PinError::unsupported);
  const std::string long_name(300, 'x');
  mcp::posix::GpioChip other{"/dev/null", long_name.c_str()};
  EXPECT_EQ(other.millivolts(0, 1, millivolts), PinError::failed);
  EXPECT_EQ(millivolts, 7);
}

}  // namespace
