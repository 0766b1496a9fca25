// SPDX-License-Identifier: Apache-2.0
/// @file
/// A ring that records all input and output of a device, so that a PC can replay the run.
/// @code
/// constinit mcp::TraceRing<4096> ring;
/// constexpr mcp::Resource resources[] = {mcp::trace<ring>({.uri = "mote://trace", .name = "trace"})};
/// [[noreturn]] void run(const mcp::Server& server, mcp::ByteStream& uart) {
///   ring.begin();
///   mcp::TracedStream stream{ring, uart, mcp::Framing::lines};
///   mcp::StdioTransport transport{server, stream};
///   for (;;) board::wait_for_event(transport.poll(ring.poll(board::millis())));
/// }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

#include "mcp/body_stream.hpp"
#include "mcp/detail/trace_redactor.hpp"
#include "mcp/port.hpp"
#include "mcp/resource.hpp"

namespace mcp {

namespace compile_error {
void the_size_of_a_trace_must_be_a_power_of_two_from_256_to_1048576();
void the_row_of_a_trace_must_not_have_a_read_function_or_a_stream();
}  // namespace compile_error

namespace detail {

/// The kinds of records in a ring, and the words of their lines (core/kit/trace/README.md).
enum class TraceKind : std::uint8_t {
  none,
  boot,
  poll,
  polls,
  read,
  read_more,
  write,
  write_more,
  wrote,
  read_closed,
  read_failed,
  write_closed,
  write_failed,
  accept,
  waiting,
  dial,
  undialed,
  reason,
  finish,
  close,
  entropy,
  no_entropy,
  key,
  code,
  no_code,
  hidden,
  utc,
  value,
  updated,
  woken,
  log,
  log_lost,
  pause,
  resume,
  count,
};

/// The positions of the records of a ring. Positions count all bytes since begin(). Between any two stores, the range
/// has only whole records, so a fault or a reset loses at most the record that was being written.
struct TraceRange {
  std::uint32_t first;
  std::uint32_t end;
};

/// The bytes of a ring, whose number is a power of two.
struct TraceBytes {
  const std::uint8_t* bytes;
  std::uint32_t size;
};

struct TextOut;

/// A read of a ring as text.
struct TraceCursor {
  TraceRange range = {};
  std::uint32_t offset = 0;  // in the text, of the line of `range.first`
  std::uint32_t count = 0;   // records before this line
  enum class Line : std::uint8_t { title, lost, record, done } line = Line::title;
  bool is_first_lost = false;  // the title has the word `first`
  bool has_hole = false;       // records after the title are overwritten
};

}  // namespace detail

/// A ring of records, independent of its size, for all recorders. Made as a TraceRing. Context: main loop, except
/// dump().
class Trace {
 public:
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// Records the time of a poll, and returns it: `transport.poll(ring.poll(board::millis()))`.
  Millis poll(Millis now);

  /// Records a value that the application reads, such as a sensor value, and returns it. In a program that plays a
  /// trace, it returns the recorded value instead. Secrets in values are not hidden. Limits: a trivially copyable value
  /// without padding of at most 64 bytes.
  template <class T>
  T value(T read) {
    static_assert(std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>,
                  "a traced value must be trivially copyable and have no padding");
    static_assert(sizeof(T) <= 64, "a traced value must have at most 64 bytes");
    std::uint8_t bytes[sizeof(T)];
    std::memcpy(bytes, &read, sizeof(T));
    read_value(bytes);
    std::memcpy(&read, bytes, sizeof(T));
    return read;
  }
  /// Records a floating-point value, as value() of its bits.
  float value(float read) { return from_bits<float, std::uint32_t>(read); }
  /// Records a floating-point value, as value() of its bits.
  double value(double read) { return from_bits<double, std::uint64_t>(read); }

  /// Stops recording. For example, it keeps the records of a run that ended in a fault until a client has read them.
  void pause();
  /// Resumes recording. The trace has a mark where records are missing.
  void resume();
  /// Returns whether begin() was called, and the ring records.
  [[nodiscard]] bool is_recording() const { return capacity_ != 0 && !is_paused_; }

  /// Fills `value` with the bytes that value() returns. Errors: returns false if the trace has no value for this call.
  using NextValue = bool(std::span<std::uint8_t> value);
  /// For a program that plays a trace. value() calls `next`, and ids are recorded unchanged, because the ids of a trace
  /// are stand-ins already. Call it after begin(). Lifetime: `next` is a function of the program.
  void play(NextValue& next) {
    next_value_ = &next;
    key_.use = detail::StandIn::Key::Use::plain;
  }

