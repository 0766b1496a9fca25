// MCP over HTTP/1.1, with answers as JSON or as server-sent events. Knows requests, sessions and streams, no sockets
// and no methods of MCP. Source: basic/transports#streamable-http, 2025-11-25, and
// basic/transports/streamable-http, 2026-07-28.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/http/request_body.hpp"
#include "mcp/http/request_head.hpp"
#include "mcp/http/status.hpp"
#include "mcp/http_access.hpp"
#include "mcp/memory/record_ring.hpp"
#include "mcp/port.hpp"
#include "mcp/server.hpp"
#include "mcp/transport_info.hpp"

namespace mcp {

class HttpTransport;

/// The sizes of an HTTP endpoint: `constexpr mcp::HttpLimits http_limits{.connections = 8};`
struct HttpLimits {
  /// Connections open at the same time, 1 to 254. RAM: about 590 bytes each, `head_size`, and the window of the server.
  /// When all are in use, a new client waits in the network stack until one closes or gives its place
  /// (`evict_idle_after_ms`, `grace_ms`). Streams that cannot be resumed (subscriptions/listen, HTTP+SSE, any without
  /// `resumable`) never take the last one: a further one is answered with 503. With 1, none is served. A stateless call
  /// keeps its place until it ends: choose fewer Limits::jobs and Limits::subscriptions together than connections.
  std::size_t connections = 4;

  /// Largest head of a request, in bytes, 128 to 65535. RAM: as many for each connection. A larger one is answered with
  /// 431, or 414 while the target still goes on.
  std::size_t head_size = 1024;

  /// Calls of sessions that continue after their client has lost its connection, at most 65,000 with `connections`.
  /// When all records are in use, the owner (TransportInfo::owner) that has most of them loses its oldest call: a call
  /// without a record is cancelled, as each is with 0. RAM: 20 bytes each.
  std::size_t detached = connections;

  /// Sessions: as many as Limits::sessions. RAM: 48 bytes each. A server that serves requests without a session, as one
  /// does unless its Definition says `.eras = legacy_era`, needs one for all of these: 2 at least when it serves both,
  /// which the first poll() asserts.
  std::size_t sessions = 1;

  /// A client that has lost a stream may take it up again (Last-Event-ID), as long as what it belongs to runs. False:
  /// what is said meanwhile is lost to it, and the code is not linked.
  bool resumable = true;

  /// Ring of events that a client may have missed, in bytes: each takes its JSON and 20. The oldest go; a client that
  /// asks for them is told in a comment how many. 0: nothing is kept. At most 65535. RAM: as many. Needs `resumable`.
  std::size_t replay_size = 0;

  /// From the first byte of a request to its last, in milliseconds. Then 408. For as long, what comes behind a request
  /// that was refused is read and dropped, so that its sender gets to read why.
  Millis request_timeout_ms = 10'000;

  /// Without a request, in milliseconds. Then a connection is closed; so is one that takes no byte for as long.
  Millis idle_timeout_ms = 60'000;

  /// When all connections are in use and a client waits: time in milliseconds after which a connection is closed for
  /// it. First one whose long message waits for the message buffer. Then the one that is longest without a request.
  /// Then the oldest stream of a session: its client reads `retry` with as many milliseconds, and resumes it. Then the
  /// oldest stream of a call of revision 2025-11-25, if `replay_size` and `detached` let the call continue. A
  /// connection that is older than this, or whose client (Connection::peer) has others, is closed after its next
  /// answer, which says so. A request that crosses the end of an idle connection is not read, and its client sends it
  /// again (RFC 9112 section 9.5). To prevent that, choose a time longer than clients keep an idle connection (4 s in
  /// Node.js, 5 s in Python's httpx). A new client may then wait as long.
  Millis evict_idle_after_ms = 1'000;

  /// Bytes in a second that a client must send of a request, and take of an answer, while another client waits: for a
  /// connection, or for the buffer of messages that are longer than the window. At least 1. Without a waiting client a
  /// slow one has `request_timeout_ms` and `idle_timeout_ms`.
  std::uint32_t min_rate = 1'000;

  /// Time in milliseconds that a client may be behind `min_rate` before its connection is closed for the client that
  /// waits. A new connection has as long for its first byte. This time and `evict_idle_after_ms` are halved with each
  /// client that was closed for this, at most five times, until no client waits: 40 stalled clients are gone within 3 *
  /// `grace_ms`. Clients with a single connection (Connection::peer) have a count of their own: one that opens many
  /// does not shorten the time of others. Time in which the main loop was busy does not count.
  Millis grace_ms = 200;
};

namespace http {

/// The events that one request causes, or a session. The stream of a request may outlive its connection.
struct EventStream {
  SessionId session = {};    // of a link that has no stream yet: whose request it is
  std::uint32_t number = 0;  // part of the ids of its events; 0: it has not begun
  std::uint32_t event = 0;   // number of its next event
  Channel channel = 0;       // of its request: no two streams have the same. An unused one keeps it for the next
  bool in_event = false;     // the last part of a message is still to come

