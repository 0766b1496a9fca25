// SPDX-License-Identifier: Apache-2.0
// The state of a workbench and what its functions do, without the size of its table. mcp/workbench.hpp has the
// documentation.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <mcp/audit.hpp>
#include <mcp/call.hpp>
#include <mcp/caller.hpp>
#include <mcp/errors.hpp>
#include <mcp/history.hpp>
#include <mcp/input_request.hpp>
#include <mcp/job.hpp>
#include <mcp/params.hpp>
#include <mcp/port.hpp>
#include <mcp/resource.hpp>
#include <mcp/session_id.hpp>
#include <mcp/text_pieces.hpp>
#include <optional>
#include <span>
#include <string_view>

#include "mcp/workbench/table.hpp"

namespace mcp {

class Server;
class WorkbenchCore;

namespace detail {

/// The index of a pin in the table.
enum class WorkbenchPinId : std::uint8_t {};
/// The index of a reading in the table.
enum class WorkbenchReadingId : std::uint8_t {};

/// Why a pin went to rest, or a hold ended.
enum class RestReason : std::uint8_t {
  none,           // it was not away from rest
  by_client,      // its client has set it to rest
  all_off,        // a client has called all_off
  time_over,      // the time of the call
  away_limit,     // WorkbenchPin::away_ms
  budget,         // WorkbenchPin::budget
  client_gone,    // the lease is over, or its session has ended
  interlock,      // WorkbenchPin::needs
  wrong_level,    // the wire has not the level that the pin drives
  pin_failed,     // the port reports an error
  sensor_lost,    // of a hold: the measurement failed, or there is no new value
  out_of_bounds,  // of a hold: the reading is beyond WorkbenchReading::hold_from or hold_to
};

enum class PinRole : std::uint8_t { rest, output, pwm, hold };

struct WorkbenchPinState {
  Millis away_ms = 0;    // since when it is away from rest
  Millis end_ms = 0;     // the end of the time of the call
  Millis rested_ms = 0;  // since when it is at rest
  std::uint32_t hz = 0;
  std::uint16_t permille = 0;
  std::uint8_t client = 0;  // the slot of the client, or no_client, unless the role is rest
  PinRole role = PinRole::rest;
  RestReason reason = RestReason::none;
  PinError error = PinError::none;  // why it is not available
  bool is_high : 1 = false;
  bool is_away : 1 = false;
  bool has_end : 1 = false;
  bool has_rested : 1 = false;      // `rested_ms` counts
  bool is_unavailable : 1 = false;  // it did not go to rest
};

struct PinBudgetState {
  static constexpr std::uint32_t slices = 8;  // of a window; one more is the current one
  Millis slice_ms = 0;                        // the start of the current slice
  Millis counted_ms = 0;                      // up to when times are counted
  std::uint32_t used_ms[slices + 1] = {};
  std::uint8_t at = 0;
};

struct WorkbenchClient {
  static constexpr std::size_t name_size = 24;
  std::uint64_t principal = 0;
  SessionId session = {};       // of a client with a session
  std::uint32_t name_hash = 0;  // of a stateless client without a token
  Millis heard_ms = 0;          // its last request
  bool is_stateless = false;
  std::uint8_t shown_size = 0;
  char shown[name_size] = {};  // the name, for other clients
};

enum class HoldAction : std::uint8_t { raise, lower };

struct HoldState {
  std::int32_t target = 0;
  std::int32_t within = 0;
  Millis end_ms = 0;
  std::uint32_t switches = 0;
  std::uint8_t pin = 0;
  std::uint8_t reading = 0;
  HoldAction action = {};
  RestReason ended = RestReason::none;
  bool is_on = false;
  bool was_on = false;  // the slot has a hold that has ended
  bool drives = false;
};

struct WatchState {
  HistoryState history = {};
  HistoryThresholds<std::int32_t> thresholds = {};
  bool is_on = false;
};

/// The state that is no array.
struct WorkbenchFlags {
  Millis retried_ms = 0;
  Millis captured_ms = 0;  // the start of the capture
  std::uint8_t captured_pin = 0;
  bool has_unavailable = false;
  bool is_capturing = false;
  bool has_news = false;
};

/// The memory of a workbench.
struct WorkbenchMemory {
  WorkbenchFlags* flags;
  WorkbenchPinState* pins;
  PinBudgetState* budgets;
  WorkbenchClient* clients;
  HoldState* holds;
  WatchState* watches;
  std::int32_t* values;
  Millis* gaps;
  std::uint32_t* edges;
};

/// The code of holds and watches, which the options link.
struct WorkbenchHolds {
  static void drive(const WorkbenchCore& bench, HoldState& hold, bool on, Millis now);
  static void step(const WorkbenchCore& bench, HoldState& hold, Millis now);
  static Millis poll(const WorkbenchCore& bench, Millis now);
  static void write(const WorkbenchCore& bench, json::Writer& json, Millis now);
};
struct WorkbenchWatches {
  static bool add(const WorkbenchCore& bench, std::size_t reading, Millis at);
  static void write(const WorkbenchCore& bench, std::size_t reading, json::Writer& json);
};
struct WorkbenchParts {
  Millis (*poll_holds)(const WorkbenchCore& bench, Millis now) = nullptr;
  void (*write_holds)(const WorkbenchCore& bench, json::Writer& json, Millis now) = nullptr;
  bool (*add_to_watch)(const WorkbenchCore& bench, std::size_t reading, Millis at) = nullptr;
  void (*write_watch)(const WorkbenchCore& bench, std::size_t reading, json::Writer& json) = nullptr;
};

constexpr WorkbenchParts workbench_parts(const WorkbenchOptions& options) {
  WorkbenchParts parts;
  if (options.holds != 0) {
    parts.poll_holds = WorkbenchHolds::poll;
    parts.write_holds = WorkbenchHolds::write;
  }
  if (options.watch_values != 0) {
    parts.add_to_watch = WorkbenchWatches::add;
    parts.write_watch = WorkbenchWatches::write;
  }
  return parts;
}

inline constexpr Millis capture_limit_ms = 12'000;
// The user has 60 s to consent.
inline constexpr Millis consent_ms = 60'000;
inline constexpr Millis consent_limit_ms = consent_ms + 5'000;

enum class PinLevel : std::uint8_t { low, high, rest };

struct SetPinArguments {
  WorkbenchPinId pin;
  PinLevel level;
  std::uint32_t for_ms;
};
struct SetPwmArguments {
  WorkbenchPinId pin;
  std::uint32_t hz;
  float percent;
};
struct HoldArguments {
  WorkbenchReadingId reading;
  float at;
  float within;
  WorkbenchPinId pin;
  HoldAction action;
  std::uint16_t minutes;
};
struct WatchArguments {
  WorkbenchReadingId reading;
  std::optional<float> above;
  std::optional<float> below;
};
struct CaptureArguments {
  WorkbenchPinId pin;
  PinEdges edges;
  std::uint16_t for_ms;
};
/// A transaction of the tool i2c.
struct I2cTransaction {
  static constexpr std::size_t most_bytes = 32;
  std::uint8_t address;
  std::uint8_t size;
  std::uint8_t read;
  std::uint8_t bytes[most_bytes];
};
template <class String4, class String64>
struct I2cArguments {
  String4 address;
  String64 write;
  std::uint8_t read;
};

}  // namespace detail

/// The functions of a workbench. It is a constant: the state is in the memory that it refers to.
class WorkbenchCore {
 public:
  constexpr WorkbenchCore(const WorkbenchOptions& options, const detail::WorkbenchParts& parts,
                          const detail::WorkbenchMemory& memory)
      : options_(options),
        parts_(parts),
        flags_(*memory.flags),
        pins_(memory.pins),
        budgets_(memory.budgets),
        clients_(memory.clients),
        holds_(memory.holds),
        watches_(memory.watches),
        values_(memory.values),
        gaps_(memory.gaps),
        edges_(memory.edges) {}
  WorkbenchCore(const WorkbenchCore&) = delete;
  WorkbenchCore& operator=(const WorkbenchCore&) = delete;

