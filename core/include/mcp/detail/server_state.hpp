// What a server stores: sessions, jobs, tasks, streams, subscriptions, and where they are. Private.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "mcp/detail/link.hpp"
#include "mcp/errors.hpp"
#include "mcp/feature_flags.hpp"
#include "mcp/limits.hpp"
#include "mcp/memory/bit_set.hpp"
#include "mcp/memory/pool.hpp"
#include "mcp/memory/record_ring.hpp"
#include "mcp/port.hpp"

namespace mcp {

struct Tool;

namespace detail {
struct StorageView;
}  // namespace detail

namespace protocol {
struct SendContext;
struct SharedSessionOps;
}  // namespace protocol

namespace detail {

enum class Phase : std::uint8_t {
  fresh,        // nothing but ping and initialize is answered
  initialized,  // initialize was answered: requests are served
  ready,        // notifications/initialized came: the server may send on its own
};

/// Who a message is from: known of a session for as long as it lasts, told by a stateless request of itself.
struct alignas(std::uint32_t) Client {  // so that it is copied as one word
  std::uint8_t revision = 0;            // index into protocol::revisions
  std::uint8_t features = 0;            // bits of protocol::CapabilityBit
  LogLevel log_level = LogLevel::debug;
  bool stateless : 1 = false;  // of a revision without sessions
  bool logs : 1 = false;       // of a stateless one: messages of log_level and above are wanted
};

/// How far a client has seen the log.
struct LogCursor {
  std::uint16_t next = 0;  // the lower bits of the number of the record that it sees next, which the ring holds
  std::uint16_t lost = 0;  // records for this client that left the ring before it saw them
};

/// The log of a server, and what of it is being served: its messages belong to that.
struct LogState : memory::RecordRing::State {
  const protocol::SendContext* current;  // nullptr: the main loop of the device
};

/// What the server knows of one client. All zero is a fresh session.
struct Session : memory::Slot {
  std::uint16_t serial_high = 0;  // of its SessionId
  std::uint32_t serial_low = 0;
  std::uint32_t owner = 0;  // TransportInfo::owner() of the client that began it
  Client client;
  Phase phase = Phase::fresh;
  std::uint8_t lists_changed = 0;  // a bit per Area
  bool no_listener = false;        // nothing takes what is sent on session_channel
  bool shared = false;             // by the stateless requests of all clients: none knows of the others
  Millis last_used = 0;
  LogCursor log;
  std::uint32_t ping_id = 0;  // of the ping that waits for its answer; 0: none
  Millis ping_ms = 0;         // when it was sent
};

/// What belongs to a session and ends with it.
struct Owned : memory::Slot {
  std::uint16_t session = 0;  // its index
  std::uint32_t owner = 0;    // TransportInfo::owner() of the request that began it
};

struct ParamInfo;

/// What one step of a job asked, as it is remembered: a word for each question, made of the name of its key and of what
/// it is (protocol::PendingInput); 0: none. Of a form that has a parameter table, its rows.
struct PendingInputs {
  static constexpr std::size_t capacity = 4;
  std::uint32_t items[capacity] = {};
  const ParamInfo* forms[capacity] = {};
};

/// To which call a state belongs: the first bytes of a digest of its client, tool and arguments. All zero: to none.
struct Binding {
  std::uint8_t bytes[8] = {};
  friend constexpr bool operator==(const Binding&, const Binding&) = default;
};

/// By which the states of jobs are sealed that travel through their clients.
struct StateKey {
  std::uint8_t bytes[32];
  Millis made_ms;
  bool made;
};

/// What the slot of a job is for while its client gathers input, until wake_ms.
enum class Parked : std::uint8_t {
  no,        // it runs
  held,      // the job, which waits for the retry of its call
  reserved,  // the retry alone: the state of the job is with its client
};

/// One running job. Its id, its progress token and its state stand beside it.
struct Job : Owned {
  // What is asked for in many places comes first: to reach what is further back takes longer instructions.
  Client client;  // who called
  Parked parked = Parked::no;
  bool has_progress = false;
  bool progress_due = false;
  bool stepping = false;           // its step function runs now
  Channel channel = only_channel;  // of its request
  std::uint16_t id_size = 0;
  std::uint16_t token_size = 0;  // 0: the client did not ask for progress
  std::uint16_t retry_ms = 0;    // the client is to come back after so long; 0: it is not asked to
  const Tool* tool = nullptr;
  memory::Handle task;  // that the job does; zero: the job answers its call
  Millis started_ms = 0;
  Millis wake_ms = 0;
  std::uint32_t question = 0;  // id of the request to the client; 0: none. wake_ms is then the end of its time
  std::uint32_t progress = 0;
  std::uint32_t total = 0;
  std::string_view message;
  PendingInputs asked;          // by the last step
  LogCursor log;                // of a stateless client
  Binding binding;              // of a job that may ask a client without a session
  std::uint64_t principal = 0;  // of the request, for its audit
};

/// What became of a task.
enum class TaskStatus : std::uint8_t { working, input_required, completed, failed, cancelled };

/// A call that is answered by a task. Beside it stand the id of a tasks/result that waits for it, the id of the one
/// that waited before, and its result or the question that its job asks: a whole message without its id. Of a client
/// without a session the questions are an object with all that are open, and behind it is one with the answers that
/// came to others.
struct Task : Owned {
  TaskStatus status = TaskStatus::working;
  bool status_due = false;          // the client is to be told
  bool has_meta = false;            // the result has a member _meta
  bool stateless = false;           // of a client without a session: to be seen by such alone, and by one principal
  bool told = false;                // the client knows how it has ended: a new one may take its slot
  std::uint16_t waiting_size = 0;   // of the id of the tasks/result that waits; 0: none
  std::uint16_t replaced_size = 0;  // of the id of the one that waited before it and is to get an error; 0: none
  std::uint16_t size = 0;           // of the result or question
  Channel waiting_channel = only_channel;  // of the tasks/result that waits
  Channel replaced_channel = only_channel;
  std::uint16_t answers_size = 0;  // of the input responses that the job has had
  memory::Handle job;              // that does it; stale when it has ended
  Millis created_ms = 0;
  Millis updated_ms = 0;
  Millis ttl_ms = 0;
  Millis question_ms = 0;            // how long the question waits once it is sent; 0: it is sent, or there is none
  std::uint32_t withdrawn = 0;       // id of a question that the client need not answer any more; 0: none
  std::uint32_t inputs = 0;          // how often its job has asked
  std::uint64_t created_utc_ms = 0;  // on the wall clock then, which may be set meanwhile
  std::uint64_t principal = 0;       // who has called without a session
  std::uint8_t id[16] = {};
};

/// The end of an elicitation that a client is to be told of.
struct ElicitationEnd : Owned {
  std::uint8_t size = 0;
  char id[36] = {};
};

/// How often one owner has called. All zero is full.
struct CallBucket {
  std::uint32_t owner;
  Millis refilled_ms;   // when it last got back a call
  std::uint16_t spent;  // calls that it is still to get back
};

/// Numbers that are given once, and what requests of the server to clients have in common.
struct ServerRequestIds {
  std::uint32_t last_id;                     // number of the last request; protocol::new_request_id() makes the next
  std::uint32_t stale;                       // responses without a request that waits for them
  std::uint64_t last_serial;                 // of a SessionId
  const protocol::SharedSessionOps* shared;  // once there is a shared session
};

/// The owner whose reservation of a slot was the last to end without a retry.
struct Lapse {
  std::uint32_t owner;
  Millis at_ms;  // 0: there was none
};

/// The same where jobs may ask: what seals their states stands behind it.
struct KeyedAsking : ServerRequestIds {
  StateKey key;
  Lapse lapse;
};

/// N items in a row, or nothing: an array of none is no C++.
template <class T, std::size_t N>
struct Items {
  T items[N] = {};
  constexpr std::span<T> span() { return items; }
};
template <class T>
struct Items<T, 0> {
  constexpr std::span<T> span() { return {}; }
};

/// One body on its way. The id of its request stands beside it.
struct Stream : Owned {
  std::uint32_t offset = 0;        // of the first byte that is still to be sent
  Millis wake_ms = 0;              // when it is read again
  std::uint16_t row = 0;           // of the resource table
  Channel channel = only_channel;  // of its request
  std::uint16_t id_size = 0;
  Client client;         // who reads
  bool begun = false;    // a part of the message was sent: the session sends nothing else until its end
  Errc errc = Errc::ok;  // otherwise the message was cut off, and this is what the answer says
};

/// What one stateless client listens to. Beside it stand the id of its request, and two rows of bits: the things that
/// it named, and those of which it is to be told. A thing is a resource or, behind all resources, a task.
struct Subscription : Owned {
  Channel channel = only_channel;  // of its request
  std::uint16_t id_size = 0;
  Client client;                   // who listens
  std::uint8_t lists = 0;          // a bit per Area: of changes to these it is told
  std::uint8_t lists_changed = 0;  // it is to be told of these
  bool acknowledged = false;       // the client knows: the rest may follow
  bool ends = false;               // when all is told, the answer is sent
};

/// Where the parts of a Storage are: what the server, which is no template, works with.
struct StorageView {
  Links links = {};
  Services services = {};
  std::span<char> message;          // two bytes longer than a message may be, for the transport's line end
  std::span<char> transmit_buffer;  // one more byte of memory stands behind it, for the transport's line end
  memory::Pool<Session> sessions;
  std::span<memory::BitSet::Word> subscribed;             // `words` words for each session: a bit per resource
  std::span<memory::BitSet::Word> updated;                // the same: the client has to be told
  std::span<std::atomic<std::uint8_t>> updated_from_isr;  // a byte per resource, so that an interrupt only stores
  memory::Pool<Job> jobs;
  char* job_ids = nullptr;     // for each job twice `id_size` bytes: the id of its request, and its progress token
  char* job_states = nullptr;  // for each job `job_stride` bytes
  std::size_t job_stride = 0;
  memory::Pool<Task> tasks;
  char* task_bytes = nullptr;  // for each task twice `id_size` bytes for ids that wait, and `task_result_size`
  Millis task_ttl_ms = 0;
  memory::Pool<ElicitationEnd> elicitation_ends;
  ServerRequestIds* asking = nullptr;
  std::uint16_t task_result_size = 0;
  std::uint16_t words = 0;
  std::uint16_t id_size = 0;
  std::uint16_t call_burst = 0;
  Millis call_interval_ms = 0;
  std::span<CallBucket> call_buckets;  // the last one is shared by owners that find no other
  Millis session_idle_ms = 0;
  std::uint16_t reserved_for_others = 0;
  memory::Pool<Stream> streams;
  char* stream_ids = nullptr;  // for each stream `id_size` bytes
  memory::Pool<Subscription> subscriptions;
  memory::BitSet::Word* subscription_words = nullptr;  // for each `subscription_stride()`: two rows of bits, and its id
  std::span<memory::BitSet::Word> disabled;  // a bit per row of the Definition; empty when rows cannot be switched
  std::span<char> log_bytes;
  LogState* log_state = nullptr;  // null: there is no log

