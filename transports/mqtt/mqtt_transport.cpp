// SPDX-License-Identifier: Apache-2.0
// MCP over MQTT: topics, sessions and stateless requests.
#include "mcp/mqtt_transport.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "mcp/assert.hpp"
#include "mcp/json/text.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/mqtt/topic.hpp"
#include "mcp/rpc/written.hpp"

namespace mcp {
namespace {

using mqtt::Peer;
using mqtt::Problem;

constexpr std::size_t none = static_cast<std::size_t>(-1);

constexpr std::string_view rpc_topics = "$mcp-rpc/";
constexpr std::string_view control = "$mcp-server/";
constexpr std::string_view presence = "$mcp-server/presence/";
constexpr std::string_view capability = "$mcp-server/capability/";
constexpr std::string_view client_presence = "$mcp-client/presence/";
constexpr std::string_view client_capability = "$mcp-client/capability/";

// In the order of Topic. The first ones are the filters of one client, each a bit of Peer::wanted.
constexpr std::string_view prefixes[] = {rpc_topics, client_presence, client_capability, control};
constexpr unsigned filters = 3;
constexpr std::uint8_t session_filters = 7;
constexpr std::uint8_t call_filters = 2;

// Tags of packets. The tag of a packet about a client is the index of its peer, which is below 250.
constexpr std::uint8_t own_tag = 0xFF;  // of the control topic and the presence message
constexpr std::uint8_t no_tag = 0xFE;   // of no client, or of a client that has left

// Maximum of messages that one poll() reads, so that the main loop can do other work.
constexpr unsigned turns = 32;

constexpr std::size_t longest_topic = 352;

// The broker drops messages longer than this number of receive buffers, which would keep the device busy. It sends
// shorter ones, so that the client gets an error.
constexpr std::size_t most_receive_buffers = 16;

// After this time, a request with a remembered id is a new request, because the client may have started again.
constexpr Millis remembered_ms = 600'000;

// A remembered request: 41 bits of its hash, a bit, and the time of the request. The bit is set if the connection has
// ended since. The time is in units of 1024 ms, and wraps with the time of the device.
constexpr std::uint64_t lost_bit = 0x40'0000;
constexpr unsigned time_mask = 0x3F'FFFF;
constexpr unsigned hash_shift = 23;

bool has_wildcard(std::string_view text) { return text.find_first_of("+#") != text.npos; }

bool is_client_id(std::string_view id) {
  return !id.empty() && id.find('/') == id.npos && !has_wildcard(id) && mqtt::is_valid_string(id);
}

// Removes `prefix` from the beginning of `text`, if it is there.
bool skip_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Hashes from a secret start.
std::uint64_t hash(std::string_view text, std::uint64_t start) {
  for (const char c : text) start = rpc::hash_byte(c, start);
  return start;
}

// A topic on the stack.
class TopicName {
 public:
  // `prefix` and the id and name of the server.
  TopicName(std::string_view prefix, std::string_view id, std::string_view name) { add(prefix).add_server(id, name); }
  TopicName(std::string_view prefix, std::string_view client) { add(prefix).add(client); }
  TopicName& add_server(std::string_view id, std::string_view name) { return add(id).add("/").add(name); }
  TopicName& add(std::string_view part) {
    MCP_ASSERT(part.size() <= sizeof text_ - size_);
    std::memcpy(text_ + size_, part.data(), part.size());
    size_ += part.size();
    return *this;
  }
  [[nodiscard]] std::string_view view() const { return {text_, size_}; }

