#include "simulator/http_client.hpp"

#include <algorithm>
#include <cstdlib>

namespace sim {
namespace {

std::string head(std::string_view method) { return std::string(method) + " /mcp HTTP/1.1\r\nHost: localhost\r\n"; }

}  // namespace

HttpClient::~HttpClient() {
  for (const auto& peer : peers_) peer->wire->on_receive = nullptr;
}

std::string HttpClient::session_header() const {
  return "MCP-Session-Id: " + session_ + "\r\nMCP-Protocol-Version: " + std::string(name_of(revision_)) + "\r\n";
}

// ---- Sending -----------------------------------------------------------------------------------------------------

void HttpClient::post(const std::string& message, const std::string& id) {
  Exchange exchange;
  exchange.number = ++next_exchange_;
  std::string bytes =
      head("POST") + "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
  if (!id.empty()) {
    exchange.ids = {id};
    Request& request = open_[id];
    request.exchange = exchange.number;
    exchange.initialize = request.method == "initialize";
    if (is_stateless()) {
      bytes += "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + request.method + "\r\n";
      if (request.method == "tools/call" || request.method == "resources/read" || request.method == "prompts/get" ||
          request.method.starts_with("tasks/"))
        bytes += "Mcp-Name: " + request.name + "\r\n";
    }
  }
  exchange.initialized = message.find("notifications/initialized") != std::string::npos;
  if (!is_stateless() && !exchange.initialize) bytes += session_header();
  const bool chunked = world_.random.one_in(8);
  if (chunked) {
    bytes += "Transfer-Encoding: chunked\r\n\r\n";
    const std::size_t cut = 1 + world_.random.below(message.size() - 1);
    for (const std::string& part : {message.substr(0, cut), message.substr(cut)}) {
      char size[16];
      std::snprintf(size, sizeof size, "%zx\r\n", part.size());
      bytes += size + part + "\r\n";
    }
    bytes += "0\r\n\r\n";
  } else {
    bytes += "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n" + message;
  }
  send(std::move(exchange), bytes);
}

// A request without a session is taken back by the end of its connection.
void HttpClient::cancel(const std::string& id) {
  if (!is_stateless()) {
    post(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id + "}}", "");
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

// One that was kept and is idle, now and then one that is busy, or a new one.
HttpClient::Peer& HttpClient::peer_for(const Exchange& exchange) {
  const bool alone = exchange.kind != Exchange::Kind::message;
  for (const auto& peer : peers_) {
    const bool usable = !peer->over && !peer->closes && world_.now() - peer->last_used < 50'000;
    if (alone || !usable || !world_.random.one_in(2)) continue;
    // Behind a stream of the session nothing would ever be served.
    const bool ends = !peer->exchanges.empty() && peer->exchanges.back().kind == Exchange::Kind::message;
    if (peer->exchanges.empty() || (ends && world_.random.one_in(10) && !is_stateless())) return *peer;
  }
  peers_.push_back(std::make_unique<Peer>());
  Peer& peer = *peers_.back();
  peer.wire = door_.connect();
  peer.last_used = world_.now();
  peer.wire->on_receive = [this, &peer](std::string_view bytes, bool broken) { receive(peer, bytes, broken); };
  return peer;
}

void HttpClient::send(Exchange exchange, const std::string& bytes) {
  std::erase_if(peers_, [](const auto& peer) { return peer->over; });
  Peer& peer = peer_for(exchange);
  exchange.sent = peer.last_used = world_.now();
  exchange.era = era_;
  exchange.fresh = peer.exchanges.empty();
  peer.exchanges.push_back(std::move(exchange));
  ++world_.counts["http requests"];
  peer.wire->send(bytes);
  spoil(peer);
}

// What may go wrong with a request from now on.
void HttpClient::spoil(Peer& peer) {
  const auto later = [&](auto what) {
    world_.in(world_.random.below(world_.random.one_in(2) ? 50 : 5000), [wire = peer.wire, what] { what(*wire); });
  };
  if (world_.in_thousand(world_.faults.reset)) later([](Wire& wire) { wire.reset(); });
  if (world_.in_thousand(world_.faults.stall)) {
    const Time ms = world_.random.one_in(4) ? 70'000 : world_.random.below(5000);
    later([ms](Wire& wire) { wire.stall(ms); });
  }
  if (world_.in_thousand(world_.faults.half_close)) {
    peer.closes = true;
    for (Exchange& exchange : peer.exchanges) exchange.wrecked = true;
    later([](Wire& wire) { wire.half_close(); });
  }
  if (world_.in_thousand(world_.faults.abandon)) {
    world_.in(world_.random.below(3000), [this, wire = peer.wire] {
      for (const auto& mine : peers_) {
        if (mine->wire != wire || mine->over) continue;
        wire->leave();
        return end_peer(*mine);
      }
    });
  }
}

// ---- Receiving ---------------------------------------------------------------------------------------------------

void HttpClient::receive(Peer& peer, std::string_view bytes, bool broken) {
  if (peer.over) return;
  peer.last_used = world_.now();
  if (!bytes.empty()) {
    static_cast<void>(peer.inbox.wire.write(bytes));
    return read(peer);
  }
  if (!broken) {
    peer.inbox.finish();
    read(peer);
  }
  if (!peer.over) {
    peer.wire->leave();
    end_peer(peer);
  }
}

void HttpClient::read(Peer& peer) {
  while (!peer.over && !peer.exchanges.empty()) {
    if (peer.exchanges.front().streams) {
      if (!read_events(peer)) return;
      continue;
    }
    const test::HttpResponse response = peer.reader.response();
    if (response.status == 0) return;
    take_head(peer, response);
  }
  if (!peer.over && !peer.reader.idle()) complain("bytes that nobody asked for");
}

// False when there is nothing more to read now.
bool HttpClient::read_events(Peer& peer) {
  const std::vector<test::HttpEvent> events = peer.reader.events();
  const bool ended = peer.reader.ended();
  Exchange& exchange = peer.exchanges.front();
  for (const test::HttpEvent& event : events) {
    if (!event.id.empty()) exchange.last_event = event.id;
    if (!event.retry.empty()) exchange.retry = event.retry;
    if (event.comment.ends_with("lost")) {
      exchange.lossy = true;
      if (exchange.number == 0) resync();
    }
    if (!event.data || event.data->empty() || exchange.era != era_) continue;
    take(*event.data, exchange.number);
  }
  if (!ended) return false;
  end_exchange(peer, true);
  return true;
}

void HttpClient::take_head(Peer& peer, const test::HttpResponse& response) {
  Exchange& exchange = peer.exchanges.front();
  const bool current = exchange.era == era_;
  world_.trace("client %d < %d (%zu bytes)", number_, response.status, response.body.size());
  if (response.header("connection") == "close") peer.closes = true;
  if (response.streams) {
    exchange.streams = true;
    if (exchange.number == 0 && current) {
      streaming_ = true;
      opening_ = false;
      // What was told before is lost, unless it is told again.
      if (exchange.kind == Exchange::Kind::session_stream) resync();
    }
    return;
  }
  ++world_.counts["status " + std::to_string(response.status)];
  const bool jumped = world_.jumped_at() != 0 && world_.jumped_at() >= exchange.sent;
  switch (response.status) {
    case 200:
      if (exchange.initialize && current) session_ = response.header("mcp-session-id");
      break;
    case 202:
    case 400: break;
    case 404:
      if (!response.body.empty() && is_stateless()) break;
      if (is_stateless()) complain("404 without a session");
      if (current && exchange.kind != Exchange::Kind::farewell) {
        ++world_.counts["sessions lost"];
        end_exchange(peer, false);
        return lose_session();
      }
      break;
    case 503: break;
    case 408:
      if (!jumped && !exchange.wrecked) complain("408 for a request that came in time");
      break;
    default: complain("status " + std::to_string(response.status), response.body);
  }
  const bool resumed = exchange.kind == Exchange::Kind::resumed;
  if (current && response.status != 202 && !response.body.empty() && !exchange.ids.empty() && !resumed &&
      response.body.find("\"id\":") != std::string::npos) {
    take(response.body, exchange.number);
  } else if (resumed && response.status == 400) {
    exchange.lossy = true;  // nothing is kept
    exchange.last_event.clear();
  } else if (response.status == 400 && exchange.kind == Exchange::Kind::message) {
    complain("400 for a message that was good", response.body);
  }
  end_exchange(peer, true);
}

// ---- Ends --------------------------------------------------------------------------------------------------------

bool HttpClient::any_open(const Exchange& exchange) const {
  return exchange.era == era_ && std::any_of(exchange.ids.begin(), exchange.ids.end(), [&](const std::string& id) {
           const auto found = open_.find(id);
           return found != open_.end() && found->second.exchange == exchange.number;
         });
}

void HttpClient::end_exchange(Peer& peer, bool in_order) {
  const Exchange exchange = std::move(peer.exchanges.front());
  peer.exchanges.pop_front();
  miss(exchange, in_order);
}

void HttpClient::end_peer(Peer& peer) {
  if (peer.over) return;
  peer.over = true;
  std::list<Exchange> left;
  left.swap(peer.exchanges);
  for (const Exchange& exchange : left) miss(exchange, false);
}

// What becomes of an exchange that has ended, or was cut off.
void HttpClient::miss(const Exchange& exchange, bool in_order) {
  if (gone_ || exchange.era != era_) return;
  if (exchange.number == 0) {
    streaming_ = opening_ = false;
    if (!exchange.last_event.empty() && !in_order && world_.random.below(4) != 0)
      return resume(exchange, world_.random.below(1000));
    world_.in(200 + world_.random.below(1000), [this] { open_stream(); });
    return;
  }
  // Until it has come through, the device says nothing on its own.
  if (exchange.initialized && !in_order) {
    muted_ = world_.random.one_in(3);  // for ever: this one does not care
    if (muted_) return;
    return world_.in(500, [this, era = era_] {
      if (!gone_ && era == era_) post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", "");
    });
  }
  if (!any_open(exchange)) return;
  if (is_stateless()) {
    const auto cancelled = [&](const std::string& id) { return open_.count(id) != 0 && open_[id].cancelled; };
    if (in_order && exchange.streams && !std::all_of(exchange.ids.begin(), exchange.ids.end(), cancelled))
      complain("a stream ended without its answer", exchange.ids.front());
    return lose(exchange.ids);
  }
  if (!exchange.retry.empty()) return resume(exchange, static_cast<Time>(std::atoi(exchange.retry.c_str())));
  if (in_order && exchange.streams && !exchange.lossy) return doubt(exchange.ids);
  if (!in_order && !exchange.last_event.empty() && world_.random.below(5) != 0)
    return resume(exchange, world_.random.below(2000));
  lose(exchange.ids);
}

// Comes back for what is still to be said on a stream.
void HttpClient::resume(const Exchange& exchange, Time later) {
  if (exchange.last_event.empty()) return lose(exchange.ids);
  Exchange next;
  next.kind = Exchange::Kind::resumed;
  next.number = exchange.number;
  next.ids = exchange.ids;
  next.last_event = exchange.last_event;
  next.lossy = exchange.lossy;
  if (next.number == 0) opening_ = true;
  world_.in(later, [this, next, era = era_] {
    if (gone_ || era != era_) return;
    ++world_.counts["resumed"];
    send(next, head("GET") + "Accept: text/event-stream\r\n" + session_header() + "Last-Event-ID: " + next.last_event +
                   "\r\n\r\n");
  });
}

// A stream ended without its answer. That is right when the session has ended; which a ping tells.
void HttpClient::doubt(std::vector<std::string> ids) {
  std::erase_if(ids, [&](const std::string& id) { return open_.count(id) == 0 || open_[id].cancelled; });
  if (ids.empty()) return;
  const std::string id = "\"doubt" + std::to_string(++next_exchange_) + "\"";
  Request about;
  about.method = "ping";
  about.lost = [this, ids] { lose(ids); };
  about.judge = [this, ids](const Json&) -> std::string {
    for (const std::string& open : ids) {
      if (open_.count(open) != 0) complain("a stream ended without its answer, and the session lives", open);
    }
    return "";
  };
  open_.emplace(id, std::move(about));
  post(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"ping"})", id);
}

void HttpClient::open_stream() {
  if (gone_ || !ready_ || is_stateless() || streaming_ || opening_) return;
  opening_ = true;
  Exchange exchange;
  exchange.kind = Exchange::Kind::session_stream;
  send(exchange, head("GET") + "Accept: text/event-stream\r\n" + session_header() + "\r\n");
}

void HttpClient::on_ready() {
  if (!is_stateless()) world_.in(world_.random.below(500), [this] { open_stream(); });
}

void HttpClient::on_session_lost() {
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
  world_.in(200 + world_.random.below(2000), [this, era = era_] {
    if (era == era_) initialize();
  });
}

bool HttpClient::listens() const { return is_stateless() ? !listening_.empty() && acknowledged_ : streaming_; }

void HttpClient::leave() {
  // Politely, or not at all.
  if (!is_stateless() && ready_ && world_.random.one_in(2)) {
    Exchange exchange;
    exchange.kind = Exchange::Kind::farewell;
    send(exchange, head("DELETE") + session_header() + "\r\n");
    Peer* const last = peers_.back().get();
    gone_ = true;
    for (const auto& peer : peers_) {
      if (peer.get() != last) peer->wire->leave();
      peer->over = peer->over || peer.get() != last;
    }
    world_.in(1000, [wire = last->wire] { wire->leave(); });
    return;
  }
  gone_ = true;
  for (const auto& peer : peers_) {
    peer->wire->leave();
    peer->over = true;
  }
}

}  // namespace sim
