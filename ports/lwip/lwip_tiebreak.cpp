// SPDX-License-Identifier: Apache-2.0
// lwIP builds its own probe again to compare it, and has up to 10 names on the stack for that: 1.7 KB. This file knows
// what lwIP writes into a probe: one record for each name. So it compares the records of the other device in their
// place, with 3 names on the stack. mdns.c does not contain the comparison (CMakeLists.txt).
#include "ports/lwip/lwip_tiebreak.hpp"

#include <lwip/apps/mdns.h>
#include <lwip/apps/mdns_domain.h>
#include <lwip/apps/mdns_priv.h>
#include <lwip/ip.h>
#include <lwip/prot/dns.h>

#include <algorithm>
#include <cstring>

#include "ports/lwip/lwip_dns_message.hpp"

namespace mcp::lwip {
namespace {

constexpr u32_t wait_ms = 1'000;

// The record that lwIP proposes for one of the names of this device.
struct Proposal {
  mdns_domain owner;
  u16_t type;
  u8_t head_size;
  u8_t head[6];        // the data, up to the name in it
  mdns_domain target;  // the name in the data; its length is 0 if there is none
};

enum class Verdict : u8_t { none, wins, loses };

bool is_named(pbuf& packet, std::size_t at, mdns_domain& name) {
  mdns_domain theirs;
  return mdns_readname(&packet, static_cast<u16_t>(at), &theirs) != MDNS_READNAME_ERROR &&
         mdns_domain_eq(&theirs, &name) != 0;
}

// Less than 0 if the `size` bytes of data at `at` are earlier than the data of `mine`. A name that lwIP cannot read is
// taken as equal.
int compare_data(pbuf& packet, std::size_t at, int size, const Proposal& mine) {
  for (int i = 0; i < mine.head_size; ++i, ++at) {
    if (i == size) return -1;
    const int difference = pbuf_get_at(&packet, static_cast<u16_t>(at)) - mine.head[i];
    if (difference != 0) return difference;
  }
  if (mine.target.length == 0) return size - mine.head_size;
  mdns_domain theirs;
  if (mdns_readname(&packet, static_cast<u16_t>(at), &theirs) == MDNS_READNAME_ERROR) return 0;
  const int difference = std::memcmp(theirs.name, mine.target.name, std::min(theirs.length, mine.target.length));
  return difference != 0 ? difference : theirs.length - mine.target.length;
}

// The same for a record: its class is compared first, then its type, then its data. `life` is its time to live.
int compare_record(pbuf& packet, std::size_t life, const Proposal& mine) {
  const int type = read_u16(packet, life - 4);
  const int kind = read_u16(packet, life - 2) & class_mask;
  if (kind != DNS_RRCLASS_IN) return kind - DNS_RRCLASS_IN;
  if (type != mine.type) return type - mine.type;
  return compare_data(packet, life + 6, read_u16(packet, life + 4), mine);
}

// RFC 6762 compares the sorted records of both devices in pairs, and then their number. This device has one record for
// a name, so the earliest record of the other device decides.
Verdict judge(pbuf& packet, Proposal& mine) {
  bool is_asked = false;
  bool is_earlier = false;
  bool is_same = false;
  bool is_later = false;
  std::size_t at = header_size;
  std::size_t life = 0;
  for (u16_t count_at = question_count_at; count_at <= authority_count_at; count_at += 2) {
    const bool is_question = count_at == question_count_at;
    for (unsigned left = read_u16(packet, count_at); left != 0; --left) {
      const std::size_t begin = at;
      skip_entry(packet, at, is_question, life);
      if ((!is_question && count_at != authority_count_at) || !is_named(packet, begin, mine.owner)) continue;
      if (is_question) {
        is_asked = true;
        continue;
      }
      const int order = compare_record(packet, life, mine);
      is_earlier |= order < 0;
      is_same |= order == 0;
      is_later |= order > 0;
    }
  }
  if (!is_asked) return Verdict::none;
  if (is_earlier) return Verdict::wins;
  if (is_later) return Verdict::loses;
  return is_same ? Verdict::none : Verdict::wins;
}

}  // namespace

// Not inlined, because every frame that lwIP takes would pay for its names on the stack.
[[gnu::noinline]] void break_tie(netif& interface, pbuf& packet) {
  mdns_host* const host = netif_mdns_data(&interface);
  if (host == nullptr || (host->state != MDNS_STATE_PROBING && host->state != MDNS_STATE_ANNOUNCE_WAIT)) return;
  if ((pbuf_get_at(&packet, flags_at) & response_or_operation) != 0 || !ip_addr_ismulticast(ip_current_dest_addr()))
    return;

  Proposal mine = {};
  static_cast<void>(mdns_build_host_domain(&mine.owner, host));
  mine.type = DNS_RRTYPE_A;
  mine.head_size = sizeof(ip4_addr_t);
  std::memcpy(mine.head, netif_ip4_addr(&interface), sizeof(ip4_addr_t));
  Verdict verdict = judge(packet, mine);
  // The host name decides for both names: else each of two devices could wait for the other one.
  mdns_service* const service = host->services[0];
  if (verdict == Verdict::none && service != nullptr) {
    mine.target = mine.owner;
    static_cast<void>(mdns_build_service_domain(&mine.owner, service, 1));
    mine.type = DNS_RRTYPE_SRV;
    mine.head_size = 6;
    const u8_t head[] = {
        0, SRV_PRIORITY, 0, SRV_WEIGHT, static_cast<u8_t>(service->port >> 8), static_cast<u8_t>(service->port)};
    std::memcpy(mine.head, head, sizeof head);
    verdict = judge(packet, mine);
  }
  if (verdict == Verdict::loses) mdns_resp_restart_delay(&interface, wait_ms);
}

}  // namespace mcp::lwip
