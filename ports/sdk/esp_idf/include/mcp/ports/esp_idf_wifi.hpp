// SPDX-License-Identifier: Apache-2.0
/// @file
/// Wi-Fi of an ESP32 as a client of a network, through esp_wifi, esp_event and esp_netif.
/// @code
/// [[noreturn]] void run(mcp::Records& records, mcp::HttpTransport& transport, mcp::sockets::TcpListener& listener) {
///   mcp::esp_idf::Wifi wifi({.host_name = "thermometer"});  // after nvs_flash_init()
///   wifi.join(records, mcp::esp_idf::millis());
///   for (;;) {
///     const mcp::Millis due_ms = transport.poll(mcp::esp_idf::millis());
///     listener.wait(std::min(due_ms, wifi.poll(mcp::esp_idf::millis())));
///   }
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mcp/port.hpp>
#include <mcp/records.hpp>
#include <span>
#include <string_view>

struct esp_netif_obj;

namespace mcp::esp_idf {

/// The state of a Wifi.
enum class WifiState : std::uint8_t {
  off,      ///< No network was given, or the radio does not work.
  joining,  ///< The radio joins the network.
  waiting,  ///< The radio could not join, or has lost the link. It joins again after the back-off.
  joined,   ///< The link is up. Wifi::ready() returns whether there is an address, too.
};

/// The reason why the link is not up.
enum class WifiError : std::uint8_t {
  none,
  no_network,      ///< No access point with this SSID is in reach.
  wrong_password,  ///< The handshake with the access point has failed, as after a wrong passphrase.
  security,        ///< The network is open although there is a passphrase, or has other security than WPA2 or WPA3.
  failed,          ///< The radio could not join for another reason.
  timed_out,       ///< The radio could not join within Wifi::join_timeout_ms.
  no_address,      ///< DHCP has assigned no address within Wifi::address_timeout_ms.
  lost,            ///< The link was lost.
  radio,           ///< The driver has returned an error.
};

/// The options of a Wifi. Lifetime: the constructor copies them.
struct WifiOptions {
  /// The name that the DHCP client sends, if mcp::is_host_name() accepts it and it has at most 32 characters. Otherwise
  /// the client sends the name of ESP-IDF.
  std::string_view host_name = {};
};

/// The radio of the chip as a client of a Wi-Fi network, with an address from DHCP. Listeners and mDNS need nothing of
/// it: they use the interface of ESP-IDF.
///
/// If it cannot join, or loses the link, it tries again after 1, 2, 4 s and so on, at most 60 s, for ever. The back-off
/// restarts at 1 s after there was an address for 30 s. A link without an address for 60 s is left and joined again.
///
/// Security: with a passphrase, it never joins an open network, nor WEP or WPA. The driver keeps the passphrase in RAM
/// only. It writes neither SSID nor passphrase to a log; ESP-IDF logs the SSID.
///
/// Limits: one object. RAM: 144 bytes, and the heap of ESP-IDF. Context: the main loop, except that events of ESP-IDF
/// come from its own task. Calls of the driver take some milliseconds; no call waits for a network. Source: Wi-Fi
/// Driver in the programming guide of ESP-IDF.
class Wifi final {
 public:
  static constexpr std::size_t max_ssid = 32;           ///< Bytes of the longest SSID.
  static constexpr std::size_t max_passphrase = 64;     ///< Bytes of the longest passphrase.
  static constexpr Millis join_timeout_ms = 20'000;     ///< The time for one attempt to join, without DHCP.
  static constexpr Millis address_timeout_ms = 60'000;  ///< The time of a link without an address.
  static constexpr Millis first_backoff_ms = 1'000;     ///< The time until the second attempt.
  static constexpr Millis longest_backoff_ms = 60'000;  ///< The longest time between two attempts.
  static constexpr Millis stable_ms = 30'000;           ///< The time with an address that restarts the back-off.

  /// Starts the radio, after `nvs_flash_init`. It creates the default event loop and the interface of ESP-IDF, and
  /// blocks for less than 1 s. Errors: ok() is false if one of them fails.
  explicit Wifi(const WifiOptions& options = {});
  /// Overwrites the passphrase with zeros, and switches the radio off.
  ~Wifi();
  Wifi(const Wifi&) = delete;
  Wifi& operator=(const Wifi&) = delete;

