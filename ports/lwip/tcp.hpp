// TCP through lwIP's altcp calls: a listening port and its connections, without a thread and without a heap. Knows no
// board and no protocol.
#pragma once

#include <lwip/altcp.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "mcp/port.hpp"
#include "ports/lwip/network.hpp"

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
/// When all are taken, further clients are answered as soon as one has ended, in their order; more than `most_kept` of
/// them, and those for whom lwIP has no memory then, ask again by themselves (after 1 s, 3 s, 7 s …). What has ended
/// but still waits for the other end's good-bye gives its memory to a new one; at the latest after 20 s it is reset.
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

  /// Clients without a place whose first segment is kept, in lwIP's memory.
  static constexpr std::size_t most_kept = 4;

  /// For lwIP: a segment for a listening `pcb`. False when it is not to look at it now.
  [[nodiscard]] static bool look_at(const tcp_pcb* pcb, const tcp_hdr& header, u16_t options, const pbuf& data);

 private:
  Connection* do_accept() override;
  bool do_has_waiting() override;
  [[nodiscard]] bool has_room() const;
  bool keep(pbuf* frame, std::size_t at);
  [[nodiscard]] TcpConnection* oldest_waiting() const;
  void flush() override;
  static err_t on_connected(void* self, altcp_pcb* pcb, err_t error);

  Network* network_;
  std::span<TcpConnection> connections_;
  altcp_pcb* pcb_ = nullptr;
  std::uint32_t accepted_ = 0;
  TcpListener* next_;
  pbuf* kept_[most_kept] = {};  // of clients that wait: the frames with their SYN, the oldest first
  netif* kept_from_ = nullptr;
};

}  // namespace mcp::lwip
