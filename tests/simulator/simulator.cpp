// SPDX-License-Identifier: Apache-2.0
// Many clients of both eras, one device, a network that fails, hours of virtual time: made of one seed, which makes it
// again.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/http_sse_2024.hpp"
#include "mcp/http_transport.hpp"
#include "mcp/stdio_transport.hpp"
#include "simulator/adversary.hpp"
#include "simulator/broker_site.hpp"
#include "simulator/line_client.hpp"
#include "simulator/site.hpp"
#include "simulator/sse_client.hpp"
#include "simulator/streamable_client.hpp"
#include "simulator/tracing.hpp"
#include "simulator/witness.hpp"
#include "support/bench.hpp"
#include "support/http_shape.hpp"

namespace sim {
namespace {

Faults faults_of(Simulation& simulation) {
  Faults faults;
  faults.latency = 1 + simulation.random.below(60);
  if (simulation.random.one_in(4)) return faults;
  simulation.flawless = false;
  const auto some = [&](std::size_t most) { return simulation.random.one_in(2) ? simulation.random.below(most) : 0; };
  faults.short_io = some(800);
  faults.block = some(300);
  faults.reset = some(150);
  faults.stall = some(100);
  faults.half_close = some(60);
  faults.abandon = some(60);
  faults.entropy = some(40);
  faults.no_accept = some(300);
  faults.jumps = simulation.random.one_in(2);
  return faults;
}

template <class Which>
Crowd count(const std::vector<std::unique_ptr<Client>>& clients, Which which) {
  Crowd crowd;
  std::map<std::uint64_t, std::size_t> by_owner;
  for (const auto& client : clients) {
    if (!which(*client)) continue;
    ++crowd.all;
    if (client->owner() != 0) crowd.of_one = std::max(crowd.of_one, ++by_owner[client->owner()]);
  }
  return crowd;
}

// A bucket for each owner, which a client that calls in a loop empties.
constexpr std::uint16_t calls_in_a_row = 40;
constexpr mcp::Millis call_interval = 100;

}  // namespace

test::Sizes sizes_of(Simulation& simulation, std::size_t sessions, std::size_t transmit_buffer, Services& services) {
  return {.receive_size = 1024,
          .transmit_size = transmit_buffer,
          .sessions = sessions,
          .log = 64 + simulation.random.below(200),
          .jobs = 1 + simulation.random.below(6),
          .job = job_size,
          .streams = 1 + simulation.random.below(3),
          .subscriptions = 1 + simulation.random.below(16),
          .tasks = 1 + simulation.random.below(4),
          .call_burst = simulation.random.one_in(3) ? calls_in_a_row : std::uint16_t{0},
          .call_interval_ms = call_interval,
          .reserved_for_others = static_cast<std::uint16_t>(1 + simulation.random.below(sessions)),
          .wall_clock = &services.day(),
          .hmac = services.hmac(),
          .entropy = &services.entropy(),
          .seals = !simulation.random.one_in(3)};
}

namespace {

Revision any_revision(Simulation& simulation) {
  constexpr Revision all[] = {Revision::r2024_11_05, Revision::r2025_03_26, Revision::r2025_06_18,
                              Revision::r2025_11_25, Revision::r2025_11_25, Revision::r2025_11_25,
                              Revision::r2026_07_28, Revision::r2026_07_28, Revision::r2026_07_28};
  return all[simulation.random.below(std::size(all))];
}

constexpr unsigned bit(Attack attack) { return 1U << static_cast<unsigned>(attack); }

template <mcp::HttpLimits limits, std::size_t sessions>
class HttpSite final : public Site {
 public:
  static constexpr std::size_t transmit_buffer = 1536;
  explicit HttpSite(Simulation& simulation)
      : Site(simulation),
        listener_(simulation),
        authorization_(simulation),
        authorizer_(simulation, authorization_.authorizer()),
        options_{.authorizer = authorizer_.get(), .sse_2024 = simulation.random.one_in(2) ? &older : nullptr},
        services_(simulation),
        sizes_(sizes_of(simulation, sessions, transmit_buffer, services_)),
        bench_(application, sizes_),
        port_(simulation, listener_),
        transport_(bench_.server, port_.get(), services_.entropy(), *storage_, options_),
        attacks_(any_attacks(simulation)) {
    simulation.describe = [this] { return describe(); };
  }

