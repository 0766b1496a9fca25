// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/lwip_tcp.hpp"

#include <lwip/inet_chksum.h>
#include <lwip/ip.h>
#include <lwip/priv/altcp_priv.h>
#include <lwip/priv/tcp_priv.h>
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

// The memory of lwIP is computed with its bookkeeping for each piece, in addition to the headers of a segment.
static_assert(MOTE_LWIP_PIECE >= 8 + sizeof(pbuf) + PBUF_TRANSPORT + MEM_ALIGNMENT - 1);

// altcp counts half seconds between two calls of poll.
constexpr u8_t second = 2;
// A closed connection: how long it may still take, in seconds, and how long the peer may then be silent.
constexpr std::uintptr_t goodbye_s = 20;
constexpr std::uintptr_t quiet_s = 2;

// The answer to a first segment: a header and the longest segment that this end takes (option 2). Source: RFC 9293.
constexpr u16_t answer_size = TCP_HLEN + 4;
constexpr std::uint8_t option_end = 0;
constexpr std::uint8_t option_none = 1;
constexpr std::uint8_t option_segment = 2;
// For a client that does not name its segment size.
constexpr std::uint16_t usual_segment = 536;
// Between two answers to clients that were kept.
constexpr Millis answer_interval_ms = 100;

// All connections, for the callbacks of lwIP.
TcpListener* first_listener;

// TCP's, below whatever lies between, such as TLS.
tcp_pcb* tcp_of(altcp_pcb* pcb) {
  while (pcb->inner_conn != nullptr) pcb = pcb->inner_conn;
  return static_cast<tcp_pcb*>(pcb->state);
}

// ---- A connection that was closed and has no TcpConnection any more ------------------------------------------------

// Reads and discards later input of the client. Unread input would reset the connection and lose written bytes.

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

// The client's maximum segment size in bytes. The segment has all options, after the header.
std::uint16_t segment_of(const tcp_hdr& header, u16_t size) {
  const auto* const options = reinterpret_cast<const std::uint8_t*>(&header + 1);
  for (unsigned at = 0; at < size && options[at] != option_end;) {
    if (options[at] == option_none) {
      ++at;
      continue;
    }
    if (at + 4 <= size && options[at] == option_segment && options[at + 1] == 4) {
      const auto segment = static_cast<std::uint16_t>(options[at + 2] << 8 | options[at + 3]);
      return segment != 0 ? segment : usual_segment;
    }
    if (at + 1 == size || options[at + 1] < 2) break;
    at += options[at + 1];
  }
  return usual_segment;
}

void say_goodbye(altcp_pcb* pcb) {
  altcp_arg(pcb, nullptr);
  altcp_err(pcb, nullptr);
  altcp_recv(pcb, throw_away);
  altcp_sent(pcb, give_way);
  altcp_poll(pcb, count_second, second);
  static_cast<void>(give_way(nullptr, pcb, 0));
  // Without memory for the FIN, lwIP sends it later.
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
    static_cast<void>(altcp_close(pcb));
    return ERR_OK;
  }
  // Only encrypted input can be more than the window allowed; lwIP offers it again.
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

// lwIP has freed it already. Unless both ends have closed it, its input is not read any more, as with any other TCP.
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
    written_ = true;  // if nothing fits, earlier bytes must be sent first
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
  if (altcp_bind(pcb, IP4_ADDR_ANY, port) == ERR_OK) pcb_ = altcp_listen(pcb);
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
  if (pcb_ == nullptr) return;
  // altcp_close() is for connections: a listening pcb (2.2.1) lacks the members that it reads.
  static_cast<void>(tcp_close(tcp_of(pcb_)));
  altcp_free(pcb_);
}

bool TcpListener::has_free_connection() const {
  return std::ranges::find(connections_, TcpConnection::State::free, &TcpConnection::state_) != connections_.end();
}

TcpListener::HalfOpen* TcpListener::find(std::uint32_t address, std::uint16_t port) {
  for (HalfOpen& client : half_open_) {
    if (client.interface != 0 && client.address == address && client.port == port) return &client;
  }
  return nullptr;
}

