// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/posix_pins.hpp"

#ifdef __linux__
#include <fcntl.h>
#include <linux/gpio.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "ports/posix/posix_sysfs.hpp"

namespace mcp::posix {
namespace {

constexpr std::uint32_t buffered_edges = 64;

PinError pin_error() {
  switch (errno) {
    case EBUSY: return PinError::busy;
    case EINVAL: return PinError::no_pin;  // an offset beyond the lines of the chip
    case ENXIO:                            // the line has no interrupt
    case EOPNOTSUPP: return PinError::unsupported;
    default: return PinError::failed;
  }
}

std::uint64_t pull_flags(PinPull pull) {
  switch (pull) {
    case PinPull::up: return GPIO_V2_LINE_FLAG_BIAS_PULL_UP;
    case PinPull::down: return GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN;
    case PinPull::none: break;
  }
  return GPIO_V2_LINE_FLAG_BIAS_DISABLED;
}

// The kernel has the edges of a capture in this time.
std::uint64_t monotonic_ns() {
  timespec now{};
  static_cast<void>(clock_gettime(CLOCK_MONOTONIC, &now));
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

GpioChip::GpioChip(const char* path, const char* iio_folder)
    : chip_(open(path, O_RDWR | O_CLOEXEC)), iio_folder_(iio_folder) {}

GpioChip::~GpioChip() {
  for (const Line& line : lines_) {
    if (line.file >= 0) close(line.file);
  }
  if (ok()) close(chip_);
}

// The level of an output is a part of its configuration, so it has no pulse of the other level.
PinError GpioChip::configure(std::uint8_t pin, std::uint64_t flags, bool high) {
  if (!ok()) return PinError::failed;
  gpio_v2_line_request request{};
  gpio_v2_line_config& config = request.config;
  config.flags = flags;
  if ((flags & GPIO_V2_LINE_FLAG_OUTPUT) != 0) {
    config.num_attrs = 1;
    config.attrs[0].mask = 1;
    config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES;
    config.attrs[0].attr.values = high ? 1 : 0;
  }
  Line& line = lines_[pin];
  if (line.file >= 0) {
    return ioctl(line.file, GPIO_V2_LINE_SET_CONFIG_IOCTL, &config) < 0 ? pin_error() : PinError::none;
  }
  request.offsets[0] = pin;
  request.num_lines = 1;
  request.event_buffer_size = buffered_edges;
  std::memcpy(request.consumer, "mote", sizeof "mote");
  if (ioctl(chip_, GPIO_V2_GET_LINE_IOCTL, &request) < 0) return pin_error();
  line.file = request.fd;
  return PinError::none;
}

PinError GpioChip::do_input(std::uint8_t pin, PinPull pull) {
  if (pin == captured_pin_) end_capture();
  const PinError error = configure(pin, GPIO_V2_LINE_FLAG_INPUT | pull_flags(pull), false);
  if (error != PinError::none) return error;
  lines_[pin].is_input = true;
  lines_[pin].pull = pull;
  return PinError::none;
}

PinError GpioChip::do_output(std::uint8_t pin, bool high) {
  if (pin == captured_pin_) end_capture();
  const PinError error = configure(pin, GPIO_V2_LINE_FLAG_OUTPUT, high);
  if (error == PinError::none) lines_[pin].is_input = false;
  return error;
}

PinError GpioChip::do_level(std::uint8_t pin, bool& high) {
  if (lines_[pin].file < 0) return PinError::failed;
  gpio_v2_line_values values{0, 1};
  if (ioctl(lines_[pin].file, GPIO_V2_LINE_GET_VALUES_IOCTL, &values) < 0) return pin_error();
  high = (values.bits & 1) != 0;
  return PinError::none;
}

PinError GpioChip::do_begin_capture(std::uint8_t pin, PinEdges edges, std::span<std::uint32_t> times_us) {
  if (!times_us_.empty()) return PinError::busy;
  if (!lines_[pin].is_input) return PinError::failed;
  std::uint64_t flags = GPIO_V2_LINE_FLAG_INPUT | pull_flags(lines_[pin].pull);
  if (edges != PinEdges::falling) flags |= GPIO_V2_LINE_FLAG_EDGE_RISING;
  if (edges != PinEdges::rising) flags |= GPIO_V2_LINE_FLAG_EDGE_FALLING;
  // An earlier capture may have left edges.
  std::uint64_t time_ns = 0;
  bool is_next = true;
  while (next_edge(lines_[pin], time_ns, is_next)) {
  }
  start_ns_ = monotonic_ns();
  const PinError error = configure(pin, flags, false);
  if (error != PinError::none) return error;
  times_us_ = times_us;
  captured_pin_ = pin;
  count_ = 0;
  has_lost_ = false;
  return PinError::none;
}

// Reads an edge that the kernel has stored. `is_next`: the kernel has discarded none before it.
bool GpioChip::next_edge(Line& line, std::uint64_t& time_ns, bool& is_next) {
  pollfd waiting{line.file, POLLIN, 0};
  gpio_v2_line_event event{};
  if (poll(&waiting, 1, 0) != 1 || read(line.file, &event, sizeof event) != sizeof event) return false;
  time_ns = event.timestamp_ns;
  is_next = event.line_seqno == line.edges + 1;
  line.edges = event.line_seqno;
  return true;
}

Pins::Capture GpioChip::do_captured() {
  if (times_us_.empty()) return {0, false};
  std::uint64_t time_ns = 0;
  bool is_next = true;
  while (count_ < times_us_.size() && next_edge(lines_[captured_pin_], time_ns, is_next)) {
    if (!is_next) has_lost_ = true;
    times_us_[count_++] = static_cast<std::uint32_t>((time_ns - start_ns_) / 1000);
  }
  return {count_, has_lost_};
}

void GpioChip::do_end_capture() {
  if (times_us_.empty()) return;
  times_us_ = {};
  const Line& line = lines_[captured_pin_];
  static_cast<void>(configure(captured_pin_, GPIO_V2_LINE_FLAG_INPUT | pull_flags(line.pull), false));
}

// Reads the number in a file of the IIO device whose name begins with "in_voltage". If it fails, `errno` has the
// reason.
bool GpioChip::read_voltage(const char* channel, const char* attribute, double& value) const {
  char path[256];
  const int size = std::snprintf(path, sizeof path, "%s/in_voltage%s%s", iio_folder_, channel, attribute);
  const bool fits = size >= 0 && static_cast<std::size_t>(size) < sizeof path;
  const int error = fits ? read_number(path, value) : ENAMETOOLONG;
  if (error != 0) errno = error;
  return error == 0;
}

// The driver of the converter computes the voltage, or gives a raw value and how to compute it. An attribute of all
// channels has no number. Without one, the scale is 1 and the offset is 0.
bool GpioChip::read_factor(const char* channel, const char* attribute, double& value) const {
  return read_voltage(channel, attribute, value) ||
         (errno == ENOENT && (read_voltage("", attribute, value) || errno == ENOENT));
}

// Source: Documentation/ABI/testing/sysfs-bus-iio of Linux. (raw + offset) * scale is in millivolts, and so is input.
PinError GpioChip::do_millivolts(std::uint8_t input, unsigned samples, std::int32_t& out) {
  if (iio_folder_ == nullptr) return PinError::unsupported;
  char channel[4];
  static_cast<void>(std::snprintf(channel, sizeof channel, "%d", input));
  double scale = 1;
  double offset = 0;
  const char* attribute = "_input";
  double sum = 0;
  for (unsigned i = 0; i < samples; ++i) {
    double value = 0;
    bool is_read = read_voltage(channel, attribute, value);
    if (i == 0 && !is_read && errno == ENOENT) {
      attribute = "_raw";
      is_read = read_voltage(channel, attribute, value);
      if (!is_read && errno == ENOENT) return PinError::no_pin;
      is_read = is_read && read_factor(channel, "_scale", scale) && read_factor(channel, "_offset", offset);
    }
    if (!is_read) return errno == EBUSY ? PinError::busy : PinError::failed;
    sum += value;
  }
  const double millivolts = (sum / samples + offset) * scale;
  if (!(std::fabs(millivolts) < 2147483647.0)) {
    errno = ERANGE;
    return PinError::failed;
  }
  out = static_cast<std::int32_t>(std::lround(millivolts));
  return PinError::none;
}

}  // namespace mcp::posix
#endif