  /// nullptr when it has ended.
  [[nodiscard]] Session* find_session(SessionId id) const {
    if (id.index >= sessions.capacity()) return nullptr;
    Session* const session = sessions.in_use(id.index);
    return session != nullptr && session_id(id.index) == id ? session : nullptr;
  }
  /// Of the session in this place.
  [[nodiscard]] SessionId session_id(std::size_t index) const {
    const Session& session = *sessions.in_use(index);
    return {static_cast<std::uint16_t>(index), session.serial_high, session.serial_low};
  }

  [[nodiscard]] constexpr char* job_id(std::size_t job) const { return job_ids + job * 2 * id_size; }
  [[nodiscard]] constexpr char* job_token(std::size_t job) const { return job_id(job) + id_size; }
  [[nodiscard]] constexpr void* job_state(std::size_t job) const { return job_states + job * job_stride; }
  [[nodiscard]] constexpr char* task_waiting(std::size_t task) const {
    return task_bytes + task * (std::size_t{2} * id_size + task_result_size);
  }
  [[nodiscard]] constexpr char* task_replaced(std::size_t task) const { return task_waiting(task) + id_size; }
  [[nodiscard]] constexpr std::span<char> task_result(std::size_t task) const {
    return {task_replaced(task) + id_size, task_result_size};
  }
  [[nodiscard]] constexpr char* stream_id(std::size_t stream) const { return stream_ids + stream * id_size; }
  [[nodiscard]] char* subscription_id(std::size_t subscription) const {
    return reinterpret_cast<char*>(subscription_words + subscription * subscription_stride() + 2 * target_words());
  }
  /// Things have numbers: those of resources are their rows, those of tasks follow.
  [[nodiscard]] constexpr std::size_t first_task_target() const { return updated_from_isr.size(); }
  [[nodiscard]] std::size_t target_words() const {
    return memory::BitSet::words_for(first_task_target() + tasks.capacity());
  }
  [[nodiscard]] static constexpr std::size_t subscription_stride(std::size_t things, std::size_t id_size) {
    return 2 * memory::BitSet::words_for(things) +
           (id_size + sizeof(memory::BitSet::Word) - 1) / sizeof(memory::BitSet::Word);
  }
  [[nodiscard]] std::size_t subscription_stride() const {
    return subscription_stride(first_task_target() + tasks.capacity(), id_size);
  }
  [[nodiscard]] memory::BitSet things_named_by(std::size_t subscription) const {
    return memory::BitSet({subscription_words + subscription * subscription_stride(), target_words()});
  }
  [[nodiscard]] memory::BitSet things_changed_for(std::size_t subscription) const {
    return memory::BitSet({subscription_words + subscription * subscription_stride() + target_words(), target_words()});
  }
  [[nodiscard]] constexpr memory::RecordRing log() const { return {log_bytes, *log_state}; }
  /// Of a client that has seen all there is.
  [[nodiscard]] LogCursor log_end() const {
    return {static_cast<std::uint16_t>(log_state != nullptr ? log().next() : 0), 0};
  }

  /// A message to this session has been begun on this channel and is not complete: nothing else can be sent there.
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
    return memory::BitSet({subscribed.data() + session * words, words});
  }
  [[nodiscard]] constexpr memory::BitSet updated_for(std::size_t session) const {
    return memory::BitSet({updated.data() + session * words, words});
  }
};

}  // namespace detail

}  // namespace mcp
