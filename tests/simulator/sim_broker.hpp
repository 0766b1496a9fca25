// SPDX-License-Identifier: Apache-2.0
// An MQTT broker in virtual time. The device connects with MQTT 5.0 over a connection of the simulated network, and the
// clients with function calls. It keeps messages, wills and subscriptions, and misbehaves as a seed says.
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mcp/port.hpp"
#include "simulator/simulation.hpp"
#include "support/mqtt_wire.hpp"

namespace sim {

/// How slow the broker is, and what goes wrong there. Chances are of a thousand.
struct BrokerFaults {
  Time delay = 0;                // of one message in ten, at most, in ms
  Time slow_ack = 0;             // of one acknowledgement in four, at most, in ms
  std::size_t duplicate = 0;     // of each message to the device: it is delivered twice
  std::size_t refuse = 0;        // of each CONNECT of the device
  std::size_t drop_device = 0;   // each 5 s, as all of the following
  std::size_t stall_device = 0;  // no byte moves for a while
  std::size_t drop_client = 0;
  std::size_t interrupt = 0;  // a client loses its connection and is back before its will is published
  std::size_t restart = 0;
};

/// What CONNACK announces. 0: no limit.
struct BrokerLimits {
  unsigned receive_maximum = 0;
  unsigned max_packet = 0;
};

class SimBroker final : public mcp::Dialer {
 public:
  using Message = test::MqttMessage;
  using Acked = std::function<void(unsigned reason)>;
  static constexpr unsigned no_subscriber = 0x10;
  /// The broker sets it in each message, but not in wills.
  static constexpr std::string_view user_property = "user";
  static bool is_of_client(const Message& message) { return message.properties.count(std::string(user_property)) != 0; }

  /// Work that is done in its order, each part after a delay.
  struct Lane {
    std::deque<std::function<void()>> waiting;
    bool is_busy = false;
  };
  /// A message of a client without acknowledgement.
  struct Sent {
    Message message;
    Acked acked;
    bool is_routed = false;
    bool is_lost = false;
  };
  /// Who is connected: the device, or a client.
  struct Party {
    std::string id;
    std::uint64_t user = 0;
    std::optional<Message> will;
    std::function<void(const Message&)> take;  // a message for it
    std::function<void()> end;                 // its connection has ended; not called after leave() and vanish()
    std::map<std::string, bool> filters;       // with No Local
    std::map<std::string, std::shared_ptr<Lane>> lanes;  // to it, by topic
    std::list<std::shared_ptr<Sent>> unacknowledged;
    bool is_open = true;
    bool is_lost = false;  // what it has sent does not arrive any more
    Time away_until = 0;
  };
  using PartyPtr = std::shared_ptr<Party>;

  /// `remembered`: MqttLimits::remembered of the device.
  SimBroker(Simulation& simulation, std::size_t remembered);
  ~SimBroker();

  // ---- For the clients ----

  [[nodiscard]] bool is_up() const { return is_up_; }
  /// Needs is_up(). `user`: as which the broker knows the client.
  PartyPtr connect(std::string id, std::uint64_t user, std::optional<Message> will,
                   std::function<void(const Message&)> take, std::function<void()> end);
  void subscribe(const PartyPtr& party, const std::string& filter, bool no_local = false);
  void publish(const PartyPtr& party, Message message, Acked acked = {});
  /// Ends the connection in order, after all that was sent. The will is discarded.
  void leave(const PartyPtr& party);
  /// A client of another user, or nullptr.
  [[nodiscard]] PartyPtr other_than(std::uint64_t user);
  /// The client has gone. The broker publishes the will when it notices, within `most` ms.
  void vanish(const PartyPtr& party, Time most);

  // ---- For the site ----

  BrokerFaults faults;
  BrokerLimits limits;
  /// Whether the device is online, and the longest time in which it must be again.
  std::function<bool()> is_device_online;
  Time longest_return = 0;