  mcp::Millis serve() override {
    const mcp::Millis due = transport_.poll(poll_time(simulation_));
    // But for a message that is still to reach the stream of another connection.
    for (const mcp::http::Exchange& link : storage_->view().exchanges) {
      const bool is_idle = link.state == mcp::http::Exchange::State::free || link.pending_output != 0;
      if (!is_idle && link.connection == nullptr)
        simulation_.fail("the place of a connection that has ended is not free");
    }
    if (calls_left_behind() == storage_->view().detached.size()) simulation_.note_all_detached();
    return due;
  }
  std::unique_ptr<Client> client(int number) override {
    const Revision revision = any_revision(simulation_);
    // The revision of an HTTP+SSE client: for most of them 2024-11-05.
    const bool oldest = revision == Revision::r2024_11_05;
    if (options_.sse_2024 != nullptr && revision != Revision::r2026_07_28 &&
        simulation_.random.below(4) < (oldest ? 3 : 1))
      return std::make_unique<SseClient>(simulation_, listener_, authorization_, number, revision);
    return std::make_unique<StreamableClient>(simulation_, listener_, authorization_, number, revision);
  }
  std::size_t in_use() override {
    listener_.forget_released();
    const auto links = storage_->view().exchanges;
    const auto connected = std::count_if(
        links.begin(), links.end(), [](const auto& link) { return link.state != mcp::http::Exchange::State::free; });
    return listener_.held() + static_cast<std::size_t>(connected) + calls_left_behind();
  }
  test::Bench& bench() override { return bench_; }
  void end_remaining() override {
    const mcp::Millis now = time_between(simulation_);
    for (const mcp::http::SessionEntry& entry : storage_->view().sessions) bench_.server.close(entry.session, now);
    bench_.server.end_subscriptions();
  }
  // All stateless clients share one session.
  [[nodiscard]] bool fits(const Crowd& with_session, const Crowd& without, bool strangers) const override {
    // That attack changes what there is to know.
    if (strangers && (!knows_owners() || (attacks_ & bit(Attack::late_reader)) != 0)) return false;
    return places(sessions - 1).fits(with_session, strangers) &&
           places(sizes_.subscriptions).fits(without, strangers) &&
           with_session.all + without.all + 2 + (strangers ? held_by_strangers() : 0) <= limits.connections;
  }
  std::vector<std::unique_ptr<Visitor>> strangers() override {
    std::vector<std::unique_ptr<Visitor>> all;
    if (attacks_ == 0) return all;
    Identity who{first_stranger, 0, stranger_host, ""};
    if (authorization_.knows_principals()) who.principal = FakeAuthorization::stranger;
    if (authorization_.knows_principals()) who.token = authorization_.issue_for_ever(FakeAuthorization::stranger);
    for (int attack = 0; attack < attacks; ++attack) {
      if ((attacks_ & bit(static_cast<Attack>(attack))) == 0) continue;
      ++who.number;
      all.push_back(std::make_unique<Adversary>(simulation_, listener_, who, static_cast<Attack>(attack)));
    }
    return all;
  }
  std::unique_ptr<Visitor> witness() override {
    if (attacks_ == 0 || !knows_owners() || held_by_strangers() >= limits.connections) return nullptr;
    const std::size_t connections = limits.connections - held_by_strangers();
    Identity who{first_stranger + 100 + ++witnesses_, 0, witness_host, ""};
    if (authorization_.knows_principals()) who.principal = FakeAuthorization::witness;
    if (authorization_.knows_principals()) who.token = authorization_.issue_for_ever(FakeAuthorization::witness);
    // When one connection is left, streams of sessions may be in front of the witness's request, each for this time:
    // its own next stream, and one of each session that the strangers can have. Connections have no shares.
    const auto in_front = static_cast<Time>(connections == 1 ? 1 + places(sessions - 1).share() : 0);
    const Terms terms{.answer = patience() + in_front * limits.evict_idle_after_ms,
                      .session = places(sessions - 1).beside_strangers() != 0,
                      .listening = connections > 3 && places(sizes_.subscriptions).beside_strangers() != 0,
                      .calls = connections > 3 && places(sizes_.jobs).beside_strangers() != 0};
    return std::make_unique<Witness>(simulation_, listener_, who, terms);
  }
  // A connection is free after the time of stalled clients, or of the stream of a session; then there and back, for
  // the connection and for the request.
  [[nodiscard]] Time patience() const override {
    return limits.evict_idle_after_ms + 3 * limits.grace_ms + 6 * simulation_.faults.latency;
  }

