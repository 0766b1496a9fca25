// SPDX-License-Identifier: Apache-2.0
/// @file
/// A network interface of lwIP 2.2: its address, its clock, and its part of the main loop.
/// @code
/// [[noreturn]] void run(mcp::HttpTransport& transport, mcp::lwip::Network& network) {
///   network.use_dhcp();
///   for (;;) {
///     const mcp::Millis due_ms = transport.poll(board::millis());
///     board::wait_for_event(std::min(due_ms, network.poll(board::millis())));
///   }
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <lwip/netif.h>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/port.hpp"
#include "mcp/ports/ethernet.hpp"

namespace mcp::lwip {

/// An object that sends during Network::poll(), such as a listener.
class Sender {
 public:
  /// Sends everything that is due. Returns the time in milliseconds until the next call; `forever` if there is none.
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

/// A network interface of lwIP. The first object starts lwIP. Context: main loop; never blocks.
class Network {
 public:
  /// `device` is the Ethernet. `entropy` gives the first sequence numbers of connections. `now` is the time in
  /// milliseconds.
  /// Lifetime: both must outlive the object. Errors: while `entropy` fails, no client can connect.
  Network(Ethernet& device, Entropy& entropy, Millis now);
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  /// Sets a static address. If `gateway` is all zero, the device reaches its own network only.
  void use(Ip4 address, Ip4 mask, Ip4 gateway);

#if LWIP_DHCP
  /// Gets an address by DHCP, now and each time the link comes back.
  /// Errors: an invalid lease is rejected (an address that is not of a host, a mask with gaps, an invalid gateway).
  void use_dhcp();
#endif

  /// Sends bytes written so far, takes received frames (at most `frames`), and runs the timers of lwIP. `now` is the
  /// time in milliseconds. Returns the time in milliseconds until the next call; 0 if the transport should poll first.
  [[nodiscard]] Millis poll(Millis now);

  /// Returns whether the link is up and there is an address.
  [[nodiscard]] bool ready() const;

  /// Writes the address as a string into `text`, and returns it; "0.0.0.0" if there is none.
  /// Ownership: the caller owns `text`.
  [[nodiscard]] std::string_view address(std::span<char, 16> text) const;

  /// Adds an object whose flush() each poll() calls. Lifetime: `sender` must outlive the network, or call remove().
  void add(Sender& sender);
  /// Removes an object that add() has added.
  void remove(Sender& sender);

  /// From now on, the interface also receives multicast frames, such as queries of mDNS.
  void enable_multicast() { device_->enable_multicast(); }

  /// Returns the interface of lwIP, for applications that call lwIP themselves.
  [[nodiscard]] netif& interface() { return netif_; }

  /// The largest number of frames that one poll() takes, so that the main loop can do other work.
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

/// Returns the time of the last Network::poll() in milliseconds.
[[nodiscard]] Millis time_of_poll();

/// @cond server
/// For listeners: gives this frame to lwIP once more when lwIP has processed it. The caller adds a reference to the
/// frame.
void take_again(pbuf& frame);
/// @endcond

/// Fills `into` with random bytes of the network's `entropy`. Errors: returns false if `entropy` fails.
[[nodiscard]] bool fill_random(std::span<std::uint8_t> into);

}  // namespace mcp::lwip

#include <mcp/detail/epilogue.hpp>
