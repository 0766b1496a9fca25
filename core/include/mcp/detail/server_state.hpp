// SPDX-License-Identifier: Apache-2.0
// The state of a server: sessions, jobs, tasks, streams and subscriptions, and the view of their memory. Private.
#pragma once

#include <mcp/detail/prelude.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "mcp/assert.hpp"
#include "mcp/detail/atomic.hpp"
#include "mcp/detail/link.hpp"
#include "mcp/detail/task_check.hpp"
#include "mcp/errors.hpp"
#include "mcp/feature_flags.hpp"
#include "mcp/health.hpp"
#include "mcp/limits.hpp"
#include "mcp/memory/bit_set.hpp"
#include "mcp/memory/pool.hpp"
#include "mcp/memory/record_ring.hpp"
#include "mcp/port.hpp"

namespace mcp {

class Call;
struct Tool;

namespace json {
class Writer;
}

namespace detail {
struct StorageView;
}  // namespace detail

namespace protocol {
struct SendContext;
}  // namespace protocol

namespace detail {

enum class Phase : std::uint8_t {
  fresh,        // only ping, initialize and stateless requests are served
  initialized,  // initialize has a response: requests are served
  ready,        // notifications/initialized has arrived: the server may send on its own
};

/// The client of a message: of its session, or as a stateless request describes it.
struct alignas(std::uint32_t) Client {  // so that it is copied as one word
  std::uint8_t revision = 0;            // index into protocol::revisions
  std::uint8_t features = 0;            // bits of protocol::CapabilityBit
  LogLevel log_level = LogLevel::debug;
  bool stateless : 1 = false;
  bool logs : 1 = false;         // it requests messages of log_level and above: in _meta, or by logging/setLevel
  bool knows_tasks : 1 = false;  // of a session: it declares the capability tasks
};

/// How far a client has seen the log.
struct LogCursor {
  std::uint16_t next = 0;  // the lower bits of the number of the record that it sees next, which the ring holds
  std::uint16_t lost = 0;  // records for this client that left the ring before it saw them
};

/// The log of a server. Messages belong to the request that is being served.
struct LogState : memory::RecordRing::State {
  const protocol::SendContext* current;  // of the message being served or sent; nullptr: the main loop of the device
  const protocol::SendContext* request;  // of the stateless request that asked for messages and has no response yet
  LogCursor cursor;                      // of that request
  LogLevel level;                        // that it asked for
};

/// The state of one session. All zero is a fresh session.
struct Session : memory::Slot {
  std::uint16_t serial_high = 0;  // of its SessionId
  std::uint32_t serial_low = 0;
  std::uint32_t owner = 0;  // TransportInfo::owner() of the client that began it
  Client client;
  Phase phase = Phase::fresh;
  std::uint8_t lists_changed = 0;  // a bit per ListKind, and shares_changes
  bool no_listener = false;        // the transport takes no messages for session_channel
  bool shared : 1 = false;         // by the stateless requests of all clients
  bool of_wire : 1 = false;        // its client has no TransportInfo
  bool discovered : 1 = false;     // a client of this wire has sent server/discover
  Millis last_used = 0;            // the last message, body part, or end of a job or stream: the idle time begins
  LogCursor log;
  std::uint32_t ping_id = 0;  // of the ping without a response yet; 0: none
  Millis ping_ms = 0;         // when it was sent

