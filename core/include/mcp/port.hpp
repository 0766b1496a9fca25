// The interfaces a port implements: bytes, time and randomness. Knows no protocol and no platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace mcp {

/// Milliseconds on a clock that never goes back. Wraps at 2^32 (every 49.7 days): compare by difference.
using Millis = std::uint32_t;

/// "Nothing is due": the deadline of a poll that has no work until an event comes.
inline constexpr Millis forever = 0xFFFF'FFFF;

/// How a read or write ended.
enum class IoStatus : std::uint8_t {
  ok,           ///< `size` bytes were moved, at least one.
  would_block,  ///< Nothing now; ask again after the next event.
  closed,       ///< The peer is gone in an orderly way; no byte will ever move again.
  failed,       ///< The device reported an error; no byte will ever move again.
};

/// Outcome of a read or write. `size` is greater than zero exactly when `status` is `ok`.
struct IoResult {
  IoStatus status;
  std::size_t size;
};

/// A two-way byte pipe: a UART, a pair of file descriptors. Called from the main loop only; never blocks. A port
/// derives from it and implements do_read() and do_write().
class ByteStream {
 public:
  /// Moves received bytes into `into` (not empty; owned by the caller). A short read is normal.
  [[nodiscard]] IoResult read(std::span<char> into) { return do_read(into); }

  /// Takes bytes from `from` (not empty; owned by the caller, free again on return). A short write is normal.
  [[nodiscard]] IoResult write(std::span<const char> from) { return do_write(from); }

 protected:
  constexpr ByteStream() = default;
  ~ByteStream() = default;  // Not virtual: a virtual destructor links operator delete.

 private:
  virtual IoResult do_read(std::span<char> into) = 0;
  virtual IoResult do_write(std::span<const char> from) = 0;
};

/// A stream that this end can end, too: a TCP connection. Main loop, never blocks.
class Connection : public ByteStream {
 public:
  /// Says that nothing more will be written: behind what was written the peer reads the end. Reading goes on. At most
  /// once, and not after a write or read that said `closed` or `failed`.
  void finish() { do_finish(); }

  /// Ends it: what was written still goes out, nothing more is read or written. The object is its listener's again.
  /// What the peer has sent and nobody has read may destroy what it has not read yet (a reset of TCP): where that
  /// matters, finish() and read to the end first.
  void close() { do_close(); }

  /// A number for the host at the other end: the same for all connections of one host, from accept() until close(). 0
  /// when the port does not know it. Shares and rates of clients without a token are counted by it; it proves no
  /// identity.
  [[nodiscard]] std::uint64_t peer() const { return do_peer(); }

 protected:
  constexpr Connection() = default;
  ~Connection() = default;

 private:
  virtual void do_finish() = 0;
  virtual void do_close() = 0;
  [[nodiscard]] virtual std::uint64_t do_peer() const { return 0; }
};

/// Where clients connect. Main loop.
class Listener {
 public:
  /// The next client that has connected; nullptr when there is none now, or no room for one. The object stays the
  /// listener's, and is the caller's to use until it calls close(). Never blocks.
  [[nodiscard]] Connection* accept() { return do_accept(); }

  /// True when a client has connected that accept() would return if it had room for one. Never blocks.
  [[nodiscard]] bool has_waiting() { return do_has_waiting(); }

 protected:
  constexpr Listener() = default;
  ~Listener() = default;

 private:
  virtual Connection* do_accept() = 0;
  virtual bool do_has_waiting() = 0;
};

/// Cryptographically strong random bytes. Main loop; may block for as long as the hardware takes for them.
class Entropy {
 public:
  /// Fills all of `into` (owned by the caller). False when the source failed: the caller must refuse what needed them,
  /// never make do. Asked for up to 32 bytes at a time by the server, for any number by TLS.
  [[nodiscard]] bool fill(std::span<std::uint8_t> into) { return do_fill(into); }

 protected:
  constexpr Entropy() = default;
  ~Entropy() = default;

 private:
  virtual bool do_fill(std::span<std::uint8_t> into) = 0;
};

/// HMAC-SHA-256 (RFC 2104), of one message at a time. Main loop, never blocks.
class Hmac {
 public:
  static constexpr std::size_t size = 32;  ///< Of a code, in bytes.

  /// Begins a message. `key` belongs to the caller, and may go afterwards.
  void start(std::span<const std::uint8_t, size> key) { do_start(key); }
  /// Goes on with it. `bytes` belong to the caller.
  void update(std::span<const std::uint8_t> bytes) { do_update(bytes); }
  /// Ends it and writes its code. False when anything went wrong since start(): the code is then none.
  [[nodiscard]] bool finish(std::span<std::uint8_t, size> code) { return do_finish(code); }

 protected:
  constexpr Hmac() = default;
  ~Hmac() = default;

 private:
  virtual void do_start(std::span<const std::uint8_t, size> key) = 0;
  virtual void do_update(std::span<const std::uint8_t> bytes) = 0;
  virtual bool do_finish(std::span<std::uint8_t, size> code) = 0;
};

/// The time of day, for a device that knows it. Main loop.
class WallClock {
 public:
  /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
  [[nodiscard]] std::uint64_t utc_ms() { return do_utc_ms(); }

 protected:
  constexpr WallClock() = default;
  ~WallClock() = default;

 private:
  virtual std::uint64_t do_utc_ms() = 0;
};

}  // namespace mcp
