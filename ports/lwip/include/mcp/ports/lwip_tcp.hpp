// TCP through lwIP's altcp calls: a listening port and its connections, without a thread and without a heap. Knows no
// board and no protocol.
#pragma once

#include <lwip/altcp.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/port.hpp"
#include "mcp/ports/lwip_network.hpp"

struct tcp_hdr;
struct tcp_pcb;

namespace mcp::lwip {

/// One connection of a TcpListener. RAM: TCP_WND bytes and 24. Its peer() is the client's IPv4 address.
///
/// Received bytes wait in it until they are read, and only then the sender may send as many more: a slow reader takes
/// nobody else's memory. What is written is copied into lwIP's memory and stays there until the client has it.
class TcpConnection final : public Connection {
 public:
  TcpConnection();  // not inline, so that its memory starts as zero and takes no flash

 private:
  friend class TcpListener;
  enum class State : std::uint8_t {
    free,
    waiting,  // to be accepted
    open,     // its user's
  };

  IoResult do_read(std::span<char> into) override;
  IoResult do_write(std::span<const char> from) override;
  void do_finish() override;
  void do_close() override;
  std::uint64_t do_peer() const override { return peer_; }
  void begin(altcp_pcb* pcb, std::uint32_t number);
  void drop();

  static err_t on_received(void* self, altcp_pcb* pcb, pbuf* data, err_t error);
  static void on_lost(void* self, err_t error);

  altcp_pcb* pcb_ = nullptr;  // none: the connection is gone
  std::uint32_t number_ = 0;  // counted by the listener
  std::uint32_t peer_ = 0;    // kept here: what was received is still read when the connection is lost
  std::uint16_t first_ = 0;   // where the oldest byte is that was not read yet
  std::uint16_t size_ = 0;    // bytes that were not read yet
  State state_ = State::free;
  bool ended_ = false;     // the client sends no more
  bool finished_ = false;  // nor does its user
  bool written_ = false;   // since the last flush
  char received_[TCP_WND];
};

/// A listening port. Its connections are the caller's memory: one for each client at the same time,
/// MOTE_LWIP_CONNECTIONS at most. With one more than the transport has, it knows who waits, and can make room.
///
/// A client takes a connection when it has acknowledged the answer to its first segment, so that its address is its
/// own. Until then it is one of `most_half_open`, of which the oldest gives way to a new one. While all connections are
/// taken, no client gets an answer. When one is free again, the half-open ones get their answers in order, 100 ms
/// apart, and the first to acknowledge takes it. The others ask again by themselves (after 1 s, 3 s, 7 s …). A
/// connection that has ended, but waits for the client's last segment, gives its memory to a new one, and is reset
/// after 20 s.
///
/// The answer to a first segment is sent again when the client asks again, not by itself: clients send first.
///
/// A client that has gone without a word is noticed after 90 s: it is asked whether it is there (keep-alive). Main
/// loop, never blocks; advances with Network::poll().
class TcpListener final : public Listener, private Sender {
 public:
  /// Listens at every address of the network. Both must outlive it.
  TcpListener(Network& network, std::span<TcpConnection> connections, std::uint16_t port);
  ~TcpListener();
  TcpListener(const TcpListener&) = delete;
  TcpListener& operator=(const TcpListener&) = delete;

  /// False when lwIP has no memory for one more, or somebody listens there already.
  [[nodiscard]] bool ok() const { return pcb_ != nullptr; }

  /// Clients that have asked to be connected and have not acknowledged the answer yet. RAM: 24 bytes each.
  static constexpr std::size_t most_half_open = 8;

  /// For lwIP: a segment for a listening `pcb`. False when it is not to look at it.
  [[nodiscard]] static bool look_at(const tcp_pcb* pcb, tcp_hdr& header, u16_t options, pbuf& data);

 private:
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
  };

  Connection* do_accept() override;
  bool do_has_waiting() override;
  [[nodiscard]] bool has_room() const;
  [[nodiscard]] HalfOpen* find(std::uint32_t address, std::uint16_t port);
  void ask(const tcp_hdr& header, u16_t options);
  bool answer(HalfOpen& client) const;
  Millis answer_next();
  void acknowledge(HalfOpen& client, tcp_hdr& header, pbuf& data);
  bool open(const HalfOpen& client, const tcp_hdr& header);
  [[nodiscard]] TcpConnection* oldest_waiting() const;
  Millis flush() override;
  static err_t on_connected(void* self, altcp_pcb* pcb, err_t error);

  Network* network_;
  std::span<TcpConnection> connections_;
  altcp_pcb* pcb_ = nullptr;
  std::uint32_t accepted_ = 0;
  TcpListener* next_;
  Millis answered_ms_ = 0;  // one of those that were kept
  HalfOpen half_open_[most_half_open] = {};
};

}  // namespace mcp::lwip
