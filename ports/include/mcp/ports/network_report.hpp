// SPDX-License-Identifier: Apache-2.0
/// @file
/// The state of the network of a device, as a resource of its wire. `mote-attach provision` reads it after it has
/// stored settings.
/// @code
/// mcp::Errc read_network(mcp::ReadResult& out) {
///   return mcp::NetworkReport{.state = mcp::NetworkReport::State::joining, .failures = 1, .reason = "no such network"}
///       .write(out);
/// }
/// constexpr mcp::Resource resources[] = {
///     {.uri = mcp::NetworkReport::uri, .name = "network", .mime_type = "application/json", .read = read_network}};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>
#include <string_view>

#include "mcp/errors.hpp"
#include "mcp/resource.hpp"

namespace mcp {

/// What a device knows about its network since its settings have changed. Lifetime: the strings must live until
/// write() returns. They contain neither quotation marks nor backslashes.
struct NetworkReport {
  /// The state of the network.
  enum class State : std::uint8_t {
    unset,    ///< The settings name no network.
    joining,  ///< The device joins the network, or waits until the next attempt, or has no address yet.
    joined,   ///< The device has an address.
  };

  /// The URI of the resource.
  static constexpr std::string_view uri = "device://network";

  State state = State::unset;     ///< The state of the network.
  unsigned failures = 0;          ///< The attempts that have failed since the settings have changed.
  std::string_view reason = {};   ///< Why the last attempt failed, or what the device waits for; never a secret.
  std::string_view address = {};  ///< The IP address while the device is joined.

  /// Writes the report: `{"state":"joined","failures":0,"reason":"","url":"http://192.168.1.23/mcp"}`.
  Errc write(ReadResult& out) const {
    const std::string_view name = state == State::unset ? "unset" : state == State::joining ? "joining" : "joined";
    const bool has_url = state == State::joined && !address.empty();
    return out.text(R"({"state":")", name, R"(","failures":)", failures, R"(,"reason":")", reason, R"(","url":")",
                    has_url ? "http://" : "", has_url ? address : std::string_view(), has_url ? "/mcp" : "", R"("})");
  }
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