  /// In lists_changed: one notification of a change, on shared_channel, is for all sessions with this bit.
  static constexpr std::uint8_t shares_changes = 0x80;
};

/// An object of a session, which ends with it.
struct Owned : memory::Slot {
  std::uint16_t session = 0;  // its index
  std::uint32_t owner = 0;    // TransportInfo::owner() of the request that began it
};

struct ParamInfo;

/// The input requests of one step of a job: a word for each one, made of its key and its kind (protocol::PendingInput);
/// 0: none. For a form with a parameter table, its rows.
struct PendingInputs {
  static constexpr std::size_t capacity = 4;
  std::uint32_t items[capacity] = {};
  const ParamInfo* forms[capacity] = {};
};

/// The call of a state: the first bytes of a digest of its principal, method, tool or prompt, and arguments. Clients
/// without a token share a principal. All zero: none.
struct Binding {
  std::uint8_t bytes[8] = {};
  friend constexpr bool operator==(const Binding&, const Binding&) = default;
};

/// The key that seals the states of jobs and prompts that travel through their clients (requestState).
struct StateKey {
  std::uint8_t bytes[32];
  Millis made_ms;
  bool made;
};

/// The content of a slot until wake_ms, while the client of its job gathers input.
enum class Parked : std::uint8_t {
  no,        // it runs
  held,      // the job, until the client retries the call
  reserved,  // nothing: it is free for the retry, and the client has the state of the job
};

/// What a job has sent of its progress.
enum class Progress : std::uint8_t { none, count, fraction };

/// One running job. Its id, its progress token and its state are in StorageView::job_ids and job_states.
struct Job : Owned {
  // Members with many uses come first: larger offsets need longer instructions.
  Client client;  // who called
  Parked parked = Parked::no;
  Progress progress_kind = Progress::none;
  bool progress_due = false;
  bool stepping = false;           // its step function runs now
  Channel channel = only_channel;  // of its request
  std::uint16_t id_size = 0;
  std::uint16_t token_size = 0;  // 0: the client requests no progress
  std::uint16_t retry_ms = 0;    // time after which the client shall reconnect; 0: it need not
  const Tool* tool = nullptr;
  memory::Handle task;  // of the job; zero: the job responds to its call
  Millis started_ms = 0;
  Millis wake_ms = 0;
  std::uint32_t input_id = 0;  // id of the pending input request, until wake_ms; 0: none
  std::uint32_t progress = 0;  // a count, or millionths
  union {                      // by progress_kind
    std::uint32_t total = 0;
    void (*write_fraction)(json::Writer& out, std::uint32_t millionths);
  };
  std::string_view message;
  PendingInputs inputs;         // of the last step
  LogCursor log;                // of a stateless client
  Binding binding;              // of a job that may send input requests to a stateless client
  std::uint64_t principal = 0;  // of the request, for its audit
};

/// What outlives the request of a caller: after the state of a job, or of a session. The name of the client and its
/// version follow it, up to StorageView::caller_size.
struct StoredCaller {
  std::uint32_t scopes;  // of a job
  std::uint16_t name_size;
  std::uint16_t version_size;
  [[nodiscard]] char* bytes() { return reinterpret_cast<char*>(this + 1); }
  [[nodiscard]] std::string_view name() const { return {reinterpret_cast<const char*>(this + 1), name_size}; }
  [[nodiscard]] std::string_view version() const {
    return {reinterpret_cast<const char*>(this + 1) + name_size, version_size};
  }
};

/// The bytes that are stored of each caller, a multiple of 8; 0: nothing.
constexpr std::size_t caller_size(const Limits& limits) {
  if (limits.client_info_size == 0) return limits.job_scopes ? sizeof(StoredCaller) : 0;
  return (sizeof(StoredCaller) + limits.client_info_size + 7) / 8 * 8;
}

/// A scheduled call. Its state follows it in memory: the arguments, or the job. Then follows its result: a whole
/// response without an id.
struct alignas(8) ScheduledCall : Owned {
  enum class Status : std::uint8_t { scheduled, running, done, failed, cancelled };
  /// Whose it is. The callers of a wire see all calls, and those of a network only their own.
  enum class Of : std::uint8_t {
    wire,
    principal,  // of the token
    session,    // without a token: the session, until it ends
    peer,       // without a token: the host of a stateless request, or of a session that has ended
  };
  Status status = Status::scheduled;
  Of of = Of::wire;
  bool ends = false;      // its principal has ended, and the next poll ends it
  bool stepping = false;  // its handler or step runs now
  std::uint16_t result_size = 0;
  std::uint32_t id = 0;
  std::uint32_t scopes = 0;  // of the request, for a call of a network
  const Tool* tool = nullptr;
  // Not for a job.
  Errc (*run)(const Tool& tool, void* arguments, Call& call) = nullptr;
  Millis due_ms = 0;             // when it runs, or takes its next step
  Millis started_ms = 0;         // of a job
  std::uint64_t due_utc_ms = 0;  // when it runs, by the wall clock; 0: due_ms counts
  std::uint64_t sender = 0;      // of the request: its principal, or without a token its peer
  [[nodiscard]] std::uint64_t principal() const { return of == Of::principal ? sender : 0; }
};

/// A ScheduledCall with its memory.
template <std::size_t size>
struct ScheduledSlot : ScheduledCall {
  char bytes[size] = {};
};

/// The status of a task. Source: basic/utilities/tasks, 2025-11-25.
enum class TaskStatus : std::uint8_t { working, input_required, completed, failed, cancelled };

/// A call whose response is a task. StorageView::task_bytes has the id of a waiting tasks/result, the id of the one
/// that waited before, and the result of the task or its pending input request: a whole message without its id. For a
/// stateless client, the input requests are an object with all pending ones, and an object with the input responses
/// that have arrived so far follows it.
struct Task : Owned {
  TaskStatus status = TaskStatus::working;
  bool status_due = false;                 // the client has not been notified yet
  bool has_meta = false;                   // the result has a member _meta
  bool stateless : 1 = false;              // of a stateless client: only requests of its principal see it
  bool outcome_seen : 1 = false;           // the client has seen the outcome: a new task may take the slot
  bool outlives : 1 = false;               // it continues when its session ends (session/detached_tasks.cpp)
  std::uint16_t waiting_size = 0;          // of the id of the waiting tasks/result; 0: none
  std::uint16_t replaced_size = 0;         // of the id of the one before it, which gets an error; 0: none
  std::uint16_t size = 0;                  // of the result or input request
  Channel waiting_channel = only_channel;  // of the waiting tasks/result
  Channel replaced_channel = only_channel;
  std::uint16_t answers_size = 0;   // of the input responses so far
  std::uint16_t ended_session = 0;  // of a detached task: the slot of the session that has ended
  std::uint16_t inputs = 0;         // number of input requests so far
  memory::Handle job;               // of the task; stale when the job has ended
  const Tool* tool = nullptr;       // a row of the table: other tools have no tasks
  Millis created_ms = 0;
  Millis updated_ms = 0;
  Millis ttl_ms = 0;
  Millis input_timeout_ms = 0;       // time-out of an input request that is not sent yet; else 0
  std::uint32_t withdrawn = 0;       // id of a withdrawn input request, before its notification; 0: none
  std::string_view message;          // for the client: a literal of its job, or why it has ended
  std::uint64_t created_utc_ms = 0;  // at the creation; the wall clock may be set later
  std::uint64_t principal = 0;       // of a stateless client
  std::uint8_t id[16] = {};
};

/// A pending notifications/elicitation/complete.
struct ElicitationEnd : Owned {
  std::uint8_t size = 0;
  char id[36] = {};
};

/// Calls of one owner. All zero: it may make all calls of Limits::call_burst.
struct CallBucket {
  std::uint32_t owner;
  Millis refilled_ms;   // when the owner last got back a call
  std::uint16_t spent;  // calls that the owner has not got back yet
};

/// The pools whose high-water marks Figures has.
enum class FigurePool : std::uint8_t {
  sessions,
  jobs,
  tasks,
  scheduled_calls,
  streams,
  subscriptions,
  elicitations,
  template_subscriptions,
  mailbox_logs,  // log messages of other RTOS tasks and interrupts
};

/// What a server with a row of health_resource() counts in addition to Health. All zero at the start.
struct Figures {
  /// JSON-RPC codes with a counter each. All other codes share the last counter.
  static constexpr int codes[] = {-32700, -32600, -32601, -32602, -32603, -32002, -32020, -32021, -32022, -32042};
  static constexpr std::size_t pools = static_cast<std::size_t>(FigurePool::mailbox_logs) + 1;

