// SPDX-License-Identifier: Apache-2.0
#include "wire.hpp"

#include <algorithm>
#include <utility>

namespace test {

std::size_t Wire::End::do_receive(std::span<std::uint8_t> into) {
  if (received.empty()) return 0;
  const Frame frame = std::move(received.front());
  received.pop_front();
  if (frame.size() > into.size()) return do_receive(into);
  std::copy(frame.begin(), frame.end(), into.begin());
  return frame.size();
}

bool Wire::End::do_send(std::span<const std::span<const std::uint8_t>> pieces) {
  if (!takes_frames) return false;
  Frame frame;
  for (const auto piece : pieces) frame.insert(frame.end(), piece.begin(), piece.end());
  frame.resize(std::max<std::size_t>(frame.size(), 60));
  ++wire_->frames;
  End& to = this == &wire_->server ? wire_->client : wire_->server;
  if (do_link_up()) wire_->carry(std::move(frame), to.delayed, to.received);
  return true;
}

void Relay::carry(Frame frame, Frame& delayed, std::deque<Frame>& to) {
  if (happens(faults.lost)) return;
  // After the addresses, where lwIP has its own check sums. ARP has none, and relies on that of the interface.
  const bool is_ip = frame[12] == 8 && frame[13] == 0;
  if (is_ip && happens(faults.damaged)) {
    const std::size_t size = 14U + frame[16] * 256U + frame[17];
    frame[14 + random() % (size - 14)] ^= static_cast<std::uint8_t>(1U << random() % 8);
  }
  if (delayed.empty() && happens(faults.delayed)) {
    delayed = std::move(frame);
    return;
  }
  to.push_back(frame);
  if (happens(faults.doubled)) to.push_back(std::move(frame));
  if (!delayed.empty()) to.push_back(std::exchange(delayed, {}));
}

}  // namespace test
