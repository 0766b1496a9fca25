// What is known of a message beside its bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mcp {

namespace protocol {
class Request;
struct ClaimCode;
extern const ClaimCode claim_code;
}  // namespace protocol

/// What headers said of a message, for transports that have some. A stateless request must say the same in its body.
/// Views that stay valid while the message is taken. Source: basic/transports/streamable-http#standard-request-headers,
/// 2026-07-28.
class Claims {
 public:
  std::optional<std::string_view> version;  ///< MCP-Protocol-Version
  std::optional<std::string_view> method;   ///< Mcp-Method
  std::optional<std::string_view> name;     ///< Mcp-Name
  /// Who has sent the message, as far as the transport knows; 0: nobody knows. What a client keeps of a call
  /// (requestState) is of use to its principal alone.
  std::uint64_t principal = 0;

  /// The value of the header `Mcp-Param-` and `token`, in any case; nothing when there is none.
  [[nodiscard]] std::optional<std::string_view> param(std::string_view token) const { return do_param(token); }

  /// For the server: what holds them against the body. Named here, so that only transports with headers link it.
  [[nodiscard]] const protocol::ClaimCode& code() const { return *code_; }

 protected:
  Claims() = default;
  ~Claims() = default;

 private:
  [[nodiscard]] virtual std::optional<std::string_view> do_param(std::string_view token) const = 0;

  const protocol::ClaimCode* code_ = &protocol::claim_code;
};

}  // namespace mcp
