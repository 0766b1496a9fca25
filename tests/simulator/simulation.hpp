// SPDX-License-Identifier: Apache-2.0
// Virtual time and a network that loses, cuts, holds back and breaks: all that happens is made of one seed.
#pragma once

#include <cstdarg>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/target.hpp"
#include "mcp/port.hpp"
#include "simulator/ownership_check.hpp"

namespace sim {

/// Milliseconds since the simulation began. The server's clock is another one: it begins anywhere, and jumps.
using Time = std::uint64_t;

/// How often in a thousand calls or connections something goes wrong.
struct Faults {
  std::size_t short_io = 0;    // a read or write moves less than it could
  std::size_t block = 0;       // a read or write moves nothing now
  std::size_t reset = 0;       // of each request: the connection breaks at some time
  std::size_t stall = 0;       // of each request: the client takes no byte for a while
  std::size_t half_close = 0;  // of each request: the client half-closes the connection after it
  std::size_t abandon = 0;     // of each request: the client disappears, and the server is not notified
  std::size_t entropy = 0;     // there are no random bytes
  std::size_t no_accept = 0;   // a client connects, and no connection object is free
  Time latency = 5;            // at most, in ms
  bool jumps = false;          // clocks jump: the device's forwards, the wall clock in both directions
};

class Tracing;

/// Time, pending events, and random numbers.
class Simulation {
 public:
  Simulation(std::uint64_t seed, bool trace) : random(seed), seed_(seed), trace_(trace) {}
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  [[nodiscard]] Time now() const { return now_; }
  [[nodiscard]] mcp::Millis server_now() const { return static_cast<mcp::Millis>(base_ + now_); }
  void set_base(mcp::Millis base) { base_ = base; }
  /// The device slept: its clock continues, and it served no client. Below 2^31 ms.
  void jump(mcp::Millis ms) {
    base_ += ms;
    jumped_at_ = now_;
    trace("the clock jumps by %u ms", static_cast<unsigned>(ms));
    wake();
  }
  /// The time of day is set to another one.
  void set_day(std::uint64_t utc_ms) { day_ = utc_ms - now_; }
  [[nodiscard]] std::uint64_t utc_ms() const { return day_ + now_; }
  /// The time of the last clock jump. Requests in progress then may have timed out.
  [[nodiscard]] Time jumped_at() const { return jumped_at_; }
  void note_no_entropy() { no_entropy_at_ = now_; }
  /// True if the entropy of the device failed since then.
  [[nodiscard]] bool lacked_entropy_since(Time time) const { return no_entropy_at_ && *no_entropy_at_ >= time; }
  void note_all_detached() { all_detached_at_ = now_; }
  [[nodiscard]] bool were_all_detached_since(Time time) const { return all_detached_at_ && *all_detached_at_ >= time; }

  bool in_thousand(std::size_t chances) { return chances != 0 && random.below(1000) < chances; }

  void at(Time time, std::function<void()> what) { events_.emplace(std::max(time, now_), std::move(what)); }
  void in(Time ms, std::function<void()> what) { at(now_ + ms, std::move(what)); }

  /// Something happened that the main loop of the device notices.
  void wake() { woken_ = true; }

  /// Advances the time. `serve` is the main loop of the device: it does all possible work and returns the time of its
  /// next call.
  void run(Time until, const std::function<mcp::Millis()>& serve);

  [[gnu::format(printf, 2, 3)]] void trace(const char* format, ...) const;
  /// Reports a failure and the command that repeats it, then ends the process.
  [[noreturn]] void fail(const std::string& what) const;

  fuzz::Random random;
  Faults faults;
  OwnershipCheck ownership;
  std::string again;                            // further options of the command that repeats a failure
  Tracing* tracing = nullptr;                   // records what the device does, or plays it
  bool flawless = true;                         // nothing goes wrong in this one
  std::function<std::string()> describe;        // describes the device in a failure report
  std::map<std::string, std::uint64_t> counts;  // what happened how often