  std::size_t begin() const;
  Millis poll(const Server& server, const Resource* readings) const;
  void rest_now() const;
  void heard(const AuditRecord& record, const Caller& caller) const;

  Errc all_off(Call& call) const;
  Errc read_pins(std::span<const detail::WorkbenchPinId> pins, unsigned samples, Call& call) const;
  Errc set_pin(const detail::SetPinArguments& arguments, Call& call) const;
  Errc set_pwm(const detail::SetPwmArguments& arguments, Call& call) const;
  Errc scan_i2c(Call& call) const;
  Errc i2c(std::string_view address, std::string_view write, unsigned read, Call& call) const;
  Errc hold(const detail::HoldArguments& arguments, Call& call) const;
  Errc watch(const detail::WatchArguments& arguments, Call& call) const;
  // Jobs.
  Step step_set_pin(const detail::SetPinArguments& arguments, bool& is_asked, AskContext& context) const;
  Step step_set_pwm(const detail::SetPwmArguments& arguments, bool& is_asked, AskContext& context) const;
  Step step_hold(const detail::HoldArguments& arguments, bool& is_asked, AskContext& context) const;
  Step step_i2c(std::string_view address, std::string_view write, unsigned read, bool& is_asked,
                AskContext& context) const;
  Step capture(const detail::CaptureArguments& arguments, Millis& begun_ms, bool& is_begun, JobContext& context) const;
  // Resources.
  Errc write_pins(ReadResult& out) const;
  Errc write_readings(ReadResult& out) const;

