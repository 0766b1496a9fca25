// SPDX-License-Identifier: Apache-2.0
#include "simulator/broker_site.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "mcp/mqtt_transport.hpp"
#include "simulator/application.hpp"
#include "simulator/broker_client.hpp"
#include "simulator/broker_visitors.hpp"
#include "simulator/sim_broker.hpp"
#include "simulator/tracing.hpp"
#include "support/http_shape.hpp"

namespace sim {
namespace {

constexpr std::size_t transmit_buffer = 1536;
constexpr int first_visitor = 90'000;
constexpr std::uint64_t users = 3;
constexpr std::uint64_t stranger = users + 1;
constexpr std::uint64_t witness_user = users + 2;

constexpr mcp::MqttBroker brokers[] = {{.host = "broker.example"}};

/// The broker names the user of each message.
class BrokerUsers final : public mcp::MqttAuthorizer {
 private:
  mcp::MqttGrant do_check(const mcp::MqttSender& sender) override {
    const auto user = sender.message.user_property(SimBroker::user_property);
    return {.is_accepted = true,
            .principal = user ? std::strtoull(std::string(*user).c_str(), nullptr, 10) : 0,
            .scopes = mcp::Scopes::all()};
  }
};

// A third of the seeds have each of these faults.
BrokerFaults broker_faults_of(Simulation& simulation) {
  BrokerFaults faults;
  const auto some = [&](std::size_t most) {
    return simulation.random.one_in(3) ? 1 + simulation.random.below(most) : 0;
  };
  faults.delay = some(3000);
  faults.slow_ack = some(3000);
  faults.duplicate = some(500);
  faults.refuse = some(500);
  faults.drop_device = some(60);
  faults.stall_device = some(40);
  faults.drop_client = some(200);
  faults.interrupt = some(300);
  faults.restart = some(30);
  return faults;
}

BrokerLimits broker_limits_of(Simulation& simulation) {
  BrokerLimits limits;
  if (simulation.random.one_in(3)) limits.receive_maximum = static_cast<unsigned>(1 + simulation.random.below(4));
  if (simulation.random.one_in(6)) limits.max_packet = static_cast<unsigned>(700 + simulation.random.below(900));
  return limits;
}

template <mcp::MqttLimits limits, std::size_t sessions>
class BrokerSite final : public Site {
 public:
  explicit BrokerSite(Simulation& simulation)
      : Site(simulation),
        broker_(simulation, limits.remembered),
        usual_(simulation.flawless ? BrokerFaults{} : broker_faults_of(simulation)),
        knows_users_(simulation.random.one_in(2)),
        services_(simulation),
        sizes_(sizes_of(simulation, sessions, transmit_buffer, services_)),
        bench_(application, sizes_),
        options_{.brokers = brokers,
                 .server_id = broker_server_id,
                 .server_name = broker_server_name,
                 .keep_alive_s = static_cast<std::uint16_t>(5 + simulation.random.below(120)),
                 .authorizer = knows_users_ ? &authorizer_ : nullptr},
        port_(simulation, broker_),
        transport_(bench_.server, port_.get(), services_.entropy(), *storage_, options_) {
    broker_.limits = broker_limits_of(simulation);
    broker_.is_device_online = [this] { return transport_.state() == mcp::MqttTransport::State::online; };
    broker_.longest_return = limits.max_retry_ms + limits.connect_timeout_ms + 10'000;
    simulation.describe = [this] { return describe(); };
  }

