// SPDX-License-Identifier: Apache-2.0
#include "simulator/broker_visitors.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace sim {
namespace {

constexpr std::string_view meta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

std::string call_params(std::string_view tool, const std::string& arguments) {
  return "\"name\":" + quoted(tool) + ",\"arguments\":{" + arguments + "}";
}

// A call of a minute.
std::string long_call(const std::string& token) {
  return call_params("count", "\"label\":" + quoted(token) + R"(,"to":60,"pause":1000)");
}

}  // namespace

BrokerVisitor::~BrokerVisitor() { drop(); }

void BrokerVisitor::leave() {
  gone_ = true;
  drop();
}

// The broker publishes the wills.
void BrokerVisitor::drop() {
  for (const SimBroker::PartyPtr& party : parties_) broker_.vanish(party, 1);
  parties_.clear();
  party_ = nullptr;
  takers_.clear();
}

void BrokerVisitor::connect() {
  const std::string id = client_id_of(number_, ++connections_);
  const SimBroker::Message will{client_presence_topic(id), disconnected, 1, false, {}};
  party_ = broker_.connect(
      id, principal_, will, [this](const SimBroker::Message& message) { take(message); }, [this] { party_ = nullptr; });
  parties_.push_back(party_);
  broker_.subscribe(party_, rpc_topic(id), true);
}

void BrokerVisitor::after(Time ms, std::function<void()> what) {
  simulation_.in(ms, [this, here = std::weak_ptr(here_), what = std::move(what)] {
    if (!here.expired() && !gone_) what();
  });
}

void BrokerVisitor::complain(const std::string& what, std::string_view about) const {
  simulation_.fail("visitor " + std::to_string(number_) + ": " + what +
                   (about.empty() ? "" : "\n  " + std::string(about)));
}

void BrokerVisitor::publish(const std::string& topic, const std::string& payload, const std::string& id) {
  simulation_.trace("visitor %d > %s %s", number_, topic.c_str(), payload.c_str());
  SimBroker::Message message{topic, payload, 1, false, {}};
  if (!id.empty()) message.properties["MCP-MQTT-CLIENT-ID"] = id;
  if (party_ != nullptr) broker_.publish(party_, std::move(message));
}

void BrokerVisitor::ask(bool in_session, std::string_view method, std::string params, Taker taker) {
  if (party_ == nullptr) return;
  const std::string id = std::to_string(++ids_);
  if (!in_session) params += (params.empty() ? "" : ",") + std::string(meta);
  takers_[id] = std::move(taker);
  publish(
      in_session ? rpc_topic(party_->id) : device_topic(""),
      R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + std::string(method) + R"(","params":{)" + params + "}}");
}

void BrokerVisitor::initialize(Taker taker) {
  const std::string id = std::to_string(++ids_);
  takers_[id] = std::move(taker);
  publish(device_topic(""),
          R"({"jsonrpc":"2.0","id":)" + id +
              R"(,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)" +
              R"("clientInfo":{"name":"v","version":"0"}}})");
}

