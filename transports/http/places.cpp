// Who keeps a connection, or the buffer for long messages, while another client waits for it.
#include <algorithm>

#include "mcp/http_transport.hpp"

namespace mcp {

using http::RequestError;

namespace {

// A main loop that came so much later than asked was busy, and clients were not served.
constexpr Millis busy_ms = 50;

// Times are halved no more often: a client that has just connected needs time for its first byte, also in a flood.
constexpr std::uint8_t most_stalls = 5;

bool is_sending(const http::Exchange& exchange) { return !exchange.out.empty(); }

// Between two requests.
bool is_idle(const http::Exchange& exchange) {
  return exchange.state == http::Exchange::State::head && exchange.kept && exchange.filled == 0;
}

}  // namespace

// ---- Rates -------------------------------------------------------------------------------------------------------

void HttpTransport::begin_poll(Millis now) {
  const Millis late = now - due_at_;
  if (static_cast<std::int32_t>(late) > static_cast<std::int32_t>(busy_ms)) {
    for (Exchange& exchange : storage_.exchanges) exchange.paid_ms += std::min(now - now_, now - exchange.paid_ms);
  }
  now_ = now;
}

// Bytes that moved buy time, but no time to come.
void HttpTransport::pay(Exchange& exchange, std::size_t size) const {
  const auto bought = static_cast<Millis>(std::min<std::size_t>(size, 0xFFFF) * 1000 / storage_.min_rate);
  exchange.paid_ms += std::min(bought, now_ - exchange.paid_ms);
}

// True when the client of this link has others, and when the port does not know.
bool HttpTransport::is_crowding(const Exchange& exchange) const {
  const std::uint64_t peer = exchange.connection->peer();
  if (peer == 0) return true;
  for (const Exchange& other : storage_.exchanges) {
    if (&other != &exchange && other.connection != nullptr && other.connection->peer() == peer) return true;
  }
  return false;
}

// A time that gets shorter with each client that stalled.
Millis HttpTransport::shortened(Millis ms, const Exchange& exchange) const {
  return ms >> stalls_[is_crowding(exchange) ? 0 : 1];
}

void HttpTransport::note_stall(const Exchange& exchange) {
  std::uint8_t& stalls = stalls_[is_crowding(exchange) ? 0 : 1];
  if (stalls < most_stalls) ++stalls;
}

// ---- The message buffer ------------------------------------------------------------------------------------------

// True for a body that is received into the message buffer of the server, or waits for that.
bool HttpTransport::wants_buffer(const Exchange& exchange) const {
  const bool is_body = exchange.state == State::body && !exchange.body.is_too_large();
  return is_body && exchange.body.data() == server_->receive_buffer().data();
}

// True for a body that waits for it. A client that takes no `100 Continue` is not ready, and has a time limit.
bool HttpTransport::waits_for_buffer(const Exchange& exchange) const {
  return wants_buffer(exchange) && &exchange != owner_ && !is_sending(exchange);
}

// Of those that wait, the one that waits longest.
http::Exchange* HttpTransport::next_for_buffer() const {
  Exchange* next = nullptr;
  for (Exchange& exchange : storage_.exchanges) {
    if (!waits_for_buffer(exchange)) continue;
    if (next == nullptr || now_ - exchange.since_ms > now_ - next->since_ms) next = &exchange;
  }
  return next;
}

// One body is received into it at a time. The time of a request that had to wait begins when it has the buffer.
bool HttpTransport::takes_buffer(Exchange& exchange) {
  if (owner_ == nullptr && next_for_buffer() == &exchange) {
    owner_ = &exchange;
    exchange.since_ms = exchange.paid_ms = now_;
  }
  return owner_ == &exchange;
}

// After how many milliseconds the body that is received loses the buffer to one that waits; 0 when it has.
Millis HttpTransport::free_buffer() {
  if (owner_ == nullptr || next_for_buffer() == nullptr) return forever;
  const Millis stalled_ms = now_ - owner_->paid_ms;
  const Millis limit = shortened(storage_.grace_ms, *owner_);
  if (stalled_ms < limit) return limit - stalled_ms;
  note_stall(*owner_);
  reject(*owner_, RequestError::time);
  return 0;
}

// ---- Connections -------------------------------------------------------------------------------------------------

// True for a stream whose client can come back for what it misses.
bool HttpTransport::can_resume(const Exchange& exchange) const {
  return exchange.may_end && (exchange.standing || (storage_.detached_ops != nullptr && !storage_.replay.empty()));
}

// True when a further stream that cannot be resumed, in the place of that of this session if it has one, leaves a
// connection for others.
bool HttpTransport::has_room_for_stream(SessionId session) const {
  auto left = storage_.exchanges.end() - storage_.exchanges.begin() - 1;
  for (const Exchange& exchange : storage_.exchanges) {
    const bool is_replaced = exchange.standing && exchange.stream.session == session;
    if (exchange.state == State::stream && !is_replaced && !can_resume(exchange)) --left;
  }
  return left > 0;
}

// For how long the link has done nothing for its place, and for how long it may while a client waits for one.
HttpTransport::Claim HttpTransport::claim_of(const Exchange& exchange) const {
  constexpr Claim is_served{0, forever};
  const bool sends = is_sending(exchange);
  switch (exchange.state) {
    case State::head:
      if (is_idle(exchange)) return {now_ - exchange.since_ms, shortened(storage_.evict_idle_after_ms, exchange)};
      break;
    case State::body:
      // A waiting link has sent no more than a head. Without a limit, heads alone would keep all connections.
      if (waits_for_buffer(exchange)) return {now_ - exchange.since_ms, storage_.evict_idle_after_ms};
      break;
    case State::answer:
      if (!sends) return is_served;
      break;
    case State::closing:
      if (exchange.pending_output != 0) return is_served;
      break;
    default:  // State::stream: no link is free when a client waits
      if (sends) break;
      if (!can_resume(exchange) || exchange.stream.in_event || exchange.replaying) return is_served;
      return {now_ - exchange.begun_ms, storage_.evict_idle_after_ms};
  }
  return {now_ - exchange.paid_ms, shortened(storage_.grace_ms, exchange)};
}

// While a client waits that has no connection, another one is closed for it. After how many milliseconds; 0 when one
// was.
Millis HttpTransport::make_room() {
  for (const Exchange& exchange : storage_.exchanges) {
    if (exchange.state == State::free) return relax();
  }
  return listener_->has_waiting() ? close_one() : relax();
}

Millis HttpTransport::close_one() {
  // Of those whose time is over, one that ends anyway, or stalls. One without a request, be its time over or not: a
  // stream is not ended where a moment's patience does. The stream of a session, of a call. Of equals, the one whose
  // time is over for longest.
  enum Rank : std::uint8_t { ending, stalled, idle, of_session, of_call, in_time };
  Exchange* next = nullptr;
  Rank least = in_time;
  std::int32_t longest = 0;
  for (Exchange& exchange : storage_.exchanges) {
    const Claim claim = claim_of(exchange);
    if (claim.limit == forever) continue;
    const auto over = static_cast<std::int32_t>(std::min(claim.elapsed, forever / 2) - claim.limit);
    Rank rank = stalled;
    if (exchange.state == State::stream && !is_sending(exchange)) rank = exchange.standing ? of_session : of_call;
    if (over < 0) rank = in_time;
    if (is_idle(exchange)) rank = idle;
    if (exchange.state == State::closing) rank = ending;
    if (next != nullptr && (rank > least || (rank == least && over <= longest))) continue;
    next = &exchange;
    least = rank;
    longest = over;
  }
  if (next == nullptr) return forever;
  if (longest < 0) return static_cast<Millis>(-longest);
  give_place(*next);
  return 0;
}

// No client waits for a connection.
Millis HttpTransport::relax() {
  if (owner_ == nullptr || next_for_buffer() == nullptr) stalls_[0] = stalls_[1] = 0;
  return forever;
}

void HttpTransport::give_place(Exchange& exchange) {
  if (exchange.state == State::stream && !is_sending(exchange)) {
    if (!storage_.replay_ops->end(*this, exchange, storage_.evict_idle_after_ms)) exchange.begun_ms = now_;
    return;
  }
  if (!is_idle(exchange) && !waits_for_buffer(exchange)) note_stall(exchange);
  lose(exchange);
}

// A client that has had its connection for long, or has more of them, is to give its place behind an answer, where no
// request is lost. While others stall, each client does.
void HttpTransport::close_if_crowded(Exchange& exchange) const {
  if (!listener_->has_waiting()) return;
  const bool is_flood = (stalls_[0] | stalls_[1]) != 0;
  const bool has_more = exchange.connection->peer() != 0 && is_crowding(exchange);
  if (is_flood || has_more || now_ - exchange.begun_ms >= storage_.evict_idle_after_ms) exchange.closes = true;
}

}  // namespace mcp