 private:
  std::size_t size_ = 0;
  char text_[longest_topic];
};

}  // namespace

bool is_valid(const MqttOptions& options) {
  // Otherwise its control topic is the presence or capability topic of another device.
  const bool is_reserved = options.server_id == "presence" || options.server_id == "capability";
  return !options.brokers.empty() && is_client_id(options.server_id) && !is_reserved &&
         mqtt::is_valid_topic(options.server_name) && options.keep_alive_s >= 5 &&
         options.server_id.size() + options.server_name.size() <= 192;
}

// ---- Connections ----------------------------------------------------------------------------------------------------

const char* MqttTransport::problem() const {
  switch (problem_) {
    case Problem::none: break;
    case Problem::lost: return "the connection to the broker is lost";
    case Problem::no_response: return "the broker does not respond";
    case Problem::fault: return "the broker broke a rule of MQTT";
    case Problem::ended: return "the broker has ended the connection";
    case Problem::refused: return "the broker has refused the connection";
    case Problem::not_dialed: return dialer_->problem();
    case Problem::late: return "the broker has not accepted the connection in time";
    case Problem::invalid_name: return "the broker has given the device a name that it cannot use";
    case Problem::refuses_control: return "the broker refuses the subscription to the control topic";
    case Problem::refuses_presence: return "the broker refuses the presence message";
    case Problem::packets_too_small: return "the largest packet that the broker accepts is too small";
    case Problem::left: return "the device has left";
  }
  return "no connection has ended";
}

// The longest topic, and the buffer for sent packets, have space for a name of the server.
bool MqttTransport::fits(std::string_view name) const {
  const std::size_t names = options_->server_id.size() + name.size();
  return names <= 192 && storage_.out.size() >= rpc_topics.size() + storage_.limits.client_id_size +
                                                    options_->server_id.size() + names + 96;
}

void MqttTransport::begin(Millis now) {
  MCP_ASSERT(is_valid(*options_));
  MCP_ASSERT(fits(options_->server_name));
  const bool has_secret = !options_->user_name.empty() || !options_->password.empty();
  MCP_ASSERT(!has_secret || options_->plaintext_credentials || dialer_->is_encrypted());
  if (server_->has_stateless()) shared_ = server_->open_shared(now);
  has_begun_ = true;
  begun_ms_ = now;
}

// Simultaneous connections of all devices would overload a broker that has restarted.
void MqttTransport::lose(Problem problem, mqtt::Reason reason) {
  problem_ = problem;
  reason_ = reason;
  // The broker may have ended, too, and lost responses that it has acknowledged.
  const std::size_t count = storage_.limits.remembered;
  for (std::uint64_t& request : storage_.requests.subspan(storage_.session_peers * count, count)) {
    if (request != 0) request |= lost_bit;
  }
  for (std::size_t i = 0; i < storage_.peers.size(); ++i) {
    end_peer(i, false);
    storage_.peers[i] = {};
  }
  incoming_ = {};
  answer_size_ = answer_begin_ = rest_size_ = 0;
  name_size_ = 0;
  owes_turn_ = false;
  if (state_ == State::leaving) {
    state_ = State::stopped;
    return;
  }
  if (state_ == State::online && now_ - begun_ms_ >= storage_.limits.stable_ms) failures_ = 0;
  const MqttLimits& limits = storage_.limits;
  Millis most = limits.min_retry_ms;
  for (unsigned i = 0; i < failures_ && most < limits.max_retry_ms; ++i) most *= 2;
  most = std::min(most, limits.max_retry_ms);
  if (failures_ < 32) ++failures_;
  std::uint8_t random[4] = {};
  const bool has_random = entropy_->fill(random);
  std::uint32_t number = 0;
  std::memcpy(&number, random, sizeof number);
  constexpr Millis least = 100;
  retry_ms_ = has_random ? least + number % (most - least + 1) : most;
  broker_ = static_cast<std::uint8_t>((broker_ + 1U) % std::min<std::size_t>(options_->brokers.size(), 255));
  state_ = State::waiting;
  begun_ms_ = now_;
}

void MqttTransport::dial() {
  const MqttBroker& broker = options_->brokers[broker_];
  Connection* const connection = dialer_->dial(broker.host, broker.port);
  state_ = State::connecting;
  begun_ms_ = now_;
  step_ = Step::connect;
  own_acks_ = 0;
  if (connection == nullptr) return lose(Problem::not_dialed, mqtt::Reason::success);
  std::uint8_t random[sizeof secret_] = {};
  if (!has_secret_ && entropy_->fill(random)) {
    std::memcpy(&secret_, random, sizeof secret_);
    has_secret_ = true;
  }
  client_.open(*connection, now_);
  const TopicName will_topic(presence, options_->server_id, options_->server_name);
  const mqtt::Will will{.topic = will_topic.view(), .retain = true};
  const mqtt::UserProperty properties[] = {{"MCP-COMPONENT-TYPE", "mcp-server"}, {"MCP-META", options_->meta}};
  mqtt::Connect connect{.client_id = options_->server_id, .keep_alive_s = options_->keep_alive_s};
  connect.receive_maximum = 1;  // the next message is read after this one is executed
  connect.max_packet_size = static_cast<std::uint32_t>(
      std::min<std::size_t>(server_->receive_size() * most_receive_buffers + storage_.head.size(), UINT32_MAX));
  connect.user_properties = std::span(properties).first(options_->meta.empty() ? 1 : 2);
  connect.will = &will;
  if (!options_->user_name.empty()) connect.user_name = options_->user_name;
  if (!options_->password.empty()) connect.password = options_->password;
  const bool fits = client_.connect(server_->transmit_buffer(), connect);
  MCP_ASSERT(fits);
}

void MqttTransport::leave() {
  if (state_ == State::stopped || state_ == State::leaving) return;
  begun_ms_ = now_;
  const bool is_accepted = client_.is_open() && step_ != Step::connect;
  for (std::size_t i = 0; i < storage_.peers.size(); ++i) end_peer(i, is_accepted);
  if (is_accepted) {
    step_ = Step::withdraw;
    state_ = State::leaving;
  } else {
    client_.close();
    state_ = State::stopped;
  }
}

Millis MqttTransport::poll(Millis now) {
  now_ = now;
  if (!has_begun_) begin(now);
  if (std::exchange(stops_, false)) leave();
  bool moved = true;
  for (unsigned i = 0; moved && i < turns; ++i) moved = turn();
  if (state_ == State::stopped) return forever;
  if (moved) return 0;
  const Millis passed = now - begun_ms_;
  if (state_ == State::waiting) return retry_ms_ - passed;
  const Millis timeout = storage_.limits.connect_timeout_ms;
  const Millis left = state_ == State::online ? forever : timeout - passed;
  if (step_ == Step::connect) return left;
  // Output that cannot be sent now becomes due with an event of the network.
  const Millis work = client_.can_send() && client_.can_publish() ? server_->poll(now) : forever;
  return std::min({left, work, client_.due(now)});
}

// Makes one step. Returns false if there is no work before the next event.
bool MqttTransport::turn() {
  if (state_ == State::stopped) return false;
  if (state_ == State::waiting) {
    if (now_ - begun_ms_ < retry_ms_) return false;
    dial();
    return true;
  }
  // After each message, the other clients are served before the next message is read.
  const bool owes_turn = owes_turn_ && client_.can_send();
  const mqtt::Client::Event event = owes_turn ? mqtt::Client::Event::none : client_.poll(now_);
  const bool is_busy = event == mqtt::Client::Event::busy;
  if (handle_event(event) && !is_busy) return true;
  // A late poll() first reads the bytes that the broker has sent before the time limit.
  if (state_ != State::online && now_ - begun_ms_ >= storage_.limits.connect_timeout_ms) {
    drop(mqtt::Reason::disconnect_with_will, state_ == State::connecting ? Problem::late : Problem::left);
    return true;
  }
  if (!client_.can_send()) return is_busy;
  static_cast<void>(find_ended());
  const bool has_sent = send() || find_ended();
  if (!has_sent) owes_turn_ = false;
  return has_sent || owes_turn || is_busy;
}

// Returns false if there is none.
bool MqttTransport::handle_event(mqtt::Client::Event event) {
  using Event = mqtt::Client::Event;
  switch (event) {
    case Event::none: return false;
    case Event::connected: handle_connack(); break;
    case Event::message: handle_head(); break;
    case Event::payload: handle_piece(); break;
    case Event::message_end: incoming_.is_complete = true; break;
    case Event::acknowledged: handle_ack(); break;
    case Event::busy: owes_turn_ = true; break;
    case Event::ended: {
      const bool never = step_ == Step::connect && client_.problem() == Problem::lost;
      const bool has_reason = dialer_->reason() != DialProblem::none;
      lose(never && has_reason ? Problem::not_dialed : client_.problem(), client_.reason());
    }
  }
  return true;
}

void MqttTransport::handle_connack() {
  if (!client_.connack().retain_available())
    return drop(mqtt::Reason::success, Problem::refuses_presence, mqtt::Reason::retain_not_supported);
  if (client_.connack().maximum_qos() == 0)
    return drop(mqtt::Reason::success, Problem::refuses_presence, mqtt::Reason::qos_not_supported);
  const std::optional<std::string_view> name = client_.connack().user_property(given_name);
  if (name && *name != options_->server_name) {
    if (name->size() > sizeof name_ || !fits(*name) || !mqtt::is_valid_topic(*name))
      return drop(mqtt::Reason::success, Problem::invalid_name);
    std::memcpy(name_, name->data(), name->size());
    name_size_ = name->size();
  }
  step_ = Step::subscribe;
}

// Closes the connection, and sends the reason `said` to the broker.
void MqttTransport::drop(mqtt::Reason said, Problem problem, mqtt::Reason why) {
  client_.close(said);
  lose(problem, why);
}

void MqttTransport::handle_ack() {
  const mqtt::Flight flight = client_.flight();
  const bool is_message = flight.type == mqtt::PacketType::publish;
  const bool is_own = flight.tag == own_tag;
  const mqtt::Reason reason = client_.ack().reason();
  if (!mqtt::is_error(reason)) {
    // Waits for the acknowledgements of the control topic and of the presence message, in any order.
    if (is_own && ++own_acks_ == 2 && state_ == State::connecting) {
      state_ = State::online;
      begun_ms_ = now_;
    }
    // The will of a client may come before its last request, which would then never end.
    const bool is_unheard = is_message && reason == mqtt::Reason::no_matching_subscribers;
    if (is_unheard && flight.tag < storage_.peers.size()) end_client(name_of(flight.tag), 0);
    return;
  }
  if (is_own) {
    // The broker may have the presence message, which the will removes.
    return drop(mqtt::Reason::disconnect_with_will, is_message ? Problem::refuses_presence : Problem::refuses_control,
                reason);
  }
  // Without the topic of its requests, a session is useless.
  if (flight.type == mqtt::PacketType::subscribe && flight.tag < storage_.session_peers) end_peer(flight.tag, true);
}

// ---- Received messages ----------------------------------------------------------------------------------------------

void MqttTransport::handle_head() {
  const mqtt::Publish publish = client_.message();
  // A message with QoS 1 replaces the first response of a session, so the client does not know of the session.
  if (answer_size_ != 0 && incoming_.begins_session) end_client(sender(), 0);
  incoming_ = {};
  answer_size_ = answer_begin_ = 0;  // the response to a message with QoS 0, which may be lost
  incoming_.is_too_long = publish.payload_size > server_->receive_size();
  const std::string_view name = server_name();
  const auto is_here = [&](std::string_view rest) {
    return skip_prefix(rest, options_->server_id) && skip_prefix(rest, "/") && rest == name;
  };
  std::string_view client = publish.topic;
  unsigned prefix = 0;
  while (prefix < std::size(prefixes) && !skip_prefix(client, prefixes[prefix])) ++prefix;
  auto topic = static_cast<Topic>(prefix);
  std::string_view receiver = client;
  if (topic == Topic::rpc) {
    client = {client.data(), std::min(client.find('/'), client.size())};
    receiver.remove_prefix(client.size());
    if (!skip_prefix(receiver, "/") || !is_here(receiver)) topic = Topic::other;
  } else if (topic == Topic::control) {
    client = publish.user_property("MCP-MQTT-CLIENT-ID").value_or(std::string_view());
    if (!is_here(receiver)) topic = Topic::other;
  }
  // A retained message would be executed again after each connection.
  if (topic == Topic::other || !is_client_id(client) || client.size() > sizeof sender_ || publish.retain) return;
  incoming_.topic = topic;
  incoming_.client_size = static_cast<std::uint8_t>(client.size());
  std::memcpy(sender_, client.data(), client.size());
  incoming_.client_key = hash(client, secret_);
  if (options_->authorizer != nullptr)
    incoming_.grant = options_->authorizer->check({sender(), topic != Topic::control, publish});
}

void MqttTransport::handle_piece() {
  const std::span<const char> piece = client_.payload();
  if (incoming_.is_too_long) return incoming_.finder.feed({piece.data(), piece.size()});
  std::memcpy(server_->receive_buffer().data() + incoming_.size, piece.data(), piece.size());
  incoming_.size += piece.size();
}

// A sender on the control topic may state the client id of another client, but not its user.
std::uint64_t MqttTransport::request_key(std::string_view id) const {
  const std::uint64_t principal = incoming_.grant.principal;
  return rpc::hash_id(id, hash({reinterpret_cast<const char*>(&principal), sizeof principal}, incoming_.client_key));
}

// A broker, or a client that has lost its connection, may deliver a message with QoS 1 twice.
bool MqttTransport::is_repeated(std::size_t list) {
  if (incoming_.id.empty()) return false;
  const std::uint64_t key = request_key(incoming_.id);
  const auto now = static_cast<unsigned>(now_ >> 10U) & time_mask;
  const std::size_t count = storage_.limits.remembered;
  std::uint64_t* const known = storage_.requests.data() + list * count;
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned age = (now - static_cast<unsigned>(known[i])) & time_mask;
    // A client uses an id only once in a session, so ids of sessions do not expire.
    if (list == storage_.session_peers && age > remembered_ms >> 10U) known[i] = 0;
    if ((known[i] ^ key) >> hash_shift != 0) continue;
    if ((known[i] & lost_bit) != 0) {
      known[i] &= ~lost_bit;
      answer_error("This request came before a connection was lost; the call may have taken effect.");
    }
    return true;
  }
  std::memmove(known + 1, known, (count - 1) * sizeof key);
  known[0] = (key >> hash_shift << hash_shift) | now;
  return false;
}

