// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/posix_replay.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace mcp::posix {
namespace {

// The current replay, because signals and the values of a Trace have no context.
Replay* playing = nullptr;

bool next_value_of_playing(std::span<std::uint8_t> value) { return playing != nullptr && playing->next_value(value); }

constexpr int crashes[] = {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS, SIGTRAP};

extern "C" void on_crash(int signal) {
  if (playing != nullptr) playing->print_crash(signal);
  static_cast<void>(std::raise(signal));  // its handler is the default one again
}

void catch_crashes() {
  struct sigaction action {};
  action.sa_handler = on_crash;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  for (const int signal : crashes) static_cast<void>(sigaction(signal, &action, nullptr));
}

constexpr std::size_t most_shown = 600;  // characters of a line

void print_cut(std::FILE* file, std::string_view text) {
  const std::size_t size = std::min(text.size(), most_shown);
  static_cast<void>(std::fprintf(file, "%.*s%s\n", static_cast<int>(size), text.data(), size < text.size() ? "…" : ""));
}

std::uint32_t add_crc(std::uint32_t crc, char byte) {
  crc ^= static_cast<unsigned char>(byte);
  for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ 0xEDB8'8320U : crc >> 1;
  return crc;
}

}  // namespace

// ---- Begin and end
// ---------------------------------------------------------------------------------------------------

Replay::~Replay() {
  if (playing == this) playing = nullptr;
  if (!mapped_.empty()) static_cast<void>(munmap(const_cast<char*>(mapped_.data()), mapped_.size()));
}

const char* Replay::find_option(int argc, char* const* argv, ReplayOptions& options) {
  const char* path = nullptr;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool has_next = i + 1 < argc;
    if (word == "--step") options.prints_steps = true;
    if (word == "--replay" && has_next) path = argv[++i];
    if (word == "--boot" && has_next) options.boot = std::strtoul(argv[++i], nullptr, 10);
  }
  return path;
}

void Replay::load(const char* path) {
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  struct stat info {};
  if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    const int reason = fd < 0 ? errno : EINVAL;
    if (fd >= 0) close(fd);
    static_cast<void>(std::fprintf(options_.report, "replay: cannot read %s: %s\n", path, std::strerror(reason)));
    return;
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  void* const bytes = size != 0 ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  close(fd);
  if (bytes != MAP_FAILED) mapped_ = {static_cast<const char*>(bytes), size};
  if (bytes == MAP_FAILED) static_cast<void>(std::fprintf(options_.report, "replay: %s is empty\n", path));
}

void Replay::open(const char* path, Trace& trace, const ReplayOptions& options) {
  options_ = options;
  if (options_.report == nullptr) options_.report = stderr;
  load(path);
  if (mapped_.empty()) return stop(unusable, "");
  open_text(path, mapped_, trace, options);
}

void Replay::open_text(const char* name, std::string_view text, Trace& trace, const ReplayOptions& options) {
  options_ = options;
  if (options_.report == nullptr) options_.report = stderr;
  name_ = name;
  if (!reader_.open(text, options.boot)) {
    static_cast<void>(
        std::fprintf(options_.report, "replay: %s, line %zu: %s.\n", name, reader_.line(), reader_.problem()));
    return stop(unusable, "");
  }
  if (reader_.lost_beginning()) {
    static_cast<void>(std::fprintf(options_.report,
                                   "replay: %s: the ring has overwritten the start of the device, so that the state of "
                                   "the program is not known. Use a larger ring, or restart the device.\n",
                                   name));
    return stop(unusable, "");
  }
  begin(trace);
}

void Replay::begin(Trace& trace) {
  playing = this;
  is_open_ = true;
  trace.play(next_value_of_playing);
  if (options_.catches_signals) catch_crashes();
  if (reader_.boots() > 1) {
    static_cast<void>(std::fprintf(options_.report,
                                   "replay: the trace has %zu starts of the device; this is number %zu\n",
                                   reader_.boots(), reader_.boot()));
  }
  TraceStep first;
  const TraceReader before = reader_;
  if (reader_.next(first) && first.verb == TraceVerb::boot) {
    boot_id_ = static_cast<std::uint32_t>(first.values[0]);
    step_ = first;
    return consume();
  }
  reader_ = before;
  advance();
}

void Replay::stop(Status status, const char* reason) {
  if (has_ended_) return;
  has_ended_ = true;
  status_ = status;
  if (*reason != '\0') {
    static_cast<void>(std::fprintf(options_.report, "replay: %s\n", reason));
  }
  static_cast<void>(std::fflush(options_.report));
  if (options_.exits) std::exit(status);
}

