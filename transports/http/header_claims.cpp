// Requests that have no session, and what their headers claim of their bodies. A file of its own: a server of the older
// revisions alone has none.
#include <cstring>

#include "mcp/claims.hpp"
#include "transports/http/access.hpp"
#include "transports/http/request_head.hpp"
#include "transports/http/transport.hpp"

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

}  // namespace

class Stateless {
 public:
  static Claims claims(const Link& link);
  static void open(HttpTransport& transport);
  static bool join(HttpTransport& transport, Link& link);
};

Claims Stateless::claims(const Link& link) {
  const RequestHead& head = link.head;
  Claims claims(link.principal, link.connection->peer(), find_param, &head);
  if (head.has(Header::mcp_protocol_version)) claims.version = head.value(Header::mcp_protocol_version);
  if (head.has(Header::mcp_method)) claims.method = head.value(Header::mcp_method);
  if (head.has(Header::mcp_name)) claims.name = head.value(Header::mcp_name);
  return claims;
}

void Stateless::open(HttpTransport& transport) {
  const Server& server = *transport.server_;
  if (transport.shared_ == SessionId{} && server.has_stateless())
    transport.shared_ = server.open_shared(transport.now_);
}

bool Stateless::join(HttpTransport& transport, Link& link) {
  const Server& server = *transport.server_;
  if (!server.has_stateless()) return false;
  const std::string_view version = link.head.value(Header::mcp_protocol_version);
  const bool is_of_session =
      !link.head.has(Header::mcp_protocol_version) || (server.speaks(version) && !server.is_stateless(version));
  if (server.has_sessions() && is_of_session) return false;
  link.stream.session = transport.shared_;
  return true;
}

constinit const HeaderCode header_code{Stateless::claims, Stateless::open, Stateless::join};

}  // namespace mcp::http
