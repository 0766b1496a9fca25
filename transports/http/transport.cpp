#include "transports/http/transport.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <type_traits>

#include "json/writer.hpp"
#include "mcp/assert.hpp"
#include "mcp/claims.hpp"
#include "memory/secrets.hpp"
#include "rpc/codes.hpp"
#include "rpc/response.hpp"
#include "transports/http/response_head.hpp"
#include "transports/http/text.hpp"

namespace mcp {

using namespace std::string_view_literals;
using http::Header;
using http::hex_of;
using http::Progress;
using http::put;
using http::put_line;
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

bool is_sending(const http::Link& link) { return !link.out[0].empty() || !link.out[1].empty(); }

}  // namespace

std::string_view http::hex_of(const SessionEntry& entry, char (&text)[id_chars]) {
  memory::write_hex(text, entry.id);
  return {text, sizeof text};
}

Millis HttpTransport::poll(Millis now) {
  now_ = now;
  MCP_ASSERT(options_->eras.headers() != nullptr ||
             !server_->has_stateless());  // HttpOptions::eras are the Definition's
  if (shared_ == SessionId{} && server_->has_stateless()) shared_ = server_->open_shared(now);
  server_->advance_tasks(now);
  bool moved = true;
  for (unsigned i = 0; moved && i < rounds; ++i) {
    moved = false;
    accept(now);
    for (Link& link : storage_.links) {
      // As far as a request usually goes, so that the others are not looked at after every step of one.
      for (unsigned step = 0; step < steps && serve(link, now); ++step) moved = true;
    }
  }
  // Also while others are busy.
  for (Link& link : storage_.links) moved = check_time(link, now) || moved;
  const Millis room_ms = make_room(now);
  if (moved || room_ms == 0) return 0;
  // What is due may be for a stream that takes no byte now, and would be due without pause until it does. 0 when
  // interrupts have marked something: it is sent the next time.
  Millis work_ms = server_->poll(now);
  Millis due = room_ms;
  for (const Link& link : storage_.links) {
    if (is_sending(link)) work_ms = std::max(work_ms, stuck_ms);
    const Millis limit = time_limit(link);
    if (limit != forever) due = std::min(due, limit - (now - link.since_ms));
  }
  return std::min(due, work_ms);
}

// ---- Connections -------------------------------------------------------------------------------------------------

void HttpTransport::accept(Millis now) {
  for (Link& link : storage_.links) {
    if (link.state != State::free) continue;
    Connection* const connection = listener_->accept();
    if (connection == nullptr) return;
    renew(link, *connection, State::head, now);
  }
}

// A fresh link is all zero: without a copy of one on the stack.
void HttpTransport::clear(Link& link) {
  static_assert(std::is_trivially_copyable_v<Link>);
  std::memset(static_cast<void*>(&link), 0, sizeof link);
}

void HttpTransport::renew(Link& link, Connection& connection, State state, Millis now) {
  clear(link);
  link.connection = &connection;
  link.since_ms = now;
  link.state = state;
}

// While a client waits that has no place, the connection that is longest without a request makes room. After how many
// milliseconds it will; 0 when it has.
Millis HttpTransport::make_room(Millis now) {
  Link* idle = nullptr;
  for (Link& link : storage_.links) {
    if (link.state == State::free) return forever;
    if (link.state != State::closing && (link.state != State::head || link.filled != 0)) continue;
    if (idle == nullptr || now - link.since_ms > now - idle->since_ms) idle = &link;
  }
  if (!listener_->has_waiting() || idle == nullptr) return forever;
  const Millis idle_ms = now - idle->since_ms;
  if (idle_ms < storage_.yield_after_ms) return storage_.yield_after_ms - idle_ms;
  drop(*idle);
  return 0;
}

// One step forward; false when there is none to make before the next event.
bool HttpTransport::serve(Link& link, Millis now) {
  if (link.state == State::free) return false;
  if (link.parked != 0 && deliver_parked(link)) return true;
  if (is_sending(link)) return send(link, now);
  switch (link.state) {
    case State::head: return read_head(link, now);
    case State::body: return read_body(link, now);
    case State::answer:
      if (link.parked != 0) return false;
      next_request(link, now);
      return true;
    case State::closing: return read_to_end(link);
    default: return run_stream(link, now);
  }
}

