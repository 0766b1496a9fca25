#include "mcp/http_transport.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "http/http_text.hpp"
#include "http/response_head.hpp"
#include "mcp/assert.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/memory/secrets.hpp"
#include "mcp/transport_info.hpp"

namespace mcp {

using http::Header;
using http::hex_of;
using http::ParseError;
using http::Progress;
using http::put_before;
using http::RequestError;
using http::Status;

namespace {

constexpr std::string_view json_type = "application/json";
constexpr std::string_view event_type = "text/event-stream";
constexpr char methods[] = "GET, POST, DELETE, OPTIONS";
constexpr char stateless_methods[] = "POST, OPTIONS";
// A stream that is silent for so long says that it is still there.
constexpr Millis comment_interval_ms = 15'000;
// Rounds of one poll, so that the rest of the main loop has its turn.
constexpr unsigned rounds = 16;
// Steps of one link in a round: its head, its body, its answer, and the next head, with one to spare.
constexpr unsigned steps = 5;

// Between two polls while a stream takes no byte, and nothing else is to be done.
constexpr Millis blocked_poll_ms = 10;

// In the order of Problem.
constexpr http::Answer problems[] = {
    {Status::forbidden, "This Host is not served."},
    {Status::forbidden, "This Origin is not allowed."},
    {Status::not_found, "There is nothing under this path."},
    {Status::method_not_allowed, "There is no such method here."},
    {Status::method_not_allowed, "There are no sessions here: use POST."},
    {Status::service_unavailable, "All streams are in use; try again later."},
    {Status::bad_request, "This MCP-Protocol-Version is not spoken."},
    {Status::not_found, "Unknown or ended session: begin a new one."},
    {Status::bad_request, "This needs an MCP-Session-Id."},
    {Status::unsupported_media_type, "The body must be application/json."},
    {Status::not_acceptable, "Accept must have text/event-stream."},
    {Status::not_acceptable, "Accept must have application/json and text/event-stream."},
    {Status::bad_request, "Nothing is kept behind this Last-Event-ID."},
    {Status::request_timeout, "The request did not come in time."},
    {Status::service_unavailable, "The device has no random bytes for the id of a session now."},
    {Status::service_unavailable, "There is no place for a session now; try again later."},
};
static_assert(std::size(problems) == static_cast<unsigned>(RequestError::place));
constexpr auto problems_table = http::packed_answers<problems>();

bool is_sending(const http::Exchange& exchange) { return !exchange.out.empty(); }

}  // namespace

std::string_view http::hex_of(const SessionEntry& entry, char (&text)[id_chars]) {
  memory::write_hex(text, entry.id);
  return {text, sizeof text};
}

Millis HttpTransport::poll(Millis now) {
  begin_poll(now);
  MCP_ASSERT(options_->eras.headers() != nullptr ||
             !server_->has_stateless());  // HttpOptions::eras are the Definition's
  if (const http::MetadataHeaderOps* const headers = options_->eras.headers()) headers->open(*this);
  server_->advance_tasks(now);
  forget_ended_sessions();
  bool moved = true;
  for (unsigned i = 0; moved && i < rounds; ++i) {
    moved = false;
    accept();
    for (Exchange& exchange : storage_.exchanges) {
      // As far as a request usually goes, so that the others are not looked at after every step of one.
      for (unsigned step = 0; step < steps && serve(exchange); ++step) moved = true;
    }
    if (storage_.detached_ops != nullptr && storage_.detached_ops->run(*this)) moved = true;
  }
  Millis due = forever;
  bool sending = false;
  for (Exchange& exchange : storage_.exchanges) {
    due = std::min(due, check_time(exchange));  // also while others are busy
    sending = sending || is_sending(exchange);
  }
  due = std::min({due, make_room(), free_buffer()});
  if (moved) due = 0;
  if (due != 0) {
    // What is due may be for a stream that takes no byte now, and would be due without pause until it does. 0 when
    // interrupts have marked something: it is sent the next time.
    const Millis work_ms = server_->poll(now);
    due = std::min(due, sending ? std::max(work_ms, blocked_poll_ms) : work_ms);
  }
  due_at_ = now + std::min(due, forever / 2);
  return due;
}

// ---- Connections -------------------------------------------------------------------------------------------------

void HttpTransport::accept() {
  for (Exchange& exchange : storage_.exchanges) {
    if (exchange.state != State::free) continue;
    exchange.connection = listener_->accept();
    if (exchange.connection == nullptr) return;
    const auto index = static_cast<std::size_t>(&exchange - storage_.exchanges.begin());
    if (exchange.stream.channel == 0) exchange.stream.channel = static_cast<Channel>(index + 1);
    exchange.heads = storage_.heads.data() + index * storage_.head_size;
    exchange.json = storage_.rooms.data() + index * storage_.tx_buffer_size + http::frame_size;
    exchange.begun_ms = now_;
    renew(exchange, State::head);
  }
}

// To zero, without a copy of a fresh one on the stack.
void HttpTransport::clear(Exchange& exchange) {
  static_assert(std::is_trivially_copyable_v<Exchange>);
  const Channel channel = exchange.stream.channel;
  std::memset(static_cast<void*>(&exchange), 0, sizeof exchange);
  exchange.stream.channel = channel;
}

// Forgets the request; the connection and the places of the link stay.
void HttpTransport::renew(Exchange& exchange, State state) {
  char* const heads = exchange.heads;
  char* const json = exchange.json;
  Connection* const connection = exchange.connection;
  const Millis begun_ms = exchange.begun_ms;
  clear(exchange);
  exchange.state = state;
  exchange.heads = heads;
  exchange.json = json;
  exchange.connection = connection;
  exchange.begun_ms = begun_ms;
  exchange.since_ms = exchange.paid_ms = now_;
}

// One step forward; false when there is none to make before the next event. Not a part of the loop that calls it: there
// the compiler counts places in a link from the next one, and each takes a longer instruction.
[[gnu::noinline]] bool HttpTransport::serve(Exchange& exchange) {
  if (exchange.state == State::free) return false;
  return step(exchange) || exchange.state == State::free;  // who waits for a place is to have it
}

bool HttpTransport::step(Exchange& exchange) {
  if (exchange.pending_output != 0 && deliver_parked(exchange)) return true;
  if (is_sending(exchange)) return send(exchange);
  switch (exchange.state) {
    case State::head: return read_head(exchange);
    case State::body: return read_body(exchange);
    case State::answer:
      if (exchange.pending_output != 0) return false;
      next_request(exchange);
      return true;
    // To close while a client still sends would reset the connection, and with it go bytes that it has not read yet.
    // Source: RFC 9112 section 9.6.
    case State::closing: return drain(exchange);
    default: return run_stream(exchange);
  }
}

// What has come goes to the caller's memory. 0 when nothing has, or the connection is lost.
std::size_t HttpTransport::receive(Exchange& exchange, char* into, std::size_t room) {
  const IoResult result = exchange.connection->read({into, room});
  if (result.status == IoStatus::ok) return result.size;
  if (result.status != IoStatus::would_block) lose(exchange);
  return 0;
}

bool HttpTransport::send(Exchange& exchange) {
  const IoResult result = exchange.connection->write(exchange.out);
  if (result.status == IoStatus::would_block) return false;
  if (result.status != IoStatus::ok) {
    lose(exchange);
    return true;
  }
  if (exchange.state != State::body) exchange.since_ms = now_;  // 100 Continue gives the request no further time
  pay(exchange, result.size);
  exchange.out = exchange.out.subspan(result.size);
  return true;
}

bool HttpTransport::read_head(Exchange& exchange) {
  const std::span<char> buffer(exchange.heads, storage_.head_size);
  Progress progress = Progress::more;
  for (;;) {
    progress = exchange.reader.read(buffer, exchange.filled, exchange.head);
    if (progress != Progress::more) break;
    const std::size_t size = receive(exchange, exchange.heads + exchange.filled, storage_.head_size - exchange.filled);
    if (size == 0) return false;
    if (exchange.filled == 0) {
      exchange.since_ms = now_;
      if (exchange.kept) exchange.paid_ms = now_;
    }
    pay(exchange, size);
    exchange.filled += size;
  }
  if (progress == Progress::refused) {
    reject(exchange, exchange.reader.refusal());
  } else {
    exchange.consumed = exchange.head.size();
    reject(exchange, check_head(exchange));
  }
  return true;
}

// A body that fits is received into the window of its link, so that who sends slowly holds up nobody. For others the
// server has one buffer.
std::span<char> HttpTransport::place_of_body(const Exchange& exchange) const {
  const std::span<char> message = server_->receive_buffer().first(server_->receive_size());
  const std::size_t most =
      exchange.head.is_chunked() ? message.size() : std::min(exchange.head.content_length(), message.size());
  return most <= std::min(transmit_size(), server_->transmit_buffer().size()) ? transmit_buffer(exchange).first(most)
                                                                              : message;
}

bool HttpTransport::read_body(Exchange& exchange) {
  http::RequestBody& body = exchange.body;
  if (wants_buffer(exchange) && !takes_buffer(exchange)) return false;
  if (exchange.consumed != exchange.filled) {
    exchange.consumed += body.read({exchange.heads + exchange.consumed, exchange.filled - exchange.consumed});
  } else if (body.progress() == Progress::more) {
    // Never more than belongs to this request: straight to its place, and the frames of chunks byte by byte.
    char byte[1];
    const std::size_t expected = body.expected();
    char* const place = expected != 0 ? body.data() + body.size() : byte;
    const std::size_t size = receive(exchange, place, expected != 0 ? expected : 1);
    if (size == 0) return false;
    pay(exchange, size);
    static_cast<void>(body.read({place, size}));
  }
  if (body.is_too_large()) {
    refuse_oversized(exchange);
  } else if (body.progress() == Progress::refused) {
    reject(exchange, body.refusal());
  } else if (body.progress() == Progress::done) {
    if (!has_place_for_answer(exchange)) return false;
    take_message(exchange);
    if (owner_ == &exchange) owner_ = nullptr;
  }
  return true;
}

// False while the one stream of an older session sends something else. A message that is not taken yet may lose its
// connection to another client; a message whose answer waits may not.
bool HttpTransport::has_place_for_answer(const Exchange& exchange) const {
  const Exchange* const stream = exchange.is_http_sse ? stream_of(exchange.stream.session, only_channel) : nullptr;
  return stream == nullptr || !(stream->stream.in_event || is_sending(*stream));
}

// From `since_ms` on; `forever` for a stream that has nothing to say.
[[gnu::noinline]] Millis HttpTransport::time_limit(const Exchange& exchange) const {
  if (exchange.connection == nullptr) return forever;
  switch (exchange.state) {
    case State::body: return waits_for_buffer(exchange) ? forever : storage_.request_timeout_ms;
    case State::closing: return storage_.request_timeout_ms;
    case State::head: return exchange.filled != 0 ? storage_.request_timeout_ms : storage_.idle_timeout_ms;
    default: break;
  }
  if (is_sending(exchange)) return storage_.idle_timeout_ms;
  if (exchange.state != State::stream) return forever;
  // The stream of an older session is there before anybody has initialized.
  if (exchange.is_http_sse)
    return server_->revision(exchange.stream.session).empty() ? storage_.idle_timeout_ms : forever;
  return is_stateless(exchange) && !exchange.stream.in_event ? comment_interval_ms : forever;
}

// How much time the link has left; 0 when it had none, and something was done about that.
Millis HttpTransport::check_time(Exchange& exchange) {
  const Millis limit = time_limit(exchange);
  const Millis passed = now_ - exchange.since_ms;
  if (limit == forever) return forever;
  if (passed < limit) return limit - passed;
  exchange.since_ms = now_;  // an answer has time of its own
  if (exchange.state == State::body || (exchange.state == State::head && exchange.filled != 0)) {
    reject(exchange, RequestError::time);
  } else if (exchange.state == State::stream && !exchange.is_http_sse && !is_sending(exchange)) {
    // So that nobody on the way takes the connection for dead, and that one which is dead is noticed.
    send_event(exchange, put_before(exchange.json, ":\n\n"), exchange.json);
  } else {
    lose(exchange);
  }
  return 0;
}

// What came behind the request is the beginning of the next one.
void HttpTransport::next_request(Exchange& exchange) {
  if (exchange.connection == nullptr) return drop(exchange);
  if (exchange.closes) {
    exchange.connection->finish();
    if (!exchange.body.is_too_large()) return renew(exchange, State::closing);
    exchange.state = State::closing;  // with the session that a response which is too long belongs to
    exchange.since_ms = exchange.paid_ms = now_;
    return;
  }
  const std::size_t rest = exchange.filled - exchange.consumed;
  std::memmove(exchange.heads, exchange.heads + exchange.consumed, rest);
  renew(exchange, State::head);
  exchange.filled = rest;
  exchange.kept = true;
}

// A connection that is lost cancels nothing (basic/transports, 2025-11-25): what runs goes on, for whoever resumes it.
// Without a session nobody can (basic/patterns/cancellation, 2026-07-28).
void HttpTransport::lose(Exchange& exchange) {
  // What the client has brought about is still to reach another stream.
  if ((exchange.state == State::answer || exchange.state == State::closing) && exchange.pending_output != 0)
    return hang_up(exchange);
  if (goes_on(exchange) && !detach(exchange)) server_->cancel(exchange.stream.session, exchange.stream.channel, now_);
  drop(exchange);
}

// True for the stream of a request that is still to be answered, in a session.
bool HttpTransport::goes_on(const Exchange& exchange) const {
  if (exchange.state != State::stream || exchange.standing || exchange.over || is_stateless(exchange)) return false;
  return exchange.stream.in_event || is_awaited(exchange.stream) ||
         server_->serves(exchange.stream.session, exchange.stream.channel);
}

bool HttpTransport::detach(Exchange& exchange) {
  return storage_.detached_ops != nullptr && storage_.detached_ops->keep(*this, exchange);
}

void HttpTransport::hang_up(Exchange& exchange) {
  if (exchange.connection != nullptr) exchange.connection->close();
  exchange.connection = nullptr;
  exchange.out = {};
}

void HttpTransport::drop(Exchange& exchange) {
  if (exchange.state == State::stream && !exchange.over && is_stateless(exchange)) {
    server_->cancel(exchange.stream.session, exchange.stream.channel, now_);
  }
  if (owner_ == &exchange) owner_ = nullptr;
  if (exchange.standing) stop_listening(exchange);
  hang_up(exchange);
  clear(exchange);
}

// So that the stream of the session can be resumed, and the server does not wake for what nobody hears.
void HttpTransport::stop_listening(Exchange& exchange) {
  // Each session has at most one standing link, and forget() clears it.
  storage_.sessions[exchange.stream.session.index].event = exchange.stream.event;
  server_->set_listening(exchange.stream.session, false);
  exchange.standing = false;
  if (!exchange.is_http_sse) return;
  server_->close(exchange.stream.session, now_);  // there is no other
  forget_ended_sessions();
}

// A message for this stream of a request waits with a link.
bool HttpTransport::is_awaited(const http::EventStream& stream) const {
  for (const Exchange& exchange : storage_.exchanges) {
    const bool waits = exchange.pending_output != 0 && exchange.parked_for == stream.channel;
    if (waits && exchange.stream.session == stream.session) return true;
  }
  return false;
}

// ---- Requests ----------------------------------------------------------------------------------------------------

RequestError HttpTransport::check_head(Exchange& exchange) {
  const http::RequestHead& head = exchange.head;
  // A body that nobody reads would look like the next request.
  const bool has_body = head.is_chunked() || head.content_length() != 0;
  exchange.closes = !head.keeps_alive() || (has_body && head.method() != http::Method::post);
  exchange.is_http_sse = !json::equal(head.path(), options_->path);
  Authorizer* const authorizer = options_->authorizer;
  if (!http::allows_host(*options_, head.value(Header::host))) return RequestError::host;
  if (head.has(Header::origin) && !http::allows_origin(*options_, head.value(Header::origin)))
    return RequestError::origin;
  if (methods_of(exchange) == nullptr) {
    const bool is_document = authorizer != nullptr && authorizer->guard().answer_document(*this, exchange);
    return is_document ? RequestError::none : RequestError::path;
  }
  if (head.method() == http::Method::other) return RequestError::method;
  const bool needs_session = head.method() == http::Method::get || head.method() == http::Method::delete_;
  if (needs_session && !exchange.is_http_sse && !server_->has_sessions()) return RequestError::no_sessions;
  if (head.method() == http::Method::options) {
    answer(exchange, Status::no_content);
    return RequestError::none;
  }
  if (authorizer != nullptr && !authorizer->guard().check(*this, exchange)) return RequestError::none;
  return take_head(exchange);
}

RequestError HttpTransport::take_head(Exchange& exchange) {
  const http::RequestHead& head = exchange.head;
  const bool is_post = head.method() == http::Method::post;
  const http::MetadataHeaderOps* const headers = options_->eras.headers();
  const bool is_shared = is_post && headers != nullptr && !exchange.is_http_sse && headers->join(*this, exchange);
  if (!is_shared) {
    const bool spoken = server_->speaks(head.value(Header::mcp_protocol_version));
    if (head.has(Header::mcp_protocol_version) && !spoken) return RequestError::version;
    if (exchange.is_http_sse) return options_->sse_2024->take_head(*this, exchange);
    if (head.has(Header::mcp_session_id)) {
      if (const RequestError problem = match_session(exchange); problem != RequestError::none) return problem;
    }
  }
  if (is_post) return take_post(exchange);
  if (!head.has(Header::mcp_session_id)) return RequestError::no_session_id;
  if (head.method() == http::Method::get) return take_get(exchange);
  server_->close(exchange.stream.session, now_);
  forget_ended_sessions();
  answer(exchange, Status::ok);
  return RequestError::none;
}

RequestError HttpTransport::take_post(Exchange& exchange) {
  const http::RequestHead& head = exchange.head;
  if (!http::is_media_type(head.value(Header::content_type), json_type)) return RequestError::media_type;
  if (!head.accepts(json_type) || !head.accepts(event_type)) return RequestError::accept_both;
  expect_body(exchange);
  return RequestError::none;
}

void HttpTransport::expect_body(Exchange& exchange) {
  exchange.state = State::body;
  exchange.body = http::RequestBody(exchange.head, place_of_body(exchange));
  const bool continues = exchange.filled == exchange.consumed && !exchange.body.is_too_large();
  if (exchange.head.expects_continue() && continues) exchange.out = http::continue_response;
}

bool HttpTransport::find_session(Exchange& exchange) {
  const std::string_view wanted = exchange.is_http_sse ? options_->sse_2024->session_id(exchange.head)
                                                       : exchange.head.value(Header::mcp_session_id);
  for (const http::SessionEntry& entry : storage_.sessions) {
    if (entry.session == SessionId{} || entry.is_http_sse != exchange.is_http_sse ||
        !memory::is_hex_of(wanted, entry.id))
      continue;
    // Its id alone opens it to nobody.
    if (entry.principal != exchange.principal) return false;
    exchange.stream.session = entry.session;
    return server_->is_open(entry.session);
  }
  return false;
}

// Of a request that names a session: both when its head was read and when its message is taken, since the session may
// end in between.
RequestError HttpTransport::match_session(Exchange& exchange) {
  exchange.named = find_session(exchange);
  if (exchange.named) return RequestError::none;
  // The body of a stateless request says that it is one.
  if (exchange.is_http_sse || exchange.head.method() != http::Method::post || !server_->has_stateless())
    return RequestError::session;
  exchange.stream.session = shared_;
  exchange.lost = true;
  return RequestError::none;
}

void HttpTransport::keep_session(Exchange& exchange, SessionId session, http::SessionEntry entry) {
  MCP_ASSERT(session.index < storage_.sessions.size());  // HttpLimits::sessions is Limits::sessions
  http::SessionEntry& place = storage_.sessions[session.index];
  forget(place);  // of a session that has ended, whatever its number is
  exchange.stream.session = entry.session = session;
  entry.principal = exchange.principal;
  entry.owner = info_of(exchange).owner();
  place = entry;
  server_->set_listening(session, false);
}

void HttpTransport::forget_ended_sessions() {
  for (http::SessionEntry& entry : storage_.sessions) {
    if (!server_->is_open(entry.session)) forget(entry);
  }
}

// What a link was to send it sends, and what it is to receive it receives: for no session.
void HttpTransport::forget(http::SessionEntry& entry) {
  const SessionId session = entry.session;
  if (session == SessionId{}) return;
  entry = {};
  for (Exchange& exchange : storage_.exchanges) {
    if (exchange.stream.session != session) continue;
    exchange.stream.session = {};
    exchange.over = true;
    exchange.standing = exchange.replaying = false;
    exchange.pending_output = 0;
  }
  for (http::EventStream& stream : storage_.detached) {
    if (stream.session == session) stream.release();
  }
  if (storage_.replay_ops != nullptr) storage_.replay_ops->forget(*this, session);
}

// The link that sends what belongs to this channel of the session; nullptr when none does.
http::Exchange* HttpTransport::stream_of(SessionId session, Channel channel) const {
  for (Exchange& exchange : storage_.exchanges) {
    const bool runs = exchange.state == State::stream && !exchange.over && exchange.stream.session == session;
    if (runs && channel_of(exchange) == channel) return &exchange;
  }
  return nullptr;
}

TransportInfo HttpTransport::info_of(const Exchange& exchange) const {
  const http::MetadataHeaderOps* const headers = options_->eras.headers();
  TransportInfo info =
      headers != nullptr ? headers->info(exchange) : TransportInfo(exchange.principal, exchange.connection->peer());
  info.only_principal = exchange.only_principal;
  return info;
}

void HttpTransport::take_message(Exchange& exchange) {
  if (exchange.named) {
    if (const RequestError problem = match_session(exchange); problem != RequestError::none)
      return reject(exchange, problem);
  }
  std::span<char> message(exchange.body.data(), exchange.body.size());
  // The answer takes the place of a body that was received into the window. The window of the server is no link's.
  if (!wants_buffer(exchange)) {
    std::memcpy(server_->transmit_buffer().data(), message.data(), message.size());
    message = server_->transmit_buffer().first(message.size());
  }
  const TransportInfo info = info_of(exchange);
  const Channel channel = channel_of(exchange);
  if (exchange.stream.session != SessionId{}) {
    return take_reply(
        exchange, server_->receive(exchange.stream.session, message, transmit_buffer(exchange), now_, channel, &info));
  }
  http::SessionEntry entry{};
  if (!entropy_->fill(entry.id)) return reject(exchange, RequestError::randomness);
  SessionId session = shared_;
  const Reply reply = server_->receive_first(session, message, transmit_buffer(exchange), now_, channel, &info);
  if (session == shared_) {
    exchange.stream.session = session;
  } else if (session != SessionId{}) {
    keep_session(exchange, session, entry);
  }
  take_reply(exchange, reply);
}

void HttpTransport::take_reply(Exchange& exchange, const Reply& reply) {
  constexpr std::string_view no_id = "{\"jsonrpc\":\"2.0\",\"error\"";
  const std::string_view json(exchange.json, reply.size);
  const bool unreadable = json.starts_with(no_id);
  const bool no_session = reply.status == Reply::Status::no_session;
  if (no_session && !exchange.lost) return answer(exchange, Status::bad_request, reply.size);
  // A batch, which is of a session, is unreadable without one.
  if (no_session || (exchange.lost && unreadable)) return reject(exchange, RequestError::session);
  const Channel channel = channel_of(exchange);
  const bool is_silent = reply.status == Reply::Status::none;
  if (exchange.is_http_sse && !unreadable) {
    exchange.pending_output = reply.size;
    exchange.parked_for = only_channel;
  } else if (is_silent) {
    if (server_->serves(exchange.stream.session, channel)) {
      if (!reply.listens || has_room_for_stream({})) return begin_stream(exchange, false, exchange.json);
      server_->cancel(exchange.stream.session, channel, now_);
      return reject(exchange, RequestError::streams);
    }
  } else if (reply.channel != channel) {
    // What follows from an answer goes out on the stream of the call that asked.
    exchange.pending_output = reply.size;
    exchange.parked_for = reply.channel;
  }
  if (is_silent || exchange.pending_output != 0) return answer(exchange, Status::accepted);
  if (json.starts_with('[') && server_->serves(exchange.stream.session, channel)) {
    // What else the batch asks for comes behind what is answered, as events of one stream.
    exchange.pending_output = reply.size;
    exchange.parked_for = channel;
    return begin_stream(exchange, false, exchange.json);
  }
  if (reply.error == Reply::Error::place) return answer(exchange, Status::service_unavailable, reply.size);
  const bool is_bad = unreadable || reply.error == Reply::Error::request;
  const bool is_unknown = reply.error == Reply::Error::method;  // which says that it is stateless
  answer(exchange, is_bad ? Status::bad_request : is_unknown ? Status::not_found : Status::ok, reply.size);
}

RequestError HttpTransport::take_get(Exchange& exchange) {
  if (!exchange.head.accepts(event_type)) return RequestError::accept_events;
  if (exchange.head.has(Header::last_event_id)) {
    const bool resumed = storage_.replay_ops != nullptr && storage_.replay_ops->resume(*this, exchange);
    return resumed ? RequestError::none : RequestError::event_id;
  }
  if (storage_.replay_ops == nullptr && !has_room_for_stream(exchange.stream.session)) return RequestError::streams;
  // A client that connects anew has lost the stream that it had: nothing more is for that one, and so it ends.
  for (Exchange& other : storage_.exchanges) {
    if (!other.standing || other.stream.session != exchange.stream.session) continue;
    stop_listening(other);
    other.replaying = false;
  }
  begin_stream(exchange, true, exchange.json);
  return RequestError::none;
}

// ---- Answers -----------------------------------------------------------------------------------------------------

// Heads are written from their end to their front, right before what they are of, so that both are one write.
namespace {

constexpr char end_fields[] = "\r\n\r\n";
constexpr char closes_field[] = "\r\nConnection: close";
constexpr char origin_field[] = "\r\nAccess-Control-Allow-Origin: ";
constexpr char page_fields[] = "\r\nAccess-Control-Expose-Headers: *\r\nVary: Origin";  // none has cookies
constexpr std::size_t common_size =
    sizeof end_fields + sizeof closes_field + sizeof origin_field + http::max_origin_size + sizeof page_fields - 4;

constexpr char allow_field[] = "\r\nAllow: ";
constexpr char session_field[] = "\r\nMCP-Session-Id: ";
constexpr char length_field[] = "\r\nContent-Length: ";
constexpr char json_field[] = "\r\nContent-Type: application/json";
constexpr char retry_field[] = "\r\nRetry-After: ";
constexpr char version_of_http[] = "HTTP/1.1 ";
// A long phrase, what is allowed, or Retry-After comes without a session.
static_assert(common_size + sizeof length_field + 9 + sizeof json_field + sizeof session_field + http::id_chars +
                  sizeof version_of_http + std::string_view("400 Bad Request").size() <=
              http::frame_size);

constexpr char methods_field[] = "\r\nAccess-Control-Allow-Methods: ";
constexpr char headers_field[] =
    "\r\nAccess-Control-Allow-Headers: Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, "
    "MCP-Protocol-Version, MCP-Session-Id, *";  // whatever Mcp-Param- there is

constexpr char chunked_field[] = "\r\nTransfer-Encoding: chunked";
constexpr char stream_head[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nX-Accel-Buffering: no";
constexpr char id_field[] = "id: ";
// With an event without data, as a chunk.
static_assert(common_size + sizeof chunked_field + sizeof stream_head + sizeof id_field +
                  std::string_view("19\r\n4294967295-0\ndata: \n\n").size() - 3 <=
              http::frame_size);

}  // namespace

// The last fields of every head, and its end.
char* HttpTransport::end_head(const Exchange& exchange, char* at) const {
  at = put_before(at, end_fields);
  if (exchange.closes) at = put_before(at, closes_field);
  const std::string_view origin = exchange.head.value(Header::origin);
  if (origin.empty() || !http::allows_origin(*options_, origin)) return at;
  return put_before(put_before(put_before(at, page_fields), origin), origin_field);
}

// Without JSON, its place is the head's.
void HttpTransport::answer(Exchange& exchange, Status status, std::size_t size) {
  if (exchange.head.method() == http::Method::other) size = 0;  // the answer to HEAD must have no body
  close_if_crowded(exchange);
  // What is parked stands in the window until the stream takes it.
  char* const json = size != 0 || exchange.pending_output != 0 ? exchange.json : exchange.json + transmit_size();
  char* at = end_head(exchange, json);
  const bool preflight = status == Status::no_content;
  const char* const served = methods_of(exchange);
  const char* const allowed = served != nullptr ? served : "GET, OPTIONS";  // of a document
  if (preflight) at = put_before(put_before(put_before(at, headers_field), allowed), methods_field);
  if (preflight || status == Status::method_not_allowed) at = put_before(put_before(at, allowed), allow_field);
  if (status == Status::service_unavailable) {
    const TransportInfo info = info_of(exchange);
    const Millis due_ms = exchange.full ? 0 : server_->place_due(now_, &info);
    at = put_before(put_before(at, due_ms / 1000 + 1), retry_field);
  }
  if (!exchange.head.has(Header::mcp_session_id) && !exchange.is_http_sse && exchange.stream.session != SessionId{} &&
      !is_stateless(exchange)) {
    char text[http::id_chars];
    at = put_before(put_before(at, hex_of(storage_.sessions[exchange.stream.session.index], text)), session_field);
  }
  if (!preflight) at = put_before(put_before(at, static_cast<std::uint32_t>(size)), length_field);
  if (size != 0) at = put_before(at, json_field);
  if (exchange.access != Access::granted) {
    at = options_->authorizer->guard().challenge(*this, exchange, at);
    // A long challenge takes the place of the JSON.
    if (at == nullptr) return size != 0 ? answer(exchange, status) : drop(exchange);
  }
  at = put_before(put_before(at, http::line_of(status)), version_of_http);
  exchange.state = State::answer;
  exchange.paid_ms = now_;
  exchange.out = {at, json + size};
}

// What is served under the path of the request; nullptr for nothing.
const char* HttpTransport::methods_of(const Exchange& exchange) const {
  if (!exchange.is_http_sse) return server_->has_sessions() ? methods : stateless_methods;
  return options_->sse_2024 != nullptr ? options_->sse_2024->methods(exchange.head.path()) : nullptr;
}

// With the row of a table of answers, in a JSON-RPC error that has no id. What is left of the request is not read: the
// connection ends.
void HttpTransport::reject(Exchange& exchange, const char* table, unsigned row) {
  const char* const why = http::answer_at(table, row);
  if (owner_ == &exchange) owner_ = nullptr;
  const std::size_t size = Server::reject(why + 1, transmit_buffer(exchange));
  exchange.stream.session = {};
  if (exchange.state != State::body || exchange.body.progress() != Progress::done) exchange.closes = true;
  answer(exchange, static_cast<Status>(*why), size);
}

void HttpTransport::reject(Exchange& exchange, RequestError problem) {
  exchange.full = problem == RequestError::streams;
  if (problem != RequestError::none) reject(exchange, problems_table.data(), static_cast<unsigned>(problem));
}

// The answer goes out at once. What is dropped behind it shows whether it is a response, and to which request.
void HttpTransport::refuse_oversized(Exchange& exchange) {
  const SessionId session = exchange.stream.session;
  rpc::IdFinder finder;
  finder.feed({exchange.body.data(), exchange.body.size()});
  exchange.body.pass({exchange.heads + exchange.consumed, exchange.filled - exchange.consumed}, finder);
  reject(exchange, http::refusals, static_cast<unsigned>(ParseError::body_too_large));
  exchange.closes = true;  // also when all of the body has come: the link has no place for the next head
  exchange.stream.session = session;
  if (!exchange.named) exchange.body = {};  // the server has asked nothing there
  put_finder(exchange, finder);
}

void HttpTransport::put_finder(const Exchange& exchange, const rpc::IdFinder& finder) const {
  static_assert(std::is_trivially_copyable_v<rpc::IdFinder>);
  std::memcpy(exchange.json + transmit_size() - sizeof finder, &finder, sizeof finder);
}

// What comes behind a request that was refused.
bool HttpTransport::drain(Exchange& exchange) {
  if (exchange.pending_output != 0) return false;
  if (exchange.connection == nullptr) return drop(exchange), true;
  const std::size_t room = transmit_size() - sizeof(rpc::IdFinder);
  if (!exchange.body.is_too_large()) return receive(exchange, exchange.json, room) != 0;
  rpc::IdFinder finder;
  std::memcpy(&finder, exchange.json + room, sizeof finder);
  if (finder.is_response() && !finder.id().empty()) {
    if (!has_place_for_answer(exchange)) return false;
    return take_oversized(exchange, finder), true;
  }
  const std::size_t size = receive(exchange, exchange.json, room);
  if (size == 0) return false;
  exchange.body.pass({exchange.json, size}, finder);
  put_finder(exchange, finder);
  return true;
}

void HttpTransport::take_oversized(Exchange& exchange, const rpc::IdFinder& response) {
  exchange.body = {};
  if (match_session(exchange) != RequestError::none || is_stateless(exchange)) return;
  const Reply reply = server_->receive_oversized(exchange.stream.session, response, transmit_buffer(exchange), now_,
                                                 channel_of(exchange));
  exchange.pending_output = reply.size;
  exchange.parked_for = exchange.is_http_sse ? only_channel : reply.channel;
}

// What was read of the request is not complete.
void HttpTransport::reject(Exchange& exchange, ParseError refusal) {
  renew(exchange, State::head);
  reject(exchange, http::refusals, static_cast<unsigned>(refusal));
}

// ---- Streams -----------------------------------------------------------------------------------------------------

// An event that it begins with stands in the window, up to `end`.
void HttpTransport::begin_stream(Exchange& exchange, bool standing, char* end) {
  exchange.chunked = !exchange.head.is_http_1_0();
  if (!exchange.chunked) exchange.closes = true;
  close_if_crowded(exchange);
  exchange.standing = standing;
  exchange.state = State::stream;
  exchange.since_ms = exchange.begun_ms = exchange.paid_ms = now_;
  exchange.out = {exchange.json, end};
  if (end != exchange.json) send_event(exchange, exchange.json, end);
  if (standing) server_->set_listening(exchange.stream.session, true);
  const bool has_ids = !exchange.is_http_sse && !is_stateless(exchange);
  const bool newest = has_ids && json::equal(server_->revision(exchange.stream.session), "2025-11-25");
  // Before 2025-11-25 the answer to a request must come first. A client that has no id yet has nothing to resume.
  exchange.may_end = has_ids && storage_.replay_ops != nullptr && (standing || newest);
  if (has_ids && exchange.stream.number == 0) {  // else it is resumed
    if (++streams_ == 0) ++streams_;
    exchange.stream.number = streams_;
    if (standing) storage_.sessions[exchange.stream.session.index].stream = streams_;
    // An event without data to begin with, so that there is an id to resume from. Clients of the revisions before do
    // not expect it.
    if (newest) deliver(exchange, 0, true);
  }
  const char* const out_end = exchange.out.data() + exchange.out.size();
  char* at = end_head(exchange, exchange.json - (exchange.json - exchange.out.data()));
  if (exchange.chunked) at = put_before(at, chunked_field);
  const char* const begin = put_before(at, stream_head);  // the same type as the end: std::span checks both
  exchange.out = {begin, out_end};
}

// What stands in the room of the link from `begin` to `end`, as the stream sends it: a chunk, where it has chunks.
void HttpTransport::send_event(Exchange& exchange, char* begin, char* end) {
  if (exchange.chunked) http::frame_chunk(begin, end);
  exchange.paid_ms = now_;
  exchange.out = {begin, end};
}

// The next event, or the end.
bool HttpTransport::run_stream(Exchange& exchange) {
  if (exchange.over && !exchange.replaying) return end_stream(exchange), true;
  if (exchange.replaying && !exchange.stream.in_event) return storage_.replay_ops->go_on(*this, exchange), true;
  const Channel channel = channel_of(exchange);
  if (exchange.may_end && !exchange.standing && !exchange.stream.in_event &&
      storage_.replay_ops->reconnect(*this, exchange))
    return true;
  const Reply reply = server_->transmit(exchange.stream.session, transmit_buffer(exchange), now_, channel);
  switch (reply.status) {
    case Reply::Status::message:
    case Reply::Status::part: deliver(exchange, reply.size, reply.status == Reply::Status::message); return true;
    case Reply::Status::broken:
      // Only the end of the connection says that this event has none. The error that comes next is for the ring.
      if (exchange.is_http_sse) {
        deliver(exchange, 0, true);  // its connection is its session: what came is no JSON, that must do
        return true;
      }
      ++exchange.stream.event;
      exchange.stream.in_event = false;
      exchange.replaying ? void() : lose(exchange);
      return true;
    default: break;
  }
  if (!exchange.standing && !is_awaited(exchange.stream) && !server_->serves(exchange.stream.session, channel)) {
    end_stream(exchange);
    return true;
  }
  return notice_end(exchange);
}

// A client that has gone is noticed by what it sends: nothing more.
bool HttpTransport::notice_end(Exchange& exchange) {
  char ignored[1];
  if (exchange.closes) return receive(exchange, ignored, 1) != 0;
  // The next request, before its time.
  const std::size_t room = storage_.head_size - exchange.filled;
  const std::size_t size = room != 0 ? receive(exchange, exchange.heads + exchange.filled, room) : 0;
  if (size != 0) exchange.filled += size;  // else the link may be gone
  return size != 0;
}

// A message, or a part of it, to who listens, and a whole one to where it is kept. A stream that was resumed in the
// middle of a message gets none of the rest.
void HttpTransport::deliver(Exchange& exchange, std::size_t size, bool last) {
  char* const begin = exchange.stream.in_event ? exchange.json : name_event(exchange, exchange.stream.event);
  char* const end = exchange.json + size;
  keep_event(exchange.stream, exchange.json, size, last);
  if (!exchange.replaying) send_event(exchange, begin, last ? end_event(end) : end);
}

// Of a message in parts the name is kept: there is no room for all of it.
void HttpTransport::keep_event(http::EventStream& stream, const char* json, std::size_t size, bool last) {
  const bool is_kept = !stream.in_event && size != 0 && stream.number != 0 && storage_.replay_ops != nullptr;
  if (is_kept) storage_.replay_ops->keep(*this, stream, {json, last ? size : 0});
  if (last) ++stream.event;
  stream.in_event = !last;
}

// Behind the JSON.
char* HttpTransport::end_event(char* at) {
  *at++ = '\n';
  *at++ = '\n';
  return at;
}

// The JSON stands in the window already; before it comes what makes an event of it.
char* HttpTransport::name_event(const Exchange& exchange, std::uint32_t event) {
  char* at = put_before(exchange.json, "data: ");
  if (exchange.is_http_sse) return put_before(at, "event: message\n");
  if (exchange.stream.number == 0) return at;
  at = put_before(put_before(at, "\n"), event);
  return put_before(put_before(put_before(at, "-"), exchange.stream.number), id_field);
}

void HttpTransport::end_stream(Exchange& exchange) {
  // A message without its end must not look as if it had one.
  if (exchange.stream.in_event) return drop(exchange);
  exchange.state = State::answer;
  exchange.paid_ms = now_;
  if (exchange.chunked) exchange.out = http::last_chunk;
}

// False while the stream is still sending another message.
bool HttpTransport::deliver_parked(Exchange& exchange) {
  const SessionId session = exchange.stream.session;
  Exchange* const target = stream_of(session, exchange.parked_for);
  if (target != nullptr && (is_sending(*target) || target->replaying || target->stream.in_event)) return false;
  const std::size_t size = exchange.pending_output;
  exchange.pending_output = 0;
  if (target != nullptr) {
    if (target != &exchange) std::memcpy(target->json, exchange.json, size);
    deliver(*target, size, true);
    return true;
  }
  for (http::EventStream& stream : storage_.detached) {
    // An event in the middle of another cannot be: what comes of that is for nobody.
    if (stream.session == session && stream.channel == exchange.parked_for)
      keep_event(stream, exchange.json, size, true);
  }
  return true;
}

}  // namespace mcp
