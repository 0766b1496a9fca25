// SPDX-License-Identifier: Apache-2.0
// Streams that clients resume. A ring stores the events that clients may have missed, to send them again.
// Source: basic/transports#resumability-and-redelivery, 2025-11-25.
#include <cstring>
#include <utility>

#include "http/connection.hpp"
#include "http/event_stream.hpp"
#include "http/http1/http_text.hpp"
#include "http/http1/response_head.hpp"
#include "http/http_hooks.hpp"
#include "mcp/memory/record_ring.hpp"

namespace mcp::http {
namespace {

using Event = ExchangeEvent;

// The name of an event in the ring.
struct EventName {
  SessionId session;
  std::uint32_t stream;
  std::uint32_t event;
};

struct StoredEvent {
  std::uint32_t event;
  std::string_view json;
};

// Reads `17-3`. False for an invalid id.
bool read_event_id(std::string_view text, std::uint32_t& stream, std::uint32_t& event) {
  std::uint32_t* value = &stream;
  stream = event = 0;
  std::size_t digits = 0;
  for (const char c : text) {
    if (c == '-' && value == &stream && digits != 0) {
      value = &event;
      digits = 0;
    } else if (c >= '0' && c <= '9' && *value <= 0xFFFF'FFFF / 10 - 1) {
      *value = *value * 10 + static_cast<std::uint32_t>(c - '0');
      ++digits;
    } else {
      return false;
    }
  }
  return value == &event && digits != 0;
}

// An event that does not fit is stored by its name, and counts as lost.
void store_in_ring(Endpoint& endpoint, const EventStream& stream, std::string_view json) {
  const EventName name{stream.session, stream.number, stream.event};
  constexpr std::size_t frame = sizeof name + memory::RecordRing::header_size;
  const std::size_t space = endpoint.storage.replay.size();
  if (space < frame) return;
  endpoint.ring().push(0, {reinterpret_cast<const char*>(&name), sizeof name},
                       space - frame < json.size() ? std::string_view() : json);
}

// Finds the next stored event of a stream, from record `number` on, and sets `number` to the record after it. Returns
// false if there is none.
bool find_event(const Endpoint& endpoint, const EventStream& stream, std::uint32_t& number, StoredEvent& found) {
  const memory::RecordRing ring = endpoint.ring();
  if (static_cast<std::int32_t>(ring.oldest() - number) > 0) number = ring.oldest();
  while (number != ring.next()) {
    const memory::RecordRing::Record record = ring.read(number++);
    EventName name{};
    std::memcpy(&name, record.name.data(), sizeof name);
    found = {name.event, record.text};
    if (is_same(name.session, stream.session) && name.stream == stream.number) return true;
  }
  return false;
}

// Before an event, and before the end, a comment has the number of lost events.
void send_missed(Endpoint& endpoint, Exchange& exchange) {
  StoredEvent stored{};
  bool found = false;
  do {
    found = find_event(endpoint, exchange.stream, exchange.replay, stored);
  } while (found && (stored.event <= exchange.replay_event || stored.json.empty()));
  if (!found) stored.event = exchange.stream.event;
  const std::uint32_t lost = stored.event - exchange.replay_event - 1;
  const bool any_lost = static_cast<std::int32_t>(lost) > 0;
  char* begin = exchange.json;
  char* end = begin;
  if (found) {
    std::memcpy(begin, stored.json.data(), stored.json.size());
    begin = name_event(exchange, stored.event);
    end = end_event(end + stored.json.size());
  } else if (exchange.state != ExchangeState::rest) {
    advance(exchange, is_standalone(exchange.state) ? Event::standalone_replayed : Event::call_replayed);
  } else if (!any_lost) {
    return end_stream(endpoint, exchange);
  }
  exchange.replay_event = stored.event;
  if (any_lost) begin = put_before(put_before(put_before(begin, " events were lost\n\n"), lost), ": ");
  if (begin != end) send_event(endpoint, exchange, begin, end);
}

// For a stream that has ended. Stores the number after its last event, because newer events may overwrite this event
// before it is sent. Returns false if the ring has no event after `event`. Otherwise a client that resumes after each
// end without a response, such as the end of a cancelled call, would not stop.
bool has_rest(const Endpoint& endpoint, EventStream& stream, std::uint32_t event) {
  std::uint32_t number = endpoint.ring().oldest();
  StoredEvent stored{};
  bool any = false;
  stream.event = event + 1;
  while (find_event(endpoint, stream, number, stored)) {
    if (stored.event <= event) continue;
    stream.event = stored.event + 1;
    if (!stored.json.empty()) any = true;
  }
  return any;
}

// Moves a running stream of the session to this exchange, from a connection (which ends) or from a record. Returns the
// event for this exchange; `rest_resumed` if no running stream has this number.
Event take_over(Endpoint& endpoint, Exchange& exchange, std::uint32_t number) {
  const auto is_wanted = [&](const EventStream& stream) {
    return stream.number == number && is_same(stream.session, exchange.stream.session);
  };
  for (Exchange& other : endpoint.storage.exchanges) {
    if (!is_live(other.state) || !is_wanted(other.stream)) continue;
    // Output that is not sent yet goes to the ring.
    if (other.pending_output != 0) store_event(endpoint, other.stream, other.json, other.pending_output, true);
    std::swap(exchange.stream, other.stream);
    const bool standalone = is_standalone(other.state);
    release(endpoint, other);
    return standalone ? Event::standalone_resumed : Event::call_resumed;
  }
  for (EventStream& stream : endpoint.storage.detached) {
    if (!is_wanted(stream)) continue;
    std::swap(exchange.stream, stream);
    release_record(endpoint, stream);
    return Event::call_resumed;
  }
  return Event::rest_resumed;
}

bool resume(Endpoint& endpoint, Exchange& exchange) {
  std::uint32_t stream = 0;
  std::uint32_t event = 0;
  if (!read_event_id(exchange.head.value(Header::last_event_id), stream, event) || stream == 0) return false;
  Event resumed = take_over(endpoint, exchange, stream);
  if (resumed == Event::rest_resumed) {
    const SessionEntry& entry = endpoint.storage.sessions[exchange.stream.session.index];
    exchange.stream.number = stream;
    exchange.stream.event = entry.event;
    // A standalone stream continues after the loss of its connection, because its session does.
    if (entry.stream == stream) resumed = Event::standalone_resumed;
    if (resumed == Event::rest_resumed && !has_rest(endpoint, exchange.stream, event)) return false;
  }
  exchange.replay = endpoint.ring().oldest();
  exchange.replay_event = event;
  begin_stream(endpoint, exchange, resumed, exchange.json);
  return true;
}

// The connection ends, but not the stream. The client resumes the stream after the id of the last event.
bool end_connection(Endpoint& endpoint, Exchange& exchange, Millis retry_ms) {
  if (is_standalone(exchange.state)) {
    stop_listening(endpoint, exchange);
  } else if (!detach(endpoint, exchange)) {
    return false;
  }
  char* begin = put_before(put_before(put_before(exchange.json, "\n\n"), retry_ms), "retry: ");
  char* end = exchange.json;
  if (!exchange.head.is_http_1_0()) {
    frame_chunk(begin, end);
    std::memcpy(end, last_chunk.data(), last_chunk.size());
    end += last_chunk.size();
  }
  begin_sending(endpoint, exchange, {begin, end});
  exchange.closes = true;
  advance(exchange, Event::stream_ended);
  return true;
}

bool reconnect(Endpoint& endpoint, Exchange& exchange) {
  const Millis retry_ms = endpoint.server->take_reconnect(exchange.stream.session, exchange.stream.channel);
  return retry_ms != 0 && end_connection(endpoint, exchange, retry_ms);
}

// The bytes stay until other events need the space, but belong to no session.
void forget_events(Endpoint& endpoint, SessionId session) {
  const memory::RecordRing ring = endpoint.ring();
  for (std::uint32_t number = ring.oldest(); number != ring.next(); ++number) {
    const std::string_view bytes = ring.read(number).name;
    EventName name{};
    std::memcpy(&name, bytes.data(), sizeof name);
    if (!is_same(name.session, session)) continue;
    name.session = {};
    std::memcpy(const_cast<char*>(bytes.data()), &name, sizeof name);
  }
}

}  // namespace

constinit const ReplayOps replay_ops{store_in_ring, send_missed, resume, reconnect, end_connection, forget_events};

}  // namespace mcp::http