bool HttpTransport::send(Link& link, Millis now) {
  if (link.connection == nullptr) {
    link.out[0] = link.out[1] = {};
    return true;
  }
  std::span<const char>& part = link.out[0].empty() ? link.out[1] : link.out[0];
  const IoResult result = link.connection->write(part);
  if (result.status == IoStatus::would_block) return false;
  if (result.status != IoStatus::ok) {
    lose(link);
    return true;
  }
  if (link.state != State::body) link.since_ms = now;  // 100 Continue gives the request no further time
  part = part.subspan(result.size);
  return true;
}

bool HttpTransport::read_head(Link& link, Millis now) {
  const std::span<char> buffer = head_buffer(link);
  if (link.scanned == link.filled) {
    const IoResult result = link.connection->read(buffer.subspan(link.filled));
    if (result.status == IoStatus::would_block) return false;
    if (result.status != IoStatus::ok) {
      drop(link);
      return true;
    }
    if (link.filled == 0) link.since_ms = now;
    link.filled += result.size;
  }
  link.scanned = link.filled;
  switch (link.reader.read(buffer, link.filled, server_->message_size(), link.head)) {
    case Progress::more: break;
    case Progress::refused: refuse(link, link.reader.refusal()); break;
    case Progress::done: take_head(link, now); break;
  }
  return true;
}

// A body that fits is received into the window of its link, so that who sends slowly holds up nobody. For others the
// server has one buffer.
std::span<char> HttpTransport::place_of_body(const Link& link) const {
  const std::span<char> message = server_->message_buffer().first(server_->message_size());
  const std::size_t most = link.head.is_chunked() ? message.size() : link.head.content_length();
  return most <= window(link).size() ? window(link).first(most) : message;
}

// One body is received into the server's buffer at a time, and the others' senders wait.
bool HttpTransport::read_body(Link& link, Millis now) {
  const auto number = static_cast<std::uint8_t>(index_of(link) + 1);
  const bool waits = owner_ != 0 && owner_ != number;
  char* const message = server_->message_buffer().data();
  const std::span<char> into = place_of_body(link);
  if (into.data() == message) {
    if (waits) return false;
    owner_ = number;
  }
  const std::span<char> buffer = head_buffer(link);
  if (link.consumed != link.filled) {
    link.consumed += link.body.read(buffer.subspan(link.consumed, link.filled - link.consumed));
  } else if (link.body.progress() == Progress::more) {
    // Never more than belongs to this request: straight to its place, and the frames of chunks byte by byte.
    char byte[1];
    const std::size_t expected = link.body.expected();
    const std::span<char> place = expected != 0 ? into.subspan(link.body.size(), expected) : std::span<char>(byte);
    const IoResult result = link.connection->read(place);
    if (result.status == IoStatus::would_block) return false;
    if (result.status != IoStatus::ok) {
      drop(link);
      return true;
    }
    static_cast<void>(link.body.read(place.first(result.size)));
  }
  if (link.body.progress() == Progress::refused) {
    refuse(link, link.body.refusal());
  } else if (link.body.progress() == Progress::done) {
    if (waits) return false;
    // In the middle of a message the one stream of an older session has no place for an answer.
    if (link.parked_for != 0 && storage_.links[link.parked_for - 1U].in_event) return false;
    std::memmove(message, into.data(), link.body.size());
    take_message(link, now);
    owner_ = 0;
  }
  return true;
}

// To close while a client still sends would reset the connection, and with it go bytes that it has not read yet.
// Source: RFC 9112 section 9.6.
bool HttpTransport::read_to_end(Link& link) {
  const IoResult result = link.connection->read(window(link));
  if (result.status == IoStatus::would_block) return false;
  if (result.status != IoStatus::ok) drop(link);
  return true;
}

// From `since_ms` on; `forever` for a stream that has nothing to say.
Millis HttpTransport::time_limit(const Link& link) const {
  if (link.connection == nullptr) return forever;
  // It waits for the buffer.
  if (link.state == State::body && link.body.progress() == Progress::done && link.parked_for == 0) return forever;
  const bool in_request = link.state == State::body || (link.state == State::head && link.filled != 0);
  if (in_request || link.state == State::closing) return storage_.request_timeout_ms;
  // The stream of an older session is there before anybody has initialized.
  const bool unused = link.older && link.standing && server_->revision(link.session).empty();
  if (is_sending(link) || unused || link.state == State::head) return storage_.idle_timeout_ms;
  return link.state == State::stream && is_stateless(link) && !link.in_event ? comment_interval_ms : forever;
}

