// SPDX-License-Identifier: Apache-2.0
// The settings of a device in a Wi-Fi network: set over USB, kept in the flash, and used by Wi-Fi and HTTP.
#pragma once

#include <mcp/http_tokens.hpp>
#include <mcp/http_transport.hpp>
#include <mcp/ports/pico_wifi.hpp>
#include <mcp/records.hpp>
#include <mcp/server.hpp>

#include <string_view>

namespace wifi_setup {

/// The server on USB. Its tools set the settings, and its resource device://network reports whether the device has
/// joined the network. No tool returns the password or the token.
extern const mcp::Server server;

/// Decides about HTTP requests by the setting `token`. Without this setting, there is no access.
extern mcp::RotatingTokens tokens;

/// Reads the settings. Call it once, before all others. Lifetime: `records` must outlive the server.
void begin(mcp::Records& records);

/// Returns the setting `host_name`, or "thermometer". Lifetime: as long as the program. It changes with a reset.
[[nodiscard]] std::string_view host_name();

/// Joins the network of the settings and uses the token, at the start and after each change. Call it after each poll of
/// USB. Lifetime: `wifi` must outlive the server.
void apply(mcp::pico::Wifi& wifi, mcp::HttpTransport& transport, mcp::Millis now);

/// Returns what the device waits for, or why the last attempt failed; empty while it is joined.
[[nodiscard]] std::string_view reason(const mcp::pico::Wifi& wifi);

}  // namespace wifi_setup