  /// But for its channel, all zero again.
  void release() { *this = {.channel = channel}; }
};

/// One connection and what it is about. But for its channel, all zero when it is free.
struct Exchange {
  enum class State : std::uint8_t {
    free,
    head,     // a request's head is expected
    body,     // its body is
    answer,   // an answer is being sent
    stream,   // events are being sent
    closing,  // all was sent: what still comes is dropped, so that it does not destroy the answer
  };

  // What is asked for in many places comes first: to reach what is further back takes longer instructions.
  State state = State::free;
  Access access = Access::granted;  // what was said of the request
  bool closes = false;              // the connection, after the answer
  bool chunked = false;             // the stream; else the end of the connection is its end
  bool standing = false;            // a stream of a session, not of a request
  bool replaying = false;
  bool over = false;            // nothing more is said on the stream: it was answered, or its session has ended
  bool may_end = false;         // the connection of the stream: its client comes back with the id of the last event
  bool is_http_sse = false;     // is no matter of HttpOptions::path
  bool only_principal = false;  // Grant::only_principal
  bool named = false;           // names a session, which is looked for again when the message is taken
  bool lost = false;            // names a session that is not there; whether that matters is what the body says
  bool kept = false;            // the connection has brought a request before
  bool full = false;            // the stream would take the last connection; else 503 is about sessions
  Connection* connection = nullptr;
  char* heads = nullptr;      // its buffer for heads
  char* json = nullptr;       // where JSON stands, frame_size bytes into its room
  std::span<const char> out;  // what is still to be sent
  std::size_t filled = 0;     // bytes in the buffer for heads
  std::size_t consumed = 0;   // of these, bytes of this request
  EventStream stream = {};
  Millis since_ms = 0;             // when the request began, or the last byte moved
  Millis begun_ms = 0;             // when the connection or the stream began
  Millis paid_ms = 0;              // until when the bytes of this request or answer were in time (HttpLimits::min_rate)
  std::size_t pending_output = 0;  // bytes in the window that wait for a stream of this session
  Channel parked_for = 0;          // the channel of that
  std::uint32_t replay = 0;        // number of the record of the ring that is looked at next
  std::uint32_t replay_event = 0;  // what is behind this event is replayed
  std::uint64_t principal = 0;     // who has sent the request
  RequestBody body = {};
  RequestHeadReader reader = {};
  RequestHead head = {};
};

struct SessionEntry {
  std::uint64_t principal;  // who has begun it
  SessionId session;
  std::uint8_t id[16];
  bool is_http_sse;      // of HTTP+SSE: opened by the query of its path alone
  std::uint32_t owner;   // TransportInfo::owner of its first request
  std::uint32_t stream;  // number of its last stream that belongs to no request
  std::uint32_t event;   // number of the next event of that stream, while it has no link
};

/// Characters of a session's id.
inline constexpr std::size_t id_chars = 2 * sizeof(SessionEntry::id);

/// Writes the id of a session as hexadecimal digits.
std::string_view hex_of(const SessionEntry& entry, char (&text)[id_chars]);

/// Why a request is refused whose head was read; what is said of it stands in a table in the same order.
enum class RequestError : std::uint8_t {
  none,
  host,
  origin,
  path,
  method,
  no_sessions,
  streams,
  version,
  session,
  no_session_id,
  media_type,
  accept_events,
  accept_both,
  event_id,
  time,
  randomness,
  place,
};

/// What HttpOptions name beside the endpoint of their path.
class SseEndpoint {
 public:
  /// What is served under this path, for Allow; nullptr when the path is another's.
  [[nodiscard]] const char* methods(std::string_view path) const { return do_methods(path); }

  /// The id of the session that a request names, a view into its head. Empty when it names none.
  [[nodiscard]] std::string_view session_id(const RequestHead& head) const { return do_session_id(head); }

  /// Takes up a request for such a path, whose Host, Origin and authorization were found good: answers it, begins its
  /// stream, or has its body read. Else says why not.
  [[nodiscard]] RequestError take_head(HttpTransport& transport, Exchange& exchange) const {
    return do_take_head(transport, exchange);
  }

