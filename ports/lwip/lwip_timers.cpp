// SPDX-License-Identifier: Apache-2.0
#include "ports/lwip/lwip_timers.hpp"

#include <lwip/acd.h>
#include <lwip/dhcp.h>
#include <lwip/dns.h>
#include <lwip/etharp.h>
#include <lwip/igmp.h>
#include <lwip/priv/tcp_priv.h>
#include <lwip/prot/acd.h>
#include <lwip/timeouts.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "ports/lwip/lwip_lease.hpp"

namespace mcp::lwip {
namespace {

// A periodic timer of lwIP. `last_ms` is when its last run was due, or when nothing waited for it.
struct Ticker {
  Millis last_ms = 0;

  // Returns the time until the next run.
  Millis poll(bool is_needed, Millis now, Millis period_ms, void (*run)()) {
    if (!is_needed) last_ms = now;
    if (now - last_ms >= period_ms) {
      last_ms += period_ms;  // a late poll does not delay later runs, for a lease that ends in hours
      if (now - last_ms >= period_ms) last_ms = now;
      run();
    }
    return is_needed ? period_ms - (now - last_ms) : forever;
  }
};

// ---- TCP -----------------------------------------------------------------------------------------------------------

// Two runs of the timer are one tick, of 500 ms. While each connection only waits for the other end, no run does
// anything before the next keep-alive, and before the end of TIME-WAIT. So there is none, and the time of each
// connection is counted afterwards.
Ticker tcp;
bool is_tcp_asleep;
std::uint16_t tcp_rest_ms;  // less than a tick: slept, and not counted yet

constexpr u32_t endless = 0xFFFF'FFFF;
constexpr u8_t waiting_flags = TF_ACK_DELAY | TF_ACK_NOW | TF_CLOSEPEND | TF_NAGLEMEMERR;

// The ticks that may pass before the one at which more than `ms` have passed since the last segment.
u32_t ticks_until(const tcp_pcb& pcb, u32_t ms) {
  const u32_t passed = tcp_ticks - pcb.tmr;
  const u32_t limit = ms / TCP_SLOW_INTERVAL;
  return passed < limit ? limit - passed : 0;
}

bool is_quiet(const tcp_pcb& pcb) {
  return (pcb.state == ESTABLISHED || pcb.state == CLOSE_WAIT) && pcb.unsent == nullptr && pcb.unacked == nullptr &&
         pcb.refused_data == nullptr && pcb.persist_backoff == 0 && pcb.rtime < 0 && (pcb.flags & waiting_flags) == 0 &&
         pcb.poll == nullptr;
}

u32_t ticks_of_active(const tcp_pcb& pcb) {
  if (!is_quiet(pcb)) return 0;
  if (!ip_get_option(&pcb, SOF_KEEPALIVE)) return endless;
  const u32_t sent = std::min<u32_t>(pcb.keep_cnt_sent, pcb.keep_cnt);
  return ticks_until(pcb, pcb.keep_idle + sent * pcb.keep_intvl);
}

// The ticks that lwIP can do without: `endless` for ever.
u32_t idle_ticks() {
  u32_t ticks = endless;
  for (const tcp_pcb* pcb = tcp_active_pcbs; pcb != nullptr; pcb = pcb->next)
    ticks = std::min(ticks, ticks_of_active(*pcb));
  for (const tcp_pcb* pcb = tcp_tw_pcbs; pcb != nullptr; pcb = pcb->next)
    ticks = std::min(ticks, ticks_until(*pcb, 2 * TCP_MSL));
  return ticks;
}

// Not the time of lwIP itself: a segment that was sent after the sleep would count it as its round trip.
void age_active(u32_t ticks) {
  for (tcp_pcb* pcb = tcp_active_pcbs; pcb != nullptr; pcb = pcb->next) {
    // A main loop that was late has not sent the probe, so the other end is not late.
    pcb->tmr -= std::min(ticks_of_active(*pcb), ticks);
  }
}

void age_closed(u32_t ticks) {
  for (tcp_pcb* pcb = tcp_tw_pcbs; pcb != nullptr; pcb = pcb->next) pcb->tmr -= ticks;
}

Millis poll_tcp(Millis now) {
  if (tcp_active_pcbs == nullptr && tcp_tw_pcbs == nullptr) return tcp.poll(false, now, TCP_TMR_INTERVAL, tcp_tmr);
  const Millis last_ms = tcp.last_ms;
  const Millis due = tcp.poll(true, now, TCP_TMR_INTERVAL, tcp_tmr);
  if (tcp.last_ms != last_ms) return 0;  // it has run, and may have ended a connection, which the transport has to see
  const u32_t ticks = idle_ticks();
  if (ticks == 0) return due;
  is_tcp_asleep = true;
  constexpr u32_t most = 3'600'000 / TCP_SLOW_INTERVAL;  // the product has 32 bits
  const Millis sleep_ms = std::min(ticks, most) * TCP_SLOW_INTERVAL;
  const Millis slept_ms = now - tcp.last_ms + tcp_rest_ms;
  return sleep_ms > slept_ms ? sleep_ms - slept_ms : 0;
}

// ---- ARP -----------------------------------------------------------------------------------------------------------

// A known address only becomes older, which can be counted late. After a request, lwIP repeats it or forgets it.
constexpr unsigned most_arp_requests = 5;  // ARP_MAXPENDING of etharp.c
Millis arp_last_ms;
unsigned arp_runs_needed;
bool is_arp_asked;  // since the last poll

Millis poll_arp(Millis now) {
  const Millis runs = (now - arp_last_ms) / ARP_TMR_INTERVAL;
  arp_last_ms += runs * ARP_TMR_INTERVAL;
  // A request after the sleep is not as old as the sleep.
  const Millis most = std::exchange(is_arp_asked, false) ? 1 : ARP_MAXAGE;
  for (Millis run = std::min(runs, most); run != 0; --run) {
    arp_runs_needed -= arp_runs_needed != 0 ? 1 : 0;
    etharp_tmr();
  }
  return arp_runs_needed != 0 ? ARP_TMR_INTERVAL - (now - arp_last_ms) : forever;
}

// ---- Others --------------------------------------------------------------------------------------------------------

#if LWIP_DHCP
Ticker dhcp_requests;
Millis lease_ms;  // the time of leases that lwIP has counted

Millis poll_dhcp(Millis now) {
  bool has_client = false;
  netif* interface = nullptr;
  NETIF_FOREACH(interface) has_client = has_client || netif_dhcp_data(interface) != nullptr;
  // The seconds of a lease are counted afterwards: a wait of Network::poll() is short enough for its end.
  if (!has_client) lease_ms = now;
  for (; now - lease_ms >= DHCP_COARSE_TIMER_MSECS; lease_ms += DHCP_COARSE_TIMER_MSECS) dhcp_coarse_tmr();
  bool has_request = false;
  NETIF_FOREACH(interface) {
    const dhcp* const state = netif_dhcp_data(interface);
    if (state == nullptr) continue;
    drop_ended_lease(*interface);  // before the next look at the link, which would announce it
    has_request = has_request || state->request_timeout != 0;
  }
  return dhcp_requests.poll(has_request, now, DHCP_FINE_TIMER_MSECS, dhcp_fine_tmr);
}
#endif

#if LWIP_ACD
Ticker checks;

// An address that has passed its checks needs no timer, except for 10 s after a conflict.
Millis poll_acd(Millis now) {
  bool is_checking = false;
  netif* interface = nullptr;
  NETIF_FOREACH(interface) {
    for (const acd* each = interface->acd_list; each != nullptr; each = each->next)
      is_checking |= each->lastconflict != 0 || (each->state != ACD_STATE_OFF && each->state != ACD_STATE_ONGOING);
  }
  return checks.poll(is_checking, now, ACD_TMR_INTERVAL, acd_tmr);
}
#endif

#if LWIP_IGMP
Ticker reports;

Millis poll_igmp(Millis now) {
  bool has_report = false;
  netif* interface = nullptr;
  NETIF_FOREACH(interface) {
    for (const igmp_group* group = netif_igmp_data(interface); group != nullptr; group = group->next)
      has_report = has_report || group->timer != 0;
  }
  return reports.poll(has_report, now, IGMP_TMR_INTERVAL, igmp_tmr);
}
#endif

#if LWIP_DNS
Ticker look_ups;
#endif

}  // namespace

void resume_timers(Millis now) {
  if (!std::exchange(is_tcp_asleep, false)) return;
  const Millis slept = now - tcp.last_ms + tcp_rest_ms;
  tcp.last_ms = now;
  tcp_rest_ms = static_cast<std::uint16_t>(slept % TCP_SLOW_INTERVAL);
  const u32_t ticks = slept / TCP_SLOW_INTERVAL;
  age_active(ticks);
  age_closed(ticks);
}

// In place of the table of lwIP, whose timers run always: that of IGMP ten times a second.
Millis run_timers(Millis now) {
  sys_check_timeouts();
  Millis due = std::min<Millis>(sys_timeouts_sleeptime(), std::min(poll_tcp(now), poll_arp(now)));
#if LWIP_DHCP
  due = std::min(due, poll_dhcp(now));
#endif
#if LWIP_ACD
  due = std::min(due, poll_acd(now));
#endif
#if LWIP_IGMP
  due = std::min(due, poll_igmp(now));
#endif
#if LWIP_DNS
  due = std::min(due, look_ups.poll(true, now, DNS_TMR_INTERVAL, dns_tmr));
#endif
  return due;
}

// Bytes 12 and 13 are the type of the frame, and 20 and 21 are the operation of ARP.
void note_sent(std::span<const std::uint8_t> frame) {
  constexpr std::size_t size = 22;
  if (frame.size() < size || frame[12] != 0x08 || frame[13] != 0x06 || frame[21] != 1) return;
  is_arp_asked = true;
  arp_runs_needed = most_arp_requests + 1;
}

}  // namespace mcp::lwip

// ---- Called by lwIP -------------------------------------------------------------------------------------------------

extern "C" void mote_lwip_timeouts_init() {}

// poll_tcp() looks at all connections.
extern "C" void tcp_timer_needed() {}
