// SPDX-License-Identifier: Apache-2.0
#include "schedule.hpp"

#include <algorithm>

#include "beds.hpp"
#include "events.hpp"
#include "greenhouse.hpp"
#include "platform.hpp"
#include "pump.hpp"
#include "targets.hpp"

namespace schedule {
namespace {

constexpr mcp::Millis minute_ms = 60'000;

Schedule entries{};
// The last round of each entry. A bed waits while the pump waters another one.
struct Round {
  mcp::Millis begun_ms;
  std::uint8_t next;  // index of the bed that waits; the size of the list: none
};
Round rounds[decltype(Schedule::entries)::capacity];

// Waters the next bed of the round that is dry enough.
void water_next(const Entry& entry, Round& round) {
  while (round.next < entry.beds.size() && pump::is_idle()) {
    const std::uint8_t bed = entry.beds[round.next++];
    const std::int32_t below = std::min<std::int32_t>(entry.only_if.moisture_below, targets::moisture(beds::crop(bed)));
    if (plant::moisture(bed - 1U) < below) pump::start(bed, entry.seconds);
  }
}

}  // namespace

mcp::Millis poll(mcp::Millis now) {
  mcp::Millis due_ms = mcp::forever;
  for (std::size_t i = 0; i < entries.entries.size(); ++i) {
    const Entry& entry = entries.entries[i];
    const mcp::Millis interval_ms = static_cast<mcp::Millis>(entry.every_minutes) * minute_ms;
    if (now - rounds[i].begun_ms >= interval_ms) rounds[i] = {.begun_ms = now, .next = 0};
    water_next(entry, rounds[i]);  // the end of a watering calls again
    due_ms = std::min(due_ms, interval_ms - (now - rounds[i].begun_ms));
  }
  return due_ms;
}

mcp::Errc handle_set_schedule(const Schedule& arguments, mcp::Call& call) {
  entries = arguments;
  // A longer name is not kept, because a part of it may be the name of another client.
  const mcp::Caller caller = call.caller();
  mcp::FixedString<32> name;
  if (!caller.client_name().empty() && name.assign(caller.client_name())) entries.set_by = name;
  for (std::size_t i = 0; i < entries.entries.size(); ++i) {
    rounds[i] = {.begun_ms = platform::now(), .next = static_cast<std::uint8_t>(entries.entries[i].beds.size())};
  }
  events::add(events::Kind::scheduled, 0);
  greenhouse::notify(greenhouse::Change::schedule);
  return call.result().text("The schedule has ", entries.entries.size(), " entries.");
}

mcp::Errc read(Schedule& out) {
  out = entries;
  return mcp::Errc::ok;
}

}  // namespace schedule
