// SPDX-License-Identifier: Apache-2.0
// The end of a cable in a test: stores the frames of the device under test with their time, and delivers frames of the
// test.
#pragma once

#include <deque>
#include <vector>

#include "mcp/port.hpp"
#include "mcp/ports/ethernet.hpp"
#include "ports/lwip/packets.hpp"

namespace test {

class Tap final : public mcp::Ethernet {
 public:
  bool plugged = true;
  bool takes_frames = true;
  bool hears_groups = false;
  std::deque<Bytes> received;
  std::vector<Bytes> sent;
  static constexpr Mac mac{2, 0, 0, 0, 0, 1};

 private:
  Address do_address() override { return mac; }
  bool do_link_up() override { return plugged; }
  void do_enable_multicast() override { hears_groups = true; }
  std::size_t do_receive(std::span<std::uint8_t> into) override {
    if (received.empty()) return 0;
    const Bytes frame = std::move(received.front());
    received.pop_front();
    if (frame.size() > into.size()) return do_receive(into);
    std::copy(frame.begin(), frame.end(), into.begin());
    return frame.size();
  }
  bool do_send(std::span<const std::span<const std::uint8_t>> pieces) override {
    if (!takes_frames) return false;
    Bytes frame;
    for (const auto piece : pieces) frame.insert(frame.end(), piece.begin(), piece.end());
    if (frame.size() < 60) frame.resize(60);
    sent.push_back(std::move(frame));
    return true;
  }
};

}  // namespace test
