// SPDX-License-Identifier: Apache-2.0
#include "simulator/broker_client.hpp"

#include <utility>

namespace sim {

std::string device_topic(std::string_view kind) {
  return "$mcp-server/" + std::string(kind) + std::string(broker_server_id) + "/" + std::string(broker_server_name);
}

std::string rpc_topic(std::string_view client_id) {
  return "$mcp-rpc/" + std::string(client_id) + "/" + std::string(broker_server_id) + "/" +
         std::string(broker_server_name);
}

std::string client_presence_topic(std::string_view client_id) {
  return "$mcp-client/presence/" + std::string(client_id);
}

std::string client_id_of(int number, int connection) {
  return "m" + std::to_string(number) + "." + std::to_string(connection);
}

bool is_for_a_stranger(const Json& message) {
  const Json* const id = message.find("id");
  return id != nullptr && id->raw == strange_id && message.find("error") != nullptr;
}

BrokerClient::~BrokerClient() {
  if (party_ != nullptr) broker_.vanish(party_, 1);
}

// ---- The connection -------------------------------------------------------------------------------------------------

void BrokerClient::connect_later(Time ms) {
  simulation_.in(ms, [this] {
    if (!gone_ && party_ == nullptr) connect();
  });
}

// Each connection has a new client id, as initialize needs one.
void BrokerClient::connect() {
  if (gone_) return;
  if (!broker_.is_up()) return connect_later(500 + simulation_.random.below(5000));
  const std::string id = client_id_of(number_, ++connections_);
  const SimBroker::Message will{client_presence_topic(id), disconnected, 1, false, {}};
  party_ = broker_.connect(
      id, principal_, will, [this](const SimBroker::Message& message) { take_message(message); },
      [this] { take_end(); });
  has_begun_ = false;
  broker_.subscribe(party_, rpc_topic(id), true);
  if (!is_stateless()) broker_.subscribe(party_, device_topic("capability/"));
  broker_.subscribe(party_, "$mcp-server/presence/+/#");
}

void BrokerClient::close() {
  if (party_ != nullptr) broker_.leave(std::exchange(party_, nullptr));
}

// The broker has closed the connection, or restarts.
void BrokerClient::take_end() {
  party_ = nullptr;
  is_online_ = false;
  if (gone_) return;
  ++simulation_.counts["client connections lost"];
  if (is_stateless()) {
    ready_ = false;
    lose(open_ids());
    connect_later(100 + simulation_.random.below(3000));
  } else {
    lose_session();
  }
}

void BrokerClient::on_session_lost() {
  is_online_ = false;
  close();
  connect_later(200 + simulation_.random.below(2000));
}

void BrokerClient::on_ready() {
  // A subscription may be older than the presence of the device.
  if (!is_stateless() || is_acknowledged()) resync();
}

void BrokerClient::leave() {
  gone_ = true;
  if (party_ == nullptr) return;
  const SimBroker::PartyPtr party = std::exchange(party_, nullptr);
  switch (simulation_.random.below(3)) {
    case 0: return broker_.vanish(party, 90'000);
    case 1: return broker_.vanish(party, 1);
    default: break;
  }
  const bool by_rpc = !is_stateless() && ready_ && simulation_.random.one_in(2);
  broker_.publish(party,
                  {by_rpc ? rpc_topic(party->id) : client_presence_topic(party->id), disconnected, 1, false, {}});
  broker_.leave(party);
}

// ---- Sending --------------------------------------------------------------------------------------------------------

std::vector<std::string> BrokerClient::open_ids() const {
  std::vector<std::string> ids;
  for (const auto& [id, request] : open_) ids.push_back(id);
  return ids;
}

// A response may still come.
void BrokerClient::give_up(const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    const auto found = open_.find(id);
    if (found != open_.end() && found->second.method == "subscriptions/listen") abandoned_.insert(id);
  }
  forget(ids);
}

void BrokerClient::lose_soon(const std::vector<std::string>& ids) {
  simulation_.in(1, [this, ids, era = era_] {
    if (!gone_ && era == era_) lose(ids);
  });
}

void BrokerClient::post(const std::string& message, const std::vector<std::string>& ids) {
  const bool begins = !ids.empty() && open_[ids.front()].method == "initialize";
  if (begins && has_begun_) {
    // A copy of the rejected initialize may have begun a session, which the will ends.
    if (party_ != nullptr) broker_.vanish(std::exchange(party_, nullptr), 1);
    connect();
  }
  if (party_ == nullptr) return lose_soon(ids);
  if (begins) device_ = broker_.device_connections();
  has_begun_ = has_begun_ || begins;
  publish(begins || is_stateless() ? device_topic("") : rpc_topic(party_->id), message, ids);
}

void BrokerClient::publish(const std::string& topic, const std::string& message, const std::vector<std::string>& ids,
                           unsigned qos) {
  broker_.publish(party_, {topic, message, qos, false, {}}, [this, ids, era = era_, party = party_](unsigned reason) {
    if (reason != SimBroker::no_subscriber || gone_ || era != era_ || party != party_) return;
    ++simulation_.counts["messages without a receiver"];
    give_up(ids);
  });
}

void BrokerClient::cancel(const std::string& id) {
  if (party_ == nullptr) return;
  publish(is_stateless() ? device_topic("") : rpc_topic(party_->id),
          R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id +
              (is_stateless() ? R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})" : "") + "}}",
          {}, simulation_.random.one_in(4) ? 0 : 1);
  // No response follows, but one may be on its way.
  simulation_.in(20'000, [this, id, era = era_] {
    if (!gone_ && era == era_) give_up({id});
  });
}

