// SPDX-License-Identifier: Apache-2.0
#include "http/http_request.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

#include "http/connection.hpp"
#include "http/event_stream.hpp"
#include "http/eviction.hpp"
#include "http/http1/http_text.hpp"
#include "http/http1/response_head.hpp"
#include "http/http_hooks.hpp"
#include "http/http_sessions.hpp"
#include "mcp/json/text.hpp"
#include "mcp/json/utf8.hpp"
#include "mcp/rpc/written.hpp"
#include "mcp/transport.hpp"

namespace mcp::http {
namespace {

constexpr std::string_view json_type = "application/json";

RequestError handle_post(const Endpoint& endpoint, Exchange& exchange) {
  const RequestHead& head = exchange.head;
  if (const RequestError error = check_content(head); error != RequestError::none) return error;
  if (!head.accepts_json() && !head.accepts_events()) return RequestError::accept;
  expect_body(endpoint, exchange);
  return RequestError::none;
}

// A body that fits is received into the transmit buffer of its exchange, so that a slow client does not delay others.
// For longer bodies, the server has one buffer.
std::span<char> buffer_for_body(const Endpoint& endpoint, const Exchange& exchange) {
  const Server& server = *endpoint.server;
  const std::span<char> message = server.receive_buffer().first(server.receive_size());
  const std::size_t most =
      exchange.head.is_chunked() ? message.size() : std::min(exchange.head.content_length(), message.size());
  return most <= std::min(endpoint.transmit_size(), server.transmit_buffer().size())
             ? endpoint.transmit_buffer(exchange).first(most)
             : message;
}

// Some clients add a slash to the path.
bool is_endpoint(const HttpOptions& options, std::string_view path) {
  if (path.size() == options.path.size() + 1 && path.ends_with('/')) path.remove_suffix(1);
  return json::equal(path, options.path);
}

bool uses_receive_buffer(const Endpoint& endpoint, const Exchange& exchange) {
  return exchange.body.data() == endpoint.server->receive_buffer().data();
}

// A server may ignore a byte order mark. Source: RFC 8259 section 8.1.
std::span<char> without_mark(std::span<char> message) {
  const bool has_mark = std::string_view(message.data(), message.size()).starts_with(json::byte_order_mark);
  return message.subspan(has_mark ? json::byte_order_mark.size() : 0);
}

void set_pending(Exchange& exchange, const Reply& reply, Channel channel) {
  exchange.pending_output = reply.size;
  exchange.pending_channel = channel;
}

// Begins the stream of a call, or responds with 202, because there is nothing to send now.
void handle_silence(Endpoint& endpoint, Exchange& exchange, const Reply& reply) {
  const Server& server = *endpoint.server;
  if (exchange.is_http_sse || !server.serves(exchange.stream.session, exchange.stream.channel))
    return respond(endpoint, exchange, Status::accepted);
  const bool has_events = exchange.head.accepts_events();
  if (!reply.listens || (has_events && has_connection_for_stream(endpoint, {})))
    return begin_stream(endpoint, exchange, ExchangeEvent::call_begun, exchange.json);
  server.cancel(exchange.stream.session, exchange.stream.channel, endpoint.now);
  reject(endpoint, exchange, has_events ? RequestError::streams : RequestError::accept_events);
}

void handle_reply(Endpoint& endpoint, Exchange& exchange, Reply reply) {
  const bool has_logs = reply.status == Reply::Status::logged && frame_logs(endpoint, exchange, reply);
  const rpc::Written written = rpc::what_is_written({exchange.json, reply.size});
  const bool has_no_id = written == rpc::Written::without_id;
  const bool is_unreadable = has_no_id || reply.error == Reply::Error::unreadable;
  const bool no_session = reply.status == Reply::Status::no_session;
  const bool is_unknown = exchange.named == NamedSession::unknown;
  if (no_session && !is_unknown) return respond(endpoint, exchange, Status::bad_request, reply.size);
  // A batch belongs to a session and is unreadable without one.
  if (no_session || (is_unknown && is_unreadable)) return reject(endpoint, exchange, RequestError::session);
  if (reply.status == Reply::Status::none) return handle_silence(endpoint, exchange, reply);
  const Channel channel = exchange.stream.channel;
  if (exchange.is_http_sse ? !has_no_id : reply.channel != channel) {
    // The output is for the HTTP+SSE stream, or, after an input response, for the stream of the call with the input
    // request.
    set_pending(exchange, reply, exchange.is_http_sse ? only_channel : reply.channel);
    return respond(endpoint, exchange, Status::accepted);
  }
  // Without an Authorizer, each caller has all scopes.
  const ScopeOps* const scopes = endpoint.links.scopes;
  if (scopes != nullptr && reply.lacks_scope() && scopes->reject_call(endpoint, exchange, reply)) return;
  Status status = Status::ok;
  if (reply.error == Reply::Error::method) status = Status::not_found;  // only for stateless requests
  if (is_unreadable || reply.error == Reply::Error::request) status = Status::bad_request;
  if (reply.error == Reply::Error::slot) status = Status::service_unavailable;
  // The other responses to a batch follow as events of the same stream.
  const bool has_more = written == rpc::Written::batch && endpoint.server->serves(exchange.stream.session, channel);
  if (has_logs || has_more || (status == Status::ok && !exchange.head.accepts_json())) {
    set_pending(exchange, reply, channel);
    return begin_stream(endpoint, exchange, ExchangeEvent::call_begun, exchange.json);
  }
  respond(endpoint, exchange, status, reply.size);
}

}  // namespace

RequestError handle_head(Endpoint& endpoint, Exchange& exchange) {
  const Server& server = *endpoint.server;
  const RequestHead& head = exchange.head;
  const bool is_post = head.method() == Method::post;
  const HttpStatelessOps* const stateless = endpoint.links.stateless;
  const bool joins = is_post && stateless != nullptr && !exchange.is_http_sse && stateless->join(endpoint, exchange);
  if (!joins) {
    const bool is_supported = server.supports(head.value(Header::mcp_protocol_version));
    if (head.has(Header::mcp_protocol_version) && !is_supported) return RequestError::version;
    if (exchange.is_http_sse) return endpoint.links.sse_2024->handle_head(endpoint, exchange);
    if (head.has(Header::mcp_session_id)) {
      if (const RequestError error = match_session(endpoint, exchange); error != RequestError::none) return error;
    }
  }
  if (is_post) return handle_post(endpoint, exchange);
  if (!head.has(Header::mcp_session_id)) return RequestError::no_session_id;
  if (head.method() == Method::get) return handle_get(endpoint, exchange);
  server.close(exchange.stream.session, endpoint.now);
  forget_ended_sessions(endpoint);
  respond(endpoint, exchange, Status::ok);
  return RequestError::none;
}

RequestError handle_get(Endpoint& endpoint, Exchange& exchange) {
  const ReplayOps* const replay = endpoint.links.replay;
  if (!exchange.head.accepts_events()) return RequestError::accept_events;
  if (exchange.head.has(Header::last_event_id)) {
    return replay != nullptr && replay->resume(endpoint, exchange) ? RequestError::none : RequestError::event_id;
  }
  if (replay == nullptr && !has_connection_for_stream(endpoint, exchange.stream.session)) return RequestError::streams;
  // A client that connects again has lost its stream. The lost stream gets no further message, and ends.
  for (Exchange& other : endpoint.storage.exchanges) {
    if (!is_standalone(other.state) || !is_same(other.stream.session, exchange.stream.session)) continue;
    stop_listening(endpoint, other);
    advance(other, ExchangeEvent::stream_closed);
  }
  // A session has one standalone stream, also over several connections, so that its client may resume after each of
  // them.
  const SessionEntry& entry = endpoint.storage.sessions[exchange.stream.session.index];
  exchange.stream.number = entry.stream;
  exchange.stream.event = entry.event;
  begin_stream(endpoint, exchange, ExchangeEvent::standalone_begun, exchange.json);
  return RequestError::none;
}

RequestError check_head(Endpoint& endpoint, Exchange& exchange) {
  const HttpOptions& options = *endpoint.options;
  const AccessOps* const access = endpoint.links.access;
  const RequestHead& head = exchange.head;
  const Method method = head.method();
  // A body that is not read would look like the next request.
  const bool has_body = head.is_chunked() || head.content_length() != 0;
  exchange.closes = !head.keeps_alive() || (has_body && method != Method::post);
  exchange.is_http_sse = !is_endpoint(options, head.path());
  if (!allows_host(options, head.value(Header::host))) return RequestError::host;
  if (head.has(Header::origin) && !allows_origin(options, head.value(Header::origin))) return RequestError::origin;
  if (methods_of(endpoint, exchange) == nullptr) {
    const MetricsOps* const metrics = endpoint.links.metrics;
    if (metrics != nullptr && metrics->serve(endpoint, exchange)) return RequestError::none;
    if (endpoint.links.page != nullptr && endpoint.links.page->serve(endpoint, exchange)) return RequestError::none;
    return access != nullptr && access->send_document(endpoint, exchange) ? RequestError::none : RequestError::path;
  }
  if (method == Method::other) return RequestError::method;
  const bool needs_session = method == Method::get || method == Method::delete_;
  if (needs_session && !exchange.is_http_sse && !endpoint.server->has_sessions()) return RequestError::no_sessions;
  if (method == Method::options) {
    respond(endpoint, exchange, Status::no_content);
    return RequestError::none;
  }
  if (access != nullptr && !access->check(endpoint, exchange)) return RequestError::none;
  return handle_head(endpoint, exchange);
}

RequestError check_content(const RequestHead& head) {
  if (!is_media_type(head.value(Header::content_type), json_type)) return RequestError::media_type;
  const std::string_view coding = head.value(Header::content_encoding);
  return coding.empty() || is_word(coding, "identity") ? RequestError::none : RequestError::content_coding;
}

void expect_body(const Endpoint& endpoint, Exchange& exchange) {
  exchange.body = RequestBody(exchange.head, buffer_for_body(endpoint, exchange));
  const bool fits = !exchange.body.is_too_large();
  const bool waits = fits && uses_receive_buffer(endpoint, exchange);
  if (exchange.head.expects_continue() && fits && exchange.filled == exchange.consumed)
    exchange.out = continue_response;
  advance(exchange, waits ? ExchangeEvent::buffer_needed : ExchangeEvent::body_expected);
}

void handle_message(Endpoint& endpoint, Exchange& exchange) {
  const Server& server = *endpoint.server;
  // A session may end while the body arrives.
  if (exchange.named == NamedSession::known && !server.is_open(exchange.stream.session)) {
    if (const RequestError error = match_session(endpoint, exchange); error != RequestError::none)
      return reject(endpoint, exchange, error);
  }
  std::span<char> message(exchange.body.data(), exchange.body.size());
  // The response replaces a body in the transmit buffer. No exchange uses the transmit buffer of the server.
  if (!uses_receive_buffer(endpoint, exchange)) {
    std::memcpy(server.transmit_buffer().data(), message.data(), message.size());
    message = server.transmit_buffer().first(message.size());
  }
  message = without_mark(message);
  // The responses to a batch may come one after the other, so they need a stream of events.
  if (rpc::is_batch({message.data(), message.size()}) && is_for_response_only(exchange))
    return reject(endpoint, exchange, RequestError::accept_events);
  const TransportInfo info = info_of(endpoint, exchange);
  const Channel channel = channel_of(exchange);
  const std::span<char> out = endpoint.transmit_buffer(exchange);
  if (!is_none(exchange.stream.session)) {
    return handle_reply(endpoint, exchange,
                        server.receive(exchange.stream.session, message, out, endpoint.now, channel, &info));
  }
  std::uint8_t id[session_id_size];
  if (!endpoint.entropy->fill(id)) {
    const bool is_unknown = exchange.named == NamedSession::unknown;
    return reject(endpoint, exchange, is_unknown ? RequestError::session : RequestError::randomness);
  }
  SessionId session = endpoint.shared_session;
  const Reply reply = server.receive_first(session, message, out, endpoint.now, channel, &info);
  if (is_same(session, endpoint.shared_session)) {
    exchange.stream.session = session;
  } else if (!is_none(session)) {
    store_session(endpoint, exchange, session, id);
  }
  handle_reply(endpoint, exchange, reply);
}

}  // namespace mcp::http
