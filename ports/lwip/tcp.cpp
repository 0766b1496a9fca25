#include "ports/lwip/tcp.hpp"

#include <lwip/priv/altcp_priv.h>
#include <lwip/prot/ethernet.h>
#include <lwip/prot/tcp.h>
#include <lwip/tcp.h>
#include <netif/ethernet.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace mcp::lwip {
namespace {

// Keep-alive: after a minute without a word, three times, in milliseconds.
constexpr std::uint32_t silence_ms = 60'000;
constexpr std::uint32_t question_interval_ms = 10'000;
constexpr std::uint32_t questions = 3;

// The least that is worth a segment when memory is short.
constexpr std::size_t least_piece = 64;

// lwIP's memory was counted out with what it notes about each piece, beside the headers of a segment.
static_assert(MOTE_LWIP_PIECE >= 8 + sizeof(pbuf) + PBUF_TRANSPORT + MEM_ALIGNMENT - 1);

// altcp counts half seconds between two calls of poll.
constexpr u8_t second = 2;
// A connection that was closed: what it still may take, in seconds, and how long the other end may then keep quiet.
constexpr std::uintptr_t goodbye_s = 20;
constexpr std::uintptr_t quiet_s = 2;

// Those that live, for what lwIP asks.
TcpListener* first_listener;

// The backlog is TCP's: it is counted below whatever lies between, such as TLS.
tcp_pcb* tcp_of(altcp_pcb* pcb) {
  while (pcb->inner_conn != nullptr) pcb = pcb->inner_conn;
  return static_cast<tcp_pcb*>(pcb->state);
}

// ---- A connection that was closed and has no TcpConnection any more ------------------------------------------------

// What the client still sends is thrown away: not to take it would reset the connection, and lose what was written.

err_t throw_away(void*, altcp_pcb* pcb, pbuf* data, err_t) {
  if (data == nullptr) return altcp_close(pcb);
  altcp_recved(pcb, data->tot_len);
  pbuf_free(data);
  return ERR_OK;
}

// `seconds` is a number in the place of a pointer.
err_t count_second(void* seconds, altcp_pcb* pcb) {
  const std::uintptr_t passed = reinterpret_cast<std::uintptr_t>(seconds) + 1;
  if (passed >= goodbye_s || (passed >= quiet_s && altcp_sndqueuelen(pcb) == 0)) {
    altcp_abort(pcb);
    return ERR_ABRT;
  }
  altcp_arg(pcb, reinterpret_cast<void*>(passed));  // NOLINT(performance-no-int-to-ptr)
  return ERR_OK;
}

// When the client has all that was written for it, a new client may have the memory.
err_t give_way(void*, altcp_pcb* pcb, u16_t) {
  if (altcp_sndbuf(pcb) == TCP_SND_BUF) tcp_setprio(tcp_of(pcb), TCP_PRIO_MIN);
  return ERR_OK;
}

void say_goodbye(altcp_pcb* pcb) {
  altcp_arg(pcb, nullptr);
  altcp_err(pcb, nullptr);
  altcp_recv(pcb, throw_away);
  altcp_sent(pcb, give_way);
  altcp_poll(pcb, count_second, second);
  static_cast<void>(give_way(nullptr, pcb, 0));
  // Without memory for the good-bye lwIP sends it later.
  static_cast<void>(altcp_shutdown(pcb, 0, 1));
}

}  // namespace

// ---- TcpConnection -------------------------------------------------------------------------------------------------

TcpConnection::TcpConnection() = default;

void TcpConnection::begin(altcp_pcb* pcb, std::uint32_t number) {
  pcb_ = pcb;
  number_ = number;
  peer_ = lwip_ntohl(ip4_addr_get_u32(ip_2_ip4(altcp_get_ip(pcb, 0))));
  first_ = size_ = 0;
  state_ = State::waiting;
  ended_ = finished_ = written_ = false;
  altcp_arg(pcb, this);
  altcp_recv(pcb, on_received);
  altcp_err(pcb, on_lost);
  altcp_nagle_disable(pcb);  // a message is written in pieces, and sent by flush()
  altcp_keepalive_enable(pcb, silence_ms, question_interval_ms, questions);
}

err_t TcpConnection::on_received(void* self, altcp_pcb*, pbuf* data, err_t) {
  auto& connection = *static_cast<TcpConnection*>(self);
  if (data == nullptr) {
    connection.ended_ = true;
    if (!connection.finished_) return ERR_OK;
    // Both ends have: from now on lwIP forgets it without a word.
    altcp_pcb* const pcb = std::exchange(connection.pcb_, nullptr);
    tcp_backlog_accepted(tcp_of(pcb));
    static_cast<void>(altcp_close(pcb));
    return ERR_OK;
  }
  // Only what was encrypted can be more than the window allowed; lwIP offers it again.
  static_assert(sizeof connection.received_ <= 0xFFFF);
  const std::size_t room = sizeof connection.received_ - connection.size_;
  if (data->tot_len > room) return ERR_MEM;
  const std::size_t at = (connection.first_ + connection.size_) % sizeof connection.received_;
  const std::size_t before_end = std::min<std::size_t>(data->tot_len, sizeof connection.received_ - at);
  static_cast<void>(pbuf_copy_partial(data, connection.received_ + at, static_cast<u16_t>(before_end), 0));
  static_cast<void>(pbuf_copy_partial(data, connection.received_, static_cast<u16_t>(data->tot_len - before_end),
                                      static_cast<u16_t>(before_end)));
  connection.size_ = static_cast<std::uint16_t>(connection.size_ + data->tot_len);
  pbuf_free(data);
  return ERR_OK;
}