void MqttTransport::answer_error(const char* text) {
  if (incoming_.id.empty()) return;
  answer_size_ = Server::reject(text, server_->transmit_buffer(), incoming_.id);
}

void MqttTransport::handle_message() {
  incoming_.is_complete = false;
  owes_turn_ = true;
  if (incoming_.topic == Topic::other) return;
  incoming_.is_too_long ? handle_too_long() : handle_whole();
}

// True for a message that has no further effect.
bool MqttTransport::read_sender() {
  if (!incoming_.grant.is_accepted) {
    answer_error("The sender is not accepted.");
    return true;
  }
  if (incoming_.topic == Topic::client_presence) {
    end_client(sender(), incoming_.grant.principal);
    return true;
  }
  if (incoming_.topic == Topic::control && incoming_.client_size > storage_.limits.client_id_size) {
    answer_error("The MQTT client id is too long.");
    return true;
  }
  return false;
}

void MqttTransport::handle_too_long() {
  if (!incoming_.finder.is_response()) incoming_.id = incoming_.finder.id();
  if (read_sender()) return;
  SessionId session;
  if (incoming_.topic != Topic::control) {
    const std::size_t peer = acquire_peer();
    if (peer == none) return;
    session = storage_.peers[peer].session;
  } else if (incoming_.finder.id().empty()) {
    return;  // a notification
  }
  answer_size_ = server_->receive_oversized(session, incoming_.finder, server_->transmit_buffer(), now_).size;
}