  /// @cond server
  using Kind = detail::TraceKind;
  [[nodiscard]] std::uint32_t new_stream() { return ++last_stream_; }
  [[nodiscard]] std::uint32_t new_port() { return ++last_port_; }
  void count_blocked() { ++blocked_; }
  void add(Kind kind, std::span<const std::uint8_t> data);
  void add(Kind kind, std::uint64_t number);
  void add(Kind kind, std::uint64_t a, std::uint64_t b);
  void add_accept(std::uint32_t listener, std::uint32_t stream, std::uint64_t peer);
  void add_text(Kind kind, std::span<const std::uint32_t> numbers, std::string_view text);
  void add_log(std::span<const std::uint32_t> numbers, std::string_view text);
  void add_read(std::uint32_t stream, std::span<const char> bytes, detail::TraceRedactor& redactor);
  void add_write(std::uint32_t stream, std::span<const char> bytes, detail::TraceRedactor& redactor);
  void add_entropy(std::span<const std::uint8_t> bytes);
  void make_key(Entropy& entropy);
  /// @endcond

 protected:
  constexpr Trace() = default;
  ~Trace() = default;

  /// @cond server
  bool begin(std::span<std::uint8_t> bytes, std::uint32_t boot_id);
  void dump(detail::TraceBytes bytes, void (*put)(char)) const;
  Chunk read(std::uint32_t offset, std::span<std::uint8_t> into);
  /// @endcond

 private:
  friend class TraceWriter;
  template <class T, class Bits>
  T from_bits(T read) {
    Bits bits;
    std::memcpy(&bits, &read, sizeof bits);
    bits = value(bits);
    std::memcpy(&read, &bits, sizeof bits);
    return read;
  }
  void read_value(std::span<std::uint8_t> bytes);
  void add_bytes(Kind more, Kind last, std::uint32_t stream, std::span<const char> bytes,
                 detail::TraceRedactor& redactor);
  [[nodiscard]] detail::TraceBytes view() const { return {bytes_, capacity_}; }
  bool extend_polls(std::uint32_t delta);
  void make_space(std::uint32_t size);
  void write_line(detail::TraceCursor& cursor, detail::TextOut& out) const;
  [[nodiscard]] bool is_being_read() const;
  [[nodiscard]] bool has_lost(const detail::TraceCursor& cursor) const;
  void skip_lost(detail::TraceCursor& cursor, std::uint32_t offset) const;

  // Kept through a reset; begin() checks them.
  std::uint32_t magic_ = 0;
  std::uint32_t capacity_ = 0;
  detail::TraceRange range_ = {};
  std::uint32_t has_lost_ = 0;  // 1 if records were overwritten

