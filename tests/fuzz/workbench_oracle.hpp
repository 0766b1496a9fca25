// SPDX-License-Identifier: Apache-2.0
// The oracle of the target workbench: its table, the chip and the bus, and what has to be true after each step. The
// comment of workbench_target.cpp says what it checks.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/target.hpp"
#include "mcp/devices/lm75.hpp"
#include "mcp/workbench.hpp"

namespace workbench_oracle {

using mcp::BusError;
using mcp::PinError;
using mcp::PinRest;
using mcp::PinUse;
using Time = std::uint64_t;  // does not wrap

inline Time clock_ms = 0;
inline mcp::Millis now() { return static_cast<mcp::Millis>(clock_ms); }
inline bool is_lid_closed = true;
inline bool lid_closed() { return is_lid_closed; }
inline constexpr mcp::Interlock lid{.holds = lid_closed, .refusal = "The lid is open."};

// ---- The table -----------------------------------------------------------------------------------------------------

inline mcp::Pins& chip_pins();
inline mcp::I2cBus& chip_bus();

inline constexpr mcp::Millis lease_ms = 10'000;
inline constexpr mcp::WorkbenchPin pins[] = {
    {.name = "LED", .number = 1, .uses = PinUse::output | PinUse::pwm, .rest = PinRest::low},
    {.name = "HEATER",
     .number = 2,
     .uses = PinUse::output | PinUse::hold | PinUse::pwm,
     .rest = PinRest::low,
     .away_ms = 3000,
     .budget = {.away_ms = 5000, .window_ms = 20'000}},
    {.name = "FAN",
     .number = 3,
     .uses = PinUse::output | PinUse::pwm | PinUse::hold,
     .rest = PinRest::high,
     .rest_ms = 300,
     .budget = {.away_ms = 500, .window_ms = 1001}},
    {.name = "RELAY", .number = 4, .uses = PinUse::output, .rest = PinRest::low, .rest_ms = 5000},
    {.name = "GP6", .number = 6, .uses = PinUse::input | PinUse::output | PinUse::capture, .away_ms = 2000},
    {.name = "BUTTON", .number = 7, .uses = PinUse::input | PinUse::capture, .pull = mcp::PinPull::up},
    {.name = "LASER", .number = 8, .uses = PinUse::output | PinUse::pwm, .rest = PinRest::low, .needs = lid},
    {.name = "VALVE", .number = 9, .uses = PinUse::hold, .rest = PinRest::low, .holds_alone = true},
    {.name = "BOLT",
     .number = 10,
     .uses = PinUse::output | PinUse::pwm | PinUse::hold,
     .rest = PinRest::low,
     .away_ms = 5000,
     .budget = {.away_ms = 6000, .window_ms = 30'000},
     .is_dangerous = true},
    {.name = "SERVO", .number = 11, .uses = PinUse::pwm, .most_hz = 400},
    {.name = "A0", .number = 0, .uses = PinUse::analog}};
inline constexpr std::size_t pin_count = std::size(pins);
inline constexpr std::size_t none = pin_count;

using mcp::I2cAccess;
inline constexpr mcp::I2cRule rules[] = {{.first = 0x50, .last = 0x53, .access = I2cAccess::read, .register_bytes = 1},
                                         {.first = 0x54, .last = 0x57, .access = I2cAccess::read, .register_bytes = 2},
                                         {.first = 0x20, .last = 0x27, .access = I2cAccess::read, .register_bytes = 0},
                                         {.first = 0x60, .last = 0x60, .access = I2cAccess::none},
                                         {.first = 0x61, .last = 0x62, .access = I2cAccess::ask, .register_bytes = 1}};
inline constexpr I2cAccess other_access = I2cAccess::any;

inline constexpr mcp::MeasureOptions each_second{.now = now, .interval_ms = 1000};
inline constexpr mcp::MeasureOptions each_3_seconds{.now = now, .interval_ms = 3000};
using Room = mcp::Measured<mcp::Lm75, each_second>;
using Cellar = mcp::Measured<mcp::Lm75, each_3_seconds>;
inline constexpr std::uint8_t addresses[] = {0x48, 0x4A};
inline constinit Room room{chip_bus, addresses[0]};
inline constinit Cellar cellar{chip_bus, addresses[1]};

inline constexpr mcp::WorkbenchReading readings[] = {
    {.name = "room", .sensor = &room, .hold_from = 5, .hold_to = 60},
    {.name = "shelf", .sensor = &room, .hold_from = -10, .hold_to = 30, .lost_ms = 2000},
    {.name = "cellar", .sensor = &cellar, .lost_ms = 7000}};
inline constexpr std::size_t sensor_of[] = {0, 0, 1};

inline constexpr mcp::WorkbenchOptions options{.pins = pins,
                                               .chip = chip_pins,
                                               .now = now,
                                               .i2c = chip_bus,
                                               .i2c_rules = rules,
                                               .i2c_access = other_access,
                                               .readings = readings,
                                               .holds = 2,
                                               .hold_minutes = 5,
                                               .watch_values = 4,
                                               .capture_edges = 8,
                                               .lease_ms = lease_ms,
                                               .clients = 2};
inline constinit mcp::Workbench<options> bench;
inline constexpr mcp::Definition definition{.name = "workbench",
                                            .version = "1",
                                            .tools = mcp::workbench_tools<bench>,
                                            .resources = mcp::workbench_resources<bench>,
                                            .audit = mcp::workbench_audit<bench>};

// ---- What the oracle knows -----------------------------------------------------------------------------------------

enum class Tool : std::uint8_t { other, all_off, set_pin, set_pwm, hold, i2c, scan_i2c };

/// A call that a client has sent.
struct Sent {
  Tool tool = Tool::other;
  std::size_t pin = none;
  bool is_rest = false;
  bool is_high = false;
  std::uint32_t for_ms = 0;
  std::uint32_t hz = 0;
  unsigned percent = 0;
  std::size_t reading = 0;
  int at = 0;  // hundredths
  int within = 0;
  bool raises = false;
  unsigned minutes = 0;
  std::uint8_t address = 0;
  std::vector<std::uint8_t> bytes = {};
  std::size_t read = 0;
};

enum class Kind : std::uint8_t { setup, poll, request, answer };
/// What happens now.
struct Step {
  Kind kind = Kind::setup;
  int client = -1;  // its key
  Sent sent = {};
  bool has_consent = false;
  unsigned transfers = 0;
};
inline Step step;

enum class Mode : std::uint8_t { unused, input, output, pwm };
enum class Wire : std::uint8_t { open, low, high };
struct Drive {
  Mode mode = Mode::unused;
  mcp::PinPull pull = mcp::PinPull::none;
  bool is_high = false;
  std::uint32_t period_ns = 0;
  std::uint32_t high_ns = 0;
};
struct Interval {
  Time from;
  Time to;
};
/// A pin as it was seen.
struct Track {
  Drive drive;
  Wire wire = Wire::open;
  PinError error = PinError::none;
  bool is_away = false;
  Time away_since = 0;
  Time rested_at = 0;
  bool has_rested = false;
  std::vector<Interval> history;
  int owner = -1;
  bool holds = false;     // a hold may be on
  bool was_left = false;  // its owner was gone, so each client may have changed it
  Sent hold;
  bool has_end = false;
  Time end = 0;
  bool has_fault = false;  // since it was last at rest
  bool had_fault = false;  // ever
  Time cleared_at = 0;     // when its error ended
  bool must_rest = false;  // a limit has been reached, and it was not at rest since
  bool was_must = false;   // at the begin of the step
  bool may_rest = false;   // at the begin of the step: the slices of the library may have reached the budget
  bool was_away = false;
  bool was_rested = false;  // in this step
  bool was_driven = false;  // in this step
};
inline Track tracks[pin_count];

struct Heard {
  int key;
  Time at;
  bool is_gone;
};
inline std::vector<Heard> heard;
inline Heard& heard_of(int key) {
  for (Heard& one : heard) {
    if (one.key == key) return one;
  }
  return heard.emplace_back(Heard{key, clock_ms, false});
}

struct SensorTrack {
  bool is_present = true;
  int celsius = 20;
  bool is_ok = false;  // the last measurement
  int value = 0;       // of the last measurement, hundredths
  Time measured_at = 0;
};
inline SensorTrack sensors[2];
inline BusError bus_error = BusError::none;
inline std::size_t captured_pin = none;
inline std::size_t capture_count = 0;
inline std::size_t capture_room = 0;

[[noreturn]] inline void fail(std::string_view what, std::size_t pin = none) {
  fuzz::fail(what, pin < pin_count ? pins[pin].name : std::string_view(), std::to_string(clock_ms));
}

inline bool is_at_rest(std::size_t pin) {
  const Drive& drive = tracks[pin].drive;
  const mcp::WorkbenchPin& row = pins[pin];
  if (row.rest == PinRest::input) return drive.mode == Mode::input && drive.pull == row.pull;
  return drive.mode == Mode::output && drive.is_high == (row.rest == PinRest::high);
}

inline Time away_in(const Track& track, Time length) {
  const Time from = clock_ms - length;
  Time sum = 0;
  for (const Interval& one : track.history) {
    if (one.to > from) sum += one.to - std::max(one.from, from);
  }
  if (track.is_away) sum += clock_ms - std::max(track.away_since, from);
  return sum;
}

inline bool is_lease_over(int owner) { return heard_of(owner).is_gone || clock_ms - heard_of(owner).at >= lease_ms; }

// Whether a limit says that the pin has to be at rest now.
inline bool is_due(std::size_t pin) {
  const Track& track = tracks[pin];
  const mcp::WorkbenchPin& row = pins[pin];
  if (!track.is_away && !track.holds) return false;
  if (!(track.holds && row.holds_alone) && is_lease_over(track.owner)) return true;
  if (row.needs.get().holds != nullptr && !is_lid_closed) return true;
  if (track.has_end && clock_ms >= track.end) return true;
  if (!track.is_away) return false;
  if (row.away_ms != 0 && clock_ms - track.away_since >= row.away_ms) return true;
  return row.budget.away_ms != 0 && away_in(track, row.budget.window_ms) >= row.budget.away_ms;
}

inline bool may_budget_be_used(std::size_t pin) {
  const mcp::PinBudget& budget = pins[pin].budget;
  if (budget.away_ms == 0) return false;
  constexpr Time slices = 8;
  const Time slice = (budget.window_ms + slices - 1) / slices;
  return tracks[pin].had_fault || away_in(tracks[pin], (slices + 1) * slice) >= budget.away_ms;
}

// Whether the reading of a hold wants the pin to be driven; if it is driven already, with the hysteresis.
inline bool is_wanted(const Sent& hold, bool is_driven) {
  const SensorTrack& sensor = sensors[sensor_of[hold.reading]];
  const int missing = hold.raises ? hold.at - sensor.value : sensor.value - hold.at;
  return is_driven ? missing > -hold.within : missing > hold.within;
}
inline bool is_reading_bad(const Sent& hold) {
  const SensorTrack& sensor = sensors[sensor_of[hold.reading]];
  const mcp::WorkbenchReading& row = readings[hold.reading];
  if (!sensor.is_ok || clock_ms - sensor.measured_at >= row.lost_ms) return true;
  if (row.hold_from == 0 && row.hold_to == 0) return false;
  return hold.raises ? sensor.value > 100 * row.hold_to : sensor.value < 100 * row.hold_from;
}

inline void check_pulses(std::size_t pin, const Drive& drive) {
  const auto near = [](std::uint64_t value, std::uint64_t wanted, std::uint64_t by) {
    return value + by >= wanted && value <= wanted + by;
  };
  constexpr std::uint64_t second_ns = 1'000'000'000;
  const std::uint64_t period = second_ns / step.sent.hz;
  if (!near(drive.period_ns, period, 1) ||
      !near(drive.high_ns, std::uint64_t{drive.period_ns} * step.sent.percent / 100, 1))
    fail("other pulses than those of the call", pin);
  if (step.sent.hz > pins[pin].most_hz) fail("pulses that are too fast", pin);
}

// A pin gets a state that is not its rest.
inline void check_drive(std::size_t pin, const Drive& drive) {
  const Track& track = tracks[pin];
  const mcp::WorkbenchPin& row = pins[pin];
  const Sent& sent = step.sent;
  if (captured_pin == pin) fail("a pin is driven that is captured", pin);
  if (drive.mode != Mode::output && drive.mode != Mode::pwm) fail("an input that is not at rest", pin);
  if (step.kind == Kind::poll) {
    if (!track.holds) fail("a poll drives a pin without a hold", pin);
    if (drive.mode != Mode::output || !is_wanted(track.hold, track.is_away))
      fail("the reading does not want this", pin);
    if (is_reading_bad(track.hold)) fail("driven without a good reading", pin);
  } else {
    const bool is_named = sent.pin == pin && !sent.is_rest;
    if (!is_named) fail("a pin is driven that no call names", pin);
    if (sent.tool == Tool::set_pin
            ? drive.mode != Mode::output || drive.is_high != sent.is_high || !has_use(row.uses, PinUse::output)
        : sent.tool == Tool::set_pwm
            ? drive.mode != Mode::pwm || !has_use(row.uses, PinUse::pwm)
            : sent.tool != Tool::hold || drive.mode != Mode::output || !has_use(row.uses, PinUse::hold))
      fail("another level than that of the call", pin);
    if (drive.mode == Mode::pwm) check_pulses(pin, drive);
    if (sent.tool == Tool::hold && (!is_wanted(sent, false) || is_reading_bad(sent)))
      fail("a hold begins to drive though its reading does not want it", pin);
    if (row.is_dangerous && !step.has_consent) fail("a dangerous pin without consent", pin);
    const bool is_used = (track.is_away || track.holds) && track.owner >= 0;
    if (is_used && track.owner != step.client && !track.was_must && !track.has_fault &&
        !(track.holds && row.holds_alone && (track.was_left || is_lease_over(track.owner))))
      fail("a client drives the pin of another one", pin);
  }
  if (row.needs.get().holds != nullptr && !is_lid_closed) fail("driven though the lid is open", pin);
  if (track.is_away) return;
  if (track.has_rested && clock_ms - track.rested_at < row.rest_ms) fail("driven before it has rested", pin);
  if (row.budget.away_ms != 0 && away_in(track, row.budget.window_ms) >= row.budget.away_ms)
    fail("driven though its budget is used up", pin);
}

inline void check_rest(std::size_t pin) {
  const Track& track = tracks[pin];
  if (!track.is_away || step.kind == Kind::setup || track.holds || track.was_must || track.must_rest ||
      track.may_rest || track.has_fault)
    return;
  const Sent& sent = step.sent;
  const bool is_wish =
      step.kind != Kind::poll &&
      (sent.tool == Tool::all_off || (sent.pin == pin && (track.owner == step.client || track.owner < 0)));
  if (!is_wish) fail("a pin goes to rest without a reason", pin);
}

// The chip has a new state for a pin.
inline void see(std::size_t pin, const Drive& drive) {
  Track& track = tracks[pin];
  const Drive before = track.drive;
  track.drive = drive;
  const bool is_rest = is_at_rest(pin);
  track.drive = before;
  if (is_rest) {
    check_rest(pin);
  } else {
    check_drive(pin, drive);
  }
  track.drive = drive;
  if (is_rest) {
    track.was_rested = true;
    track.must_rest = false;
    if (track.is_away) {
      track.history.push_back({track.away_since, clock_ms});
      track.rested_at = clock_ms;
      track.has_rested = true;
    }
    track.is_away = false;
    if (track.wire == Wire::open) track.has_fault = false;
  } else {
    track.was_driven = true;
    if (!track.is_away) track.away_since = clock_ms;
    track.is_away = true;
  }
}

// ---- The chip and the bus ------------------------------------------------------------------------------------------

inline std::size_t find_pin(std::size_t number) {
  for (std::size_t i = 0; i < pin_count; ++i) {
    if (pins[i].number == number && pins[i].uses != PinUse::analog) return i;
  }
  fuzz::fail("a pin that is not in the table");
}

class Chip final : public mcp::Pins {
  PinError set(std::size_t number, const Drive& drive) {
    const std::size_t pin = find_pin(number);
    if (tracks[pin].error != PinError::none) return tracks[pin].error;
    see(pin, drive);
    return PinError::none;
  }
  PinError do_input(std::uint8_t pin, mcp::PinPull pull) override {
    return set(pin, {.mode = Mode::input, .pull = pull});
  }
  PinError do_output(std::uint8_t pin, bool high) override { return set(pin, {.mode = Mode::output, .is_high = high}); }
  PinError do_level(std::uint8_t number, bool& high) override {
    const Track& track = tracks[find_pin(number)];
    if (track.error != PinError::none) return track.error;
    const Drive& drive = track.drive;
    if (drive.mode != Mode::input && drive.mode != Mode::output) return PinError::failed;
    const bool open = drive.mode == Mode::output ? drive.is_high : drive.pull == mcp::PinPull::up;
    high = track.wire == Wire::open ? open : track.wire == Wire::high;
    return PinError::none;
  }
  PinError do_millivolts(std::uint8_t input, unsigned, std::int32_t& out) override {
    if (input != 0) fuzz::fail("an analog input that is not in the table");
    out = 1234;
    return PinError::none;
  }
  PinError do_pwm(std::uint8_t pin, std::uint32_t period_ns, std::uint32_t high_ns, std::uint32_t& actual) override {
    const PinError error = set(pin, {.mode = Mode::pwm, .period_ns = period_ns, .high_ns = high_ns});
    if (error == PinError::none) actual = period_ns;
    return error;
  }
  PinError do_begin_capture(std::uint8_t number, mcp::PinEdges, std::span<std::uint32_t> times_us) override {
    const std::size_t pin = find_pin(number);
    if (tracks[pin].error != PinError::none) return tracks[pin].error;
    if (captured_pin != none) return PinError::busy;
    if (!has_use(pins[pin].uses, PinUse::capture) || tracks[pin].is_away) fail("captures a pin that is away", pin);
    captured_pin = pin;
    times_ = times_us;
    capture_room = times_us.size();
    capture_count = 0;
    return PinError::none;
  }
  Capture do_captured() override { return captured_pin == none ? Capture{0, false} : Capture{capture_count, false}; }
  void do_end_capture() override { captured_pin = none; }

  std::span<std::uint32_t> times_;

 public:
  void add_edge(std::uint32_t time_us) {
    if (captured_pin != none && capture_count < capture_room) times_[capture_count++] = time_us;
  }
};

inline const mcp::I2cRule* rule_of(unsigned address) {
  for (const mcp::I2cRule& rule : rules) {
    if (address >= rule.first && address <= rule.last) return &rule;
  }
  return nullptr;
}

class Bus final : public mcp::I2cBus {
 public:
  Bus() : I2cBus({.most_bytes = 32, .limit_ms = 5}) {}

 private:
  using Out = std::span<const std::uint8_t>;

  static void check_call(std::uint8_t address, Out out, std::size_t read) {
    const Sent& sent = step.sent;
    const mcp::I2cRule* const rule = rule_of(address);
    const bool is_measured = std::ranges::find(addresses, address) != std::end(addresses);
    const I2cAccess access = rule != nullptr ? rule->access : is_measured ? I2cAccess::read : other_access;
    if (access == I2cAccess::none) fail("an address that the rules hide");
    if (sent.tool == Tool::scan_i2c) {
      if (!out.empty() || read != 1) fail("a scan that does not only read");
      return;
    }
    if (sent.tool != Tool::i2c || address != sent.address || read != sent.read || !std::ranges::equal(out, sent.bytes))
      fail("a transaction that no call names");
    if (++step.transfers > (bus_error == BusError::stuck ? 2U : 1U)) fail("more than one transaction");
    const std::size_t register_bytes = rule == nullptr ? 1 : rule->register_bytes;
    const bool only_reads = read != 0 && (out.empty() || out.size() == register_bytes);
    if (access == I2cAccess::read && !only_reads) fail("a write that the rules forbid");
    if (access == I2cAccess::ask && !only_reads && !step.has_consent) fail("a write without consent");
  }

  BusError do_transfer(std::uint8_t address, Out out, std::span<std::uint8_t> in) override {
    constexpr unsigned first = 0x08;
    constexpr unsigned last = 0x77;
    if (address < first || address > last) fail("a reserved address");
    const auto* const at = std::ranges::find(addresses, address);
    const bool is_sensor = at != std::end(addresses);
    const bool measures = step.kind == Kind::poll || step.kind == Kind::setup;
    if (measures && (!is_sensor || out.size() > 1 || in.empty())) fail("a poll does more than to measure");
    if (!measures) check_call(address, out, in.size());
    std::ranges::fill(in, std::uint8_t{0});
    if (!is_sensor) return bus_error;
    SensorTrack& sensor = sensors[at - std::begin(addresses)];
    const BusError error = bus_error != BusError::none ? bus_error
                           : sensor.is_present         ? BusError::none
                                                       : BusError::no_device;
    if (error == BusError::none && !in.empty()) in[0] = static_cast<std::uint8_t>(sensor.celsius);
    if (!measures) return error;
    sensor.is_ok = error == BusError::none;
    if (sensor.is_ok) {
      sensor.value = 100 * sensor.celsius;
      sensor.measured_at = clock_ms;
    }
    return error;
  }
  bool do_recover() override { return true; }
};

inline Chip the_chip;
inline Bus the_bus;
inline mcp::Pins& chip_pins() { return the_chip; }
inline mcp::I2cBus& chip_bus() { return the_bus; }

// ---- Steps ---------------------------------------------------------------------------------------------------------

inline void begin_step(Kind kind, int client = -1, const Sent& sent = {}, bool has_consent = false) {
  step = {.kind = kind, .client = client, .sent = sent, .has_consent = has_consent};
  for (std::size_t i = 0; i < pin_count; ++i) {
    Track& track = tracks[i];
    if (is_due(i)) track.must_rest = true;
    track.was_must = track.must_rest;
    if (track.holds && pins[i].holds_alone && is_lease_over(track.owner)) track.was_left = true;
    track.may_rest = may_budget_be_used(i);
    track.was_away = track.is_away;
    track.was_rested = track.was_driven = false;
  }
}

inline constexpr Time retry_ms = 1000;

// Each poll and each request looks at all limits.
inline void end_step() {
  const bool is_poll = step.kind == Kind::poll;
  for (std::size_t i = 0; i < pin_count; ++i) {
    Track& track = tracks[i];
    if (pins[i].uses == PinUse::analog) continue;
    // What a hold has to be for is over, also if it did not drive.
    if (track.was_must && track.holds && !track.was_driven) track.holds = false;
    if (is_poll && track.holds && is_reading_bad(track.hold)) track.holds = false, track.must_rest = track.is_away;
    if (is_poll && track.holds && track.is_away && !is_wanted(track.hold, true)) track.must_rest = true;
    if (step.kind == Kind::answer) continue;
    if (track.was_must && track.was_away && !track.was_rested) track.must_rest = true;
    if (is_due(i)) track.must_rest = true;
    const bool is_excused =
        track.has_fault && (!is_poll || track.error != PinError::none || clock_ms < track.cleared_at + retry_ms);
    if (track.must_rest && track.is_away && !is_excused) fail("a pin is not at rest though it has to be", i);
    if (!track.is_away) track.must_rest = false;
  }
}

}  // namespace workbench_oracle