// Not inlined, so that the message is on the stack only while it is executed.
[[gnu::noinline]] void MqttTransport::handle_whole() {
  const ReceivedMessage message(*server_, server_->receive_buffer().first(incoming_.size));
  if (message.envelope().kind != rpc::Kind::response) incoming_.id = message.envelope().id;
  if (read_sender()) return;
  TransportInfo info(incoming_.grant.principal, incoming_.client_key);
  info.scopes = incoming_.grant.scopes;
  info.whole_messages = true;
  if (incoming_.topic == Topic::control) {
    handle_control(message, info);
  } else {
    handle_rpc(message, info);
  }
}

void MqttTransport::handle_control(const ReceivedMessage& message, const TransportInfo& info) {
  if (message.begins_session()) return begin_session(message, info);
  if (const std::optional<std::string_view> id = message.cancelled_id()) return cancel_call(*id);
  if (is_repeated(storage_.session_peers)) return;
  // A request that ends at once needs no slot. It runs in the last slot, which no call keeps.
  std::size_t call = has_share_of_calls() ? none : free_peer(false);
  const bool stays = call != none;
  if (!stays) call = storage_.peers.size() - 1;
  SessionId session = shared_;
  const auto channel = static_cast<Channel>(call);
  answer_size_ = server_->respond_first(session, message, server_->transmit_buffer(), now_, channel, &info).size;
  // The server has an error for each message without a session.
  if (!message.expects_response()) answer_size_ = 0;
  if (session == SessionId{} || !server_->serves(shared_, channel)) return;
  if (!stays) {
    server_->cancel(shared_, channel, now_);
    return answer_error("Cancelled, because all calls for this client are in use; try again later.");
  }
  name_peer(call, Peer::Use::call, shared_);
  storage_.peers[call].request = request_key(incoming_.id);
}

