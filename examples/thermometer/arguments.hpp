// SPDX-License-Identifier: Apache-2.0
// The options on the command line of thermometer_http. Knows no MCP.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

struct Arguments {
  static constexpr std::size_t max_names = 8;

  const char* host = "127.0.0.1";  // numeric, IPv4 or IPv6
  std::uint16_t port = 8080;       // 0: any free one
  std::string_view token;          // empty: no token is required
  const char* sensor = "/sys/class/thermal/thermal_zone0/temp";
  std::string_view names[max_names];  // host names of clients, in addition to those of this machine
  std::size_t names_count = 0;
};

/// Returns false after it has printed an error on stderr.
[[nodiscard]] bool read_arguments(int argc, char** argv, Arguments& arguments);

/// Whether an address is for this machine only, and whether it means all addresses of this machine.
[[nodiscard]] bool is_loopback(const char* address);
[[nodiscard]] bool is_wildcard(const char* address);

/// The hosts that a request may name: this machine's, the address that was bound, and --allow-host, with the port and
/// without. The arguments must outlive it.
class AllowedHosts {
 public:
  AllowedHosts(const Arguments& arguments, std::uint16_t port);
  AllowedHosts(const AllowedHosts&) = delete;
  AllowedHosts& operator=(const AllowedHosts&) = delete;

  /// Empty if only hosts of this machine are allowed, with any port.
  [[nodiscard]] std::span<const std::string_view> all() const { return {hosts_, count_}; }

 private:
  static constexpr std::size_t max_names = Arguments::max_names + 4;

  void add(std::string_view name, std::uint16_t port);

  char texts_[max_names][272] = {};
  std::string_view hosts_[2 * max_names];
  std::size_t names_ = 0;
  std::size_t count_ = 0;
};
