// SPDX-License-Identifier: Apache-2.0
/// @file
/// The sender and the headers of a message, for transports outside this library.
/// @code
/// // A transport over a radio link, on which each peer has an address.
/// void receive(const mcp::Server& server, mcp::SessionId session, std::span<char> message, std::uint64_t address) {
///   const mcp::TransportInfo info(0, address);
///   const std::span<char> response = server.transmit_buffer();
///   const mcp::Reply reply = server.receive(session, message, response, board::millis(), mcp::only_channel, &info);
///   board::send(response.first(reply.size));
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

#include "mcp/detail/link.hpp"
#include "mcp/scopes.hpp"

namespace mcp {

namespace protocol {
class Request;
}

/// The sender of a message, and the request metadata headers of a transport that has headers. The body of a stateless
/// request must have the same values as the headers. Lifetime: the views are valid until the server has read the
/// message.
/// Source: basic/transports/streamable-http#standard-request-headers, 2026-07-28.
class TransportInfo {
 public:
  /// Finds the value of the header `Mcp-Param-` followed by `token`, without regard to case. Returns nothing if it is
  /// missing.
  using FindParam = std::optional<std::string_view> (*)(const void* context, std::string_view token);

  /// A message without headers, or with headers that the server does not compare with the body.
  explicit TransportInfo(std::uint64_t the_principal, std::uint64_t the_peer = 0)
      : principal(the_principal), peer(the_peer) {}
  /// A message with headers. `validation` compares them with the body: `protocol::header_validation`
  /// (`mcp/detail/link.hpp`). It passes `context` to `find`.
  TransportInfo(std::uint64_t the_principal, std::uint64_t the_peer, FindParam find, const void* context,
                const protocol::HeaderValidationOps& validation)
      : principal(the_principal), peer(the_peer), find_(find), context_(context), code_(&validation) {}

  std::optional<std::string_view> version;  ///< The header MCP-Protocol-Version.
  std::optional<std::string_view> method;   ///< The header Mcp-Method.
  std::optional<std::string_view> name;     ///< The header Mcp-Name.
  /// The authenticated sender; 0 if it is unknown. The `requestState` of a call is valid for its principal only.
  std::uint64_t principal;
  /// Connection::peer() of the connection that brought the message; 0 if it is unknown.
  std::uint64_t peer;
  /// The scopes of the sender. The default is all scopes, for a sender whose connection is its credential.
  Scopes scopes = Scopes::all();

  /// True if all requests of the transport have this principal, so it shares no pool with another principal.
  bool only_principal = false;

  /// True if the transport sends no message in parts. A body that does not fit into the transmit buffer is then an
  /// error.
  bool whole_messages = false;

  /// True if the client gets only the response, without notifications and requests of the server before it. An input
  /// request then ends with Outcome::unsupported. Not for stateless requests, whose input requests are in the response.
  bool only_response = false;

  /// Returns the number by which the server counts shares and limits: the principal if there is a token, else the peer.
  /// Returns 0 if the owner is unknown (a UART, a port without peers, or the only principal). The share is then the
  /// whole pool. Limits: numbers below 2^32, such as IPv4 addresses, do not change. Two larger numbers may map to one
  /// owner, which then have one share. An attacker who can find such a pair has many addresses, and could take all
  /// shares with them anyway.
  [[nodiscard]] std::uint32_t owner() const;

  /// Returns the value of the header `Mcp-Param-` followed by `token`, for a message with headers.
  [[nodiscard]] std::optional<std::string_view> param(std::string_view token) const { return find_(context_, token); }

  /// @cond server
  /// Compares the headers with the body; nullptr for a message without headers.
  [[nodiscard]] const protocol::HeaderValidationOps* code() const { return code_; }
  /// @endcond

 private:
  FindParam find_ = nullptr;
  const void* context_ = nullptr;
  const protocol::HeaderValidationOps* code_ = nullptr;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
