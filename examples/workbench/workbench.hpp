// SPDX-License-Identifier: Apache-2.0
// What the files of the workbench know of each other. Each folder has a platform: table.hpp has its pins and sensors,
// and the other file its main().
#pragma once

#include <mcp/server.hpp>

namespace app {

/// The server of the workbench.
extern const mcp::Server& server;

/// Puts all pins to rest. Call it first in main(). Returns how many pins did not go to rest.
std::size_t begin();

/// Does what is due. Returns after how many milliseconds to call it again.
mcp::Millis poll();

/// Puts all pins to rest, for the handler of a fault.
void rest_now();

}  // namespace app

/// What each platform has.
namespace device {

/// Milliseconds since some moment.
mcp::Millis now();

/// A number that differs after each reset; 0 for a program of a PC.
std::uint32_t boot_id();

/// Random bytes, so that stateless clients get input requests.
class Random final : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t> into) override;
};
inline constinit Random random;

}  // namespace device
