// SPDX-License-Identifier: Apache-2.0
/// @file
/// Static tokens that change while the server runs, such as tokens from mcp::Records.
/// @code
/// constinit mcp::RotatingToken users[1];
/// constinit mcp::RotatingTokens tokens{users};
/// void set_token(mcp::HttpTransport& transport, std::string_view token, mcp::Millis now) {
///   const mcp::Rotation rotation = tokens.rotate(0, token, now, 60'000);  // clients have a minute to change
///   if (rotation.ended_principal != 0) transport.end_principal(rotation.ended_principal);
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/http_access.hpp"
#include "mcp/port.hpp"

namespace mcp {

/// The tokens of one user. Starts as zero, without a token. RAM: 144 bytes.
struct RotatingToken {
  /// The longest token in characters.
  static constexpr std::size_t max_size = 64;

  /// @cond server
  struct Text {
    char bytes[max_size];
    std::uint8_t size;
  };
  Text current = {};
  Text old = {};  // accepted until poll() finds that the grace time is over
  std::uint32_t generation = 0;
  Millis rotated_ms = 0;
  Millis grace_ms = 0;
  /// @endcond
};

/// The outcome of RotatingTokens::rotate().
struct Rotation {
  bool is_accepted;  ///< False if the token is invalid or another user has it. Nothing has changed then.
  /// The principal that has lost its access. The caller must pass it to HttpTransport::end_principal(), because no
  /// later call returns it again. 0: sessions continue.
  std::uint64_t ended_principal;
};

/// Grants requests with the token of one of a few users: `Authorization: Bearer TOKEN`. A user without a token has no
/// access. Each request is compared with all tokens, so the time does not depend on which token is right. Context: main
/// loop; never blocks.
class RotatingTokens final : public Authorizer {
 public:
  /// Lifetime: `users` must outlive the object. Limits: 65,535 users. No user has a token at the start.
  constexpr explicit RotatingTokens(std::span<RotatingToken> users) : users_(users) {}

  /// True for a token that rotate() accepts: at most RotatingToken::max_size letters, digits and -._~+/, and = at its
  /// end.
  [[nodiscard]] static bool is_valid(std::string_view token);

  /// Gives the user a new token, and accepts it from now on. An empty token removes the access, without a grace time.
  /// `user` is the position in the list. `now` is the time in milliseconds. The old token is accepted for `grace_ms`
  /// milliseconds more. The user keeps the principal, so sessions continue with the new token. With a grace time of 0,
  /// the user gets another principal, and the sessions of the old principal must end (see Rotation). Ownership: `token`
  /// is copied. Limits: `grace_ms` is below 2^31. Older tokens than the last two are not accepted. A token equal to the
  /// current one changes nothing, except that a grace time of 0 ends an old token that is still accepted.
  [[nodiscard]] Rotation rotate(std::size_t user, std::string_view token, Millis now, Millis grace_ms);

  /// Removes old tokens whose grace time is over. Returns the time in milliseconds until the next grace time is over,
  /// or `forever`. Call it in the main loop, at least every 2^31 milliseconds.
  [[nodiscard]] Millis poll(Millis now);

 private:
  Grant do_check(const http::RequestHead& head) override;
  void do_challenge(Access access, http::ResponseHead& out) override;
  bool do_reads(std::string_view) override { return false; }

  [[nodiscard]] std::uint64_t principal(std::size_t user) const;
  [[nodiscard]] bool is_of_another(std::size_t user, std::string_view token) const;

  std::span<RotatingToken> users_;
};

/// Grants requests as RotatingTokens, with scopes for each user. For example, one user may read and another may write
/// on one endpoint. Set it in HttpOptions::authorizer, and call rotate() and poll() of the RotatingTokens. The scopes
/// of a user apply to the old and the new token.
class ScopedRotatingTokens final : public Authorizer {
 public:
  /// `scopes` has the scopes of the user at the same position. Users after its end have no scopes. Lifetime: both
  /// arguments, and the names in `scopes`, must outlive the object.
  constexpr ScopedRotatingTokens(RotatingTokens& tokens, std::span<const TokenScopes> scopes)
      : tokens_(tokens), scopes_(scopes) {}

 private:
  Grant do_check(const http::RequestHead& head) override;
  void do_challenge(Access access, http::ResponseHead& out) override;
  bool do_reads(std::string_view) override { return false; }

  RotatingTokens& tokens_;
  std::span<const TokenScopes> scopes_;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
