#include "transports/http/sse_2024.hpp"

#include <cstring>

#include "mcp/assert.hpp"

namespace mcp {

using http::Header;
using http::Method;
using http::Status;

namespace {

constexpr std::string_view event_begin = "event: endpoint\ndata: ";
constexpr std::string_view query_begin = "sessionId=";
constexpr std::size_t query_size = query_begin.size() + http::id_chars;

char* put_text(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

}  // namespace

const char* HttpSse2024::do_methods(std::string_view path) const {
  if (path == stream_path_) return "GET, OPTIONS";
  return path == message_path_ ? "POST, OPTIONS" : nullptr;
}

void HttpSse2024::do_take_head(HttpTransport& transport, http::Link& link, Millis now) const {
  const bool streams = link.head.path() == stream_path_;
  if (link.head.method() != (streams ? Method::get : Method::post)) {
    return transport.refuse(link, Status::method_not_allowed, "There is no such method here.");
  }
  streams ? open(transport, link, now) : find(transport, link);
}

// The query that names the session takes the place of the request, which nobody reads any more: no other place is
// needed, and it goes with the stream.
void HttpSse2024::open(HttpTransport& transport, http::Link& link, Millis now) const {
  if (link.head.has(Header::accept) && !link.head.accepts("text/event-stream")) {
    return transport.refuse(link, Status::not_acceptable, "Accept must have text/event-stream.");
  }
  http::SessionEntry entry{};
  if (!transport.entropy_->fill(entry.id)) {
    return transport.refuse(link, Status::service_unavailable,
                            "The device has no random bytes for the id of a session now.");
  }
  link.session = transport.server_->open(now);
  MCP_ASSERT(link.session.index < transport.storage_.sessions.size());  // HttpLimits::sessions is Limits::sessions
  link.closes = true;
  transport.begin_stream(link, true, now);

  char id[http::id_chars];
  char* const query = transport.head_buffer(link).data();
  put_text(put_text(query, query_begin), http::hex_of(entry, id));
  link.filled = link.consumed = query_size;

  char* const begin = transport.json_of(link);
  MCP_ASSERT(transport.window(link).size() >= event_begin.size() + message_path_.size() + 1 + query_size + 2);
  char* end = put_text(put_text(begin, event_begin), message_path_);
  *end++ = '?';
  end = put_text(put_text(end, {query, query_size}), "\n\n");
  link.out[1] = HttpTransport::framed(link, begin, end);
}

// A message for the session whose stream is open.
void HttpSse2024::find(HttpTransport& transport, http::Link& link) {
  for (const http::Link& other : transport.storage_.links) {
    if (!other.older || !other.standing || other.principal != link.principal) continue;
    if (link.head.query() != std::string_view(transport.head_buffer(other).data(), query_size)) continue;
    if (!http::is_media_type(link.head.value(Header::content_type), "application/json")) {
      return transport.refuse(link, Status::unsupported_media_type, "The body must be application/json.");
    }
    link.session = other.session;
    link.parked_for = static_cast<std::uint8_t>(transport.index_of(other) + 1);
    return transport.expect_body(link);
  }
  transport.refuse(link, Status::not_found, "There is no such session, or its stream has ended.");
}

}  // namespace mcp
