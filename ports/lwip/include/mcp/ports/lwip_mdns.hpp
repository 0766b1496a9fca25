// SPDX-License-Identifier: Apache-2.0
/// @file
/// Announces the server in the local network by mDNS (RFC 6762) and DNS-SD (RFC 6763), with the responder of lwIP. It
/// needs lwIP with the option MDNS of mote_lwip().
/// @code
/// mcp::HttpOptions announce(mcp::lwip::Interface& network) {
///   static mcp::lwip::MdnsResponder responder{network, {.host = "boiler", .name = "Boiler in the cellar"}};
///   if (!responder.ok()) board::led(100);
///   return {.hosts = responder.hosts()};
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/ports/lwip_interface.hpp"

#define MOTE_LWIP_NEEDS_MDNS
#include "mcp/ports/lwip_options.h"

namespace mcp::lwip {

/// The authorization that a client needs for the server.
enum class Authorization : std::uint8_t {
  none,    ///< No token.
  bearer,  ///< A static token of the user.
  oauth,   ///< OAuth 2.1, as the metadata of the server says.
};

/// The announced service. Lifetime: the strings are not copied.
struct Announcement {
  /// The host name is HOST.local. Letters, digits and hyphens, 1 to 57 bytes.
  std::string_view host;
  /// The display name in lists of services. UTF-8, 1 to 55 bytes.
  std::string_view name;
  std::uint16_t port = 80;  ///< The TCP port of the server.
  /// The path of the endpoint, at most 58 bytes.
  std::string_view path = "/mcp";
  Authorization authorization = Authorization::none;  ///< The authorization that clients need.
  /// Whether the port has TLS.
  bool is_https = false;
};

/// Announces a service `_mcp._tcp` at the address of the network: PTR, SRV, A, and TXT with `path`, `proto` (http or
/// https) and `auth` (none, bearer or oauth). First it checks whether another device has the name, and then uses
/// HOST-2, "NAME (2)" and so on, up to 99. It announces again if the link or the address changes, and then first tries
/// its own names, as it does an hour after a change of its name. For that, Interface::poll() returns at most 1 s.
///
/// On a stack that the program has started, the driver of the interface must accept multicast frames (NETIF_FLAG_IGMP,
/// `igmp_mac_filter`). The program may announce its own services on other interfaces. It must not call
/// mdns_resp_register_name_result_cb(), because lwIP has one callback.
///
/// Limits: one per interface. `ports/lwip/README.md` has the sizes of its memory in lwIP. If lwIP has no memory for a
/// response, it sends none, and clients repeat the query. Context: main loop; it works during Interface::poll().
class MdnsResponder final : private Sender {
 public:
  /// Announces `announcement`, and joins the group of mDNS.
  /// Lifetime: `interface` and the strings of `announcement` must outlive the object. Remove the interface from lwIP
  /// only after the object.
  MdnsResponder(Interface& interface, const Announcement& announcement);
  /// Sends a goodbye packet, so that clients forget the service.
  ~MdnsResponder();
  MdnsResponder(const MdnsResponder&) = delete;
  MdnsResponder& operator=(const MdnsResponder&) = delete;

  /// Returns false if a string is empty or too long, or if lwIP has no memory. Then nothing is announced.
  [[nodiscard]] bool ok() const { return is_on_; }

  /// Returns whether the names are checked and the service is announced.
  [[nodiscard]] bool is_announced() const;

  /// Returns the announcement given to the constructor.
  [[nodiscard]] const Announcement& announcement() const { return announcement_; }

  /// Returns the host name with ".local", for HttpOptions::hosts. The list has one element, which follows renames. It
  /// is empty while the name is not announced. Lifetime: the list is valid as long as the object, and its element until
  /// the next Interface::poll().
  [[nodiscard]] std::span<const std::string_view> hosts() const { return hosts_; }

  /// Writes the current host name, without ".local", into `text`, and returns it; empty if ok() is false.
  /// Ownership: the caller owns `text`.
  [[nodiscard]] std::string_view host(std::span<char, 63> text) const;
  /// Writes the current display name of the service into `text`, and returns it; empty if ok() is false.
  /// Ownership: the caller owns `text`.
  [[nodiscard]] std::string_view name(std::span<char, 63> text) const;

 private:
  Millis flush() override;
  [[nodiscard]] bool has_announced() const;
  bool switch_on();
  void update_hosts();
  void say_goodbye();
  void look_at_result(bool is_free, std::size_t slot);
  void rename(bool is_host);
  static void on_result(netif* interface, u8_t result, s8_t slot);

  Interface* interface_;
  Announcement announcement_;
  std::string_view hosts_[1];  // a view of local_name_
  char local_name_[63 + 6];    // a label, and ".local"
  bool was_up_ = false;
  bool is_on_ = false;
  bool keeps_hosts_ = false;
  std::uint8_t host_number_ = 1;
  std::uint8_t name_number_ = 1;
  Millis renamed_ms_ = 0;  // when another device had the name
  ip4_addr_t address_ = {};
};

}  // namespace mcp::lwip

#include <mcp/detail/epilogue.hpp>
