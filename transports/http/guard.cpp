// What an endpoint with an Authorizer does beside the others. A file of its own: without one none of it is linked.
// Source: basic/authorization, 2025-11-25.
#include "json/writer.hpp"
#include "rpc/codes.hpp"
#include "transports/http/transport.hpp"

namespace mcp::http {

class Guard {
 public:
  static bool check(HttpTransport& transport, Link& link);
  static bool answer_document(HttpTransport& transport, Link& link);
};

bool Guard::check(HttpTransport& transport, Link& link) {
  const Grant grant = transport.options_->authorizer->check(link.head);
  link.access = grant.access;
  link.principal = grant.principal;
  if (grant.access == Access::granted) return true;
  transport.refuse(link, status_of(grant.access), sentence_of(grant.access), rpc::invalid_request);
  return false;
}

bool Guard::answer_document(HttpTransport& transport, Link& link) {
  json::Writer out(transport.window(link));
  if (!transport.options_->authorizer->document(link.head.path(), out)) return false;
  switch (link.head.method()) {
    case Method::options: transport.answer_empty(link, Status::no_content); break;
    case Method::get:
      out.ok() ? transport.answer_json(link, Status::ok, out.size())
               : transport.answer_empty(link, Status::internal_server_error);
      break;
    default: transport.refuse(link, Status::method_not_allowed, "Use GET.");
  }
  return true;
}

constinit const GuardCode guard_code{Guard::check, Guard::answer_document};

}  // namespace mcp::http
