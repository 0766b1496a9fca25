// What an endpoint with an Authorizer does beside the others. A file of its own: without one none of it is linked.
// Source: basic/authorization, 2025-11-25.
#include <cstring>

#include "http/http_text.hpp"
#include "http/response_head.hpp"
#include "mcp/http_transport.hpp"
#include "mcp/json/writer.hpp"

namespace mcp::http {
namespace {

constexpr Answer use_get[] = {{Status::method_not_allowed, "Use GET."}};
constexpr auto use_get_answer = packed_answers<use_get>();

}  // namespace

class Guard {
 public:
  static bool check(HttpTransport& transport, Exchange& exchange);
  static bool answer_document(HttpTransport& transport, Exchange& exchange);
  static char* challenge(HttpTransport& transport, const Exchange& exchange, char* at);
};

bool Guard::check(HttpTransport& transport, Exchange& exchange) {
  const Grant grant = transport.options_->authorizer->check(exchange.head);
  exchange.access = grant.access;
  exchange.principal = grant.principal;
  exchange.only_principal = grant.only_principal;
  if (grant.access == Access::granted) return true;
  const auto row = static_cast<unsigned>(grant.access);
  const auto status = static_cast<Status>(*answer_at(access_refusals, row));
  transport.server_->refused(exchange.connection->peer(), static_cast<int>(code_of(status)));
  transport.reject(exchange, access_refusals, row);
  return false;
}

bool Guard::answer_document(HttpTransport& transport, Exchange& exchange) {
  json::Writer out(transport.transmit_buffer(exchange));
  if (!transport.options_->authorizer->document(exchange.head.path(), out)) return false;
  switch (exchange.head.method()) {
    case Method::options: transport.answer(exchange, Status::no_content); break;
    case Method::get:
      out.ok() ? transport.answer(exchange, Status::ok, out.size())
               : transport.answer(exchange, Status::internal_server_error);
      break;
    default: transport.reject(exchange, use_get_answer.data(), 1);
  }
  return true;
}

// An Authorizer writes from front to back: at the front of the room, from where it is moved.
char* Guard::challenge(HttpTransport& transport, const Exchange& exchange, char* at) {
  constexpr std::size_t status_line = std::string_view("HTTP/1.1 401 Unauthorized").size();
  char* const room = exchange.json - frame_size;
  ResponseHead out({room, static_cast<std::size_t>(at - room) - status_line});  // which a frame has place for
  transport.options_->authorizer->challenge(exchange.access, out);
  if (!out.ok()) return nullptr;
  at -= out.text().size();
  std::memmove(at, room, out.text().size());
  return at;
}

constinit const GuardOps guard_ops{Guard::check, Guard::answer_document, Guard::challenge};

}  // namespace mcp::http
