// SPDX-License-Identifier: Apache-2.0
#include "simulator/simulation.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace sim {

void Simulation::run(Time until, const std::function<mcp::Millis()>& serve) {
  Time due = now_;
  while (now_ < until) {
    if (woken_ || due <= now_) {
      woken_ = false;
      mcp::Millis ms = 0;
      unsigned polls = 0;
      while ((ms = serve()) == 0) {
        if (++polls == 20'000) fail("the device always has more to do");
      }
      due = ms == mcp::forever ? ~Time{0} : now_ + ms;
    }
    const Time next = events_.empty() ? until : std::min(events_.begin()->first, until);
    now_ = std::max(now_, std::min(next, due));
    while (!events_.empty() && events_.begin()->first <= now_) {
      const auto first = events_.begin();
      const std::function<void()> what = std::move(first->second);
      events_.erase(first);
      what();
    }
  }
}

void Simulation::trace(const char* format, ...) const {
  if (!trace_) return;
  std::printf("%9llu ", static_cast<unsigned long long>(now_));
  va_list arguments;
  va_start(arguments, format);
  std::vprintf(format, arguments);
  va_end(arguments);
  std::putchar('\n');
}

void Simulation::fail(const std::string& what) const {
  std::fflush(stdout);
  std::fprintf(stderr, "seed %llu, at %llu ms: %s\n  again: simulator --seed %llu --trace%s\n",
               static_cast<unsigned long long>(seed_), static_cast<unsigned long long>(now_), what.c_str(),
               static_cast<unsigned long long>(seed_), again.c_str());
  if (trace_ && describe) std::fprintf(stderr, "%s", describe().c_str());
  std::_Exit(1);
}

// ---- The client's end --------------------------------------------------------------------------------------------

void FakeConnection::send(std::string_view bytes) {
  if (client_ended_ || client_gone_ || broken_) return;
  simulation_.trace("wire %d: %zu bytes to the device", number_, bytes.size());
  while (!bytes.empty()) {
    const bool cut = simulation_.in_thousand(simulation_.faults.short_io);
    const std::size_t size = cut ? 1 + simulation_.random.below(bytes.size()) : bytes.size();
    last_to_server_ =
        std::max(last_to_server_, simulation_.now() + 1 + simulation_.random.below_64(simulation_.faults.latency));
    to_server_.push_back({last_to_server_, std::string(bytes.substr(0, size))});
    simulation_.at(last_to_server_, [this, keep = shared_from_this()] { simulation_.wake(); });
    bytes.remove_prefix(size);
  }
}

void FakeConnection::half_close() {
  simulation_.trace("wire %d: the client ends its direction", number_);
  client_ended_ = true;
  last_to_server_ = std::max(last_to_server_, simulation_.now() + 1);
  to_server_.push_back({last_to_server_, {}});
  simulation_.at(last_to_server_, [keep = shared_from_this(), this] { simulation_.wake(); });
}

void FakeConnection::leave() {
  simulation_.trace("wire %d: the client is gone", number_);
  if (!client_ended_) half_close();
  client_gone_ = true;
  end_told_ = true;
}

void FakeConnection::reset() {
  simulation_.trace("wire %d: broken", number_);
  broken_ = true;
  to_client_.clear();
  simulation_.wake();
  if (!client_gone_) tell_end(true);
  client_gone_ = true;
}

void FakeConnection::stall(Time ms) {
  simulation_.trace("wire %d: stalled for %llu ms", number_, static_cast<unsigned long long>(ms));
  stalled_until_ = std::max(stalled_until_, simulation_.now() + ms);
}

void FakeConnection::tell_end(bool broken) {
  if (end_told_) return;
  end_told_ = true;
  if (on_receive) on_receive({}, broken);
}

void FakeConnection::schedule_delivery() {
  if (delivering_ || (to_client_.empty() && (!server_ended_ || end_told_))) return;
  delivering_ = true;
  const Time arrival = to_client_.empty() ? last_to_client_ : to_client_.front().arrival;
  simulation_.at(std::max(arrival, stalled_until_), [keep = shared_from_this(), this] { deliver(); });
}

void FakeConnection::deliver() {
  delivering_ = false;
  if (simulation_.now() < stalled_until_) return schedule_delivery();
  while (!to_client_.empty() && to_client_.front().arrival <= simulation_.now()) {
    const std::string bytes = std::move(to_client_.front().bytes);
    to_client_.pop_front();
    in_flight_ -= bytes.size();
    simulation_.wake();
    if (!client_gone_ && on_receive) on_receive(bytes, false);
  }
  if (to_client_.empty() && server_ended_ && !client_gone_) tell_end(false);
  schedule_delivery();
}

// ---- The device's end --------------------------------------------------------------------------------------------

// Something happens on the network later: what would block does not for ever.
bool FakeConnection::blocks() {
  if (!simulation_.in_thousand(simulation_.faults.block)) return false;
  simulation_.in(1 + simulation_.random.below(30), [keep = shared_from_this(), this] { simulation_.wake(); });
  return true;
}

mcp::IoResult FakeConnection::stop(mcp::IoStatus status) {
  if (status != mcp::IoStatus::would_block) over_ = over_ || status == mcp::IoStatus::failed;
  return {status, 0};
}

mcp::IoResult FakeConnection::do_read(std::span<char> into) {
  misused_ = misused_ || into.empty() || over_ || read_over_ || released_;
  if (broken_) return stop(mcp::IoStatus::failed);
  if (blocks()) return stop(mcp::IoStatus::would_block);
  if (to_server_.empty() || to_server_.front().arrival > simulation_.now()) return stop(mcp::IoStatus::would_block);
  std::string& bytes = to_server_.front().bytes;
  if (bytes.empty()) {
    read_over_ = true;
    return stop(mcp::IoStatus::closed);
  }
  std::size_t size = std::min(into.size(), bytes.size());
  if (simulation_.in_thousand(simulation_.faults.short_io)) size = 1 + simulation_.random.below(size);
  std::copy_n(bytes.data(), size, into.data());
  bytes.erase(0, size);
  if (bytes.empty()) to_server_.pop_front();
  return {mcp::IoStatus::ok, size};
}

mcp::IoResult FakeConnection::do_write(std::span<const char> from) {
  misused_ = misused_ || from.empty() || over_ || server_ended_ || released_;
  if (broken_) return stop(mcp::IoStatus::failed);
  if (client_gone_ && simulation_.random.one_in(3)) {  // its network stack rejects input, sooner or later
    broken_ = true;
    return stop(mcp::IoStatus::failed);
  }
  if (blocks() || in_flight_ >= room) return stop(mcp::IoStatus::would_block);
  std::size_t size = std::min(from.size(), room - in_flight_);
  if (simulation_.in_thousand(simulation_.faults.short_io)) size = 1 + simulation_.random.below(size);
  last_to_client_ =
      std::max(last_to_client_, simulation_.now() + 1 + simulation_.random.below_64(simulation_.faults.latency));
  to_client_.push_back({last_to_client_, std::string(from.data(), size)});
  in_flight_ += size;
  schedule_delivery();
  return {mcp::IoStatus::ok, size};
}

void FakeConnection::do_finish() {
  simulation_.trace("wire %d: the device ends its direction", number_);
  misused_ = misused_ || over_ || server_ended_ || released_;
  server_ended_ = true;
  last_to_client_ = std::max(last_to_client_, simulation_.now() + 1);
  schedule_delivery();
}

// With unread bytes, a close is a reset. It may overtake written bytes.
void FakeConnection::do_close() {
  simulation_.trace("wire %d: the device closes", number_);
  misused_ = misused_ || released_;
  released_ = true;
  const bool unread = !to_server_.empty() && !to_server_.front().bytes.empty();
  if (unread && !client_gone_ && simulation_.random.one_in(2)) {
    simulation_.in(1 + simulation_.random.below_64(simulation_.faults.latency),
                   [keep = shared_from_this(), this] { reset(); });
    return;
  }
  if (!server_ended_) {
    server_ended_ = true;
    last_to_client_ = std::max(last_to_client_, simulation_.now() + 1);
  }
  schedule_delivery();
}

// ---- Clients that connect ----------------------------------------------------------------------------------------

std::shared_ptr<FakeConnection> FakeListener::connect(std::uint64_t host) {
  auto wire = std::make_shared<FakeConnection>(simulation_, ++wires_, knows_hosts_ ? host : 0);
  simulation_.in(1 + simulation_.random.below_64(simulation_.faults.latency), [this, wire] {
    waiting_.push_back(wire);
    simulation_.wake();
  });
  return wire;
}

mcp::Connection* FakeListener::do_accept() {
  if (waiting_.empty()) return nullptr;
  if (simulation_.in_thousand(simulation_.faults.no_accept)) {
    simulation_.in(1 + simulation_.random.below(50), [this] { simulation_.wake(); });
    return nullptr;
  }
  const std::shared_ptr<FakeConnection> wire = waiting_.front();
  waiting_.pop_front();
  accepted_.push_back(wire);
  simulation_.trace("the device has %zu connections", held());
  return wire.get();
}

std::size_t FakeListener::held() const {
  return static_cast<std::size_t>(
      std::count_if(accepted_.begin(), accepted_.end(), [](const auto& wire) { return !wire->released(); }));
}

void FakeListener::forget_released() {
  for (const auto& wire : accepted_) {
    if (wire->misused()) simulation_.fail("a connection was used in a way that is not allowed");
  }
  std::erase_if(accepted_, [](const auto& wire) { return wire->released(); });
}

// Makes code that reads invalid bytes get the same bytes each time.
bool Entropy::do_fill(std::span<std::uint8_t> into) {
  const bool fails = simulation_.in_thousand(simulation_.faults.entropy);
  if (fails) simulation_.note_no_entropy();
  for (std::uint8_t& byte : into) byte = fails ? 0 : static_cast<std::uint8_t>(simulation_.random.next());
  return !fails;
}

}  // namespace sim
