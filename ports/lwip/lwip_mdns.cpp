// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/lwip_mdns.hpp"

#include <lwip/apps/mdns.h>
#include <lwip/apps/mdns_domain.h>
#include <lwip/apps/mdns_out.h>
#include <lwip/apps/mdns_priv.h>
#include <lwip/ip.h>
#include <lwip/prot/dns.h>
#include <lwip/prot/iana.h>
#include <lwip/sys.h>
#include <lwip/udp.h>

#include <algorithm>
#include <cstring>

#include "ports/lwip/lwip_dns_message.hpp"
#include "ports/lwip/lwip_lock.hpp"
#include "ports/lwip/lwip_tiebreak.hpp"

namespace mcp::lwip {
namespace {

constexpr std::size_t longest_label = MDNS_LABEL_MAXLEN;
constexpr std::size_t longest_suffix = 8;  // of which " (99)" needs 5, and "-99" 3
constexpr std::size_t longest_host_suffix = 6;
constexpr std::size_t longest_number = 5;  // " (99)"
constexpr std::string_view path_key = "path=";
constexpr std::string_view domain = ".local";
constexpr s8_t service_slot = 0;  // one service for each network
// How soon a change is noticed: of the link, of the address, of the name.
constexpr Millis look_interval_ms = 1'000;
// The highest number after a name. A device that claims each name would otherwise take this one further without end.
constexpr std::uint8_t most_number = 99;
// How long the device has a name with a number before it tries its own name again.
constexpr Millis longest_renamed_ms = 3'600'000;

// lwIP's responder is one for the whole program: it starts with the first one here, and keeps its port.
udp_recv_fn lwip_takes;

// ---- The host ------------------------------------------------------------------------------------------------------

#if !LWIP_IPV6

// The last response of send_host(), for an address and for other types. Neither is repeated within a second.
Millis host_sent_ms[2];

// The address of the host, or NSEC for its name: of all types, A exists. The next name of NSEC is the same name.
void send_host(netif& interface, const mdns_domain& host, bool is_address) {
  constexpr u8_t nsec = 47;
  static constexpr u8_t head[header_size] = {0, 0, DNS_FLAG1_RESPONSE | DNS_FLAG1_AUTHORATIVE, 0, 0, 0, 0, 1};
  static constexpr u8_t types[] = {0xC0, header_size, 0, 1, 0x40};
  const void* const data = is_address ? static_cast<const void*>(netif_ip4_addr(&interface)) : types;
  const u8_t type = is_address ? DNS_RRTYPE_A : nsec;
  const u8_t data_size = is_address ? sizeof(ip4_addr_t) : sizeof types;
  const u8_t record[] = {0, type, 0x80, DNS_RRCLASS_IN, 0, 0, 0, MDNS_TTL_120, 0, data_size};
  const auto size = static_cast<u16_t>(sizeof head + host.length + sizeof record + data_size);
  pbuf* const response = pbuf_alloc(PBUF_TRANSPORT, size, PBUF_RAM);
  if (response == nullptr) return;
  auto* bytes = static_cast<u8_t*>(response->payload);
  std::memcpy(bytes, head, sizeof head);
  std::memcpy(bytes += sizeof head, host.name, host.length);
  std::memcpy(bytes += host.length, record, sizeof record);
  std::memcpy(bytes + sizeof record, data, data_size);
  const ip_addr_t group = DNS_MQUERY_IPV4_GROUP_INIT;
  static_cast<void>(udp_sendto_if(get_mdns_pcb(), response, &group, LWIP_IANA_PORT_MDNS, &interface));
  pbuf_free(response);
}

// lwIP sends one message to the group in a second, and drops the queries of that second. So a flood of queries would
// hide the address. A query for a type that the host has not gets NSEC (RFC 6762 section 6.1): without a response, a
// client that also asks for an address of IPv6 waits for seconds. A resolver that knows nothing of mDNS gets neither.
// Not inlined, because every frame that lwIP takes would pay for the names on the stack.
[[gnu::noinline]] void answer_for_host(netif& interface, pbuf& packet, u16_t port) {
  mdns_host* const host = netif_mdns_data(&interface);
  if (host == nullptr || host->state < MDNS_STATE_ANNOUNCING || port != LWIP_IANA_PORT_MDNS) return;
  if ((pbuf_get_at(&packet, flags_at) & response_or_operation) != 0 || !ip_addr_ismulticast(ip_current_dest_addr()))
    return;
  mdns_domain mine;
  mdns_domain theirs;
  static_cast<void>(mdns_build_host_domain(&mine, host));
  u16_t at = header_size;
  for (unsigned left = read_u16(packet, question_count_at); left != 0; --left) {
    at = mdns_readname(&packet, at, &theirs);
    if (at == MDNS_READNAME_ERROR) return;
    const unsigned type = read_u16(packet, at);
    const int kind = read_u16(packet, at + 2U) & class_mask;
    at = static_cast<u16_t>(at + 4);
    const bool is_address = type == DNS_RRTYPE_A;
    if (type == DNS_RRTYPE_ANY || kind != DNS_RRCLASS_IN || mdns_domain_eq(&theirs, &mine) == 0) continue;
    if (is_address && host->ipv4.multicast_timeout == 0) continue;
    Millis& sent_ms = host_sent_ms[is_address ? 1 : 0];
    if (sys_now() - sent_ms < 1'000) continue;
    sent_ms = sys_now();
    send_host(interface, mine, is_address);
  }
}

#endif

// ---- Receive --------------------------------------------------------------------------------------------------------

// lwIP trusts the counts of a message, and its offsets wrap at 65536, so a message of a few bytes could occupy it for
// seconds. It gets only messages that contain all their records.

constexpr u8_t truncated = 0x02;

bool is_well_formed(const pbuf& packet) {
  if (packet.tot_len < header_size) return false;
  std::size_t at = header_size;
  std::size_t life = 0;
  for (u16_t part = question_count_at; part < header_size; part = static_cast<u16_t>(part + 2)) {
    for (unsigned left = read_u16(packet, part); left != 0; --left) {
      if (!skip_entry(packet, at, part == question_count_at, life)) return false;
    }
  }
  return true;
}

// A query that continues in the next packet gets its response at once. To wait for the rest, lwIP would keep the
// packet, and their number is limited. At worst a client gets records that it already has.
void take(void* self, udp_pcb* pcb, pbuf* packet, const ip_addr_t* from, u16_t port) {
  netif& interface = *ip_current_input_netif();
  // Some access points send a message to a group back to its sender. Its own names are no conflict.
  if (!is_well_formed(*packet) || ip_addr_eq(from, netif_ip_addr4(&interface))) {
    pbuf_free(packet);
    return;
  }
#if MOTE_LWIP_STACK
  break_tie(interface, *packet);
#endif
#if !LWIP_IPV6
  answer_for_host(interface, *packet, port);
#endif
  pbuf_put_at(packet, flags_at, static_cast<u8_t>(pbuf_get_at(packet, flags_at) & ~truncated));
  lwip_takes(self, pcb, packet, from, port);
}

// False without memory for one more port of UDP.
bool start_responder(mdns_name_result_cb_t on_result) {
  if (lwip_takes != nullptr) return true;
  // The program may have started it.
  if (get_mdns_pcb() == nullptr) {
    udp_pcb* const pcb = udp_new();  // lwIP does not look whether there is one
    if (pcb == nullptr) return false;
    udp_remove(pcb);
    mdns_resp_init();
  }
  lwip_takes = get_mdns_pcb()->recv;
  udp_recv(get_mdns_pcb(), take, nullptr);
  mdns_resp_register_name_result_cb(on_result);
  return true;
}

// ---- Send -----------------------------------------------------------------------------------------------------------

void add_text(mdns_service* service, std::string_view text) {
  // The sizes were looked at before.
  static_cast<void>(mdns_resp_add_service_txtitem(service, text.data(), static_cast<u8_t>(text.size())));
}

void write_texts(mdns_service* service, void* self) {
  const Announcement& announcement = static_cast<const MdnsResponder*>(self)->announcement();
  char path[longest_label];
  const std::size_t key_size = path_key.copy(path, sizeof path);
  const std::size_t size = announcement.path.copy(path + key_size, sizeof path - key_size);
  add_text(service, {path, key_size + size});
  add_text(service, announcement.is_https ? "proto=https" : "proto=http");
  switch (announcement.authorization) {
    case Authorization::none: add_text(service, "auth=none"); break;
    case Authorization::bearer: add_text(service, "auth=bearer"); break;
    case Authorization::oauth: add_text(service, "auth=oauth"); break;
  }
}

// lwIP wants texts that end with a zero.
class Label {
 public:
  explicit Label(std::string_view text) { text_[text.copy(text_, longest_label)] = '\0'; }
  // "host-2" or "Name (2)". The first name has no number.
  Label(std::string_view text, std::uint8_t number, bool is_host) : Label(text) {
    if (number == 1) return;
    char* end = text_ + std::min(text.size(), longest_label - longest_number);
    if (!is_host) *end++ = ' ';
    *end++ = is_host ? '-' : '(';
    if (number > 9) *end++ = static_cast<char>('0' + number / 10);
    *end++ = static_cast<char>('0' + number % 10);
    if (!is_host) *end++ = ')';
    *end = '\0';
  }
  [[nodiscard]] const char* get() const { return text_; }

 private:
  char text_[longest_label + 1];
};

std::string_view copy(std::string_view from, std::span<char, longest_label> to) {
  return {to.data(), from.copy(to.data(), to.size())};
}

bool fits(std::string_view text, std::size_t size) { return !text.empty() && text.size() <= size; }

}  // namespace

// ---- MdnsResponder --------------------------------------------------------------------------------------------------

MdnsResponder::MdnsResponder(Interface& interface, const Announcement& announcement)
    : interface_(&interface), announcement_(announcement) {
  const CoreLock lock;
  interface.add(*this);
  is_on_ = fits(announcement.host, longest_label - longest_host_suffix) &&
           fits(announcement.name, longest_label - longest_suffix) &&
           path_key.size() + announcement.path.size() <= longest_label && switch_on();
}

bool MdnsResponder::switch_on() {
  netif& interface = interface_->interface();
  if (!start_responder(on_result) || mdns_resp_netif_active(&interface) != 0) return false;
  if (mdns_resp_add_netif(&interface, Label(announcement_.host).get()) != ERR_OK) return false;
  const s8_t slot = mdns_resp_add_service(&interface, Label(announcement_.name).get(), "_mcp", DNSSD_PROTO_TCP,
                                          announcement_.port, write_texts, this);
  if (slot == service_slot) return true;
  static_cast<void>(mdns_resp_remove_netif(&interface));
  return false;
}

MdnsResponder::~MdnsResponder() {
  const CoreLock lock;
  interface_->remove(*this);
  if (!is_on_) return;
  netif& interface = interface_->interface();
  if (has_announced() && interface_->is_ready()) say_goodbye();
  // lwIP's timers would look for the interface (2.2.1).
  for (const sys_timeout_handler timer : {mdns_multicast_timeout_reset_ipv4, mdns_multicast_probe_timeout_reset_ipv4,
                                          mdns_multicast_timeout_25ttl_reset_ipv4, mdns_send_multicast_msg_delayed_ipv4,
                                          mdns_send_unicast_msg_delayed_ipv4})
    sys_untimeout(timer, &interface);
  static_cast<void>(mdns_resp_remove_netif(&interface));
}

bool MdnsResponder::has_announced() const {
  return is_on_ && netif_mdns_data(&interface_->interface())->state >= MDNS_STATE_ANNOUNCING;
}

bool MdnsResponder::is_announced() const {
  const CoreLock lock;
  return has_announced();
}

std::string_view MdnsResponder::host(std::span<char, 63> text) const {
  const CoreLock lock;
  return is_on_ ? copy(netif_mdns_data(&interface_->interface())->name, text) : std::string_view();
}

std::string_view MdnsResponder::name(std::span<char, 63> text) const {
  const CoreLock lock;
  if (!is_on_) return {};
  return copy(netif_mdns_data(&interface_->interface())->services[service_slot]->name, text);
}

// lwIP has callbacks for this, which every interface would pay for. The thread of lwIP changes all of it.
Millis MdnsResponder::flush() {
  if (!is_on_) return forever;
  update_hosts();
  netif& interface = interface_->interface();
  const bool is_up = interface_->is_ready();
  const bool has_changed = is_up && (!was_up_ || !ip4_addr_cmp(netif_ip4_addr(&interface), &address_));
  was_up_ = is_up;
  const bool is_renamed = host_number_ != 1 || name_number_ != 1;
  const bool tries_again = is_up && is_renamed && sys_now() - renamed_ms_ >= longest_renamed_ms;
  if (!has_changed && !tries_again) return look_interval_ms;
  address_ = *netif_ip4_addr(&interface);
  keeps_hosts_ = !has_changed;
  mdns_resp_restart(&interface);
  if (is_renamed) {
    host_number_ = name_number_ = 0;
    rename(true);
    rename(false);
  }
  return look_interval_ms;
}

// A copy, which changes in poll() only: the server reads it without the lock of lwIP.
void MdnsResponder::update_hosts() {
  static_assert(sizeof local_name_ == longest_label + domain.size());
  if (!has_announced()) {
    // The clients of the name with a number continue while the device tries its own name.
    if (!keeps_hosts_) hosts_[0] = {};
    return;
  }
  keeps_hosts_ = false;
  const std::string_view host = netif_mdns_data(&interface_->interface())->name;
  const std::size_t size = host.copy(local_name_, longest_label);
  hosts_[0] = {local_name_, size + domain.copy(local_name_ + size, domain.size())};
}

// The announced records again with a time to live of 0 (RFC 6762 section 10.1). lwIP has no function for it.
void MdnsResponder::say_goodbye() {
  netif& interface = interface_->interface();
  mdns_outmsg message = {};
  message.flags = DNS_FLAG1_RESPONSE | DNS_FLAG1_AUTHORATIVE;
  message.cache_flush = 1;
  message.host_replies = REPLY_HOST_A | REPLY_HOST_PTR_V4;
  message.serv_replies[service_slot] = REPLY_SERVICE_NAME_PTR | REPLY_SERVICE_SRV | REPLY_SERVICE_TXT;
  mdns_outpacket packet = {};
  if (mdns_create_outpacket(&interface, &message, &packet) == ERR_OK && packet.pbuf != nullptr) {
    pbuf_realloc(packet.pbuf, packet.write_offset);
    dns_hdr header = {};
    header.flags1 = message.flags;
    header.numanswers = lwip_htons(packet.answers);
    static_cast<void>(pbuf_take(packet.pbuf, &header, sizeof header));
    std::size_t at = header_size;
    std::size_t life = 0;
    for (unsigned left = packet.answers; left != 0 && skip_entry(*packet.pbuf, at, false, life); --left)
      static_cast<void>(pbuf_take_at(packet.pbuf, "\0\0\0\0", 4, static_cast<u16_t>(life)));
    const ip_addr_t group = DNS_MQUERY_IPV4_GROUP_INIT;
    static_cast<void>(udp_sendto_if(get_mdns_pcb(), packet.pbuf, &group, LWIP_IANA_PORT_MDNS, &interface));
  }
  if (packet.pbuf != nullptr) pbuf_free(packet.pbuf);
}

// ---- Names that another device has ----------------------------------------------------------------------------------

void MdnsResponder::on_result(netif* interface, u8_t result, s8_t slot) {
  // The program may announce its own services at another interface.
  const mdns_service* const service = netif_mdns_data(interface)->services[service_slot];
  if (service == nullptr || service->txt_fn != write_texts) return;
  void* const self = service->txt_userdata;
  static_cast<MdnsResponder*>(self)->look_at_result(result == MDNS_PROBING_SUCCESSFUL, static_cast<std::size_t>(slot));
}

void MdnsResponder::look_at_result(bool is_free, std::size_t slot) {
  interface_->wake();  // hosts() is another list
  if (is_free) return;
  renamed_ms_ = sys_now();
  rename(slot == 0);
}

// After too many names, the device is silent until it tries its own name again.
void MdnsResponder::rename(bool is_host) {
  std::uint8_t& number = is_host ? host_number_ : name_number_;
  if (number == most_number) {
    keeps_hosts_ = false;
    return;
  }
  ++number;
  netif& interface = interface_->interface();
  const Label label(is_host ? announcement_.host : announcement_.name, number, is_host);
  if (is_host) {
    static_cast<void>(mdns_resp_rename_netif(&interface, label.get()));
  } else {
    static_cast<void>(mdns_resp_rename_service(&interface, service_slot, label.get()));
  }
}

}  // namespace mcp::lwip