  // The bytes of this run.
  std::uint8_t* bytes_ = nullptr;
  NextValue* next_value_ = nullptr;
  detail::TraceCursor cursor_ = {};  // at the last part that was read
  detail::TraceCursor next_ = {};    // after this part, whose records may be overwritten
  std::uint32_t read_end_ = 0;       // of the parts that were read
  detail::StandIn::Key key_ = {};
  std::uint32_t last_record_ = 0;  // the position of a record that counts polls
  std::uint32_t last_delta_ = 0;
  Millis last_poll_ms_ = 0;
  Millis now_ms_ = 0;
  Millis last_read_ms_ = 0;
  std::uint32_t blocked_ = 0;
  std::uint32_t last_stream_ = 0;
  std::uint32_t last_port_ = 0;
  bool is_paused_ = false;
  bool is_read_ = false;
  std::uint8_t polls_ = 0;  // polls with last_delta_ so far; above most_polls, one record counts them
};

/// A ring of `size` bytes of records, a power of two from 256 to 1,048,576. A new record overwrites the oldest ones.
/// RAM: `size` and about 100 bytes. Define it at namespace scope. In the section `.noinit` of a board, the records
/// survive a reset that keeps the RAM. Nothing is recorded before begin(). With `.noinit`, begin() must be the first
/// call, because the state is undefined before; only dump() checks the state. Secrets are replaced before they are
/// stored. `core/kit/trace/README.md` has the rules and the format.
template <std::size_t size>
class TraceRing : public Trace {
 public:
  /// An empty ring. Errors: an invalid size does not compile.
  consteval TraceRing() {
    if (size < 256 || size > 0x10'0000 || (size & (size - 1)) != 0)
      compile_error::the_size_of_a_trace_must_be_a_power_of_two_from_256_to_1048576();
  }

  /// Begins to record a run with this boot id. Returns true if the ring has valid records of an earlier run, after a
  /// reset that kept the RAM. They precede the records of this run. Call pause() to keep them until a client has read
  /// them. Call it once, before any recorder is used.
  bool begin(std::uint32_t boot_id = 0) {  // NOLINT(modernize-use-nodiscard): many programs continue in any case
    return Trace::begin(bytes_, boot_id);
  }

  /// Writes the trace as text, one line per record, through `put`, such as `board::write_polled`. The text begins with
  /// a line end. The function changes nothing and takes no lock. If the ring is damaged, the last line is `~damaged`.
  /// Context: any, also a fault handler; blocks while `put` does. Limits: at most 5 bytes of text per byte of the ring.
  void dump(void (*put)(char)) const { Trace::dump({bytes_, size}, put); }

  /// @cond server
  [[nodiscard]] Chunk read(std::uint32_t offset, std::span<std::uint8_t> into) { return Trace::read(offset, into); }
  /// @endcond

 private:
  std::uint8_t bytes_[size] = {};
};

namespace detail {

/// The recorder of a stream or a connection.
class TracedBytes {
 public:
  constexpr explicit TracedBytes(Framing framing, std::uint32_t number = 0)
      : number_(number), in_(framing), out_(framing) {}
  IoResult read(Trace& trace, ByteStream& stream, std::span<char> into);
  IoResult write(Trace& trace, ByteStream& stream, std::span<const char> from);
  [[nodiscard]] std::uint32_t number() const { return number_; }

 private:
  std::uint32_t number_;
  bool read_ended_ = false;
  bool write_ended_ = false;
  TraceRedactor in_;
  TraceRedactor out_;
};

}  // namespace detail

/// A ByteStream that records its bytes. Use it in place of `stream`. RAM: about 290 bytes. Ownership: the caller owns
/// the trace and the stream. Lifetime: both must outlive the object. Context: main loop.
class TracedStream final : public ByteStream {
 public:
  /// `framing` is how messages are separated, so that their secrets are found.
  constexpr TracedStream(Trace& trace, ByteStream& stream, Framing framing)
      : trace_(trace), stream_(stream), bytes_(framing) {}

 private:
  IoResult do_read(std::span<char> into) override;
  IoResult do_write(std::span<const char> from) override;

  Trace& trace_;
  ByteStream& stream_;
  detail::TracedBytes bytes_;
};

namespace detail {

/// A connection of a TracedListener or TracedDialer.
class TracedConnection final : public Connection {
 public:
  using After = void (*)(void* context);
  [[nodiscard]] bool is_free() const { return inner_ == nullptr; }
  /// `after` is called after each call, so that a dialer copies its reason. It may be nullptr.
  void open(Trace& trace, Framing framing, Connection& inner, std::uint32_t number, After do_after, void* context);

 private:
  IoResult do_read(std::span<char> into) override;
  IoResult do_write(std::span<const char> from) override;
  void do_finish() override;
  void do_close() override;
  [[nodiscard]] std::uint64_t do_peer() const override { return inner_->peer(); }
  void after() const {
    if (after_ != nullptr) after_(context_);
  }

  Trace* trace_ = nullptr;
  Connection* inner_ = nullptr;
  After after_ = nullptr;
  void* context_ = nullptr;
  TracedBytes bytes_{Framing::http};
};

Connection* accept_traced(Trace& trace, std::uint32_t& number, Listener& listener,
                          std::span<TracedConnection> connections);
bool has_waiting_traced(Trace& trace, std::uint32_t& number, Listener& listener);

}  // namespace detail

/// A Listener that records its connections, for HTTP over TCP or TLS. Use it in place of `listener`. It wraps the TLS
/// Listener, so that it records plain bytes. Limits: at most `most` connections at the same time, at least
/// HttpLimits::connections. Further clients wait.
template <std::size_t most>
class TracedListener final : public Listener {
 public:
  /// Lifetime: both must outlive it.
  constexpr TracedListener(Trace& trace, Listener& listener) : trace_(trace), listener_(listener) {}

