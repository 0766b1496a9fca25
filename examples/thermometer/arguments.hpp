// SPDX-License-Identifier: Apache-2.0
// The options on the command line of thermometer_http. Knows no MCP.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

struct Arguments {
  static constexpr std::size_t max_names = 8;

  const char* host = "127.0.0.1";  // numeric, IPv4 or IPv6
  std::uint16_t port = 8080;       // 0: any free one
  std::string_view token;          // empty: no token is required
  const char* sensor = "/sys/class/thermal/thermal_zone0/temp";
  std::string_view names[max_names];  // for HttpOptions::hosts
  std::size_t names_count = 0;
};

/// Returns false after it has printed an error on stderr.
[[nodiscard]] bool read_arguments(int argc, char** argv, Arguments& arguments);

/// Whether an address is for this machine only.
[[nodiscard]] bool is_loopback(const char* address);