// ---- Steps ---------------------------------------------------------------------------------------------------------

// Continues to the next step that needs a call of the program. It is a loop, because a file may have any number of
// other steps.
void Replay::advance() {
  for (;;) {
    static_cast<void>(reader_.next(step_));
    blocked_left_ = step_.blocked;
    polls_left_ = step_.verb == TraceVerb::polls ? step_.values[1] : 1;
    if (blocked_left_ != 0 || !is_event() || !apply()) return;
    note_step();
  }
}

void Replay::note_step() {
  if (options_.prints_steps) print_step("", step_);
  context_[steps_++ % context_steps] = step_.lines;
}

void Replay::consume() {
  note_step();
  advance();
}

bool Replay::is_event() const {
  switch (step_.verb) {
    case TraceVerb::updated:
    case TraceVerb::woken:
    case TraceVerb::log:
    case TraceVerb::loglost:
    case TraceVerb::reason:
    case TraceVerb::pause:
    case TraceVerb::resume:
    case TraceVerb::lost: return true;
    default: return false;
  }
}

// Applies a step that needs no call of the program. Returns false if the replay ends there.
bool Replay::apply() {
  if (step_.verb == TraceVerb::reason) {
    for (ReplayDialer* one = dialers_; one != nullptr; one = one->next_) {
      if (is_of(one->number_, step_.values[0])) one->set_reason(static_cast<DialProblem>(step_.values[1]));
    }
    return true;
  }
  const bool is_post =
      step_.verb != TraceVerb::pause && step_.verb != TraceVerb::resume && step_.verb != TraceVerb::lost;
  if (is_post && options_.post != nullptr) {
    options_.post(step_);
    return true;
  }
  char text[160];
  static_cast<void>(
      std::snprintf(text, sizeof text, "no difference in %zu steps, up to line %zu: %s", steps_, step_.line,
                    is_post ? "this program plays no posts of other tasks" : "records after it are missing"));
  stop(same, text);
  return false;
}

// Before a poll, calls without a result are not counted.
bool Replay::takes_blocked() {
  if (has_ended_) return true;
  if (blocked_left_ != 0) {
    if (--blocked_left_ == 0 && is_event() && apply()) consume();
    return true;
  }
  return step_.verb == TraceVerb::poll || step_.verb == TraceVerb::polls || step_.verb == TraceVerb::end;
}

Millis Replay::now() {
  if (has_ended_) return now_;
  if (step_.verb == TraceVerb::end) {
    char text[80];
    static_cast<void>(std::snprintf(text, sizeof text, "no difference in %zu steps", steps_));
    stop(same, text);
    return now_;
  }
  const bool is_poll = step_.verb == TraceVerb::poll || step_.verb == TraceVerb::polls;
  if (!is_poll) {
    differ("the program polls again", 0);
    return now_;
  }
  now_ += static_cast<Millis>(step_.values[0]);
  if (--polls_left_ == 0) consume();
  return now_;
}

bool Replay::next_value(std::span<std::uint8_t> value) {
  if (has_ended_ || (step_.verb == TraceVerb::end && blocked_left_ == 0)) return false;
  if (!is_next(TraceVerb::value) || blocked_left_ != 0 || step_.size != value.size()) {
    differ("the program reads a value, of this number of bytes", value.size());
    return false;
  }
  return fill(value);
}

// Copies the bytes of the step, and consumes the step.
bool Replay::fill(std::span<std::uint8_t> into) {
  TraceBytes bytes(step_);
  for (std::uint8_t& byte : into) {
    char next = 0;
    if (!bytes.next(next)) break;
    byte = static_cast<std::uint8_t>(next);
  }
  consume();
  return true;
}

// Compares the bytes of the step with the first ones of `bytes`.
bool Replay::compare(std::string_view bytes, mcp::detail::TraceRedactor& redactor) {
  mcp::detail::StandIn::Key key;
  key.use = mcp::detail::StandIn::Key::Use::plain;
  const mcp::detail::TraceRedactor before = redactor;
  TraceBytes wanted(step_);
  char byte = 0;
  std::size_t equal = 0;
  while (equal < bytes.size() && wanted.next(byte) && redactor.next(bytes[equal], key) == byte) ++equal;
  if (equal == step_.size) return true;
  print_difference(
      equal == bytes.size() ? "the program writes fewer bytes:" : "the program writes another byte, after byte", equal);
  print_bytes("  played:   ", bytes, before);
  stop(different, "");
  return false;
}

