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
  return streams ? open(transport, link) : expect_message(transport, link);
}

std::string_view HttpSse2024::do_session_id(const http::RequestHead& head) const {
  const std::string_view query = head.query();
  return query.starts_with(query_begin) ? query.substr(query_begin.size()) : std::string_view();
}

Problem HttpSse2024::open(HttpTransport& transport, http::Link& link) const {
  if (link.head.has(Header::accept) && !link.head.accepts("text/event-stream")) return Problem::accept_events;
  if (!transport.has_room_for_stream({})) return Problem::streams;
  http::SessionEntry entry{};
  if (!transport.entropy_->fill(entry.id)) return Problem::randomness;
  entry.older = true;
  const Claims claims = transport.claims_of(link);
  const SessionId session = transport.server_->open(transport.now_, &claims);
  if (session == SessionId{}) return Problem::place;
  transport.keep_session(link, session, entry);
  link.closes = true;

  char id[http::id_chars];
  const std::string_view hex = http::hex_of(entry, id);
  MCP_ASSERT(transport.window_size() >=
             event_begin.size() + message_path_.size() + 1 + query_begin.size() + hex.size() + 2);
  char* end = put_text(put_text(link.json, event_begin), message_path_);
  *end++ = '?';
  end = put_text(put_text(end, query_begin), hex);
  transport.begin_stream(link, true, HttpTransport::end_event(end));
  return Problem::none;
}

// A message for the session whose stream is open.
Problem HttpSse2024::expect_message(HttpTransport& transport, http::Link& link) {
  if (const Problem problem = transport.match_session(link); problem != Problem::none) return problem;
  if (!http::is_media_type(link.head.value(Header::content_type), "application/json")) return Problem::media_type;
  transport.expect_body(link);
  return Problem::none;
}

}  // namespace mcp
