// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/lwip_mdns.hpp"

#include <lwip/apps/mdns.h>
#include <lwip/apps/mdns_out.h>
#include <lwip/ip.h>
#include <lwip/prot/dns.h>
#include <lwip/prot/iana.h>
#include <lwip/udp.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>

#include "ports/lwip/lwip_dns_message.hpp"
#include "ports/lwip/lwip_lock.hpp"
#include "ports/lwip/lwip_tiebreak.hpp"

namespace mcp::lwip {
namespace {

constexpr std::size_t longest_label = MDNS_LABEL_MAXLEN;
constexpr std::size_t longest_suffix = 8;  // " (65535)"
constexpr std::size_t longest_host_suffix = 6;
constexpr std::string_view path_key = "path=";
constexpr std::string_view domain = ".local";
constexpr s8_t service_slot = 0;  // one service for each network
// How soon a change is noticed: of the link, of the address, of the name.
constexpr Millis look_interval_ms = 1'000;

// lwIP's responder is one for the whole program: it starts with the first one here, and keeps its port.
udp_recv_fn lwip_takes;

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
  if (!is_well_formed(*packet)) {
    pbuf_free(packet);
    return;
  }
#if MOTE_LWIP_STACK
  break_tie(*ip_current_input_netif(), *packet);
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
  Label(std::string_view text, std::string_view before, std::uint16_t number, std::string_view after) : Label(text) {
    char digits[5];
    const std::string_view digits_text(
        digits, static_cast<std::size_t>(std::to_chars(digits, std::end(digits), number).ptr - digits));
    char* end = text_ + std::min(text.size(), longest_label);
    for (const std::string_view part : {before, digits_text, after}) end += part.copy(end, part.size());
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
  if (!has_changed) return look_interval_ms;
  address_ = *netif_ip4_addr(&interface);
  mdns_resp_restart(&interface);
  return look_interval_ms;
}

// A copy, which changes in poll() only: the server reads it without the lock of lwIP.
void MdnsResponder::update_hosts() {
  static_assert(sizeof local_name_ == longest_label + domain.size());
  hosts_[0] = {};
  if (!has_announced()) return;
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
  if (slot == 0) {
    rename_host();
  } else {
    rename_service();
  }
}

void MdnsResponder::rename_host() {
  ++host_number_;
  const Label label(announcement_.host, "-", host_number_, "");
  static_cast<void>(mdns_resp_rename_netif(&interface_->interface(), label.get()));
}

void MdnsResponder::rename_service() {
  ++name_number_;
  const Label label(announcement_.name, " (", name_number_, ")");
  static_cast<void>(mdns_resp_rename_service(&interface_->interface(), service_slot, label.get()));
}

}  // namespace mcp::lwip
