// SPDX-License-Identifier: Apache-2.0
/// @file
/// Records the decisions about tokens in a trace. The trace contains no tokens.
/// @code
/// const mcp::HttpOptions& options(mcp::Trace& ring, mcp::Authorizer& tokens) {
///   static mcp::TracedAuthorizer authorizer{ring, tokens};
///   static const mcp::HttpOptions options{.authorizer = &authorizer};
///   return options;
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcp/http_access.hpp"
#include "mcp/trace.hpp"

namespace mcp {

/// An Authorizer that records the decisions of another Authorizer as values (`Trace::value`). The trace hides tokens,
/// so a program that plays the trace cannot check them, and gets the recorded decisions. The trace contains principals
/// and names of scopes. Limits: 256 bytes of names of scopes in one decision; names after them are not granted.
/// Lifetime: both arguments must outlive the object.
class TracedAuthorizer final : public Authorizer {
 public:
  /// Records the decisions of `authorizer`.
  constexpr TracedAuthorizer(Trace& trace, Authorizer& authorizer) : trace_(trace), authorizer_(authorizer) {}

 private:
  using Piece = std::array<char, 64>;
  static constexpr std::size_t most_names = 4 * sizeof(Piece);

  Grant do_check(const http::RequestHead& head) override {
    Grant grant = authorizer_.check(head);
    grant.access = trace_.value(grant.access);
    grant.principal = trace_.value(grant.principal);
    const unsigned only = grant.only_principal ? 1U : 0U;
    const unsigned all = grant.scopes.are_all() ? 2U : 0U;
    const auto flags = trace_.value(static_cast<std::uint8_t>(only | all));
    grant.only_principal = (flags & 1U) != 0;
    grant.scopes = (flags & 2U) != 0 ? TokenScopes() : TokenScopes(read_names(grant.scopes.names()));
    return grant;
  }
  void do_challenge(Access access, http::ResponseHead& out) override { authorizer_.challenge(access, out); }
  bool do_reads(std::string_view name) override { return authorizer_.reads(name); }
  bool do_document(std::string_view path, json::Writer& out) override { return authorizer_.document(path, out); }

  std::string_view read_names(std::string_view names) {
    if (names.size() > most_names) names = names.substr(0, names.find_last_of(' ', most_names));
    if (names.size() > most_names) names = {};
    const std::size_t size = std::min<std::size_t>(trace_.value(static_cast<std::uint16_t>(names.size())), most_names);
    for (std::size_t at = 0; at < size; at += sizeof(Piece)) {
      Piece piece{};
      if (at < names.size()) names.copy(piece.data(), sizeof(Piece), at);
      piece = trace_.value(piece);
      std::copy(piece.begin(), piece.end(), names_ + at);
    }
    return {names_, size};
  }

  Trace& trace_;
  Authorizer& authorizer_;
  char names_[most_names] = {};
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
