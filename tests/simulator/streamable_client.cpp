// SPDX-License-Identifier: Apache-2.0
#include "simulator/streamable_client.hpp"

#include <algorithm>
#include <cstdlib>

namespace sim {
namespace {

constexpr std::string_view path = "/mcp";
constexpr std::string_view stream_accept = "Accept: text/event-stream\r\n";
constexpr char ping[] = R"({"jsonrpc":"2.0","id":"t","method":"ping","params":{}})";

std::string session_header_of(const std::string& session) { return "MCP-Session-Id: " + session + "\r\n"; }

}  // namespace

std::string StreamableClient::session_header() const {
  return session_header_of(session_) + "MCP-Protocol-Version: " + std::string(name_of(revision_)) + "\r\n";
}

std::string StreamableClient::message_head() const {
  return head("POST", path) + "Accept: application/json, text/event-stream\r\n";
}

std::string StreamableClient::stateless_headers(std::string_view method, std::string_view name) const {
  std::string text = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + std::string(method) + "\r\n";
  if (method == "tools/call" || method == "resources/read" || method == "prompts/get" || method.starts_with("tasks/"))
    text += "Mcp-Name: " + std::string(name) + "\r\n";
  return text;
}

// ---- Sending -----------------------------------------------------------------------------------------------------

void StreamableClient::post(const std::string& message, const std::vector<std::string>& ids) {
  Exchange exchange;
  exchange.number = ++next_exchange_;
  exchange.ids = ids;
  std::string bytes = message_head();
  for (const std::string& id : ids) {
    Request& request = open_[id];
    request.exchange = exchange.number;
    exchange.initialize = request.method == "initialize";
    if (is_stateless()) bytes += stateless_headers(request.method, request.name);
  }
  exchange.initialized = message.find("notifications/initialized") != std::string::npos;
  if (ids.empty() && !exchange.initialized) exchange.message = message;
  if (!is_stateless() && !exchange.initialize) bytes += session_header();
  send(std::move(exchange), bytes + body(message));
}

// The end of its connection cancels a stateless request.
void StreamableClient::cancel(const std::string& id) {
  if (!is_stateless()) {
    post(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id + "}}", {});
    return;
  }
  for (const auto& peer : peers_) {
    for (const Exchange& exchange : peer->exchanges) {
      if (std::find(exchange.ids.begin(), exchange.ids.end(), id) == exchange.ids.end()) continue;
      peer->wire->leave();
      return end_peer(*peer);
    }
  }
}

// With a wrong token, or with a session that another principal has begun: as if it had never been.
bool StreamableClient::trespass() {
  const std::string own = session_.empty() ? "" : session_header();
  if (simulation_.random.one_in(2)) {
    switch (simulation_.random.below(3)) {
      case 0: return try_token(head("GET", path) + std::string(stream_accept) + own, "");
      case 1: return try_token(head("DELETE", path) + own, "");
      default: return try_token(message_head() + own, ping);
    }
  }
  const Belonging* thing = anothers(Belonging::Kind::session);
  if (thing == nullptr) return false;
  ++simulation_.counts["sessions of others tried"];
  const std::string theirs = token_ + session_header_of(thing->text);
  switch (simulation_.random.below(4)) {
    case 0: attempt(head("GET", path) + std::string(stream_accept) + theirs, "", 404); break;
    case 1:
      attempt(head("GET", path) + std::string(stream_accept) + theirs +
                  "Last-Event-ID: " + std::to_string(1 + simulation_.random.below(40)) + "-0\r\n",
              "", 404);
      break;
    case 2: attempt(head("DELETE", path) + theirs, "", 404); break;
    default: attempt(message_head() + theirs, ping, 404); break;
  }
  return true;
}

// ---- Receiving ---------------------------------------------------------------------------------------------------

void StreamableClient::take_event(Exchange& exchange, const test::HttpEvent& event) {
  if (event.comment.ends_with("lost")) {
    exchange.lossy = missed_ = true;
    if (exchange.number == session_stream) resync();
  }
  if (event.data && !event.data->empty() && exchange.era == era_) take(*event.data, exchange.number);
}

void StreamableClient::take_response(Peer& peer, const test::HttpResponse& response) {
  Exchange& exchange = peer.exchanges.front();
  const bool current = exchange.era == era_;
  if (response.streams) {
    if (exchange.number == session_stream && current) {
      streaming_ = true;
      opening_ = false;
      // Earlier notifications are lost, unless the server sends them again.
      if (exchange.kind == Exchange::Kind::session_stream) resync();
    }
    return;
  }
  switch (response.status) {
    case 200:
      if (!exchange.initialize || !current) break;
      session_ = response.header("mcp-session-id");
      own(Belonging::Kind::session, session_);
      break;
    case 202:
      if (current && any_open(exchange)) complain("202 for a request", exchange.ids.front());
      break;
    case 400: break;
    case 404:
      if (!response.body.empty() && is_stateless()) break;
      if (is_stateless()) complain("404 without a session");
      if (current && exchange.kind != Exchange::Kind::farewell) {
        ++simulation_.counts["sessions lost"];
        end_exchange(peer, false);
        return lose_session();
      }
      break;
    case 503: break;
    default: complain("status " + std::to_string(response.status), response.body);
  }
  const bool resumed = exchange.kind == Exchange::Kind::resumed;
  if (current && response.status != 202 && !response.body.empty() && !exchange.ids.empty() && !resumed &&
      response.body.find("\"id\":") != std::string::npos) {
    take(response.body, exchange.number);
    if (peer.over) return;
    // What is in one body is all there will be: what has no place in it is lost, or was never there.
    if (any_open(peer.exchanges.front())) complain("an answer without those to the rest of its batch", response.body);
  } else if (resumed && response.status == 400) {
    exchange.lossy = true;  // the server stores nothing
    exchange.last_event.clear();
  } else if (response.status == 400 && exchange.kind == Exchange::Kind::message) {
    complain("400 for a message that was good", response.body);
  }
  end_exchange(peer, true);
}

// ---- Ends --------------------------------------------------------------------------------------------------------

void StreamableClient::miss(const Exchange& exchange, bool in_order) {
  if (exchange.era != era_) return;
  if (exchange.number == session_stream) {
    if (streaming_) ended_at_ = simulation_.now();
    streaming_ = opening_ = false;
    if (!exchange.last_event.empty() && !in_order && simulation_.random.below(4) != 0)
      return resume(exchange, simulation_.random.below(1000));
    simulation_.in(200 + simulation_.random.below(1000), [this] { open_stream(); });
    return;
  }
  if (says_initialized_again(exchange, in_order) || !any_open(exchange)) return;
  if (is_stateless()) {
    const auto cancelled = [&](const std::string& id) { return open_.count(id) != 0 && open_[id].cancelled; };
    if (in_order && exchange.streams && !std::all_of(exchange.ids.begin(), exchange.ids.end(), cancelled))
      complain("a stream ended without its answer", exchange.ids.front());
    return lose(exchange.ids);
  }
  if (!exchange.retry.empty()) return resume(exchange, static_cast<Time>(std::atoi(exchange.retry.c_str())));
  if (in_order && exchange.streams && !exchange.lossy) return doubt(exchange.ids);
  if (!in_order && !exchange.last_event.empty() && simulation_.random.below(5) != 0)
    return resume(exchange, simulation_.random.below(2000));
  lose(exchange.ids);
}

// Resumes a stream for pending messages.
void StreamableClient::resume(const Exchange& exchange, Time later) {
  if (exchange.last_event.empty()) return lose(exchange.ids);
  Exchange next;
  next.kind = Exchange::Kind::resumed;
  next.number = exchange.number;
  next.ids = exchange.ids;
  next.last_event = exchange.last_event;
  next.lossy = exchange.lossy;
  if (next.number == session_stream) opening_ = true;
  simulation_.in(later, [this, next, era = era_] {
    if (gone_ || era != era_) return;
    ++simulation_.counts["resumed"];
    send(next, head("GET", path) + std::string(stream_accept) + session_header() + "Last-Event-ID: " + next.last_event +
                   "\r\n\r\n");
  });
}

// A stream ended without its response. This is correct if the session has ended, which a ping shows, or if so many
// calls were detached that the oldest one was cancelled (HttpLimits::detached).
void StreamableClient::doubt(std::vector<std::string> ids) {
  std::erase_if(ids, [&](const std::string& id) { return open_.count(id) == 0 || open_[id].cancelled; });
  if (ids.empty()) return;
  const std::string id = "\"doubt" + std::to_string(++next_exchange_) + "\"";
  Request about;
  about.method = "ping";
  about.lost = [this, ids] { lose(ids); };
  about.judge = [this, ids](const Json&) -> std::string {
    for (const std::string& open : ids) {
      const auto found = open_.find(open);
      if (found == open_.end()) continue;
      if (!simulation_.were_all_detached_since(found->second.sent))
        complain("a stream ended without its answer, and the session lives", open);
      lose({open});
    }
    return "";
  };
  open_.emplace(id, std::move(about));
  post(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"ping"})", {id});
}

