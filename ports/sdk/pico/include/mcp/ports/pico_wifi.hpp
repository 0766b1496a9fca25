// SPDX-License-Identifier: Apache-2.0
/// @file
/// Wi-Fi of Raspberry Pi Pico W and Pico 2 W, through the pico-sdk's cyw43 driver and lwIP. CMake target:
/// `mote::pico_wifi`, with `pico_cyw43_arch_lwip_poll` or `pico_cyw43_arch_lwip_threadsafe_background`.
/// @code
/// [[noreturn]] void run(mcp::HttpTransport& transport, mcp::pico::Wifi& wifi) {
///   wifi.join("my network", "its passphrase");
///   for (;;) {
///     const mcp::Millis due_ms = transport.poll(mcp::pico::millis());
///     wifi.wait_for_event(std::min(due_ms, wifi.poll(mcp::pico::millis())));
///   }
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/port.hpp"
#include "mcp/ports/lwip_interface.hpp"
#include "mcp/records.hpp"

namespace mcp::pico {

/// The state of a Wifi.
enum class WifiState : std::uint8_t {
  off,      ///< No network was given, or the radio does not work.
  joining,  ///< The radio joins the network.
  waiting,  ///< The radio could not join, or has lost the link. It joins again after the back-off.
  joined,   ///< The link is up. Interface::ready() returns whether there is an address, too. In another state, this is
            ///< the address in the network before, whose link has not ended.
};

/// The reason why the link is not up.
enum class WifiError : std::uint8_t {
  none,
  no_network,  ///< No access point with this SSID is in reach.
  rejected,    ///< The access point has rejected the client or ended its attempt, as after a wrong passphrase.
  failed,      ///< The radio could not join for another reason.
  timed_out,   ///< The radio could not join within Wifi::join_timeout_ms.
  lost,        ///< The link was lost.
  radio,       ///< The radio chip does not work.
};

/// The options of a Wifi. Lifetime: the constructor copies them.
struct WifiOptions {
  /// The name that the DHCP client sends, if mcp::is_host_name() accepts it. Otherwise the client sends no name.
  std::string_view host_name = {};
  /// A CYW43_COUNTRY_ constant of the driver (`cyw43_country.h`). 0: PICO_CYW43_ARCH_DEFAULT_COUNTRY_CODE.
  std::uint32_t country = 0;
  /// The CYW43_AUTH_ constant for a network with a passphrase. 0: CYW43_AUTH_WPA2_AES_PSK.
  std::uint32_t auth = 0;
};

/// The radio of the board as a client of a Wi-Fi network, with an address from DHCP. It is an Interface for
/// TcpListener, MdnsResponder and SntpClock.
///
/// If it cannot join, or loses the link, it tries again after 1, 2, 4 s and so on. The longest time is 15 s, or 60 s
/// after a rejection. So the board is back within 30 s after the network returns, with the same mDNS name. The back-off
/// restarts at 1 s after a link was up for 30 s. Connections survive a lost link if the address does not change;
/// otherwise lwIP ends them.
///
/// In the background variant of the pico-sdk, lwIP runs in an interrupt. Each function of the port takes the lock of
/// lwIP.
///
/// Security: with a passphrase, it never joins an open network. It writes neither SSID nor passphrase to a log.
///
/// Limits: one object. Context: the main loop of the core that made the object. poll() and wait_for_event() never wait
/// for a network. A call of the driver takes some milliseconds, and up to some seconds if the radio does not respond.
class Wifi final : public lwip::Interface {
 public:
  static constexpr std::size_t max_ssid = 32;            ///< Bytes of the longest SSID.
  static constexpr std::size_t max_passphrase = 64;      ///< Bytes of the longest passphrase.
  static constexpr Millis join_timeout_ms = 20'000;      ///< The time for one attempt to join, without DHCP.
  static constexpr Millis first_backoff_ms = 1'000;      ///< The time until the second attempt.
  static constexpr Millis longest_backoff_ms = 15'000;   ///< The longest time between two attempts.
  static constexpr Millis longest_rejected_ms = 60'000;  ///< As longest_backoff_ms, after a rejection.
  static constexpr Millis stable_ms = 30'000;            ///< The time with a link after which the back-off restarts.

  /// Starts the radio and lwIP. It blocks for about 1 s, because the radio loads its firmware. `entropy` supplies the
  /// random numbers of SNTP requests. Lifetime: it must outlive the object, and the object must outlive all users of
  /// its Interface. Errors: ok() is false if the radio does not work.
  explicit Wifi(Entropy& entropy, const WifiOptions& options = {});
  /// Overwrites the passphrase with zeros, and switches the radio off.
  ~Wifi();
  Wifi(const Wifi&) = delete;
  Wifi& operator=(const Wifi&) = delete;

  /// Returns whether the radio works.
  [[nodiscard]] bool ok() const { return is_on_; }

  /// Joins a network, and joins it again after each loss. An SSID has 1 to 32 bytes, also zeros. A passphrase has 8 to
  /// 63 bytes; 64 hexadecimal digits are a key; an empty passphrase is for an open network. Another call replaces the
  /// network. Ownership: both are copied, into 96 bytes. Errors: returns false and changes nothing for an invalid
  /// argument, or if ok() is false.
  bool join(std::string_view ssid, std::string_view passphrase);
  /// Joins the network of the records `wifi_ssid` and `wifi_password`, as mcp::Settings stores them. Without
  /// `wifi_password`, the network is open. Errors: as join() above; also returns false if a record cannot be read.
  bool join(Records& records);
  /// Leaves the network and joins none, until the next join(). Overwrites the passphrase with zeros.
  void leave();

  /// Returns whether join() accepts this passphrase.
  [[nodiscard]] static bool is_passphrase(std::string_view text);

  /// Runs the driver, lwIP and the connections. Call it after the transport in each turn of the main loop. `now` is the
  /// time in milliseconds. Returns the time in milliseconds until the next call.
  [[nodiscard]] Millis poll(Millis now);

  /// Sleeps until the radio, lwIP or mcp::pico::wake() needs the main loop, at most for `timeout_ms` milliseconds
  /// (mcp::forever: no limit). Use it in place of mcp::pico::wait_for_event(), also with UARTs and USB.
  void wait_for_event(Millis timeout_ms);

  /// Returns the state of the link.
  [[nodiscard]] WifiState state() const { return state_; }
  /// Returns the reason why the link is not up; `none` while it is up, and before the first attempt with the network.
  [[nodiscard]] WifiError error() const { return error_; }
  /// Returns the number of attempts that have failed since join(), or since the link was up; at most 255.
  [[nodiscard]] unsigned failures() const { return failures_; }

 private:
  Millis look_at_link(Millis now);
  void leave_link(Millis now);
  void start(Millis now);
  void give_up(Millis now, WifiError error);

  char ssid_[max_ssid];
  char passphrase_[max_passphrase];
  char host_name_[64];
  std::uint8_t ssid_size_ = 0;
  std::uint8_t passphrase_size_ = 0;
  std::uint8_t failures_ = 0;
  WifiState state_ = WifiState::off;
  WifiError error_ = WifiError::none;
  bool is_started_ = false;  // the driver and lwIP are started
  bool is_on_ = false;
  bool is_leaving_ = false;  // the link of the network before has not ended
  std::uint32_t auth_;
  Millis since_ms_ = 0;  // the start of the state
  Millis wait_ms_ = 0;
  Millis backoff_ms_ = first_backoff_ms;
};

}  // namespace mcp::pico

#include <mcp/detail/epilogue.hpp>
