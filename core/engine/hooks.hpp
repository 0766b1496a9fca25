// SPDX-License-Identifier: Apache-2.0
// The optional code that the engine and the features call through a pointer. The linker takes only code that the tables
// name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "engine/send_context.hpp"
#include "mcp/audit.hpp"
#include "mcp/call.hpp"
#include "mcp/definition.hpp"
#include "mcp/detail/server_state.hpp"
#include "mcp/json/value.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/memory/bit_set.hpp"
#include "mcp/memory/pool.hpp"
#include "mcp/params.hpp"
#include "mcp/port.hpp"
#include "mcp/resource.hpp"
#include "mcp/rpc/envelope.hpp"
#include "mcp/rpc/response.hpp"

namespace mcp::protocol {

class Request;

/// How a request is served. `rejected`: its error has been written.
enum class RequestKind : std::uint8_t { session, stateless, rejected };

/// How stateless requests are served.
struct StatelessOps {
  /// Gets each message. Reads the client of a stateless request into `context.client`, and returns the kind. A message
  /// of a batch and a message that is not a request belong to a session.
  RequestKind (*read_message)(SendContext& context, const rpc::Envelope& envelope, bool in_batch);
  /// True for a request whose `_meta` names a stateless revision.
  bool (*is_stateless)(const json::Object& params);
  /// Writes the members of `_meta` in all results; `context` is the Definition.
  void (*write_meta)(json::Writer& out, const void* context);
  /// Writes how long and for whom a client may cache the result: `ttlMs` and `cacheScope`.
  void (*write_cache)(json::Writer& out, Millis ttl_ms);
};

/// Compares headers with the body.
struct HeaderValidationOps {
  /// Before and after the check of the version. False after an error.
  bool (*check_version)(SendContext& context, const rpc::Envelope& envelope, const std::string_view& version);
  bool (*check_names)(SendContext& context, const rpc::Envelope& envelope);
  /// The parameters of a tool that have headers.
  bool (*check_params)(Request& request, std::span<const mcp::detail::ParamInfo> rows, json::Value arguments);
};

/// Stores a message of the log, for the clients that may see it: Server::log().
void write_log(const mcp::detail::StorageView& storage, LogLevel level, std::string_view logger, std::string_view text);

/// How jobs ask their client.
struct InputRequestOps {
  /// Ends a job whose input request has timed out, and writes its cancellation. False if it has not.
  bool (*overdue)(SendContext& context, mcp::detail::Job& job);
  /// Cancels the open input request of a job. Its client gets the notification now, or that of a task where it hears of
  /// its tasks.
  void (*withdraw)(SendContext& context, mcp::detail::Job& job);
};

/// Subscription targets of one kind. subscriptions/listen names each by a string.
struct TargetKind {
  std::string_view key;  // of their list in params.notifications
  /// The number of the target with this name, counted from 0 among those of its kind. npos if this client cannot
  /// subscribe to it, which is not an error. TargetOps::answered after an error.
  std::size_t (*find)(Request& request, const std::string_view& name);
  /// Writes its name, a string.
  void (*write_name)(json::Writer& out, const SendContext& context, std::size_t target);
  /// Writes the notification of a target: the method, and the params without their closing brace. False if the target
  /// does not exist any more.
  bool (*write_notification)(json::Writer& out, const SendContext& context, std::size_t target);

  static constexpr std::size_t npos = memory::BitSet::npos;
};

/// Subscription targets that are no rows of the resource table. A target has a number (StorageView::first_task_target).
struct TargetOps {
  /// The resource with this URI that a client may subscribe to, or ends to subscribe to: its number, or one of the
  /// results below.
  std::size_t (*find)(Request& request, const std::string_view& uri, bool subscribes);
  /// Writes the URI of a target. False if it does not exist any more: then nothing is written.
  bool (*write_uri)(json::Writer& out, const Definition& definition, const mcp::detail::StorageView& storage,
                    std::size_t target);

