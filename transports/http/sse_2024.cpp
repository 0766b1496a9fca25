#include "transports/http/sse_2024.hpp"

#include <cstring>

#include "mcp/assert.hpp"
#include "transports/http/text.hpp"

namespace mcp {

using http::Header;
using http::Method;
using http::Problem;

namespace {

constexpr std::string_view event_begin = "event: endpoint\ndata: ";
constexpr std::string_view query_begin = "sessionId=";
constexpr std::size_t query_size = query_begin.size() + http::id_chars;

constexpr http::Answer no_session[] = {{http::Status::not_found, "There is no such session, or its stream has ended."}};
constexpr auto no_stream = http::packed_answers<no_session>();

char* put_text(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

}  // namespace

const char* HttpSse2024::do_methods(std::string_view path) const {
  if (path == stream_path_) return "GET, OPTIONS";
  return path == message_path_ ? "POST, OPTIONS" : nullptr;
}

Problem HttpSse2024::do_take_head(HttpTransport& transport, http::Link& link) const {
  const bool streams = link.head.path() == stream_path_;
  if (link.head.method() != (streams ? Method::get : Method::post)) return Problem::method;
  return streams ? open(transport, link) : find(transport, link);
}

// The query that names the session takes the place of the request, which nobody reads any more: no other place is
// needed, and it goes with the stream.
Problem HttpSse2024::open(HttpTransport& transport, http::Link& link) const {
  if (link.head.has(Header::accept) && !link.head.accepts("text/event-stream")) return Problem::accept_events;
  http::SessionEntry entry{};
  if (!transport.entropy_->fill(entry.id)) return Problem::randomness;
  link.session = transport.server_->open(transport.now_);
  MCP_ASSERT(link.session.index < transport.storage_.sessions.size());  // HttpLimits::sessions is Limits::sessions
  link.closes = true;

  char id[http::id_chars];
  put_text(put_text(link.heads, query_begin), http::hex_of(entry, id));
  link.filled = link.consumed = query_size;

  MCP_ASSERT(transport.window_size() >= event_begin.size() + message_path_.size() + 1 + query_size + 2);
  char* end = put_text(put_text(link.json, event_begin), message_path_);
  *end++ = '?';
  end = put_text(end, {link.heads, query_size});
  transport.begin_stream(link, true, HttpTransport::end_event(end));
  return Problem::none;
}

// A message for the session whose stream is open.
Problem HttpSse2024::find(HttpTransport& transport, http::Link& link) {
  for (http::Link& other : transport.storage_.links) {
    if (!other.older || !other.standing || other.principal != link.principal) continue;
    if (link.head.query() != std::string_view(other.heads, query_size)) continue;
    if (!http::is_media_type(link.head.value(Header::content_type), "application/json")) return Problem::media_type;
    link.session = other.session;
    link.parked_for = &other;
    transport.expect_body(link);
    return Problem::none;
  }
  transport.refuse(link, no_stream.data(), 1);
  return Problem::none;
}

}  // namespace mcp
