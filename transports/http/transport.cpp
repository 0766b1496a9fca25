#include "transports/http/transport.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "json/writer.hpp"
#include "mcp/assert.hpp"
#include "mcp/claims.hpp"
#include "memory/secrets.hpp"
#include "transports/http/response_head.hpp"
#include "transports/http/text.hpp"

namespace mcp {

using http::Header;
using http::hex_of;
using http::Problem;
using http::Progress;
using http::put_before;
using http::Refusal;
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
constexpr Millis stuck_ms = 10;

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
static_assert(std::size(problems) == static_cast<unsigned>(Problem::place));
constexpr auto problems_table = http::packed_answers<problems>();

bool is_sending(const http::Link& link) { return !link.out.empty(); }

}  // namespace

std::string_view http::hex_of(const SessionEntry& entry, char (&text)[id_chars]) {
  memory::write_hex(text, entry.id);
  return {text, sizeof text};
}

Millis HttpTransport::poll(Millis now) {
  begin_poll(now);
  MCP_ASSERT(options_->eras.headers() != nullptr ||
             !server_->has_stateless());  // HttpOptions::eras are the Definition's
  if (const http::HeaderCode* const headers = options_->eras.headers()) headers->open(*this);
  server_->advance_tasks(now);
  forget_ended_sessions();
  bool moved = true;
  for (unsigned i = 0; moved && i < rounds; ++i) {
    moved = false;
    accept();
    for (Link& link : storage_.links) {
      // As far as a request usually goes, so that the others are not looked at after every step of one.
      for (unsigned step = 0; step < steps && serve(link); ++step) moved = true;
    }
    if (storage_.detached_code != nullptr && storage_.detached_code->run(*this)) moved = true;
  }
  Millis due = forever;
  bool sending = false;
  for (Link& link : storage_.links) {
    due = std::min(due, check_time(link));  // also while others are busy
    sending = sending || is_sending(link);
  }
  due = std::min({due, make_room(), free_buffer()});
  if (moved) due = 0;
  if (due != 0) {
    // What is due may be for a stream that takes no byte now, and would be due without pause until it does. 0 when
    // interrupts have marked something: it is sent the next time.
    const Millis work_ms = server_->poll(now);
    due = std::min(due, sending ? std::max(work_ms, stuck_ms) : work_ms);
  }
  due_at_ = now + std::min(due, forever / 2);
  return due;
}

// ---- Connections -------------------------------------------------------------------------------------------------

void HttpTransport::accept() {
  for (Link& link : storage_.links) {
    if (link.state != State::free) continue;
    link.connection = listener_->accept();
    if (link.connection == nullptr) return;
    const auto index = static_cast<std::size_t>(&link - storage_.links.begin());
    if (link.stream.channel == 0) link.stream.channel = static_cast<Channel>(index + 1);
    link.heads = storage_.heads.data() + index * storage_.head_size;
    link.json = storage_.rooms.data() + index * storage_.room_size + http::frame_size;
    link.begun_ms = now_;
    renew(link, State::head);
  }
}

// To zero, without a copy of a fresh one on the stack.
void HttpTransport::clear(Link& link) {
  static_assert(std::is_trivially_copyable_v<Link>);
  const Channel channel = link.stream.channel;
  std::memset(static_cast<void*>(&link), 0, sizeof link);
  link.stream.channel = channel;
}

// Forgets the request; the connection and the places of the link stay.
void HttpTransport::renew(Link& link, State state) {
  char* const heads = link.heads;
  char* const json = link.json;
  Connection* const connection = link.connection;
  const Millis begun_ms = link.begun_ms;
  clear(link);
  link.state = state;
  link.heads = heads;
  link.json = json;
  link.connection = connection;
  link.begun_ms = begun_ms;
  link.since_ms = link.paid_ms = now_;
}

// One step forward; false when there is none to make before the next event. Not a part of the loop that calls it: there
// the compiler counts places in a link from the next one, and each takes a longer instruction.
[[gnu::noinline]] bool HttpTransport::serve(Link& link) {
  if (link.state == State::free) return false;
  return step(link) || link.state == State::free;  // who waits for a place is to have it
}

