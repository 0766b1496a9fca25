// SPDX-License-Identifier: Apache-2.0
// The settings of the thermometer: set over a wire, kept in records, and used by the HTTP endpoint.
#pragma once

#include <mcp/http_tokens.hpp>
#include <mcp/http_transport.hpp>
#include <mcp/records.hpp>
#include <mcp/server.hpp>

#include <string_view>

namespace provisioning {

/// The server of the wire. Its tools set the settings, and its resource is the URL of the HTTP endpoint.
extern const mcp::Server server;

/// Decides about HTTP requests: by the setting `token`. Without this setting, there is no access.
extern mcp::RotatingTokens tokens;

/// Reads the settings. Call it once, before all others. Lifetime: `records` must outlive the server.
void begin(mcp::Records& records);

/// The setting `host_name`, or "thermometer". Lifetime: as long as the program. It changes with a reset.
[[nodiscard]] std::string_view host_name();

/// Sets the URL that the wire shows; copied and cut to 63 bytes. Empty: the network is not ready.
void set_url(std::string_view url);

/// Uses a new token. Returns the milliseconds until the next call is due. Call it after each poll of the wire.
[[nodiscard]] mcp::Millis apply(mcp::HttpTransport& transport, mcp::Millis now);

}  // namespace provisioning
