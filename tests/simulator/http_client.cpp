// SPDX-License-Identifier: Apache-2.0
#include "simulator/http_client.hpp"

#include <algorithm>
#include <cstdio>

namespace sim {

HttpClient::HttpClient(Simulation& simulation, FakeListener& listener, FakeAuthorization& authorization, int number,
                       Revision revision)
    : Client(simulation, number, revision, authorization.any_principal()),
      listener_(listener),
      authorization_(authorization),
      host_(1 + simulation.random.below(hosts)) {
  token_ = authorization.issue(principal_);
}

HttpClient::~HttpClient() {
  for (const auto& peer : peers_) peer->wire->on_receive = nullptr;
}

// ---- Sending -----------------------------------------------------------------------------------------------------

std::string HttpClient::head(std::string_view method, std::string_view target) const {
  return std::string(method) + " " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n";
}

std::string HttpClient::body(const std::string& message) {
  std::string bytes = "Content-Type: application/json\r\n";
  if (!simulation_.random.one_in(8))
    return bytes + "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n" + message;
  bytes += "Transfer-Encoding: chunked\r\n\r\n";
  const std::size_t cut = 1 + simulation_.random.below(message.size() - 1);
  for (const std::string& part : {message.substr(0, cut), message.substr(cut)}) {
    char size[16];
    std::snprintf(size, sizeof size, "%zx\r\n", part.size());
    bytes += size + part + "\r\n";
  }
  return bytes + "0\r\n\r\n";
}

// An idle open connection, sometimes a busy one, or a new one.
HttpClient::Peer& HttpClient::peer_for(const Exchange& exchange) {
  const bool alone = exchange.kind != Exchange::Kind::message;
  for (const auto& peer : peers_) {
    const bool usable = !peer->over && !peer->closes && simulation_.now() - peer->last_used < 50'000;
    if (alone || !usable || !simulation_.random.one_in(2)) continue;
    // Behind a stream of the session nothing would ever be served.
    const bool ends = !peer->exchanges.empty() && peer->exchanges.back().kind == Exchange::Kind::message;
    if (peer->exchanges.empty() || (ends && simulation_.random.one_in(10) && !is_stateless())) return *peer;
  }
  peers_.push_back(std::make_unique<Peer>());
  Peer& peer = *peers_.back();
  peer.wire = listener_.connect(host_);
  peer.last_used = simulation_.now();
  peer.wire->on_receive = [this, &peer](std::string_view bytes, bool broken) { receive(peer, bytes, broken); };
  return peer;
}

void HttpClient::send(Exchange exchange, const std::string& bytes) {
  std::erase_if(peers_, [](const auto& peer) { return peer->over; });
  // A client that ignores the lifetime of its token gets an error.
  if (!authorization_.is_good(token_) && simulation_.random.one_in(2)) token_ = authorization_.issue(principal_);
  std::string whole = bytes;
  if (exchange.kind != Exchange::Kind::attempt) {
    exchange.token = token_;
    whole.insert(whole.find("\r\n") + 2, token_);
  }
  Peer& peer = peer_for(exchange);
  exchange.sent = peer.last_used = simulation_.now();
  exchange.era = era_;
  exchange.fresh = peer.exchanges.empty();
  peer.exchanges.push_back(std::move(exchange));
  ++simulation_.counts["http requests"];
  peer.wire->send(whole);
  spoil(peer);
}

void HttpClient::attempt(const std::string& request, const std::string& message, int status, const std::string& error) {
  Exchange exchange;
  exchange.kind = Exchange::Kind::attempt;
  if (status == 404) exchange.token = token_;
  exchange.judge = [status, error](const test::HttpResponse& response) -> std::string {
    if (response.streams || response.status != status) return "not " + std::to_string(status);
    const std::string challenge = response.header("www-authenticate");
    if ((status == 401 || status == 403 || !error.empty()) != challenge.starts_with("Bearer"))
      return "the challenge is " + challenge;
    const std::string said = "error=\"" + error + "\"";
    const bool tells =
        error.empty() ? challenge.find("error=") == challenge.npos : challenge.find(said) != challenge.npos;
    return tells ? "" : "the challenge is " + challenge;
  };
  send(std::move(exchange), request + (message.empty() ? "\r\n" : body(message)));
}

bool HttpClient::try_token(const std::string& request, const std::string& message) {
  if (principal_ == 0) return false;
  ++simulation_.counts["wrong tokens tried"];
  const FakeAuthorization::Wrong wrong = authorization_.wrong(principal_);
  attempt(request + wrong.header, message, wrong.status, wrong.error);
  return true;
}

bool HttpClient::says_initialized_again(const Exchange& exchange, bool in_order) {
  if (!exchange.initialized || in_order) return false;
  // Until the message has arrived, the device sends no notification.
  muted_ = simulation_.random.one_in(3);  // for ever: this one does not care
  if (muted_) return true;
  simulation_.in(500, [this, era = era_] {
    if (!gone_ && era == era_) post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", {});
  });
  return true;
}

// What may go wrong with a request from now on.
void HttpClient::spoil(Peer& peer) {
  const auto later = [&](auto what) {
    simulation_.in(simulation_.random.below(simulation_.random.one_in(2) ? 50 : 5000),
                   [wire = peer.wire, what] { what(*wire); });
  };
  if (simulation_.in_thousand(simulation_.faults.reset)) later([](FakeConnection& wire) { wire.reset(); });
  if (simulation_.in_thousand(simulation_.faults.stall)) {
    const Time ms = simulation_.random.one_in(4) ? 70'000 : simulation_.random.below(5000);
    later([ms](FakeConnection& wire) { wire.stall(ms); });
  }
  if (simulation_.in_thousand(simulation_.faults.half_close)) {
    peer.closes = true;
    for (Exchange& exchange : peer.exchanges) exchange.wrecked = true;
    later([](FakeConnection& wire) { wire.half_close(); });
  }
  if (simulation_.in_thousand(simulation_.faults.abandon)) {
    simulation_.in(simulation_.random.below(3000), [this, wire = peer.wire] {
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
  peer.last_used = simulation_.now();
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
  for (const test::HttpEvent& event : events) {
    if (peer.over) return false;
    Exchange& exchange = peer.exchanges.front();
    if (!event.id.empty()) exchange.last_event = event.id;
    if (!event.retry.empty()) exchange.retry = event.retry;
    take_event(exchange, event);
  }
  if (!ended || peer.over) return false;
  end_exchange(peer, true);
  return true;
}

void HttpClient::take_head(Peer& peer, const test::HttpResponse& response) {
  Exchange& exchange = peer.exchanges.front();
  simulation_.trace("client %d < %d (%zu bytes)", number_, response.status, response.body.size());
  if (response.header("connection") == "close") peer.closes = true;
  const std::string foreign = simulation_.ownership.foreign_in(response.body, number_);
  if (!foreign.empty()) complain("sees what is another's: " + foreign, response.body);
  if (response.streams && exchange.kind != Exchange::Kind::attempt) {
    exchange.streams = true;
    return take_response(peer, response);
  }
  ++simulation_.counts["status " + std::to_string(response.status)];
  const bool jumped = simulation_.jumped_at() != 0 && simulation_.jumped_at() >= exchange.sent;
  if (response.status == 408) {
    if (!jumped && !exchange.wrecked && !may_be_late()) complain("408 for a request that came in time");
    return end_exchange(peer, false);
  }
  const bool expired = response.status == 401 && !authorization_.is_good(exchange.token);
  if (exchange.kind == Exchange::Kind::attempt && !expired) {
    if (const std::string problem = exchange.judge(response); !problem.empty())
      complain("what nobody may: " + problem, std::to_string(response.status) + " " + response.body);
    return end_exchange(peer, true);
  }
  if (response.status == 401) {
    if (!expired) complain("401 with a good token", response.body);
    if (exchange.token == token_) token_ = authorization_.issue(principal_);
    if (!exchange.message.empty() && exchange.era == era_) {
      simulation_.in(100, [this, message = exchange.message, era = era_] {
        if (!gone_ && era == era_) post(message, {});
      });
    }
    return end_exchange(peer, false);
  }
  take_response(peer, response);
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
  if (!gone_ && exchange.kind != Exchange::Kind::attempt) miss(exchange, in_order);
}

void HttpClient::end_peer(Peer& peer) {
  if (peer.over) return;
  peer.over = true;
  std::list<Exchange> left;
  left.swap(peer.exchanges);
  for (const Exchange& exchange : left) {
    if (!gone_ && exchange.kind != Exchange::Kind::attempt) miss(exchange, false);
  }
}

}  // namespace sim