// A stateless request has no session in which the server could find it. Its key contains its client and user.
void MqttTransport::cancel_call(std::string_view id) {
  const std::uint64_t key = id.empty() ? 0 : request_key(id);
  for (std::size_t i = storage_.session_peers; i < storage_.peers.size(); ++i) {
    const Peer& peer = storage_.peers[i];
    if (peer.use == Peer::Use::call && peer.request == key) end_peer(i, false);
  }
}

void MqttTransport::begin_session(const ReceivedMessage& message, const TransportInfo& info) {
  const std::size_t peer = find_session(sender());
  if (peer != none) {
    // The broker may deliver initialize twice.
    if (storage_.peers[peer].request != request_key(incoming_.id) && !is_repeated(storage_.session_peers))
      answer_error("This MQTT client id has a session; use a new one to initialize.");
    return;
  }
  // The server ends no listening session of another client. A client that has vanished without a will no longer
  // listens.
  const auto set_listening = [this](bool all) {
    for (std::size_t i = 0; i < storage_.session_peers; ++i) {
      const Peer& other = storage_.peers[i];
      const bool is_silent = now_ - other.heard_ms >= storage_.limits.silent_ms;
      if (other.use == Peer::Use::session) server_->set_listening(other.session, all || !is_silent);
    }
  };
  set_listening(false);
  SessionId session;
  answer_size_ = server_->respond_first(session, message, server_->transmit_buffer(), now_, only_channel, &info).size;
  set_listening(true);
  if (session == SessionId{}) return;
  // The server has ended the session that had this slot before.
  for (std::size_t i = 0; i < storage_.session_peers; ++i) {
    Peer& other = storage_.peers[i];
    if (other.use != Peer::Use::session || other.session.index != session.index) continue;
    other.session = {};
    end_peer(i, true);
  }
  const std::size_t index = free_peer(true);
  MCP_ASSERT(index != none);
  name_peer(index, Peer::Use::session, session);
  storage_.peers[index].request = request_key(incoming_.id);
  incoming_.begins_session = true;
  server_->share_changes(session);
}

// The peer of the sender, which has a session; `none` without one.
std::size_t MqttTransport::acquire_peer() {
  const std::size_t peer = find_session(sender());
  if (peer == none) {
    answer_error("This MQTT client id has no session; initialize on the control topic.");
    return none;
  }
  std::uint64_t& principal = storage_.peers[peer].principal;
  if (principal == 0) principal = incoming_.grant.principal;
  if (principal != incoming_.grant.principal) {
    answer_error("The session belongs to another user.");
    return none;
  }
  storage_.peers[peer].heard_ms = now_;
  storage_.peers[peer].scopes = incoming_.grant.scopes;
  return peer;
}