 protected:
  constexpr SseEndpoint() = default;
  ~SseEndpoint() = default;

 private:
  [[nodiscard]] virtual const char* do_methods(std::string_view path) const = 0;
  [[nodiscard]] virtual std::string_view do_session_id(const RequestHead& head) const = 0;
  [[nodiscard]] virtual RequestError do_take_head(HttpTransport& transport, Exchange& exchange) const = 0;
};

class Detached;
class Replay;
class Guard;
class Stateless;

/// What clients that come back need.
struct ReplayOps {
  /// Keeps the next event of a stream; of an empty one the name.
  void (*keep)(HttpTransport& transport, const EventStream& stream, std::string_view json);
  /// Sends the next event that was missed; behind the last the stream goes on, or ends.
  void (*go_on)(HttpTransport& transport, Exchange& exchange);
  /// Takes up a request with Last-Event-ID. False when nothing is known of that stream.
  bool (*resume)(HttpTransport& transport, Exchange& exchange);
  /// Ends the connection when a job wants it so. False when none does.
  bool (*reconnect)(HttpTransport& transport, Exchange& exchange);
  /// Ends the connection of a stream that sends nothing now; its client comes back after so many milliseconds. False
  /// when the call cannot continue without.
  bool (*end)(HttpTransport& transport, Exchange& exchange, Millis retry_ms);
  /// Removes the events of a session that has ended.
  void (*forget)(HttpTransport& transport, SessionId session);
};
extern const ReplayOps replay_ops;

/// What calls need that continue without a connection.
struct DetachedOps {
  /// Has the stream of the link continue without it. False when the call must be cancelled: there is no record for it.
  bool (*keep)(HttpTransport& transport, Exchange& exchange);
  /// Keeps what there is to say on all of these. True when there was something.
  bool (*run)(HttpTransport& transport);
};
extern const DetachedOps detached_ops;

/// All links, by their two ends: to find the end of a std::span takes a multiplication wherever it is walked through.
class Exchanges {
 public:
  constexpr Exchanges() = default;
  constexpr explicit Exchanges(std::span<Exchange> exchanges)
      : begin_(exchanges.data()), end_(exchanges.data() + exchanges.size()) {}

  [[nodiscard]] constexpr Exchange* begin() const { return begin_; }
  [[nodiscard]] constexpr Exchange* end() const { return end_; }

