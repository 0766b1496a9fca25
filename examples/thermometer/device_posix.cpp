// SPDX-License-Identifier: Apache-2.0
// A PC for the thermometer: a file is the sensor, and the LED is a line on stderr.
#include "device_posix.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <mcp/ports/posix.hpp>

#include <cstdio>
#include <cstdlib>

#include "device.hpp"

namespace device {
namespace {

const char* sensor_path = "";

bool read_file(std::int32_t& value) {
  const int fd = open(sensor_path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char text[16] = {};
  const ssize_t size = read(fd, text, sizeof text - 1);
  close(fd);
  char* end = text;
  const long number = size > 0 ? std::strtol(text, &end, 10) : 0;
  if (end == text || number < -273'150 || number > 1'000'000) return false;
  value = static_cast<std::int32_t>(number);
  return true;
}

}  // namespace

const std::string_view hardware = "PC";

void use_sensor(const char* path) { sensor_path = path; }

mcp::Millis now() { return trace.value(mcp::posix::now()); }
std::uint32_t boot_id() { return 0; }

bool read_millidegrees(std::int32_t& value) {
  const std::uint8_t answers = read_file(value) ? 1 : 0;
  value = trace.value(value);
  return trace.value(answers) != 0;
}

void led(bool on) { static_cast<void>(std::fprintf(stderr, "LED %s\n", on ? "on" : "off")); }

}  // namespace device