void MqttTransport::handle_rpc(const ReceivedMessage& message, const TransportInfo& info) {
  const std::size_t peer = acquire_peer();
  if (peer == none) return;
  const rpc::Envelope& envelope = message.envelope();
  const bool leaves =
      envelope.kind == rpc::Kind::notification && json::equal(envelope.method, "notifications/disconnected");
  if (leaves) return end_peer(peer, false);
  if (is_repeated(peer)) return;
  const SessionId session = storage_.peers[peer].session;
  answer_size_ = server_->respond(session, message, server_->transmit_buffer(), now_, only_channel, &info).size;
  server_->share_changes(session);  // a second initialize begins the session again
}

// Ends a client that has left, by its message, by its will, or because its messages have no subscriber. A known user
// ends no session or call of another known user.
void MqttTransport::end_client(std::string_view client, std::uint64_t principal) {
  for (std::size_t i = 0; i < storage_.peers.size(); ++i) {
    const std::uint64_t owner = storage_.peers[i].principal;
    if (is_of(i, client) && (owner == principal || owner == 0 || principal == 0)) end_peer(i, false);
  }
}

// ---- Clients --------------------------------------------------------------------------------------------------------

std::string_view MqttTransport::name_of(std::size_t peer) const {
  return {storage_.names.data() + peer * storage_.limits.client_id_size, storage_.peers[peer].name_size};
}

bool MqttTransport::is_of(std::size_t peer, std::string_view client) const {
  return storage_.peers[peer].use != Peer::Use::none && name_of(peer) == client;
}

std::size_t MqttTransport::find_session(std::string_view client) const {
  for (std::size_t i = 0; i < storage_.session_peers; ++i) {
    if (storage_.peers[i].use == Peer::Use::session && is_of(i, client)) return i;
  }
  return none;
}

// The tag of a message to a client.
std::uint8_t MqttTransport::tag_of(std::string_view client) const {
  for (std::size_t i = 0; i < storage_.peers.size(); ++i) {
    if (is_of(i, client)) return static_cast<std::uint8_t>(i);
  }
  return no_tag;
}

std::size_t MqttTransport::free_peer(bool of_session) const {
  const std::size_t first = of_session ? 0 : storage_.session_peers;
  const std::size_t end = of_session ? storage_.session_peers : storage_.peers.size() - 1;
  for (std::size_t i = first; i < end; ++i) {
    if (storage_.peers[i].use == Peer::Use::none) return i;
  }
  return none;
}

// One user, or one client id of an unknown user, may use all calls but one.
bool MqttTransport::has_share_of_calls() const {
  const std::size_t calls = storage_.peers.size() - 1 - storage_.session_peers;
  std::size_t own = 0;
  for (std::size_t i = storage_.session_peers; i < storage_.peers.size(); ++i) {
    const Peer& peer = storage_.peers[i];
    const std::uint64_t user = incoming_.grant.principal;
    if (peer.use != Peer::Use::none && peer.principal == user && (user != 0 || is_of(i, sender()))) ++own;
  }
  return calls > 1 && own + 1 >= calls;
}

void MqttTransport::name_peer(std::size_t index, Peer::Use use, SessionId session) {
  Peer& peer = storage_.peers[index];
  const MqttGrant& grant = incoming_.grant;
  peer = {.session = session, .principal = grant.principal, .heard_ms = now_, .scopes = grant.scopes, .use = use};
  peer.name_size = static_cast<std::uint8_t>(incoming_.client_size);
  std::memcpy(storage_.names.data() + index * storage_.limits.client_id_size, sender_, incoming_.client_size);
  const bool is_session = use == Peer::Use::session;
  peer.wanted = is_session ? session_filters : call_filters;
  if (!is_session) return;
  const std::size_t count = storage_.limits.remembered;
  std::memset(storage_.requests.data() + index * count, 0, count * sizeof(std::uint64_t));
}

void MqttTransport::end_peer(std::size_t index, bool says_end) {
  Peer& peer = storage_.peers[index];
  if (peer.use == Peer::Use::session) server_->close(peer.session, now_);
  if (peer.use == Peer::Use::call) server_->cancel(shared_, static_cast<Channel>(index), now_);
  if (index == rest_peer_) rest_size_ = 0;
  if (peer.use == Peer::Use::none || peer.use == Peer::Use::ended) return;
  peer.says_end = says_end && peer.use == Peer::Use::session;
  peer.use = Peer::Use::ended;
  peer.wanted = 0;
}

// The server ends a session for a new session or without a response to its ping. Returns true if it has ended a session
// or a stateless request.
bool MqttTransport::find_ended() {
  bool found = false;
  for (std::size_t i = 0; i < storage_.peers.size(); ++i) {
    const Peer& peer = storage_.peers[i];
    if (rest_size_ != 0 && i == rest_peer_) continue;  // its last response is still to be sent
    const bool is_over = (peer.use == Peer::Use::session && !server_->is_open(peer.session)) ||
                         (peer.use == Peer::Use::call && !server_->serves(shared_, static_cast<Channel>(i)));
    if (!is_over) continue;
    end_peer(i, true);
    found = true;
  }
  return found;
}

// ---- Sent messages --------------------------------------------------------------------------------------------------