void BrokerVisitor::notify_initialized() {
  if (party_ != nullptr) publish(rpc_topic(party_->id), R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
}

void BrokerVisitor::take(const SimBroker::Message& message) {
  if (gone_ || SimBroker::is_of_client(message)) return;
  simulation_.trace("visitor %d < %s", number_, message.payload.c_str());
  const std::string foreign = simulation_.ownership.foreign_in(message.payload, number_);
  if (!foreign.empty()) complain("sees what is another's: " + foreign, message.payload);
  const auto json = test::parse_json(message.payload);
  if (!json) complain("no JSON", message.payload);
  if (is_for_a_stranger(*json)) return;
  const Json* const id = json->find("id");
  if (id == nullptr || json->find("method") != nullptr) return;
  const auto found = takers_.find(id->raw);
  // The device does not remember an initialize that it has rejected, since a client may try it again.
  if (found == takers_.end() && rejected_.count(id->raw) != 0) return;
  if (found == takers_.end()) complain("a second response, or one to no request", message.payload);
  if (json->find("error") != nullptr) rejected_.insert(id->raw);
  const Taker taker = std::move(found->second);
  takers_.erase(found);
  if (taker) taker(*json);
}

// ---- Strangers ------------------------------------------------------------------------------------------------------

void BrokerStranger::act() {
  if (party_ == nullptr && broker_.is_up()) connect();
  if (party_ != nullptr) act_once();
  after(700 + simulation_.random.below(2500), [this] { act(); });
}

void BrokerStranger::act_once() {
  ++simulation_.counts["attacks over MQTT"];
  switch (attack_) {
    case BrokerAttack::stateless_calls:
      if (simulation_.random.one_in(3))
        return ask(false, "subscriptions/listen", R"("notifications":{"toolsListChanged":true})");
      return ask(false, "tools/call", long_call(fresh_token()));
    case BrokerAttack::sessions:
      connect();
      return initialize([this](const Json& answer) {
        if (answer.find("result") == nullptr) return;
        notify_initialized();
        ask(true, "tools/call", long_call(fresh_token()));
      });
    case BrokerAttack::initialize_again:
      return initialize([this](const Json& answer) {
        if (answer.find("result") != nullptr) notify_initialized();
      });
    case BrokerAttack::wills:
      drop();
      connect();
      return initialize([this](const Json&) {
        notify_initialized();
        ask(true, "tools/call", long_call(fresh_token()));
      });
    case BrokerAttack::topics_of_others:
      if (const SimBroker::PartyPtr victim = broker_.other_than(principal_)) disturb(victim->id);
      return;
  }
}

void BrokerStranger::disturb(const std::string& victim) {
  const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
                             std::to_string(simulation_.random.below(40)) + "}}";
  switch (simulation_.random.below(5)) {
    case 0:
      return publish(rpc_topic(victim), R"({"jsonrpc":"2.0","id":)" + std::string(strange_id) +
                                            R"(,"method":"tools/call","params":{)" + long_call(fresh_token()) + "}}");
    case 1: return publish(rpc_topic(victim), std::string(disconnected));
    case 2: return publish(rpc_topic(victim), cancel);
    case 3: return publish(client_presence_topic(victim), std::string(disconnected));
    default: return publish(device_topic(""), cancel, victim);
  }
}

// ---- The witness ----------------------------------------------------------------------------------------------------

void BrokerWitness::start() {
  ++simulation_.counts["witnesses over MQTT"];
  if (!broker_.is_up()) complain("the broker is not up");
  connect();
  echo(false);
  if (terms_.calls) count(false);
  if (terms_.session) begin();
}

void BrokerWitness::check() const {
  if (echoes_ == 0) complain("was never served");
  if (terms_.session && in_session_ == 0) complain("was never served in a session");
  if (terms_.calls && counted_ == 0) complain("no call came to its end");
}

void BrokerWitness::expect(const std::string& what, bool in_session, std::string_view method, const std::string& params,
                           const Taker& taker) {
  const auto done = std::make_shared<bool>(false);
  after(terms_.answer, [this, what, done] {
    if (!*done) complain("is not served: no " + what + " within " + std::to_string(terms_.answer) + " ms");
  });
  const Taker note = [this, done, taker, sent = simulation_.now()](const Json& answer) {
    *done = true;
    std::uint64_t& longest = simulation_.counts["longest wait of a witness over MQTT"];
    longest = std::max<std::uint64_t>(longest, simulation_.now() - sent);
    taker(answer);
  };
  method == "initialize" ? initialize(note) : ask(in_session, method, params, note);
}

void BrokerWitness::begin() {
  expect("session", false, "initialize", "", [this](const Json& answer) {
    if (answer.find("result") == nullptr) complain("gets no session", answer.raw);
    notify_initialized();
    echo(true);
  });
}

void BrokerWitness::echo(bool in_session) {
  const std::string token = fresh_token();
  const std::string params = call_params("echo", "\"label\":" + quoted(token) + ",\"pad\":10");
  expect("response to a call", in_session, "tools/call", params, [this, in_session, token](const Json& answer) {
    const std::string text = text_of(answer);
    if (!text.starts_with(token) && !text.starts_with("Too many calls")) complain("a call is not served", answer.raw);
    ++(in_session ? in_session_ : echoes_);
    after(1000 + simulation_.random.below(2000), [this, in_session] { echo(in_session); });
  });
}

// A call of five seconds, which takes a slot meanwhile.
void BrokerWitness::count(bool in_session) {
  const std::string token = fresh_token();
  const std::string params = call_params("count", "\"label\":" + quoted(token) + R"(,"to":5,"pause":1000)");
  ask(in_session, "tools/call", params, [this, in_session, token](const Json& answer) {
    const bool is_late = text_of(answer).starts_with("Too many calls");
    if (!is_late && text_of(answer) != token + " counted to 5") complain("a call is not served", answer.raw);
    if (!is_late) ++counted_;
    after(500, [this, in_session] { count(in_session); });
  });
}

}  // namespace sim
