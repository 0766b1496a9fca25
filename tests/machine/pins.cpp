// SPDX-License-Identifier: Apache-2.0
// Calls the pins of Linux as its arguments say, and prints what each call returns:
//
// usage: pins CHIP IIO_FOLDER STEP...
//   in:PIN[:up|:down]  out:PIN:LEVEL  level:PIN  mv:INPUT  capture:PIN  pause (until a signal ends the program)
#include <unistd.h>
#include <mcp/ports/posix_pins.hpp>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

const char* name_of(mcp::PinError error) {
  switch (error) {
    case mcp::PinError::none: return "none";
    case mcp::PinError::no_pin: return "no_pin";
    case mcp::PinError::busy: return "busy";
    case mcp::PinError::unsupported: return "unsupported";
    case mcp::PinError::failed: return "failed";
    default: return "another error";
  }
}

void take(mcp::Pins& pins, std::string_view step) {
  const std::size_t colon = step.find(':');
  const std::string_view verb = step.substr(0, colon);
  const std::string_view rest = colon == step.npos ? std::string_view() : step.substr(colon + 1);
  const auto pin =
      static_cast<std::uint8_t>(rest.empty() ? 0 : std::atoi(rest.data()));  // NOLINT: ends with the argument
  if (verb == "in") {
    const mcp::PinPull pull = rest.ends_with(":up")     ? mcp::PinPull::up
                              : rest.ends_with(":down") ? mcp::PinPull::down
                                                        : mcp::PinPull::none;
    std::puts(name_of(pins.input(pin, pull)));
  } else if (verb == "out") {
    std::puts(name_of(pins.output(pin, rest.ends_with(":1"))));
  } else if (verb == "level") {
    bool is_high = false;
    const mcp::PinError error = pins.level(pin, is_high);
    std::puts(error == mcp::PinError::none ? (is_high ? "high" : "low") : name_of(error));
  } else if (verb == "mv") {
    std::int32_t millivolts = 0;
    const mcp::PinError error = pins.millivolts(pin, 4, millivolts);
    if (error == mcp::PinError::none) {
      std::printf("%d mV\n", static_cast<int>(millivolts));
    } else {
      std::puts(name_of(error));
    }
  } else if (verb == "capture") {
    static std::uint32_t times[8];
    std::puts(name_of(pins.begin_capture(pin, mcp::PinEdges::both, times)));
  } else if (verb == "pause") {
    static_cast<void>(std::fflush(stdout));
    pause();
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  mcp::posix::GpioChip chip{argv[1], argv[2]};
  if (!chip.ok()) {
    std::perror(argv[1]);
    return 1;
  }
  for (int i = 3; i < argc; ++i) take(chip, argv[i]);
  return 0;
}
