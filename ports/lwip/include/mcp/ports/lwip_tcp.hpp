// SPDX-License-Identifier: Apache-2.0
/// @file
/// TCP with lwIP: a listening port and its connections, without a thread and without a heap.
/// @code
/// mcp::lwip::TcpConnection connections[5];  // one more than HttpLimits::connections
/// mcp::Listener& listen(mcp::lwip::Interface& interface) {
///   static mcp::lwip::TcpListener listener(interface, connections, 80);
///   return listener;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <lwip/tcp.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/port.hpp"
#include "mcp/ports/lwip_interface.hpp"

struct tcp_hdr;

namespace mcp::lwip {

class TcpConnection;

/// @cond server
/// What a connection needs of its listener or dialer. The caller holds the lock of lwIP.
class TcpOwner {
 protected:
  friend class TcpConnection;
  void update_backlog();
#if MOTE_LWIP_STACK
  static bool end_closed_for(const ip_addr_t& address);
#endif

  Interface* interface_ = nullptr;
  std::span<TcpConnection> connections_;  // of a listener; those of a dialer are larger
  tcp_pcb* pcb_ = nullptr;                // that listens
};
/// @endcond

/// One connection of a TcpListener. Its peer() is the client's IPv4 address. RAM: TCP_WND + 36 bytes.
///
/// The connection keeps received bytes until they are read. Only then may the client send more, so a slow reader uses
/// no memory of other connections. Written bytes are copied into the memory of lwIP until the client acknowledges them.
class TcpConnection : public Connection {
 public:
  /// A free connection.
  TcpConnection();  // not inline, so that its memory starts as zero and takes no flash

 private:
  // A connection of a TcpDialer (lwip_dialer.hpp) is the same when it is connected.
  friend class DialedConnection;
  friend class TcpDialer;
  friend class TcpListener;
  friend class TcpOwner;
  enum class State : std::uint8_t {
    free,
    waiting,     // to be accepted
    open,        // its user's
    looking_up,  // of a dialer: the name of its host
    connecting,
    failed,
  };

  IoResult do_read(std::span<char> into) override;
  IoResult do_write(std::span<const char> from) override;
  void do_finish() override;
  void do_close() override;
  std::uint64_t do_peer() const override { return peer_; }
  void begin(TcpOwner& owner, tcp_pcb* pcb, std::uint32_t number);
  void release();
  void drop();
  Millis flush();
  void note_input();

  static err_t on_received(void* self, tcp_pcb* pcb, pbuf* data, err_t error);
#if MOTE_LWIP_IS_SHARED
  static err_t on_sent(void* self, tcp_pcb* pcb, u16_t size);
#endif
  static void on_lost(void* self, err_t error);

  tcp_pcb* pcb_ = nullptr;  // none: the connection is gone
  TcpOwner* owner_ = nullptr;
  std::uint32_t number_ = 0;  // counted by the owner
  std::uint32_t peer_ = 0;    // kept here: what was received is still read when the connection is lost
  std::uint16_t first_ = 0;   // where the oldest byte is that was not read yet
  std::uint16_t size_ = 0;    // bytes that were not read yet
  State state_ = State::free;
  bool ended_ : 1 = false;     // the client sends no more
  bool finished_ : 1 = false;  // nor does its user
  bool written_ = false;       // since the last flush
  bool needs_memory_ = false;  // the last write got none
  char received_[TCP_WND];
};

/// The interfaces at which a TcpListener accepts clients.
enum class Reach : std::uint8_t {
  all_interfaces,  ///< Each interface of lwIP.
  one_interface,   ///< The interface of the listener only. If it is added to lwIP again, after 1 s at most.
};

/// A listening port. Use one connection more than the transport has. Then the transport sees that a client waits, and
/// can close an idle connection. On the stack of a Network, as many connections suffice, and the client waits a little
/// longer. HttpTransport asserts that there are enough (Listener::capacity).
///
/// On the stack of a Network, the SYN-ACK has a SYN cookie, so a half-open client takes no memory. A client gets a
/// connection when it has acknowledged the SYN-ACK. This proves its address, except to a host of the local network that
/// takes the address (SECURITY.md). If no connection is free, it gets no reply, and sends its first bytes again (Linux:
/// after 0.2, 0.6, 1.4, 3 s …). It gets a connection when it repeats them. Clients whose address has the fewest
/// connections and waiting clients come first, then the longest-waiting. Clients that have sent no bytes come last. The
/// listener keeps this order for `most_waiting` clients, each for 2 s after its last bytes. A client that waits for
/// more than 4 minutes may be reset.
///
/// On a stack that the program has started, lwIP makes the handshake. A half-open client uses one of the connections
/// for up to 20 s. While all are in use, no client gets a SYN-ACK, and a waiting client sends its SYN again.
///
/// A closed connection that waits for the client's FIN gives its memory to a new one, and is reset after 20 s.
/// Keep-alive finds a client that has disappeared after 60 s (without LWIP_TCP_KEEPALIVE, after the default time of
/// lwIP, 2 hours).
///
/// Limits: at most 255 connections. On the stack of a Network, capacity() is at most MOTE_LWIP_CONNECTIONS. Context:
/// main loop; never blocks; it works during Interface::poll().
class TcpListener final : public Listener, private Sender, private TcpOwner {
 public:
  /// Listens on `port` at each IPv4 address of `reach`. Lifetime: `interface` and `connections` must outlive the
  /// object.
  TcpListener(Interface& interface, std::span<TcpConnection> connections, std::uint16_t port,
              Reach reach = Reach::all_interfaces);
  ~TcpListener();
  TcpListener(const TcpListener&) = delete;
  TcpListener& operator=(const TcpListener&) = delete;