 private:
  Connection* do_accept() override { return detail::accept_traced(trace_, number_, listener_, connections_); }
  bool do_has_waiting() override { return detail::has_waiting_traced(trace_, number_, listener_); }

  Trace& trace_;
  Listener& listener_;
  std::uint32_t number_ = 0;
  detail::TracedConnection connections_[most] = {};
};

namespace detail {

/// The part of a TracedDialer that is independent of the number of connections.
class TracedDialing : public Dialer {
 protected:
  constexpr TracedDialing(Trace& trace, Dialer& dialer, Framing framing)
      : trace_(trace), dialer_(dialer), framing_(framing) {}
  ~TracedDialing() = default;
  Connection* dial_traced(std::string_view host, std::uint16_t port, std::span<TracedConnection> connections);

 private:
  [[nodiscard]] bool do_is_encrypted() const override { return dialer_.is_encrypted(); }
  static void copy_reason(void* dialing);
  void note_reason(DialProblem now);

  Trace& trace_;
  Dialer& dialer_;
  Framing framing_;
  std::uint32_t number_ = 0;
};

}  // namespace detail

/// A Dialer that records its connections, as TracedListener.
template <std::size_t most>
class TracedDialer final : public detail::TracedDialing {
 public:
  /// Lifetime: both must outlive it.
  constexpr TracedDialer(Trace& trace, Dialer& dialer, Framing framing = Framing::packets)
      : TracedDialing(trace, dialer, framing) {}

 private:
  Connection* do_dial(std::string_view host, std::uint16_t port) override {
    return dial_traced(host, port, connections_);
  }

  detail::TracedConnection connections_[most] = {};
};

/// An Entropy that records stand-ins of its bytes. Session ids, task ids and request states that the server makes of
/// the bytes get the same stand-ins. So a trace can be played, but its ids open no session. Keys (32 bytes and more)
/// are not recorded. Use one object for the server and the transport. Lifetime: `trace` and `entropy` must outlive it.
class TracedEntropy final : public Entropy {
 public:
  /// Records the bytes of `entropy`.
  constexpr TracedEntropy(Trace& trace, Entropy& entropy) : trace_(trace), entropy_(entropy) {}

 private:
  bool do_fill(std::span<std::uint8_t> into) override;

  Trace& trace_;
  Entropy& entropy_;
};

/// An Hmac that records its codes. Codes of a key of zeros are not recorded, because they may be keys. With the codes,
/// a reader of the trace can decrypt the request states (`requestState`) of the run. Lifetime: `trace` and `hmac` must
/// outlive it.
class TracedHmac final : public Hmac {
 public:
  /// Records the codes of `hmac`.
  constexpr TracedHmac(Trace& trace, Hmac& hmac) : trace_(trace), hmac_(hmac) {}

 private:
  void do_start(std::span<const std::uint8_t, size> key) override;
  void do_update(std::span<const std::uint8_t> bytes) override { hmac_.update(bytes); }
  bool do_finish(std::span<std::uint8_t, size> code) override;

  Trace& trace_;
  Hmac& hmac_;
  bool has_zero_key_ = false;
};

/// A WallClock that records the times that it returns. Lifetime: both must outlive it.
class TracedWallClock final : public WallClock {
 public:
  /// Records the times of `clock`.
  constexpr TracedWallClock(Trace& trace, WallClock& clock) : trace_(trace), clock_(clock) {}

 private:
  std::uint64_t do_utc_ms() override;

  Trace& trace_;
  WallClock& clock_;
};

namespace detail {

template <auto& ring>
Chunk read_trace(std::uint32_t offset, std::span<std::uint8_t> into) {
  return ring.read(offset, into);
}

}  // namespace detail

/// Returns the row of a resource whose body is a trace, as text. The body has the records of the moment when the read
/// begins. It may be read through a traced stream. While a client reads, written bytes are recorded as their number and
/// checksum. One client reads at a time. Others wait for at most 5 s after its last part.
/// `row` has the members of the row, without a read function or a stream. In a Definition with `.scopes`, the row needs
/// a scope, because a trace shows one client the data of another. Limits: as for Resource::stream.
template <auto& ring>
consteval Resource trace(Resource row) {
  if (row.read != nullptr || row.stream.on())
    compile_error::the_row_of_a_trace_must_not_have_a_read_function_or_a_stream();
  row.stream = trace_stream(detail::read_trace<ring>);
  if (row.mime_type.empty()) row.mime_type = "text/plain";
  return row;
}

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