// lwIP has put the header into the order of this processor. Of a client that is half-open it would keep as much as of
// one that is connected, for 20 s.
bool TcpListener::look_at(const tcp_pcb* pcb, tcp_hdr& header, u16_t options, pbuf& data) {
  TcpListener* listener = first_listener;
  while (listener != nullptr && (listener->pcb_ == nullptr || tcp_of(listener->pcb_) != pcb))
    listener = listener->next_;
  if (listener == nullptr) return true;
  const auto flags = TCPH_FLAGS(&header) & (TCP_SYN | TCP_ACK | TCP_RST);
  if (flags == TCP_SYN) {
    listener->ask(header, options);
    return false;
  }
  HalfOpen* const client = listener->find(ip4_addr_get_u32(ip4_current_src_addr()), header.src);
  if (client == nullptr) return true;
  if ((flags & TCP_RST) != 0) {
    if (header.seqno == client->theirs + 1) *client = {};
    return false;
  }
  if (flags != TCP_ACK || header.ackno != client->ours + 1) return true;
  listener->acknowledge(*client, header, data);
  return false;
}

// A client that wants to connect. A repeated SYN keeps the position in the queue.
void TcpListener::ask(const tcp_hdr& header, u16_t options) {
  const std::uint32_t address = ip4_addr_get_u32(ip4_current_src_addr());
  HalfOpen* client = find(address, header.src);
  const bool is_new = client == nullptr;
  if (is_new) {
    client = std::ranges::max_element(half_open_, {}, [](const HalfOpen& one) {
      return one.interface == 0 ? forever : std::min(time_of_poll() - one.since_ms, forever - 1);
    });
  }
  if (is_new || client->theirs != header.seqno) {
    std::uint8_t random[4];
    if (!fill_random(random)) return;
    client->is_answered = false;
    std::memcpy(&client->ours, random, sizeof random);
  }
  if (is_new) client->since_ms = time_of_poll();
  client->interface = netif_get_index(ip_current_input_netif());
  client->address = address;
  client->port = header.src;
  client->theirs = header.seqno;
  client->segment = segment_of(header, options);
  client->knows_options = false;
  if (has_free_connection() || client->is_answered) client->is_answered = answer(*client);
}

// False without memory for it, or when its interface is gone.
bool TcpListener::answer(HalfOpen& client) const {
  netif* const interface = netif_get_by_index(client.interface);
  // A client that has had them ignores them now, but libslirp (4.7), the user network of QEMU, loses the bytes that it
  // has sent when it sees the segment size once more.
  const u16_t size = client.knows_options ? TCP_HLEN : answer_size;
  pbuf* const segment = interface != nullptr ? pbuf_alloc(PBUF_IP, size, PBUF_RAM) : nullptr;
  if (segment == nullptr) return false;
  ip_addr_t to;
  ip_addr_set_ip4_u32(&to, client.address);
  const ip_addr_t& from = *netif_ip_addr4(interface);
  auto& header = *static_cast<tcp_hdr*>(segment->payload);
  header.src = lwip_htons(tcp_of(pcb_)->local_port);
  header.dest = lwip_htons(client.port);
  header.seqno = lwip_htonl(client.ours);
  header.ackno = lwip_htonl(client.theirs + 1);
  TCPH_HDRLEN_FLAGS_SET(&header, size / 4, TCP_SYN | TCP_ACK);
  header.wnd = PP_HTONS(TCP_WND);
  header.chksum = 0;
  header.urgp = 0;
  if (!client.knows_options) {
    auto* const option = reinterpret_cast<std::uint8_t*>(&header + 1);
    option[0] = option_segment;
    option[1] = 4;
    option[2] = TCP_MSS >> 8;
    option[3] = TCP_MSS & 0xFF;
  }
  header.chksum = ip_chksum_pseudo(segment, IP_PROTO_TCP, size, &from, &to);
  const err_t error = ip4_output_if(segment, ip_2_ip4(&from), ip_2_ip4(&to), TCP_TTL, 0, IP_PROTO_TCP, interface);
  pbuf_free(segment);
  return error == ERR_OK;
}

