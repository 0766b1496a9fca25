// What a board supplies to be on an Ethernet: frames in and out. Knows no IP and no hardware.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace mcp {

/// A network interface. Called from the main loop only; never blocks for longer than a frame takes on the wire.
class Ethernet {
 public:
  using Address = std::span<const std::uint8_t, 6>;

  /// The station address (MAC). The same at every call.
  [[nodiscard]] Address address() { return do_address(); }

  /// Whether a cable with somebody at its other end is plugged in.
  [[nodiscard]] bool link_up() { return do_link_up(); }

  /// From now on takes frames to every group (multicast address), too. mDNS asks for it.
  void enable_multicast() { do_enable_multicast(); }

  /// Moves the oldest frame that was received into `into` (owned by the caller), from the destination address on and
  /// without the check sum.
  /// Returns its size, or 0 when there is none. One that is damaged or longer than `into` is thrown away.
  [[nodiscard]] std::size_t receive(std::span<std::uint8_t> into) { return do_receive(into); }

  /// Sends one frame, which is `pieces` in a row (owned by the caller, free again on return); the interface fills up to
  /// the least size and adds the check sum. False, and nothing is sent, when it cannot take a frame now.
  [[nodiscard]] bool send(std::span<const std::span<const std::uint8_t>> pieces) { return do_send(pieces); }

 protected:
  constexpr Ethernet() = default;
  ~Ethernet() = default;  // Not virtual: a virtual destructor links operator delete.

 private:
  virtual Address do_address() = 0;
  virtual bool do_link_up() = 0;
  virtual void do_enable_multicast() {}  // for an interface that takes them anyway
  virtual std::size_t do_receive(std::span<std::uint8_t> into) = 0;
  virtual bool do_send(std::span<const std::span<const std::uint8_t>> pieces) = 0;
};

}  // namespace mcp
