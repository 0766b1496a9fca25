// All memory of a server, in one object that starts as zero and lives in .bss.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/errors.hpp"
#include "mcp/limits.hpp"
#include "mcp/port.hpp"
#include "mcp/switches.hpp"
#include "memory/bit_set.hpp"
#include "memory/pool.hpp"
#include "memory/record_ring.hpp"

namespace mcp {

struct Tool;

namespace detail {

enum class Phase : std::uint8_t {
  fresh,        // nothing but ping and initialize is answered
  initialized,  // initialize was answered: requests are served
  ready,        // notifications/initialized came: the server may send on its own
};

/// What the server knows of one client. All zero is a fresh session.
struct Session {
  Millis last_used = 0;
  std::uint8_t revision = 0;  // index into protocol::revisions
  Phase phase = Phase::fresh;
  std::uint8_t lists_changed = 0;  // a bit per Area
  LogLevel log_level = LogLevel::debug;
  std::uint32_t log_next = 0;  // number of the log record it sees next
};

/// One running job. Its id, its progress token and its state stand beside it.
struct Job {
  const Tool* tool = nullptr;
  memory::Handle session;
  Millis started_ms = 0;
  Millis wake_ms = 0;
  std::uint32_t progress = 0;
  std::uint32_t total = 0;
  std::string_view message;
  std::uint16_t id_size = 0;
  std::uint16_t token_size = 0;  // 0: the client did not ask for progress
  bool has_progress = false;
  bool progress_due = false;
};

/// One body on its way. The id of its request stands beside it.
struct Stream {
  memory::Handle session;
  std::uint32_t offset = 0;  // of the first byte that is still to be sent
  Millis wake_ms = 0;        // when it is read again
  std::uint16_t row = 0;     // of the resource table
  std::uint16_t id_size = 0;
  bool begun = false;    // a part of the message was sent: the session sends nothing else until its end
  Errc errc = Errc::ok;  // otherwise the message was cut off, and this is what the answer says
};

/// Where the parts of a Storage are: what the server, which is no template, works with.
struct StorageView {
  std::span<char> message;  // two bytes longer than a message may be, for the transport's line end
  std::span<char> window;   // one more byte of memory stands behind it, for the transport's line end
  memory::Pool<Session> sessions;
  std::span<memory::BitSet::Word> subscribed;             // `words` words for each session: a bit per resource
  std::span<memory::BitSet::Word> updated;                // the same: the client has to be told
  std::span<std::atomic<std::uint8_t>> updated_from_isr;  // a byte per resource, so that an interrupt only stores
  memory::Pool<Job> jobs;
  char* job_ids = nullptr;     // for each job twice `id_size` bytes: the id of its request, and its progress token
  char* job_states = nullptr;  // for each job `job_stride` bytes
  std::size_t job_stride = 0;
  memory::Pool<Stream> streams;
  char* stream_ids = nullptr;                // for each stream `id_size` bytes
  std::span<memory::BitSet::Word> disabled;  // a bit per row of the Definition; empty when rows cannot be switched
  std::span<char> log_bytes;
  memory::RecordRing::State* log_state = nullptr;
  std::size_t words = 0;
  std::size_t id_size = 0;

  [[nodiscard]] constexpr char* job_id(std::size_t job) const { return job_ids + job * 2 * id_size; }
  [[nodiscard]] constexpr char* job_token(std::size_t job) const { return job_id(job) + id_size; }
  [[nodiscard]] constexpr void* job_state(std::size_t job) const { return job_states + job * job_stride; }
  [[nodiscard]] constexpr char* stream_id(std::size_t stream) const { return stream_ids + stream * id_size; }
  [[nodiscard]] constexpr memory::RecordRing log() const { return {log_bytes, *log_state}; }

  /// A message to this session has been begun and is not complete: nothing else can be sent to it.
  [[nodiscard]] constexpr bool is_unfinished(std::size_t session) const {
    for (std::size_t i = 0; i < streams.capacity(); ++i) {
      const Stream* const stream = streams.find(streams.at(i));
      if (stream != nullptr && stream->begun && stream->session.index == session) return true;
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

/// The memory of one server: `constinit mcp::Storage<limits> storage;`. Its size is what static RAM the protocol needs.
template <Limits L>
class Storage {
 public:
  static constexpr Limits limits = L;
  static_assert(L.sessions >= 1 && L.sessions <= 0xFFFF, "Limits::sessions is 1 to 65535");
  static_assert(L.resources <= 0xFFFF, "Limits::resources is 0 to 65535");
  static_assert(L.log_size <= 0xFFFF, "Limits::log_size is 0 to 65535");
  static_assert(L.id_size >= 3, "Limits::id_size must have room for a short id");
  static_assert(L.message_size >= 128, "Limits::message_size must have room for an initialize request");

  /// For the server.
  constexpr detail::StorageView view() {
    return {.message = message_,
            .window = {window_, L.window_size},
            .sessions = memory::Pool<detail::Session>(sessions_),
            .subscribed = subscribed_,
            .updated = updated_,
            .updated_from_isr = {updated_from_isr_, L.resources},
            .jobs = memory::Pool<detail::Job>({jobs_, L.jobs}),
            .job_ids = job_ids_,
            .job_states = job_states_,
            .job_stride = job_stride,
            .streams = memory::Pool<detail::Stream>(streams_),
            .stream_ids = stream_ids_,
            .disabled = {disabled_, memory::BitSet::words_for(L.rows)},
            .log_bytes = {log_bytes_, L.log_size},
            .log_state = &log_state_,
            .words = words,
            .id_size = L.id_size};
  }

 private:
  static constexpr std::size_t words = memory::BitSet::words_for(L.resources == 0 ? 1 : L.resources);

  memory::Slot<detail::Session> sessions_[L.sessions] = {};
  memory::BitSet::Word subscribed_[L.sessions * words] = {};
  memory::BitSet::Word updated_[L.sessions * words] = {};
  std::atomic<std::uint8_t> updated_from_isr_[L.resources == 0 ? 1 : L.resources] = {};
  static constexpr std::size_t job_stride = (L.job_size + 7) / 8 * 8;
  static constexpr std::size_t job_slots = L.jobs == 0 ? 1 : L.jobs;

  memory::Slot<detail::Job> jobs_[job_slots] = {};
  alignas(8) char job_states_[L.jobs * job_stride + 1] = {};
  char job_ids_[L.jobs * 2 * L.id_size + 1] = {};
  std::array<memory::Slot<detail::Stream>, L.streams> streams_ = {};
  char stream_ids_[L.streams * L.id_size + 1] = {};
  memory::BitSet::Word disabled_[L.rows == 0 ? 1 : memory::BitSet::words_for(L.rows)] = {};
  memory::RecordRing::State log_state_ = {};
  char log_bytes_[L.log_size == 0 ? 1 : L.log_size] = {};
  char message_[L.message_size + 2] = {};  // the line end of two bytes that the transport takes off
  char window_[L.window_size + 1] = {};    // the line end that the transport puts behind a message
};

}  // namespace mcp