bool MqttTransport::publish(std::string_view topic, std::span<const char> payload, bool retain, std::uint8_t tag) {
  const mqtt::UserProperty properties[] = {{"MCP-COMPONENT-TYPE", "mcp-server"},
                                           {"MCP-MQTT-CLIENT-ID", options_->server_id}};
  const mqtt::PublishHead head{.topic = topic, .qos = 1, .retain = retain, .user_properties = properties};
  return client_.publish(head, payload, tag);
}

bool MqttTransport::subscribe(std::string_view filter, bool no_local, std::uint8_t tag) {
  return client_.subscribe(
      {.filter = filter, .qos = 1, .no_local = no_local, .retain_handling = mqtt::RetainHandling::omit}, tag);
}

// Sends the next packet that is due. Returns false if there is none, or if the limits of the broker allow none now. Not
// inlined, because its topics would stay on the stack during other calls of the caller.
[[gnu::noinline]] bool MqttTransport::send() {
  // After stop(), messages are not executed. Without their acknowledgement, the broker sends no further message.
  if (step_ >= Step::withdraw && answer_size_ != 0) return send_answer();
  if (step_ >= Step::withdraw && std::exchange(incoming_.is_complete, false)) {
    client_.acknowledge();
    return true;
  }
  switch (step_) {
    case Step::connect: break;
    case Step::subscribe: {
      const TopicName topic(control, options_->server_id, server_name());
      step_ = Step::announce;
      if (!subscribe(topic.view(), false, own_tag)) refuse();
      return true;
    }
    case Step::announce:
      if (!client_.can_publish()) return false;
      announce();
      return true;
    case Step::serve: return send_next();
    case Step::withdraw:
      if (const std::size_t peer = find_changed(); peer != none) return send_peer(peer);
      if (!client_.can_publish()) return false;
      withdraw();
      return true;
    case Step::leave:
      // Waits, because after DISCONNECT the will no longer removes the presence message.
      if (client_.has_flights()) return false;
      drop(mqtt::Reason::success, Problem::left);
      break;
  }
  return false;
}

bool MqttTransport::send_next() {
  if (const std::size_t peer = find_changed(); peer != none) return send_peer(peer);
  if (rest_size_ != 0) return send_rest();
  if (answer_size_ != 0) return send_answer();
  if (incoming_.is_complete) {
    handle_message();
    if (answer_size_ == 0) client_.acknowledge();
    return true;
  }
  owes_turn_ = false;
  return client_.can_publish() && send_own();
}

// Clients find the device by the presence message, so the subscriptions come first.
void MqttTransport::announce() {
  const std::string_view name = server_name();
  json::Writer out(server_->transmit_buffer());
  out.fragment(R"({"jsonrpc":"2.0","method":"notifications/server/online","params":{"server_name":)");
  out.string(name);
  out.fragment(R"("description":)");
  out.string(options_->description);
  if (!options_->meta.empty()) {
    out.fragment(R"("meta":)");
    out.raw(options_->meta);
  }
  out.fragment("}}");
  // The name from the broker may be longer than the name of the application.
  MCP_ASSERT(out.ok() || name_size_ != 0);
  if (!out.ok()) return drop(mqtt::Reason::success, Problem::invalid_name);
  const TopicName topic(presence, options_->server_id, name);
  if (!publish(topic.view(), {server_->transmit_buffer().data(), out.size()}, true, own_tag)) return refuse();
  step_ = Step::serve;
}

void MqttTransport::withdraw() {
  const TopicName topic(presence, options_->server_id, server_name());
  if (!publish(topic.view(), {}, true, own_tag)) return refuse();
  step_ = Step::leave;
}

// A broker may accept only packets that are smaller than the presence message, so that clients cannot find the device.
void MqttTransport::refuse() {
  drop(mqtt::Reason::implementation_specific_error, Problem::packets_too_small, mqtt::Reason::packet_too_large);
}

// Returns the first client that has a due packet.
std::size_t MqttTransport::find_changed() const {
  for (std::size_t i = 0; i < storage_.peers.size(); ++i) {
    const Peer& peer = storage_.peers[i];
    if (peer.wanted != peer.subscribed || peer.use == Peer::Use::ended) return i;
  }
  return none;
}

