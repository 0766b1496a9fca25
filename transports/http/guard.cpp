// What an endpoint with an Authorizer does beside the others. A file of its own: without one none of it is linked.
// Source: basic/authorization, 2025-11-25.
#include <cstring>

#include "json/writer.hpp"
#include "transports/http/response_head.hpp"
#include "transports/http/text.hpp"
#include "transports/http/transport.hpp"

namespace mcp::http {
namespace {

constexpr Answer use_get[] = {{Status::method_not_allowed, "Use GET."}};
constexpr auto use_get_answer = packed_answers<use_get>();

}  // namespace

class Guard {
 public:
  static bool check(HttpTransport& transport, Link& link);
  static bool answer_document(HttpTransport& transport, Link& link);
  static char* challenge(HttpTransport& transport, const Link& link, char* at);
};

bool Guard::check(HttpTransport& transport, Link& link) {
  const Grant grant = transport.options_->authorizer->check(link.head);
  link.access = grant.access;
  link.principal = grant.principal;
  link.only_principal = grant.only_principal;
  if (grant.access == Access::granted) return true;
  const auto row = static_cast<unsigned>(grant.access);
  const auto status = static_cast<Status>(*answer_at(access_refusals, row));
  transport.server_->refused(link.connection->peer(), static_cast<int>(code_of(status)));
  transport.refuse(link, access_refusals, row);
  return false;
}

bool Guard::answer_document(HttpTransport& transport, Link& link) {
  json::Writer out(transport.window(link));
  if (!transport.options_->authorizer->document(link.head.path(), out)) return false;
  switch (link.head.method()) {
    case Method::options: transport.answer(link, Status::no_content); break;
    case Method::get:
      out.ok() ? transport.answer(link, Status::ok, out.size()) : transport.answer(link, Status::internal_server_error);
      break;
    default: transport.refuse(link, use_get_answer.data(), 1);
  }
  return true;
}

// An Authorizer writes from front to back: at the front of the room, from where it is moved.
char* Guard::challenge(HttpTransport& transport, const Link& link, char* at) {
  constexpr std::size_t status_line = std::string_view("HTTP/1.1 401 Unauthorized").size();
  char* const room = link.json - frame_size;
  ResponseHead out({room, static_cast<std::size_t>(at - room) - status_line});  // which a frame has place for
  transport.options_->authorizer->challenge(link.access, out);
  if (!out.ok()) return nullptr;
  at -= out.text().size();
  std::memmove(at, room, out.text().size());
  return at;
}

constinit const GuardCode guard_code{Guard::check, Guard::answer_document, Guard::challenge};

}  // namespace mcp::http
