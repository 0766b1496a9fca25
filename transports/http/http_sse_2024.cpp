#include "mcp/http_sse_2024.hpp"

#include <cstring>

#include "http/http_text.hpp"
#include "mcp/assert.hpp"

namespace mcp {

using http::Header;
using http::Method;
using http::RequestError;

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

RequestError HttpSse2024::do_take_head(HttpTransport& transport, http::Exchange& exchange) const {
  const bool streams = exchange.head.path() == stream_path_;
  if (exchange.head.method() != (streams ? Method::get : Method::post)) return RequestError::method;
  return streams ? open(transport, exchange) : expect_message(transport, exchange);
}

std::string_view HttpSse2024::do_session_id(const http::RequestHead& head) const {
  const std::string_view query = head.query();
  return query.starts_with(query_begin) ? query.substr(query_begin.size()) : std::string_view();
}

RequestError HttpSse2024::open(HttpTransport& transport, http::Exchange& exchange) const {
  if (exchange.head.has(Header::accept) && !exchange.head.accepts("text/event-stream"))
    return RequestError::accept_events;
  if (!transport.has_room_for_stream({})) return RequestError::streams;
  http::SessionEntry entry{};
  if (!transport.entropy_->fill(entry.id)) return RequestError::randomness;
  entry.is_http_sse = true;
  const TransportInfo info = transport.info_of(exchange);
  const SessionId session = transport.server_->open(transport.now_, &info);
  if (session == SessionId{}) return RequestError::place;
  transport.keep_session(exchange, session, entry);
  exchange.closes = true;

  char id[http::id_chars];
  const std::string_view hex = http::hex_of(entry, id);
  MCP_ASSERT(transport.transmit_size() >=
             event_begin.size() + message_path_.size() + 1 + query_begin.size() + hex.size() + 2);
  char* end = put_text(put_text(exchange.json, event_begin), message_path_);
  *end++ = '?';
  end = put_text(put_text(end, query_begin), hex);
  transport.begin_stream(exchange, true, HttpTransport::end_event(end));
  return RequestError::none;
}

// A message for the session whose stream is open.
RequestError HttpSse2024::expect_message(HttpTransport& transport, http::Exchange& exchange) {
  if (const RequestError problem = transport.match_session(exchange); problem != RequestError::none) return problem;
  if (!http::is_media_type(exchange.head.value(Header::content_type), "application/json"))
    return RequestError::media_type;
  transport.expect_body(exchange);
  return RequestError::none;
}

}  // namespace mcp