bool HttpTransport::step(Link& link) {
  if (link.parked != 0 && deliver_parked(link)) return true;
  if (is_sending(link)) return send(link);
  switch (link.state) {
    case State::head: return read_head(link);
    case State::body: return read_body(link);
    case State::answer:
      if (link.parked != 0) return false;
      next_request(link);
      return true;
    // To close while a client still sends would reset the connection, and with it go bytes that it has not read yet.
    // Source: RFC 9112 section 9.6.
    case State::closing: return drain(link);
    default: return run_stream(link);
  }
}

// What has come goes to the caller's memory. 0 when nothing has, or the connection is lost.
std::size_t HttpTransport::receive(Link& link, char* into, std::size_t room) {
  const IoResult result = link.connection->read({into, room});
  if (result.status == IoStatus::ok) return result.size;
  if (result.status != IoStatus::would_block) lose(link);
  return 0;
}

bool HttpTransport::send(Link& link) {
  const IoResult result = link.connection->write(link.out);
  if (result.status == IoStatus::would_block) return false;
  if (result.status != IoStatus::ok) {
    lose(link);
    return true;
  }
  if (link.state != State::body) link.since_ms = now_;  // 100 Continue gives the request no further time
  pay(link, result.size);
  link.out = link.out.subspan(result.size);
  return true;
}

bool HttpTransport::read_head(Link& link) {
  const std::span<char> buffer(link.heads, storage_.head_size);
  Progress progress = Progress::more;
  for (;;) {
    progress = link.reader.read(buffer, link.filled, link.head);
    if (progress != Progress::more) break;
    const std::size_t size = receive(link, link.heads + link.filled, storage_.head_size - link.filled);
    if (size == 0) return false;
    if (link.filled == 0) {
      link.since_ms = now_;
      if (link.kept) link.paid_ms = now_;
    }
    pay(link, size);
    link.filled += size;
  }
  if (progress == Progress::refused) {
    refuse(link, link.reader.refusal());
  } else {
    link.consumed = link.head.size();
    refuse(link, check_head(link));
  }
  return true;
}

// A body that fits is received into the window of its link, so that who sends slowly holds up nobody. For others the
// server has one buffer.
std::span<char> HttpTransport::place_of_body(const Link& link) const {
  const std::span<char> message = server_->message_buffer().first(server_->message_size());
  const std::size_t most =
      link.head.is_chunked() ? message.size() : std::min(link.head.content_length(), message.size());
  return most <= std::min(window_size(), server_->window().size()) ? window(link).first(most) : message;
}

bool HttpTransport::read_body(Link& link) {
  http::RequestBody& body = link.body;
  if (wants_buffer(link) && !takes_buffer(link)) return false;
  if (link.consumed != link.filled) {
    link.consumed += body.read({link.heads + link.consumed, link.filled - link.consumed});
  } else if (body.progress() == Progress::more) {
    // Never more than belongs to this request: straight to its place, and the frames of chunks byte by byte.
    char byte[1];
    const std::size_t expected = body.expected();
    char* const place = expected != 0 ? body.data() + body.size() : byte;
    const std::size_t size = receive(link, place, expected != 0 ? expected : 1);
    if (size == 0) return false;
    pay(link, size);
    static_cast<void>(body.read({place, size}));
  }
  if (body.is_too_large()) {
    refuse_oversized(link);
  } else if (body.progress() == Progress::refused) {
    refuse(link, body.refusal());
  } else if (body.progress() == Progress::done) {
    if (!has_place_for_answer(link)) return false;
    take_message(link);
    if (owner_ == &link) owner_ = nullptr;
  }
  return true;
}

// False while the one stream of an older session sends something else. A message that is not taken yet may lose its
// connection to another client; a message whose answer waits may not.
bool HttpTransport::has_place_for_answer(const Link& link) const {
  const Link* const stream = link.older ? stream_of(link.stream.session, only_channel) : nullptr;
  return stream == nullptr || !(stream->stream.in_event || is_sending(*stream));
}

