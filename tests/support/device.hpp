// SPDX-License-Identifier: Apache-2.0
// The device of the tests: a Definition with every kind of parameter, body, failure and template. Tests can read the
// actions of its handlers; it stores nothing else.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "mcp/server.hpp"

namespace test {

/// What the handlers act on.
struct DeviceState {
  int counter;        // test://counter
  unsigned calls;     // of any tool's handler since reset_device()
  std::size_t large;  // bytes of test://large
};
extern DeviceState device;

/// The content of both streamed bodies of streams.cpp.
struct StreamState {
  static constexpr std::size_t never = static_cast<std::size_t>(-1);
  std::string body = "body";
  std::size_t piece = 48;        // bytes that one read brings at most
  std::size_t busy_at = never;   // offset from which on no byte is ready; the server reads again after 100 ms
  std::size_t fails_at = never;  // offset from which on reading fails
  mcp::Errc errc = mcp::Errc::unavailable;
};
extern StreamState streamed;

/// As it is before every conversation.
void reset_device();

/// "features" (features.cpp), "input_requests" (input_requests.cpp), "streams", "template_streams" and
/// "template_streams_alone" (streams.cpp), "extended" (extended.cpp), "structured" (structured.cpp), "parameters"
/// and "strict" (parameters.cpp), "bodies" (bodies.cpp), "actions" (actions.cpp), "history" (history.cpp),
/// "coroutines" and "frames" (coroutines.cpp), "mrtr" (mrtr.cpp), "rows" (rows.cpp), "scoped" and "hiding"
/// (scopes.cpp), "tasks" (tasks.cpp), "detached_tasks" (detached_tasks.cpp), "reads" (reads.cpp), "read_tools"
/// (read_tools.cpp), "callers" and "few_callers" (callers.cpp), those of found.cpp, "logs" (logs.cpp), "vendor" and
/// "items" (vendor.cpp), "full", "bare" (no tables), "tools", "resources" (nothing subscribable) or "templates":
/// nullptr for any other name.
const mcp::Definition* find_definition(std::string_view name);

/// The row of the full definition's resource table, or nullptr.
const mcp::Resource* find_resource(std::string_view uri);

/// The device of features.cpp, and what can happen at it: `enable NAME`, `disable NAME`, `log LEVEL LOGGER TEXT`.
extern const mcp::Definition features;
bool act_on_features(mcp::Server& server, std::string_view action);

/// The device of input_requests.cpp and its events: `complete ID` and `refuse to complete ID` (the completion of an
/// elicitation, which the server accepts or rejects), `trail TEXT` (asserts the audit records since the last one),
/// `forget`.
extern const mcp::Definition input_requests;
bool act_on_input_requests(mcp::Server& server, std::string_view action);

/// The device of streams.cpp, and what can happen at it: `body TEXT`, `body_bytes NUMBERS`, `body_times N TEXT`,
/// `pieces SIZE`, `busy OFFSET`, `ready`, `fail OFFSET ERRC`, `heal`, `update stream:text`.
extern const mcp::Definition& streams;
/// The same with templates that have streams, and these templates alone.
extern const mcp::Definition& template_streams;
extern const mcp::Definition& template_streams_alone;
/// The tools of input_requests.cpp and the resources of streams.cpp.
extern const mcp::Definition input_requests_streams;
bool act_on_streams(mcp::Server& server, std::string_view action);
/// The devices of extended.cpp and structured.cpp.
extern const mcp::Definition extended;
extern const mcp::Definition routed;
extern const mcp::Definition structured;
/// The device of bodies.cpp.
extern const mcp::Definition bodies;
/// The device of read_tools.cpp.
extern const mcp::Definition read_tools;
/// The devices of parameters.cpp. The second one has strict schemas and the codes of units.
extern const mcp::Definition parameters;
extern const mcp::Definition strict;
/// The devices of coroutines.cpp and their event: `forget running` (the number of started calls). The tools of the
/// first device exist a second time as jobs: with its twin a conversation is equal byte for byte.
extern const mcp::Definition coroutines;
extern const mcp::Definition frames;
const mcp::Definition* find_twin(const mcp::Definition& definition);
bool act_on_coroutines(std::string_view action);

/// The device of mrtr.cpp and its events: `forget mrtr`, `mrtr trail TEXT` (asserts the audit records since the last
/// one).
extern const mcp::Definition mrtr;
bool act_on_mrtr(std::string_view action);

/// The device of rows.cpp, and what can happen at it: `enable row NAME`, `disable row NAME`,
/// `update row fixed`.
extern const mcp::Definition rows;
bool act_on_rows(mcp::Server& server, std::string_view action);

/// The devices of scopes.cpp: the rows of the second one are hidden from callers without their scopes.
extern const mcp::Definition scoped;
extern const mcp::Definition hiding;
// The same with tasks: of "pump" and "agreed", which need pump:write, and of "rinse" and "asks", which need no scope.
extern const mcp::Definition scoped_tasks;
extern const mcp::Definition hiding_tasks;
extern const mcp::Definition short_scoped_tasks;  // none of them outlives its session

/// The device of tasks.cpp, and what can happen at it: `forget last steps` (how many tasks were ended).
extern const mcp::Definition tasks;
bool act_on_tasks(std::string_view action);

/// The device of detached_tasks.cpp, and what can happen at it: `forget ended` (how many jobs were told to stop).
extern const mcp::Definition detached_tasks;
bool act_on_detached_tasks(std::string_view action);

/// The device of reads.cpp and its events: `forget reads`, `reads trail TEXT` (asserts the audit records since the last
/// one).
extern const mcp::Definition reads;
bool act_on_reads(std::string_view action);

/// The devices of callers.cpp and their events: `forget callers`, `callers trail TEXT` (asserts the audit records and
/// what notifications and last steps told since the last one). A slow read calls the hook in its second step, if there
/// is one.
extern const mcp::Definition callers;
extern const mcp::Definition few_callers;
std::string take_callers();
using CallerHook = std::string (*)();
extern CallerHook caller_hook;
bool act_on_callers(std::string_view action);

/// The device of actions.cpp, and what can happen at it: `renew actions`, `open lid`, `close lid`, `let air in` (the
/// pump is no longer primed), `remove beep`.
extern const mcp::Definition actions;
bool act_on_actions(mcp::Server& server, std::string_view action);

/// The device of logs.cpp, whose handlers log once `take the log` has happened at their server; until reset_device().
extern const mcp::Definition logs;
bool act_on_logs(mcp::Server& server, std::string_view action);
void forget_logger();

/// The devices of found.cpp (found, found_only, found_extended, instances, found_scoped, found_hidden), and what can
/// happen at them:
/// `find sensor|tool NUMBER URI|NAME [TITLE [SCHEMA]]`, `lose sensor|tool NUMBER` (it ends, without a word to the
/// server), `end sensor NUMBER`, `update_found sensor NUMBER`, `update_found_from_isr sensor NUMBER`,
/// `change sensors|tools` (the list changes), `update_uri URI`, `pins DIGITS` (those that exist),
/// `switch_resource|switch_tool|switch_template on|off` (the first row).
const mcp::Definition* find_found_definition(std::string_view name);
bool act_on_found(mcp::Server& server, std::string_view action);
void forget_found();

/// The devices of vendor.cpp, and what can happen at the first: `forget vendor`, `vendor trail TEXT` (asserts the audit
/// records since the last one).
extern const mcp::Definition vendor;
extern const mcp::Definition new_items;
bool act_on_vendor(mcp::Server& server, std::string_view action);
void forget_vendor();
/// The device of history.cpp, and what can happen at it: `now MS`, `utc at zero MS` (the UTC at `now 0`), `temperature
/// HUNDREDTHS`, `pressure VALUE`, `clear`.
extern const mcp::Definition history;
bool act_on_history(mcp::Server& server, std::string_view action);
void forget_history();

/// Something happens at the device: `update URI`, `update_from_isr URI`, `end subscriptions` (of stateless clients),
/// `count` (test://counter grows by one, without a word to the server). False when there is no such action.
bool act(mcp::Server& server, std::string_view action);

}  // namespace test
