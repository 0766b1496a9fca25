// The time of day from a time server (SNTP version 4, RFC 4330), asked by lwIP's own client. Knows no board. For lwIP
// built with SNTP (CMakeLists.txt).
#pragma once

#include <cstdint>

#include "mcp/port.hpp"
#include "mcp/ports/lwip_network.hpp"

namespace mcp::lwip {

/// Whom a SntpClock asks, and what it believes. Read when the clock is made, and not kept.
struct SntpOptions {
  /// IPv4. All zero: the one that DHCP names (option 42), if it names one.
  Ip4 server = {};
  /// No answer before this is believed: the firmware is younger. 2026-01-01T00:00:00Z. Nor can one be from 2104 on.
  std::uint64_t earliest_utc_ms = 1'767'225'600'000;
};

/// A wall clock that is set by a time server: first up to 5 s after the network is there, then every hour. Without an
/// answer it asks again after 30, 45, 75 s and so on, an hour at most; a server that refuses for good (DENY, RSTR)
/// is not asked any more. Right within half of the time that the answer took, which is 2 s at most, and what the
/// board's clock drifts in an hour. Advances with Network::poll().
///
/// Until the first answer there is no time: it says what a device without a calendar says, milliseconds since start-up
/// as if it had started in 1970; is_set() tells. TLS with `.clock` then refuses certificates as not good yet.
///
/// It never goes back by 2 s or less, but stands still until it is right; a larger error is mended at once.
///
/// The answer has to repeat 64 random bits of the question, so that nobody who does not see the question can give one.
/// Who does see it can: SNTP has no signature.
class SntpClock final : public WallClock, private Sender {
 public:
  /// One in a program: it is lwIP's. `network` must outlive it.
  explicit SntpClock(Network& network, const SntpOptions& options = {});
  ~SntpClock();
  SntpClock(const SntpClock&) = delete;
  SntpClock& operator=(const SntpClock&) = delete;

  /// False when there is one already: this one is never set.
  [[nodiscard]] bool ok() const;

  /// Whether a server has told the time.
  [[nodiscard]] bool is_set() const { return is_set_; }

  /// Whether the server has refused for good.
  [[nodiscard]] bool is_refused() const { return is_refused_; }

  /// For lwIP, which knows the module and not the object: the time stamp of a question that is sent now, a number that
  /// cannot be guessed; and the time of an answer, in seconds and 2^-32 s since 2036-02-07T06:28:16Z.
  void ask(std::int32_t& seconds, std::uint32_t& fraction);
  void set(std::int32_t seconds, std::uint32_t fraction);
  /// Whether the answer is one to lwIP's taste and ours.
  [[nodiscard]] bool is_good(const pbuf& answer);

 private:
  std::uint64_t do_utc_ms() override;
  Millis flush() override;
  void start_or_stop();

  Network* network_;
  std::uint64_t earliest_utc_ms_;
  std::uint64_t set_utc_ms_ = 0;   // the time at set_ms_
  std::uint64_t told_utc_ms_ = 0;  // the latest that was told
  Millis set_ms_ = 0;
  Millis asked_ms_ = 0;
  std::uint32_t question_[2] = {};
  bool waits_ = false;  // for an answer
  bool is_set_ = false;
  bool is_refused_ = false;
};

}  // namespace mcp::lwip