// From `since_ms` on; `forever` for a stream that has nothing to say.
[[gnu::noinline]] Millis HttpTransport::time_limit(const Link& link) const {
  if (link.connection == nullptr) return forever;
  switch (link.state) {
    case State::body: return waits_for_buffer(link) ? forever : storage_.request_timeout_ms;
    case State::closing: return storage_.request_timeout_ms;
    case State::head: return link.filled != 0 ? storage_.request_timeout_ms : storage_.idle_timeout_ms;
    default: break;
  }
  if (is_sending(link)) return storage_.idle_timeout_ms;
  if (link.state != State::stream) return forever;
  // The stream of an older session is there before anybody has initialized.
  if (link.older) return server_->revision(link.stream.session).empty() ? storage_.idle_timeout_ms : forever;
  return is_stateless(link) && !link.stream.in_event ? comment_interval_ms : forever;
}

// How much time the link has left; 0 when it had none, and something was done about that.
Millis HttpTransport::check_time(Link& link) {
  const Millis limit = time_limit(link);
  const Millis passed = now_ - link.since_ms;
  if (limit == forever) return forever;
  if (passed < limit) return limit - passed;
  link.since_ms = now_;  // an answer has time of its own
  if (link.state == State::body || (link.state == State::head && link.filled != 0)) {
    refuse(link, Problem::time);
  } else if (link.state == State::stream && !link.older && !is_sending(link)) {
    // So that nobody on the way takes the connection for dead, and that one which is dead is noticed.
    send_event(link, put_before(link.json, ":\n\n"), link.json);
  } else {
    lose(link);
  }
  return 0;
}

// What came behind the request is the beginning of the next one.
void HttpTransport::next_request(Link& link) {
  if (link.connection == nullptr) return drop(link);
  if (link.closes) {
    link.connection->finish();
    if (!link.body.is_too_large()) return renew(link, State::closing);
    link.state = State::closing;  // with the session that a response which is too long belongs to
    link.since_ms = link.paid_ms = now_;
    return;
  }
  const std::size_t rest = link.filled - link.consumed;
  std::memmove(link.heads, link.heads + link.consumed, rest);
  renew(link, State::head);
  link.filled = rest;
  link.kept = true;
}

// A connection that is lost cancels nothing (basic/transports, 2025-11-25): what runs goes on, for whoever resumes it.
// Without a session nobody can (basic/patterns/cancellation, 2026-07-28).
void HttpTransport::lose(Link& link) {
  // What the client has brought about is still to reach another stream.
  if ((link.state == State::answer || link.state == State::closing) && link.parked != 0) return hang_up(link);
  if (goes_on(link) && !detach(link)) server_->cancel(link.stream.session, link.stream.channel, now_);
  drop(link);
}

// True for the stream of a request that is still to be answered, in a session.
bool HttpTransport::goes_on(const Link& link) const {
  if (link.state != State::stream || link.standing || link.over || is_stateless(link)) return false;
  return link.stream.in_event || is_awaited(link.stream) || server_->serves(link.stream.session, link.stream.channel);
}

bool HttpTransport::detach(Link& link) {
  return storage_.detached_code != nullptr && storage_.detached_code->keep(*this, link);
}

void HttpTransport::hang_up(Link& link) {
  if (link.connection != nullptr) link.connection->close();
  link.connection = nullptr;
  link.out = {};
}

void HttpTransport::drop(Link& link) {
  if (link.state == State::stream && !link.over && is_stateless(link)) {
    server_->cancel(link.stream.session, link.stream.channel, now_);
  }
  if (owner_ == &link) owner_ = nullptr;
  if (link.standing) stop_listening(link);
  hang_up(link);
  clear(link);
}

// So that the stream of the session can be resumed, and the server does not wake for what nobody hears.
void HttpTransport::stop_listening(Link& link) {
  // Each session has at most one standing link, and forget() clears it.
  storage_.sessions[link.stream.session.index].event = link.stream.event;
  server_->set_listening(link.stream.session, false);
  link.standing = false;
  if (!link.older) return;
  server_->close(link.stream.session, now_);  // there is no other
  forget_ended_sessions();
}

// A message for this stream of a request waits with a link.
bool HttpTransport::is_awaited(const http::EventStream& stream) const {
  for (const Link& link : storage_.links) {
    const bool waits = link.parked != 0 && link.parked_for == stream.channel;
    if (waits && link.stream.session == stream.session) return true;
  }
  return false;
}

