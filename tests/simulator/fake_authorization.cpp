// SPDX-License-Identifier: Apache-2.0
#include "simulator/fake_authorization.hpp"

#include <string_view>

namespace sim {
namespace {

constexpr std::string_view listed[FakeAuthorization::witness] = {"first-of-the-list", "second-of-the-list",
                                                                 "third.of/the+list=", "of-a-stranger", "of-a-witness"};

constexpr std::string_view issuers[] = {"https://login.example.com"};
constexpr std::string_view scopes[] = {"sim"};
constexpr std::string_view uri = "http://localhost/mcp";
constexpr mcp::ProtectedResource resource{.resource = uri, .authorization_servers = issuers, .scopes = scopes};

std::string header_of(std::string_view token) { return "Authorization: Bearer " + std::string(token) + "\r\n"; }

constexpr std::string_view header_begin = "Authorization: Bearer ";

}  // namespace

FakeAuthorization::FakeAuthorization(Simulation& simulation)
    : simulation_(simulation),
      kind_(static_cast<Kind>(simulation.random.below(3))),
      list_(listed),
      server_(resource, *this) {}

mcp::Authorizer* FakeAuthorization::authorizer() {
  switch (kind_) {
    case Kind::list: return &list_;
    case Kind::server: return &server_;
    default: return nullptr;
  }
}

std::uint64_t FakeAuthorization::any_principal() {
  return kind_ == Kind::none ? 0 : 1 + simulation_.random.below(principals);
}

std::string FakeAuthorization::add(const Token& token) {
  std::string text = "t" + std::to_string(++issued_) + "." + std::to_string(token.principal) + "_~=";
  tokens_.emplace(text, token);
  return header_of(text);
}

std::string FakeAuthorization::issue(std::uint64_t principal) {
  if (kind_ == Kind::none) return {};
  if (kind_ == Kind::list) return header_of(listed[principal - 1]);
  const Time life = simulation_.random.one_in(2) ? 30'000 : 600'000;
  return add({.principal = principal, .expires = simulation_.now() + 1 + simulation_.random.below_64(life)});
}

std::string FakeAuthorization::issue_for_ever(std::uint64_t principal) {
  return kind_ == Kind::server ? add({.principal = principal, .expires = ~Time{0}}) : issue(principal);
}

bool FakeAuthorization::is_good(const std::string& header) const {
  if (kind_ != Kind::server || header.empty()) return true;
  const auto found = tokens_.find(header.substr(header_begin.size(), header.size() - header_begin.size() - 2));
  return found != tokens_.end() && simulation_.now() < found->second.expires;
}

FakeAuthorization::Wrong FakeAuthorization::wrong(std::uint64_t principal) {
  switch (simulation_.random.below(kind_ == Kind::server ? 8 : 5)) {
    case 0: return {"", 401, ""};
    case 1: return {"Authorization: Basic Zmlyc3Q6bGlzdA==\r\n", 401, ""};
    case 2: return {header_of("no-such-token"), 401, "invalid_token"};
    case 3: return {header_of("first-of-the-list, second-of-the-list"), 400, "invalid_request"};
    case 4: return {header_of(std::string(listed[principal - 1]) + "="), 401, "invalid_token"};
    case 5: return {add({.principal = principal, .expires = simulation_.now()}), 401, "invalid_token"};
    case 6: return {add({.principal = principal, .expires = ~Time{0}, .is_for_us = false}), 401, "invalid_token"};
    default: return {add({.principal = principal, .expires = ~Time{0}, .is_scoped = false}), 403, "insufficient_scope"};
  }
}

std::optional<mcp::AccessToken> FakeAuthorization::do_validate(std::string_view token, mcp::http::Method) {
  const auto found = tokens_.find(token);
  if (found == tokens_.end() || simulation_.now() >= found->second.expires) return {};
  const Token& known = found->second;
  return mcp::AccessToken{.audience = known.is_for_us ? uri : "http://localhost/other",
                          .scopes = known.is_scoped ? "read sim" : "read simple",
                          .principal = known.principal};
}

}  // namespace sim
