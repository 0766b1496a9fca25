// SPDX-License-Identifier: Apache-2.0
// The ports of the simulated device with a trace around them, or with a trace in place of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "mcp/http_trace.hpp"
#include "mcp/port.hpp"
#include "mcp/ports/posix_replay.hpp"
#include "mcp/trace.hpp"
#include "simulator/simulation.hpp"
#include "support/bench.hpp"

namespace sim {

/// A ring for all that one seed does, with the ids as they are.
class LargeTrace final : public mcp::Trace {
 public:
  /// `bytes`: a power of two of them.
  explicit LargeTrace(std::span<std::uint8_t> bytes);
  [[nodiscard]] std::string text() const;

 private:
  std::span<std::uint8_t> bytes_;
};

/// What happens at the device between two polls. The number in a trace: the kind, and 256 times the row.
enum class Act : std::uint8_t {
  poll,
  change,
  toggle,
  log,
  fail,
  end_subscriptions,
  end_remaining,
  connect,
  none = 255
};

/// A trace that a simulation records, or one that it plays.
class Tracing {
 public:
  /// Records into `ring`, at most `polls` of them. 0: all.
  Tracing(LargeTrace& ring, std::uint64_t polls) : trace_(ring), polls_left_(polls) {}
  /// Plays `replay`, whose values are those of `ring`.
  Tracing(LargeTrace& ring, mcp::posix::Replay& replay) : trace_(ring), replay_(&replay) {}

  [[nodiscard]] mcp::Trace& trace() { return trace_; }
  [[nodiscard]] mcp::posix::Replay* replay() { return replay_; }

  /// Records that something happens at the device, unless a trace says so.
  void note(Act act, std::size_t row = 0) {
    if (replay_ != nullptr) return;
    if (act == Act::poll && polls_left_ != 0 && --polls_left_ == 0) trace_.pause();
    trace_.value(static_cast<std::uint32_t>(act) | static_cast<std::uint32_t>(row) << 8U);
  }
  /// Returns what happens next in the trace. Act::none: it is over.
  Act next(std::size_t& row);

 private:
  LargeTrace& trace_;
  mcp::posix::Replay* replay_ = nullptr;
  std::uint64_t polls_left_ = 0;
};

/// The services of a device.
class Services {
 public:
  explicit Services(Simulation& simulation);
  [[nodiscard]] mcp::Entropy& entropy() { return *entropy_; }
  [[nodiscard]] mcp::WallClock& day() { return *day_; }
  /// nullptr: that of the bench.
  [[nodiscard]] mcp::Hmac* hmac() { return hmac_; }

 private:
  Entropy fake_entropy_;
  FakeWallClock fake_day_;
  test::ProcessHmac fake_hmac_;
  std::optional<mcp::TracedEntropy> traced_entropy_;
  std::optional<mcp::TracedWallClock> traced_day_;
  std::optional<mcp::TracedHmac> traced_hmac_;
  std::optional<mcp::posix::ReplayEntropy> played_entropy_;
  std::optional<mcp::posix::ReplayWallClock> played_day_;
  std::optional<mcp::posix::ReplayHmac> played_hmac_;
  mcp::Entropy* entropy_ = &fake_entropy_;
  mcp::WallClock* day_ = &fake_day_;
  mcp::Hmac* hmac_ = nullptr;
};

/// The time that the next poll gets.
mcp::Millis poll_time(Simulation& simulation);
/// The time of the device between two polls.
mcp::Millis time_between(Simulation& simulation);

/// The listener that a transport uses.
template <std::size_t most>
class ListenerPort {
 public:
  ListenerPort(Simulation& simulation, mcp::Listener& listener) : listener_(&listener) {
    Tracing* const tracing = simulation.tracing;
    if (tracing == nullptr) return;
    if (tracing->replay() != nullptr) {
      listener_ = &played_.emplace(*tracing->replay(), connections_);
    } else {
      listener_ = &traced_.emplace(tracing->trace(), listener);
    }
  }
  [[nodiscard]] mcp::Listener& get() { return *listener_; }

 private:
  mcp::posix::ReplayConnection connections_[most];
  std::optional<mcp::TracedListener<most>> traced_;
  std::optional<mcp::posix::ReplayListener> played_;
  mcp::Listener* listener_;
};

/// The dialer that a transport uses.
class DialerPort {
 public:
  DialerPort(Simulation& simulation, mcp::Dialer& dialer);
  [[nodiscard]] mcp::Dialer& get() { return *dialer_; }

 private:
  static constexpr std::size_t most = 2;
  mcp::posix::ReplayConnection connections_[most];
  std::optional<mcp::TracedDialer<most>> traced_;
  std::optional<mcp::posix::ReplayDialer> played_;
  mcp::Dialer* dialer_;
};

/// The stream of one client on a wire.
class StreamPort {
 public:
  StreamPort(Simulation& simulation, mcp::ByteStream& stream);
  [[nodiscard]] mcp::ByteStream& get() { return *stream_; }

 private:
  std::optional<mcp::TracedStream> traced_;
  std::optional<mcp::posix::ReplayStream> played_;
  mcp::ByteStream* stream_;
};

/// The decisions about tokens.
class AuthorizerPort {
 public:
  AuthorizerPort(Simulation& simulation, mcp::Authorizer* authorizer) : authorizer_(authorizer) {
    if (simulation.tracing != nullptr && authorizer != nullptr)
      authorizer_ = &traced_.emplace(simulation.tracing->trace(), *authorizer);
  }
  [[nodiscard]] mcp::Authorizer* get() const { return authorizer_; }

 private:
  std::optional<mcp::TracedAuthorizer> traced_;
  mcp::Authorizer* authorizer_;
};

}  // namespace sim
