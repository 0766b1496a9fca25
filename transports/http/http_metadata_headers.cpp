// Requests that have no session, and what their headers claim of their bodies. A file of its own: a server of the older
// revisions alone has none.
#include <cstring>

#include "mcp/http/request_head.hpp"
#include "mcp/http_access.hpp"
#include "mcp/http_transport.hpp"
#include "mcp/transport_info.hpp"

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
  static TransportInfo info(const Exchange& exchange);
  static void open(HttpTransport& transport);
  static bool join(HttpTransport& transport, Exchange& exchange);
};

TransportInfo Stateless::info(const Exchange& exchange) {
  const RequestHead& head = exchange.head;
  TransportInfo info(exchange.principal, exchange.connection->peer(), find_param, &head);
  if (head.has(Header::mcp_protocol_version)) info.version = head.value(Header::mcp_protocol_version);
  if (head.has(Header::mcp_method)) info.method = head.value(Header::mcp_method);
  if (head.has(Header::mcp_name)) info.name = head.value(Header::mcp_name);
  return info;
}

void Stateless::open(HttpTransport& transport) {
  const Server& server = *transport.server_;
  if (transport.shared_ == SessionId{} && server.has_stateless())
    transport.shared_ = server.open_shared(transport.now_);
}

bool Stateless::join(HttpTransport& transport, Exchange& exchange) {
  const Server& server = *transport.server_;
  if (!server.has_stateless()) return false;
  const std::string_view version = exchange.head.value(Header::mcp_protocol_version);
  const bool is_of_session =
      !exchange.head.has(Header::mcp_protocol_version) || (server.speaks(version) && !server.is_stateless(version));
  if (server.has_sessions() && is_of_session) return false;
  exchange.stream.session = transport.shared_;
  return true;
}

constinit const MetadataHeaderOps metadata_header_ops{Stateless::info, Stateless::open, Stateless::join};

}  // namespace mcp::http
