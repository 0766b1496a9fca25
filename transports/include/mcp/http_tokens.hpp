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

/// The tokens of one user. Starts as zero: without a token. RAM: 144 bytes.
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
  bool is_accepted;  ///< False: the token is invalid or another user has it. Nothing has changed.
  /// The principal that has lost its access, for HttpTransport::end_principal(): the caller must end it, because no
  /// later call returns it again. 0: its sessions continue.
  std::uint64_t ended_principal;
};

/// Grants requests with the token of one of a few users: `Authorization: Bearer TOKEN`. A user without a token has no
/// access. All comparisons are made for each request, so their time does not depend on the tokens that are right.
/// Context: main loop; never blocks.
class RotatingTokens final : public Authorizer {
 public:
  /// Lifetime: `users` must outlive the object. Limits: 65,535 users. No user has a token at the start.
  constexpr explicit RotatingTokens(std::span<RotatingToken> users) : users_(users) {}

  /// True for a token that rotate() accepts: at most RotatingToken::max_size letters, digits and -._~+/, and = at its
  /// end.
  [[nodiscard]] static bool is_valid(std::string_view token);

  /// Gives the user a new token, and accepts it from now on. An empty token takes the access away, without a grace
  /// time. `user` is the position in the list. `now` is the time in milliseconds. The old token is accepted for
  /// `grace_ms` milliseconds more. In this time and after it, the user keeps the principal, so sessions continue with
  /// the new token. With a grace time of 0, the user gets another principal, and the sessions of the old one must end:
  /// see Rotation. Ownership: `token` is copied. Limits: `grace_ms` is below 2^31. The token before the last one is not
  /// accepted any more. A token equal to the current one changes nothing, except that a grace time of 0 ends the old
  /// token, if it is still accepted.
  [[nodiscard]] Rotation rotate(std::size_t user, std::string_view token, Millis now, Millis grace_ms);

  /// Forgets old tokens whose grace time is over. Returns the time in milliseconds until the next one is over, or
  /// `forever`. Call it in the main loop, at least every 2^31 milliseconds.
  [[nodiscard]] Millis poll(Millis now);

 private:
  Grant do_check(const http::RequestHead& head) override;
  void do_challenge(Access access, http::ResponseHead& out) override;
  bool do_reads(std::string_view) override { return false; }

  [[nodiscard]] std::uint64_t principal(std::size_t user) const;
  [[nodiscard]] bool is_of_another(std::size_t user, std::string_view token) const;

  std::span<RotatingToken> users_;
};

/// Grants requests as RotatingTokens, with scopes for each user: a user that reads and another one that writes, on one
/// endpoint. HttpOptions::authorizer names it, and rotate() and poll() are those of the RotatingTokens. The scopes of a
/// user are the same for the old token and the new one.
class ScopedRotatingTokens final : public Authorizer {
 public:
  /// `scopes` are those of the user at the same position. A user after the last of them has none. Lifetime: both
  /// arguments must outlive the object, and the names in `scopes`, too.
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
