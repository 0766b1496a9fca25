// lwIP (2.2) with one network interface below it: the address, the clock, the main loop's share. Knows no board, no TCP
// and no protocol above it.
#pragma once

#include <lwip/netif.h>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/port.hpp"
#include "mcp/ports/ethernet.hpp"

namespace mcp::lwip {

/// What sends when it is its turn, such as a listener. In a list of the network's own.
class Sender {
 public:
  /// Sends what is due. Returns after how many milliseconds it has its next turn at the latest; `forever` for none.
  virtual Millis flush() = 0;

 protected:
  constexpr Sender() = default;
  ~Sender() = default;

 private:
  friend class Network;
  Sender* next_ = nullptr;
};

/// An IPv4 address, most significant byte first.
using Ip4 = std::array<std::uint8_t, 4>;

/// An interface of lwIP. Main loop, never blocks:
///
///     for (;;) {
///       const mcp::Millis due_ms = transport.poll(board::millis());
///       board::wait_for_event(std::min(due_ms, network.poll(board::millis())));
///     }
///
/// The first one made starts lwIP. All must outlive it.
class Network {
 public:
  /// `entropy` is where the first sequence numbers of connections come from; while it fails, no client is answered.
  Network(Ethernet& device, Entropy& entropy, Millis now);
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  /// Is at this address from now on. `gateway` may be all zero: then only neighbours are reached.
  void use(Ip4 address, Ip4 mask, Ip4 gateway);

#if LWIP_DHCP
  /// Asks for an address with DHCP, now and whenever the link comes back. A lease that makes no sense is refused, and
  /// the next one asked for: an address of no host, a mask with gaps, a gateway that is none.
  void use_dhcp();
#endif

  /// Sends what was written, takes the frames that were received (at most `frames` of them) and does what is due.
  /// Returns after how many milliseconds to call again even if no frame comes: 0 when what came is to be looked at.
  [[nodiscard]] Millis poll(Millis now);

  /// Whether the link is up and there is an address.
  [[nodiscard]] bool ready() const;

  /// The address as text, in memory of the caller's; "0.0.0.0" while there is none.
  [[nodiscard]] std::string_view address(std::span<char, 16> text) const;

  /// For listeners.
  void add(Sender& sender);
  void remove(Sender& sender);

  /// Takes frames to groups, too, such as the questions of mDNS.
  void enable_multicast() { device_->enable_multicast(); }

  /// For tests and applications that know lwIP.
  [[nodiscard]] netif& interface() { return netif_; }

  /// Frames taken in one poll, so that the rest of the main loop has its turn.
  static constexpr unsigned frames = 8;

 private:
  static err_t start(netif* interface);
  static err_t send(netif* interface, pbuf* frame);
  bool take_frame();
  void look_at_link(Millis now);

  Ethernet* device_;
  Sender* senders_ = nullptr;
  netif netif_ = {};
  Millis link_ms_ = 0;  // when the link was looked at last
};

/// The time of the last poll.
[[nodiscard]] Millis time_of_poll();

/// For listeners: lwIP gets this frame once more when it is through with it. The frame is counted up by the caller.
void take_again(pbuf& frame);

/// Random bytes from the network's `entropy`; false when that failed.
[[nodiscard]] bool fill_random(std::span<std::uint8_t> into);

}  // namespace mcp::lwip
