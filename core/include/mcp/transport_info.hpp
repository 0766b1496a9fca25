// What is known of a message beside its bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mcp {

namespace protocol {
class Request;
struct HeaderValidationOps;
}  // namespace protocol

/// What is known of who sent a message, and what its headers said of it, for transports that have some. A stateless
/// request must say the same in its body. Views that stay valid while the message is taken.
/// Source: basic/transports/streamable-http#standard-request-headers, 2026-07-28.
class TransportInfo {
 public:
  /// Finds the value of the header `Mcp-Param-` and `token`, in any case; nothing when there is none.
  using FindParam = std::optional<std::string_view> (*)(const void* context, std::string_view token);

  /// Of a message without headers, and of one whose headers the server does not compare with its body.
  explicit TransportInfo(std::uint64_t the_principal, std::uint64_t the_peer = 0)
      : principal(the_principal), peer(the_peer) {}
  /// Of a message with request metadata headers. `context` is passed to `find`, and `validation` compares the headers
  /// with the body: `protocol::header_validation` (mcp/detail/link.hpp).
  TransportInfo(std::uint64_t the_principal, std::uint64_t the_peer, FindParam find, const void* context,
                const protocol::HeaderValidationOps& validation)
      : principal(the_principal), peer(the_peer), find_(find), context_(context), code_(&validation) {}

  std::optional<std::string_view> version;  ///< MCP-Protocol-Version
  std::optional<std::string_view> method;   ///< Mcp-Method
  std::optional<std::string_view> name;     ///< Mcp-Name
  /// Who has sent the message, as far as the transport knows; 0: nobody knows. What a client keeps of a call
  /// (requestState) is of use to its principal alone.
  std::uint64_t principal;
  /// Connection::peer() of the connection that brought the message; 0: unknown.
  std::uint64_t peer;

  /// True when every request that the transport serves has this principal, which therefore shares with no other.
  bool only_principal = false;

  /// For whom shares and limits are counted: the principal where a token named one, else the peer. 0: unknown (one
  /// wire, a port without peers, or the only principal); the share is then all of it. Small principals and addresses of
  /// IPv4 are their own numbers. Two larger ones may have the same number: they then share, and nothing else. Who can
  /// find such a pair has so many addresses that shares do not bind them.
  [[nodiscard]] std::uint32_t owner() const;

  /// The value of the header `Mcp-Param-` and `token`. Only where there is a code().
  [[nodiscard]] std::optional<std::string_view> param(std::string_view token) const { return find_(context_, token); }

  /// For the server: compares the headers with the body; nullptr for a message without headers.
  [[nodiscard]] const protocol::HeaderValidationOps* code() const { return code_; }

 private:
  FindParam find_ = nullptr;
  const void* context_ = nullptr;
  const protocol::HeaderValidationOps* code_ = nullptr;
};

}  // namespace mcp
