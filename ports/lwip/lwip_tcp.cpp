// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/lwip_tcp.hpp"

#include <lwip/priv/tcp_priv.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "ports/lwip/lwip_lock.hpp"

namespace mcp::lwip {
namespace {

#if LWIP_TCP_KEEPALIVE
// Keep-alive: after half a minute without a word, three times, in milliseconds. The sum is Limits::session_idle_ms,
// so that the Retry-After of a server without a free session is long enough.
constexpr std::uint32_t silence_ms = 30'000;
constexpr std::uint32_t question_interval_ms = 10'000;
constexpr std::uint32_t questions = 3;
#endif

// The least that is worth a segment when memory is short.
constexpr std::size_t least_piece = 64;

// Without memory in lwIP nothing may be on its way, and then no event says that there is some again.
constexpr Millis retry_interval_ms = 100;
// How soon a listener of one interface notices that the interface was removed from lwIP and added again.
constexpr Millis bind_interval_ms = 1'000;

#if MOTE_LWIP_STACK
// The memory of lwIP is computed with its bookkeeping for each piece, in addition to the headers of a segment.
static_assert(MOTE_LWIP_PIECE >= 8 + sizeof(pbuf) + PBUF_TRANSPORT + MEM_ALIGNMENT - 1);

unsigned connections_of(const ip_addr_t& address) {
  unsigned count = 0;
  for (const tcp_pcb* pcb = tcp_active_pcbs; pcb != nullptr; pcb = pcb->next)
    count += ip_addr_eq(&pcb->remote_ip, &address) ? 1 : 0;
  return count;
}
#endif

// lwIP counts half seconds between two calls of poll.
constexpr u8_t second = 2;
// A closed connection: how long it may still take, in seconds, and how long the peer may then be silent.
constexpr std::uintptr_t goodbye_s = 20;
constexpr std::uintptr_t quiet_s = 2;

// ---- A connection that was closed and has no TcpConnection any more ------------------------------------------------

// Reads and discards later input of the client. Unread input would reset the connection and lose written bytes. This
// also marks the connection for end_closed_for().

err_t throw_away(void*, tcp_pcb* pcb, pbuf* data, err_t) {
  if (data == nullptr) return ERR_OK;
  tcp_recved(pcb, data->tot_len);
  pbuf_free(data);
  return ERR_OK;
}

// `seconds` is a number in the place of a pointer.
err_t count_second(void* seconds, tcp_pcb* pcb) {
  const std::uintptr_t passed = reinterpret_cast<std::uintptr_t>(seconds) + 1;
  if (passed >= goodbye_s || (passed >= quiet_s && tcp_sndqueuelen(pcb) == 0)) {
    tcp_abort(pcb);
    return ERR_ABRT;
  }
  tcp_arg(pcb, reinterpret_cast<void*>(passed));  // NOLINT(performance-no-int-to-ptr)
  return ERR_OK;
}

// When the client has all that was written for it, a new client may have the memory.
err_t give_way(void*, tcp_pcb* pcb, u16_t) {
  if (tcp_sndbuf(pcb) == TCP_SND_BUF) tcp_setprio(pcb, TCP_PRIO_MIN);
  return ERR_OK;
}

// Also if the client has ended, because it need not take what was written for it.
void say_goodbye(tcp_pcb* pcb) {
  tcp_arg(pcb, nullptr);
  tcp_err(pcb, nullptr);
  tcp_recv(pcb, throw_away);
  tcp_sent(pcb, give_way);
  tcp_poll(pcb, count_second, second);
  static_cast<void>(give_way(nullptr, pcb, 0));
  // Without memory for the FIN, lwIP sends it later.
  static_cast<void>(tcp_shutdown(pcb, 0, 1));
}

}  // namespace

// ---- TcpConnection -------------------------------------------------------------------------------------------------

TcpConnection::TcpConnection() = default;

void TcpConnection::begin(TcpOwner& owner, tcp_pcb* pcb, std::uint32_t number) {
  owner_ = &owner;
  pcb_ = pcb;
  number_ = number;
  peer_ = lwip_ntohl(ip4_addr_get_u32(ip_2_ip4(&pcb->remote_ip)));
  first_ = size_ = 0;
  state_ = State::waiting;
  ended_ = finished_ = written_ = needs_memory_ = false;
  note_input();
  tcp_arg(pcb, this);
  tcp_recv(pcb, on_received);
  tcp_err(pcb, on_lost);
#if MOTE_LWIP_IS_SHARED
  tcp_sent(pcb, on_sent);
#endif
  tcp_nagle_disable(pcb);  // a message is written in pieces, and sent by flush()
  ip_set_option(pcb, SOF_KEEPALIVE);
#if LWIP_TCP_KEEPALIVE
  pcb->keep_idle = silence_ms;
  pcb->keep_intvl = question_interval_ms;
  pcb->keep_cnt = questions;
#endif
}

err_t TcpConnection::on_received(void* self, tcp_pcb*, pbuf* data, err_t) {
  auto& connection = *static_cast<TcpConnection*>(self);
  connection.owner_->interface_->wake();
  if (data == nullptr) {
    connection.ended_ = true;
    connection.note_input();
    if (!connection.finished_) return ERR_OK;
    // Both ends have: from now on lwIP forgets it without a word.
    say_goodbye(std::exchange(connection.pcb_, nullptr));
    return ERR_OK;
  }
  // Never more than the window allows.
  static_assert(sizeof connection.received_ <= 0xFFFF);
  const std::size_t room = sizeof connection.received_ - connection.size_;
  if (data->tot_len > room) return ERR_MEM;
  const std::size_t at = (connection.first_ + connection.size_) % sizeof connection.received_;
  const std::size_t before_end = std::min<std::size_t>(data->tot_len, sizeof connection.received_ - at);
  static_cast<void>(pbuf_copy_partial(data, connection.received_ + at, static_cast<u16_t>(before_end), 0));
  static_cast<void>(pbuf_copy_partial(data, connection.received_, static_cast<u16_t>(data->tot_len - before_end),
                                      static_cast<u16_t>(before_end)));
  connection.size_ = static_cast<std::uint16_t>(connection.size_ + data->tot_len);
  connection.note_input();
  pbuf_free(data);
  return ERR_OK;
}

#if MOTE_LWIP_IS_SHARED
err_t TcpConnection::on_sent(void* self, tcp_pcb*, u16_t) {
  static_cast<TcpConnection*>(self)->owner_->interface_->wake();
  return ERR_OK;
}
#endif

// lwIP has freed it already. Unless both ends have closed it, its input is not read any more, as with any other TCP.
void TcpConnection::on_lost(void* self, err_t why) {
  auto& connection = *static_cast<TcpConnection*>(self);
  connection.pcb_ = nullptr;
  if (why != ERR_CLSD) {
    connection.size_ = 0;
    connection.ended_ = false;
  }
  connection.note_input();
  if (connection.state_ == State::waiting) connection.release();
  connection.owner_->interface_->wake();
}

void TcpConnection::release() {
  state_ = State::free;
  owner_->update_backlog();
}

IoResult TcpConnection::do_read(std::span<char> into) {
  const CoreLock lock;
  if (size_ == 0 && ended_) return {IoStatus::closed, 0};
  note_input();
  if (size_ == 0) return {pcb_ != nullptr ? IoStatus::would_block : IoStatus::failed, 0};
  const std::size_t size = std::min({into.size(), std::size_t{size_}, sizeof received_ - first_});
  std::memcpy(into.data(), received_ + first_, size);
  first_ = static_cast<std::uint16_t>((first_ + size) % sizeof received_);
  size_ = static_cast<std::uint16_t>(size_ - size);
  note_input();
  if (pcb_ != nullptr) tcp_recved(pcb_, static_cast<u16_t>(size));
  return {IoStatus::ok, size};
}

// Another task of a shared lwIP would change the flag while the main loop reads it.
void TcpConnection::note_input() {
#if !MOTE_LWIP_IS_SHARED
  set_may_read(size_ != 0 || ended_ || pcb_ == nullptr);
#endif
}

IoResult TcpConnection::do_write(std::span<const char> from) {
  const CoreLock lock;
  if (pcb_ == nullptr) return {IoStatus::failed, 0};
  std::size_t size = std::min<std::size_t>(from.size(), tcp_sndbuf(pcb_));
  while (size != 0) {
    const err_t error = tcp_write(pcb_, from.data(), static_cast<u16_t>(size), TCP_WRITE_FLAG_COPY);
    written_ = true;  // if nothing fits, earlier bytes must be sent first
    needs_memory_ = error == ERR_MEM;
#if MOTE_LWIP_STACK
    // A client that has not acknowledged all may also have too many segments. Then others have not taken its memory.
    if (needs_memory_ && tcp_sndqueuelen(pcb_) == 0 && TcpOwner::end_closed_for(pcb_->remote_ip)) continue;
#endif
    if (error == ERR_OK) return {IoStatus::ok, size};
    if (!needs_memory_) return {IoStatus::failed, 0};
    size = size > least_piece ? size / 2 : 0;
  }
  return {IoStatus::would_block, 0};
}

// Without memory for the end lwIP sends it later.
void TcpConnection::do_finish() {
  const CoreLock lock;
  finished_ = true;
  if (pcb_ != nullptr) static_cast<void>(tcp_shutdown(pcb_, 0, 1));
}

void TcpConnection::do_close() {
  const CoreLock lock;
  tcp_pcb* const pcb = pcb_;
  const std::size_t unread = size_;
  pcb_ = nullptr;
  size_ = 0;
  release();
  if (pcb == nullptr) return;
  if (unread != 0) tcp_recved(pcb, static_cast<u16_t>(unread));
  say_goodbye(pcb);
}

void TcpConnection::drop() {
  note_input_at(nullptr);
  if (pcb_ != nullptr) tcp_abort(pcb_);
  state_ = State::free;
}

// Returns the milliseconds until the next call.
Millis TcpConnection::flush() {
  if (pcb_ == nullptr) return forever;
  if (written_) written_ = tcp_output(pcb_) != ERR_OK;
  return written_ || std::exchange(needs_memory_, false) ? retry_interval_ms : forever;
}

// ---- TcpListener ---------------------------------------------------------------------------------------------------

TcpListener::TcpListener(Interface& interface, std::span<TcpConnection> connections, std::uint16_t port, Reach reach)
    : reach_(reach) {
  interface_ = &interface;
  connections_ = connections;
#if MOTE_LWIP_STACK
  set_capacity(std::min<std::size_t>(connections.size(), MOTE_LWIP_CONNECTIONS));
#else
  // lwIP tells of a client only when it has accepted the client.
  set_capacity(connections.empty() ? 0 : connections.size() - 1);
#endif
  const CoreLock lock;
  interface.add(*this);
  tcp_pcb* const pcb = tcp_new();
  if (pcb == nullptr) return;
  if (tcp_bind(pcb, IP4_ADDR_ANY, port) == ERR_OK) pcb_ = tcp_listen(pcb);
  if (pcb_ == nullptr) {
    static_cast<void>(tcp_close(pcb));
    return;
  }
  tcp_arg(pcb_, this);
  tcp_accept(pcb_, on_connected);
  update_backlog();
  static_cast<void>(bind_interface());
}

TcpListener::~TcpListener() {
  const CoreLock lock;
  interface_->remove(*this);
  for (TcpConnection& connection : connections_) connection.drop();
  if (pcb_ != nullptr) static_cast<void>(tcp_close(pcb_));
}

// An interface that was removed from lwIP has another number when it is there again. Returns the milliseconds until the
// next call.
Millis TcpListener::bind_interface() {
  if (reach_ == Reach::all_interfaces) return forever;
  tcp_bind_netif(pcb_, &interface_->interface());
  return bind_interval_ms;
}

// lwIP answers only so many clients as there are free connections.
void TcpOwner::update_backlog() {
#if TCP_LISTEN_BACKLOG
  if (pcb_ == nullptr) return;
  const auto free = std::ranges::count(connections_, TcpConnection::State::free, &TcpConnection::state_);
  reinterpret_cast<tcp_pcb_listen*>(pcb_)->backlog = static_cast<u8_t>(std::min<std::ptrdiff_t>(free, 255));
#endif
}

#if MOTE_LWIP_STACK
// How long a closed connection keeps its memory in any case: longer than the first repetition of lost bytes takes.
constexpr std::uintptr_t kept_s = 4;

// Ends a closed connection for a client of `address`: one of an address with several, and with more than `address`, or
// one that was closed for some time. Its client takes no bytes, and would keep their memory for up to 20 s.
bool TcpOwner::end_closed_for(const ip_addr_t& address) {
  const unsigned own = std::max(connections_of(address), 1U);
  for (tcp_pcb* pcb = tcp_active_pcbs; pcb != nullptr; pcb = pcb->next) {
    if (pcb->recv != throw_away) continue;
    const auto seconds = reinterpret_cast<std::uintptr_t>(pcb->callback_arg);
    if (seconds < kept_s && connections_of(pcb->remote_ip) <= own) continue;
    tcp_abort(pcb);
    return true;
  }
  return false;
}
#endif

err_t TcpListener::on_connected(void* self, tcp_pcb* pcb, err_t error) {
  auto& listener = *static_cast<TcpListener*>(self);
  if (pcb == nullptr || error != ERR_OK) return ERR_VAL;
  for (TcpConnection& connection : listener.connections_) {
    if (connection.state_ != TcpConnection::State::free) continue;
    connection.begin(listener, pcb, ++listener.accepted_);
    listener.update_backlog();
    listener.interface_->wake();
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
  const CoreLock lock;
  TcpConnection* const next = oldest_waiting();
  if (next != nullptr) next->state_ = TcpConnection::State::open;
  return next;
}

bool TcpListener::do_has_waiting() {
  const CoreLock lock;
#if MOTE_LWIP_STACK
  if (has_waiting_client()) return true;
#endif
  return oldest_waiting() != nullptr;
}

Millis TcpListener::flush() {
  if (pcb_ == nullptr) return forever;
  Millis due = bind_interface();
  for (TcpConnection& connection : connections_) due = std::min(due, connection.flush());
  return due;
}

}  // namespace mcp::lwip
