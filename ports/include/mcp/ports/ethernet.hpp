// SPDX-License-Identifier: Apache-2.0
/// @file
/// The interface that a board implements for an Ethernet controller, which sends and receives frames.
/// @code
/// class Mac final : public mcp::Ethernet {
///   Address do_address() override { return board::mac_address(); }
///   bool do_link_up() override { return board::phy_link(); }
///   std::size_t do_receive(std::span<std::uint8_t> into) override { return board::mac_receive(into); }
///   bool do_send(std::span<const std::span<const std::uint8_t>> pieces) override { return board::mac_send(pieces); }
/// };
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace mcp {

/// A network interface. Context: main loop; blocks at most for the time of one frame on the wire.
class Ethernet {
 public:
  /// A station address (MAC).
  using Address = std::span<const std::uint8_t, 6>;

  /// Returns the station address, which never changes. Lifetime: as long as this object.
  [[nodiscard]] Address address() { return do_address(); }

  /// Returns whether the interface is connected to another device.
  [[nodiscard]] bool link_up() { return do_link_up(); }

  /// From now on, the interface also receives frames to all multicast addresses. mDNS needs it.
  void enable_multicast() { do_enable_multicast(); }

  /// Copies the oldest received frame into `into`, from the destination address on, without the checksum. Returns its
  /// size in bytes, or 0 if there is no frame. Ownership: the caller owns `into`.
  /// Errors: a frame that is damaged or longer than `into` is discarded.
  [[nodiscard]] std::size_t receive(std::span<std::uint8_t> into) { return do_receive(into); }

  /// Sends one frame: all `pieces` in order. The interface pads the frame to the smallest size, and adds the checksum.
  /// Ownership: the caller owns `pieces`, and may change them afterwards.
  /// Errors: returns false and sends nothing if the interface cannot take a frame now.
  [[nodiscard]] bool send(std::span<const std::span<const std::uint8_t>> pieces) { return do_send(pieces); }

 protected:
  constexpr Ethernet() = default;
  ~Ethernet() = default;  // Not virtual, because a virtual destructor links operator delete.

 private:
  virtual Address do_address() = 0;
  virtual bool do_link_up() = 0;
  virtual void do_enable_multicast() {}  // the default is for an interface that always receives them
  virtual std::size_t do_receive(std::span<std::uint8_t> into) = 0;
  virtual bool do_send(std::span<const std::span<const std::uint8_t>> pieces) = 0;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