// Answers the client that has waited longest, if a slot is free. Returns the milliseconds until the next one.
Millis TcpListener::answer_next() {
  if (!has_free_connection()) return forever;
  HalfOpen* oldest = nullptr;
  unsigned others = 0;
  for (HalfOpen& client : half_open_) {
    if (client.interface == 0 || client.is_answered) continue;
    ++others;
    if (oldest == nullptr || time_of_poll() - client.since_ms > time_of_poll() - oldest->since_ms) oldest = &client;
  }
  if (oldest == nullptr) return forever;
  const Millis passed = time_of_poll() - answered_ms_;
  if (passed < answer_interval_ms) return answer_interval_ms - passed;
  answered_ms_ = time_of_poll();
  oldest->is_answered = answer(*oldest);
  return others > 1 || !oldest->is_answered ? answer_interval_ms : forever;
}

// Its address is its own: it is connected, and lwIP sees this segment once more.
void TcpListener::acknowledge(HalfOpen& client, tcp_hdr& header, pbuf& data) {
  if (header.seqno != client.theirs + 1) return;  // the client repeats bytes that follow a lost segment
  // Without a slot or memory, the server answers again later, and acknowledges these bytes then.
  client.knows_options = true;
  client.is_answered = has_free_connection() && open(client, header);
  if (!client.is_answered) return;
  client = {};
  header.src = lwip_htons(header.src);
  header.dest = lwip_htons(header.dest);
  header.seqno = lwip_htonl(header.seqno);
  header.ackno = lwip_htonl(header.ackno);
  header.wnd = lwip_htons(header.wnd);
  // A frame lies in one piece.
  const auto* const frame = reinterpret_cast<const char*>(ip4_current_header()) - SIZEOF_ETH_HDR;
  pbuf_ref(&data);
  pbuf_add_header_force(&data, static_cast<std::size_t>(static_cast<const char*>(data.payload) - frame));
  take_again(data);
}

// As tcp_listen_input() does for a first segment, but that was answered already. False without memory for it.
bool TcpListener::open(const HalfOpen& client, const tcp_hdr& header) {
  auto* const own = reinterpret_cast<tcp_pcb_listen*>(tcp_of(pcb_));
  tcp_pcb* const pcb = tcp_alloc(own->prio);
  if (pcb == nullptr) return false;
  ip_addr_copy(pcb->local_ip, *ip_current_dest_addr());
  ip_addr_copy(pcb->remote_ip, *ip_current_src_addr());
  pcb->local_port = own->local_port;
  pcb->remote_port = client.port;
  pcb->state = SYN_RCVD;
  pcb->rcv_nxt = pcb->rcv_ann_right_edge = client.theirs + 1;
  pcb->snd_wl1 = client.theirs - 1;  // so that the window is that of the segment
  pcb->snd_wl2 = pcb->lastack = client.ours;
  pcb->snd_nxt = pcb->snd_lbb = client.ours + 1;
  pcb->snd_wnd = pcb->snd_wnd_max = header.wnd;
  pcb->callback_arg = own->callback_arg;
  pcb->listener = own;
  pcb->so_options = own->so_options & SOF_INHERITED;
  pcb->netif_idx = own->netif_idx;
  TCP_REG_ACTIVE(pcb);
  pcb->mss = tcp_eff_send_mss(std::min<u16_t>(client.segment, TCP_MSS), &pcb->local_ip, &pcb->remote_ip);
  return true;
}

err_t TcpListener::on_connected(void* self, altcp_pcb* pcb, err_t error) {
  auto& listener = *static_cast<TcpListener*>(self);
  if (pcb == nullptr || error != ERR_OK) return ERR_VAL;
  for (TcpConnection& connection : listener.connections_) {
    if (connection.state_ != TcpConnection::State::free) continue;
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

Millis TcpListener::flush() {
  for (TcpConnection& connection : connections_) {
    if (!connection.written_) continue;
    connection.written_ = false;
    // lwIP's next turn sends the rest.
    if (connection.pcb_ != nullptr) static_cast<void>(altcp_output(connection.pcb_));
  }
  return pcb_ != nullptr ? answer_next() : forever;
}

}  // namespace mcp::lwip

// ---- Called by lwIP (lwipopts.h) ------------------------------------------------------------------------------------

extern "C" std::int8_t mote_lwip_look(tcp_pcb* pcb, tcp_hdr* header, std::uint16_t options, pbuf* data) {
  if (pcb->state != LISTEN) return ERR_OK;
  return mcp::lwip::TcpListener::look_at(pcb, *header, options, *data) ? ERR_OK : ERR_MEM;
}