 private:
  static constexpr int first_stranger = 90'000;
  static constexpr std::uint64_t stranger_host = HttpClient::hosts + 1;
  static constexpr std::uint64_t witness_host = HttpClient::hosts + 2;

  // In two of three seeds: what needs the end of a session more often than the rest.
  static unsigned any_attacks(Simulation& simulation) {
    if (simulation.random.one_in(3)) return 0;
    constexpr Attack late[] = {Attack::late_byte, Attack::late_reader, Attack::sse_cycles, Attack::guess_events,
                               Attack::hold_streams};
    unsigned which = 0;
    if (simulation.random.one_in(2)) which |= bit(late[simulation.random.below(std::size(late))]);
    if (which == 0 || simulation.random.one_in(2)) which |= 1U << simulation.random.below(attacks);
    if (simulation.random.one_in(4)) which |= static_cast<unsigned>(simulation.random.next()) & ((1U << attacks) - 1);
    return which;
  }
  [[nodiscard]] Places places(std::size_t count) const { return {count, sizes_.reserved_for_others}; }
  // Connections that nothing takes from strangers: of stateless calls that run, and of streams that cannot be resumed,
  // which leave one.
  [[nodiscard]] std::size_t held_by_strangers() const {
    const auto is_on = [this](Attack attack) { return (attacks_ & bit(attack)) != 0; };
    std::size_t held = 0;
    if (is_on(Attack::hold_streams)) held += limits.connections - 1;
    if (is_on(Attack::gone_callers)) held += 2;
    if (is_on(Attack::hoard)) held += places(sizes_.jobs).share() + places(sizes_.subscriptions).share();
    return held;
  }
  [[nodiscard]] std::size_t calls_left_behind() const {
    const auto calls = storage_->view().detached;
    return static_cast<std::size_t>(
        std::count_if(calls.begin(), calls.end(), [](const auto& stream) { return stream.number != 0; }));
  }
  [[nodiscard]] bool knows_owners() const { return authorization_.knows_principals() || listener_.knows_hosts(); }

  std::string describe() {
    std::string text;
    for (const mcp::http::Exchange& link : storage_->view().exchanges) {
      text += "  link: state " + std::to_string(static_cast<int>(link.state)) + ", session " +
              std::to_string(link.stream.session.index) + "/" + std::to_string(link.stream.session.serial_low) +
              ", to send " + std::to_string(link.out.size()) + ", idle " +
              std::to_string(simulation_.server_now() - link.since_ms) + " ms" +
              (mcp::http::is_standalone(link.state) ? ", standalone" : "") +
              (link.stream.in_event ? ", in an event" : "") + (link.connection == nullptr ? ", no connection" : "") +
              (link.pending_output != 0 ? ", pending_output" : "") +
              (mcp::http::is_replay(link.state) ? ", replay" : "") + "\n";
    }
    return text;
  }

  static constexpr mcp::HttpSse2024 older{};
  FakeListener listener_;
  FakeAuthorization authorization_;
  AuthorizerPort authorizer_;
  mcp::HttpOptions options_;
  Services services_;
  using Storage = mcp::HttpStorage<test::shape<transmit_buffer, sessions>, limits>;
  std::unique_ptr<Storage> storage_{new Storage()};
  test::Sizes sizes_;
  test::Bench bench_;
  ListenerPort<limits.connections> port_;
  mcp::HttpTransport transport_;
  unsigned attacks_;
  int witnesses_ = 0;
};

/// A wire on which one client follows another.
class LineSite final : public Site {
 public:
  explicit LineSite(Simulation& simulation)
      : Site(simulation), services_(simulation), bench_(application, sizes_of(simulation, 1, 4096, services_)) {}