// ---- Receiving ------------------------------------------------------------------------------------------------------

void BrokerClient::take_message(const SimBroker::Message& message) {
  if (gone_ || SimBroker::is_of_client(message)) return;
  if (message.topic == device_topic("presence/")) return take_presence(!message.payload.empty());
  const auto type = message.properties.find("MCP-COMPONENT-TYPE");
  const auto sender = message.properties.find("MCP-MQTT-CLIENT-ID");
  if (type == message.properties.end() || type->second != "mcp-server" || sender == message.properties.end() ||
      sender->second != broker_server_id)
    complain("a message of another sender", message.topic);
  if (message.topic == rpc_topic(party_->id)) return take_rpc(message.payload);
  if (message.topic != device_topic("capability/")) complain("a message on another topic", message.topic);
  if (ready_) take(message.payload, session_stream);
}

void BrokerClient::take_presence(bool online) {
  if (online == is_online_) return;
  is_online_ = online;
  simulation_.trace("client %d: the device is %s", number_, online ? "online" : "offline");
  if (online) {
    if (!ready_ && (open_.empty() || is_stateless())) initialize();
    return;
  }
  ++simulation_.counts["devices that went offline"];
  if (is_stateless()) {
    ready_ = false;
    return give_up(open_ids());
  }
  lose_session();
}

void BrokerClient::take_rpc(const std::string& payload) {
  const auto message = test::parse_json(payload);
  if (!message) return take(payload, session_stream);
  if (is_for_a_stranger(*message)) return;
  if (message->text_at("method") == "notifications/disconnected") return take_disconnected(payload);
  if (is_of_an_old_subscription(*message) || takes_error(*message)) return;
  // The device does not remember an initialize that it has rejected, since a client may try it again.
  if (!is_stateless() && !ready_ && open_.empty()) return;
  take(payload, session_stream);
}

bool BrokerClient::is_of_an_old_subscription(const Json& message) const {
  const Json* const meta = message.at("params._meta");
  const Json* const id = meta != nullptr ? meta->find("io.modelcontextprotocol/subscriptionId") : nullptr;
  return id != nullptr && abandoned_.count(id->raw) != 0;
}

void BrokerClient::take_disconnected(const std::string& payload) {
  if (is_stateless()) complain("the end of a session that does not exist", payload);
  const bool is_expected = !simulation_.flawless || simulation_.jumped_at() != 0 || principal_ != 0;
  if (!is_expected) complain("its session ends without a reason", payload);
  ++simulation_.counts["sessions lost"];
  lose_session();
}

// True for an error that says that the session, or the response, does not exist.
bool BrokerClient::takes_error(const Json& message) {
  const std::string text = message.text_at("error.message");
  if (text == "The response is larger than the broker accepts.") {
    if (broker_.limits.max_packet == 0) complain("an error about a limit that the broker does not have", message.raw);
    ++simulation_.counts["responses above the limit of the broker"];
    lose({message.find("id")->raw});
    return true;
  }
  if (text != "This MQTT client id has no session; initialize on the control topic.") return false;
  if (ready_ && device_ == broker_.device_connections()) complain("its session has gone", message.raw);
  if (!ready_) return true;
  ++simulation_.counts["sessions lost"];
  lose_session();
  return true;
}

}  // namespace sim