// True when its time is over, and something was done about it.
bool HttpTransport::check_time(Link& link, Millis now) {
  const Millis limit = time_limit(link);
  if (limit == forever || now - link.since_ms < limit) return false;
  const bool in_request = link.state == State::body || (link.state == State::head && link.filled != 0);
  if (in_request) {
    link.since_ms = now;  // the answer has time of its own
    refuse(link, Status::request_timeout, "The request did not come in time.");
  } else if (is_stateless(link) && link.state == State::stream && !is_sending(link)) {
    keep_alive(link);
  } else {
    lose(link);
  }
  return true;
}

// What came behind the request is the beginning of the next one.
void HttpTransport::next_request(Link& link, Millis now) {
  if (link.connection == nullptr) return drop(link);
  if (link.closes) {
    link.connection->finish();
    return renew(link, *link.connection, State::closing, now);
  }
  const std::span<char> buffer = head_buffer(link);
  const std::size_t rest = link.filled - link.consumed;
  std::memmove(buffer.data(), buffer.data() + link.consumed, rest);
  renew(link, *link.connection, State::head, now);
  link.filled = rest;
}

// A connection that is lost cancels nothing (basic/transports, 2025-11-25): what runs goes on, for whoever resumes it.
// Without a session nobody can (basic/patterns/cancellation, 2026-07-28).
void HttpTransport::lose(Link& link) {
  if (link.parked != 0) {
    // What the client has brought about is still to reach another stream.
    link.connection->close();
    link.connection = nullptr;
    return;
  }
  const bool answers = link.state == State::stream || link.state == State::detached;
  const bool runs = answers && !link.standing && !link.over && !is_stateless(link);
  const bool goes_on = runs && (link.in_event || is_awaited(link) || server_->serves(link.session, channel_of(link)));
  goes_on ? detach(link) : drop(link);
}

void HttpTransport::detach(Link& link) {
  if (link.connection != nullptr) link.connection->close();
  link.connection = nullptr;
  link.out[0] = link.out[1] = {};
  link.replaying = false;
  link.state = State::detached;
}

void HttpTransport::drop(Link& link) {
  if (is_stateless(link) && link.state == State::stream) server_->cancel(link.session, channel_of(link), now_);
  if (owner_ == index_of(link) + 1) owner_ = 0;
  if (link.standing) stop_listening(link);
  if (link.connection != nullptr) link.connection->close();
  clear(link);
}

// So that the stream of the session can be resumed, and the server does not wake for what nobody hears.
void HttpTransport::stop_listening(Link& link) {
  http::SessionEntry& entry = storage_.sessions[link.session.index];
  if (entry.session == link.session && entry.stream == link.stream) entry.event = link.event;
  server_->set_listening(link.session, false);
  if (link.older) server_->close(link.session, now_);  // there is no other
  link.standing = false;
}

// A message for this stream waits with another link.
bool HttpTransport::is_awaited(const Link& link) const {
  for (const Link& other : storage_.links) {
    if (other.parked != 0 && other.parked_for == index_of(link) + 1) return true;
  }
  return false;
}

// ---- Requests ----------------------------------------------------------------------------------------------------

bool HttpTransport::check_head(Link& link) {
  const http::RequestHead& head = link.head;
  // A body that nobody reads would look like the next request.
  const bool has_body = head.is_chunked() || head.content_length() != 0;
  link.closes = !head.keeps_alive() || (has_body && head.method() != http::Method::post);
  link.older = !json::equal(head.path(), options_->path);
  if (!http::allows_host(*options_, head.value(Header::host))) {
    refuse(link, Status::forbidden, "This Host is not served.");
  } else if (head.has(Header::origin) && !http::allows_origin(*options_, head.value(Header::origin))) {
    refuse(link, Status::forbidden, "This Origin is not allowed.");
  } else if (methods_of(link) == nullptr) {
    const Authorizer* const authorizer = options_->authorizer;
    if (authorizer != nullptr && authorizer->guard().answer_document(*this, link)) return false;
    refuse(link, Status::not_found, "There is nothing under this path.");
  } else if (head.method() == http::Method::other) {
    refuse(link, Status::method_not_allowed, "There is no such method here.");
  } else if (!link.older && !server_->has_sessions() && head.method() != http::Method::post &&
             head.method() != http::Method::options) {
    refuse(link, Status::method_not_allowed, "There are no sessions here: use POST.");
  } else {
    return true;
  }
  return false;
}

