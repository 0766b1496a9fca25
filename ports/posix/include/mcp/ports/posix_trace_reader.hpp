// SPDX-License-Identifier: Apache-2.0
/// @file
/// Reads the text of a trace, as `core/kit/trace/README.md` describes it, step by step. mcp::Replay plays it.
/// @code
/// bool is_playable(std::string_view text) {
///   mcp::posix::TraceReader reader;
///   if (!reader.open(text)) std::fprintf(stderr, "line %zu: %s\n", reader.line(), reader.problem());
///   mcp::posix::TraceStep step;
///   while (reader.next(step)) std::printf("step %zu\n", step.number);
///   return !reader.lost_beginning();
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mcp::posix {

/// The first word of a line of a trace. The comments name the line.
enum class TraceVerb : std::uint8_t {
  boot,       ///< `~boot ID`
  poll,       ///< `~poll D`
  polls,      ///< `~polls D N`
  read,       ///< `~read S BYTES`
  write,      ///< `~write S BYTES`
  wrote,      ///< `~wrote S SIZE CRC`
  closed,     ///< `~closed S`
  failed,     ///< `~failed S`
  wclosed,    ///< `~wclosed S`
  wfailed,    ///< `~wfailed S`
  accept,     ///< `~accept L S PEER`
  waiting,    ///< `~waiting L`
  dial,       ///< `~dial L S PORT HOST`
  undialed,   ///< `~undialed L PORT HOST`
  reason,     ///< `~reason L R`
  finish,     ///< `~finish S`
  close,      ///< `~close S`
  entropy,    ///< `~entropy BYTES`
  noentropy,  ///< `~noentropy SIZE`
  key,        ///< `~key SIZE`
  code,       ///< `~code BYTES`
  nocode,     ///< `~nocode`
  hidden,     ///< `~hidden`
  utc,        ///< `~utc T`
  value,      ///< `~value BYTES`
  updated,    ///< `~updated ROW`
  woken,      ///< `~woken SLOT`
  log,        ///< `~log LEVEL SIZE TEXT`
  loglost,    ///< `~loglost N`
  pause,      ///< `~pause`
  resume,     ///< `~resume`
  lost,       ///< `~lost`
  end,        ///< `~end N`, or the end of the records of a damaged ring
};

/// One step of a trace: one line, or all lines of one read or write.
/// Lifetime: `lines` points into the text.
struct TraceStep {
  TraceVerb verb = TraceVerb::end;  ///< The first word of the line.
  std::size_t number = 0;           ///< The number of the step, counted from 1.
  std::size_t line = 0;             ///< The number of its first line in the text, counted from 1.
  std::uint32_t blocked = 0;        ///< `+B`: calls without a result before the step.
  std::uint64_t values[3] = {};     ///< The numbers of the line, in their order.
  std::size_t size = 0;             ///< The number of bytes, all lines together.
  std::string_view lines = {};      ///< The text from the first line of the step to the end of its last line.
};

/// Reads the bytes of a step one by one, without a copy.
class TraceBytes {
 public:
  /// Lifetime: the text of the step must outlive the object.
  explicit TraceBytes(const TraceStep& step);
  /// Reads the next byte. Errors: returns false at the end.
  bool next(char& byte);

 private:
  bool find_line();

  std::string_view rest_;   // unread lines
  std::string_view bytes_;  // of the current line
};

/// Checks the text of a trace, and reads its steps. A line of another kind, without `~` at its beginning, is skipped.
/// If the text has several traces, the last one is read. It does not allocate memory.
class TraceReader {
 public:
  /// Checks all lines, and selects the records after the last start of the device (`~boot`), or after the start
  /// `boot`, counted from 1. Lifetime: `text` must outlive the object and the steps.
  /// Errors: returns false if the text is damaged. problem() returns the reason, and line() the position.
  [[nodiscard]] bool open(std::string_view text, std::size_t boot = 0);

  /// Reads the next step. Errors: returns false at the end, which is a step with TraceVerb::end.
  bool next(TraceStep& step);

  /// Returns the error in the text as a message without a full stop, or "". Lifetime: as long as the program.
  [[nodiscard]] const char* problem() const { return problem_; }
  /// Returns the number of the line with the problem(), counted from 1.
  [[nodiscard]] std::size_t line() const { return line_; }
  /// Returns whether the ring overwrote the oldest records, so that no start of the device is known.
  [[nodiscard]] bool lost_beginning() const { return lost_beginning_; }
  /// Returns the number of starts of the device in the trace.
  [[nodiscard]] std::size_t boots() const { return boots_; }
  /// Returns the number of the selected start, counted from 1; 0 if the trace names no start.
  [[nodiscard]] std::size_t boot() const { return boot_; }
  /// Returns the number of steps from the selected start to the end of the trace or to the next start.
  [[nodiscard]] std::size_t steps() const { return steps_; }

 private:
  struct Position {
    std::string_view rest = {};  // the rest of the text
    std::size_t line = 0;        // number of lines before the rest
  };
  bool find_title(std::string_view text, Position& at);
  bool check(Position at, std::size_t boot);
  bool read_step(Position& at, TraceStep& step);
  bool read_line(std::string_view text, std::size_t number, TraceStep& step, bool& has_more);
  bool take_lost(Position& at, std::string_view text, TraceStep& step);
  bool next_line(Position& at, std::string_view& line) const;
  bool fail(const char* problem);

  Position at_;
  const char* problem_ = "";
  std::size_t line_ = 0;
  std::size_t boots_ = 0;
  std::size_t boot_ = 0;
  std::size_t steps_ = 0;
  std::size_t read_ = 0;   // steps so far
  std::size_t lines_ = 0;  // of the trace, so far
  bool lost_beginning_ = false;
  bool has_lost_ = false;  // a line `~lost`: the number of records does not count
};

}  // namespace mcp::posix

#include <mcp/detail/epilogue.hpp>