  /// Returns false if lwIP has no memory, or if the port is in use.
  [[nodiscard]] bool ok() const { return pcb_ != nullptr; }

#if MOTE_LWIP_STACK
  /// The largest number of clients that wait for a connection in order. RAM: 16 bytes each.
  static constexpr std::size_t most_waiting = 8;

  /// @cond server
  /// For lwIP: a segment for a listening `pcb`. Returns false if lwIP must ignore it.
  [[nodiscard]] static bool look_at(tcp_pcb* pcb, tcp_hdr& header, u16_t options, pbuf& data);
  /// @endcond
#endif

 private:
  friend class TcpConnection;

  Connection* do_accept() override;
  bool do_has_waiting() override;
  [[nodiscard]] TcpConnection* oldest_waiting() const;
  Millis bind_interface();
  Millis flush() override;
  static err_t on_connected(void* self, tcp_pcb* pcb, err_t error);

  std::uint32_t accepted_ = 0;
  Reach reach_;

#if MOTE_LWIP_STACK
  // A client that has acknowledged the answer, and whose first bytes found no connection.
  struct WaitingClient {
    std::uint32_t address;  // as on the wire
    Millis since_ms;
    Millis seen_ms;
    std::uint16_t port;  // 0: none
  };
  // A connection that was opened.
  struct Opened {
    std::uint32_t address;  // as on the wire; 0: none
    std::uint32_t number;   // that its first segment acknowledged
  };

  [[nodiscard]] bool can_reach(Millis interval_ms, bool has_bytes);
  void answer(tcp_hdr& header, u16_t options, pbuf& data);
  [[nodiscard]] bool acknowledge(tcp_hdr& header, pbuf& data);
  [[nodiscard]] std::uint32_t cookie(std::uint16_t port, Millis window) const;
  [[nodiscard]] unsigned uses_of(std::uint32_t address) const;
  [[nodiscard]] WaitingClient* find(std::uint32_t address, std::uint16_t port);
  [[nodiscard]] WaitingClient* place_for(unsigned uses);
  [[nodiscard]] bool is_next(std::uint16_t port, bool has_bytes);
  [[nodiscard]] bool open(const tcp_hdr& header, std::uint32_t eighths);
  void note_opened(std::uint32_t number);
  [[nodiscard]] Opened* find_opened(std::uint32_t number);
  [[nodiscard]] bool has_waiting_client() const;
  [[nodiscard]] std::ptrdiff_t free_connections() const;

  Millis asked_ms_ = 0;      // when ARP asked for the next hop of a client
  std::uint32_t asked_ = 0;  // its address, as on the wire
  Millis expected_ms_ = 0;   // when a client without a connection was answered or ignored: it may send again
  bool has_key_ = false;
  std::uint32_t key_[4] = {};
  WaitingClient waiting_[most_waiting] = {};
  // The last connections, from the earliest. No cookie opens one twice.
  Opened opened_[8] = {};
#endif
};

}  // namespace mcp::lwip

#include <mcp/detail/epilogue.hpp>