void HttpTransport::take_head(Link& link, Millis now) {
  const http::RequestHead& head = link.head;
  link.consumed = head.size();
  if (!check_head(link)) return;
  if (head.method() == http::Method::options) return answer_empty(link, Status::no_content);
  if (options_->authorizer != nullptr && !options_->authorizer->guard().check(*this, link)) return;
  const std::string_view version = head.value(Header::mcp_protocol_version);
  // The body of a request without a session is what says so; what is said of it here is looked at there.
  const bool is_open = head.method() == http::Method::post && server_->has_stateless() && !link.older;
  if (head.has(Header::mcp_protocol_version) && !server_->speaks(version) && !is_open) {
    return refuse(link, Status::bad_request, "This MCP-Protocol-Version is not spoken.");
  }
  if (link.older) return options_->sse_2024->take_head(*this, link, now);
  const bool is_of_session = server_->has_sessions() && (!head.has(Header::mcp_protocol_version) ||
                                                         (server_->speaks(version) && !server_->is_stateless(version)));
  if (is_open && !is_of_session) {
    link.session = shared_;
  } else if (head.has(Header::mcp_session_id) && !find_session(link)) {
    return refuse(link, Status::not_found, "There is no such session, or it has ended: initialize anew.");
  }
  if (head.method() != http::Method::post && !head.has(Header::mcp_session_id)) {
    return refuse(link, Status::bad_request, "This needs an MCP-Session-Id.");
  }
  if (head.method() == http::Method::get) return take_get(link, now);
  if (head.method() == http::Method::delete_) return take_delete(link, now);
  if (!http::is_media_type(head.value(Header::content_type), json_type)) {
    return refuse(link, Status::unsupported_media_type, "The body must be application/json.");
  }
  if (!head.accepts(json_type) || !head.accepts(event_type)) {
    return refuse(link, Status::not_acceptable, "Accept must have application/json and text/event-stream.");
  }
  expect_body(link);
}

void HttpTransport::expect_body(Link& link) {
  link.state = State::body;
  link.body = http::RequestBody(link.head, place_of_body(link));
  if (link.head.expects_continue() && link.filled == link.consumed) link.out[0] = http::continue_response;
}

bool HttpTransport::find_session(Link& link) {
  const std::string_view wanted = link.head.value(Header::mcp_session_id);
  char text[http::id_chars];
  for (const http::SessionEntry& entry : storage_.sessions) {
    if (entry.session == SessionId{} || !json::equal(hex_of(entry, text), wanted)) continue;
    // Its id alone opens it to nobody.
    if (entry.principal != link.principal) return false;
    link.session = entry.session;
    return !server_->revision(entry.session).empty();
  }
  return false;
}

void HttpTransport::take_message(Link& link, Millis now) {
  const std::span<char> message = server_->message_buffer().first(link.body.size());
  const http::HeaderCode* const headers = options_->eras.headers();
  const Claims claims = headers != nullptr ? headers->claims(link.head, link.principal) : Claims(link.principal);
  const Channel channel = channel_of(link);
  if (link.session != SessionId{}) {
    return take_reply(link, server_->receive(link.session, message, window(link), now, channel, &claims), now);
  }
  http::SessionEntry entry{};
  if (!entropy_->fill(entry.id)) {
    return refuse(link, Status::service_unavailable, "The device has no random bytes for the id of a session now.");
  }
  link.session = shared_;
  const Reply reply = server_->receive_first(link.session, message, window(link), now, channel, &claims);
  if (link.session != SessionId{} && !is_stateless(link)) {
    MCP_ASSERT(link.session.index < storage_.sessions.size());  // HttpLimits::sessions is Limits::sessions
    entry.session = link.session;
    entry.principal = link.principal;
    storage_.sessions[link.session.index] = entry;
    server_->set_listening(link.session, false);
  }
  take_reply(link, reply, now);
}

