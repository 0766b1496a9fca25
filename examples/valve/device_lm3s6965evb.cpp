// SPDX-License-Identifier: Apache-2.0
// The valve on the LM3S6965EVB: the LED is on while the motor runs, the client is on UART0.
#include <mcp/ports/lm3s6965evb.hpp>

#include "device.hpp"

namespace device {

mcp::Millis now() { return board::millis(); }
std::uint32_t boot_id() { return board::boot_id(); }
void wait(mcp::Millis timeout_ms) { board::wait_for_event(timeout_ms); }
mcp::ByteStream& stream() { return board::uart0(); }
void motor(Motor motor) { board::led(motor != Motor::off); }

}  // namespace device

int main() { run_valve(); }
