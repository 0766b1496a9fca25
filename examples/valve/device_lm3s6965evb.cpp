// SPDX-License-Identifier: Apache-2.0
// The valve on the LM3S6965EVB: the LED is on while the motor runs, the client is on UART0.
#include <mcp/ports/lm3s6965evb.hpp>
#include <mcp/ports/semihosting.hpp>

#include "device.hpp"

namespace device {

mcp::Millis now() { return board::millis(); }
std::uint32_t boot_id() { return board::boot_id(); }
// The chip has no random source: in the emulator, the PC has one. A product with such a chip sets
// `.eras = mcp::legacy_era` in its Definition, and needs no random bytes.
bool Random::do_fill(std::span<std::uint8_t> into) { return board::HostEntropy().fill(into); }
void wait(mcp::Millis timeout_ms) { board::wait_for_event(timeout_ms); }
mcp::ByteStream& stream() { return board::uart0(); }
void motor(Motor motor) { board::led(motor != Motor::off); }

}  // namespace device

int main() { run_valve(); }