  /// Connections of the device so far.
  [[nodiscard]] std::uint64_t device_connections() const { return device_connections_; }
  /// Connections that the device has not closed.
  [[nodiscard]] std::size_t held();
  [[nodiscard]] const std::map<std::string, Message>& retained() const { return retained_; }
  [[nodiscard]] std::size_t clients() const;
  /// All clients have left.
  void forget_clients();

 private:
  struct Outgoing {
    Message message;
    unsigned packet_id = 0;  // 0: a new one
    bool dup = false;
  };
  /// One connection of the device.
  struct Link {
    std::shared_ptr<FakeConnection> wire;
    std::string in;
    std::string out;
    PartyPtr party;
    std::deque<Outgoing> queue;
    std::optional<Outgoing> current;  // without PUBACK
    unsigned last_id = 0;
    unsigned unacknowledged = 0;  // messages of the device
    unsigned keep_alive_s = 0;
    Time heard = 0;
    Time last_ack = 0;
    Time stalled_until = 0;
    bool is_over = false;
  };
  using LinkPtr = std::shared_ptr<Link>;

  // The device's connection.
  mcp::Connection* do_dial(std::string_view host, std::uint16_t port) override;
  void receive(const LinkPtr& link, std::string_view bytes, bool broken);
  void take(const LinkPtr& link, const test::MqttPacket& packet);
  void take_connect(const LinkPtr& link, test::MqttReader& reader);
  void take_publish(const LinkPtr& link, unsigned first, test::MqttReader& reader);
  void take_subscribe(const LinkPtr& link, test::MqttReader& reader);
  void take_unsubscribe(const LinkPtr& link, test::MqttReader& reader);
  void take_puback(const LinkPtr& link, unsigned id);
  void take_disconnect(const LinkPtr& link, unsigned reason);
  void refuse(const LinkPtr& link);
  void end_link(const LinkPtr& link, bool publishes_will);
  void send(const LinkPtr& link, const std::string& bytes);
  void flush(const LinkPtr& link);
  void acknowledge(const LinkPtr& link, const std::string& bytes);
  void pump(const LinkPtr& link);
  [[nodiscard]] bool is_outside_window(const Message& message);

  // Routing.
  [[nodiscard]] std::shared_ptr<Lane>& lane_from(const std::string& id, const std::string& topic) {
    return lanes_[{id, topic}];
  }
  void enqueue(const PartyPtr& party, std::shared_ptr<Lane>& lane, std::function<void()> what);
  void schedule(const PartyPtr& party, const std::shared_ptr<Lane>& lane);
  void arrive(const PartyPtr& party, const std::shared_ptr<Sent>& sent);
  bool route(const Message& message, const std::string& from);
  void deliver(const PartyPtr& party, Message message);
  [[nodiscard]] bool has_subscriber(const std::string& topic, const std::string& from) const;
  void publish_will(const PartyPtr& party);
  void end(const PartyPtr& party, bool publishes_will);
  [[nodiscard]] Time ack_delay();

  // What goes wrong.
  void tick();
  void check_device();
  void interrupt(const PartyPtr& party);
  void restart();
  [[nodiscard]] PartyPtr any_client();
  [[nodiscard]] LinkPtr link() const;
  void disturb() { disturbed_ = std::max(disturbed_, simulation_.now()); }

  Simulation& simulation_;
  std::size_t remembered_;
  std::vector<PartyPtr> parties_;
  std::list<LinkPtr> links_;
  std::map<std::string, Message> retained_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<Lane>> lanes_;  // by sender and topic
  // A request that was delivered to the device, the first time: its number in its list of the device.
  struct Delivery {
    std::size_t number;
    Time at;
  };
  // For each list of the device, by the key of the request.
  std::map<std::string, std::map<std::string, Delivery>> delivered_;
  bool is_up_ = true;
  std::uint64_t device_connections_ = 0;
  Time disturbed_ = 0;  // when the device last lost a connection, or could not get one
  Time online_at_ = 0;  // when it was last seen online
};

}  // namespace sim
