// SPDX-License-Identifier: Apache-2.0
// A client behind a broker: a session on its RPC topic, or stateless requests on the control topic.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/client.hpp"
#include "simulator/sim_broker.hpp"

namespace sim {

/// The device behind the broker.
inline constexpr std::string_view broker_server_id = "boiler-7";
inline constexpr std::string_view broker_server_name = "house/boiler";

std::string device_topic(std::string_view kind);  // "" (control), "presence/" or "capability/"
std::string rpc_topic(std::string_view client_id);
std::string client_presence_topic(std::string_view client_id);
std::string client_id_of(int number, int connection);
/// The id of requests that strangers send to topics of other users.
inline constexpr std::string_view strange_id = R"("stranger")";
/// True for an error that is the response to one of them.
bool is_for_a_stranger(const Json& message);
/// What a client publishes, or its will, when it leaves.
inline constexpr char disconnected[] = R"({"jsonrpc":"2.0","method":"notifications/disconnected"})";

class BrokerClient final : public Client {
 public:
  BrokerClient(Simulation& simulation, SimBroker& broker, int number, Revision revision, std::uint64_t principal)
      : Client(simulation, number, revision, principal), broker_(broker) {}
  ~BrokerClient() override;

  void leave() override;

 private:
  void post(const std::string& message, const std::vector<std::string>& ids) override;
  void cancel(const std::string& id) override;
  void begin() override { connect(); }
  void on_ready() override;
  void on_session_lost() override;
  [[nodiscard]] bool listens(Time) const override { return is_online_ && (!is_stateless() || is_acknowledged()); }
  [[nodiscard]] bool may_lose() const override { return true; }

  void connect();
  void connect_later(Time ms);
  void close();
  void publish(const std::string& topic, const std::string& message, const std::vector<std::string>& ids,
               unsigned qos = 1);
  void lose_soon(const std::vector<std::string>& ids);
  void give_up(const std::vector<std::string>& ids);
  [[nodiscard]] std::vector<std::string> open_ids() const;

  void take_message(const SimBroker::Message& message);
  void take_presence(bool online);
  void take_rpc(const std::string& payload);
  void take_disconnected(const std::string& payload);
  void take_end();
  bool takes_error(const Json& message);
  [[nodiscard]] bool is_of_an_old_subscription(const Json& message) const;

  SimBroker& broker_;
  SimBroker::PartyPtr party_;
  int connections_ = 0;
  bool is_online_ = false;           // the device, as its presence says
  bool has_begun_ = false;           // this connection has sent initialize
  std::uint64_t device_ = 0;         // the connection of the device when the client sent initialize
  std::set<std::string> abandoned_;  // subscriptions that the client does not wait for any more
};

}  // namespace sim
