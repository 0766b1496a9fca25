// SPDX-License-Identifier: Apache-2.0
#include "http/event_stream.hpp"

#include <cstring>
#include <string_view>

#include "http/connection.hpp"
#include "http/eviction.hpp"
#include "http/http1/http_text.hpp"
#include "http/http1/response_head.hpp"
#include "http/http_hooks.hpp"
#include "http/http_response.hpp"
#include "http/http_sessions.hpp"
#include "mcp/assert.hpp"
#include "mcp/rpc/written.hpp"

namespace mcp::http {
namespace {

constexpr char chunked_field[] = "\r\nTransfer-Encoding: chunked";
constexpr char events_head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream";
constexpr char json_head[] = "HTTP/1.1 200 OK\r\nContent-Type: application/json";
constexpr char stream_fields[] = "\r\nCache-Control: no-cache\r\nX-Accel-Buffering: no";
constexpr char id_field[] = "id: ";
// The head of a stream and a first event without data, as a chunk, must fit.
static_assert(common_size + sizeof chunked_field + sizeof events_head + sizeof stream_fields + sizeof id_field +
                  std::string_view("19\r\n4294967295-0\ndata: \n\n").size() - 4 <=
              frame_size);
// The stream of `initialize` has the session id instead of these fields.
static_assert(common_size + sizeof chunked_field + sizeof events_head + sizeof session_field +
                  sizeof(SessionEntry::id) - 3 <=
              frame_size);

bool is_chunked(const Exchange& exchange) { return !exchange.head.is_http_1_0(); }

// Sends a message or a part of it, and stores a whole message. A stream that was resumed within a message gets no
// further part of this message. A client that takes no events gets no notifications.
void deliver(Endpoint& endpoint, Exchange& exchange, std::size_t size, bool last) {
  const bool is_notification =
      !exchange.stream.in_event && rpc::what_is_written({exchange.json, size}) == rpc::Written::notification;
  if (is_notification && is_for_response_only(exchange)) return;
  char* const begin = exchange.stream.in_event ? exchange.json : name_event(exchange, exchange.stream.event);
  char* const end = exchange.json + size;
  store_event(endpoint, exchange.stream, exchange.json, size, last);
  if (!is_replay(exchange.state)) send_event(endpoint, exchange, begin, last ? end_event(end) : end);
}

// Reads input to detect a lost connection. Other input is the begin of the next request.
bool notice_end(Endpoint& endpoint, Exchange& exchange) {
  if (exchange.closes) {
    char ignored[1];
    return receive(endpoint, exchange, ignored, 1) != 0;
  }
  // A request that fills the buffer would leave no space to read, and the end of the connection would not be detected.
  if (exchange.consumed != 0) discard_request(exchange);
  const std::size_t space = endpoint.storage.head_size - exchange.filled;
  const std::size_t size = space != 0 ? receive(endpoint, exchange, exchange.heads + exchange.filled, space) : 0;
  if (size != 0) exchange.filled += size;  // without bytes, the exchange may be free
  return size != 0;
}

}  // namespace

void begin_stream(Endpoint& endpoint, Exchange& exchange, ExchangeEvent event, char* endpoint_event_end) {
  const Server& server = *endpoint.server;
  if (!is_chunked(exchange)) exchange.closes = true;
  close_if_crowded(endpoint, exchange);
  advance(exchange, event);
  exchange.since_ms = exchange.begun_ms = exchange.paid_ms = endpoint.now;
  exchange.out = {exchange.json, endpoint_event_end};
  if (endpoint_event_end != exchange.json) send_event(endpoint, exchange, exchange.json, endpoint_event_end);
  const bool standalone = is_standalone(exchange.state);
  if (standalone) server.set_listening(exchange.stream.session, true);
  // A client cannot resume after an error without a session.
  const bool of_session = !is_none(exchange.stream.session) && !endpoint.is_stateless(exchange);
  const bool has_ids = of_session && !exchange.is_http_sse;
  const bool continues = has_ids && server.continues_streams(exchange.stream.session);
  // For other clients, the response must come before the end of the stream. A client without an id cannot resume.
  const bool has_events = !is_for_response_only(exchange);
  exchange.may_end = has_ids && has_events && endpoint.links.replay != nullptr && (standalone || continues);
  if (has_ids && !is_replay(exchange.state)) {
    if (exchange.stream.number == 0) {
      if (++endpoint.streams == 0) ++endpoint.streams;
      exchange.stream.number = endpoint.streams;
      if (standalone) endpoint.storage.sessions[exchange.stream.session.index].stream = endpoint.streams;
    }
    // The first event has an id to resume from, and no data. Clients of earlier revisions do not expect it.
    if (continues && has_events && exchange.pending_output == 0) deliver(endpoint, exchange, 0, true);
  }
  const char* const out_end = exchange.out.data() + exchange.out.size();
  // The begin of exchange.out, as a pointer to bytes that may be written.
  char* at = end_head(endpoint, exchange, exchange.json - (exchange.json - exchange.out.data()));
  if (is_chunked(exchange)) at = put_before(at, chunked_field);
  const char* const before = at;
  at = put_session(endpoint, exchange, at);
  if (at == before) at = put_before(at, stream_fields);
  // A const pointer as `out_end`, because with _GLIBCXX_DEBUG std::span needs two pointers of one type.
  const char* const begin = put_before(at, has_events ? events_head : json_head);
  exchange.out = {begin, out_end};
  count_response(endpoint, exchange);
}

bool run_stream(Endpoint& endpoint, Exchange& exchange) {
  // The session has ended, or another stream has replaced this one.
  if (exchange.state == ExchangeState::ending) {
    end_stream(endpoint, exchange);
    return true;
  }
  EventStream& stream = exchange.stream;
  if (is_replay(exchange.state) && !stream.in_event) {
    endpoint.links.replay->send_next(endpoint, exchange);
    return true;
  }
  const Server& server = *endpoint.server;
  const Channel channel = channel_of(exchange);
  const bool standalone = is_standalone(exchange.state);
  // The job of the call may have asked for the end of the connection: JobContext::reconnect().
  if (exchange.may_end && !standalone && !stream.in_event && endpoint.links.replay->reconnect(endpoint, exchange))
    return true;
  Reply reply = server.transmit(stream.session, endpoint.transmit_buffer(exchange), endpoint.now, channel);
  switch (reply.status) {
    case Reply::Status::logged: static_cast<void>(frame_logs(endpoint, exchange, reply)); [[fallthrough]];
    case Reply::Status::message:
    case Reply::Status::part: deliver(endpoint, exchange, reply.size, reply.status != Reply::Status::part); return true;
    case Reply::Status::broken:
      if (exchange.is_http_sse) {
        deliver(endpoint, exchange, 0, true);  // invalid JSON; the end of the connection would end the session
        return true;
      }
      // Only the end of the connection shows that the event is cut off. The error response follows, and is stored in
      // the ring for a client that resumes.
      ++stream.event;
      stream.in_event = false;
      if (!is_replay(exchange.state)) lose(endpoint, exchange);
      return true;
    default: break;
  }
  if (!standalone && !has_pending_output(endpoint, stream) && !server.serves(stream.session, channel)) {
    end_stream(endpoint, exchange);
    return true;
  }
  return notice_end(endpoint, exchange);
}

void end_stream(Endpoint& endpoint, Exchange& exchange) {
  if (exchange.stream.in_event) return drop(endpoint, exchange);
  endpoint.server->note_use(exchange.stream.session, endpoint.now);
  advance(exchange, ExchangeEvent::stream_ended);
  begin_sending(endpoint, exchange, is_chunked(exchange) ? last_chunk : std::string_view());
}

void stop_listening(Endpoint& endpoint, const Exchange& exchange) {
  // Each session has at most one standalone stream.
  endpoint.storage.sessions[exchange.stream.session.index].event = exchange.stream.event;
  endpoint.server->set_listening(exchange.stream.session, false);
  // A vanished client has been silent while TCP waited for it, so its session is idle since its last message.
  if (!exchange.is_client_gone) endpoint.server->note_use(exchange.stream.session, endpoint.now);
  if (!exchange.is_http_sse) return;
  endpoint.server->close(exchange.stream.session, endpoint.now);  // an HTTP+SSE session ends with its stream
  forget_ended_sessions(endpoint);
}

void send_event(const Endpoint& endpoint, Exchange& exchange, char* begin, char* end) {
  if (is_chunked(exchange)) frame_chunk(begin, end);
  begin_sending(endpoint, exchange, {begin, end});
}

void store_event(Endpoint& endpoint, EventStream& stream, const char* json, std::size_t size, bool last) {
  const bool is_stored = !stream.in_event && size != 0 && stream.number != 0 && endpoint.links.replay != nullptr;
  if (is_stored) endpoint.links.replay->store(endpoint, stream, {json, last ? size : 0});
  if (last) ++stream.event;
  stream.in_event = !last;
}

char* name_event(const Exchange& exchange, std::uint32_t event) {
  if (is_for_response_only(exchange)) return exchange.json;
  char* at = put_before(exchange.json, "data: ");
  if (exchange.is_http_sse) return put_before(at, "event: message\n");
  if (exchange.stream.number == 0) return at;
  at = put_before(put_before(at, "\n"), event);
  return put_before(put_before(put_before(at, "-"), exchange.stream.number), id_field);
}

char* end_event(char* at) {
  *at++ = '\n';
  *at++ = '\n';
  return at;
}

Exchange* stream_of(const Endpoint& endpoint, const SessionId& session, Channel channel) {
  for (Exchange& exchange : endpoint.storage.exchanges) {
    if (!is_live(exchange.state) || !is_same(exchange.stream.session, session)) continue;
    if (channel_of(exchange) == channel) return &exchange;
  }
  return nullptr;
}

bool has_pending_output(const Endpoint& endpoint, const EventStream& stream) {
  for (const Exchange& exchange : endpoint.storage.exchanges) {
    const bool waits = exchange.pending_output != 0 && exchange.pending_channel == stream.channel;
    if (waits && is_same(exchange.stream.session, stream.session)) return true;
  }
  return false;
}

bool deliver_pending(Endpoint& endpoint, Exchange& exchange) {
  const SessionId session = exchange.stream.session;
  Exchange* const target = stream_of(endpoint, session, exchange.pending_channel);
  if (target != nullptr && (is_sending(*target) || is_replay(target->state) || target->stream.in_event)) return false;
  const std::size_t size = exchange.pending_output;
  if (target != nullptr) {
    if (target != &exchange) std::memcpy(target->json, exchange.json, size);
    deliver(endpoint, *target, size, true);
  }
  // If the stream has no connection, it has a record. It never has both.
  for (EventStream& stream : endpoint.storage.detached) {
    if (!is_same(stream.session, session) || stream.channel != exchange.pending_channel) continue;
    if (stream.in_event) return false;
    store_event(endpoint, stream, exchange.json, size, true);
  }
  exchange.pending_output = 0;
  return true;
}

bool frame_logs(const Endpoint& endpoint, Exchange& exchange, Reply& reply) {
  MCP_ASSERT(endpoint.links.stateless->frame_logs != nullptr);  // ServerShape::has_logs
  return endpoint.links.stateless->frame_logs(exchange, reply);
}

// Not inlined, because it takes more code than a call and has several callers.
[[gnu::noinline]] void release_record(Endpoint& endpoint, EventStream& record) {
  record.release();
  --endpoint.detached;
}

}  // namespace mcp::http
