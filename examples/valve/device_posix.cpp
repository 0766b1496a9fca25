// SPDX-License-Identifier: Apache-2.0
// The valve on a PC: the motor is a line on stderr, stdin and stdout are the wire.
#include <mcp/ports/posix.hpp>

#include <cstdio>

#include "device.hpp"

namespace {

mcp::posix::Stdio& wire() {
  static mcp::posix::Stdio stdio;
  return stdio;
}

}  // namespace

namespace device {

mcp::Millis now() { return mcp::posix::now(); }
std::uint32_t boot_id() { return 0; }
bool Random::do_fill(std::span<std::uint8_t> into) { return mcp::posix::SystemEntropy().fill(into); }
void wait(mcp::Millis timeout_ms) { wire().wait(timeout_ms); }
mcp::ByteStream& stream() { return wire(); }

void motor(Motor motor) {
  constexpr const char* words[] = {"off", "opens", "closes"};
  static_cast<void>(std::fprintf(stderr, "motor %s\n", words[static_cast<unsigned>(motor)]));
}

}  // namespace device

int main() { run_valve(); }
