// SPDX-License-Identifier: Apache-2.0
// The tool capture: the times of the edges of an input. A pin that is captured is at rest, and nothing can drive it.
#include <algorithm>

#include "mcp/workbench/core.hpp"
#include "ports/workbench/workbench_texts.hpp"

namespace mcp {

using detail::PinRole;

namespace {

constexpr Millis step_ms = 20;
// The texts after the times, and the end of the message, fit into this many bytes.
constexpr std::size_t tail_size = 320;

struct Periods {
  std::uint32_t count = 0;
  std::uint32_t least_us = 0xFFFF'FFFF;
  std::uint32_t most_us = 0;
  std::uint32_t span_us = 0;
  std::uint32_t first_half_us = 0;  // the sum of the times from each first edge to the next one, of both edges
};

// Of both edges, every second one has the same direction. Differences are right also if the times have wrapped.
Periods periods_of(std::span<const std::uint32_t> times, bool both) {
  const std::size_t step = both ? 2 : 1;
  Periods periods;
  for (std::size_t i = 0; i + step < times.size(); i += step) {
    const std::uint32_t period = times[i + step] - times[i];
    periods.least_us = std::min(periods.least_us, period);
    periods.most_us = std::max(periods.most_us, period);
    periods.span_us += period;
    periods.first_half_us += times[i + 1] - times[i];
    ++periods.count;
  }
  return periods;
}

// Tenths of `part` / `whole` * 100, without a division in 64 bits.
std::int32_t tenths_of_percent(std::uint32_t part, std::uint32_t whole) {
  while (part > 0xFFFF'FFFF / 1000) part /= 2, whole /= 2;
  return static_cast<std::int32_t>((part * 1000 + whole / 2) / (whole == 0 ? 1 : whole));
}

// Tenths of a hertz. A count is at most 1024 and a span 10 s, so that all products have 32 bits.
std::int32_t tenths_of_hertz(std::uint32_t count, std::uint32_t span_us) {
  if (span_us == 0) span_us = 1;
  const std::uint32_t dividend = count * 1'000'000;
  constexpr std::uint32_t most_hz = 200'000'000;
  const std::uint32_t hertz = std::min(dividend / span_us, most_hz);
  return static_cast<std::int32_t>(hertz * 10 + dividend % span_us * 10 / span_us);
}

}  // namespace

Errc WorkbenchCore::begin_capture(std::size_t pin, PinEdges edges, Millis now, Call& call) const {
  const WorkbenchPin& row = options_.pins[pin];
  enter(call, now);
  if (flags_.is_capturing) return call.busy(1000, "Another capture is in progress. Wait for its end.");
  if (pins_[pin].is_unavailable) return fail_unavailable(pin, call);
  if (pins_[pin].role != PinRole::rest) return call.fail(row.name, " is an output. Set it to rest first.");
  const PinError error = options_.chip().begin_capture(row.number, edges, {edges_, options_.capture_edges});
  if (error != PinError::none) return call.fail(row.name, ": ", remedy(error));
  flags_.captured_ms = now;
  flags_.captured_pin = static_cast<std::uint8_t>(pin);
  flags_.is_capturing = true;
  return Errc::ok;
}

// What a capture has found. `is_high`: the level after the last edge, if `has_level`.
struct WorkbenchCore::Edges {
  std::span<const std::uint32_t> times;
  Millis since;
  bool both;
  bool is_full;
  bool has_lost;
  bool has_level;
  bool is_high;

  void write_periods(TextWriter& text) const {
    const Periods periods = periods_of(times, both);
    if (periods.count == 0) return;
    text.add(Scaled{tenths_of_hertz(periods.count, periods.span_us), 1}, " Hz, periods of ", periods.least_us, " to ",
             periods.most_us, " us. ");
    // The level after the last edge says which half of a period is high. If the memory is full, edges came after it.
    if (!both || !has_level || is_full || has_lost) return;
    const bool first_rises = (times.size() % 2 == 1) == is_high;
    const std::uint32_t high_us = first_rises ? periods.first_half_us : periods.span_us - periods.first_half_us;
    text.add("High for ", Scaled{tenths_of_percent(high_us, periods.span_us), 1}, " % of the time. First edge ",
             first_rises ? std::string_view("rising. ") : "falling. ");
  }

  void write(TextWriter& text, const json::Writer& writer) const {
    text.add(times.size(), " edges in ", since, " ms", is_full ? std::string_view(", and the memory is full") : "",
             has_lost ? std::string_view(". Some edges were too fast, and are missing") : "", ". ");
    write_periods(text);
    text.add("Times in us:");
    for (const std::uint32_t time : times) {
      if (writer.rest().size() < tail_size) return text.add(" and more");
      text.add(' ', time - times[0]);
    }
  }
};

// Reads the level after the last edge: no edge came between the count and the level, nor before the next count. If a
// fast signal gives none, which half of a period is high is unknown.
bool WorkbenchCore::read_last_level(std::size_t pin, Pins::Capture& captured, bool& is_high) const {
  constexpr int tries = 4;
  for (int i = 0; i < tries; ++i) {
    const std::size_t count = captured.count;
    if (options_.chip().level(options_.pins[pin].number, is_high) != PinError::none) return false;
    captured = options_.chip().captured();
    if (captured.count == count) return true;
  }
  return false;
}

Errc WorkbenchCore::end_capture(std::size_t pin, const Edges& edges, Call& call) const {
  const WorkbenchPin& row = options_.pins[pin];
  if (edges.times.empty()) {
    if (!edges.has_level) return call.fail("No edge in ", edges.since, " ms, and the level cannot be read.");
    return call.result().text("No edge in ", edges.since, " ms. ", row.name, " is ", detail::level_name(edges.is_high),
                              '.');
  }
  const json::Writer& writer = call.writer();
  return call.result().text([&](TextWriter& text) { edges.write(text, writer); });
}

Step WorkbenchCore::capture(const detail::CaptureArguments& arguments, Millis& begun_ms, bool& is_begun,
                            JobContext& context) const {
  const Millis now = options_.now();
  const auto pin = static_cast<std::size_t>(arguments.pin);
  if (!is_begun) {
    if (context.stop_requested()) return context.done();
    if (const Errc errc = begin_capture(pin, arguments.edges, now, context); errc != Errc::ok)
      return context.done(errc);
    begun_ms = now;
    is_begun = true;
  }
  // poll() has ended it, because it was too old. Another one may run.
  if (!flags_.is_capturing || flags_.captured_ms != begun_ms)
    return context.done(context.fail("The capture has ended, because its client read no responses. Try once more."));
  Pins::Capture captured = options_.chip().captured();
  const Millis since = now - begun_ms;
  if (!context.stop_requested() && captured.count < options_.capture_edges && since < arguments.for_ms)
    return context.sleep(std::min(step_ms, arguments.for_ms - since));
  bool is_high = false;
  const bool has_level = read_last_level(pin, captured, is_high);
  options_.chip().end_capture();
  flags_.is_capturing = false;
  is_begun = false;
  if (context.stop_requested()) return context.done();
  const Edges edges{.times = {edges_, captured.count},
                    .since = since,
                    .both = arguments.edges == PinEdges::both,
                    .is_full = captured.count >= options_.capture_edges,
                    .has_lost = captured.has_lost,
                    .has_level = has_level,
                    .is_high = is_high};
  return context.done(end_capture(pin, edges, context));
}

}  // namespace mcp
