// SPDX-License-Identifier: Apache-2.0
#include "simulator/sse_client.hpp"

namespace sim {
namespace {

constexpr std::string_view stream_path = "/sse";
constexpr char ping[] = R"({"jsonrpc":"2.0","id":"t","method":"ping","params":{}})";

}  // namespace

void SseClient::begin() {
  if (gone_) return;
  Exchange exchange;
  exchange.kind = Exchange::Kind::session_stream;
  exchange.number = ++streams_;
  const std::string accept = simulation_.random.one_in(3) ? "" : "Accept: text/event-stream\r\n";
  send(std::move(exchange), head("GET", stream_path) + accept + "\r\n");
}

void SseClient::begin_again() {
  simulation_.in(200 + simulation_.random.below(2000), [this, streams = streams_] {
    if (streams == streams_) begin();
  });
}

void SseClient::post(const std::string& message, const std::vector<std::string>& ids) {
  if (target_.empty()) {
    return simulation_.in(1, [this, ids, era = era_] {
      if (era == era_) lose(ids);
    });
  }
  Exchange exchange;
  exchange.ids = ids;
  exchange.initialized = message.find("notifications/initialized") != std::string::npos;
  if (ids.empty() && !exchange.initialized) exchange.message = message;
  send(std::move(exchange), head("POST", target_) + body(message));
}

void SseClient::cancel(const std::string& id) {
  post(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id + "}}", {});
}

// With a wrong token, on another principal's stream, or with a session of Streamable HTTP.
bool SseClient::trespass() {
  if (simulation_.random.one_in(2)) {
    if (simulation_.random.one_in(2)) return try_token(head("GET", stream_path), "");
    return !target_.empty() && try_token(head("POST", target_), ping);
  }
  const Belonging* thing = anothers(Belonging::Kind::sse_session);
  if (thing == nullptr) return false;
  ++simulation_.counts["sessions of others tried"];
  attempt(head("POST", "/messages?sessionId=" + thing->text) + token_, ping, 404);
  return true;
}

void SseClient::take_response(Peer& peer, const test::HttpResponse& response) {
  Exchange& exchange = peer.exchanges.front();
  const bool streams = exchange.kind == Exchange::Kind::session_stream;
  if (response.streams) {
    if (!streams) complain("a stream for a message");
    return;
  }
  switch (response.status) {
    case 202:
      if (streams) complain("202 for a stream");
      break;
    case 404:
      if (streams) complain("no stream under its path");
      // What it named has ended; its end is on its way.
      ++simulation_.counts["sessions lost"];
      if (exchange.era == era_) {
        expect_end();
        lose(exchange.ids);
      }
      break;
    case 503:
      if (!streams) complain("503 for a message", response.body);
      break;
    default: complain("status " + std::to_string(response.status), response.body);
  }
  end_exchange(peer, true);
}

void SseClient::expect_end() {
  simulation_.in(150'000, [this, streams = streams_, era = era_] {
    if (!gone_ && streams == streams_ && era == era_ && !target_.empty())
      complain("404 for a session whose stream lives", target_);
  });
}

void SseClient::take_event(Exchange& exchange, const test::HttpEvent& event) {
  if (exchange.number != streams_ || !event.data) return;
  if (!event.id.empty() || !event.retry.empty()) complain("an event that could be resumed");
  if (event.type == "endpoint") {
    if (!target_.empty()) complain("a second endpoint", *event.data);
    target_ = *event.data;
    const std::string before = "/messages?sessionId=";
    if (!target_.starts_with(before)) complain("no endpoint", target_);
    own(Belonging::Kind::sse_session, target_.substr(before.size()));
    return initialize();
  }
  if (event.type != "message" || target_.empty()) complain("an event that is no message", *event.data);
  // After an event that breaks off because its body failed, the error follows under its id.
  const bool is_cut = !test::parse_json(*event.data) && event.data->find("sim://large") != std::string::npos;
  if (!is_cut) take(*event.data, session_stream);
}

void SseClient::miss(const Exchange& exchange, bool in_order) {
  if (exchange.kind == Exchange::Kind::session_stream) {
    if (exchange.number != streams_) return;
    if (target_.empty()) return begin_again();
    return lose_session();
  }
  if (exchange.era != era_ || says_initialized_again(exchange, in_order) || in_order) return;
  // A request with an error status may nevertheless have been received.
  simulation_.in(30'000, [this, ids = exchange.ids, era = era_] {
    if (!gone_ && era == era_) forget(ids);
  });
}

void SseClient::on_session_lost() {
  target_.clear();
  begin_again();
}

void SseClient::leave() {
  gone_ = true;
  for (const auto& peer : peers_) {
    peer->wire->leave();
    peer->over = true;
  }
}

}  // namespace sim