// Sends the next packet about a client. Returns false if the limits allow none now.
bool MqttTransport::send_peer(std::size_t index) {
  Peer& peer = storage_.peers[index];
  if (peer.says_end) {
    if (!client_.can_publish()) return false;
    peer.says_end = false;
    static_cast<void>(send_to(name_of(index), R"({"jsonrpc":"2.0","method":"notifications/disconnected"})"));
    return true;
  }
  const auto tag = static_cast<std::uint8_t>(index);
  const unsigned changes = peer.wanted ^ peer.subscribed;
  for (unsigned i = 0; i < filters; ++i) {
    const auto bit = static_cast<std::uint8_t>(1U << i);
    if ((changes & bit) == 0) continue;
    if (!client_.can_subscribe()) return false;
    peer.subscribed ^= bit;
    if (shares_filter(index, bit)) return true;
    TopicName filter(prefixes[i], name_of(index));
    if (i == 0) filter.add("/").add_server(options_->server_id, server_name());
    const bool wanted = (peer.wanted & bit) != 0;
    // The packet is smaller than the presence message, which the broker has accepted.
    static_cast<void>(wanted ? subscribe(filter.view(), i == 0, tag) : client_.unsubscribe(filter.view(), tag));
    return true;
  }
  peer.use = Peer::Use::none;  // ended
  // Another peer of the client may share the subscription, which the broker may still refuse.
  client_.replace_tag(tag, tag_of(name_of(index)));
  peer = {};
  return true;
}

// Requests of one client share one subscription, so the end of a request must not end the subscription for others.
bool MqttTransport::shares_filter(std::size_t index, std::uint8_t bit) const {
  for (std::size_t i = 0; i < storage_.peers.size(); ++i) {
    if (i != index && (storage_.peers[i].subscribed & bit) != 0 && is_of(i, name_of(index))) return true;
  }
  return false;
}

bool MqttTransport::send_to(std::string_view client, std::string_view text) {
  TopicName topic(rpc_topics, client);
  topic.add("/").add_server(options_->server_id, server_name());
  return publish(topic.view(), {text.data(), text.size()}, false, tag_of(client));
}

bool MqttTransport::send_answer() {
  if (!client_.can_publish()) return false;
  if (send_log(sender(), answer_begin_, answer_size_)) return true;
  const bool is_sent = send_message(sender(), answer_begin_, answer_size_);
  // The client does not know of the session.
  if (!is_sent && incoming_.begins_session) end_client(sender(), 0);
  answer_size_ = answer_begin_ = 0;
  client_.acknowledge();
  return true;
}

// Sends the log message at `begin`, and moves `begin` after it. Returns false if the message at `begin` is the last
// one.
bool MqttTransport::send_log(std::string_view client, std::size_t& begin, std::size_t size) {
  const char* const text = server_->transmit_buffer().data() + begin;
  const auto* const end = static_cast<const char*>(std::memchr(text, '\n', size - begin));
  if (end == nullptr) return false;
  const auto length = static_cast<std::size_t>(end - text) + 1;
  static_cast<void>(send_to(client, {text, length - Reply::gap}));  // lost if the broker rejects it
  begin += length;
  return true;
}

// Sends the rest of the output after the sent log messages. Returns false if the limits allow none now.
bool MqttTransport::send_rest() {
  if (!client_.can_publish()) return false;
  if (send_log(name_of(rest_peer_), rest_begin_, rest_size_)) return true;
  static_cast<void>(send_message(name_of(rest_peer_), rest_begin_, rest_size_));
  rest_size_ = 0;
  return true;
}

// Sends the message in the transmit buffer. Returns false if the broker does not accept a response, which an error then
// replaces.
bool MqttTransport::send_message(std::string_view client, std::size_t begin, std::size_t size) {
  const std::span<char> buffer = server_->transmit_buffer().first(size).subspan(begin);
  if (send_to(client, {buffer.data(), buffer.size()})) return true;
  const std::size_t error_size = rpc::replace_response(buffer, "The response is larger than the broker accepts.");
  if (error_size != 0) static_cast<void>(send_to(client, {buffer.data(), error_size}));
  return false;
}

bool MqttTransport::send_own() {
  // The tasks of stateless clients run without a call. The last slot has no call, so its messages are not sent.
  if (shared_ != SessionId{}) {
    const auto channel = static_cast<Channel>(storage_.peers.size() - 1);
    static_cast<void>(server_->transmit(shared_, server_->transmit_buffer(), now_, channel));
  }
  for (std::size_t step = 0; step < storage_.peers.size(); ++step) {
    const std::size_t i = (next_peer_ + step) % storage_.peers.size();
    const Peer& peer = storage_.peers[i];
    if (peer.use != Peer::Use::session && peer.use != Peer::Use::call) continue;
    const bool is_session = peer.use == Peer::Use::session;
    const Reply reply = server_->transmit(peer.session, server_->transmit_buffer(), now_,
                                          is_session ? only_channel : static_cast<Channel>(i), peer.scopes);
    if (reply.size == 0) continue;
    next_peer_ = static_cast<std::uint8_t>(i + 1);
    const std::string_view text(server_->transmit_buffer().data(), reply.size);
    if (reply.channel == shared_channel) {
      const TopicName topic(capability, options_->server_id, server_name());
      static_cast<void>(publish(topic.view(), {text.data(), text.size()}, false, no_tag));
    } else {
      rest_peer_ = static_cast<std::uint8_t>(i);
      rest_begin_ = 0;
      rest_size_ = reply.size;
      return send_rest();
    }
    return true;
  }
  return false;
}

}  // namespace mcp
