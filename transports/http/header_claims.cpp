// What the headers of a request claim of its body. A file of its own: a server of the older revisions alone has none.
#include <cstring>

#include "mcp/claims.hpp"
#include "transports/http/access.hpp"
#include "transports/http/request_head.hpp"

namespace mcp::http {
namespace {

std::optional<std::string_view> find_param(const void* context, std::string_view token) {
  constexpr std::string_view prefix = "Mcp-Param-";
  char full[prefix.size() + 64];
  if (token.size() > sizeof full - prefix.size()) return {};
  std::memcpy(full, prefix.data(), prefix.size());
  std::memcpy(full + prefix.size(), token.data(), token.size());
  const RequestHead::Match match = static_cast<const RequestHead*>(context)->find({full, prefix.size() + token.size()});
  if (match.count != 1) return {};
  return match.value;
}

Claims claims(const RequestHead& head, std::uint64_t principal) {
  Claims claims(principal, find_param, &head);
  if (head.has(Header::mcp_protocol_version)) claims.version = head.value(Header::mcp_protocol_version);
  if (head.has(Header::mcp_method)) claims.method = head.value(Header::mcp_method);
  if (head.has(Header::mcp_name)) claims.name = head.value(Header::mcp_name);
  return claims;
}

}  // namespace

constinit const HeaderCode header_code{claims};

}  // namespace mcp::http
