// The thermometer on a PC: a file is the sensor, stdin and stdout are the wire, and the LED is a line on stderr.
#include <fcntl.h>
#include <unistd.h>
#include <ports/posix/posix.hpp>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "device.hpp"

namespace {

const char* sensor_file = nullptr;

mcp::posix::Stdio& wire() {
  static mcp::posix::Stdio stdio;
  return stdio;
}

}  // namespace

namespace device {

const std::string_view hardware = "PC";

mcp::Millis now() { return mcp::posix::now(); }
void wait(mcp::Millis timeout_ms) { wire().wait(timeout_ms); }
mcp::ByteStream& stream() { return wire(); }

bool read_millidegrees(std::int32_t& value) {
  const int fd = open(sensor_file, O_RDONLY | O_CLOEXEC);
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

void led(bool on) { static_cast<void>(std::fprintf(stderr, "LED %s\n", on ? "on" : "off")); }

}  // namespace device

int main(int argc, char** argv) {
  if (argc != 3 || std::string_view(argv[1]) != "--sensor") {
    static_cast<void>(std::fprintf(
        stderr, "usage: %s --sensor FILE\n  FILE holds the temperature in thousandths of a degree Celsius\n", argv[0]));
    return 2;
  }
  sensor_file = argv[2];
  run_thermometer();
  return 0;
}