 private:
  Exchange* begin_ = nullptr;
  Exchange* end_ = nullptr;
};

struct StorageView {
  Exchanges exchanges;
  std::span<SessionEntry> sessions;
  std::span<char> heads;  // head_size for each link
  std::span<char> rooms;  // tx_buffer_size for each link
  std::size_t head_size = 0;
  std::size_t tx_buffer_size = 0;
  std::span<EventStream> detached;
  const DetachedOps* detached_ops = nullptr;  // none: calls end with their connections
  const ReplayOps* replay_ops = nullptr;      // none: lost streams are not resumed
  std::span<char> replay;
  memory::RecordRing::State* replay_state = nullptr;
  Millis request_timeout_ms = 0;
  Millis idle_timeout_ms = 0;
  Millis evict_idle_after_ms = 0;
  Millis grace_ms = 0;
  std::uint32_t min_rate = 1;
};

/// What stands before the JSON in the room of a link: the head of a response, or the frame of an event.
inline constexpr std::size_t frame_size = 320;
/// And behind it.
inline constexpr std::size_t tail_size = 8;

}  // namespace http

/// The memory of one endpoint: `constinit mcp::HttpStorage<http_limits, limits.transmit_size> http_storage;`. Starts as
/// zero.
template <HttpLimits H, std::size_t transmit_size>
class HttpStorage {
 public:
  static_assert(H.connections >= 1 && H.connections <= 254, "HttpLimits::connections is 1 to 254");
  static_assert(H.detached <= 65'000, "HttpLimits::detached is at most 65,000");
  static_assert(H.head_size >= 128 && H.head_size <= http::RequestHeadReader::max_size,
                "HttpLimits::head_size is 128 to 65535");
  static_assert(H.min_rate >= 1, "HttpLimits::min_rate is at least 1");
  static_assert(H.replay_size <= 0xFFFF, "HttpLimits::replay_size is 0 to 65535");
  static_assert(H.resumable || H.replay_size == 0, "HttpLimits::replay_size needs HttpLimits::resumable");
  static_assert(H.request_timeout_ms <= 0x7FFFFFFF, "HttpLimits::request_timeout_ms is below 2^31");
  static_assert(H.idle_timeout_ms <= 0x7FFFFFFF, "HttpLimits::idle_timeout_ms is below 2^31");
  static_assert(H.evict_idle_after_ms <= 0x7FFFFFFF, "HttpLimits::evict_idle_after_ms is below 2^31");
  static_assert(H.grace_ms <= 0x7FFFFFFF, "HttpLimits::grace_ms is below 2^31");

  /// For the transport.
  constexpr http::StorageView view() {
    return {.exchanges = http::Exchanges(exchanges_),
            .sessions = sessions_,
            .heads = heads_,
            .rooms = tx_buffers_,
            .head_size = H.head_size,
            .tx_buffer_size = tx_buffer_size,
            .detached = detached_.span(),
            .detached_ops = H.detached != 0 ? &http::detached_ops : nullptr,
            .replay_ops = H.resumable ? &http::replay_ops : nullptr,
            .replay = replay_.span(),
            .replay_state = &replay_state_,
            .request_timeout_ms = H.request_timeout_ms,
            .idle_timeout_ms = H.idle_timeout_ms,
            .evict_idle_after_ms = H.evict_idle_after_ms,
            .grace_ms = H.grace_ms,
            .min_rate = H.min_rate};
  }

 private:
  static constexpr std::size_t tx_buffer_size = http::frame_size + transmit_size + http::tail_size;

  http::Exchange exchanges_[H.connections] = {};
  detail::Items<http::EventStream, H.detached> detached_ = {};
  http::SessionEntry sessions_[H.sessions] = {};
  char heads_[H.connections * H.head_size] = {};
  char tx_buffers_[H.connections * tx_buffer_size] = {};
  detail::Items<char, H.replay_size> replay_ = {};
  memory::RecordRing::State replay_state_ = {};
};

/// Serves HTTP clients, of all revisions that the Definition speaks. One per server; main loop, never blocks.
class HttpTransport {
 public:
  /// All must outlive the transport. The entropy makes the ids of sessions. The options are read with every request.
  template <HttpLimits H, std::size_t transmit_size>
  constexpr HttpTransport(const Server& the_server, Listener& the_listener, Entropy& the_entropy,
                          HttpStorage<H, transmit_size>& the_storage, const HttpOptions& the_options)
      : server_(&the_server),  // not `server`: -Wshadow would warn of the user's own of that name
        listener_(&the_listener),
        entropy_(&the_entropy),
        options_(&the_options),
        storage_(the_storage.view()) {}
  /// Not of a temporary, such as `{}`: it would be gone with the first request.
  template <HttpLimits H, std::size_t transmit_size>
  HttpTransport(Server&, Listener&, Entropy&, HttpStorage<H, transmit_size>&, const HttpOptions&&) = delete;

  /// Does all that can be done now. Returns after how many milliseconds to call again even if nothing happens on the
  /// network: 0 when there is more to do at once.
  [[nodiscard]] Millis poll(Millis now);

 private:
  friend class HttpSse2024;
  friend class http::Detached;
  friend class http::Replay;
  friend class http::Guard;
  friend class http::Stateless;
  using Exchange = http::Exchange;
  using State = Exchange::State;

  // Connections.
  void accept();
  void renew(Exchange& exchange, State state);
  bool serve(Exchange& exchange);
  bool step(Exchange& exchange);
  std::size_t receive(Exchange& exchange, char* into, std::size_t room);
  bool send(Exchange& exchange);
  bool read_head(Exchange& exchange);
  [[nodiscard]] std::span<char> place_of_body(const Exchange& exchange) const;
  bool read_body(Exchange& exchange);
  [[nodiscard]] bool has_place_for_answer(const Exchange& exchange) const;
  [[nodiscard]] Millis time_limit(const Exchange& exchange) const;
  [[nodiscard]] Millis check_time(Exchange& exchange);
  void next_request(Exchange& exchange);
  static void clear(Exchange& exchange);
  void lose(Exchange& exchange);
  [[nodiscard]] bool goes_on(const Exchange& exchange) const;
  [[nodiscard]] bool detach(Exchange& exchange);
  static void hang_up(Exchange& exchange);
  void drop(Exchange& exchange);
  void stop_listening(Exchange& exchange);

