// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/lwip_sntp.hpp"

#include <lwip/pbuf.h>
#include <lwip/sys.h>
#include <lwip/udp.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "ports/lwip/lwip_lock.hpp"

namespace mcp::lwip {
namespace {

// From 1970 to the second era of NTP, which begins with 0: 2036-02-07T06:28:16Z.
constexpr std::int64_t era_1_utc_s = 2'085'978'496;

constexpr Millis answer_timeout_ms = 2'000;
constexpr std::uint64_t longest_hold_ms = 2'000;
constexpr Millis hour_ms = 3'600'000;
constexpr Millis day_ms = 24 * hour_ms;  // until a server that has refused requests gets another one
// A larger step of a clock that is set needs this number of responses in a row that agree, this long after one another.
constexpr std::int64_t largest_step_ms = 600'000;
constexpr std::uint8_t responses_for_step = 4;
constexpr Millis doubt_ms = 900'000;
// The first request waits for a random time, so that devices that start together do not ask together.
constexpr Millis longest_start_ms = 5'000;
// Without an answer, the next request follows after the first time and the second, which doubles each time.
constexpr Millis answer_limit_ms = 15'000;
constexpr Millis first_retry_ms = 15'000;
// Without memory or random numbers.
constexpr Millis local_retry_ms = 1'000;
// How soon a change of the link or the address is noticed.
constexpr Millis server_interval_ms = 1'000;

constexpr u16_t ntp_port = 123;

// Offsets in a message (RFC 4330 section 4), in bytes.
constexpr u16_t message_size = 48;
constexpr u16_t stratum_at = 1;
constexpr u16_t reference_at = 12;
constexpr u16_t originate_at = 24;
constexpr u16_t transmit_at = 40;

constexpr u8_t version_4_client = 0x23;
constexpr u8_t mode_mask = 7;
constexpr u8_t mode_server = 4;
constexpr u8_t not_synchronized = 3;  // the leap indicator, in the upper two bits
constexpr u8_t highest_stratum = 15;

SntpClock* the_clock;

std::uint32_t read_time_u32(const pbuf& packet, u16_t at) {
  std::uint32_t value = 0;
  for (u16_t i = 0; i < 4; ++i) value = value << 8 | pbuf_get_at(&packet, static_cast<u16_t>(at + i));
  return value;
}

// Milliseconds since 1970; below 0 before. The seconds are in era 1.
std::int64_t utc_ms_of(std::uint32_t seconds, std::uint32_t fraction) {
  const std::uint64_t ms = fraction * std::uint64_t{1'000} >> 32;
  return (static_cast<std::int32_t>(seconds) + era_1_utc_s) * 1'000 + static_cast<std::int64_t>(ms);
}

constexpr std::uint32_t code(std::string_view text) {
  std::uint32_t value = 0;
  for (const char c : text) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

}  // namespace

SntpClock::SntpClock(Interface& interface, const SntpOptions& options)
    : interface_(&interface), earliest_utc_ms_(options.earliest_utc_ms), is_from_dhcp_(options.server == Ip4{}) {
  const CoreLock lock;
  interface.add(*this);
  IP4_ADDR(&server_, options.server[0], options.server[1], options.server[2], options.server[3]);
  if (the_clock == nullptr) the_clock = this;
}

SntpClock::~SntpClock() {
  const CoreLock lock;
  interface_->remove(*this);
  end();
  if (the_clock == this) the_clock = nullptr;
}

bool SntpClock::ok() const { return the_clock == this; }

bool SntpClock::is_set() const {
  const CoreLock lock;
  return is_set_;
}

bool SntpClock::is_refused() const {
  const CoreLock lock;
  return is_refused_;
}

void SntpClock::set_server_of_dhcp(const ip4_addr_t* server) {
  if (the_clock == nullptr || !the_clock->is_from_dhcp_) return;
  const ip4_addr_t named = server != nullptr ? *server : ip4_addr_t{};
  if (ip4_addr_cmp(&named, &the_clock->server_)) return;  // of a renewed lease
  the_clock->server_ = named;
  the_clock->is_refused_ = false;
  the_clock->end();
}

Millis SntpClock::flush() {
  if (!ok()) return forever;
  const Millis now = sys_now();
  // Long before the board's clock wraps.
  const Millis passed = now - set_ms_;
  if (passed >= hour_ms) {
    set_utc_ms_ += passed;
    set_ms_ += passed;
  }
  if (is_refused_ && now - asked_ms_ >= day_ms) is_refused_ = false;
  const bool has_server = !is_refused_ && !ip4_addr_isany_val(server_);
  if (!has_server || !interface_->is_ready()) {
    end();
    return has_server ? server_interval_ms : hour_ms;
  }
  if (!begin(now)) return local_retry_ms;
  if (now - asked_ms_ >= wait_ms_) ask();
  return wait_ms_ - (now - asked_ms_);
}

// False without memory or random numbers. With a time after `now`, the first request would not wait.
bool SntpClock::begin(Millis now) {
  if (pcb_ != nullptr) return true;
  std::uint8_t random[2];
  if (!interface_->fill_random(random)) return false;
  pcb_ = udp_new();
  if (pcb_ == nullptr) return false;
  udp_recv(pcb_, on_answer, this);
  asked_ms_ = now;
  wait_ms_ = static_cast<Millis>(random[0] << 8 | random[1]) % longest_start_ms;
  retry_ms_ = first_retry_ms;
  return true;
}

void SntpClock::end() {
  if (pcb_ != nullptr) udp_remove(pcb_);
  pcb_ = nullptr;
  waits_ = false;
}

void SntpClock::ask() {
  asked_ms_ = sys_now();
  wait_ms_ = local_retry_ms;
  waits_ = false;
  std::uint8_t random[sizeof question_];
  pbuf* const request = pbuf_alloc(PBUF_TRANSPORT, message_size, PBUF_RAM);
  if (request == nullptr) return;
  std::memset(request->payload, 0, message_size);
  pbuf_put_at(request, 0, version_4_client);
  ip_addr_t to;
  ip_addr_copy_from_ip4(to, server_);
  udp_bind_netif(pcb_, &interface_->interface());
  // Without random numbers, an attacker could forge the response.
  if (interface_->fill_random(random)) {
    static_cast<void>(pbuf_take_at(request, random, sizeof random, transmit_at));
    question_[0] = read_time_u32(*request, transmit_at);
    question_[1] = read_time_u32(*request, transmit_at + 4);
    waits_ = udp_sendto(pcb_, request, &to, ntp_port) == ERR_OK;
  }
  if (waits_) {
    wait_ms_ = answer_limit_ms + retry_ms_;
    retry_ms_ = std::min(2 * retry_ms_, hour_ms);
  }
  pbuf_free(request);
}

void SntpClock::on_answer(void* self, udp_pcb*, pbuf* answer, const ip_addr_t* from, u16_t port) {
  auto& clock = *static_cast<SntpClock*>(self);
  if (port == ntp_port && IP_IS_V4(from) && ip4_addr_eq(ip_2_ip4(from), &clock.server_)) clock.take(*answer);
  pbuf_free(answer);
}

// RFC 4330 section 5, and at most one response for each request.
bool SntpClock::is_good(const pbuf& answer) {
  if (!waits_ || answer.tot_len != message_size || sys_now() - asked_ms_ > answer_timeout_ms) return false;
  const u8_t first = pbuf_get_at(&answer, 0);
  const u8_t stratum = pbuf_get_at(&answer, stratum_at);
  if ((first & mode_mask) != mode_server || stratum > highest_stratum) return false;
  if (read_time_u32(answer, originate_at) != question_[0] || read_time_u32(answer, originate_at + 4) != question_[1])
    return false;
  waits_ = false;
  // A "kiss of death" has a reason in place of the server's reference.
  if (stratum == 0) {
    const std::uint32_t why = read_time_u32(answer, reference_at);
    is_refused_ = why == code("DENY") || why == code("RSTR");
    return false;
  }
  const std::int64_t utc_ms = utc_ms_of(read_time_u32(answer, transmit_at), read_time_u32(answer, transmit_at + 4));
  const bool has_time = read_time_u32(answer, transmit_at) != 0 || read_time_u32(answer, transmit_at + 4) != 0;
  return first >> 6 != not_synchronized && has_time && utc_ms >= 0 &&
         static_cast<std::uint64_t>(utc_ms) >= earliest_utc_ms_;
}

// One forged response must not make all scheduled calls due, nor end all certificates.
bool SntpClock::is_doubtful(std::uint64_t utc_ms, Millis now) {
  if (!is_set_) return false;
  const auto is_small = [](std::int64_t ms) { return ms <= largest_step_ms && ms >= -largest_step_ms; };
  const auto step_ms = static_cast<std::int64_t>(utc_ms - set_utc_ms_ - (now - set_ms_));
  const bool agrees = is_small(step_ms - step_ms_);
  step_ms_ = is_small(step_ms) ? 0 : step_ms;
  if (step_ms_ == 0) return false;
  doubts_ = static_cast<std::uint8_t>(agrees ? doubts_ + 1 : 1);
  return doubts_ < responses_for_step;
}

void SntpClock::take(const pbuf& answer) {
  if (!is_good(answer)) return;
  const Millis now = sys_now();
  const Millis took_ms = now - asked_ms_;
  retry_ms_ = first_retry_ms;
  const std::int64_t sent_ms = utc_ms_of(read_time_u32(answer, transmit_at), read_time_u32(answer, transmit_at + 4));
  const std::uint64_t utc_ms = static_cast<std::uint64_t>(sent_ms) + took_ms / 2;
  const bool is_too_early = is_doubtful(utc_ms, now);
  wait_ms_ = took_ms + (is_too_early ? doubt_ms : hour_ms);
  if (is_too_early) return;
  set_ms_ = now;
  set_utc_ms_ = utc_ms;
  step_ms_ = 0;
  is_set_ = true;
}

std::uint64_t SntpClock::do_utc_ms() {
  const CoreLock lock;
  const std::uint64_t utc_ms = set_utc_ms_ + (sys_now() - set_ms_);
  const bool is_held = utc_ms < last_utc_ms_ && last_utc_ms_ - utc_ms <= longest_hold_ms;
  if (!is_held) last_utc_ms_ = utc_ms;
  return last_utc_ms_;
}

}  // namespace mcp::lwip

#if MOTE_LWIP_STACK && LWIP_DHCP_GET_NTP_SRV

// ---- Called by lwIP (dhcp.c) ----------------------------------------------------------------------------------------

extern "C" void dhcp_set_ntp_servers(u8_t count, const ip4_addr_t* servers) {
  mcp::lwip::SntpClock::set_server_of_dhcp(count != 0 ? servers : nullptr);
}

#endif
