// SPDX-License-Identifier: Apache-2.0
// Strangers: hostile clients of one owner. What they do to others is for the oracles of those; a message that reaches
// an ended session is found here.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulator/raw_client.hpp"

namespace sim {

enum class Attack {
  flood,          // pipelined `initialize` requests, some of which fail
  keep_sessions,  // sessions held by pings and by streams that the client never reads
  first_byte,     // connections with one byte of a request
  slow_bytes,     // a byte every 900 ms
  no_reader,      // pipelined requests, and streams, whose reader takes no byte
  gone_callers,   // long calls whose connection is then closed
  late_byte,      // a request whose last byte comes after the end of its session
  late_reader,    // a stream whose reader stalls across the end of its session
  sse_cycles,     // HTTP+SSE streams that are opened and closed, then messages for the ended ones
  log,            // stateless calls that log
  hoard,          // all jobs, tasks, streams and subscriptions
  hold_streams,   // subscriptions and GET streams, which are read, on as many connections as it gets
  guess_events,   // Last-Event-ID of streams that are not its own
};
inline constexpr int attacks = 13;

class Adversary final : public RawClient {
 public:
  Adversary(Simulation& simulation, FakeListener& listener, Identity who, Attack attack)
      : RawClient(simulation, listener, std::move(who)), attack_(attack), width_(2 + simulation.random.below(12)) {}

  void start() override;

 private:
  void flood();
  void keep_sessions();
  void first_byte();
  void slow_bytes();
  void drip(const LinePtr& line, const std::string& bytes, std::size_t at);
  void no_reader();
  void gone_callers();
  void late_byte();
  void finish_late(const std::string& session, const LinePtr& late, char last);
  void late_reader();
  void watch_late(const LinePtr& late, Time until);
  void sse_cycles();
  void post_to_ended();
  void log();
  void hoard();
  void hold_streams();
  void guess_events();
  void guess_event(const std::string& session, int number, int left);
  /// Begins a session, and calls `then` with its id when there is one.
  void begin_session(std::function<void(const std::string& session)> then);
  /// Ends the session, then starts new sessions for some moments.
  void end_session(const std::string& session, std::function<void()> then);
  void reuse_places(std::size_t count, std::function<void()> then);

  Attack attack_;
  std::size_t width_;  // connections or sessions
  std::vector<std::string> sessions_;
};

}  // namespace sim
