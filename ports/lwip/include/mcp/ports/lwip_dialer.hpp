// SPDX-License-Identifier: Apache-2.0
/// @file
/// TCP connections to servers with lwIP, without a thread and without a heap.
/// @code
/// mcp::lwip::DialedConnection dialed[1];
/// mcp::Dialer& connect_with(mcp::lwip::Interface& interface) {
///   static mcp::lwip::TcpDialer dialer(interface, dialed);
///   return dialer;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <lwip/tcp.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/port.hpp"
#include "mcp/ports/lwip_interface.hpp"
#include "mcp/ports/lwip_tcp.hpp"

namespace mcp::lwip {

class TcpDialer;

/// One connection of a TcpDialer. When it is connected, it works like the connection of a TcpListener. Its peer() is
/// the IPv4 address of the server. RAM: TCP_WND + 40 bytes.
class DialedConnection final : public TcpConnection {
 public:
  DialedConnection();  ///< A free connection.

 private:
  friend class TcpDialer;
  IoResult do_read(std::span<char> into) override;
  IoResult do_write(std::span<const char> from) override;
  void do_finish() override;
  void do_close() override;
  [[nodiscard]] IoStatus status() const;
  void discard();
  void fail(DialProblem problem);
  static err_t on_connected(void* self, tcp_pcb* pcb, err_t error);
  static void on_failed(void* self, err_t error);

  std::uint16_t port_ = 0;
};

/// Connects to servers with IPv4 through one interface. With LWIP_DNS 1, it looks up names with the DNS client of lwIP,
/// which has one address for a name. Without it, only numeric addresses connect. lwIP does not say whether a name is
/// unknown or no name server has responded, so both are DialProblem::unknown_host.
///
/// Limits: each connection uses one of MOTE_LWIP_CONNECTIONS on the stack of a Network, else one of MEMP_NUM_TCP_PCB. A
/// closed connection uses it for up to 20 s more, like one of a listener. A look-up uses one of DNS_TABLE_SIZE until it
/// ends, also if its connection was closed. Errors: while the Entropy of a Network fails, no connection begins.
/// Context: main loop; never blocks; it works during Interface::poll().
class TcpDialer final : public Dialer, private Sender, private TcpOwner {
 public:
  /// Connects through `interface`. Lifetime: `interface` and `connections` must outlive the object.
  TcpDialer(Interface& interface, std::span<DialedConnection> connections);
  /// Resets the connections that are not closed.
  ~TcpDialer();
  TcpDialer(const TcpDialer&) = delete;
  TcpDialer& operator=(const TcpDialer&) = delete;

 private:
  friend class DialedConnection;
  using State = DialedConnection::State;

  Connection* do_dial(std::string_view host, std::uint16_t port) override;
  void find(DialedConnection& one, const char* host);
  void connect_to(DialedConnection& one, const ip_addr_t& address);
  Millis flush() override;
  static void on_found(const char* host, const ip_addr_t* address, void* number);

  std::span<DialedConnection> dialed_;
  TcpDialer* next_;  // of all dialers
};

}  // namespace mcp::lwip

#include <mcp/detail/epilogue.hpp>