// Compares bytes with a checksum. The trace has only the checksum, because a client was reading the trace, and the
// program has another trace.
bool Replay::is_sum_of(std::string_view bytes, mcp::detail::TraceRedactor& redactor) {
  mcp::detail::StandIn::Key key;
  key.use = mcp::detail::StandIn::Key::Use::plain;
  std::uint32_t crc = 0xFFFF'FFFF;
  const auto size = static_cast<std::size_t>(step_.values[1]);
  for (std::size_t i = 0; i < size && i < bytes.size(); ++i) crc = add_crc(crc, redactor.next(bytes[i], key));
  if (size <= bytes.size() && ~crc == static_cast<std::uint32_t>(step_.values[2])) return true;
  char text[120];
  static_cast<void>(std::snprintf(text, sizeof text,
                                  "no difference in %zu steps, up to line %zu: a client reads the trace there", steps_,
                                  step_.line));
  stop(same, text);
  return false;
}

void Replay::add(ReplayDialer& dialer) {
  dialer.next_ = dialers_;
  dialers_ = &dialer;
}

// ---- Messages
// --------------------------------------------------------------------------------------------------------

void Replay::print_step(const char* prefix, const TraceStep& step) const {
  static_cast<void>(std::fprintf(options_.report, "%s%zu at %" PRIu32 " ms: ", prefix, steps_ + 1, now_));
  print_cut(options_.report, step.lines);
}

void Replay::print_context() const {
  const std::size_t count = std::min(steps_, context_steps);
  if (count != 0) static_cast<void>(std::fprintf(options_.report, "  before:\n"));
  for (std::size_t i = steps_ - count; i < steps_; ++i) {
    static_cast<void>(std::fprintf(options_.report, "    %zu ", i + 1));
    print_cut(options_.report, context_[i % context_steps]);
  }
}

void Replay::print_bytes(const char* prefix, std::string_view bytes, mcp::detail::TraceRedactor redactor) const {
  mcp::detail::StandIn::Key key;
  key.use = mcp::detail::StandIn::Key::Use::plain;
  char text[most_shown];
  std::size_t size = 0;
  for (const char raw : bytes) {
    if (size + 5 > sizeof text) break;
    const char byte = redactor.next(raw, key);
    const auto value = static_cast<unsigned char>(byte);
    const bool is_plain = value >= ' ' && value <= '~' && byte != '\\';
    if (is_plain)
      text[size++] = byte;
    else
      size += static_cast<std::size_t>(std::snprintf(text + size, 5, byte == '\n' ? "\\n" : "\\x%02x", value));
  }
  static_cast<void>(std::fprintf(options_.report, "%s%.*s\n", prefix, static_cast<int>(size), text));
}

void Replay::differ(const char* what, std::uint64_t number) {
  if (has_ended_) return;
  print_difference(what, number);
  stop(different, "");
}

void Replay::print_difference(const char* what, std::uint64_t number) const {
  std::FILE* const file = options_.report;
  static_cast<void>(std::fprintf(file, "replay: step %zu of %zu (line %zu of %s), at %" PRIu32 " ms: %s %" PRIu64 "\n",
                                 steps_ + 1, reader_.steps(), step_.line, name_, now_, what, number));
  print_context();
  if (blocked_left_ != 0) {
    static_cast<void>(
        std::fprintf(file, "  the device first made %" PRIu32 " more calls without a result\n", blocked_left_));
  }
  static_cast<void>(std::fprintf(file, "  recorded: "));
  print_cut(file, step_.lines);
}

// Called in a signal handler, so it uses no heap and no buffer of stdio.
void Replay::print_crash(int signal) const {
  if (has_ended_) return;
  char text[200];
  const int size = std::snprintf(text, sizeof text,
                                 "replay: signal %d stops the program after step %zu of %zu (before line %zu), at "
                                 "%" PRIu32 " ms\n  after: ",
                                 signal, steps_, reader_.steps(), step_.line, now_);
  if (size > 0) static_cast<void>(!::write(fileno(options_.report), text, static_cast<std::size_t>(size)));
  const std::string_view last = steps_ != 0 ? context_[(steps_ - 1) % context_steps] : std::string_view("the start");
  static_cast<void>(!::write(fileno(options_.report), last.data(), std::min(last.size(), most_shown)));
  static_cast<void>(!::write(fileno(options_.report), "\n", 1));
}

}  // namespace mcp::posix
