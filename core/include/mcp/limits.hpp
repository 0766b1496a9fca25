// Every size and count of a server, chosen at compile time. Reaching one has the outcome that is written beside it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mcp {

/// The sizes of one server: `constexpr mcp::Limits limits{.receive_size = 2048};`. All memory is in the Storage, which
/// counts rows and states of jobs itself. A pool that no row and no flag of the Definition uses takes no memory.
/// Figures of RAM are those of a 32-bit processor.
struct Limits {
  /// Longest message a client can send, in bytes, without the line end. RAM: as many bytes plus 2. A longer one is
  /// answered with -32600 (under its id, when that can still be found) and skipped; the next message is served. A
  /// longer response of the client ends the input request that it names, with Outcome::too_large. For sampling, see
  /// Sampling::max_tokens.
  std::size_t receive_size = 1024;

  /// Longest message the server can send, in bytes. RAM: as many bytes plus 1. At least what the longest list item of
  /// the Definition and its responses to `initialize` and `server/discover` need, with an id of `id_size` bytes. Less
  /// does not compile: the error names the row and the size that is enough. A list is cut into pages that fit; any
  /// other answer that does not fit is replaced by the error -32603. A batch is not executed when not even an error
  /// fits for each of its requests.
  std::size_t transmit_size = 1024;

  /// Sessions at the same time, 1 to 65535. RAM: 36 bytes each, and 8 more for every 32 resources. When all are taken,
  /// `initialize` ends the session of the same owner (TransportInfo::owner) that is idle for the longest time, else the
  /// one of another owner that is idle for `session_idle_ms`. If there is none either, it is refused: over HTTP with
  /// 503 and Retry-After. A session with a running call is never ended for another, one with an open stream only for
  /// its owner, after `session_idle_ms`. Stateless requests need no session and are never refused for this.
  std::size_t sessions = 1;

  /// A session from which no message came for so long may be ended for a session of another owner, in milliseconds
  /// (below 2^31).
  std::uint32_t session_idle_ms = 60'000;

  /// Of each pool with 2 places or more (`sessions`, `jobs`, `tasks`, `streams`, `subscriptions`), one owner
  /// (TransportInfo::owner) may hold all but so many places, and at least one. A request beyond this share is refused
  /// with a text that names the share. Where the owner is unknown, and in a pool with one place, the share is all of
  /// it. At most 65535.
  std::size_t reserved_for_others = 1;

  /// Calls that run as jobs at the same time, at most 65535. Needed by tools that are jobs. RAM: 112 bytes, twice
  /// `id_size`, and the largest state of a job in the table for each. If all are in use, a call fails, and its result
  /// says when to retry (retry_after_key). A slot stays reserved for the retry of a stateless call that asked for input, until its
  /// `requestState` expires.
  std::size_t jobs = 0;

  /// Tasks that are kept at the same time, at most 65535: running ones, and those whose result may still be fetched. 0
  /// when no tool is a task. Each running one takes a job, too. RAM: 88 bytes each, twice `id_size`, and
  /// `task_result_size`. A call that finds none left gets the place of the task that ended longest ago, of those whose
  /// client has seen how: it has fetched the result, asked for the task when it had ended, or cancelled it. When there
  /// is none, the call is answered with -32603 and a text that says so.
  std::size_t tasks = 0;

  /// Longest result of a task, in bytes of JSON, and longest question of one. RAM: as many for each task. At least 192
  /// when there are tasks. A longer result is replaced by the error -32603; a longer question is not asked
  /// (Outcome::no_space).
  std::size_t task_result_size = 256;

  /// How long a task is kept at most, from its creation, in milliseconds (below 2^31). A client may ask for less. A
  /// task that is still running then is ended.
  std::uint32_t task_ttl_ms = 600'000;

  /// Ends of URL elicitations that clients are still to be told of, at most 65535; 0 when the Definition has no
  /// `.url_elicitations`. RAM: 48 bytes each. When all are taken, Server::elicitation_completed() says so.
  std::size_t elicitations = 0;

  /// Bodies of resources that are streamed (Resource::stream) on their way at the same time, at most 65535; 0 when none
  /// is. RAM: 32 bytes each, and `id_size`. A request that finds none left is answered with -32603 and a text that says
  /// so.
  std::size_t streams = 0;

  /// Requests of stateless clients to listen, at the same time; 0 when the Definition has no `.subscriptions`. RAM: 20
  /// bytes each, `id_size` rounded up to 4, and 8 for every 32 resources and tasks. One more is answered with -32603
  /// and a text that says so.
  std::size_t subscriptions = 0;

  /// Calls of tools, and completions, that one owner may make in a row, at most 65535; 0: no limit. The owner is the
  /// principal of a token, without tokens the peer, and where the port does not know its peers the whole endpoint
  /// (TransportInfo::owner): new sessions give it no further calls. One more fails with a text that says how long to
  /// wait.
  std::size_t call_burst = 0;

  /// After how many milliseconds one of them is given back (below 2^31). Set together with `call_burst`.
  std::uint32_t call_interval_ms = 0;

  /// Owners whose calls are counted apart, 1 to 65535. RAM, if `call_burst` is set: 12 bytes each, and 12. While so
  /// many owners have calls to get back, all others share one further count.
  std::size_t call_owners = 8;

  /// Ring of log messages, in bytes: each takes its text, its logger's name and 6. At least 64 when the Definition has
  /// `.logging`. When it is full, the oldest go, and a client that has not had those of its own gets their number.
  std::size_t log_size = 0;

  /// Longest request id, in bytes as it stands in the message, quotes included. RAM: twice as many bytes for each job
  /// and each task, as many for each stream and each subscription. At least 8 for jobs that ask clients without a
  /// session. A longer one is answered with -32600, under this id where it fits; a longer progress token counts as
  /// none.
  std::size_t id_size = 40;
};

}  // namespace mcp
