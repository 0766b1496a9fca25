// SPDX-License-Identifier: Apache-2.0
/// @file
/// Plays a trace of a device on a PC. The program gets the input of the device, and its output is compared.
/// @code
/// void play(const mcp::Server& server, mcp::Trace& ring, const char* path) {
///   mcp::posix::Replay replay;
///   replay.open(path, ring, {});
///   mcp::posix::ReplayStream stream{replay, mcp::Framing::lines};
///   mcp::StdioTransport transport{server, stream};
///   for (;;) static_cast<void>(transport.poll(replay.now()));
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string_view>

#include "mcp/port.hpp"
#include "mcp/ports/posix_trace_reader.hpp"
#include "mcp/trace.hpp"

namespace mcp::posix {

/// The options of a Replay.
struct ReplayOptions {
  bool prints_steps = false;    ///< Prints each step before it is played.
  std::size_t boot = 0;         ///< The start of the device to play, counted from 1; 0: the last start.
  std::FILE* report = nullptr;  ///< The output of the report; nullptr: stderr.
  bool exits = true;            ///< Ends the process at the end. Otherwise has_ended() is true from then on.
  bool catches_signals = true;  ///< Prints the step at which the program crashes, before the signal ends it.
  /// Repeats the post of another task or an interrupt to the mailbox: `~updated`, `~woken`, `~log` or `~loglost`. With
  /// nullptr, the replay ends at the first post.
  void (*post)(const TraceStep& step) = nullptr;
};

class ReplayConnection;
class ReplayDialer;

namespace detail {

// The state of a stream in a replay.
struct PlayedBytes {
  explicit PlayedBytes(Framing framing, std::uint32_t number_of_stream = 0)
      : number(number_of_stream), redactor(framing) {}
  std::uint32_t number;  // 0: not known yet
  mcp::detail::TraceRedactor redactor;
  IoStatus read_end = IoStatus::ok;  // a trace has the end of each direction once
  IoStatus write_end = IoStatus::ok;
};

}  // namespace detail

/// Plays the text of a trace (`core/kit/trace/README.md`). The streams and services of this header replace those of the
/// platform. Each call gets its recorded result, and a call that the device did not make is a difference. Written bytes
/// are compared after their secrets are hidden, as in the trace.
/// A Replay ends with the exit status 0 at the end of the trace, 1 at the first difference, or 2 for an unplayable
/// file. Context: main loop; one Replay at a time in a program.
class Replay {
 public:
  /// The exit statuses.
  enum Status : std::uint8_t { same = 0, different = 1, unusable = 2 };

  Replay() = default;
  ~Replay();
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  /// Finds `--replay FILE` among the arguments of main(), and `--step` and `--boot N`, which tests/replay passes on.
  /// Returns FILE, or nullptr without the option, and fills `options`.
  [[nodiscard]] static const char* find_option(int argc, char* const* argv, ReplayOptions& options);

  /// Opens the file of a trace. From now on, `trace.value()` returns the values of the file. A file that also has lines
  /// of another kind is valid. Lifetime: `trace` must outlive the Replay. Errors: if the file has no trace, is damaged,
  /// or has lost the start of the device, prints the reason and ends with Status::unusable.
  void open(const char* path, Trace& trace, const ReplayOptions& options);
  /// As open(), with a text in memory. Lifetime: `text` and `name` must outlive the Replay.
  void open_text(const char* name, std::string_view text, Trace& trace, const ReplayOptions& options);

  /// Returns whether a trace is open.
  [[nodiscard]] bool is_open() const { return is_open_; }
  /// Returns whether the replay is over. Only with ReplayOptions::exits = false.
  [[nodiscard]] bool has_ended() const { return has_ended_; }
  /// Returns the exit status of a replay that has ended.
  [[nodiscard]] Status status() const { return status_; }
  /// Returns the number of steps that the program has repeated.
  [[nodiscard]] std::size_t steps() const { return steps_; }
  /// Returns the number of steps of the trace.
  [[nodiscard]] std::size_t all_steps() const { return reader_.steps(); }
  /// Returns the boot id of the device, or 0 if the trace has none.
  [[nodiscard]] std::uint32_t boot_id() const { return boot_id_; }
  /// Returns the time of the next poll, in place of the clock: `transport.poll(ring.poll(replay.now()))`. Call it once
  /// for each poll.
  [[nodiscard]] Millis now();

  /// @cond server
  bool takes_blocked();
  // Returns whether a step belongs to this stream or port. The first step of a stream sets its number.
  static bool is_of(std::uint32_t& number, std::uint64_t wanted) {
    if (number == 0) number = static_cast<std::uint32_t>(wanted);
    return number == wanted;
  }
  [[nodiscard]] bool is_over() const { return has_ended_ || (step_.verb == TraceVerb::end && blocked_left_ == 0); }
  [[nodiscard]] std::uint32_t blocked_left() const { return blocked_left_; }
  [[nodiscard]] bool is_next(TraceVerb verb) const { return step_.verb == verb; }
  [[nodiscard]] const TraceStep& step() const { return step_; }
  void consume();
  IoResult play_read(detail::PlayedBytes& bytes, std::span<char> into);
  IoResult play_write(detail::PlayedBytes& bytes, std::span<const char> from);
  bool end(TraceVerb verb, std::uint32_t number, const char* what);
  ReplayConnection* take(std::span<ReplayConnection> connections, Framing framing);
  bool fill(std::span<std::uint8_t> into);
  void differ(const char* what, std::uint64_t number);
  bool next_value(std::span<std::uint8_t> value);
  void print_crash(int signal) const;
  void add(ReplayDialer& dialer);
  /// @endcond

