// SPDX-License-Identifier: Apache-2.0
// The handshake of clients on the stack of a Network, with SYN cookies: neither lwIP nor the listener has memory for a
// client before it has acknowledged the SYN-ACK.
#include <lwip/etharp.h>
#include <lwip/inet_chksum.h>
#include <lwip/ip.h>
#include <lwip/priv/tcp_priv.h>
#include <lwip/prot/ethernet.h>
#include <lwip/prot/tcp.h>
#include <lwip/sys.h>
#include <netif/ethernet.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "mcp/ports/lwip_network.hpp"
#include "mcp/ports/lwip_tcp.hpp"

namespace mcp::lwip {
namespace {

// The answer to a first segment: a header and the longest segment that this end takes (option 2). Source: RFC 9293.
constexpr u16_t answer_size = TCP_HLEN + 4;
constexpr std::uint8_t tcp_option_end = 0;
constexpr std::uint8_t option_none = 1;
constexpr std::uint8_t option_segment = 2;
// For a client that does not name its segment size.
constexpr std::uint16_t usual_segment = 536;

// The upper 3 bits of a cookie are the segment size of the client, the others are a keyed hash.
constexpr unsigned hash_bits = 29;
constexpr std::uint32_t hash_mask = (1U << hash_bits) - 1;
// A cookie is valid in its window of 2^18 ms and in the next one: a client may have waited for that long.
constexpr unsigned window_bits = 18;
constexpr unsigned windows = 2;
// A client that waits repeats its bytes after 0.2, 0.6, 1.4 and 3 s (Linux). After this time without them, it does not
// count as waiting.
constexpr Millis absent_ms = 2'000;
// How often ARP asks for the sender of a first segment, so that it is known when the client sends the next one. More
// often, a flood of random senders would fill the table of ARP.
constexpr Millis ask_interval_ms = 1'000;
// How often it asks for a client that has acknowledged, and how long a client waits for the reply.
constexpr Millis reply_ms = 100;

// The client's maximum segment size in bytes. The segment has all options, after the header.
std::uint16_t segment_of(const tcp_hdr& header, u16_t size) {
  const auto* const options = reinterpret_cast<const std::uint8_t*>(&header + 1);
  for (unsigned at = 0; at < size && options[at] != tcp_option_end;) {
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

// The segment size that a cookie names: TCP_MSS less this many eighths of it.
constexpr u16_t segment_less(std::uint32_t eighths) { return static_cast<u16_t>(TCP_MSS - TCP_MSS * eighths / 8); }

// Gives the frame to lwIP once more. lwIP has put the header into the order of this processor.
void repeat(tcp_hdr& header, pbuf& data) {
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

}  // namespace

bool TcpListener::look_at(tcp_pcb* pcb, tcp_hdr& header, u16_t options, pbuf& data) {
  const auto flags = TCPH_FLAGS(&header) & (TCP_SYN | TCP_ACK | TCP_RST);
  if (pcb->state == TIME_WAIT) {
    // A client that uses its port again, with a later number. Source: RFC 1122 section 4.2.2.13.
    if (flags != TCP_SYN || !TCP_SEQ_GEQ(header.seqno, pcb->rcv_nxt)) return true;
    tcp_abort(pcb);
    repeat(header, data);
    return false;
  }
  if (pcb->state != LISTEN) return true;
  const auto* const listening = reinterpret_cast<const tcp_pcb_listen*>(pcb);
  if (listening->accept != on_connected) return true;  // of another application
  // Neither is a client's, and a free place of a waiting client has no port.
  if (header.src == 0 || ip4_addr_isany_val(*ip4_current_src_addr())) return false;
  auto& listener = *static_cast<TcpListener*>(listening->callback_arg);
  if (flags == TCP_ACK) return listener.acknowledge(header, data);
  if (flags == TCP_SYN) listener.answer(header, options, data);
  return flags != TCP_SYN;
}

// Whether to connect the sender of this packet. If ARP does not know its next hop, sends a request, unless another one
// was sent in the last `interval_ms`. Bytes wait for the reply once. A flood may drive each reply out of the table at
// once, and then lwIP asks when it sends. A client without bytes waits for its bytes.
bool TcpListener::can_reach(Millis interval_ms, bool has_bytes) {
  netif* const interface = ip_current_input_netif();
  const ip4_addr_t* const next = next_hop(*interface, *ip4_current_src_addr());
  if (ip4_addr_isany(next)) return false;  // there is no gateway
  if (is_known(*interface, *next)) return true;
  const Millis passed = sys_now() - asked_ms_;
  const bool is_asked = asked_ == ip4_addr_get_u32(next) && passed < ask_interval_ms;
  if (!is_asked && passed >= interval_ms) {
    asked_ = ip4_addr_get_u32(next);
    asked_ms_ = sys_now();
    static_cast<void>(etharp_query(interface, next, nullptr));
  }
  return has_bytes && (!is_asked || passed >= reply_ms);
}

// One block of 16 bytes through the permutation of Chaskey-LTS, between two additions of the key (Even and Mansour).
std::uint32_t TcpListener::cookie(std::uint16_t port, Millis window) const {
  std::uint32_t v0 = key_[0] ^ ip4_addr_get_u32(ip4_current_src_addr());
  std::uint32_t v1 = key_[1] ^ port;
  std::uint32_t v2 = key_[2] ^ window;
  std::uint32_t v3 = key_[3] ^ ip4_addr_get_u32(ip4_current_dest_addr());
  for (unsigned round = 0; round != 16; ++round) {
    v0 += v1;
    v1 = std::rotl(v1, 5) ^ v0;
    v0 = std::rotl(v0, 16);
    v2 += v3;
    v3 = std::rotl(v3, 8) ^ v2;
    v0 += v3;
    v3 = std::rotl(v3, 13) ^ v0;
    v2 += v1;
    v1 = std::rotl(v1, 7) ^ v2;
    v2 = std::rotl(v2, 16);
  }
  return (v0 ^ key_[0]) & hash_mask;
}

// A client that wants to connect. Its frame becomes the answer, so that a flood takes no memory.
void TcpListener::answer(tcp_hdr& header, u16_t options, pbuf& data) {
  const std::span key(reinterpret_cast<std::uint8_t*>(key_), sizeof key_);
  has_key_ = has_key_ || interface_->fill_random(key);
  if (!has_key_) return;
  const std::uint16_t segment = segment_of(header, options);
  std::uint32_t eighths = 0;
  while (eighths != 7 && segment_less(eighths) > segment) ++eighths;
  const std::uint32_t ours = (cookie(header.src, sys_now() >> window_bits) | eighths << hash_bits) + header.seqno;
  expected_ms_ = sys_now();
  // A client whose numbers repeat, such as one that has started again.
  if (Opened* const earlier = find_opened(ours + 1)) earlier->address = 0;

  static_cast<void>(can_reach(ask_interval_ms, false));
  const u16_t port = header.src;
  header.src = lwip_htons(header.dest);
  header.dest = lwip_htons(port);
  header.ackno = lwip_htonl(header.seqno + 1);
  header.seqno = lwip_htonl(ours);
  TCPH_HDRLEN_FLAGS_SET(&header, answer_size / 4, TCP_SYN | TCP_ACK);
  header.wnd = PP_HTONS(TCP_WND);
  header.chksum = 0;
  header.urgp = 0;
  constexpr std::uint8_t option[] = {option_segment, 4, TCP_MSS >> 8, TCP_MSS & 0xFF};
  std::memcpy(&header + 1, option, sizeof option);
  data.payload = &header;
  data.len = data.tot_len = answer_size;
  header.chksum = ip_chksum_pseudo(&data, IP_PROTO_TCP, answer_size, ip_current_dest_addr(), ip_current_src_addr());
  static_cast<void>(ip4_output_if(&data, ip4_current_dest_addr(), ip4_current_src_addr(), TCP_TTL, 0, IP_PROTO_TCP,
                                  ip_current_input_netif()));
}

// It has received the SYN-ACK: it is connected when there is a connection for it, and lwIP sees this segment once more.
// Until then it is ignored, and repeats the segment. True if lwIP must reset it.
bool TcpListener::acknowledge(tcp_hdr& header, pbuf& data) {
  const std::uint32_t proof = header.ackno - header.seqno;
  for (unsigned age = 0; has_key_ && age != windows; ++age) {
    const Millis window = (sys_now() - (age << window_bits)) >> window_bits;
    const std::uint32_t behind = (cookie(header.src, window) - proof) & hash_mask;
    if (behind > TCP_WND) continue;
    // These bytes follow a lost segment, which the client repeats, or the connection has ended.
    if (behind != 0) return free_connections() != 0 && sys_now() - expected_ms_ >= absent_ms;
    // A client that has lost the end of its connection repeats its bytes. Their request has been executed.
    if (find_opened(header.ackno) != nullptr) return true;
    const bool has_bytes = data.tot_len != 0;
    // lwIP would lose all but the last of the segments that it sends before ARP knows the client.
    if (can_reach(reply_ms, has_bytes) && is_next(header.src, has_bytes) && open(header, proof >> hash_bits)) {
      repeat(header, data);
    } else {
      expected_ms_ = sys_now();
    }
    return false;
  }
  return true;
}

// The connections and waiting clients of an address.
unsigned TcpListener::uses_of(std::uint32_t address) const {
  const std::uint32_t peer = lwip_ntohl(address);
  unsigned uses = 0;
  for (const TcpConnection& connection : connections_)
    uses += connection.state_ != TcpConnection::State::free && connection.peer_ == peer ? 1 : 0;
  for (const WaitingClient& client : waiting_) uses += client.port != 0 && client.address == address ? 1 : 0;
  return uses;
}

bool TcpListener::has_waiting_client() const {
  const auto is_here = [](const WaitingClient& client) {
    return client.port != 0 && sys_now() - client.seen_ms < absent_ms;
  };
  return free_connections() == 0 && std::ranges::any_of(waiting_, is_here);
}

std::ptrdiff_t TcpListener::free_connections() const {
  return std::ranges::count(connections_, TcpConnection::State::free, &TcpConnection::state_);
}

// The place of this client in the order, if it has one. Clients that are absent lose theirs.
TcpListener::WaitingClient* TcpListener::find(std::uint32_t address, std::uint16_t port) {
  WaitingClient* own = nullptr;
  for (WaitingClient& client : waiting_) {
    if (client.port != 0 && sys_now() - client.seen_ms >= absent_ms) client.port = 0;
    if (client.port == port && client.address == address) own = &client;
  }
  return own;
}

// A place for one more client of an address with as many `uses`: a free one, or that of the address with the most.
TcpListener::WaitingClient* TcpListener::place_for(unsigned uses) {
  WaitingClient* place = nullptr;
  for (WaitingClient& client : waiting_) {
    const unsigned others = client.port != 0 ? uses_of(client.address) : ~0U;
    if (others <= uses) continue;
    place = &client;
    uses = others;
  }
  return place;
}

// Whether a connection is free for the client of this segment. The order is: the clients whose address has the fewest,
// then those that wait longest. A client without bytes does not wait.
bool TcpListener::is_next(std::uint16_t port, bool has_bytes) {
  const std::uint32_t address = ip4_addr_get_u32(ip4_current_src_addr());
  const Millis now = sys_now();
  WaitingClient* const own = find(address, port);
  const Millis since_ms = own != nullptr ? own->since_ms : now;
  const unsigned uses = uses_of(address) + (own != nullptr ? 0 : 1);
  const auto is_before = [&](const WaitingClient& client) {
    if (client.port == 0 || &client == own) return false;
    const unsigned others = uses_of(client.address);
    return !has_bytes || others < uses || (others == uses && now - client.since_ms > now - since_ms);
  };
  if (free_connections() > std::ranges::count_if(waiting_, is_before)) {
    if (own != nullptr) own->port = 0;
    return true;
  }
  WaitingClient* const place = own != nullptr ? own : place_for(uses);
  if (has_bytes && place != nullptr) *place = {address, since_ms, now, port};
  return false;
}

TcpListener::Opened* TcpListener::find_opened(std::uint32_t number) {
  const std::uint32_t address = ip4_addr_get_u32(ip4_current_src_addr());
  const auto is_it = [&](const Opened& one) { return one.address == address && one.number == number; };
  Opened* const found = std::ranges::find_if(opened_, is_it);
  return found != std::end(opened_) ? found : nullptr;
}

// In the place of none, or of the earliest of the address with the most.
void TcpListener::note_opened(std::uint32_t number) {
  Opened* place = opened_;
  std::ptrdiff_t most = 0;
  for (Opened& one : opened_) {
    const std::ptrdiff_t count = std::ranges::count(opened_, one.address, &Opened::address);
    if (one.address == 0 || count > most) {
      place = &one;
      most = count;
    }
    if (one.address == 0) break;
  }
  std::move(place + 1, std::end(opened_), place);
  opened_[std::size(opened_) - 1] = {ip4_addr_get_u32(ip4_current_src_addr()), number};
}

// As tcp_listen_input() does for a first segment, but that was answered already. False without memory for it.
bool TcpListener::open(const tcp_hdr& header, std::uint32_t eighths) {
  auto* const own = reinterpret_cast<tcp_pcb_listen*>(pcb_);
  tcp_pcb* pcb = tcp_alloc(own->prio);
  if (pcb == nullptr && end_closed_for(*ip_current_src_addr())) pcb = tcp_alloc(own->prio);
  if (pcb == nullptr) return false;
  note_opened(header.ackno);
  ip_addr_copy(pcb->local_ip, *ip_current_dest_addr());
  ip_addr_copy(pcb->remote_ip, *ip_current_src_addr());
  pcb->local_port = own->local_port;
  pcb->remote_port = header.src;
  pcb->state = SYN_RCVD;
  pcb->rcv_nxt = pcb->rcv_ann_right_edge = header.seqno;
  pcb->snd_wl1 = header.seqno - 2;  // so that the window is that of the segment
  pcb->snd_wl2 = pcb->lastack = header.ackno - 1;
  pcb->snd_nxt = pcb->snd_lbb = header.ackno;
  pcb->snd_wnd = pcb->snd_wnd_max = header.wnd;
  pcb->callback_arg = own->callback_arg;
  pcb->listener = own;
  pcb->so_options = own->so_options & SOF_INHERITED;
  pcb->netif_idx = own->netif_idx;
  TCP_REG_ACTIVE(pcb);
  pcb->mss = tcp_eff_send_mss(segment_less(eighths), &pcb->local_ip, &pcb->remote_ip);
  return true;
}

}  // namespace mcp::lwip

// ---- Called by lwIP (lwipopts.h) ------------------------------------------------------------------------------------

extern "C" std::int8_t mote_lwip_look(tcp_pcb* pcb, tcp_hdr* header, std::uint16_t options, pbuf* data) {
  return mcp::lwip::TcpListener::look_at(pcb, *header, options, *data) ? ERR_OK : ERR_MEM;
}