void HttpTransport::take_reply(Link& link, const Reply& reply, Millis now) {
  constexpr std::string_view no_id = "{\"jsonrpc\":\"2.0\",\"error\"";
  if (reply.status == Reply::Status::no_session) {
    if (reply.size != 0) return answer_json(link, Status::bad_request, reply.size);
    return refuse(link, Status::not_found, "This session has ended: initialize anew.");
  }
  const std::string_view json(json_of(link), reply.size);
  const bool unreadable = json.starts_with(no_id);
  if (link.older && !unreadable) {
    link.parked = reply.size;  // for the stream of the session
    return answer_empty(link, Status::accepted);
  }
  if (reply.status == Reply::Status::none) {
    if (server_->serves(link.session, channel_of(link))) return begin_stream(link, false, now);
    return answer_empty(link, Status::accepted);
  }
  if (reply.channel != channel_of(link)) {
    // What follows from an answer goes out on the stream of the call that asked.
    link.parked = reply.size;
    link.parked_for = static_cast<std::uint8_t>(reply.channel);
    return answer_empty(link, Status::accepted);
  }
  const bool is_bad = unreadable || reply.fault == Reply::Fault::request;
  const bool is_unknown = reply.fault == Reply::Fault::method;  // which says that it is stateless
  answer_json(link, is_bad ? Status::bad_request : is_unknown ? Status::not_found : Status::ok, reply.size);
}

void HttpTransport::take_get(Link& link, Millis now) {
  if (!link.head.accepts(event_type))
    return refuse(link, Status::not_acceptable, "Accept must have text/event-stream.");
  if (link.head.has(Header::last_event_id)) {
    if (storage_.replay_code != nullptr && storage_.replay_code->resume(*this, link, now)) return;
    return refuse(link, Status::bad_request, "Nothing is kept behind this Last-Event-ID.");
  }
  // A client that connects anew has lost the stream that it had.
  for (Link& other : storage_.links) {
    if (!other.standing || other.session != link.session) continue;
    // One that is in the middle of what it has to send has no place for an end.
    other.out[1].empty() ? end_stream(other) : drop(other);
  }
  begin_stream(link, true, now);
}

void HttpTransport::take_delete(Link& link, Millis now) {
  server_->close(link.session, now);
  storage_.sessions[link.session.index] = {};
  answer_empty(link, Status::ok);
}

// ---- Answers -----------------------------------------------------------------------------------------------------

namespace {

void add_common(http::ResponseHead& out, const http::Link& link, const HttpOptions& options) {
  if (link.access != Access::granted) options.authorizer->challenge(link.access, out);
  const std::string_view origin = link.head.value(Header::origin);
  if (!origin.empty() && http::allows_origin(options, origin)) {
    out.field(Header::access_control_allow_origin, origin)
        .field(Header::access_control_expose_headers, "*")  // no request with cookies is allowed
        .field(Header::vary, "Origin");
  }
  if (link.closes) out.field(Header::connection, "close");
}

}  // namespace

// Without JSON, its place is the head's.
void HttpTransport::answer_json(Link& link, Status status, std::size_t size) {
  if (link.head.method() == http::Method::other) size = 0;  // the answer to HEAD must have no body
  http::ResponseHead out({json_of(link) - http::frame_size, size != 0 ? http::frame_size : storage_.room_size}, status);
  const bool preflight = status == Status::no_content;
  if (size != 0) out.field(Header::content_type, json_type);
  if (!preflight) out.field(Header::content_length, static_cast<std::uint32_t>(size));
  char text[http::id_chars];
  if (!link.head.has(Header::mcp_session_id) && !link.older && link.session != SessionId{} && !is_stateless(link)) {
    out.field(Header::mcp_session_id, hex_of(storage_.sessions[link.session.index], text));
  }
  const char* const served = methods_of(link);
  const char* const allowed = served != nullptr ? served : "GET, OPTIONS";  // of a document
  if (preflight || status == Status::method_not_allowed) out.field(Header::allow, allowed);
  if (preflight) {
    out.field(Header::access_control_allow_methods, allowed)
        .field(Header::access_control_allow_headers,
               "Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, "
               "MCP-Session-Id, *");  // whatever Mcp-Param- there is
  }
  add_common(out, link, *options_);
  const std::size_t head = out.finish().size();
  link.state = State::answer;
  // A long challenge takes the place of the JSON.
  if (head == 0) return size != 0 ? answer_empty(link, status) : drop(link);
  // Right before the JSON, so that both are one write.
  char* const begin = json_of(link) - head;
  std::memmove(begin, json_of(link) - http::frame_size, head);
  link.out[0] = {begin, head + size};
  link.out[1] = {};
}

