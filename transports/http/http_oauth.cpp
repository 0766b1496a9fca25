// SPDX-License-Identifier: Apache-2.0
#include "mcp/http_oauth.hpp"

#include "http/http1/http_text.hpp"
#include "http/http1/response_head.hpp"
#include "mcp/json/writer.hpp"

namespace mcp {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view well_known = "/.well-known/oauth-protected-resource";

// The parts of a resource URI: scheme and host, and the path. A path that is only a slash is empty.
struct UriParts {
  std::string_view origin;
  std::string_view path;
};

UriParts parts_of(std::string_view uri) {
  std::size_t end = uri.find("//"sv) + 2;
  while (end != uri.size() && uri[end] != '/') ++end;
  std::string_view path = uri;
  path.remove_prefix(end);
  return {{uri.data(), end}, path.size() == 1 ? std::string_view() : path};
}

// True if `word` is one of the words of `text`. Case matters.
bool has_word(std::string_view text, std::string_view word) {
  while (!text.empty()) {
    if (json::equal(http::read_until(text, ' '), word)) return true;
  }
  return false;
}

void write_list(json::Writer& out, std::span<const std::string_view> texts) {
  out.array_begin();
  for (const std::string_view text : texts) out.string(text);
  out.array_end();
}

}  // namespace

Grant ResourceServer::do_check(const http::RequestHead& head) {
  std::string_view given;
  const Access access = http::read_token(head, given);
  if (access != Access::granted) return {access};
  const std::optional<AccessToken> token = validator_->validate(given, head.method());
  if (!token || !has_word(token->audience, resource_->resource)) return {Access::invalid_token};
  for (const std::string_view scope : resource_->scopes) {
    if (!has_word(token->scopes, scope)) return {Access::insufficient_scope};
  }
  return {Access::granted, token->principal, false, token->scopes};
}

void ResourceServer::do_challenge(Access access, http::ResponseHead& out) {
  const UriParts parts = parts_of(resource_->resource);
  http::begin_challenge(access, out);
  out.append(access == Access::unauthorized ? " resource_metadata=\""sv : ", resource_metadata=\""sv);
  out.append(parts.origin);
  out.append(well_known);
  out.append(parts.path);
  std::string_view before = "\", scope=\"";
  for (const std::string_view scope : resource_->scopes) {
    out.append(before);
    out.append(scope);
    before = " ";
  }
  out.append("\""sv);
}

bool ResourceServer::do_document(std::string_view path, json::Writer& out) {
  if (!path.starts_with(well_known)) return false;
  path.remove_prefix(well_known.size());
  if (!path.empty() && path != parts_of(resource_->resource).path) return false;
  out.object_begin();
  out.member("resource", resource_->resource);
  out.key("authorization_servers");
  write_list(out, resource_->authorization_servers);
  if (!resource_->scopes.empty()) {
    out.key("scopes_supported");
    write_list(out, resource_->scopes);
  }
  out.fragment("\"bearer_methods_supported\":[\"header\"]");
  out.optional_member("resource_name", resource_->name);
  out.object_end();
  return true;
}

}  // namespace mcp