// ---- Requests ----------------------------------------------------------------------------------------------------

Problem HttpTransport::check_head(Link& link) {
  const http::RequestHead& head = link.head;
  // A body that nobody reads would look like the next request.
  const bool has_body = head.is_chunked() || head.content_length() != 0;
  link.closes = !head.keeps_alive() || (has_body && head.method() != http::Method::post);
  link.older = !json::equal(head.path(), options_->path);
  Authorizer* const authorizer = options_->authorizer;
  if (!http::allows_host(*options_, head.value(Header::host))) return Problem::host;
  if (head.has(Header::origin) && !http::allows_origin(*options_, head.value(Header::origin))) return Problem::origin;
  if (methods_of(link) == nullptr) {
    const bool is_document = authorizer != nullptr && authorizer->guard().answer_document(*this, link);
    return is_document ? Problem::none : Problem::path;
  }
  if (head.method() == http::Method::other) return Problem::method;
  const bool needs_session = head.method() == http::Method::get || head.method() == http::Method::delete_;
  if (needs_session && !link.older && !server_->has_sessions()) return Problem::no_sessions;
  if (head.method() == http::Method::options) {
    answer(link, Status::no_content);
    return Problem::none;
  }
  if (authorizer != nullptr && !authorizer->guard().check(*this, link)) return Problem::none;
  return take_head(link);
}

Problem HttpTransport::take_head(Link& link) {
  const http::RequestHead& head = link.head;
  const bool is_post = head.method() == http::Method::post;
  const http::HeaderCode* const headers = options_->eras.headers();
  const bool is_shared = is_post && headers != nullptr && !link.older && headers->join(*this, link);
  if (!is_shared) {
    const bool spoken = server_->speaks(head.value(Header::mcp_protocol_version));
    if (head.has(Header::mcp_protocol_version) && !spoken) return Problem::version;
    if (link.older) return options_->sse_2024->take_head(*this, link);
    if (head.has(Header::mcp_session_id)) {
      if (const Problem problem = match_session(link); problem != Problem::none) return problem;
    }
  }
  if (is_post) return take_post(link);
  if (!head.has(Header::mcp_session_id)) return Problem::no_session_id;
  if (head.method() == http::Method::get) return take_get(link);
  server_->close(link.stream.session, now_);
  forget_ended_sessions();
  answer(link, Status::ok);
  return Problem::none;
}

Problem HttpTransport::take_post(Link& link) {
  const http::RequestHead& head = link.head;
  if (!http::is_media_type(head.value(Header::content_type), json_type)) return Problem::media_type;
  if (!head.accepts(json_type) || !head.accepts(event_type)) return Problem::accept_both;
  expect_body(link);
  return Problem::none;
}

void HttpTransport::expect_body(Link& link) {
  link.state = State::body;
  link.body = http::RequestBody(link.head, place_of_body(link));
  const bool continues = link.filled == link.consumed && !link.body.is_too_large();
  if (link.head.expects_continue() && continues) link.out = http::continue_response;
}

bool HttpTransport::find_session(Link& link) {
  const std::string_view wanted =
      link.older ? options_->sse_2024->session_id(link.head) : link.head.value(Header::mcp_session_id);
  for (const http::SessionEntry& entry : storage_.sessions) {
    if (entry.session == SessionId{} || entry.older != link.older || !memory::is_hex_of(wanted, entry.id)) continue;
    // Its id alone opens it to nobody.
    if (entry.principal != link.principal) return false;
    link.stream.session = entry.session;
    return server_->is_open(entry.session);
  }
  return false;
}

// Of a request that names a session: both when its head was read and when its message is taken, since the session may
// end in between.
Problem HttpTransport::match_session(Link& link) {
  link.named = find_session(link);
  if (link.named) return Problem::none;
  // The body of a stateless request says that it is one.
  if (link.older || link.head.method() != http::Method::post || !server_->has_stateless()) return Problem::session;
  link.stream.session = shared_;
  link.lost = true;
  return Problem::none;
}

