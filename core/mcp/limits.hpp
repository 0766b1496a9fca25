// Every size and count of a server, chosen at compile time. Reaching one has the outcome that is written beside it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mcp {

/// The sizes of one server: `constexpr mcp::Limits limits{.message_size = 2048};`
struct Limits {
  /// Longest message a client can send, in bytes, without the line end. RAM: as many bytes plus 2. A longer one is
  /// answered with -32600 (under its id, when that can still be found) and skipped; the next message is served.
  std::size_t message_size = 1024;

  /// Longest message the server can send, in bytes. RAM: as many bytes plus 1. At least what the longest list item of
  /// the Definition needs (checked at compile time). A list is cut into pages that fit; any other answer that does not
  /// fit is replaced by the error -32603.
  std::size_t window_size = 1024;

  /// Clients at the same time, 1 to 65535. RAM: 16 bytes each, and 8 more for every 32 resources. One more takes the
  /// place of the one that was idle longest, which must initialize again.
  std::size_t sessions = 1;

  /// Rows of the resource table, at most. RAM: 1 byte each. More rows than this in the Definition do not compile.
  std::size_t resources = 16;

  /// Calls that run as jobs at the same time; 0 when the Definition has no job. RAM: 44 bytes each, twice `id_size` and
  /// `job_size`. A call that finds none left fails with a text that says so.
  std::size_t jobs = 0;

  /// Largest state of a job, in bytes, rounded up to a multiple of 8. A job whose state is larger does not compile.
  std::size_t job_size = 0;

  /// Bodies of resources that are streamed (Resource::stream) on their way at the same time; 0 when none is. RAM: 24
  /// bytes each, and `id_size`. A request that finds none left is answered with -32603 and a text that says so.
  std::size_t streams = 0;

  /// Rows of all tables together, when the Definition has `.list_changes`; else 0. RAM: a bit each. More rows than this
  /// in such a Definition do not compile.
  std::size_t rows = 0;

  /// Ring of log messages, in bytes: each takes its text, its logger's name and 4. At least 64 when the Definition has
  /// `.logging`. When it is full the oldest go, and a client that has not seen them is told how many.
  std::size_t log_size = 0;

  /// Longest request id, in bytes as it stands in the message, quotes included. RAM: twice as many bytes for each job,
  /// as many for each stream.
  /// A longer one is answered with -32600 and no id; a longer progress token counts as none.
  std::size_t id_size = 40;
};

}  // namespace mcp