 private:
  static constexpr std::size_t context_steps = 6;
  void load(const char* path);
  bool compare(std::string_view bytes, mcp::detail::TraceRedactor& redactor);
  bool is_sum_of(std::string_view bytes, mcp::detail::TraceRedactor& redactor);
  void begin(Trace& trace);
  void advance();
  bool is_event() const;
  bool apply();
  void note_step();
  void stop(Status status, const char* reason);
  void print_step(const char* prefix, const TraceStep& step) const;
  void print_context() const;
  void print_difference(const char* what, std::uint64_t number) const;
  void print_bytes(const char* prefix, std::string_view bytes, mcp::detail::TraceRedactor redactor) const;

  ReplayOptions options_;
  TraceReader reader_;
  TraceStep step_;                                // the next one
  std::string_view context_[context_steps] = {};  // the previous steps, a ring
  const char* name_ = "";
  ReplayDialer* dialers_ = nullptr;  // a list
  std::string_view mapped_;          // the file in memory
  std::size_t steps_ = 0;
  std::uint64_t polls_left_ = 0;
  std::uint32_t blocked_left_ = 0;
  std::uint32_t boot_id_ = 0;
  Millis now_ = 0;
  bool is_open_ = false;
  bool has_ended_ = false;
  Status status_ = same;
};

/// A stream of the trace, in place of a UART or of stdin and stdout. Lifetime: `replay` must outlive it.
class ReplayStream final : public ByteStream {
 public:
  /// `framing` is the argument of the TracedStream. The n-th used stream is the n-th stream of the trace.
  ReplayStream(Replay& replay, Framing framing) : replay_(replay), bytes_(framing) {}

 private:
  IoResult do_read(std::span<char> into) override;
  IoResult do_write(std::span<const char> from) override;

  Replay& replay_;
  detail::PlayedBytes bytes_;
};

/// A connection of a ReplayListener or a ReplayDialer.
class ReplayConnection final : public Connection {
 public:
  /// @cond server
  ReplayConnection() = default;
  [[nodiscard]] bool is_free() const { return replay_ == nullptr; }
  void begin(Replay& replay, Framing framing, std::uint32_t number, std::uint64_t peer);
  /// @endcond

 private:
  IoResult do_read(std::span<char> into) override;
  IoResult do_write(std::span<const char> from) override;
  void do_finish() override;
  void do_close() override;
  [[nodiscard]] std::uint64_t do_peer() const override { return peer_; }

  Replay* replay_ = nullptr;
  detail::PlayedBytes bytes_{Framing::http};
  std::uint64_t peer_ = 0;
};

/// The connections of clients in the trace. Ownership: the caller owns `connections`, at least the number of the
/// device. Lifetime: all arguments must outlive the object.
class ReplayListener final : public Listener {
 public:
  /// The n-th used port is the n-th port of the trace.
  ReplayListener(Replay& replay, std::span<ReplayConnection> connections)
      : replay_(replay), connections_(connections) {}

 private:
  Connection* do_accept() override;
  bool do_has_waiting() override;

  Replay& replay_;
  std::span<ReplayConnection> connections_;
  std::uint32_t number_ = 0;
};

/// The connections to servers in the trace, as ReplayListener.
class ReplayDialer final : public Dialer {
 public:
  /// `framing` is the argument of the TracedDialer. `is_encrypted` is the value that the Dialer of the device returns.
  ReplayDialer(Replay& replay, std::span<ReplayConnection> connections, Framing framing = Framing::packets,
               bool is_encrypted = false)
      : replay_(replay), connections_(connections), framing_(framing), is_encrypted_(is_encrypted) {
    replay.add(*this);
  }

 private:
  friend class Replay;
  Connection* do_dial(std::string_view host, std::uint16_t port) override;
  [[nodiscard]] bool do_is_encrypted() const override { return is_encrypted_; }

  Replay& replay_;
  std::span<ReplayConnection> connections_;
  Framing framing_;
  bool is_encrypted_;
  std::uint32_t number_ = 0;
  ReplayDialer* next_ = nullptr;  // of the Replay
};

/// The random bytes of the trace. Lifetime: `replay` must outlive it.
class ReplayEntropy final : public Entropy {
 public:
  /// Plays the random bytes of `replay`.
  explicit ReplayEntropy(Replay& replay) : replay_(replay) {}

 private:
  bool do_fill(std::span<std::uint8_t> into) override;
  Replay& replay_;
};

/// The HMAC codes of the trace. It replaces a hidden code by a code that depends only on the bytes of the message.
/// Lifetime: `replay` must outlive it.
class ReplayHmac final : public Hmac {
 public:
  /// Plays the codes of `replay`.
  explicit ReplayHmac(Replay& replay) : replay_(replay) {}

 private:
  void do_start(std::span<const std::uint8_t, size> key) override;
  void do_update(std::span<const std::uint8_t> bytes) override;
  bool do_finish(std::span<std::uint8_t, size> code) override;

  Replay& replay_;
  std::uint64_t hash_ = 0;
};

/// The times of day of the trace. Lifetime: `replay` must outlive it.
class ReplayWallClock final : public WallClock {
 public:
  /// Plays the times of `replay`.
  explicit ReplayWallClock(Replay& replay) : replay_(replay) {}

 private:
  std::uint64_t do_utc_ms() override;
  Replay& replay_;
};

}  // namespace mcp::posix

#include <mcp/detail/epilogue.hpp>