  std::uint64_t uptime_ms;  // from the first poll to noted_ms
  Millis noted_ms;          // the newest time that the server knows
  Millis longest_poll_ms;
  std::uint32_t requests;
  std::uint32_t notifications;
  std::uint32_t responses;
  std::uint32_t invalid;     // JSON, but no message
  std::uint32_t unreadable;  // not JSON
  std::uint32_t refused;
  std::uint32_t rate_limited;
  std::uint32_t errors[std::size(codes) + 1];
  std::uint16_t high_water[pools];
  std::uint16_t scheduled_full;
  bool has_begun;
};

/// State of the whole server: numbers that it uses once, its counters, and the RTOS task that may call it.
struct ServerRequestIds {
  Health health;                 // what the server has rejected and lost
  std::uint64_t last_serial;     // of a SessionId
  std::uint32_t last_id;         // number of the last request; protocol::new_request_id() makes the next
  std::uint32_t boot_id;         // of Services::boot_id; 0: not known yet
  std::uint32_t ended_sessions;  // their number, by which a transport notices an end; wraps
  /// Rejects the messages that are not stateless, once stateless requests share a session. True if it did.
  bool (*rejects_sessions)(protocol::SendContext& context, const rpc::Envelope& envelope);
  TaskCheck task;  // the RTOS task that may call the server
};

/// The owner whose reserved job slot was the last to end without a retry. For default_wait_ms, it cannot reserve the
/// last slot.
struct Lapse {
  std::uint32_t owner;
  Millis at_ms;  // 0: there was none
};

/// ServerRequestIds with a Lapse, and with the key that seals states of jobs and prompts.
struct KeyedServerRequestIds : ServerRequestIds {
  StateKey key;
  Lapse lapse;
};

/// Such numbers, and figures after them.
template <class Ids>
struct WithFigures {
  Ids ids;
  Figures figures;
  /// The distance of the two, in bytes.
  static constexpr std::size_t offset = (sizeof(Ids) + alignof(Figures) - 1) / alignof(Figures) * alignof(Figures);
};

/// An array of N items; empty for 0, which a C++ array cannot be.
template <class T, std::size_t N>
struct Items {
  T items[N] = {};
  constexpr std::span<T> span() { return items; }
};
template <class T>
struct Items<T, 0> {
  constexpr std::span<T> span() { return {}; }
};

/// Bytes for objects of any type.
template <std::size_t N>
struct AlignedBytes {
  alignas(8) char items[N] = {};
  consteval std::span<char> span() { return items; }
};

/// A streamed body in progress. The id of its request is in StorageView::stream_ids.
struct Stream : Owned {
  std::uint32_t offset = 0;        // of the next byte to send
  Millis wake_ms = 0;              // when it is read again
  std::uint16_t row = 0;           // of the resource table, or of the templates
  Channel channel = only_channel;  // of its request
  std::uint16_t id_size = 0;
  Client client;
  bool is_template = false;  // its state follows the ids of all streams
  bool is_whole = false;     // the transport sends no message in parts
  bool begun = false;        // a part is sent: the session sends nothing else until the end of the message
  Errc errc = Errc::ok;      // if not ok: the message was cut off, and the response has this error
};

/// A subscription of a stateless client. StorageView::subscription_words has the id of its request and two bit sets:
/// the targets in its filter, and the targets with a pending notification (StorageView::first_task_target()).
struct Subscription : Owned {
  Channel channel = only_channel;  // of its request
  std::uint16_t id_size = 0;
  Client client;
  std::uint8_t lists = 0;          // a bit per ListKind in its filter
  std::uint8_t lists_changed = 0;  // a bit per ListKind with a pending notification
  bool acknowledged = false;       // the acknowledgement is sent: notifications may follow
  bool ends = false;               // after the pending notifications, the response is sent
};

/// Addresses and sizes of the parts of a Storage. The server is no template, and works with this view.
struct StorageView {
  Links links = {};
  Services services = {};
  std::span<char> receive_buffer;   // two bytes longer than the longest message, for a line end
  std::span<char> transmit_buffer;  // one more byte of memory follows, for a line end
  memory::Pool<Session> sessions;
  std::span<memory::BitSet::Word> subscribed;  // `words` words for each session: a bit per resource
  std::span<memory::BitSet::Word> updated;     // the same: a bit per pending notification
  // A byte per resource, so that an interrupt only stores. Found resources follow those of the table.
  std::span<Atomic<std::uint8_t>> updated_from_isr;
  memory::Pool<Job> jobs;
  char* job_ids = nullptr;     // for each job twice `id_size` bytes: the id of its request, and its progress token
  char* job_states = nullptr;  // for each job `job_stride` bytes
  std::size_t job_stride = 0;
  memory::Pool<Task> tasks;
  char* task_bytes = nullptr;  // for each task twice `id_size` bytes for ids, and `task_result_size`
  Millis task_ttl_ms = 0;
  memory::Pool<ElicitationEnd> elicitation_ends;
  ServerRequestIds* server_request_ids = nullptr;
  std::uint16_t task_result_size = 0;
  std::uint16_t words = 0;
  std::uint16_t id_size = 0;
  std::uint16_t call_burst = 0;  // calls that one owner may make in a row; 0: no limit
  Millis call_interval_ms = 0;
  std::span<CallBucket> call_buckets;  // owners without one of their own share the last one
  Millis session_idle_ms = 0;
  Millis own_session_idle_ms = 0;
  std::uint16_t reserved_for_others = 0;  // slots of each pool that one owner must leave free
  std::uint16_t instance_count = 0;
  std::uint16_t uri_size = 0;
  std::uint16_t caller_size = 0;  // of what is stored of a caller; 0: nothing
  char* instances = nullptr;      // `instance_count` URIs of template instances, each `uri_size` bytes and a NUL
  std::uint16_t scheduled_state_size = 0;  // in each slot of `scheduled`, a multiple of 8
  std::uint16_t figures_offset = 0;        // from server_request_ids to the figures; 0: none
  memory::Pool<ScheduledCall> scheduled;
  memory::Pool<Stream> streams;
  char* stream_ids = nullptr;  // for each stream `id_size` bytes; then its state, if a template has streams
  memory::Pool<Subscription> subscriptions;
  memory::BitSet::Word* subscription_words = nullptr;  // `subscription_stride()` words each: two bit sets, and the id
  // A bit per row of the Definition; empty without .list_changes and .hide_out_of_scope.
  std::span<memory::BitSet::Word> disabled;
  std::span<char> log_bytes;
  LogState* log_state = nullptr;  // nullptr without a log

