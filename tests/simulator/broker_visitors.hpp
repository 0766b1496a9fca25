// SPDX-License-Identifier: Apache-2.0
// Clients behind a broker that write their own messages: strangers that use up what they can, and a witness that the
// device must serve beside them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/broker_client.hpp"
#include "simulator/sim_broker.hpp"
#include "simulator/site.hpp"

namespace sim {

class BrokerVisitor : public Visitor {
 public:
  BrokerVisitor(Simulation& simulation, SimBroker& broker, int number, std::uint64_t principal)
      : simulation_(simulation), broker_(broker), number_(number), principal_(principal) {}
  ~BrokerVisitor() override;

  void leave() override;

 protected:
  using Taker = std::function<void(const Json& answer)>;

  /// Connects under a new client id, in addition to the older connections. Needs SimBroker::is_up().
  void connect();
  /// Loses all connections.
  void drop();
  /// Calls the function later, unless the visitor has left.
  void after(Time ms, std::function<void()> what);
  /// Sends a request on the control topic, or on the RPC topic of the session.
  void ask(bool in_session, std::string_view method, std::string params, Taker taker = {});
  void initialize(Taker taker = {});
  void notify_initialized();
  /// Publishes a message; `id` is the client id that it states, empty for that of the visitor.
  void publish(const std::string& topic, const std::string& payload, const std::string& id = "");
  [[noreturn]] void complain(const std::string& what, std::string_view about = {}) const;
  std::string fresh_token() { return "c" + std::to_string(number_) + "-" + std::to_string(++tokens_); }

  std::shared_ptr<int> here_ = std::make_shared<int>();  // until this object is deleted
  Simulation& simulation_;
  SimBroker& broker_;
  int number_;
  std::uint64_t principal_;
  SimBroker::PartyPtr party_;
  bool gone_ = false;

 private:
  void take(const SimBroker::Message& message);

  std::vector<SimBroker::PartyPtr> parties_;
  int connections_ = 0;
  int tokens_ = 0;
  int ids_ = 0;
  std::map<std::string, Taker> takers_;  // by the ids of the requests
  std::set<std::string> rejected_;       // ids of initialize
};

/// What a stranger does, over and over.
enum class BrokerAttack {
  stateless_calls,   // as many calls and subscriptions as it gets, under one client id
  sessions,          // as many sessions as it gets, each under a new client id, without their end
  initialize_again,  // initialize under a client id that has a session
  wills,             // sessions with a call, whose client is lost
  topics_of_others,  // messages to the topics of other users, and under their client ids
};
inline constexpr int broker_attacks = 5;

class BrokerStranger final : public BrokerVisitor {
 public:
  BrokerStranger(Simulation& simulation, SimBroker& broker, int number, std::uint64_t principal, BrokerAttack attack)
      : BrokerVisitor(simulation, broker, number, principal), attack_(attack) {}

  void start() override { act(); }

 private:
  void act();
  void act_once();
  void disturb(const std::string& victim);

  BrokerAttack attack_;
};

/// What a witness may expect of the device.
struct BrokerTerms {
  Time answer = 0;       // ms from a request to its response
  bool session = false;  // a session slot is free in addition to those of the strangers
  bool calls = false;    // so is a stateless call
};

class BrokerWitness final : public BrokerVisitor {
 public:
  BrokerWitness(Simulation& simulation, SimBroker& broker, int number, std::uint64_t principal, BrokerTerms terms)
      : BrokerVisitor(simulation, broker, number, principal), terms_(terms) {}

  void start() override;
  void check() const override;

 private:
  void expect(const std::string& what, bool in_session, std::string_view method, const std::string& params,
              const Taker& taker);
  void begin();
  void echo(bool in_session);
  void count(bool in_session);

  BrokerTerms terms_;
  std::uint64_t echoes_ = 0;
  std::uint64_t in_session_ = 0;
  std::uint64_t counted_ = 0;
};

}  // namespace sim
