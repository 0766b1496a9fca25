// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "drivers.hpp"

namespace {

bool reject(const char* program, const char* what, const char* value) {
  static_cast<void>(std::fprintf(
      stderr,
      "%s %s\n"
      "usage: %s [--root DIR] [--wait MS] [--sensor TYPE@/dev/i2c-N:ADDRESS]...\n"
      "  --root DIR   in place of /sys\n"
      "  --wait MS    how long to wait for a driver, 100 to 60000; 2000 if not given\n"
      "  --sensor S   a sensor that no driver of the kernel uses, such as lm75@/dev/i2c-1:0x48; %zu at most, on %zu "
      "buses\n"
      "               TYPE: %s\n",
      what, value, program, drivers::most_sensors, drivers::most_buses, drivers::types));
  return false;
}

bool read_wait(const char* text, mcp::Millis& wait_ms) {
  char* end = nullptr;
  const unsigned long number = std::strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || number < 100 || number > 60'000) return false;
  wait_ms = static_cast<mcp::Millis>(number);
  return true;
}

}  // namespace

bool read_options(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    if (i + 1 == argc) return reject(argv[0], "unknown option, or an option without a value:", argv[i]);
    char* const value = argv[i + 1];
    if (option == "--root") {
      options.root = value;
    } else if (option == "--wait") {
      if (!read_wait(value, options.wait_ms))
        return reject(argv[0], "--wait is a number from 100 to 60000, not", value);
    } else if (option == "--sensor") {
      if (const char* const error = drivers::add(value)) return reject(argv[0], error, value);
    } else {
      return reject(argv[0], "unknown option", argv[i]);
    }
  }
  return true;
}