  /// Returns whether the radio works.
  [[nodiscard]] bool ok() const { return is_on_; }

  /// Joins a network, and joins it again after each loss. An SSID has 1 to 32 bytes and no zero. A passphrase has 8 to
  /// 63 bytes; 64 hexadecimal digits are a key; an empty passphrase is for an open network. Another call replaces the
  /// network: it leaves the old one, and joins after 1 s. `now` is the time in milliseconds. It may be earlier than
  /// that of the last poll(). Ownership: both are copied, into 96 bytes. Errors: returns false and changes nothing for
  /// an invalid argument, or if ok() is false.
  bool join(std::string_view ssid, std::string_view passphrase, Millis now);
  /// Joins the network of the records `wifi_ssid` and `wifi_password`, as mcp::Settings stores them. Without
  /// `wifi_password`, the network is open. Errors: as join() above; also returns false if a record cannot be read.
  bool join(Records& records, Millis now);
  /// Returns whether join() accepts this SSID.
  [[nodiscard]] static bool is_ssid(std::string_view text);
  /// Returns whether join() accepts this passphrase.
  [[nodiscard]] static bool is_passphrase(std::string_view text);
  /// Leaves the network and forgets it, for example after its record was erased.
  void leave();

  /// Follows the link. Call it in each turn of the main loop. `now` is the time in milliseconds. Returns the time in
  /// milliseconds until the next call, at most 1 s while a network is given. An event of the radio calls
  /// mcp::esp_idf::wake().
  [[nodiscard]] Millis poll(Millis now);

  /// Returns whether the link is up and has an address. A link that has ended has none, also before the next poll().
  [[nodiscard]] bool ready() const { return ip() != 0; }
  /// Writes the IPv4 address, such as "192.168.1.23", to `into`, which has at least 16 bytes. Returns it, or an empty
  /// text if ready() is false. Ownership: the caller owns `into`.
  [[nodiscard]] std::string_view address(std::span<char> into) const;

  /// Returns the state of the link, as of the last poll().
  [[nodiscard]] WifiState state() const { return state_; }
  /// Returns the reason why the link is not up; `none` while it is up, and before the first attempt with the network.
  [[nodiscard]] WifiError error() const { return error_; }
  /// Returns the number of attempts that have failed since join(), or since the link was up; at most 255.
  [[nodiscard]] unsigned failures() const { return failures_; }

 private:
  static void on_event(void* self, const char* base, std::int32_t id, void* data);
  [[nodiscard]] std::uint32_t ip() const;
  [[nodiscard]] bool is_up(std::uint32_t events) const;
  void advance(Millis now);
  void start();
  void give_up(WifiError error);
  void disconnect();
  void look_at_joined();

  esp_netif_obj* netif_ = nullptr;
  void* handlers_[3] = {};
  // Bit 0: the link is up. Bits 8 to 15: the reason of the last end. Bits 16 to 31: the number of ends. Only the task
  // of the events writes it, so it needs no compare-and-swap, which an ESP32-C3 does not have.
  std::atomic<std::uint32_t> events_ = 0;
  std::uint16_t ends_ = 0;  // when the attempt or the last call of disconnect() began
  char ssid_[max_ssid];
  char passphrase_[max_passphrase];
  std::uint8_t ssid_size_ = 0;
  std::uint8_t passphrase_size_ = 0;
  std::uint8_t failures_ = 0;
  WifiState state_ = WifiState::off;
  WifiError error_ = WifiError::none;
  bool is_on_ = false;
  bool is_leaving_ = false;  // disconnect() was called, and no attempt has followed
  bool has_time_ = false;
  bool had_address_ = false;  // at the last poll()
  Millis now_ms_ = 0;         // the latest time
  Millis since_ms_ = 0;       // the start of the state, or of the address or the lack of one
  Millis wait_ms_ = 0;
  Millis backoff_ms_ = first_backoff_ms;
};

}  // namespace mcp::esp_idf

#include <mcp/detail/epilogue.hpp>
