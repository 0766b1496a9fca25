// SPDX-License-Identifier: Apache-2.0
// The functions that the valve needs from its platform. Each platform has a file: device_posix.cpp,
// device_lm3s6965evb.cpp.
#pragma once

#include <cstdint>
#include <span>

#include "mcp/port.hpp"

namespace device {

/// Milliseconds since some moment.
mcp::Millis now();

/// A number that differs after each reset; 0 on a PC.
std::uint32_t boot_id();

/// Random bytes, for input requests to stateless clients.
class Random final : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t> into) override;
};
inline constinit Random random;

/// Sleeps until the stream has work or `timeout_ms` have passed.
void wait(mcp::Millis timeout_ms);

/// The wire to the client.
mcp::ByteStream& stream();

/// Sets the movement of the motor.
enum class Motor : unsigned char { off, opens, closes };
void motor(Motor motor);

}  // namespace device

/// The application: serves until the stream ends.
void run_valve();
