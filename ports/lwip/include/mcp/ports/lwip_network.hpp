// SPDX-License-Identifier: Apache-2.0
/// @file
/// lwIP 2.2 for a program that has none: starts lwIP over an Ethernet, and is its clock and its part of the main loop.
/// It needs lwIP with the options of this port, as mote_lwip() builds it. A program that starts lwIP itself uses
/// Interface.
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

#include <cstdint>

#include "mcp/port.hpp"
#include "mcp/ports/ethernet.hpp"
#include "mcp/ports/lwip_interface.hpp"

namespace mcp::lwip {

/// A network interface of lwIP over an Ethernet. The first object starts lwIP. Context: main loop; never blocks.
class Network final : public Interface {
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

#if LWIP_DNS
  /// Sets the name server that a TcpDialer asks, for a static address. With DHCP, the lease names it.
  void use_name_server(Ip4 server);
#endif

#if LWIP_DHCP
  /// Gets an address by DHCP, now and each time the link comes back. At the end of a lease, the device has no address.
  /// The same applies to an address of use(). Call it before the first poll(), because it takes memory that later is
  /// also used for output.
  /// Errors: an invalid lease is rejected (an address that is not of a host, a mask with gaps, an invalid gateway). An
  /// assertion fails if lwIP has no memory or no UDP port left (`MEMP_NUM_UDP_PCB`).
  void use_dhcp();
#endif

  /// Sends bytes written so far, takes received frames (at most `frames`), and runs the timers of lwIP. `now` is the
  /// time in milliseconds. Returns the time in milliseconds until the next call, at most 1,000 because no event reports
  /// the link; 0 if the transport should poll first.
  [[nodiscard]] Millis poll(Millis now);

  /// The largest number of frames that one poll() takes, so that the main loop can do other work.
  static constexpr unsigned frames = 8;

 private:
  static err_t start(netif* interface);
  static err_t send_packet(netif* interface, pbuf* packet, const ip4_addr_t* to);
  static err_t send(netif* interface, pbuf* frame);
#if LWIP_IGMP
  static err_t filter(netif* interface, const ip4_addr_t* group, netif_mac_filter_action action);
#endif
  bool take_frame();
  void keep_arp_table(pbuf& frame);
  void look_at_link(Millis now);

  Ethernet* device_;
  netif netif_ = {};
  Millis link_ms_ = 0;  // when the link was looked at last
};

/// @cond server
/// For listeners: where packets to this address go first, and whether ARP knows it.
[[nodiscard]] const ip4_addr_t* next_hop(const netif& interface, const ip4_addr_t& to);
[[nodiscard]] bool is_known(netif& interface, const ip4_addr_t& next);
/// Gives this frame to lwIP once more when lwIP has processed it. The caller adds a reference to the frame.
void take_again(pbuf& frame);
/// @endcond

}  // namespace mcp::lwip

#include <mcp/detail/epilogue.hpp>