  // Who keeps a connection, or the message buffer, while another client waits.
  struct Claim {
    Millis elapsed;
    Millis limit;
  };
  void begin_poll(Millis now);
  void pay(Exchange& exchange, std::size_t size) const;
  [[nodiscard]] bool is_crowding(const Exchange& exchange) const;
  [[nodiscard]] Millis shortened(Millis ms, const Exchange& exchange) const;
  void note_stall(const Exchange& exchange);
  [[nodiscard]] bool wants_buffer(const Exchange& exchange) const;
  [[nodiscard]] bool waits_for_buffer(const Exchange& exchange) const;
  [[nodiscard]] bool takes_buffer(Exchange& exchange);
  [[nodiscard]] Exchange* next_for_buffer() const;
  [[nodiscard]] Millis free_buffer();
  [[nodiscard]] bool can_resume(const Exchange& exchange) const;
  [[nodiscard]] bool has_room_for_stream(SessionId session) const;
  [[nodiscard]] Claim claim_of(const Exchange& exchange) const;
  [[nodiscard]] Millis make_room();
  Millis relax();
  Millis close_one();
  void give_place(Exchange& exchange);
  void close_if_crowded(Exchange& exchange) const;

  // Requests. What is not refused is answered, or its body expected.
  [[nodiscard]] http::RequestError check_head(Exchange& exchange);
  [[nodiscard]] http::RequestError take_head(Exchange& exchange);
  [[nodiscard]] http::RequestError take_get(Exchange& exchange);
  [[nodiscard]] http::RequestError take_post(Exchange& exchange);
  void expect_body(Exchange& exchange);
  bool find_session(Exchange& exchange);
  [[nodiscard]] http::RequestError match_session(Exchange& exchange);
  void keep_session(Exchange& exchange, SessionId session, http::SessionEntry entry);
  void forget_ended_sessions();
  void forget(http::SessionEntry& entry);
  [[nodiscard]] Exchange* stream_of(SessionId session, Channel channel) const;
  [[nodiscard]] TransportInfo info_of(const Exchange& exchange) const;
  void take_message(Exchange& exchange);
  void take_reply(Exchange& exchange, const Reply& reply);

  // Answers.
  char* end_head(const Exchange& exchange, char* at) const;
  void answer(Exchange& exchange, http::Status status, std::size_t size = 0);
  [[nodiscard]] const char* methods_of(const Exchange& exchange) const;
  void reject(Exchange& exchange, const char* table, unsigned row);
  void reject(Exchange& exchange, http::RequestError problem);
  void reject(Exchange& exchange, http::ParseError refusal);

  // Requests that are too long.
  void refuse_oversized(Exchange& exchange);
  void put_finder(const Exchange& exchange, const rpc::IdFinder& finder) const;
  bool drain(Exchange& exchange);
  void take_oversized(Exchange& exchange, const rpc::IdFinder& response);

  // Streams.
  void begin_stream(Exchange& exchange, bool standing, char* end);
  bool run_stream(Exchange& exchange);
  bool notice_end(Exchange& exchange);
  void deliver(Exchange& exchange, std::size_t size, bool last);
  void keep_event(http::EventStream& stream, const char* json, std::size_t size, bool last);
  [[nodiscard]] static char* name_event(const Exchange& exchange, std::uint32_t event);
  static char* end_event(char* at);
  void send_event(Exchange& exchange, char* begin, char* end);
  void end_stream(Exchange& exchange);
  bool deliver_parked(Exchange& exchange);
  [[nodiscard]] bool is_awaited(const http::EventStream& stream) const;
  /// Of a link with a session: that it is none of its own. So there are no ids, nothing is resumed, and whoever closes
  /// the connection takes back what it asked for.
  [[nodiscard, gnu::always_inline]] bool is_stateless(const Exchange& exchange) const {
    return exchange.stream.session == shared_;
  }

  [[nodiscard]] static Channel channel_of(const Exchange& exchange) {
    if (exchange.is_http_sse) return only_channel;
    return exchange.standing ? session_channel : exchange.stream.channel;
  }
  [[nodiscard]] std::size_t transmit_size() const {
    return storage_.tx_buffer_size - http::frame_size - http::tail_size;
  }
  [[nodiscard]] std::span<char> transmit_buffer(const Exchange& exchange) const {
    return {exchange.json, transmit_size()};
  }
  [[nodiscard]] memory::RecordRing ring() const { return {storage_.replay, *storage_.replay_state}; }

  const Server* server_;
  Listener* listener_;
  Entropy* entropy_;
  const HttpOptions* options_;
  http::StorageView storage_;
  SessionId shared_;             // by requests without a session
  Millis now_ = 0;               // of the last poll
  std::uint32_t streams_ = 0;    // that were begun
  Exchange* owner_ = nullptr;    // whose body comes into the server's message buffer
  Millis due_at_ = 0;            // when the next poll was to be
  std::uint8_t stalls_[2] = {};  // clients that were closed for others: those with several connections, and with one
};

}  // namespace mcp