 private:
  std::uint64_t seed_;
  bool trace_;
  Time now_ = 0;
  mcp::Millis base_ = 0;
  std::uint64_t day_ = 1'790'000'000'000;
  Time jumped_at_ = 0;
  std::optional<Time> no_entropy_at_;    // when the device got no random bytes last
  std::optional<Time> all_detached_at_;  // when all records of calls without a connection were in use last
  bool woken_ = true;
  std::multimap<Time, std::function<void()>> events_;
};

/// Both ends of a connection. The device's end is an mcp::Connection.
class FakeConnection final : public mcp::Connection, public std::enable_shared_from_this<FakeConnection> {
 public:
  /// `host`: what peer() returns, 0 where the port does not know it.
  FakeConnection(Simulation& simulation, int number, std::uint64_t host = 0)
      : simulation_(simulation), number_(number), host_(host) {}

  // ---- The client's end ----

  /// Receives bytes or the end for the client. Empty bytes mean the end; `broken` is set unless the end was orderly.
  std::function<void(std::string_view bytes, bool broken)> on_receive;

  void send(std::string_view bytes);
  /// Half-closes the connection after the bytes sent so far.
  void half_close();
  /// The client has left. Its network stack rejects input.
  void leave();
  /// Both directions break, now.
  void reset();
  /// The client takes nothing for a while.
  void stall(Time ms);

  [[nodiscard]] bool released() const { return released_; }
  [[nodiscard]] bool misused() const { return misused_; }
  /// A device without connections (a UART) lets go of it.
  void release() { released_ = true; }

 private:
  struct Segment {
    Time arrival;
    std::string bytes;
  };
  static constexpr std::size_t room = 1500;  // bytes on their way to the client at most

  mcp::IoResult do_read(std::span<char> into) override;
  mcp::IoResult do_write(std::span<const char> from) override;
  void do_finish() override;
  void do_close() override;
  [[nodiscard]] std::uint64_t do_peer() const override { return host_; }

  mcp::IoResult stop(mcp::IoStatus status);
  bool blocks();
  void schedule_delivery();
  void deliver();
  void tell_end(bool broken);

  Simulation& simulation_;
  int number_;
  std::uint64_t host_;
  std::deque<Segment> to_server_;
  std::deque<Segment> to_client_;
  Time last_to_server_ = 0;
  Time last_to_client_ = 0;
  Time stalled_until_ = 0;
  std::size_t in_flight_ = 0;
  bool client_ended_ = false;  // after the bytes in to_server_
  bool client_gone_ = false;
  bool broken_ = false;
  bool server_ended_ = false;  // after the bytes in to_client_
  bool end_told_ = false;
  bool over_ = false;  // a call of the device has reported the end
  bool read_over_ = false;
  bool released_ = false;
  bool misused_ = false;
  bool delivering_ = false;
};

/// Clients that connect.
class FakeListener final : public mcp::Listener {
 public:
  /// The seed selects whether this port knows the host of a connection.
  explicit FakeListener(Simulation& simulation) : simulation_(simulation), knows_hosts_(simulation.random.one_in(2)) {}
  /// `host` only distinguishes hosts.
  std::shared_ptr<FakeConnection> connect(std::uint64_t host);
  [[nodiscard]] bool knows_hosts() const { return knows_hosts_; }
  /// Connections that the device has and has not let go of.
  [[nodiscard]] std::size_t held() const;
  void forget_released();

 private:
  mcp::Connection* do_accept() override;
  bool do_has_waiting() override { return !waiting_.empty(); }

  Simulation& simulation_;
  bool knows_hosts_;
  int wires_ = 0;
  std::deque<std::shared_ptr<FakeConnection>> waiting_;
  std::vector<std::shared_ptr<FakeConnection>> accepted_;
};

/// Random bytes that fail now and then.
class Entropy final : public mcp::Entropy {
 public:
  explicit Entropy(Simulation& simulation) : simulation_(simulation) {}

 private:
  bool do_fill(std::span<std::uint8_t> into) override;
  Simulation& simulation_;
};

/// The time of day, as the simulation has it.
class FakeWallClock final : public mcp::WallClock {
 public:
  explicit FakeWallClock(Simulation& simulation) : simulation_(simulation) {}

 private:
  std::uint64_t do_utc_ms() override { return simulation_.utc_ms(); }
  Simulation& simulation_;
};

}  // namespace sim