void HttpTransport::keep_session(Link& link, SessionId session, http::SessionEntry entry) {
  MCP_ASSERT(session.index < storage_.sessions.size());  // HttpLimits::sessions is Limits::sessions
  http::SessionEntry& place = storage_.sessions[session.index];
  forget(place);  // of a session that has ended, whatever its number is
  link.stream.session = entry.session = session;
  entry.principal = link.principal;
  entry.owner = claims_of(link).owner();
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
  for (Link& link : storage_.links) {
    if (link.stream.session != session) continue;
    link.stream.session = {};
    link.over = true;
    link.standing = link.replaying = false;
    link.parked = 0;
  }
  for (http::EventStream& stream : storage_.detached) {
    if (stream.session == session) stream.release();
  }
  if (storage_.replay_code != nullptr) storage_.replay_code->forget(*this, session);
}

// The link that sends what belongs to this channel of the session; nullptr when none does.
http::Link* HttpTransport::stream_of(SessionId session, Channel channel) const {
  for (Link& link : storage_.links) {
    const bool runs = link.state == State::stream && !link.over && link.stream.session == session;
    if (runs && channel_of(link) == channel) return &link;
  }
  return nullptr;
}

Claims HttpTransport::claims_of(const Link& link) const {
  const http::HeaderCode* const headers = options_->eras.headers();
  Claims claims = headers != nullptr ? headers->claims(link) : Claims(link.principal, link.connection->peer());
  claims.only_principal = link.only_principal;
  return claims;
}

void HttpTransport::take_message(Link& link) {
  if (link.named) {
    if (const Problem problem = match_session(link); problem != Problem::none) return refuse(link, problem);
  }
  std::span<char> message(link.body.data(), link.body.size());
  // The answer takes the place of a body that was received into the window. The window of the server is no link's.
  if (!wants_buffer(link)) {
    std::memcpy(server_->window().data(), message.data(), message.size());
    message = server_->window().first(message.size());
  }
  const Claims claims = claims_of(link);
  const Channel channel = channel_of(link);
  if (link.stream.session != SessionId{}) {
    return take_reply(link, server_->receive(link.stream.session, message, window(link), now_, channel, &claims));
  }
  http::SessionEntry entry{};
  if (!entropy_->fill(entry.id)) return refuse(link, Problem::randomness);
  SessionId session = shared_;
  const Reply reply = server_->receive_first(session, message, window(link), now_, channel, &claims);
  if (session == shared_) {
    link.stream.session = session;
  } else if (session != SessionId{}) {
    keep_session(link, session, entry);
  }
  take_reply(link, reply);
}

void HttpTransport::take_reply(Link& link, const Reply& reply) {
  constexpr std::string_view no_id = "{\"jsonrpc\":\"2.0\",\"error\"";
  const std::string_view json(link.json, reply.size);
  const bool unreadable = json.starts_with(no_id);
  const bool homeless = reply.status == Reply::Status::no_session;
  if (homeless && !link.lost) return answer(link, Status::bad_request, reply.size);
  // A batch, which is of a session, is unreadable without one.
  if (homeless || (link.lost && unreadable)) return refuse(link, Problem::session);
  const Channel channel = channel_of(link);
  const bool is_silent = reply.status == Reply::Status::none;
  if (link.older && !unreadable) {
    link.parked = reply.size;
    link.parked_for = only_channel;
  } else if (is_silent) {
    if (server_->serves(link.stream.session, channel)) {
      if (!reply.listens || has_room_for_stream({})) return begin_stream(link, false, link.json);
      server_->cancel(link.stream.session, channel, now_);
      return refuse(link, Problem::streams);
    }
  } else if (reply.channel != channel) {
    // What follows from an answer goes out on the stream of the call that asked.
    link.parked = reply.size;
    link.parked_for = reply.channel;
  }
  if (is_silent || link.parked != 0) return answer(link, Status::accepted);
  if (json.starts_with('[') && server_->serves(link.stream.session, channel)) {
    // What else the batch asks for comes behind what is answered, as events of one stream.
    link.parked = reply.size;
    link.parked_for = channel;
    return begin_stream(link, false, link.json);
  }
  if (reply.fault == Reply::Fault::place) return answer(link, Status::service_unavailable, reply.size);
  const bool is_bad = unreadable || reply.fault == Reply::Fault::request;
  const bool is_unknown = reply.fault == Reply::Fault::method;  // which says that it is stateless
  answer(link, is_bad ? Status::bad_request : is_unknown ? Status::not_found : Status::ok, reply.size);
}