  mcp::Millis serve() override {
    if (wire_ == nullptr) return mcp::forever;
    const mcp::Millis due = transport_->poll(poll_time(simulation_));
    if (!transport_->closed()) return due;
    if (wire_->misused()) simulation_.fail("the stream was used in a way that is not allowed");
    wire_->release();
    wire_ = nullptr;
    return mcp::forever;
  }
  std::unique_ptr<Client> client(int number) override {
    connect(number);
    return std::make_unique<LineClient>(simulation_, wire_, number, any_revision(simulation_));
  }
  std::size_t in_use() override { return wire_ != nullptr; }
  test::Bench& bench() override { return bench_; }
  void connect(int number) override {
    if (simulation_.tracing != nullptr) simulation_.tracing->note(Act::connect);
    wire_ = std::make_shared<FakeConnection>(simulation_, number);
    stream_ = std::make_unique<StreamPort>(simulation_, *wire_);
    transport_ = std::make_unique<mcp::StdioTransport>(bench_.server, stream_->get());
  }
  void end_remaining() override { bench_.server.end_subscriptions(); }
  [[nodiscard]] bool fits(const Crowd&, const Crowd&, bool) const override { return true; }

 private:
  std::shared_ptr<FakeConnection> wire_;
  std::unique_ptr<StreamPort> stream_;
  std::unique_ptr<mcp::StdioTransport> transport_;
  Services services_;
  test::Bench bench_;
};

constexpr mcp::HttpLimits small{.connections = 3, .head_size = 512, .replay_size = 512};
constexpr mcp::HttpLimits middle{.connections = 8, .head_size = 512, .replay_size = 4096};
constexpr mcp::HttpLimits large{.connections = 40, .head_size = 1024, .replay_size = 16'384};
constexpr mcp::HttpLimits forgetful{.connections = 20, .head_size = 512};

std::unique_ptr<Site> make_site(Simulation& simulation, bool& line) {
  line = false;
  switch (simulation.random.below(6)) {
    case 0: line = true; return std::make_unique<LineSite>(simulation);
    case 1: return std::make_unique<HttpSite<small, 2>>(simulation);
    case 2: return std::make_unique<HttpSite<middle, 4>>(simulation);
    case 3: return std::make_unique<HttpSite<forgetful, 8>>(simulation);
    default: return std::make_unique<HttpSite<large, 12>>(simulation);
  }
}

static_assert(mcp::memory::generation_bits == 2, "the header of this folder is not the first in the include path");

class Scenario {
 public:
  /// `mqtt`: the device is behind a broker, else it is over HTTP or on a wire.
  Scenario(std::uint64_t seed, bool trace, bool mqtt, Tracing* tracing = nullptr) : simulation_(seed, trace) {
    device = {};
    simulation_.tracing = tracing;
    device.runs_once = mqtt;
    simulation_.set_base(static_cast<mcp::Millis>(
        simulation_.random.one_in(2) ? 0xFFFF'FFFF - simulation_.random.below(600'000) : simulation_.random.next()));
    if (mqtt) {
      simulation_.again = " --mqtt";
      usual_ = faults_of(simulation_);
      site_ = make_broker_site(simulation_);
    } else {
      site_ = make_site(simulation_, line_);
      usual_ = faults_of(simulation_);
    }
    device.server = &site_->bench().server;
  }

  /// Generations of clients; each finds the device as the first did.
  void run(Time minutes) {
    while (simulation_.now() < minutes * 60'000) run_generation();
    if (testing::Test::HasFailure()) simulation_.fail("see above");
  }

  /// Repeats what a trace says, until it ends or differs.
  void play() {
    device.runs_once = false;  // the names of calls may be hidden
    std::size_t row = 0;
    for (Act next = Act::poll; next != Act::none && !simulation_.tracing->replay()->has_ended();) {
      next = simulation_.tracing->next(row);
      act(next, row);
    }
    static_cast<void>(simulation_.tracing->replay()->now());
  }

  Simulation& simulation() { return simulation_; }

 private:
  // Something happens at the device, and a trace has it.
  void happen(Act what, std::size_t row = 0) {
    if (simulation_.tracing != nullptr) simulation_.tracing->note(what, row);
    act(what, row);
  }
  void act(Act what, std::size_t row) {
    switch (what) {
      case Act::poll: static_cast<void>(site_->serve()); break;
      case Act::change: device.change(row); break;
      case Act::toggle: device.toggle(row); break;
      case Act::log: device.log(); break;
      case Act::fail: device.fails_in = static_cast<std::uint32_t>(row); break;
      case Act::end_subscriptions: device.server->end_subscriptions(); break;
      case Act::end_remaining: site_->end_remaining(); break;
      case Act::connect: site_->connect(0); break;
      case Act::none: break;
    }
  }

  void pass(Time ms) {
    simulation_.run(simulation_.now() + ms, [this] {
      if (simulation_.tracing != nullptr) simulation_.tracing->note(Act::poll);
      const mcp::Millis due = site_->serve();
      if (testing::Test::HasFailure()) simulation_.fail("see above");
      return due;
    });
  }

  // Happens without a request.
  void device_acts() {
    simulation_.in(500 + simulation_.random.below(8000), [this] {
      if (!busy_) return;
      switch (simulation_.random.below(12)) {
        case 0: happen(Act::toggle, simulation_.random.below(3)); break;
        case 1: happen(Act::log); break;
        case 2: happen(Act::fail, 1 + simulation_.random.below(100)); break;
        case 3:
          if (simulation_.random.one_in(4)) happen(Act::end_subscriptions);
          break;
        case 4:
          if (!simulation_.faults.jumps) break;
          if (simulation_.random.one_in(2)) {
            simulation_.set_day(simulation_.random.below_64(4'000'000'000'000));  // up to 2096, and back to 1970
          } else {
            simulation_.jump(static_cast<mcp::Millis>(simulation_.random.one_in(3)
                                                          ? simulation_.random.below(0x3FFF'FFFF)
                                                          : simulation_.random.below(100'000)));
          }
          break;
        default: happen(Act::change, simulation_.random.below(3)); break;
      }
      simulation_.wake();
      device_acts();
    });
  }

  void run_generation() {
    const Time latency = usual_.latency;
    simulation_.faults = usual_;
    site_->set_calm(false);
    busy_ = true;
    device_acts();
    std::vector<std::unique_ptr<Client>> clients;
    const std::size_t count = line_ ? 1 : 1 + simulation_.random.below(most_clients());
    for (std::size_t i = 0; i < count; ++i) {
      clients.push_back(site_->client(++numbers_));
      clients.back()->start();
    }
    simulation_.trace("%zu clients", count);
    std::vector<std::unique_ptr<Visitor>> strangers = site_->strangers();
    for (const auto& stranger : strangers) stranger->start();
    // Clients come and go; on a wire the next one comes when nothing is left of the last.
    for (Time left = 60'000 * (1 + simulation_.random.below(10)); left != 0; left -= std::min<Time>(left, 30'000)) {
      pass(std::min<Time>(left, 30'000));
      if (line_ || !simulation_.random.one_in(3)) continue;
      std::unique_ptr<Client>& one = clients[simulation_.random.below(clients.size())];
      one->leave();
      old_.push_back(std::move(one));
      one = site_->client(++numbers_);
      one->start();
    }
    // Nothing changes any more, and nothing goes wrong.
    busy_ = false;
    simulation_.faults = {};
    simulation_.faults.latency = latency;
    site_->set_calm(true);
    for (const auto& client : clients) client->rest();
    if (!strangers.empty()) {
      pass(150'000);
      check_at_rest(clients, true);
      if (simulation_.random.one_in(2)) {
        leave(clients);
        watch_strangers();
      }
      leave(strangers);
    }
    pass(400'000);
    check_at_rest(clients, false);
    leave(clients);
    // Bytes of clients that have left may start sessions.
    for (int i = 0; i < 3; ++i) {
      pass(100'000);
      happen(Act::end_remaining);
    }
    pass(1000);
    watch_last();
    if (site_->in_use() != 0) simulation_.fail("connections are left");
    if (site_->bench().open_sessions() != 0) simulation_.fail("sessions are left");
    if (site_->bench().anything_left()) simulation_.fail("something is left of the clients");
    old_.clear();
    old_strangers_.clear();
    simulation_.ownership.clear();
    device.fates.clear();
    device.runs.clear();
    ++simulation_.counts["generations"];
  }

  // For a witness, after the remaining connections are old enough to be evicted.
  void watch_strangers() {
    pass(100'000);
    std::unique_ptr<Visitor> witness = site_->witness();
    if (witness == nullptr) return;
    witness->start();
    pass(60'000);
    witness->check();
    witness->leave();
    old_strangers_.push_back(std::move(witness));
  }

  // What went wrong before must not matter to the next client.
  void watch_last() {
    std::unique_ptr<Visitor> witness = site_->last_witness();
    if (witness == nullptr) return;
    witness->start();
    pass(20'000);
    witness->check();
    witness->leave();
    old_strangers_.push_back(std::move(witness));
    pass(5000);
  }

  void leave(std::vector<std::unique_ptr<Client>>& clients) {
    for (auto& client : clients) {
      client->leave();
      old_.push_back(std::move(client));
    }
    clients.clear();
  }
  void leave(std::vector<std::unique_ptr<Visitor>>& strangers) {
    for (auto& stranger : strangers) {
      stranger->leave();
      old_strangers_.push_back(std::move(stranger));
    }
    strangers.clear();
  }
  void check_at_rest(const std::vector<std::unique_ptr<Client>>& clients, bool strangers) const {
    if (!fits(clients, strangers)) return;
    for (const auto& client : clients) client->check_at_rest(strangers ? site_->patience() : 0);
  }

  std::size_t most_clients() { return simulation_.random.one_in(3) ? 20 : 6; }

  [[nodiscard]] bool fits(const std::vector<std::unique_ptr<Client>>& clients, bool strangers) const {
    return site_->fits(count(clients, [](const Client& client) { return !client.is_stateless(); }),
                       count(clients, [](const Client& client) { return client.is_stateless(); }), strangers);
  }

  Simulation simulation_;
  bool line_ = false;
  std::unique_ptr<Site> site_;
  Faults usual_;
  bool busy_ = false;
  int numbers_ = 0;
  std::vector<std::unique_ptr<Client>> old_;  // events may still name them
  std::vector<std::unique_ptr<Visitor>> old_strangers_;
};

// The simulation of the scenario that runs.
Simulation* running = nullptr;

/// What happened, added up over all runs.
void add(std::map<std::string, std::uint64_t>& sums, Simulation& simulation) {
  for (const auto& [name, count] : simulation.counts) sums[name] += count;
  sums["virtual minutes"] += simulation.now() / 60'000;
}

// ---- Replay --------------------------------------------------------------------------------------------------------

constexpr std::size_t ring_size = std::size_t{1} << 26U;

/// What the traces of all seeds have.
struct ReplayTotals {
  std::uint64_t polls = 0;  // of each seed at most; 0: all
  std::size_t steps = 0;
  std::size_t bytes = 0;
};

// Records one part of a seed, and plays it on a new device. Fails at the first difference.
void replay_part(std::uint64_t seed, std::uint64_t minutes, bool mqtt, std::span<std::uint8_t> memory,
                 ReplayTotals& totals) {
  std::string text;
  {
    LargeTrace ring(memory);
    Tracing tracing(ring, totals.polls);
    Scenario recorded(seed, false, mqtt, &tracing);
    running = &recorded.simulation();
    recorded.run(minutes);
    text = ring.text();
    running = nullptr;
  }
  LargeTrace ring(memory);
  mcp::posix::Replay replay;
  const std::string name = "seed " + std::to_string(seed) + (mqtt ? ", MQTT" : "");
  std::FILE* const report = std::tmpfile();
  replay.open_text(name.c_str(), text, ring, {.report = report, .exits = false, .catches_signals = false});
  Tracing tracing(ring, replay);
  Scenario played(seed, false, mqtt, &tracing);
  running = &played.simulation();
  if (!replay.has_ended()) played.play();
  totals.steps += replay.steps();
  totals.bytes += text.size();
  const std::size_t last = text.find("\n~pause") != std::string::npos ? 1 : 0;
  const bool is_same = replay.status() == mcp::posix::Replay::same && replay.steps() + last == replay.all_steps();
  std::rewind(report);
  char line[256];
  while (!is_same && std::fgets(line, sizeof line, report) != nullptr) std::fputs(line, stderr);
  std::fclose(report);
  running = nullptr;
  if (is_same && !testing::Test::HasFailure()) return;
  const std::string file = "seed-" + std::to_string(seed) + (mqtt ? "-mqtt.trace" : ".trace");
  if (std::FILE* const out = std::fopen(file.c_str(), "w")) {
    static_cast<void>(std::fwrite(text.data(), 1, text.size(), out));
    std::fclose(out);
  }
  played.simulation().fail("the replay differs; the trace is in " + file);
}

std::uint64_t number_of(const char* text) { return std::strtoull(text, nullptr, 10); }

int usage() {
  std::fprintf(
      stderr,
      "usage: simulator [--seed N] [--count N] [--minutes N] [--seconds N] [--today] [--trace] [--mqtt] [--replay] "
      "[--polls N] [FILE]\n"
      "  --seed N     the first seed (1)\n"
      "  --count N    how many seeds (1)\n"
      "  --minutes N  of virtual time for each seed (60), and a third of it behind a broker\n"
      "  --seconds N  go on with further seeds for so long\n"
      "  --today      one more seed, made of the date\n"
      "  --trace      print every message\n"
      "  --mqtt       only the part behind a broker\n"
      "  --replay     records a trace of one part of each seed, and plays it byte for byte on a new device\n"
      "  --polls N    with --replay, only the first N polls of each seed\n"
      "  FILE         seeds that have found something once, one in each line, played first\n");
  return 2;
}

int main_of(int argc, char** argv) {
  std::uint64_t seed = 1;
  std::uint64_t count = 1;
  std::uint64_t minutes = 60;
  std::uint64_t seconds = 0;
  bool trace = false;
  bool only_mqtt = false;
  std::vector<std::uint8_t> ring;
  ReplayTotals traces;
  std::vector<std::uint64_t> seeds;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--trace") {
      trace = true;
    } else if (option == "--mqtt") {
      only_mqtt = true;
    } else if (option == "--replay") {
      ring.resize(ring_size);
    } else if (option == "--today") {
      seeds.push_back(static_cast<std::uint64_t>(std::time(nullptr)) / 86'400);
    } else if (option.starts_with("--")) {
      if (i + 1 == argc) return usage();
      const std::uint64_t value = number_of(argv[++i]);
      if (option == "--seed") {
        seed = value;
      } else if (option == "--count") {
        count = value;
      } else if (option == "--minutes") {
        minutes = value;
      } else if (option == "--polls") {
        traces.polls = value;
      } else if (option == "--seconds") {
        seconds = value;
      } else {
        return usage();
      }
    } else {
      std::FILE* const file = std::fopen(argv[i], "r");
      if (file == nullptr) return usage();
      char line[256];
      while (std::fgets(line, sizeof line, file) != nullptr) {
        if (line[0] >= '0' && line[0] <= '9') seeds.push_back(number_of(line));
      }
      std::fclose(file);
    }
  }
  for (std::uint64_t i = 0; i < count; ++i) seeds.push_back(seed + i);
  std::map<std::string, std::uint64_t> sums;
  const auto begin = std::chrono::steady_clock::now();
  const auto time_is_left = [&] { return std::chrono::steady_clock::now() - begin < std::chrono::seconds(seconds); };
  for (std::size_t i = 0; i < seeds.size() || time_is_left(); ++i) {
    if (i == seeds.size()) seeds.push_back(seeds.back() + 1);
    for (const bool mqtt : {false, true}) {
      if (only_mqtt && !mqtt) continue;
      const std::uint64_t length = mqtt && !only_mqtt ? (minutes + 2) / 3 : minutes;
      if (!ring.empty()) {
        if (only_mqtt || mqtt == (seeds[i] % 2 == 0)) replay_part(seeds[i], length, mqtt, ring, traces);
        continue;
      }
      Scenario scenario(seeds[i], trace, mqtt);
      running = &scenario.simulation();
      scenario.run(length);
      add(sums, scenario.simulation());
      running = nullptr;
    }
  }
  std::printf("%zu seeds", seeds.size());
  if (!ring.empty()) std::printf(", %zu steps of traces, %zu bytes of text", traces.steps, traces.bytes);
  for (const auto& [name, sum] : sums) std::printf(", %s %llu", name.c_str(), static_cast<unsigned long long>(sum));
  std::printf("\n");
  return 0;
}

}  // namespace
}  // namespace sim

// A broken contract is a defect of the device like any other.
extern "C" void mcp_assert_failed(const char* file, int line) {
  const std::string text = "an assertion failed: " + std::string(file) + ":" + std::to_string(line);
  if (sim::running != nullptr) sim::running->fail(text);
  std::fprintf(stderr, "%s\n", text.c_str());
  std::_Exit(1);
}

int main(int argc, char** argv) { return sim::main_of(argc, argv); }
