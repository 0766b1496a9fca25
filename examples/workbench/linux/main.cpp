// SPDX-License-Identifier: Apache-2.0
// The workbench on a board with Linux: stdin and stdout are the wire to the client. The end of the client, a signal and
// a fault of the program end with all pins at rest. Only SIGKILL and a fault of the kernel leave them as they are.
#include <mcp/ports/posix.hpp>
#include <mcp/ports/posix_i2c.hpp>
#include <mcp/ports/posix_pins.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "devices.hpp"
#include "workbench.hpp"

namespace {

const char* i2c_path = "/dev/i2c-1";
const char* chip_path = "/dev/gpiochip0";

mcp::posix::GpioChip& gpio_chip() {
  static mcp::posix::GpioChip chip{chip_path};
  return chip;
}

mcp::posix::I2cDevice& i2c_device() {
  static mcp::posix::I2cDevice bus{i2c_path};
  return bus;
}

void end_at_rest(int signal) {
  app::rest_now();
  static_cast<void>(std::signal(signal, SIG_DFL));
  static_cast<void>(std::raise(signal));
}

bool read_arguments(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    if (option == "--i2c") {
      i2c_path = argv[i + 1];
    } else if (option == "--chip") {
      chip_path = argv[i + 1];
    } else {
      return false;
    }
  }
  return argc % 2 == 1;
}

bool is_open(bool ok, const char* path) {
  if (!ok) static_cast<void>(std::fprintf(stderr, "workbench: %s: %s\n", path, std::strerror(errno)));
  return ok;
}

}  // namespace

namespace device {

mcp::Millis now() { return mcp::posix::now(); }
std::uint32_t boot_id() { return 0; }
bool Random::do_fill(std::span<std::uint8_t> into) { return mcp::posix::SystemEntropy().fill(into); }
mcp::Pins& pins() { return gpio_chip(); }
mcp::I2cBus& i2c() { return i2c_device(); }

}  // namespace device

int main(int argc, char** argv) {
  if (!read_arguments(argc, argv)) {
    static_cast<void>(std::fprintf(stderr, "usage: %s [--i2c /dev/i2c-1] [--chip /dev/gpiochip0]\n", argv[0]));
    return 2;
  }
  // One that is missing is reported, and the other one works.
  const bool has_pins = is_open(gpio_chip().ok(), chip_path);
  const bool has_bus = is_open(i2c_device().ok(), i2c_path);
  if (!has_pins && !has_bus) return 1;
  for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV})
    static_cast<void>(std::signal(signal, end_at_rest));
  app::begin();
  mcp::posix::Stdio stdio;
  mcp::StdioTransport transport{app::server, stdio};
  while (!transport.closed()) {
    const mcp::Millis next = transport.poll(mcp::posix::now());
    stdio.wait(std::min(next, app::poll()));
  }
  app::rest_now();
  return 0;
}