  [[nodiscard]] Health& health() const {
    MCP_DEBUG_ASSERT(server_request_ids != nullptr);
    return server_request_ids->health;
  }
  /// nullptr if no row needs them.
  [[nodiscard]] Figures* figures() const {
    if (figures_offset == 0) return nullptr;
    return reinterpret_cast<Figures*>(reinterpret_cast<char*>(server_request_ids) + figures_offset);
  }

  /// Returns nullptr if the session has ended.
  [[nodiscard]] Session* find_session(SessionId id) const {
    if (id.index >= sessions.capacity()) return nullptr;
    Session* const session = sessions.in_use(id.index);
    return session != nullptr && session_id(id.index) == id ? session : nullptr;
  }
  /// The index of a session after the pool, which no client can name. It has the tasks that outlive their sessions.
  [[nodiscard]] std::size_t detached_session() const { return sessions.capacity(); }
  /// The id of the session in this slot.
  [[nodiscard]] SessionId session_id(std::size_t index) const {
    const Session& session = sessions.at(index);
    return {static_cast<std::uint16_t>(index), session.serial_high, session.serial_low};
  }

  [[nodiscard]] constexpr char* job_id(std::size_t job) const {
    MCP_DEBUG_ASSERT(job < jobs.capacity());
    return job_ids + job * 2 * id_size;
  }
  [[nodiscard]] constexpr char* job_token(std::size_t job) const { return job_id(job) + id_size; }
  [[nodiscard]] constexpr void* job_state(std::size_t job) const {
    MCP_DEBUG_ASSERT(job < jobs.capacity());
    return job_states + job * job_stride;
  }
  /// True if the server stores the name and version of clients.
  [[nodiscard]] constexpr bool stores_clients() const { return caller_size > sizeof(StoredCaller); }
  /// At the end of the state of the job, if caller_size is not 0.
  [[nodiscard]] StoredCaller& job_caller(std::size_t job) const {
    MCP_DEBUG_ASSERT(job < jobs.capacity() && caller_size != 0);
    return *reinterpret_cast<StoredCaller*>(job_states + (job + 1) * job_stride - caller_size);
  }
  /// After the words of `subscribed` for all sessions, if stores_clients().
  [[nodiscard]] StoredCaller& session_caller(std::size_t session) const {
    MCP_DEBUG_ASSERT(session < sessions.capacity() && stores_clients());
    memory::BitSet::Word* const first = subscribed.data() + sessions.capacity() * words;
    return *reinterpret_cast<StoredCaller*>(first + session * caller_size / sizeof(memory::BitSet::Word));
  }
  [[nodiscard]] constexpr char* task_waiting(std::size_t task) const {
    MCP_DEBUG_ASSERT(task < tasks.capacity());
    return task_bytes + task * (std::size_t{2} * id_size + task_result_size);
  }
  [[nodiscard]] constexpr char* task_replaced(std::size_t task) const { return task_waiting(task) + id_size; }
  [[nodiscard]] constexpr std::span<char> task_result(std::size_t task) const {
    return {task_replaced(task) + id_size, task_result_size};
  }
  [[nodiscard]] constexpr char* stream_id(std::size_t stream) const {
    MCP_DEBUG_ASSERT(stream < streams.capacity());
    return stream_ids + stream * id_size;
  }
  [[nodiscard]] char* subscription_id(std::size_t subscription) const {
    MCP_DEBUG_ASSERT(subscription < subscriptions.capacity());
    return reinterpret_cast<char*>(subscription_words + subscription * subscription_stride() + 2 * target_words());
  }
  /// Targets have numbers: the rows of the resources, found resources, template instances, then the slots of the tasks.
  [[nodiscard]] constexpr std::size_t first_instance_target() const { return updated_from_isr.size(); }
  [[nodiscard]] constexpr std::size_t first_task_target() const { return first_instance_target() + instance_count; }
  [[nodiscard]] char* instance_at(std::size_t instance) const {
    MCP_DEBUG_ASSERT(instance < instance_count);
    return instances + instance * (std::size_t{uri_size} + 1);
  }
  /// The URI of a template instance; empty before the first one in its slot.
  [[nodiscard]] std::string_view instance_uri(std::size_t instance) const { return instance_at(instance); }
  [[nodiscard]] std::size_t target_words() const {
    return memory::BitSet::words_for(first_task_target() + tasks.capacity());
  }
  [[nodiscard]] static constexpr std::size_t subscription_stride(std::size_t targets, std::size_t id_size) {
    return 2 * memory::BitSet::words_for(targets) +
           (id_size + sizeof(memory::BitSet::Word) - 1) / sizeof(memory::BitSet::Word);
  }
  [[nodiscard]] std::size_t subscription_stride() const {
    return subscription_stride(first_task_target() + tasks.capacity(), id_size);
  }
  [[nodiscard]] memory::BitSet targets_named_by(std::size_t subscription) const {
    MCP_DEBUG_ASSERT(subscription < subscriptions.capacity());
    return memory::BitSet({subscription_words + subscription * subscription_stride(), target_words()});
  }
  [[nodiscard]] memory::BitSet targets_changed_for(std::size_t subscription) const {
    MCP_DEBUG_ASSERT(subscription < subscriptions.capacity());
    return memory::BitSet({subscription_words + subscription * subscription_stride() + target_words(), target_words()});
  }
  [[nodiscard]] constexpr memory::RecordRing log() const {
    MCP_DEBUG_ASSERT(log_state != nullptr);
    return {log_bytes, *log_state};
  }
  /// The cursor of a client that has seen all messages.
  [[nodiscard]] LogCursor log_end() const {
    return {static_cast<std::uint16_t>(log_state != nullptr ? log().next() : 0), 0};
  }

  /// True if a message to this session is unfinished on this channel. Nothing else may be sent there.
  [[nodiscard]] bool is_unfinished(std::size_t session, Channel channel) const {
    memory::Walk<Stream> all(streams);
    while (const Stream* const stream = all.next()) {
      if (!stream->begun) continue;
      const bool here = stream->channel == channel || stream->channel == only_channel;
      if (here && stream->session == session) return true;
    }
    return false;
  }

  [[nodiscard]] constexpr memory::BitSet subscribed_by(std::size_t session) const {
    MCP_DEBUG_ASSERT(session < sessions.capacity());
    return memory::BitSet({subscribed.data() + session * words, words});
  }
  [[nodiscard]] constexpr memory::BitSet updated_for(std::size_t session) const {
    MCP_DEBUG_ASSERT(session < sessions.capacity());
    return memory::BitSet({updated.data() + session * words, words});
  }
};

}  // namespace detail

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
