// SPDX-License-Identifier: Apache-2.0
// Frames of TCP, made and read byte by byte without lwIP.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "packets.hpp"

namespace test {

inline constexpr unsigned fin = 1, syn = 2, rst = 4, ack = 16;

struct Segment {
  Ip from{}, to{};
  unsigned from_port = 0, to_port = 0;
  std::uint32_t sequence = 0, acknowledged = 0;
  unsigned flags = 0;
  unsigned window = 4'000;
  Bytes options;
  std::string data;
  Mac from_mac{}, to_mac{};
};
Bytes tcp_frame(const Segment& segment);
/// Nothing for another kind of frame, and for one that is too short.
std::optional<Segment> read_tcp(const Bytes& frame);

}  // namespace test
