// A server's name in the local network (mDNS, RFC 6762) and what it offers there (DNS-SD, RFC 6763), with lwIP's own
// responder. Knows no board and no MCP but the name of the service. For lwIP built with MDNS (CMakeLists.txt).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcp/ports/lwip_network.hpp"

namespace mcp::lwip {

/// What a client needs besides the address, so that a user can be asked for it.
enum class Authorization : std::uint8_t {
  none,
  bearer,  ///< A token that the user has.
  oauth,   ///< OAuth 2.1, as the metadata of the server tells.
};

/// What is announced. The texts are not copied.
struct Announcement {
  /// The device is HOST.local. Letters, digits and hyphens, 1 to 57 bytes.
  std::string_view host;
  /// What users read in a list of services. UTF-8, 1 to 55 bytes.
  std::string_view name;
  std::uint16_t port = 80;
  /// Of the URL. At most 58 bytes, which is what one entry of TXT has room for.
  std::string_view path = "/mcp";
  Authorization authorization = Authorization::none;
  /// Whether the port is TLS.
  bool is_https = false;
};

/// Announces a service `_mcp._tcp` at the address that the network has: PTR, SRV, A, and TXT with `path`, `proto` (http
/// or https) and `auth` (none, bearer or oauth). Asks first whether another device has the name; then takes HOST-2,
/// "NAME (2)" and so on. All of it again when the link or the address comes back or changes.
///
/// One per network. It takes what it has in lwIP's memory when it is made: sizes are in
/// ports/lwip/README.md. When a moment has no memory for an answer there is none: clients ask again. Main loop;
/// advances with Network::poll().
class MdnsResponder final : private Sender {
 public:
  /// Makes the interface take frames for groups. `network` and what the announcement names must outlive it.
  MdnsResponder(Network& network, const Announcement& announcement);
  /// Says good-bye: what clients remember of it is void.
  ~MdnsResponder();
  MdnsResponder(const MdnsResponder&) = delete;
  MdnsResponder& operator=(const MdnsResponder&) = delete;

  /// False when a text is empty or too long, or lwIP has no memory for it: then nothing is announced.
  [[nodiscard]] bool ok() const { return is_on_; }

  /// Whether the names are its own by now: others were asked, and the service is announced.
  [[nodiscard]] bool is_announced() const;

  [[nodiscard]] const Announcement& announcement() const { return announcement_; }

  /// The name of the host without ".local", and that of the service, as they are now. Valid until the next poll.
  [[nodiscard]] std::string_view host() const;
  [[nodiscard]] std::string_view name() const;

 private:
  Millis flush() override;
  bool switch_on();
  void say_goodbye();
  void look_at_result(bool is_free, std::size_t slot);
  void rename_host();
  void rename_service();
  static void on_result(netif* interface, u8_t result, s8_t slot);

  Network* network_;
  Announcement announcement_;
  ip4_addr_t address_ = {};
  std::uint16_t host_number_ = 1;
  std::uint16_t name_number_ = 1;
  bool was_up_ = false;
  bool is_on_ = false;
};

}  // namespace mcp::lwip
