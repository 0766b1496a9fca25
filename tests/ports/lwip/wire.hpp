// SPDX-License-Identifier: Apache-2.0
// A cable with a network interface at each end. Its failures come from a seed, and can be repeated.
#pragma once

#include <cstdint>
#include <deque>
#include <random>
#include <vector>

#include "mcp/ports/ethernet.hpp"

namespace test {

using Frame = std::vector<std::uint8_t>;

/// The failures of frames, in percent.
struct Faults {
  unsigned lost = 0;
  unsigned doubled = 0;
  unsigned damaged = 0;
  unsigned delayed = 0;  // after the next one
  [[nodiscard]] bool any() const { return lost + doubled + damaged + delayed != 0; }
};

/// Carries frames in one direction, with failures.
class Relay {
 public:
  Faults faults;
  std::mt19937 random{1};

  /// `delayed` is the relay's, one for each way.
  void carry(Frame frame, Frame& delayed, std::deque<Frame>& to);

 private:
  bool happens(unsigned percent) { return random() % 100 < percent; }
};

class Wire : public Relay {
 public:
  class End final : public mcp::Ethernet {
   public:
    End(Wire& wire, std::uint8_t number) : wire_(&wire), address_{2, 0, 0, 0, 0, number} {}
    bool plugged = true;
    bool takes_frames = true;
    std::deque<Frame> received;
    Frame delayed;

   private:
    Address do_address() override { return address_; }
    bool do_link_up() override { return plugged && wire_->whole; }
    std::size_t do_receive(std::span<std::uint8_t> into) override;
    bool do_send(std::span<const std::span<const std::uint8_t>> pieces) override;

    Wire* wire_;
    std::uint8_t address_[6];
  };

  bool whole = true;
  std::size_t frames = 0;  // that were sent
  End server{*this, 1};
  End client{*this, 2};
};

}  // namespace test
