// SPDX-License-Identifier: Apache-2.0
// Checks messages of a DHCP server before lwIP's client gets them, and rejects a lease with an address that no host can
// have. Lets the client wait after a refused request. Sources: RFC 2131, RFC 2132, RFC 1122 section 3.2.1.3.
#include <lwip/dhcp.h>
#include <lwip/ip.h>
#include <lwip/pbuf.h>
#include <lwip/prot/dhcp.h>
#include <lwip/udp.h>

#include <cstdint>

namespace mcp::lwip {
namespace {

udp_recv_fn lwip_takes_dhcp;

// Offsets in a message, in bytes.
constexpr std::uint16_t address_at = 16;
constexpr std::uint16_t server_name_at = 44;
constexpr std::uint16_t file_name_at = 108;
constexpr std::uint16_t cookie_at = 236;
constexpr std::uint16_t options_at = 240;

constexpr std::uint8_t option_pad = 0;
constexpr std::uint8_t option_mask = 1;
constexpr std::uint8_t option_gateway = 3;
constexpr std::uint8_t option_lease_time = 51;
constexpr std::uint8_t option_overload = 52;
constexpr std::uint8_t option_kind = 53;
constexpr std::uint8_t option_renewal_time = 58;
constexpr std::uint8_t option_rebinding_time = 59;
constexpr std::uint8_t option_end = 255;

constexpr std::uint8_t kind_offer = 2;
constexpr std::uint8_t kind_acknowledgement = 5;

constexpr std::uint8_t overload_file = 1;
constexpr std::uint8_t overload_server = 2;

// After a refused request: 10 s, and up to 3.5 s more, in periods of lwIP's timer.
constexpr std::uint16_t refused_ticks = 10'000 / DHCP_FINE_TIMER_MSECS;
constexpr std::uint16_t most_more_ticks = 7;  // 2^n - 1

// Addresses of IPv4 are numbers here: the first byte is the highest.
struct Lease {
  std::uint32_t address;
  std::uint32_t mask;
  std::uint32_t gateway;
  std::uint8_t kind;
  std::uint8_t overload;
};

std::uint32_t read_u32(const pbuf& message, std::uint16_t at) {
  std::uint32_t value = 0;
  for (std::uint16_t i = 0; i < 4; ++i) value = value << 8 | pbuf_get_at(&message, static_cast<u16_t>(at + i));
  return value;
}

// Returns false if the option is invalid or occurs twice. lwIP would accept one of them. An endless time becomes 68
// years, because lwIP has no timer for an endless one.
bool read_option(pbuf& message, std::uint8_t code, std::uint16_t at, std::uint8_t size, Lease& lease) {
  const auto take = [](auto& place, auto value) {
    const bool is_first = place == 0;
    place = value;
    return is_first;
  };
  switch (code) {
    case option_mask: return size == 4 && take(lease.mask, read_u32(message, at)) && lease.mask != 0;
    case option_gateway: return size >= 4 && size % 4 == 0 && take(lease.gateway, read_u32(message, at));
    case option_lease_time:
    case option_renewal_time:
    case option_rebinding_time:
      if (size != 4 || at >= message.len) return false;
      static_cast<std::uint8_t*>(message.payload)[at] &= 0x7F;
      return true;
    case option_overload: return size == 1 && take(lease.overload, pbuf_get_at(&message, at));
    case option_kind: return size == 1 && take(lease.kind, pbuf_get_at(&message, at));
    default: return true;
  }
}

// False when an option goes beyond the field that it is in.
bool read_options(pbuf& message, std::uint16_t at, std::uint16_t end, Lease& lease) {
  while (at < end) {
    const std::uint8_t code = pbuf_get_at(&message, at++);
    if (code == option_end) return true;
    if (code == option_pad) continue;
    if (at == end) return false;
    const std::uint8_t size = pbuf_get_at(&message, at++);
    if (size > end - at || !read_option(message, code, at, size, lease)) return false;
    at = static_cast<std::uint16_t>(at + size);
  }
  return true;
}

// Not "this network", loopback, a group, reserved or all hosts.
bool is_of_a_host(std::uint32_t address) {
  const std::uint32_t first = address >> 24;
  return first != 0 && first != 127 && first < 224;
}

// Neither the network itself nor all of its hosts. A network of two addresses has only hosts (RFC 3021).
bool is_host_in(std::uint32_t address, std::uint32_t mask) {
  const std::uint32_t hosts = ~mask;
  const std::uint32_t host = address & hosts;
  return hosts <= 1 || (host != 0 && host != hosts);
}

std::uint32_t mask_of_class(std::uint32_t address) {
  if ((address >> 31) == 0) return 0xFF00'0000;
  return (address >> 30) == 2 ? 0xFFFF'0000 : 0xFFFF'FF00;
}

bool makes_sense(const Lease& lease) {
  const std::uint32_t mask = lease.mask != 0 ? lease.mask : mask_of_class(lease.address);
  const bool is_mask = (~mask & (~mask + 1)) == 0;
  if (!is_mask || !is_of_a_host(lease.address) || !is_host_in(lease.address, mask)) return false;
  if (lease.gateway == 0) return true;
  const bool is_near = ((lease.gateway ^ lease.address) & mask) == 0;
  return is_of_a_host(lease.gateway) && lease.gateway != lease.address && (!is_near || is_host_in(lease.gateway, mask));
}

bool is_acceptable(pbuf& message) {
  if (message.tot_len < options_at) return true;  // lwIP throws it away
  Lease lease = {};
  bool is_readable = read_options(message, options_at, message.tot_len, lease);
  const std::uint8_t overload = lease.overload;
  if ((overload & overload_file) != 0)
    is_readable = is_readable && read_options(message, file_name_at, cookie_at, lease);
  if ((overload & overload_server) != 0)
    is_readable = is_readable && read_options(message, server_name_at, file_name_at, lease);
  if (!is_readable) return false;
  if (lease.kind != kind_offer && lease.kind != kind_acknowledgement) return true;
  lease.address = read_u32(message, address_at);
  return makes_sense(lease);
}

// A rejected message counts as lost: the client asks again.
void take_dhcp(void* argument, udp_pcb* pcb, pbuf* message, const ip_addr_t* from, u16_t port) {
  if (!is_acceptable(*message)) {
    pbuf_free(message);
    return;
  }
  dhcp* const client = netif_dhcp_data(ip_current_input_netif());
  const bool is_requesting = client != nullptr && client->state == DHCP_STATE_REQUESTING;
  lwip_takes_dhcp(argument, pcb, message, from, port);
  // The server has refused its own offer. lwIP would ask again at once, thousands of times in a second.
  if (!is_requesting || client->state != DHCP_STATE_SELECTING) return;
  client->state = DHCP_STATE_BACKING_OFF;
  client->request_timeout = refused_ticks + (mote_lwip_random() & most_more_ticks);
}

}  // namespace
}  // namespace mcp::lwip

// ---- Called by lwIP (CMakeLists.txt) --------------------------------------------------------------------------------

extern "C" void mote_lwip_dhcp_recv(udp_pcb* pcb, udp_recv_fn takes, void* argument);

// In the place of udp_recv(): between the port and lwIP's client.
void mote_lwip_dhcp_recv(udp_pcb* pcb, udp_recv_fn takes, void* argument) {
  mcp::lwip::lwip_takes_dhcp = takes;
  udp_recv(pcb, mcp::lwip::take_dhcp, argument);
}
