// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/lwip_network.hpp"

#include <lwip/dhcp.h>
#include <lwip/dns.h>
#include <lwip/etharp.h>
#include <lwip/init.h>
#include <lwip/ip.h>
#include <lwip/prot/etharp.h>
#include <lwip/prot/ethernet.h>
#include <netif/ethernet.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "mcp/assert.hpp"
#include "ports/lwip/lwip_timers.hpp"

namespace mcp::lwip {
namespace {

// lwIP is one for the whole program, and so are its callbacks.
bool is_started;
Millis now_ms;
Entropy* random_source;
pbuf* again;  // a frame for lwIP that it had before

constexpr Millis link_interval_ms = 500;
constexpr Millis longest_wait_ms = 1'000;  // no event says that the link has changed
constexpr std::size_t most_pieces = TCP_SND_QUEUELEN + 2;
// Hosts that send ARP to the device get a place in its table while it has fewer than this. The others are for hosts
// that lwIP asks for.
constexpr unsigned most_askers = ARP_TABLE_SIZE - 2;

ip4_addr_t address_of(Ip4 bytes) {
  ip4_addr_t address;
  IP4_ADDR(&address, bytes[0], bytes[1], bytes[2], bytes[3]);
  return address;
}

unsigned count_arp_entries() {
  unsigned count = 0;
  for (std::size_t i = 0; i != ARP_TABLE_SIZE; ++i) {
    ip4_addr_t* address = nullptr;
    netif* interface = nullptr;
    eth_addr* host = nullptr;
    if (etharp_get_entry(i, &address, &interface, &host) != 0) ++count;
  }
  return count;
}

}  // namespace

const ip4_addr_t* next_hop(const netif& interface, const ip4_addr_t& to) {
  const bool is_near = ip4_addr_net_eq(&to, netif_ip4_addr(&interface), netif_ip4_netmask(&interface));
  return is_near || ip4_addr_islinklocal(&to) ? &to : netif_ip4_gw(&interface);
}

bool is_known(netif& interface, const ip4_addr_t& next) {
  eth_addr* known = nullptr;
  const ip4_addr_t* address = nullptr;
  return etharp_find_addr(&interface, &next, &known, &address) >= 0;
}

void take_again(pbuf& frame) { again = &frame; }

Network::Network(Ethernet& device, Entropy& entropy, Millis now) : Interface(netif_, entropy), device_(&device) {
  now_ms = now;
  random_source = &entropy;
  if (!is_started) lwip_init();
  is_started = true;
  static_cast<void>(netif_add(&netif_, nullptr, nullptr, nullptr, this, start, ethernet_input));
  netif_set_default(&netif_);
  netif_set_up(&netif_);
  link_ms_ = now - link_interval_ms;
  look_at_link(now);
}

Network::~Network() {
#if LWIP_DHCP
  dhcp_stop(&netif_);
  dhcp_cleanup(&netif_);
#endif
  netif_remove(&netif_);
}

void Network::use(Ip4 address, Ip4 mask, Ip4 gateway) {
  const ip4_addr_t ip = address_of(address);
  const ip4_addr_t net = address_of(mask);
  const ip4_addr_t way_out = address_of(gateway);
  netif_set_addr(&netif_, &ip, &net, &way_out);
}

#if LWIP_DNS
void Network::use_name_server(Ip4 server) {
  ip_addr_t address;
  ip_addr_copy_from_ip4(address, address_of(server));
  dns_setserver(0, &address);
}
#endif

#if LWIP_DHCP
void Network::use_dhcp() {
  const bool has_place = dhcp_start(&netif_) == ERR_OK;
  MCP_ASSERT(has_place);  // without it, the device would have no address, and not say why
}
#endif

Millis Network::poll(Millis now) {
  now_ms = now;
  resume_timers(now);
  const Millis sent = Interface::poll();
  look_at_link(now);
  unsigned taken = 0;
  while (taken < frames && take_frame()) ++taken;
  const Millis due = std::min(std::min(sent, run_timers(now)), longest_wait_ms);
  return taken != 0 ? 0 : due;
}

// ---- Between lwIP and the interface --------------------------------------------------------------------------------

err_t Network::start(netif* interface) {
  auto& network = *static_cast<Network*>(interface->state);
  const Ethernet::Address address = network.device_->address();
  std::memcpy(interface->hwaddr, address.data(), address.size());
  interface->hwaddr_len = static_cast<u8_t>(address.size());
  interface->name[0] = 'e';
  interface->name[1] = 'n';
  interface->mtu = MOTE_LWIP_MTU;
  interface->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_ETHARP | NETIF_FLAG_ETHERNET;
#if LWIP_IGMP
  interface->flags |= NETIF_FLAG_IGMP;
  netif_set_igmp_mac_filter(interface, filter);
#endif
  interface->output = send_packet;
  interface->linkoutput = send;
  return ERR_OK;
}

#if LWIP_IGMP
// The group of all systems, which lwIP joins at the start, is of no use to an interface that does not announce
// anything.
err_t Network::filter(netif* interface, const ip4_addr_t* group, netif_mac_filter_action action) {
  if (action == NETIF_ADD_MAC_FILTER && ip4_addr_get_u32(group) != PP_HTONL(0xE000'0001))
    static_cast<Network*>(interface->state)->device_->enable_multicast();
  return ERR_OK;
}
#endif

// If ARP does not know the next hop, the answer to a packet goes back to where its frame came from. A request for each
// sender of a flood would drive clients out of the small table of ARP.
err_t Network::send_packet(netif* interface, pbuf* packet, const ip4_addr_t* to) {
  const auto* const question = reinterpret_cast<const char*>(ip4_current_header());
  if (question != nullptr && ip4_addr_eq(to, ip4_current_src_addr()) &&
      !is_known(*interface, *next_hop(*interface, *to))) {
    const eth_addr sender = reinterpret_cast<const eth_hdr*>(question - SIZEOF_ETH_HDR)->src;
    constexpr unsigned group_bit = 1;
    // No sender is a group. In the frame of the packet, its answer would wait for ARP, and lwIP has two frames.
    if ((sender.addr[0] & group_bit) != 0) return ERR_VAL;
    const auto* const own = reinterpret_cast<const eth_addr*>(interface->hwaddr);
    return ethernet_output(interface, packet, own, &sender, ETHTYPE_IP);
  }
  return etharp_output(interface, packet, to);
}

err_t Network::send(netif* interface, pbuf* frame) {
  std::span<const std::uint8_t> pieces[most_pieces];
  std::size_t count = 0;
  std::size_t skip = ETH_PAD_SIZE;
  for (const pbuf* piece = frame; piece != nullptr; piece = piece->next) {
    if (count == most_pieces) return ERR_BUF;
    pieces[count++] = std::span(static_cast<const std::uint8_t*>(piece->payload), piece->len).subspan(skip);
    skip = 0;
  }
  if (count != 0) note_sent(pieces[0]);
  return static_cast<Network*>(interface->state)->device_->send(std::span(pieces, count)) ? ERR_OK : ERR_IF;
}

// lwIP puts each host that sends ARP to the device into its small table, and drives others out of it. While few places
// are left, a request gets its reply here, and lwIP changes known entries alone.
void Network::keep_arp_table(pbuf& frame) {
  struct Message {
    eth_hdr ethernet;
    etharp_hdr arp;
  };
  static_assert(sizeof(Message) == SIZEOF_ETH_HDR + SIZEOF_ETHARP_HDR);
  auto& message = *static_cast<Message*>(frame.payload);
  if (frame.len < sizeof message || message.ethernet.type != PP_HTONS(ETHTYPE_ARP) || !ready()) return;
  const auto is_own = [this](const ip4_addr_wordaligned& address) {
    return std::memcmp(&address, netif_ip4_addr(&netif_), sizeof address) == 0;
  };
  if (!is_own(message.arp.dipaddr) || count_arp_entries() < most_askers) return;
  if (message.arp.opcode == PP_HTONS(ARP_REQUEST) && !is_own(message.arp.sipaddr)) {
    Message reply = message;
    std::memcpy(&reply.ethernet.src, netif_.hwaddr, ETH_HWADDR_LEN);
    reply.ethernet.dest = reply.arp.dhwaddr = message.arp.shwaddr;
    reply.arp.opcode = PP_HTONS(ARP_REPLY);
    reply.arp.shwaddr = reply.ethernet.src;
    reply.arp.sipaddr = message.arp.dipaddr;
    reply.arp.dipaddr = message.arp.sipaddr;
    const std::span bytes(reinterpret_cast<const std::uint8_t*>(&reply), sizeof reply);
    const std::span<const std::uint8_t> piece = bytes.subspan(ETH_PAD_SIZE);
    static_cast<void>(device_->send({&piece, 1}));
  }
  message.arp.dipaddr = {};
}

// False when there is no frame, or no memory for one: then it waits in the interface.
bool Network::take_frame() {
  pbuf* const frame = pbuf_alloc(PBUF_RAW, PBUF_POOL_BUFSIZE, PBUF_POOL);
  if (frame == nullptr) return false;
  const std::span into(static_cast<std::uint8_t*>(frame->payload), frame->len);
  const std::size_t size = device_->receive(into.subspan(ETH_PAD_SIZE));
  if (size != 0) pbuf_realloc(frame, static_cast<u16_t>(size + ETH_PAD_SIZE));
  if (size != 0) keep_arp_table(*frame);
  // On success the frame is lwIP's.
  if (size == 0 || netif_.input(frame, &netif_) != ERR_OK) pbuf_free(frame);
  if (pbuf* const same = std::exchange(again, nullptr)) {
    if (netif_.input(same, &netif_) != ERR_OK) pbuf_free(same);
  }
  return size != 0;
}

void Network::look_at_link(Millis now) {
  if (now - link_ms_ < link_interval_ms) return;
  link_ms_ = now;
  if (device_->link_up()) {
    netif_set_link_up(&netif_);
  } else {
    netif_set_link_down(&netif_);
  }
}

}  // namespace mcp::lwip

// ---- Called by lwIP -------------------------------------------------------------------------------------------------

extern "C" u32_t sys_now() { return mcp::lwip::now_ms; }

// For netif_find(), in place of atoi(), which in newlib 4.5 needs malloc().
extern "C" int mote_lwip_number(const char* digits) {
  unsigned number = 0;
  for (; *digits >= '0' && *digits <= '9'; ++digits) number = number * 10 + static_cast<unsigned>(*digits - '0');
  return static_cast<int>(number);
}

extern "C" u32_t mote_lwip_random() {
  using namespace mcp::lwip;
  std::uint8_t bytes[4] = {};
  // Without random numbers: nothing depends on these but that clients of DHCP and IGMP differ. A look-up that has begun
  // draws until a number is free, so they are not equal.
  static u32_t value;
  value += 0x9E37'79B9;
  if (random_source != nullptr && random_source->fill(bytes)) std::memcpy(&value, bytes, sizeof value);
  return value;
}