  mcp::Millis serve() override { return transport_.poll(poll_time(simulation_)); }
  std::unique_ptr<Client> client(int number) override {
    const Revision revision = simulation_.random.one_in(2) ? Revision::r2025_11_25 : Revision::r2026_07_28;
    const std::uint64_t user = knows_users_ ? 1 + simulation_.random.below(users) : 0;
    return std::make_unique<BrokerClient>(simulation_, broker_, number, revision, user);
  }
  std::size_t in_use() override;
  test::Bench& bench() override { return bench_; }
  void set_calm(bool calm) override { broker_.faults = calm ? BrokerFaults{} : usual_; }
  [[nodiscard]] bool fits(const Crowd& with_session, const Crowd& without, bool strangers) const override {
    // A stateless client may have a second subscription, of its tasks.
    const Crowd subscriptions{2 * without.all, 2 * without.of_one};
    return !strangers && broker_.limits.max_packet == 0 && places(sessions - 1).fits(with_session, false) &&
           places(sizes_.subscriptions).fits(subscriptions, false) &&
           Places{limits.calls, 1}.fits(subscriptions, false);
  }
  std::vector<std::unique_ptr<Visitor>> strangers() override;
  std::unique_ptr<Visitor> witness() override;
  std::unique_ptr<Visitor> last_witness() override {
    return std::make_unique<BrokerWitness>(simulation_, broker_, first_visitor + ++visitors_, user_of(witness_user),
                                           BrokerTerms{.answer = 10'000, .session = true, .calls = true});
  }

 private:
  [[nodiscard]] Places places(std::size_t count) const { return {count, sizes_.reserved_for_others}; }
  [[nodiscard]] std::uint64_t user_of(std::uint64_t user) const { return knows_users_ ? user : 0; }
  void check_retained();
  std::string describe();

  SimBroker broker_;
  BrokerFaults usual_;
  bool knows_users_;
  BrokerUsers authorizer_;
  Services services_;
  using Storage = mcp::MqttStorage<test::shape<transmit_buffer, sessions>, limits>;
  std::unique_ptr<Storage> storage_{new Storage()};
  test::Sizes sizes_;
  test::Bench bench_;
  mcp::MqttOptions options_;
  DialerPort port_;
  mcp::MqttTransport transport_;
  int visitors_ = 0;
  bool has_sessions_attack_ = false;
};

template <mcp::MqttLimits limits, std::size_t sessions>
std::size_t BrokerSite<limits, sessions>::in_use() {
  const std::size_t held = broker_.held();
  if (transport_.state() != mcp::MqttTransport::State::online || held != 1)
    simulation_.fail("the device is not online when nothing goes wrong");
  check_retained();
  const auto peers = storage_->view().peers;
  const auto used = std::count_if(peers.begin(), peers.end(),
                                  [](const mcp::mqtt::Peer& peer) { return peer.use != mcp::mqtt::Peer::Use::none; });
  const std::size_t left = broker_.clients() + static_cast<std::size_t>(used);
  broker_.forget_clients();
  return left;
}

// The device is online, and its presence is the only message that the broker keeps.
template <mcp::MqttLimits limits, std::size_t sessions>
void BrokerSite<limits, sessions>::check_retained() {
  const auto& retained = broker_.retained();
  const auto found = retained.find(device_topic("presence/"));
  if (found == retained.end()) simulation_.fail("the presence of the device is missing");
  if (retained.size() != 1) simulation_.fail("a retained message of " + retained.begin()->first);
  if (found->second.payload.find("notifications/server/online") == std::string::npos)
    simulation_.fail("the presence of the device is " + found->second.payload);
}

// Of one owner: under one user, or by one client id if the device knows no users.
template <mcp::MqttLimits limits, std::size_t sessions>
std::vector<std::unique_ptr<Visitor>> BrokerSite<limits, sessions>::strangers() {
  std::vector<std::unique_ptr<Visitor>> all;
  has_sessions_attack_ = false;
  if (simulation_.random.one_in(3)) return all;
  // One client id may use all calls but one, so that there is one stranger of each kind.
  for (int kind = 0; kind < broker_attacks; ++kind) {
    if (!simulation_.random.one_in(3)) continue;
    const auto attack = static_cast<BrokerAttack>(kind);
    // Without users, the access control of the broker alone would keep it off these topics.
    if (attack == BrokerAttack::topics_of_others && !knows_users_) continue;
    has_sessions_attack_ =
        has_sessions_attack_ || (attack != BrokerAttack::stateless_calls && attack != BrokerAttack::topics_of_others);
    all.push_back(
        std::make_unique<BrokerStranger>(simulation_, broker_, first_visitor + ++visitors_, user_of(stranger), attack));
  }
  return all;
}

// Without users, each client id of a stranger is another owner, which may have a session and its calls.
template <mcp::MqttLimits limits, std::size_t sessions>
std::unique_ptr<Visitor> BrokerSite<limits, sessions>::witness() {
  const bool is_known = knows_users_ || !has_sessions_attack_;
  const BrokerTerms terms{.answer = 10'000 + 40 * simulation_.faults.latency,
                          .session = is_known && places(sessions - 1).beside_strangers() != 0,
                          .calls = is_known && places(sizes_.jobs).beside_strangers() != 0};
  return std::make_unique<BrokerWitness>(simulation_, broker_, first_visitor + ++visitors_, user_of(witness_user),
                                         terms);
}

template <mcp::MqttLimits limits, std::size_t sessions>
std::string BrokerSite<limits, sessions>::describe() {
  std::string text =
      "  state " + std::to_string(static_cast<int>(transport_.state())) + ", " + transport_.problem() + "\n";
  for (const mcp::mqtt::Peer& peer : storage_->view().peers) {
    text += "  peer: use " + std::to_string(static_cast<int>(peer.use)) + ", session " +
            std::to_string(peer.session.index) + "/" + std::to_string(peer.session.serial_low) + ", heard before " +
            std::to_string(simulation_.server_now() - peer.heard_ms) + " ms\n";
  }
  return text;
}

constexpr mcp::MqttLimits small{.calls = 3, .in_flight = 4, .max_retry_ms = 30'000};
constexpr mcp::MqttLimits middle{.calls = 8, .remembered = 8, .max_retry_ms = 10'000};
constexpr mcp::MqttLimits large{.calls = 20, .in_flight = 16, .remembered = 16};

}  // namespace

std::unique_ptr<Site> make_broker_site(Simulation& simulation) {
  switch (simulation.random.below(3)) {
    case 0: return std::make_unique<BrokerSite<small, 3>>(simulation);
    case 1: return std::make_unique<BrokerSite<middle, 6>>(simulation);
    default: return std::make_unique<BrokerSite<large, 12>>(simulation);
  }
}

}  // namespace sim