 private:
  friend detail::WorkbenchHolds;
  friend detail::WorkbenchWatches;
  using PinState = detail::WorkbenchPinState;
  using Reason = detail::RestReason;
  static constexpr std::uint8_t no_client = 0xFF;
  /// What a call needs of a pin.
  enum class Take : std::uint8_t { level, hold };

  struct Edges;

  // Clients.
  [[nodiscard]] std::uint8_t find_client(const detail::WorkbenchClient& client) const;
  [[nodiscard]] std::uint8_t take_client(const Call& call, Millis now) const;
  [[nodiscard]] std::uint8_t release_client(Millis now) const;
  [[nodiscard]] bool has_pins(std::uint8_t client) const;
  [[nodiscard]] bool is_of_other(std::size_t pin, std::uint8_t client) const;
  [[nodiscard]] std::string_view holder(std::size_t pin) const;
  std::uint8_t enter(const Call& call, Millis now) const;

  // Time.
  [[nodiscard]] detail::PinBudgetState* budget_of(std::size_t pin) const;
  void count_time(std::size_t pin, Millis now) const;
  [[nodiscard]] Millis budget_left(std::size_t pin) const;
  [[nodiscard]] Millis budget_due(std::size_t pin, Millis now) const;
  [[nodiscard]] Millis time_left(std::size_t pin, Millis now) const;
  [[nodiscard]] Millis lease_left(std::size_t pin, Millis now) const;
  [[nodiscard]] Reason due_reason(std::size_t pin, Millis now) const;
  void settle(Millis now) const;
  void retry_unavailable(Millis now) const;
  Millis measure() const;
  Errc begin_capture(std::size_t pin, PinEdges edges, Millis now, Call& call) const;
  bool read_last_level(std::size_t pin, Pins::Capture& captured, bool& is_high) const;
  Errc end_capture(std::size_t pin, const Edges& edges, Call& call) const;
  Millis end_old_capture(Millis now) const;

  // Pins.
  [[nodiscard]] bool has_level(std::size_t pin, bool high) const;
  PinError drive_rest(std::size_t pin) const;
  void rest(std::size_t pin, Reason reason, Millis now) const;
  void begin_away(std::size_t pin, detail::PinRole role, std::uint8_t client, Millis now) const;
  Errc refuse_other(std::size_t pin, Call& call) const;
  Errc check_take(std::size_t pin, std::uint8_t client, Take take, Millis now, Call& call) const;
  Errc check_set_pin(const detail::SetPinArguments& arguments, std::uint8_t client, Millis now, Call& call) const;
  Errc check_set_pwm(const detail::SetPwmArguments& arguments, std::uint8_t client, Millis now, Call& call) const;
  Errc check_hold(const detail::HoldArguments& arguments, std::uint8_t client, Millis now, detail::HoldState& out,
                  Call& call) const;
  Errc end_at_rest(std::size_t pin, std::uint8_t client, Millis now, Call& call) const;
  Errc fail_unavailable(std::size_t pin, Call& call) const;
  [[nodiscard]] bool is_rest_level(std::size_t pin, detail::PinLevel level) const;
  void write_pin(std::size_t pin, unsigned samples, std::uint8_t client, Millis now, TextWriter& text) const;
  void write_use(std::size_t pin, std::uint8_t client, Millis now, TextWriter& text) const;

  // I2C.
  [[nodiscard]] const I2cRule* rule_of(unsigned address) const;
  [[nodiscard]] I2cAccess access_of(unsigned address) const;
  [[nodiscard]] const MeasuredSensor* sensor_at(unsigned address) const;
  bool is_device(unsigned address, BusError& error) const;
  void write_device(unsigned address, TextWriter& text) const;
  [[nodiscard]] bool is_harmless(unsigned address, std::size_t written, unsigned read) const;
  Errc check_i2c(std::string_view address, std::string_view write, unsigned read, detail::I2cTransaction& out,
                 Call& call) const;
  Errc run_i2c(const detail::I2cTransaction& transaction, Call& call) const;

  template <class Check, class Ask, class Run>
  Step with_consent(bool asks, bool& is_asked, AskContext& context, const Check& check, const Ask& ask,
                    const Run& run) const;

  const WorkbenchOptions& options_;
  const detail::WorkbenchParts& parts_;
  detail::WorkbenchFlags& flags_;
  detail::WorkbenchPinState* pins_;
  detail::PinBudgetState* budgets_;
  detail::WorkbenchClient* clients_;
  detail::HoldState* holds_;
  detail::WatchState* watches_;
  std::int32_t* values_;
  Millis* gaps_;
  std::uint32_t* edges_;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
