// SPDX-License-Identifier: Apache-2.0
#include "tcp_packets.hpp"

#include <algorithm>

namespace test {
namespace {

constexpr unsigned protocol_tcp = 6;

std::uint32_t number_at(const Bytes& bytes, std::size_t at, unsigned size) {
  std::uint32_t value = 0;
  for (; size != 0; --size) value = value << 8 | bytes.at(at++);
  return value;
}

}  // namespace

Bytes tcp_frame(const Segment& segment) {
  Writer tcp;
  tcp.u16(segment.from_port).u16(segment.to_port).u32(segment.sequence).u32(segment.acknowledged);
  tcp.u8(static_cast<unsigned>((20 + segment.options.size()) / 4 << 4)).u8(segment.flags).u16(segment.window).u32(0);
  tcp.all(segment.options).all(segment.data);
  Writer pseudo;
  pseudo.all(segment.from).all(segment.to).u16(protocol_tcp).u16(static_cast<unsigned>(tcp.bytes.size()));
  pseudo.all(tcp.bytes);
  const unsigned sum = check_sum(pseudo.bytes.data(), pseudo.bytes.size());
  tcp.bytes[16] = static_cast<std::uint8_t>(sum >> 8);
  tcp.bytes[17] = static_cast<std::uint8_t>(sum);
  Writer header;
  header.u8(0x45).u8(0).u16(static_cast<unsigned>(20 + tcp.bytes.size())).u32(0).u8(64).u8(protocol_tcp).u16(0);
  header.all(segment.from).all(segment.to);
  const unsigned header_sum = check_sum(header.bytes.data(), header.bytes.size());
  header.bytes[10] = static_cast<std::uint8_t>(header_sum >> 8);
  header.bytes[11] = static_cast<std::uint8_t>(header_sum);
  Writer frame;
  frame.all(segment.to_mac).all(segment.from_mac).u16(0x0800).all(header.bytes).all(tcp.bytes);
  frame.bytes.resize(std::max<std::size_t>(frame.bytes.size(), 60));
  return frame.bytes;
}

std::optional<Segment> read_tcp(const Bytes& frame) {
  if (protocol_of(frame) != protocol_tcp || frame.size() < 54) return std::nullopt;
  constexpr std::size_t at = 34;
  const std::size_t header = 4U * (frame[at + 12] >> 4);
  const std::size_t end = 14 + number_at(frame, 16, 2);
  if (at + header > end || end > frame.size()) return std::nullopt;
  Segment segment;
  std::copy_n(frame.begin(), 6, segment.to_mac.begin());
  std::copy_n(frame.begin() + 6, 6, segment.from_mac.begin());
  std::copy_n(frame.begin() + 26, 4, segment.from.begin());
  std::copy_n(frame.begin() + 30, 4, segment.to.begin());
  segment.from_port = number_at(frame, at, 2);
  segment.to_port = number_at(frame, at + 2, 2);
  segment.sequence = number_at(frame, at + 4, 4);
  segment.acknowledged = number_at(frame, at + 8, 4);
  segment.flags = frame[at + 13];
  segment.window = number_at(frame, at + 14, 2);
  const auto begin = frame.begin() + at;
  segment.options.assign(begin + 20, begin + static_cast<std::ptrdiff_t>(header));
  segment.data.assign(begin + static_cast<std::ptrdiff_t>(header), frame.begin() + static_cast<std::ptrdiff_t>(end));
  return segment;
}

}  // namespace test