  /// No resource has this URI.
  static constexpr std::size_t unknown = memory::BitSet::npos;
  /// It has no subscriptions.
  static constexpr std::size_t unsubscribable = unknown - 1;
  /// The URI is longer than Limits::uri_size.
  static constexpr std::size_t too_long = unknown - 2;
  /// The client has no subscription that it could end.
  static constexpr std::size_t not_subscribed = unknown - 3;
  /// The request has an error.
  static constexpr std::size_t answered = unknown - 4;  // the least of these
};

/// How calls are answered by tasks, in one era.
struct TaskOps {
  /// Answers a call that is or must be a task. False when it is to be answered as usual.
  bool (*call)(Request& request, const Tool& tool, json::Value arguments);
  /// Sets the state of a task, with a result of `size` bytes or with input requests, which expire after `wait_ms`.
  void (*set)(SendContext& context, memory::Handle task, mcp::detail::TaskStatus status, std::size_t size,
              Millis wait_ms);
  /// Writes the member `_meta` that names the task of a message. nullptr if messages do not name it.
  void (*write_meta)(json::Writer& out, const mcp::detail::StorageView& storage, memory::Handle task);
  /// Makes a task of a job that was to answer its call, and answers the call with it. False when it was answered with
  /// an error: the job must end. nullptr where none is.
  bool (*adopt)(SendContext& context, memory::Handle job, rpc::Response& response);
  /// How clients listen to tasks. nullptr where they cannot.
  const TargetKind* listened;
};

/// Subscriptions of stateless clients, as other features use them.
struct SubscriptionOps {
  /// Marks a target (StorageView::first_task_target()), or lists (bits of list_bit()), as changed for all subscriptions
  /// that name it.
  void (*target_changed)(const mcp::detail::StorageView& storage, std::size_t target);
  void (*lists_changed)(const mcp::detail::StorageView& storage, std::uint8_t lists);
  /// Removes a target from all subscription filters. Its number may name another target later.
  void (*forget_target)(const mcp::detail::StorageView& storage, std::size_t target);
};

/// How often the owner of a request may call.
struct RateLimiter {
  /// Errc::ok if the client may call a tool now, and counts the call. Otherwise the result of the failed call.
  Errc (*call)(const Request& request, Call& call);
  /// As above, for a request that is not a tool call. False after an error.
  bool (*request)(Request& request);
};

/// Serves the methods and notifications of the application.
struct MethodOps {
  /// False if no row has this name.
  bool (*serve)(Request& request, const std::string_view& name);
  /// Calls the handler of a notification, if a row has its name. Writes nothing.
  void (*notify)(SendContext& context, const rpc::Envelope& envelope);
};

/// Names the boot of the device, if Services::boot_id does.
struct BootOps {
  /// Writes `_meta` with the boot id into a result.
  void (*write_meta)(Request& request);
  /// Writes the line that marks a boot. Returns its size; 0 without a boot id.
  std::size_t (*write_mark)(const mcp::detail::StorageView& storage, std::span<char> into);
};

using mcp::detail::Binding;
inline std::span<const std::uint8_t> bytes_of(const Binding& binding) { return binding.bytes; }
/// False when no binding could be made, or its key is gone: the job cannot ask a stateless client.
inline bool is_bound(const Binding& binding) { return binding != Binding{}; }

/// Multi round-trip requests: data in the retry of a stateless call.
struct MrtrRetry {
  memory::Handle slot;                  // of the job that waits for it, or that is reserved for it; may be zero
  std::span<const std::uint8_t> state;  // the stored state of a job; in the free part of the transmit buffer
  json::Value responses;
  Binding binding;
  [[nodiscard]] bool first() const { return slot == memory::Handle{} && state.empty(); }
};

/// How jobs ask clients without a session.
struct MrtrOps {
  /// Reads the data in a call. False after an error.
  bool (*open)(Request& request, const Tool& tool, MrtrRetry& retry);
  /// Stores the binding of the call for a new job. If the call has input responses, step() follows.
  void (*begin)(Request& request, memory::Handle job);
  /// Continues a job of an earlier call, which has its slot again; step() follows.
  void (*resume)(Request& request, memory::Handle job, const MrtrRetry& retry);
  /// Runs the step of Request::job after the handler, whose stack is free again.
  void (*step)(Request& request);
  /// Completes the result with the input requests of a job that waits for `wait_ms`. Keeps the job in its slot,
  /// reserves the slot for the retry, or releases it. False if this is impossible: removes everything after `start`,
  /// and the next step of the job gets the reason.
  bool (*ask)(SendContext& context, memory::Handle job, Millis wait_ms, json::Writer::Mark start);
  /// Ends jobs and reservations whose clients have not retried before the timeout.
  void (*expire)(const Definition& definition, const mcp::detail::StorageView& storage, Millis now);
  /// Frees the slots whose reservation is over. No step of a job runs.
  void (*expire_reserved)(const mcp::detail::StorageView& storage, Millis now);
  /// Ends a reservation for a call that found no slot. A retry takes any reservation of its owner. A first call leaves
  /// at least one, and takes none while a call of its owner runs. False if there is none.
  bool (*evict_reserved)(const SendContext& context, bool first);
};

/// Lets a prompt with `.asks_itself` know its own input requests: its sealed state contains only these.
struct SealedPromptOps {
  /// Reads the input requests of the previous call, if the request has a state. False after an error.
  bool (*open_prompt)(Request& request, mcp::detail::PendingInputs& inputs);
  /// Writes the member `requestState` for these input requests. False without a key.
  bool (*write_prompt)(Request& request, const mcp::detail::PendingInputs& inputs);
};

}  // namespace mcp::protocol
