// SPDX-License-Identifier: Apache-2.0
#include "simulator/tracing.hpp"

namespace sim {
namespace {

std::string* dumped = nullptr;
void put(char c) { *dumped += c; }

bool no_value(std::span<std::uint8_t>) { return false; }

}  // namespace

LargeTrace::LargeTrace(std::span<std::uint8_t> bytes) : bytes_(bytes) {
  begin(bytes_, 1);
  play(no_value);  // ids are no secrets here
}

std::string LargeTrace::text() const {
  std::string text;
  dumped = &text;
  dump({bytes_.data(), static_cast<std::uint32_t>(bytes_.size())}, put);
  dumped = nullptr;
  return text;
}

Act Tracing::next(std::size_t& row) {
  const std::uint32_t number = trace_.value(static_cast<std::uint32_t>(Act::none));
  row = number >> 8U;
  return static_cast<Act>(number & 0xFFU);
}

Services::Services(Simulation& simulation) : fake_entropy_(simulation), fake_day_(simulation) {
  Tracing* const tracing = simulation.tracing;
  if (tracing == nullptr) return;
  if (mcp::posix::Replay* const replay = tracing->replay()) {
    entropy_ = &played_entropy_.emplace(*replay);
    day_ = &played_day_.emplace(*replay);
    hmac_ = &played_hmac_.emplace(*replay);
  } else {
    entropy_ = &traced_entropy_.emplace(tracing->trace(), fake_entropy_);
    day_ = &traced_day_.emplace(tracing->trace(), fake_day_);
    hmac_ = &traced_hmac_.emplace(tracing->trace(), fake_hmac_);
  }
}

mcp::Millis poll_time(Simulation& simulation) {
  Tracing* const tracing = simulation.tracing;
  if (tracing == nullptr) return simulation.server_now();
  if (tracing->replay() != nullptr) return tracing->replay()->now();
  return tracing->trace().poll(simulation.server_now());
}

mcp::Millis time_between(Simulation& simulation) {
  const mcp::Millis now = simulation.server_now();
  return simulation.tracing != nullptr ? simulation.tracing->trace().value(now) : now;
}

DialerPort::DialerPort(Simulation& simulation, mcp::Dialer& dialer) : dialer_(&dialer) {
  Tracing* const tracing = simulation.tracing;
  if (tracing == nullptr) return;
  if (tracing->replay() != nullptr) {
    dialer_ = &played_.emplace(*tracing->replay(), connections_);
  } else {
    dialer_ = &traced_.emplace(tracing->trace(), dialer);
  }
}

StreamPort::StreamPort(Simulation& simulation, mcp::ByteStream& stream) : stream_(&stream) {
  Tracing* const tracing = simulation.tracing;
  if (tracing == nullptr) return;
  if (tracing->replay() != nullptr) {
    stream_ = &played_.emplace(*tracing->replay(), mcp::Framing::lines);
  } else {
    stream_ = &traced_.emplace(tracing->trace(), stream, mcp::Framing::lines);
  }
}

}  // namespace sim
