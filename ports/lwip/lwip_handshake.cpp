// SPDX-License-Identifier: Apache-2.0
// The handshake of clients on the stack of a Network: lwIP keeps no memory for a client that is half-open. Knows no
// connection that is open.
#include <lwip/inet_chksum.h>
#include <lwip/ip.h>
#include <lwip/priv/tcp_priv.h>
#include <lwip/prot/ethernet.h>
#include <lwip/prot/tcp.h>
#include <lwip/sys.h>
#include <netif/ethernet.h>

#include <algorithm>
#include <cstring>

#include "mcp/ports/lwip_network.hpp"
#include "mcp/ports/lwip_tcp.hpp"

namespace mcp::lwip {
namespace {

// The answer to a first segment: a header and the longest segment that this end takes (option 2). Source: RFC 9293.
constexpr u16_t answer_size = TCP_HLEN + 4;
constexpr std::uint8_t option_end = 0;
constexpr std::uint8_t option_none = 1;
constexpr std::uint8_t option_segment = 2;
// For a client that does not name its segment size.
constexpr std::uint16_t usual_segment = 536;
// Between two answers to clients that were kept.
constexpr Millis answer_interval_ms = 100;

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

}  // namespace

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
  const auto* const listening = reinterpret_cast<const tcp_pcb_listen*>(pcb);
  if (listening->accept != on_connected) return true;  // of another application
  auto* const listener = static_cast<TcpListener*>(listening->callback_arg);
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
      return one.interface == 0 ? forever : std::min(sys_now() - one.since_ms, forever - 1);
    });
  }
  if (is_new || client->theirs != header.seqno) {
    std::uint8_t random[4];
    if (!interface_->fill_random(random)) return;
    client->is_answered = false;
    std::memcpy(&client->ours, random, sizeof random);
  }
  if (is_new) client->since_ms = sys_now();
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
  header.src = lwip_htons(pcb_->local_port);
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
    if (oldest == nullptr || sys_now() - client.since_ms > sys_now() - oldest->since_ms) oldest = &client;
  }
  if (oldest == nullptr) return forever;
  const Millis passed = sys_now() - answered_ms_;
  if (passed < answer_interval_ms) return answer_interval_ms - passed;
  answered_ms_ = sys_now();
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
  auto* const own = reinterpret_cast<tcp_pcb_listen*>(pcb_);
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

}  // namespace mcp::lwip

// ---- Called by lwIP (lwipopts.h) ------------------------------------------------------------------------------------

extern "C" std::int8_t mote_lwip_look(tcp_pcb* pcb, tcp_hdr* header, std::uint16_t options, pbuf* data) {
  if (pcb->state != LISTEN) return ERR_OK;
  return mcp::lwip::TcpListener::look_at(pcb, *header, options, *data) ? ERR_OK : ERR_MEM;
}
