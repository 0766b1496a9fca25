// SPDX-License-Identifier: Apache-2.0
// A device with its transport, and those who use it. What a scenario needs of them.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "simulator/client.hpp"
#include "simulator/simulation.hpp"
#include "support/bench.hpp"

namespace sim {

/// Who uses the device without the code of the other clients: a stranger, or a witness.
class Visitor {
 public:
  Visitor() = default;
  Visitor(const Visitor&) = delete;
  Visitor& operator=(const Visitor&) = delete;
  virtual ~Visitor() = default;
  virtual void start() = 0;
  /// Goes, with all its connections.
  virtual void leave() = 0;
  /// Was it served?
  virtual void check() const {}
};

/// How many clients there are, and how many of them are of the owner that has the most.
struct Crowd {
  std::size_t all = 0;
  std::size_t of_one = 0;
};

/// A pool of the device. Of several places one owner leaves some for others.
struct Places {
  std::size_t count = 0;
  std::size_t reserved = 0;

  [[nodiscard]] std::size_t share() const {
    if (count < 2) return count;
    return count > reserved ? count - reserved : 1;
  }
  /// What strangers of one owner cannot take.
  [[nodiscard]] std::size_t beside_strangers() const { return count - share(); }
  [[nodiscard]] bool fits(const Crowd& crowd, bool strangers) const {
    return crowd.all <= (strangers ? beside_strangers() : count) && crowd.of_one <= share();
  }
};

/// The device over HTTP, on a wire or behind a broker, and how it is served.
class Site {
 public:
  explicit Site(Simulation& simulation) : simulation_(simulation) {}
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;
  virtual ~Site() = default;
  virtual mcp::Millis serve() = 0;
  virtual std::unique_ptr<Client> client(int number) = 0;
  /// Of a wire: the next client connects.
  virtual void connect(int) {}
  /// Connections or links that are in use.
  virtual std::size_t in_use() = 0;
  virtual test::Bench& bench() = 0;
  /// Ends the sessions and subscriptions of clients that left without the knowledge of the device.
  virtual void end_remaining() {}
  /// From now on nothing goes wrong, or it does again.
  virtual void set_calm(bool) {}
  /// The server can serve all of these at once. More sessions would reject and evict each other.
  [[nodiscard]] virtual bool fits(const Crowd& with_session, const Crowd& without, bool strangers) const = 0;
  /// Hostile clients of one owner; none where there is one wire.
  virtual std::vector<std::unique_ptr<Visitor>> strangers() { return {}; }
  /// nullptr if the device cannot distinguish clients.
  virtual std::unique_ptr<Visitor> witness() { return nullptr; }
  /// A witness after all others have left. nullptr: the next clients are witnesses enough.
  virtual std::unique_ptr<Visitor> last_witness() { return nullptr; }
  /// The longest wait of a request or stream for a connection while strangers use connections, latency included.
  [[nodiscard]] virtual Time patience() const { return 0; }

 protected:
  Simulation& simulation_;
};

class Services;

/// Sizes of a server that a seed selects.
test::Sizes sizes_of(Simulation& simulation, std::size_t sessions, std::size_t transmit_buffer, Services& services);

}  // namespace sim
