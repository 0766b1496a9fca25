// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/lwip_sntp.hpp"

#include <lwip/apps/sntp.h>
#include <lwip/pbuf.h>
#include <lwip/sys.h>
#include <lwip/udp.h>

#include <cstring>
#include <string_view>

namespace mcp::lwip {
namespace {

// From 1970 to the second era of NTP, in which lwIP counts: 2036-02-07T06:28:16Z.
constexpr std::int64_t era_1_utc_s = 2'085'978'496;

constexpr Millis longest_wait_ms = 2'000;  // for an answer
constexpr std::uint64_t longest_hold_ms = 2'000;
constexpr Millis hour_ms = 3'600'000;

// Offsets in a response (RFC 4330 section 4), in bytes.
constexpr u16_t answer_size = 48;
constexpr u16_t stratum_at = 1;
constexpr u16_t reference_at = 12;
constexpr u16_t originate_at = 24;
constexpr u16_t transmit_at = 40;

constexpr u8_t mode_mask = 7;
constexpr u8_t mode_server = 4;
constexpr u8_t not_synchronized = 3;  // the leap indicator, in the upper two bits
constexpr u8_t highest_stratum = 15;

SntpClock* the_clock;
udp_recv_fn lwip_takes;

std::uint32_t read_u32(const pbuf& packet, u16_t at) {
  std::uint32_t value = 0;
  for (u16_t i = 0; i < 4; ++i) value = value << 8 | pbuf_get_at(&packet, static_cast<u16_t>(at + i));
  return value;
}

// Milliseconds since 1970; below 0 before. The seconds are in era 1, which begins with 0.
std::int64_t utc_ms_of(std::int32_t seconds, std::uint32_t fraction) {
  const std::uint64_t ms = fraction * std::uint64_t{1'000} >> 32;
  return (seconds + era_1_utc_s) * 1'000 + static_cast<std::int64_t>(ms);
}

constexpr std::uint32_t code(std::string_view text) {
  std::uint32_t value = 0;
  for (const char c : text) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

// lwIP gets only a valid response. Without one, lwIP waits longer before each further request.
void take(void* self, udp_pcb* pcb, pbuf* answer, const ip_addr_t* from, u16_t port) {
  if (the_clock != nullptr && port == SNTP_PORT && ip_addr_eq(from, sntp_getserver(0)) && the_clock->is_good(*answer)) {
    lwip_takes(self, pcb, answer, from, port);
  } else {
    pbuf_free(answer);
  }
}

}  // namespace

SntpClock::SntpClock(Network& network, const SntpOptions& options)
    : network_(&network), earliest_utc_ms_(options.earliest_utc_ms) {
  network.add(*this);
  if (the_clock != nullptr) return;
  the_clock = this;
  const bool from_dhcp = options.server == Ip4{};
  ip_addr_t server = {};
  IP_ADDR4(&server, options.server[0], options.server[1], options.server[2], options.server[3]);
  sntp_setserver(0, &server);
#if SNTP_GET_SERVERS_FROM_DHCP
  sntp_servermode_dhcp(from_dhcp ? 1 : 0);
#else
  static_cast<void>(from_dhcp);
#endif
}

SntpClock::~SntpClock() {
  network_->remove(*this);
  if (the_clock != this) return;
  sntp_stop();
  the_clock = nullptr;
}

bool SntpClock::ok() const { return the_clock == this; }

Millis SntpClock::flush() {
  if (!ok()) return forever;
  // Long before the board's clock wraps.
  const Millis passed = sys_now() - set_ms_;
  if (passed >= hour_ms) {
    set_utc_ms_ += passed;
    set_ms_ += passed;
  }
  start_or_stop();
  return forever;
}

void SntpClock::start_or_stop() {
  const bool is_wanted = network_->ready() && !is_refused_;
  if (is_wanted == (sntp_enabled() != 0)) return;
  if (!is_wanted) return sntp_stop();
  // lwIP does not look whether it has a port for it.
  udp_pcb* const pcb = udp_new();
  if (pcb == nullptr) return;
  udp_remove(pcb);
  sntp_init();
}

void SntpClock::ask(std::int32_t& seconds, std::uint32_t& fraction) {
  std::uint8_t bytes[sizeof question_];
  // Without random numbers, an attacker could forge the response.
  waits_ = fill_random(bytes);
  if (waits_) std::memcpy(question_, bytes, sizeof bytes);
  asked_ms_ = sys_now();
  seconds = static_cast<std::int32_t>(question_[0]);
  fraction = question_[1];
}

// RFC 4330 section 5, and at most one response for each request.
bool SntpClock::is_good(const pbuf& answer) {
  if (!waits_ || answer.tot_len != answer_size || sys_now() - asked_ms_ > longest_wait_ms) return false;
  const u8_t first = pbuf_get_at(&answer, 0);
  const u8_t stratum = pbuf_get_at(&answer, stratum_at);
  if ((first & mode_mask) != mode_server || stratum > highest_stratum) return false;
  if (read_u32(answer, originate_at) != question_[0] || read_u32(answer, originate_at + 4) != question_[1])
    return false;
  waits_ = false;
  // A "kiss of death" has a reason in place of the server's reference.
  if (stratum == 0) {
    const std::uint32_t why = read_u32(answer, reference_at);
    is_refused_ = why == code("DENY") || why == code("RSTR");
    return false;
  }
  const std::uint32_t seconds = read_u32(answer, transmit_at);
  const std::uint32_t fraction = read_u32(answer, transmit_at + 4);
  const std::int64_t utc_ms = utc_ms_of(static_cast<std::int32_t>(seconds), fraction);
  return first >> 6 != not_synchronized && (seconds != 0 || fraction != 0) && utc_ms >= 0 &&
         static_cast<std::uint64_t>(utc_ms) >= earliest_utc_ms_;
}

void SntpClock::set(std::int32_t seconds, std::uint32_t fraction) {
  set_ms_ = sys_now();
  set_utc_ms_ = static_cast<std::uint64_t>(utc_ms_of(seconds, fraction)) + (set_ms_ - asked_ms_) / 2;
  is_set_ = true;
}

std::uint64_t SntpClock::do_utc_ms() {
  const std::uint64_t utc_ms = set_utc_ms_ + (sys_now() - set_ms_);
  const bool is_held = utc_ms < last_utc_ms_ && last_utc_ms_ - utc_ms <= longest_hold_ms;
  if (!is_held) last_utc_ms_ = utc_ms;
  return last_utc_ms_;
}

}  // namespace mcp::lwip

// ---- Called by lwIP (lwipopts.h, CMakeLists.txt) --------------------------------------------------------------------

extern "C" void mote_lwip_sntp_ask(std::int32_t* seconds, std::uint32_t* fraction) {
  if (mcp::lwip::the_clock != nullptr) mcp::lwip::the_clock->ask(*seconds, *fraction);
}

extern "C" void mote_lwip_sntp_set(std::int32_t seconds, std::uint32_t fraction) {
  if (mcp::lwip::the_clock != nullptr) mcp::lwip::the_clock->set(seconds, fraction);
}

// In the place of udp_recv(): between the port and lwIP's client.
extern "C" void mote_lwip_sntp_recv(udp_pcb* pcb, udp_recv_fn lwip_takes, void* argument) {
  mcp::lwip::lwip_takes = lwip_takes;
  udp_recv(pcb, mcp::lwip::take, argument);
}