// lwIP has freed it already. Unless both ends have ended it, what it brought is not read any more: as with any other
// TCP.
void TcpConnection::on_lost(void* self, err_t why) {
  auto& connection = *static_cast<TcpConnection*>(self);
  connection.pcb_ = nullptr;
  if (why != ERR_CLSD) {
    connection.size_ = 0;
    connection.ended_ = false;
  }
  if (connection.state_ == State::waiting) connection.state_ = State::free;
}

IoResult TcpConnection::do_read(std::span<char> into) {
  if (size_ == 0 && ended_) return {IoStatus::closed, 0};
  if (size_ == 0) return {pcb_ != nullptr ? IoStatus::would_block : IoStatus::failed, 0};
  const std::size_t size = std::min({into.size(), std::size_t{size_}, sizeof received_ - first_});
  std::memcpy(into.data(), received_ + first_, size);
  first_ = static_cast<std::uint16_t>((first_ + size) % sizeof received_);
  size_ = static_cast<std::uint16_t>(size_ - size);
  if (pcb_ != nullptr) altcp_recved(pcb_, static_cast<u16_t>(size));
  return {IoStatus::ok, size};
}

IoResult TcpConnection::do_write(std::span<const char> from) {
  if (pcb_ == nullptr) return {IoStatus::failed, 0};
  std::size_t size = std::min<std::size_t>(from.size(), altcp_sndbuf(pcb_));
  while (size != 0) {
    const err_t error = altcp_write(pcb_, from.data(), static_cast<u16_t>(size), TCP_WRITE_FLAG_COPY);
    written_ = true;  // if nothing fits, what was written before has to go first
    if (error == ERR_OK) return {IoStatus::ok, size};
    if (error != ERR_MEM) return {IoStatus::failed, 0};
    size = size > least_piece ? size / 2 : 0;
  }
  return {IoStatus::would_block, 0};
}

// Without memory for the end lwIP sends it later.
void TcpConnection::do_finish() {
  finished_ = true;
  if (pcb_ != nullptr) static_cast<void>(altcp_shutdown(pcb_, 0, 1));
}

void TcpConnection::do_close() {
  altcp_pcb* const pcb = pcb_;
  const std::size_t unread = size_;
  pcb_ = nullptr;
  size_ = 0;
  state_ = State::free;
  if (pcb == nullptr) return;
  tcp_backlog_accepted(tcp_of(pcb));
  if (unread != 0) altcp_recved(pcb, static_cast<u16_t>(unread));
  if (ended_) {
    static_cast<void>(altcp_close(pcb));
  } else {
    say_goodbye(pcb);
  }
}

void TcpConnection::drop() {
  if (pcb_ != nullptr) altcp_abort(pcb_);
  state_ = State::free;
}

// ---- TcpListener ---------------------------------------------------------------------------------------------------

TcpListener::TcpListener(Network& network, std::span<TcpConnection> connections, std::uint16_t port)
    : network_(&network), connections_(connections), next_(std::exchange(first_listener, this)) {
  network.add(*this);
  altcp_pcb* const pcb = altcp_new(nullptr);
  if (pcb == nullptr) return;
  const auto backlog = static_cast<u8_t>(std::min<std::size_t>(connections.size(), 0xFF));
  if (altcp_bind(pcb, IP4_ADDR_ANY, port) == ERR_OK) pcb_ = altcp_listen_with_backlog(pcb, backlog);
  if (pcb_ == nullptr) {
    static_cast<void>(altcp_close(pcb));
    return;
  }
  altcp_arg(pcb_, this);
  altcp_accept(pcb_, on_connected);
}

TcpListener::~TcpListener() {
  network_->remove(*this);
  TcpListener** at = &first_listener;
  while (*at != this) at = &(*at)->next_;
  *at = next_;
  for (TcpConnection& connection : connections_) connection.drop();
  for (pbuf* const kept : kept_) {
    if (kept != nullptr) pbuf_free(kept);
  }
  if (pcb_ == nullptr) return;
  // altcp_close() is for connections: what it reads of one is not in a listening pcb (2.2.1).
  static_cast<void>(tcp_close(tcp_of(pcb_)));
  altcp_free(pcb_);
}

// For one more than those who are there or have been told that they may come. A place whose client is gone is nobody's
// until its user has closed it.
bool TcpListener::has_room() const {
  const auto* const pcb = reinterpret_cast<const tcp_pcb_listen*>(tcp_of(pcb_));
  const auto places = std::ranges::count_if(connections_, [](const TcpConnection& connection) {
    return connection.state_ == TcpConnection::State::free || connection.pcb_ != nullptr;
  });
  return places > pcb->accepts_pending;
}

