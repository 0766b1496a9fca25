// SPDX-License-Identifier: Apache-2.0
/// @file
/// The time of day from a time server by SNTP (version 4, RFC 4330), over UDP with lwIP. On the stack of a Network, it
/// needs the option SNTP of mote_lwip().
/// @code
/// mcp::WallClock& wall_clock(mcp::lwip::Interface& network) {
///   static mcp::lwip::SntpClock clock{network, {.server = {192, 0, 2, 1}}};
///   return clock;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <lwip/udp.h>

#include <cstdint>

#include "mcp/port.hpp"
#include "mcp/ports/lwip_interface.hpp"

#define MOTE_LWIP_NEEDS_SNTP
#include "mcp/ports/lwip_options.h"

namespace mcp::lwip {

/// The options of a SntpClock. Lifetime: the constructor copies them.
struct SntpOptions {
  /// The IPv4 address of the time server. All zero: the server that DHCP names (option 42) to a Network. On another
  /// stack, all zero means that the clock is not set.
  Ip4 server = {};
  /// The clock rejects times before this one, in milliseconds since 1970, and times from 2104 on. The default is
  /// 2026-01-01T00:00:00Z.
  std::uint64_t earliest_utc_ms = 1'767'225'600'000;
};

/// A wall clock that a time server sets: first at most 5 s after the network is ready, then each hour. Without a
/// response it requests the time again after 30, 45, 75 s and so on, at most 1 hour. If the server rejects it for good
/// (DENY, RSTR), it requests the time again after a day. The time is exact within half of the response time (at most 2
/// s), plus the drift of the board's clock in an hour.
///
/// Until the first response, the time is the milliseconds since start-up, as if the device had started in 1970. TLS
/// with `.clock` then rejects certificates as not yet valid. See is_set().
///
/// If the clock is ahead by 2 s or less, it stops until it is right. It corrects an error of up to 10 minutes at once.
/// A larger one needs four responses in a row that agree within 10 minutes, which takes 45 minutes. So one forged
/// response starts no scheduled call and ends no certificate.
///
/// The response must repeat 64 random bits of the request, so an attacker must see the request to forge a response.
/// SNTP has no signature. Context: main loop; it works during Interface::poll().
class SntpClock final : public WallClock, private Sender {
 public:
  /// Limits: one in a program. Lifetime: `interface` must outlive the object.
  explicit SntpClock(Interface& interface, const SntpOptions& options = {});
  ~SntpClock();
  SntpClock(const SntpClock&) = delete;
  SntpClock& operator=(const SntpClock&) = delete;

  /// Returns false if there is already a SntpClock. This one is then never set.
  [[nodiscard]] bool ok() const;

  /// Returns whether a server has set the time.
  [[nodiscard]] bool is_set() const;

  /// Returns whether the server has rejected the client for good. The next request, a day later, clears it, and another
  /// server that DHCP names.
  [[nodiscard]] bool is_refused() const;

  /// @cond server
  /// For the DHCP client of lwIP: the server that it names, or nullptr.
  static void set_server_of_dhcp(const ip4_addr_t* server);
  /// @endcond

 private:
  std::uint64_t do_utc_ms() override;
  Millis flush() override;
  [[nodiscard]] bool begin(Millis now);
  void end();
  void ask();
  void take(const pbuf& answer);
  [[nodiscard]] bool is_good(const pbuf& answer);
  [[nodiscard]] bool is_doubtful(std::uint64_t utc_ms, Millis now);
  static void on_answer(void* self, udp_pcb* pcb, pbuf* answer, const ip_addr_t* from, u16_t port);

  Interface* interface_;
  udp_pcb* pcb_ = nullptr;  // while requests are sent
  std::uint64_t earliest_utc_ms_;
  std::uint64_t set_utc_ms_ = 0;   // the time at set_ms_
  std::uint64_t last_utc_ms_ = 0;  // the last returned time
  std::int64_t step_ms_ = 0;       // of the last response, if it was too large
  ip4_addr_t server_ = {};
  Millis set_ms_ = 0;
  Millis asked_ms_ = 0;
  Millis wait_ms_ = 0;   // after asked_ms_, until the next request
  Millis retry_ms_ = 0;  // how much longer that is without an answer
  std::uint32_t question_[2] = {};
  bool is_from_dhcp_;
  bool waits_ = false;  // for an answer
  bool is_set_ = false;
  bool is_refused_ = false;
  std::uint8_t doubts_ = 0;  // responses in a row that agree with step_ms_
};

}  // namespace mcp::lwip

#include <mcp/detail/epilogue.hpp>
