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
/// can close an idle connection.
///
/// On the stack of a Network, a client gets a connection when it has acknowledged the SYN-ACK, which proves its
/// address. Until then it is half-open. If there are more than `most_half_open`, the newest replaces the oldest. While
/// all connections are in use, no client gets a SYN-ACK. When a connection becomes free, the half-open clients get
/// their SYN-ACK in order, 100 ms apart, and the first client to acknowledge gets the connection. The others that
/// acknowledge get another SYN-ACK when a connection is free. If a SYN-ACK is lost, the client sends its SYN again
/// (after 1 s, 3 s, 7 s …), and the listener repeats the SYN-ACK.
///
/// On a stack that the program has started, lwIP makes the handshake. A half-open client uses one of the connections
/// for up to 20 s. While all are in use, no client gets a SYN-ACK, and a waiting client sends its SYN again.
///
/// A closed connection that waits for the client's FIN gives its memory to a new one, and is reset after 20 s.
/// Keep-alive finds a client that has disappeared after 90 s (without LWIP_TCP_KEEPALIVE, after the default time of
/// lwIP, 2 hours).
///
/// Limits: at most 255 connections, and at most MOTE_LWIP_CONNECTIONS on the stack of a Network. Context: main loop;
/// never blocks; it works during Interface::poll().
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
  /// The largest number of half-open clients. RAM: 24 bytes each.
  static constexpr std::size_t most_half_open = 8;

  /// @cond server
  /// For lwIP: a segment for a listening `pcb`. Returns false if lwIP must ignore it.
  [[nodiscard]] static bool look_at(const tcp_pcb* pcb, tcp_hdr& header, u16_t options, pbuf& data);
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
  // A client whose first segment has come. Numbers are in the order of this processor.
  struct HalfOpen {
    std::uint32_t address;  // as on the wire
    std::uint32_t theirs;   // sequence numbers
    std::uint32_t ours;
    Millis since_ms;
    std::uint16_t port;
    std::uint16_t segment;   // the most bytes in one
    std::uint8_t interface;  // its number in lwIP; 0: this one is free
    bool is_answered;
    bool knows_options;  // of the answer, because it has acknowledged that one
  };

  [[nodiscard]] bool has_free_connection() const;
  [[nodiscard]] HalfOpen* find(std::uint32_t address, std::uint16_t port);
  void ask(const tcp_hdr& header, u16_t options);
  bool answer(HalfOpen& client) const;
  Millis answer_next();
  void acknowledge(HalfOpen& client, tcp_hdr& header, pbuf& data);
  bool open(const HalfOpen& client, const tcp_hdr& header);

  Millis answered_ms_ = 0;  // one of those that were kept
  HalfOpen half_open_[most_half_open] = {};
#endif
};

}  // namespace mcp::lwip

#include <mcp/detail/epilogue.hpp>