void StreamableClient::open_stream() {
  if (gone_ || !ready_ || is_stateless() || streaming_ || opening_) return;
  opening_ = true;
  Exchange exchange;
  exchange.kind = Exchange::Kind::session_stream;
  send(exchange, head("GET", path) + std::string(stream_accept) + session_header() + "\r\n");
}

void StreamableClient::on_ready() {
  if (!is_stateless()) simulation_.in(simulation_.random.below(500), [this] { open_stream(); });
}

void StreamableClient::on_session_lost() {
  session_.clear();
  streaming_ = opening_ = false;
  for (const auto& peer : peers_) {
    // Streams of a session that has ended are of no use.
    if (!peer->over && !peer->exchanges.empty() && peer->exchanges.front().streams) {
      peer->wire->leave();
      peer->over = true;
      peer->exchanges.clear();
    }
  }
  simulation_.in(200 + simulation_.random.below(2000), [this, era = era_] {
    if (era == era_) initialize();
  });
}

bool StreamableClient::listens(Time patience) const {
  if (is_stateless()) return is_acknowledged();
  return streaming_ || (patience != 0 && ended_at_ != 0 && simulation_.now() - ended_at_ < 1200 + patience);
}

void StreamableClient::leave() {
  // Politely, or not at all.
  if (!is_stateless() && ready_ && simulation_.random.one_in(2)) {
    Exchange exchange;
    exchange.kind = Exchange::Kind::farewell;
    send(exchange, head("DELETE", path) + session_header() + "\r\n");
    Peer* const last = peers_.back().get();
    gone_ = true;
    for (const auto& peer : peers_) {
      if (peer.get() != last) peer->wire->leave();
      peer->over = peer->over || peer.get() != last;
    }
    simulation_.in(1000, [wire = last->wire] { wire->leave(); });
    return;
  }
  gone_ = true;
  for (const auto& peer : peers_) {
    peer->wire->leave();
    peer->over = true;
  }
}

}  // namespace sim
