// SPDX-License-Identifier: Apache-2.0
#include "schedule.hpp"

#include <algorithm>

#include "events.hpp"
#include "greenhouse.hpp"
#include "platform.hpp"
#include "pump.hpp"

namespace schedule {
namespace {

constexpr mcp::Millis minute_ms = 60'000;

Schedule entries{};
mcp::Millis last_ms[decltype(Schedule::entries)::capacity];

}  // namespace

mcp::Millis poll(mcp::Millis now) {
  mcp::Millis due_ms = mcp::forever;
  for (std::size_t i = 0; i < entries.entries.size(); ++i) {
    const Entry& entry = entries.entries[i];
    const mcp::Millis interval_ms = static_cast<mcp::Millis>(entry.every_minutes) * minute_ms;
    if (now - last_ms[i] >= interval_ms) {
      if (!pump::is_idle()) continue;  // the end of its watering calls again
      last_ms[i] = now;
      if (plant::moisture(entry.bed - 1U) < entry.only_if.moisture_below) {
        pump::start(entry.bed, entry.seconds);
      }
    }
    due_ms = std::min(due_ms, interval_ms - (now - last_ms[i]));
  }
  return due_ms;
}

mcp::Errc handle_set_schedule(const Schedule& arguments, mcp::Call& call) {
  entries = arguments;
  std::fill(std::begin(last_ms), std::end(last_ms), platform::now());
  events::add(events::Kind::scheduled, 0);
  greenhouse::notify(greenhouse::Change::schedule);
  return call.result().text("The schedule has ", entries.entries.size(), " entries.");
}

mcp::Errc read(Schedule& out) {
  out = entries;
  return mcp::Errc::ok;
}

}  // namespace schedule