Problem HttpTransport::take_get(Link& link) {
  if (!link.head.accepts(event_type)) return Problem::accept_events;
  if (link.head.has(Header::last_event_id)) {
    const bool resumed = storage_.replay_code != nullptr && storage_.replay_code->resume(*this, link);
    return resumed ? Problem::none : Problem::event_id;
  }
  if (storage_.replay_code == nullptr && !has_room_for_stream(link.stream.session)) return Problem::streams;
  // A client that connects anew has lost the stream that it had: nothing more is for that one, and so it ends.
  for (Link& other : storage_.links) {
    if (!other.standing || other.stream.session != link.stream.session) continue;
    stop_listening(other);
    other.replaying = false;
  }
  begin_stream(link, true, link.json);
  return Problem::none;
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
char* HttpTransport::end_head(const Link& link, char* at) const {
  at = put_before(at, end_fields);
  if (link.closes) at = put_before(at, closes_field);
  const std::string_view origin = link.head.value(Header::origin);
  if (origin.empty() || !http::allows_origin(*options_, origin)) return at;
  return put_before(put_before(put_before(at, page_fields), origin), origin_field);
}

// Without JSON, its place is the head's.
void HttpTransport::answer(Link& link, Status status, std::size_t size) {
  if (link.head.method() == http::Method::other) size = 0;  // the answer to HEAD must have no body
  close_if_crowded(link);
  // What is parked stands in the window until the stream takes it.
  char* const json = size != 0 || link.parked != 0 ? link.json : link.json + window_size();
  char* at = end_head(link, json);
  const bool preflight = status == Status::no_content;
  const char* const served = methods_of(link);
  const char* const allowed = served != nullptr ? served : "GET, OPTIONS";  // of a document
  if (preflight) at = put_before(put_before(put_before(at, headers_field), allowed), methods_field);
  if (preflight || status == Status::method_not_allowed) at = put_before(put_before(at, allowed), allow_field);
  if (status == Status::service_unavailable) {
    const Claims claims = claims_of(link);
    const Millis due_ms = link.full ? 0 : server_->place_due(now_, &claims);
    at = put_before(put_before(at, due_ms / 1000 + 1), retry_field);
  }
  if (!link.head.has(Header::mcp_session_id) && !link.older && link.stream.session != SessionId{} &&
      !is_stateless(link)) {
    char text[http::id_chars];
    at = put_before(put_before(at, hex_of(storage_.sessions[link.stream.session.index], text)), session_field);
  }
  if (!preflight) at = put_before(put_before(at, static_cast<std::uint32_t>(size)), length_field);
  if (size != 0) at = put_before(at, json_field);
  if (link.access != Access::granted) {
    at = options_->authorizer->guard().challenge(*this, link, at);
    // A long challenge takes the place of the JSON.
    if (at == nullptr) return size != 0 ? answer(link, status) : drop(link);
  }
  at = put_before(put_before(at, http::line_of(status)), version_of_http);
  link.state = State::answer;
  link.paid_ms = now_;
  link.out = {at, json + size};
}

// What is served under the path of the request; nullptr for nothing.
const char* HttpTransport::methods_of(const Link& link) const {
  if (!link.older) return server_->has_sessions() ? methods : stateless_methods;
  return options_->sse_2024 != nullptr ? options_->sse_2024->methods(link.head.path()) : nullptr;
}

// With the row of a table of answers, in a JSON-RPC error that has no id. What is left of the request is not read: the
// connection ends.
void HttpTransport::refuse(Link& link, const char* table, unsigned row) {
  const char* const why = http::answer_at(table, row);
  if (owner_ == &link) owner_ = nullptr;
  const std::size_t size = Server::refuse(why + 1, window(link));
  link.stream.session = {};
  if (link.state != State::body || link.body.progress() != Progress::done) link.closes = true;
  answer(link, static_cast<Status>(*why), size);
}

void HttpTransport::refuse(Link& link, Problem problem) {
  link.full = problem == Problem::streams;
  if (problem != Problem::none) refuse(link, problems_table.data(), static_cast<unsigned>(problem));
}

// The answer goes out at once. What is dropped behind it shows whether it is a response, and to which request.
void HttpTransport::refuse_oversized(Link& link) {
  const SessionId session = link.stream.session;
  rpc::IdFinder finder;
  finder.feed({link.body.data(), link.body.size()});
  link.body.pass({link.heads + link.consumed, link.filled - link.consumed}, finder);
  refuse(link, http::refusals, static_cast<unsigned>(Refusal::body_too_large));
  link.closes = true;  // also when all of the body has come: the link has no place for the next head
  link.stream.session = session;
  if (!link.named) link.body = {};  // the server has asked nothing there
  put_finder(link, finder);
}

void HttpTransport::put_finder(const Link& link, const rpc::IdFinder& finder) const {
  static_assert(std::is_trivially_copyable_v<rpc::IdFinder>);
  std::memcpy(link.json + window_size() - sizeof finder, &finder, sizeof finder);
}

// What comes behind a request that was refused.
bool HttpTransport::drain(Link& link) {
  if (link.parked != 0) return false;
  if (link.connection == nullptr) return drop(link), true;
  const std::size_t room = window_size() - sizeof(rpc::IdFinder);
  if (!link.body.is_too_large()) return receive(link, link.json, room) != 0;
  rpc::IdFinder finder;
  std::memcpy(&finder, link.json + room, sizeof finder);
  if (finder.is_response() && !finder.id().empty()) {
    if (!has_place_for_answer(link)) return false;
    return take_oversized(link, finder), true;
  }
  const std::size_t size = receive(link, link.json, room);
  if (size == 0) return false;
  link.body.pass({link.json, size}, finder);
  put_finder(link, finder);
  return true;
}

void HttpTransport::take_oversized(Link& link, const rpc::IdFinder& response) {
  link.body = {};
  if (match_session(link) != Problem::none || is_stateless(link)) return;
  const Reply reply = server_->receive_oversized(link.stream.session, response, window(link), now_, channel_of(link));
  link.parked = reply.size;
  link.parked_for = link.older ? only_channel : reply.channel;
}

// What was read of the request is not complete.
void HttpTransport::refuse(Link& link, Refusal refusal) {
  renew(link, State::head);
  refuse(link, http::refusals, static_cast<unsigned>(refusal));
}

// ---- Streams -----------------------------------------------------------------------------------------------------

// An event that it begins with stands in the window, up to `end`.
void HttpTransport::begin_stream(Link& link, bool standing, char* end) {
  link.chunked = !link.head.is_http_1_0();
  if (!link.chunked) link.closes = true;
  close_if_crowded(link);
  link.standing = standing;
  link.state = State::stream;
  link.since_ms = link.begun_ms = link.paid_ms = now_;
  link.out = {link.json, end};
  if (end != link.json) send_event(link, link.json, end);
  if (standing) server_->set_listening(link.stream.session, true);
  const bool has_ids = !link.older && !is_stateless(link);
  const bool newest = has_ids && json::equal(server_->revision(link.stream.session), "2025-11-25");
  // Before 2025-11-25 the answer to a request must come first. A client that has no id yet has nothing to resume.
  link.may_end = has_ids && storage_.replay_code != nullptr && (standing || newest);
  if (has_ids && link.stream.number == 0) {  // else it is resumed
    if (++streams_ == 0) ++streams_;
    link.stream.number = streams_;
    if (standing) storage_.sessions[link.stream.session.index].stream = streams_;
    // An event without data to begin with, so that there is an id to resume from. Clients of the revisions before do
    // not expect it.
    if (newest) deliver(link, 0, true);
  }
  const char* const out_end = link.out.data() + link.out.size();
  char* at = end_head(link, link.json - (link.json - link.out.data()));
  if (link.chunked) at = put_before(at, chunked_field);
  const char* const begin = put_before(at, stream_head);  // the same type as the end: std::span checks both
  link.out = {begin, out_end};
}

// What stands in the room of the link from `begin` to `end`, as the stream sends it: a chunk, where it has chunks.
void HttpTransport::send_event(Link& link, char* begin, char* end) {
  if (link.chunked) http::frame_chunk(begin, end);
  link.paid_ms = now_;
  link.out = {begin, end};
}

// The next event, or the end.
bool HttpTransport::run_stream(Link& link) {
  if (link.over && !link.replaying) return end_stream(link), true;
  if (link.replaying && !link.stream.in_event) return storage_.replay_code->go_on(*this, link), true;
  const Channel channel = channel_of(link);
  if (link.may_end && !link.standing && !link.stream.in_event && storage_.replay_code->reconnect(*this, link))
    return true;
  const Reply reply = server_->transmit(link.stream.session, window(link), now_, channel);
  switch (reply.status) {
    case Reply::Status::message:
    case Reply::Status::part: deliver(link, reply.size, reply.status == Reply::Status::message); return true;
    case Reply::Status::broken:
      // Only the end of the connection says that this event has none. The error that comes next is for the ring.
      if (link.older) {
        deliver(link, 0, true);  // its connection is its session: what came is no JSON, that must do
        return true;
      }
      ++link.stream.event;
      link.stream.in_event = false;
      link.replaying ? void() : lose(link);
      return true;
    default: break;
  }
  if (!link.standing && !is_awaited(link.stream) && !server_->serves(link.stream.session, channel)) {
    end_stream(link);
    return true;
  }
  return notice_end(link);
}

// A client that has gone is noticed by what it sends: nothing more.
bool HttpTransport::notice_end(Link& link) {
  char ignored[1];
  if (link.closes) return receive(link, ignored, 1) != 0;
  // The next request, before its time.
  const std::size_t room = storage_.head_size - link.filled;
  const std::size_t size = room != 0 ? receive(link, link.heads + link.filled, room) : 0;
  if (size != 0) link.filled += size;  // else the link may be gone
  return size != 0;
}

// A message, or a part of it, to who listens, and a whole one to where it is kept. A stream that was resumed in the
// middle of a message gets none of the rest.
void HttpTransport::deliver(Link& link, std::size_t size, bool last) {
  char* const begin = link.stream.in_event ? link.json : name_event(link, link.stream.event);
  char* const end = link.json + size;
  keep_event(link.stream, link.json, size, last);
  if (!link.replaying) send_event(link, begin, last ? end_event(end) : end);
}

// Of a message in parts the name is kept: there is no room for all of it.
void HttpTransport::keep_event(http::EventStream& stream, const char* json, std::size_t size, bool last) {
  const bool is_kept = !stream.in_event && size != 0 && stream.number != 0 && storage_.replay_code != nullptr;
  if (is_kept) storage_.replay_code->keep(*this, stream, {json, last ? size : 0});
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
char* HttpTransport::name_event(const Link& link, std::uint32_t event) {
  char* at = put_before(link.json, "data: ");
  if (link.older) return put_before(at, "event: message\n");
  if (link.stream.number == 0) return at;
  at = put_before(put_before(at, "\n"), event);
  return put_before(put_before(put_before(at, "-"), link.stream.number), id_field);
}

void HttpTransport::end_stream(Link& link) {
  // A message without its end must not look as if it had one.
  if (link.stream.in_event) return drop(link);
  link.state = State::answer;
  link.paid_ms = now_;
  if (link.chunked) link.out = http::last_chunk;
}

// False while the stream is still sending another message.
bool HttpTransport::deliver_parked(Link& link) {
  const SessionId session = link.stream.session;
  Link* const target = stream_of(session, link.parked_for);
  if (target != nullptr && (is_sending(*target) || target->replaying || target->stream.in_event)) return false;
  const std::size_t size = link.parked;
  link.parked = 0;
  if (target != nullptr) {
    if (target != &link) std::memcpy(target->json, link.json, size);
    deliver(*target, size, true);
    return true;
  }
  for (http::EventStream& stream : storage_.detached) {
    // An event in the middle of another cannot be: what comes of that is for nobody.
    if (stream.session == session && stream.channel == link.parked_for) keep_event(stream, link.json, size, true);
  }
  return true;
}

}  // namespace mcp