// A client that asks to be connected, and for whom there is no place: what it asks with is kept, so that it need not
// ask again when there is one. lwIP has put the header into the order of this processor.
bool TcpListener::look_at(const tcp_pcb* pcb, const tcp_hdr& header, u16_t options, const pbuf& data) {
  TcpListener* listener = first_listener;
  while (listener != nullptr && (listener->pcb_ == nullptr || tcp_of(listener->pcb_) != pcb))
    listener = listener->next_;
  if (listener == nullptr || (TCPH_FLAGS(&header) & (TCP_SYN | TCP_ACK | TCP_RST)) != TCP_SYN) return true;
  if (listener->has_room()) return true;
  if (data.tot_len != 0) return false;
  // A frame lies in one piece.
  const auto before = static_cast<u16_t>(SIZEOF_ETH_HDR + ip_current_header_tot_len());
  const auto size = static_cast<u16_t>(before + sizeof header + options);
  pbuf* const frame = pbuf_alloc(PBUF_RAW, size, PBUF_RAM);
  if (frame == nullptr) return false;
  auto* const bytes = static_cast<char*>(frame->payload);
  std::memcpy(bytes, reinterpret_cast<const char*>(ip4_current_header()) - SIZEOF_ETH_HDR, size);
  auto& kept = *reinterpret_cast<tcp_hdr*>(bytes + before);
  kept.src = lwip_htons(header.src);
  kept.dest = lwip_htons(header.dest);
  kept.seqno = lwip_htonl(header.seqno);
  kept.ackno = lwip_htonl(header.ackno);
  kept.wnd = lwip_htons(header.wnd);
  listener->kept_from_ = ip_current_input_netif();
  if (!listener->keep(frame, before)) pbuf_free(frame);
  return false;
}

// False for one that is there already, or that there is no place for. Both ends stand around `at`, the end of the
// header of IP: their addresses before, their ports behind.
bool TcpListener::keep(pbuf* frame, std::size_t at) {
  constexpr std::size_t addresses = 8;
  constexpr std::size_t ports = 4;
  const auto ends_of = [at](const pbuf& one) { return static_cast<const char*>(one.payload) + at - addresses; };
  for (pbuf*& kept : kept_) {
    if (kept == nullptr) {
      kept = frame;
      return true;
    }
    if (std::memcmp(ends_of(*kept), ends_of(*frame), addresses + ports) == 0) return false;
  }
  return false;
}

err_t TcpListener::on_connected(void* self, altcp_pcb* pcb, err_t error) {
  auto& listener = *static_cast<TcpListener*>(self);
  if (pcb == nullptr || error != ERR_OK) return ERR_VAL;
  if (take_entropy_failure()) return ERR_MEM;  // its sequence number could be guessed: it is reset
  for (TcpConnection& connection : listener.connections_) {
    if (connection.state_ != TcpConnection::State::free) continue;
    // Counts as not yet accepted until it is closed: the backlog is the number of connections.
    tcp_backlog_delayed(tcp_of(pcb));
    connection.begin(pcb, ++listener.accepted_);
    return ERR_OK;
  }
  return ERR_MEM;
}

TcpConnection* TcpListener::oldest_waiting() const {
  TcpConnection* oldest = nullptr;
  for (TcpConnection& connection : connections_) {
    if (connection.state_ != TcpConnection::State::waiting) continue;
    if (oldest == nullptr || static_cast<std::int32_t>(connection.number_ - oldest->number_) < 0) oldest = &connection;
  }
  return oldest;
}

Connection* TcpListener::do_accept() {
  TcpConnection* const next = oldest_waiting();
  if (next != nullptr) next->state_ = TcpConnection::State::open;
  return next;
}

bool TcpListener::do_has_waiting() { return oldest_waiting() != nullptr; }

void TcpListener::flush() {
  for (TcpConnection& connection : connections_) {
    if (!connection.written_) continue;
    connection.written_ = false;
    // What cannot go now goes with lwIP's next turn.
    if (connection.pcb_ != nullptr) static_cast<void>(altcp_output(connection.pcb_));
  }
  while (kept_[0] != nullptr && has_room()) {
    pbuf* const frame = kept_[0];
    std::copy(kept_ + 1, kept_ + most_kept, kept_);
    kept_[most_kept - 1] = nullptr;
    if (ethernet_input(frame, kept_from_) != ERR_OK) pbuf_free(frame);
  }
}

}  // namespace mcp::lwip

// ---- What lwIP calls: lwipopts.h ------------------------------------------------------------------------------------

extern "C" std::int8_t mote_lwip_look(tcp_pcb* pcb, tcp_hdr* header, std::uint16_t options, pbuf* data) {
  if (pcb->state != LISTEN) return ERR_OK;
  return mcp::lwip::TcpListener::look_at(pcb, *header, options, *data) ? ERR_OK : ERR_MEM;
}
