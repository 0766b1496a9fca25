// SPDX-License-Identifier: Apache-2.0
#include "simulator/sim_broker.hpp"

#include <algorithm>
#include <utility>

#include "support/json.hpp"

namespace sim {

using test::MqttPacket;
using test::MqttReader;

namespace {

constexpr std::string_view rpc_topics = "$mcp-rpc/";
constexpr std::string_view control_topics = "$mcp-server/";
constexpr Time tick_time = 5000;
constexpr Time remembered_ms = 590'000;  // 10 minutes, and less for the delivery

std::string level(std::string_view& text) {
  const std::size_t end = std::min(text.find('/'), text.size());
  std::string first(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return first;
}

/// True if a filter with `+` and `#` selects the topic. Source: OASIS MQTT 5.0 section 4.7.
bool matches(std::string_view filter, std::string_view topic) {
  if (topic.starts_with("$") && !filter.starts_with("$")) return false;
  while (!filter.empty() && !topic.empty()) {
    const std::string wanted = level(filter);
    if (wanted == "#") return true;
    const std::string found = level(topic);
    if (wanted != "+" && wanted != found) return false;
  }
  return topic.empty() && (filter.empty() || filter == "#");
}

}  // namespace

SimBroker::SimBroker(Simulation& simulation, std::size_t remembered)
    : simulation_(simulation), remembered_(remembered) {
  simulation_.in(tick_time, [this] { tick(); });
}

// The functions of a link own it.
SimBroker::~SimBroker() {
  for (const PartyPtr& party : parties_) {
    party->lanes.clear();
    party->unacknowledged.clear();
  }
  for (const LinkPtr& link : links_) {
    link->wire->on_receive = nullptr;
    if (link->party != nullptr) link->party->take = nullptr;
  }
}

// ---- Routing --------------------------------------------------------------------------------------------------------

void SimBroker::enqueue(const PartyPtr& party, std::shared_ptr<Lane>& lane, std::function<void()> what) {
  if (lane == nullptr) lane = std::make_shared<Lane>();
  lane->waiting.push_back(std::move(what));
  if (!std::exchange(lane->is_busy, true)) schedule(party, lane);
}

// One topic keeps its order. Different ones overtake each other.
void SimBroker::schedule(const PartyPtr& party, const std::shared_ptr<Lane>& lane) {
  const bool is_late = faults.delay != 0 && simulation_.random.one_in(10);
  const Time delay = 1 + simulation_.random.below_64(is_late ? faults.delay : simulation_.faults.latency);
  simulation_.at(std::max(simulation_.now() + delay, party->away_until), [this, party, lane] {
    if (lane->waiting.empty()) {
      lane->is_busy = false;
      return;
    }
    if (simulation_.now() < party->away_until) return schedule(party, lane);
    const std::function<void()> what = std::move(lane->waiting.front());
    lane->waiting.pop_front();
    what();
    lane->is_busy = !lane->waiting.empty();
    if (lane->is_busy) schedule(party, lane);
  });
}

bool SimBroker::has_subscriber(const std::string& topic, const std::string& from) const {
  return std::any_of(parties_.begin(), parties_.end(), [&](const PartyPtr& party) {
    return std::any_of(party->filters.begin(), party->filters.end(), [&](const auto& filter) {
      return matches(filter.first, topic) && !(filter.second && party->id == from);
    });
  });
}

bool SimBroker::route(const Message& message, const std::string& from) {
  simulation_.trace("broker: %s > %s", from.c_str(), message.topic.c_str());
  if (message.retain && message.payload.empty()) retained_.erase(message.topic);
  if (message.retain && !message.payload.empty()) retained_[message.topic] = message;
  bool any = false;
  for (const PartyPtr& party : parties_) {
    for (const auto& [filter, no_local] : party->filters) {
      if (!matches(filter, message.topic) || (no_local && party->id == from)) continue;
      Message copy = message;
      copy.retain = false;
      deliver(party, std::move(copy));
      any = true;
      break;
    }
  }
  return any;
}

void SimBroker::deliver(const PartyPtr& party, Message message) {
  std::shared_ptr<Lane>& lane = party->lanes[message.topic];
  // The party has the lane, so what is in it must not keep the party.
  enqueue(party, lane, [this, to = std::weak_ptr(party), message = std::move(message)] {
    ++simulation_.counts["mqtt messages"];
    const PartyPtr receiver = to.lock();
    if (receiver == nullptr || !receiver->is_open) return;
    const auto take = receiver->take;  // a client may leave while it takes a message
    take(message);
  });
}

Time SimBroker::ack_delay() {
  return faults.slow_ack != 0 && simulation_.random.one_in(4) ? simulation_.random.below_64(faults.slow_ack) : 0;
}

// After what the party has published itself on this topic.
void SimBroker::publish_will(const PartyPtr& party) {
  if (!party->will) return;
  ++simulation_.counts["wills"];
  enqueue(party, lane_from(party->id, party->will->topic),
          [this, party] { static_cast<void>(route(*party->will, party->id)); });
}

void SimBroker::end(const PartyPtr& party, bool publishes_will) {
  if (!party->is_open) return;
  simulation_.trace("broker: the connection of %s ends", party->id.c_str());
  party->is_open = false;
  party->away_until = 0;
  std::erase(parties_, party);
  party->unacknowledged.clear();  // its functions may keep the party
  if (publishes_will) publish_will(party);
}

// ---- Clients --------------------------------------------------------------------------------------------------------

SimBroker::PartyPtr SimBroker::connect(std::string id, std::uint64_t user, std::optional<Message> will,
                                       std::function<void(const Message&)> take, std::function<void()> end) {
  auto party = std::make_shared<Party>();
  party->id = std::move(id);
  party->user = user;
  party->will = std::move(will);
  party->take = std::move(take);
  party->end = std::move(end);
  parties_.push_back(party);
  ++simulation_.counts["mqtt connections"];
  return party;
}

void SimBroker::subscribe(const PartyPtr& party, const std::string& filter, bool no_local) {
  party->filters[filter] = no_local;
  for (const auto& [topic, message] : retained_) {
    if (matches(filter, topic)) deliver(party, message);
  }
}

void SimBroker::publish(const PartyPtr& party, Message message, Acked acked) {
  message.properties["MCP-COMPONENT-TYPE"] = "mcp-client";
  message.properties.emplace("MCP-MQTT-CLIENT-ID", party->id);
  message.properties[std::string(user_property)] = std::to_string(party->user);
  const auto sent = std::make_shared<Sent>(Sent{std::move(message), std::move(acked)});
  party->unacknowledged.push_back(sent);
  enqueue(party, lane_from(party->id, sent->message.topic), [this, party, sent] { arrive(party, sent); });
}

void SimBroker::arrive(const PartyPtr& party, const std::shared_ptr<Sent>& sent) {
  if (sent->is_lost || party->is_lost || !is_up_) return;
  sent->is_routed = true;
  const unsigned reason = route(sent->message, party->id) ? 0 : no_subscriber;
  simulation_.in(ack_delay() + simulation_.random.below_64(simulation_.faults.latency), [this, party, sent, reason] {
    const auto found = std::find(party->unacknowledged.begin(), party->unacknowledged.end(), sent);
    if (!party->is_open || simulation_.now() < party->away_until || found == party->unacknowledged.end()) return;
    party->unacknowledged.erase(found);
    if (sent->acked) sent->acked(reason);
  });
}

void SimBroker::leave(const PartyPtr& party) { end(party, false); }

void SimBroker::vanish(const PartyPtr& party, Time most) {
  party->take = [](const Message&) {};
  party->end = [] {};
  simulation_.in(1 + simulation_.random.below_64(most), [this, party] { end(party, true); });
}

// The client publishes again what was not acknowledged. The broker may have got it.
void SimBroker::interrupt(const PartyPtr& party) {
  ++simulation_.counts["interrupted clients"];
  party->away_until = simulation_.now() + 500 + simulation_.random.below(4000);
  simulation_.trace("broker: the connection of %s is interrupted", party->id.c_str());
  for (const auto& sent : party->unacknowledged) {
    if (sent->message.qos == 0) continue;
    if (!sent->is_routed && simulation_.random.one_in(2)) sent->is_lost = true;
    ++simulation_.counts["published again"];
    enqueue(party, lane_from(party->id, sent->message.topic), [this, party, sent] {
      sent->is_lost = false;
      arrive(party, sent);
    });
  }
}

// ---- The connection of the device -----------------------------------------------------------------------------------

mcp::Connection* SimBroker::do_dial(std::string_view, std::uint16_t) {
  ++simulation_.counts["dialed"];
  const bool is_full = simulation_.in_thousand(simulation_.faults.no_accept);
  if (!is_up_ || is_full) disturb();
  if (is_full || (!is_up_ && simulation_.random.one_in(2))) {
    set_reason(is_full ? mcp::DialProblem::in_use : mcp::DialProblem::unreachable);
    return nullptr;
  }
  set_reason(mcp::DialProblem::refused);
  const auto link = std::make_shared<Link>();
  link->wire = std::make_shared<FakeConnection>(simulation_, static_cast<int>(simulation_.counts["dialed"]));
  link->heard = simulation_.now();
  link->wire->on_receive = [this, link](std::string_view bytes, bool broken) { receive(link, bytes, broken); };
  links_.push_back(link);
  if (!is_up_) end_link(link, false);
  return link->wire.get();
}

void SimBroker::end_link(const LinkPtr& link, bool publishes_will) {
  if (std::exchange(link->is_over, true)) return;
  disturb();
  if (link->party != nullptr) {
    end(link->party, publishes_will);
    link->party->take = nullptr;
  }
  std::erase_if(delivered_, [](const auto& list) { return list.first != "control"; });
  simulation_.random.one_in(2) ? link->wire->leave() : link->wire->reset();
}

std::size_t SimBroker::held() {
  for (const LinkPtr& link : links_) {
    if (link->wire->misused()) simulation_.fail("a connection was used in a way that is not allowed");
    if (link->is_over && link->wire->released()) link->wire->on_receive = nullptr;
  }
  std::erase_if(links_, [](const LinkPtr& link) { return link->is_over && link->wire->released(); });
  return static_cast<std::size_t>(
      std::count_if(links_.begin(), links_.end(), [](const LinkPtr& link) { return !link->wire->released(); }));
}

void SimBroker::receive(const LinkPtr& link, std::string_view bytes, bool broken) {
  if (link->is_over) return;
  if (bytes.empty()) {
    const bool is_expected = !simulation_.flawless || simulation_.jumped_at() != 0;
    if (link->party != nullptr && !is_expected) simulation_.fail("the device ends its connection without a reason");
    simulation_.trace("broker: the device has gone%s", broken ? ", broken" : "");
    return end_link(link, true);
  }
  link->heard = simulation_.now();
  link->in += bytes;
  for (std::size_t size = link->in.size(); !link->is_over; size = link->in.size()) {
    const std::optional<MqttPacket> packet = test::take_mqtt_packet(link->in);
    if (!packet) return;
    if (limits.max_packet != 0 && link->party != nullptr && size - link->in.size() > limits.max_packet)
      simulation_.fail("a packet is larger than the broker accepts");
    take(link, *packet);
  }
}

void SimBroker::take(const LinkPtr& link, const MqttPacket& packet) {
  MqttReader reader(packet.body);
  if ((link->party == nullptr) != (packet.first == 0x10)) simulation_.fail("CONNECT is not the first packet");
  switch (packet.first) {
    case 0x10: return take_connect(link, reader);
    case 0x82: return take_subscribe(link, reader);
    case 0xA2: return take_unsubscribe(link, reader);
    case 0x40: return take_puback(link, reader.number());
    case 0xC0: return send(link, std::string("\xD0\0", 2));
    case 0xE0: return take_disconnect(link, reader.empty() ? 0 : reader.byte());
    default: break;
  }
  if (packet.first >> 4 != 3) simulation_.fail("the device sends a packet of type " + std::to_string(packet.first));
  take_publish(link, packet.first, reader);
}

void SimBroker::take_connect(const LinkPtr& link, MqttReader& reader) {
  const test::MqttConnect connect = reader.connect();
  if (simulation_.in_thousand(faults.refuse)) return refuse(link);
  // The older connection of the same client ends, with its will.
  for (const LinkPtr& other : std::list<LinkPtr>(links_)) {
    if (other != link && other->party != nullptr) end_link(other, true);
  }
  ++device_connections_;
  link->keep_alive_s = connect.keep_alive_s;
  link->party = this->connect(
      connect.client_id, 0, connect.will,
      [this, link](const Message& message) {
        if (link->is_over) return;
        link->queue.push_back({message, 0, false});
        pump(link);
      },
      [] {});
  std::string properties;
  if (limits.receive_maximum != 0) properties += "\x21" + test::mqtt_number(limits.receive_maximum);
  if (limits.max_packet != 0) properties += std::string("\x27\0\0", 3) + test::mqtt_number(limits.max_packet);
  send(link, test::mqtt_packet(0x20, std::string(2, '\0') + test::mqtt_varint(properties.size()) + properties));
}

void SimBroker::refuse(const LinkPtr& link) {
  constexpr unsigned reasons[] = {0x80, 0x87, 0x88, 0x89, 0x97, 0x9F};
  ++simulation_.counts["refused connections"];
  const auto reason = static_cast<char>(reasons[simulation_.random.below(std::size(reasons))]);
  send(link, test::mqtt_packet(0x20, std::string(1, '\0') + reason + '\0'));
  link->is_over = true;
  disturb();
  link->wire->half_close();
}

void SimBroker::take_subscribe(const LinkPtr& link, MqttReader& reader) {
  const unsigned id = reader.number();
  static_cast<void>(reader.properties());
  const std::string filter = reader.text();
  const unsigned options = reader.byte();
  if ((options & 3) != 1 || (options >> 4 & 3) != 2) simulation_.fail("a subscription with other options");
  link->party->filters[filter] = (options & 4) != 0;
  acknowledge(link, test::mqtt_packet(0x90, test::mqtt_number(id) + '\0' + '\x01'));
}

void SimBroker::take_unsubscribe(const LinkPtr& link, MqttReader& reader) {
  const unsigned id = reader.number();
  static_cast<void>(reader.properties());
  const bool existed = link->party->filters.erase(reader.text()) != 0;
  acknowledge(link, test::mqtt_packet(0xB0, test::mqtt_number(id) + '\0' + (existed ? '\0' : '\x11')));
}

void SimBroker::take_publish(const LinkPtr& link, unsigned first, MqttReader& reader) {
  unsigned id = 0;
  const Message message = reader.publish(first, id);
  const PartyPtr party = link->party;
  if (message.properties.count("MCP-MQTT-CLIENT-ID") == 0) simulation_.fail("a message without its sender");
  enqueue(party, lane_from(party->id, message.topic),
          [this, party, message] { static_cast<void>(route(message, party->id)); });
  if (id == 0) return;
  ++link->unacknowledged;
  if (limits.receive_maximum != 0 && link->unacknowledged > limits.receive_maximum)
    simulation_.fail("more messages without acknowledgement than the receive maximum");
  acknowledge(link, test::mqtt_puback(id, has_subscriber(message.topic, party->id) ? 0 : no_subscriber));
}

void SimBroker::take_puback(const LinkPtr& link, unsigned id) {
  if (!link->current || id != link->current->packet_id) simulation_.fail("an acknowledgement of nothing");
  Outgoing done = std::move(*link->current);
  link->current.reset();
  if (simulation_.in_thousand(faults.duplicate)) {
    ++simulation_.counts["duplicates"];
    done.dup = simulation_.random.one_in(2);
    if (!done.dup) done.packet_id = 0;
    const std::size_t place = simulation_.random.below(std::min<std::size_t>(link->queue.size() + 1, 3));
    link->queue.insert(link->queue.begin() + static_cast<std::ptrdiff_t>(place), std::move(done));
  }
  pump(link);
}

void SimBroker::take_disconnect(const LinkPtr& link, unsigned reason) {
  simulation_.trace("broker: the device says goodbye, %u", reason);
  const bool is_late = reason == 0x8D || reason == 4;  // keep alive, or the time limit of a connection
  if (reason != 0 && !(is_late && (!simulation_.flawless || simulation_.jumped_at() != 0)))
    simulation_.fail("the device ends its connection with the reason " + std::to_string(reason));
  end_link(link, reason != 0);
}

void SimBroker::send(const LinkPtr& link, const std::string& bytes) {
  link->out += bytes;
  flush(link);
}

void SimBroker::flush(const LinkPtr& link) {
  if (link->is_over || link->out.empty()) return;
  if (simulation_.now() < link->stalled_until)
    return simulation_.at(link->stalled_until, [this, link] { flush(link); });
  link->wire->send(std::exchange(link->out, {}));
}

void SimBroker::acknowledge(const LinkPtr& link, const std::string& bytes) {
  link->last_ack = std::max(link->last_ack, simulation_.now() + ack_delay());
  simulation_.at(link->last_ack, [this, link, bytes] {
    if (static_cast<unsigned char>(bytes[0]) == 0x40) --link->unacknowledged;
    send(link, bytes);
  });
}

// The device receives one message with QoS 1 at a time.
void SimBroker::pump(const LinkPtr& link) {
  while (!link->queue.empty() && !(link->current && link->queue.front().message.qos != 0)) {
    Outgoing next = std::move(link->queue.front());
    link->queue.pop_front();
    if (is_outside_window(next.message)) continue;
    if (next.message.qos != 0 && next.packet_id == 0) next.packet_id = link->last_id = link->last_id % 0xFFFF + 1;
    simulation_.trace("broker: to the device%s: %s %s", next.dup ? " again" : "", next.message.topic.c_str(),
                      next.message.payload.c_str());
    send(link, test::mqtt_publish(next.message, next.packet_id, next.dup));
    if (next.message.qos != 0) link->current = std::move(next);
  }
}

// True for a request that was delivered once, before so many others that the device need not know it any more.
bool SimBroker::is_outside_window(const Message& message) {
  const bool is_session = message.topic.starts_with(rpc_topics);
  if (!is_session && !message.topic.starts_with(control_topics)) return false;
  const auto json = test::parse_json(message.payload);
  const test::Json* const id = json ? json->find("id") : nullptr;
  if (id == nullptr || json->find("method") == nullptr) return false;
  const std::string& sender = message.properties.at("MCP-MQTT-CLIENT-ID");
  auto& list = delivered_[is_session ? sender : "control"];
  const std::size_t number = list.size();
  const auto [found, is_first] = list.emplace(sender + " " + id->raw, Delivery{number, simulation_.now()});
  // The clock of the device may jump while a message is on its way.
  const bool is_late =
      !is_session && (simulation_.faults.jumps || simulation_.now() - found->second.at > remembered_ms);
  const bool is_outside = !is_first && (is_late || number - found->second.number > remembered_);
  if (!is_first) ++simulation_.counts[is_outside ? "requests beyond the window" : "requests delivered twice"];
  return is_outside;
}

// ---- What goes wrong ------------------------------------------------------------------------------------------------

SimBroker::LinkPtr SimBroker::link() const {
  const auto found = std::find_if(links_.begin(), links_.end(),
                                  [](const LinkPtr& one) { return !one->is_over && one->party != nullptr; });
  return found != links_.end() ? *found : nullptr;
}

std::size_t SimBroker::clients() const { return parties_.size() - (link() != nullptr ? 1 : 0); }

void SimBroker::forget_clients() {
  lanes_.clear();
  delivered_.clear();
}

SimBroker::PartyPtr SimBroker::any_client() {
  if (parties_.empty()) return nullptr;
  const PartyPtr& party = parties_[simulation_.random.below(parties_.size())];
  const LinkPtr device = link();
  return device != nullptr && device->party == party ? nullptr : party;
}

SimBroker::PartyPtr SimBroker::other_than(std::uint64_t user) {
  const PartyPtr party = any_client();
  return party != nullptr && party->user != user ? party : nullptr;
}

void SimBroker::tick() {
  simulation_.in(tick_time, [this] { tick(); });
  check_device();
  if (!is_up_) return;
  if (simulation_.in_thousand(faults.restart)) return restart();
  if (const LinkPtr device = link(); device != nullptr) {
    if (simulation_.in_thousand(faults.stall_device)) {
      const Time length = simulation_.random.below(simulation_.random.one_in(3) ? 200'000 : 9000);
      device->wire->stall(length);
      // A short one within a long one does not end it.
      device->stalled_until = std::max(device->stalled_until, simulation_.now() + length);
      disturbed_ = device->stalled_until;
    }
    if (simulation_.in_thousand(faults.drop_device)) end_link(device, true);
  }
  if (simulation_.in_thousand(faults.interrupt)) {
    if (const PartyPtr party = any_client(); party != nullptr) interrupt(party);
  }
  if (simulation_.in_thousand(faults.drop_client)) {
    const PartyPtr party = any_client();
    if (party == nullptr) return;
    ++simulation_.counts["dropped clients"];
    party->is_lost = true;
    end(party, true);
    party->end();
  }
}

void SimBroker::check_device() {
  const LinkPtr device = link();
  const Time now = simulation_.now();
  if (is_device_online()) online_at_ = now;  // it notices a silent loss later, by its keep alive
  const Time since = std::max({disturbed_, simulation_.jumped_at(), online_at_});
  if (device != nullptr && device->keep_alive_s != 0 && now > device->stalled_until &&
      now - std::max(device->heard, device->stalled_until) > Time{device->keep_alive_s} * 1500)
    simulation_.fail("the device does not keep its connection alive");
  if (is_up_ && now > since && now - since > longest_return)
    simulation_.fail("the device is not online again within " + std::to_string(longest_return) + " ms");
}

void SimBroker::restart() {
  ++simulation_.counts["broker restarts"];
  simulation_.trace("broker: restarts");
  is_up_ = false;
  const bool publishes_wills = simulation_.random.one_in(2);
  for (const LinkPtr& one : std::list<LinkPtr>(links_)) end_link(one, publishes_wills);
  for (const PartyPtr& party : std::vector<PartyPtr>(parties_)) {
    party->is_lost = true;
    end(party, false);
    party->end();
  }
  if (!publishes_wills) {
    for (const auto& [key, lane] : lanes_) lane->waiting.clear();
  }
  if (simulation_.random.one_in(2)) retained_.clear();
  simulation_.in(500 + simulation_.random.below(60'000), [this] {
    is_up_ = true;
    disturb();
  });
}

}  // namespace sim
