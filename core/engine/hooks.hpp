// The optional code that the engine and the features call through a pointer. Only what the tables name is linked.
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
#include "mcp/rpc/response.hpp"
#include "rpc/envelope.hpp"

namespace mcp::protocol {

class Request;

/// How a request is served. `rejected`: its error has been written.
enum class RequestKind : std::uint8_t { session, stateless, rejected };

/// How stateless requests are served.
struct StatelessOps {
  /// Reads the client into `context.client`, and says which kind of request this is.
  RequestKind (*read)(SendContext& context, const rpc::Envelope& envelope);
  /// True for a request whose `_meta` names a stateless revision.
  bool (*is_stateless)(const json::Object& params);
  /// Writes what all results have in their `_meta`; `context` is the Definition.
  void (*write_meta)(json::Writer& out, const void* context);
  /// Writes for how long a result stays good, and for whom: `ttlMs` and `cacheScope`.
  void (*write_cache)(json::Writer& out, Millis ttl_ms);
};

/// What is served in the session that stateless requests share.
struct SharedSessionOps {
  /// True for a message that is no stateless one, and refused.
  bool (*rejects)(SendContext& context, const rpc::Envelope& envelope);
};

/// How headers are held against a body.
struct HeaderValidationOps {
  /// Before the version is looked at, and behind that. False after an error.
  bool (*check_version)(SendContext& context, const rpc::Envelope& envelope, const std::string_view& version);
  bool (*check_names)(SendContext& context, const rpc::Envelope& envelope);
  /// The parameters of a tool that have headers.
  bool (*check_params)(Request& request, std::span<const mcp::detail::ParamInfo> rows, json::Value arguments);
};

/// How a URI that is not in the resource table is looked for among the templates.
struct TemplateReader {
  /// Answers the request and returns true when a template serves this URI.
  bool (*read)(Request& request, const std::string_view& uri);
  void (*list)(Request& request);
};

/// How prompts ask. Errc::handled when the request is answered.
struct PromptInputOps {
  Errc (*get)(Request& request, const Prompt& prompt, json::Value arguments);
};

/// Stores a message of the log, for the clients that may see it: Server::log().
void write_log(const mcp::detail::StorageView& storage, LogLevel level, std::string_view logger, std::string_view text);

/// How jobs ask their client.
struct InputRequestOps {
  /// Ends the waiting of a job whose question is too old, and writes what the client is told. False when it is not.
  bool (*overdue)(SendContext& context, mcp::detail::Job& job);
  /// write_withdrawal().
  void (*withdraw)(json::Writer& out, std::uint32_t question);
};

/// Things of one kind that subscriptions/listen can name, each by a text of its own.
struct TargetKind {
  std::string_view key;  // of their list in params.notifications
  /// The number of the thing that is called so, counted from 0 among those of its kind; `npos` for one that this client
  /// cannot listen to, which is no error.
  std::size_t (*find)(const Request& request, const std::string_view& name);
  /// Writes its name, a string.
  void (*write_name)(json::Writer& out, const SendContext& context, std::size_t thing);
  /// Writes what there is to tell of it: the method, and the params without their brace at the end.
  void (*write_notification)(json::Writer& out, const SendContext& context, std::size_t thing);

