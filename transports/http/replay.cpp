// Streams that clients take up again: events that they may have missed are kept in a ring, and sent again. A file of
// its own: where nothing is resumed (HttpLimits::resumable) none of it is linked. Source:
// basic/transports#resumability-and-redelivery, 2025-11-25.
#include <cstring>
#include <utility>

#include "http/http_text.hpp"
#include "http/response_head.hpp"
#include "mcp/http_transport.hpp"

namespace mcp::http {
namespace {

// What an event in the ring is named by.
struct EventName {
  SessionId session;
  std::uint32_t stream;
  std::uint32_t event;
};

struct KeptEvent {
  std::uint32_t event;
  std::string_view json;
};

// Reads `17-3`. False for what is no id of an event of this server.
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

}  // namespace

class Replay {
 public:
  static void keep(HttpTransport& transport, const EventStream& stream, std::string_view json);
  static void go_on(HttpTransport& transport, Exchange& exchange);
  static bool resume(HttpTransport& transport, Exchange& exchange);
  static bool reconnect(HttpTransport& transport, Exchange& exchange);
  static bool end(HttpTransport& transport, Exchange& exchange, Millis retry_ms);
  static void forget(HttpTransport& transport, SessionId session);

 private:
  static bool find(const HttpTransport& transport, const EventStream& stream, std::uint32_t& number, KeptEvent& found);
  static bool has_rest(const HttpTransport& transport, const EventStream& stream, std::uint32_t event);
  static bool take_over(HttpTransport& transport, Exchange& exchange, std::uint32_t number);
};

// In the ring an event has the name of its stream and its number. Of what does not fit there is the name alone: it
// counts as lost.
void Replay::keep(HttpTransport& transport, const EventStream& stream, std::string_view json) {
  const EventName name{stream.session, stream.number, stream.event};
  constexpr std::size_t frame = sizeof name + memory::RecordRing::header_size;
  const std::size_t room = transport.storage_.replay.size();
  if (room < frame) return;
  transport.ring().push(0, {reinterpret_cast<const char*>(&name), sizeof name},
                        room - frame < json.size() ? std::string_view() : json);
}

// The next event of a stream that is kept, from the record of this number on; behind it, the number of the one to be
// looked at next. False when there is none.
bool Replay::find(const HttpTransport& transport, const EventStream& stream, std::uint32_t& number, KeptEvent& found) {
  const memory::RecordRing kept = transport.ring();
  if (static_cast<std::int32_t>(kept.oldest() - number) > 0) number = kept.oldest();
  while (number != kept.next()) {
    const memory::RecordRing::Record record = kept.read(number++);
    EventName name{};
    std::memcpy(&name, record.name.data(), sizeof name);
    found = {name.event, record.text};
    if (name.session == stream.session && name.stream == stream.number) return true;
  }
  return false;
}

// Sends what the client missed, as far as it is kept; before that, as a comment, how much is not. Then the stream goes
// on, or ends.
void Replay::go_on(HttpTransport& transport, Exchange& exchange) {
  KeptEvent kept{};
  do {
    exchange.replaying = find(transport, exchange.stream, exchange.replay, kept);
  } while (exchange.replaying && (kept.event <= exchange.replay_event || kept.json.empty()));
  if (!exchange.replaying && exchange.over) return transport.end_stream(exchange);
  char* begin = exchange.json;
  char* end = begin;
  if (exchange.replaying) {
    std::memcpy(begin, kept.json.data(), kept.json.size());
    begin = HttpTransport::name_event(exchange, kept.event);
    end = HttpTransport::end_event(end + kept.json.size());
  } else {
    kept.event = exchange.stream.event;
  }
  const std::uint32_t lost = kept.event - exchange.replay_event - 1;
  exchange.replay_event = kept.event;
  if (static_cast<std::int32_t>(lost) > 0) {
    begin = put_before(put_before(put_before(begin, " events were lost\n\n"), lost), ": ");
  }
  if (begin != end) transport.send_event(exchange, begin, end);
}

// Of a stream that has ended: false when nothing is known of it, or nothing is kept of what came behind this event.
bool Replay::has_rest(const HttpTransport& transport, const EventStream& stream, std::uint32_t event) {
  std::uint32_t number = transport.ring().oldest();
  KeptEvent kept{};
  bool known = false;
  bool lost = false;
  while (find(transport, stream, number, kept)) {
    known = true;
    if (kept.event <= event) continue;
    if (!kept.json.empty()) return true;
    lost = true;
  }
  return known && !lost;
}

// Gives the link a stream of its session that still runs: that of a connection, which ends, or one without. False when
// there is none of this number.
bool Replay::take_over(HttpTransport& transport, Exchange& exchange, std::uint32_t number) {
  const auto is_wanted = [&](const EventStream& stream) {
    return stream.number == number && stream.session == exchange.stream.session;
  };
  for (Exchange& other : transport.storage_.exchanges) {
    if (other.state != Exchange::State::stream || other.over || !is_wanted(other.stream)) continue;
    // What is still to be sent there is in the ring, as far as that has room.
    if (other.pending_output != 0) transport.keep_event(other.stream, other.json, other.pending_output, true);
    std::swap(exchange.stream, other.stream);
    exchange.standing = other.standing;
    HttpTransport::hang_up(other);
    HttpTransport::clear(other);
    return true;
  }
  for (EventStream& stream : transport.storage_.detached) {
    if (!is_wanted(stream)) continue;
    std::swap(exchange.stream, stream);
    stream.release();
    return true;
  }
  return false;
}

// A stream that still runs is taken over; of one that has ended the rest is sent. False when nothing is known of it.
bool Replay::resume(HttpTransport& transport, Exchange& exchange) {
  std::uint32_t stream = 0;
  std::uint32_t event = 0;
  if (!read_event_id(exchange.head.value(Header::last_event_id), stream, event) || stream == 0) return false;
  bool standing = false;
  if (take_over(transport, exchange, stream)) {
    standing = exchange.standing;
  } else {
    // The stream of a session is as little over when its connection is lost as the session.
    const SessionEntry& entry = transport.storage_.sessions[exchange.stream.session.index];
    standing = entry.stream == stream;
    exchange.stream.number = stream;
    exchange.stream.event = entry.event;
    exchange.over = !standing;
    if (exchange.over && !has_rest(transport, exchange.stream, event)) return false;
  }
  exchange.replaying = true;
  exchange.replay = transport.ring().oldest();
  exchange.replay_event = event;
  transport.begin_stream(exchange, standing, exchange.json);
  return true;
}

bool Replay::reconnect(HttpTransport& transport, Exchange& exchange) {
  const Millis retry_ms = transport.server_->take_reconnect(exchange.stream.session, exchange.stream.channel);
  return retry_ms != 0 && end(transport, exchange, retry_ms);
}

// Ends the connection, not the stream: the client comes back with the id of the last event.
bool Replay::end(HttpTransport& transport, Exchange& exchange, Millis retry_ms) {
  if (exchange.standing) {
    transport.stop_listening(exchange);
  } else if (!transport.detach(exchange)) {
    return false;
  }
  char* begin = put_before(put_before(put_before(exchange.json, "\n\n"), retry_ms), "retry: ");
  char* end = exchange.json;
  if (exchange.chunked) {
    frame_chunk(begin, end);
    std::memcpy(end, last_chunk.data(), last_chunk.size());
    end += last_chunk.size();
  }
  exchange.out = {begin, end};
  exchange.paid_ms = transport.now_;
  exchange.closes = true;
  exchange.state = Exchange::State::answer;
  return true;
}

// The bytes stay until others need their room; their name is that of no session any more.
void Replay::forget(HttpTransport& transport, SessionId session) {
  const memory::RecordRing kept = transport.ring();
  for (std::uint32_t number = kept.oldest(); number != kept.next(); ++number) {
    const std::string_view bytes = kept.read(number).name;
    EventName name{};
    std::memcpy(&name, bytes.data(), sizeof name);
    if (name.session != session) continue;
    name.session = {};
    std::memcpy(const_cast<char*>(bytes.data()), &name, sizeof name);
  }
}

constinit const ReplayOps replay_ops{Replay::keep,      Replay::go_on, Replay::resume,
                                     Replay::reconnect, Replay::end,   Replay::forget};

}  // namespace mcp::http