void HttpTransport::answer_empty(Link& link, Status status) { answer_json(link, status, 0); }

// What is served under the path of the request; nullptr for nothing.
const char* HttpTransport::methods_of(const Link& link) const {
  if (!link.older) return server_->has_sessions() ? methods : stateless_methods;
  return options_->sse_2024 != nullptr ? options_->sse_2024->methods(link.head.path()) : nullptr;
}

void HttpTransport::refuse(Link& link, Status status, const char* text) {
  refuse(link, status, text, rpc::invalid_request);
}

// With a JSON-RPC error that has no id. What is left of the request is not read: the connection ends.
void HttpTransport::refuse(Link& link, Status status, std::string_view text, int code) {
  if (owner_ == index_of(link) + 1) owner_ = 0;
  json::Writer out(window(link));
  rpc::Response response(out, {});
  response.error_begin(code);
  out.append(text);
  response.error_end();
  link.session = {};
  link.closes = link.closes || link.state != State::body || link.body.progress() != Progress::done;
  answer_json(link, status, out.size());
}

void HttpTransport::refuse(Link& link, Refusal refusal) {
  link.head = {};  // is not complete
  link.closes = true;
  refuse(link, http::status_of(refusal), http::sentence_of(refusal), rpc::invalid_request);
}

// ---- Streams -----------------------------------------------------------------------------------------------------

void HttpTransport::begin_stream(Link& link, bool standing, Millis now) {
  link.chunked = !link.head.is_http_1_0();
  if (!link.chunked) link.closes = true;
  http::ResponseHead out({json_of(link) - http::frame_size, http::frame_size - http::chunk_prefix_size}, Status::ok);
  out.field(Header::content_type, event_type)
      .field(Header::cache_control, "no-cache")
      .field(Header::x_accel_buffering, "no");
  if (link.chunked) out.field(Header::transfer_encoding, "chunked");
  add_common(out, link, *options_);
  link.out[0] = out.finish();
  MCP_ASSERT(!link.out[0].empty());  // http::max_origin_size is what there is room for
  link.standing = standing;
  link.state = State::stream;
  link.since_ms = now;
  if (standing) server_->set_listening(link.session, true);
  if (link.stream != 0) return;  // is resumed
  link.stream = ++streams_;
  if (standing) storage_.sessions[link.session.index].stream = link.stream;
  // An event without data to begin with, so that there is an id to resume from. Clients of the revisions before do not
  // expect it.
  if (is_stateless(link) || !json::equal(server_->revision(link.session), "2025-11-25")) return;
  char* const begin = json_of(link);
  link.event = 1;
  link.out[1] = framed(link, begin, put_line(begin, "id: ", link.stream, "-0\ndata: \n\n"));
}

// What stands in the room of the link from `begin` to `end`, as the stream sends it: a chunk, where it has chunks.
std::span<const char> HttpTransport::framed(const Link& link, char* begin, const char* end) {
  const auto size = static_cast<std::size_t>(end - begin);
  if (!link.chunked) return {begin, size};
  constexpr std::size_t frame = http::chunk_prefix_size + http::chunk_suffix_size;
  return http::frame_chunk({begin - http::chunk_prefix_size, frame + size}, size);
}

