// SPDX-License-Identifier: Apache-2.0
// The tokens of the simulated device, with their principals and expiry times. Independent of MCP.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "mcp/http_oauth.hpp"
#include "simulator/simulation.hpp"

namespace sim {

/// An authorization server, and the checks of the device for its tokens.
class FakeAuthorization final : private mcp::TokenValidator {
 public:
  static constexpr std::uint64_t principals = 3;  // of the clients
  static constexpr std::uint64_t stranger = 4;    // a hostile client
  static constexpr std::uint64_t witness = 5;     // a client that checks that it is served nevertheless

  /// The seed selects the authorization of this device: none, a list of tokens, or a resource server.
  explicit FakeAuthorization(Simulation& simulation);
  FakeAuthorization(const FakeAuthorization&) = delete;
  FakeAuthorization& operator=(const FakeAuthorization&) = delete;

  /// nullptr without authorization.
  [[nodiscard]] mcp::Authorizer* authorizer();

  /// 0 without authorization.
  std::uint64_t any_principal();
  /// The header with a token of this principal that is good for a while; empty: none is needed.
  std::string issue(std::uint64_t principal);
  /// One that never expires.
  std::string issue_for_ever(std::uint64_t principal);
  [[nodiscard]] bool knows_principals() const { return kind_ != Kind::none; }
  /// It opens the device now.
  [[nodiscard]] bool is_good(const std::string& header) const;

  /// An Authorization header that grants nothing, and the required response.
  struct Wrong {
    std::string header;
    int status = 401;
    std::string error;  // of the challenge; empty: none
  };
  Wrong wrong(std::uint64_t principal);

 private:
  enum class Kind { none, list, server };
  struct Token {
    std::uint64_t principal = 0;
    Time expires = 0;
    bool is_for_us = true;
    bool is_scoped = true;
  };
  std::string add(const Token& token);
  std::optional<mcp::AccessToken> do_validate(std::string_view token, mcp::http::Method method) override;

  Simulation& simulation_;
  Kind kind_;
  mcp::StaticTokens list_;
  mcp::ResourceServer server_;
  std::map<std::string, Token, std::less<>> tokens_;
  int issued_ = 0;
};

}  // namespace sim