  static constexpr std::size_t npos = memory::BitSet::npos;
};

/// How calls are answered by tasks, in one era.
struct TaskOps {
  /// Answers a call that is or must be a task. False when it is to be answered as usual.
  bool (*call)(Request& request, const Tool& tool, json::Value arguments);
  /// The task is in this state from now on, with a result of `size` bytes or with questions, which wait for `wait_ms`.
  void (*set)(SendContext& context, memory::Handle task, mcp::detail::TaskStatus status, std::size_t size,
              Millis wait_ms);
  /// It has ended with an answer of `size` bytes.
  void (*end)(SendContext& context, memory::Handle task, std::size_t size, bool ok, bool has_meta);
  /// Writes the member `_meta` that says to which task a message belongs. nullptr where none says so.
  void (*write_meta)(json::Writer& out, const mcp::detail::StorageView& storage, memory::Handle task);
  /// Makes a task of a job that was to answer its call, and answers the call with it. False when it was answered with
  /// an error: the job must end. nullptr where none is.
  bool (*adopt)(SendContext& context, memory::Handle job, rpc::Response& response);
  /// How clients listen to tasks. nullptr where they cannot.
  const TargetKind* listened;
};

/// What stateless clients listen to: what other areas tell it and ask of it.
struct SubscriptionOps {
  /// Marks a thing (StorageView::first_task_target()), or lists (bits of list_bit()), as changed for all that named it.
  void (*target_changed)(const mcp::detail::StorageView& storage, std::size_t thing);
  void (*lists_changed)(const mcp::detail::StorageView& storage, std::uint8_t lists);
  /// Removes a target from all subscription filters. Its number may name another target later.
  void (*target_ended)(const mcp::detail::StorageView& storage, std::size_t thing);
};

/// How often the owner of a request may call.
struct RateLimiter {
  /// Errc::ok when it may call a tool now, which then counts; else what the call has failed with.
  Errc (*call)(const Request& request, Call& call);
  /// The same for what is no tool. False after an error.
  bool (*request)(Request& request);
};

/// Sends a record of each request and of the end of each job to the application.
struct AuditOps {
  void (*request)(const Request& request, const std::string_view& method, bool answered);
  void (*job)(const SendContext& context, const mcp::detail::Job& job, AuditRecord::Outcome outcome, int error_code);
};

using mcp::detail::Binding;
inline std::span<const std::uint8_t> bytes_of(const Binding& binding) { return binding.bytes; }
/// False when no binding could be made, or its key is gone: the job cannot ask a stateless client.
inline bool is_bound(const Binding& binding) { return binding != Binding{}; }

/// What the call of a client without a session brings from the round before.
struct MrtrRetry {
  memory::Handle slot;                  // of the job that waits for it, or that is reserved for it; may be zero
  std::span<const std::uint8_t> state;  // what the client kept of a job; in the free part of the window
  json::Value responses;
  Binding binding;
  [[nodiscard]] bool first() const { return slot == memory::Handle{} && state.empty(); }
};

/// How jobs ask clients without a session.
struct MrtrOps {
  /// Reads what a call brings. False after an error.
  bool (*open)(Request& request, const Tool& tool, MrtrRetry& round);
  /// Remembers of a new job what its call is bound to. When answers came along, step() follows.
  void (*begin)(Request& request, memory::Handle job);
  /// Goes on with a job of an earlier round, which has its slot again; step() follows.
  void (*resume)(Request& request, memory::Handle job, const MrtrRetry& round);
  /// Takes the step of Request::job, behind the handler, whose part of the stack is free again.
  void (*step)(Request& request);
  /// Ends the answer with the questions of a job that waits for `wait_ms`, and leaves it in its slot, reserves the
  /// slot for the retry or releases it. False when that cannot be: what stands behind `start` is removed, and the job
  /// gets the reason in its next step.
  bool (*ask)(SendContext& context, memory::Handle job, Millis wait_ms, json::Writer::Mark start);
  /// Ends jobs and reservations whose clients have not called again in time.
  void (*expire)(const Definition& definition, const mcp::detail::StorageView& storage, Millis now);
  /// Frees the slots whose reservation is over. No step of a job runs.
  void (*expire_reserved)(const mcp::detail::StorageView& storage, Millis now);
  /// Gives up a reserved slot for a call that found none. A retry takes any of its owner's; a first call leaves at
  /// least one, and takes none while a call of its owner runs. False when there is none to be had.
  bool (*make_room)(const SendContext& context, bool first);
};

/// How a prompt with `.asks_itself` knows what it has asked: its state is sealed, and holds its questions alone.
struct SealedPromptOps {
  /// Reads what the request asked in the round before, if it brings a state. False after an error.
  bool (*open)(Request& request, const Prompt& prompt, mcp::detail::PendingInputs& asked);
  /// Writes the member `requestState` for these questions. False without a key.
  bool (*write)(Request& request, const Prompt& prompt, const mcp::detail::PendingInputs& asked);
};

}  // namespace mcp::protocol