// The next event, or the end.
bool HttpTransport::run_stream(Link& link, Millis now) {
  if (link.replaying && !link.in_event) return storage_.replay_code->go_on(*this, link), true;
  if (link.state == State::detached && link.connection != nullptr) {
    link.connection->close();  // what was still to be said is said
    link.connection = nullptr;
  }
  const Channel channel = channel_of(link);
  if (link.state == State::stream && !link.standing && !link.in_event && !is_stateless(link)) {
    if (storage_.replay_code != nullptr && storage_.replay_code->let_go(*this, link)) return true;
  }
  const Reply reply = server_->transmit(link.session, window(link), now, channel);
  switch (reply.status) {
    case Reply::Status::message:
      if (!link.in_event && !is_stateless(link)) keep_event(link, reply.size);
      deliver(link, reply.size, true);
      ++link.event;
      link.in_event = false;
      return true;
    case Reply::Status::part:
      deliver(link, reply.size, false);
      link.in_event = true;
      return true;
    case Reply::Status::broken:
      // Only the end of the connection says that this event has none. The error that comes next is for the ring.
      ++link.event;
      if (link.older) {
        send_event(link, 0, 0, 0, true);  // its connection is its session: what came is no JSON, that must do
      } else if (is_stateless(link)) {
        drop(link);
      } else if (!link.replaying) {
        detach(link);
      }
      link.in_event = false;
      return true;
    case Reply::Status::no_session: end_stream(link); return true;
    default: break;
  }
  if (!link.standing && !is_awaited(link) && !server_->serves(link.session, channel)) {
    end_stream(link);
    return true;
  }
  return notice_end(link);
}

// A client that has gone is noticed by what it sends: nothing more.
bool HttpTransport::notice_end(Link& link) {
  if (link.connection == nullptr) return false;
  char ignored[1];
  if (!link.closes && link.filled == head_buffer(link).size()) return false;
  const IoResult result = link.connection->read(ignored);
  if (result.status == IoStatus::closed || result.status == IoStatus::failed) {
    lose(link);
    return true;
  }
  if (result.status != IoStatus::ok) return false;
  if (!link.closes) head_buffer(link)[link.filled++] = ignored[0];  // the next request, before its time
  return true;
}

// To who listens. A stream that was resumed in the middle of a message gets none of the rest.
void HttpTransport::deliver(Link& link, std::size_t size, bool last) {
  if (link.state == State::stream && !link.replaying) send_event(link, link.stream, link.event, size, last);
}

// The JSON stands in the window already; before it comes what makes an event of it, behind it its end.
void HttpTransport::send_event(Link& link, std::uint32_t stream, std::uint32_t event, std::size_t size, bool last) {
  char* begin = json_of(link);
  char* end = begin + size;
  if (!link.in_event) {
    char text[40];
    const char* const text_end = link.older ? put(text, "event: message\ndata: ")
                                 : is_stateless(link)
                                     ? put(text, "data: ")
                                     : put_line(put_line(text, "id: ", stream, "-"), "", event, "\ndata: ");
    const auto length = static_cast<std::size_t>(text_end - text);
    begin -= length;
    std::memcpy(begin, text, length);
  }
  if (last) end = put(end, "\n\n");
  link.out[0] = framed(link, begin, end);
}

// For clients that come back, where anything is kept.
void HttpTransport::keep_event(const Link& link, std::size_t size) {
  if (storage_.replay_code != nullptr) storage_.replay_code->keep(*this, link, size);
}

// A comment, so that nobody on the way takes the connection for dead, and that one which is dead is noticed.
void HttpTransport::keep_alive(Link& link) {
  link.since_ms = now_;
  char* const begin = json_of(link);
  link.out[0] = framed(link, begin, put(begin, ":\n\n"));
}

void HttpTransport::end_stream(Link& link) {
  // A message without its end must not look as if it had one.
  if (link.connection == nullptr || link.in_event) return drop(link);
  if (link.standing) stop_listening(link);
  link.state = State::answer;
  if (link.chunked) link.out[1] = http::last_chunk;
}

// False while the other link is still sending.
bool HttpTransport::deliver_parked(Link& link) {
  Link& target = storage_.links[link.parked_for - 1U];
  // A link whose stream was lost may have another client's by now.
  const bool runs =
      target.session == link.session && (target.state == State::stream || target.state == State::detached);
  if (runs && (is_sending(target) || target.replaying || target.in_event)) return false;
  const std::size_t size = link.parked;
  link.parked = 0;
  if (!runs) return true;
  std::memcpy(json_of(target), json_of(link), size);
  keep_event(target, size);
  deliver(target, size, true);
  ++target.event;
  return true;
}

}  // namespace mcp
