// SPDX-License-Identifier: Apache-2.0
/// @file
/// The interfaces that a port implements: bytes, connections in both directions, random bytes, HMAC and the time of
/// day.
/// @code
/// class Uart final : public mcp::ByteStream {
///   mcp::IoResult do_read(std::span<char> into) override {
///     const std::size_t size = board::uart_read(into);
///     return {size != 0 ? mcp::IoStatus::ok : mcp::IoStatus::would_block, size};
///   }
///   mcp::IoResult do_write(std::span<const char> from) override {
///     const std::size_t size = board::uart_write(from);
///     return {size != 0 ? mcp::IoStatus::ok : mcp::IoStatus::would_block, size};
///   }
/// };
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace mcp {

/// Milliseconds on a clock that never goes back. The value wraps at 2^32 (every 49.7 days), so compare differences.
using Millis = std::uint32_t;

/// The return value of poll() if nothing is due. The program may then sleep until the next event.
inline constexpr Millis forever = 0xFFFF'FFFF;

/// The status of a read or a write.
enum class IoStatus : std::uint8_t {
  ok,           ///< `size` bytes were read or written, at least 1.
  would_block,  ///< No byte can be read or written now. Call again after the next event.
  closed,       ///< The peer has closed the stream. All further calls return `closed` or `failed`.
  failed,       ///< The device reported an error. All further calls return `closed` or `failed`.
};

/// The outcome of a read or a write.
struct IoResult {
  IoStatus status;   ///< Whether bytes were read or written.
  std::size_t size;  ///< The number of bytes: at least 1 if `status` is `ok`, else 0.
};

/// A two-way byte stream, such as a UART or a pair of file descriptors. A port derives from it and implements do_read()
/// and do_write(). Context: main loop; never blocks.
class ByteStream {
 public:
  /// Reads received bytes into `into`, which is not empty. It may read fewer bytes than `into` can hold.
  /// Ownership: the caller owns `into`.
  [[nodiscard]] IoResult read(std::span<char> into) { return do_read(into); }

  /// Writes bytes of `from`, which is not empty. It may write fewer bytes than `from` has.
  /// Ownership: the caller owns `from`, and may change it when the function has returned.
  [[nodiscard]] IoResult write(std::span<const char> from) { return do_write(from); }

  /// Declares that the reader uses whole lines, and reads until `would_block` before the main loop waits. A port may
  /// then end the wait at the end of a line or when half of its receive memory is full, instead of at each byte. The
  /// call cannot be undone. StdioTransport calls it.
  void read_lines() { reads_lines_ = true; }

 protected:
  constexpr ByteStream() = default;
  ~ByteStream() = default;  // Not virtual, because a virtual destructor links operator delete.

  /// Returns whether read_lines() was called. Context: any.
  [[nodiscard]] bool reads_lines() const { return reads_lines_; }

 private:
  virtual IoResult do_read(std::span<char> into) = 0;
  virtual IoResult do_write(std::span<const char> from) = 0;

  bool reads_lines_ = false;
};

/// A byte stream that the device can close, such as a TCP connection.
/// Ownership: the Listener or Dialer owns the object. The caller of accept() or dial() uses it until it calls close().
/// Context: main loop; never blocks.
class Connection : public ByteStream {
 public:
  /// Half-closes the connection. The peer reads the end of the stream after all bytes written so far. Reading
  /// continues. Call at most once, and not after read() or write() returned `closed` or `failed`.
  void finish() { do_finish(); }

  /// Closes the connection and returns the object to its Listener or Dialer. Bytes written so far are still sent. If
  /// bytes of the peer were not read, TCP may reset the connection, and the peer may lose data that it has not read
  /// yet. To prevent this, call finish() and read until `closed` first. Source: RFC 9112 section 9.6.
  void close() {
    ready_ = nullptr;
    do_close();
  }

  /// Returns a number for the remote host, equal for all connections of one host. Returns 0 if the port does not know
  /// the host. The server counts shares and rates of clients without a token by this number. It proves no identity.
  /// Lifetime: valid from accept() until close().
  [[nodiscard]] std::uint64_t peer() const { return do_peer(); }

  /// Returns false if read() returns `would_block` until the next event of the port. So a transport spends no time on
  /// connections without input. A port without this information returns true.
  [[nodiscard]] bool may_read() const { return may_read_; }

  /// Sets a flag that becomes true whenever may_read() does. So a transport with many connections checks only flags.
  /// Ownership: the caller owns the flag, and sets it to false itself. Lifetime: the port uses it until close().
  void note_input_at(bool* ready) { ready_ = ready; }

 protected:
  constexpr Connection() = default;
  ~Connection() = default;

  /// Sets may_read(). A port that calls it sets it to true with each event after which read() may return bytes, the end
  /// of the stream or an error.
  void set_may_read(bool may_read) {
    may_read_ = may_read;
    if (may_read && ready_ != nullptr) *ready_ = true;
  }

 private:
  virtual void do_finish() = 0;
  virtual void do_close() = 0;
  [[nodiscard]] virtual std::uint64_t do_peer() const { return 0; }

  bool may_read_ = true;
  bool* ready_ = nullptr;
};

/// Accepts connections of clients, such as a TCP port. Context: main loop; never blocks.
class Listener {
 public:
  /// Returns the next connection, or nullptr if no client waits or the Listener has no free object.
  /// Ownership: the Listener owns the object. The caller uses it until it calls Connection::close().
  [[nodiscard]] Connection* accept() { return do_accept(); }

  /// Returns whether a client waits that accept() returns as soon as the Listener has a free object.
  [[nodiscard]] bool has_waiting() { return do_has_waiting(); }

  /// Returns the number of connections that can be in use at the same time while has_waiting() still reports one more
  /// client. A transport with more connections would never close an idle connection for that client. Default: any
  /// number.
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

 protected:
  constexpr Listener() = default;
  ~Listener() = default;

  /// Sets capacity(), from the constructor.
  constexpr void set_capacity(std::size_t connections) { capacity_ = connections; }

 private:
  virtual Connection* do_accept() = 0;
  virtual bool do_has_waiting() = 0;

  std::size_t capacity_ = static_cast<std::size_t>(-1);
};

/// The reason why a Dialer could not connect. More values may be added.
enum class DialProblem : std::uint8_t {
  none,             ///< No connection has failed so far.
  in_use,           ///< All connections of the Dialer are in use.
  invalid_host,     ///< The host or the port is invalid, so there is no connection.
  unknown_host,     ///< The name of the host does not exist, or has no address that the device can use.
  no_name_server,   ///< No name server responds, so the address of the host is not known.
  refused,          ///< The host refuses the connection, because no program listens on the port.
  unreachable,      ///< No route leads to the host, or the network is down.
  no_response,      ///< The host does not respond.
  lost,             ///< The connection ended during the handshake, or was reset.
  no_memory,        ///< The device has no memory, socket or random numbers for the connection.
  handshake,        ///< TLS: the server does not support TLS with the versions and algorithms of the device.
  untrusted,        ///< TLS: no known authority has signed the certificate, or it is not the pinned certificate.
  wrong_host,       ///< TLS: the certificate is for other hosts.
  expired,          ///< TLS: the validity of the certificate is over.
  not_yet_valid,    ///< TLS: the validity of the certificate begins later, or the clock of the device is wrong.
  bad_certificate,  ///< TLS: the certificate has another fault, such as an algorithm that the device does not support.
  rejected,         ///< TLS: the server rejects the client, such as its certificate.
};

/// Connects to servers, such as a TCP client. Context: main loop; never blocks.
class Dialer {
 public:
  /// The largest number of bytes in the name of a host. Source: RFC 1035 section 2.3.4.
  static constexpr std::size_t most_host_size = 253;

  /// Begins a connection to `port` (1 to 65535) of `host`, which is a name or a numeric address ("192.0.2.1", "::1").
  /// The connection may be used at once. Until it is connected, read() and write() return `would_block`. If it cannot
  /// be made, they return `failed`. Do not call finish() before it is connected. The Dialer looks up the name and makes
  /// the TCP and TLS handshakes. There is no time limit, so call close() if it takes too long. The Dialer does not
  /// reconnect. Returns nullptr if all connections are in use, if `host` or `port` is invalid, or without memory.
  /// Ownership: the Dialer owns the object. The caller uses it until it calls Connection::close(), in every state.
  /// Lifetime: `host` is used during the call only. Limits: `host` has at most `most_host_size` bytes.
  /// Errors: problem() returns the reason.
  [[nodiscard]] Connection* dial(std::string_view host, std::uint16_t port) {
    if (is_host(host) && port != 0) return do_dial(host, port);
    reason_ = DialProblem::invalid_host;
    return nullptr;
  }

  /// Returns why the last connection that failed could not be made, or DialProblem::none.
  [[nodiscard]] DialProblem reason() const { return reason_; }

  /// Returns reason() as a message for a person, without a full stop. Only a program that calls it contains the
  /// messages. Lifetime: as long as the program.
  [[nodiscard]] const char* problem() const {
    switch (reason_) {
      case DialProblem::none: break;
      case DialProblem::in_use: return "all connections of the device are in use";
      case DialProblem::invalid_host: return "the host or the port is invalid";
      case DialProblem::unknown_host: return "the name of the host is unknown";
      case DialProblem::no_name_server: return "no name server responds";
      case DialProblem::refused: return "the host refuses the connection";
      case DialProblem::unreachable: return "the network does not reach the host";
      case DialProblem::no_response: return "the host does not respond";
      case DialProblem::lost: return "the connection was lost";
      case DialProblem::no_memory: return "the device has no memory for the connection";
      case DialProblem::handshake: return "the server does not support the TLS of this device";
      case DialProblem::untrusted: return "no known authority has signed the certificate";
      case DialProblem::wrong_host: return "the certificate is not valid for this host";
      case DialProblem::expired: return "the certificate has expired";
      case DialProblem::not_yet_valid: return "the certificate is not valid yet";
      case DialProblem::bad_certificate: return "the certificate is invalid";
      case DialProblem::rejected: return "the server rejects this client";
    }
    return "no connection has failed";
  }

  /// Returns whether the connections are encrypted and verified to end at the named host, as over TLS.
  [[nodiscard]] bool is_encrypted() const { return do_is_encrypted(); }

  /// Returns whether `host` can be a name or a numeric address: 1 to `most_host_size` letters, digits, dots, hyphens,
  /// underscores, colons and percent signs.
  [[nodiscard]] static constexpr bool is_host(std::string_view host) {
    constexpr std::string_view others = ".-_:%";
    if (host.empty() || host.size() > most_host_size) return false;
    for (const char one : host) {
      const bool is_letter = (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z');
      if (!is_letter && (one < '0' || one > '9') && others.find(one) == std::string_view::npos) return false;
    }
    return true;
  }

 protected:
  constexpr Dialer() = default;
  ~Dialer() = default;

  /// Stores the reason why a connection failed.
  void set_reason(DialProblem reason) { reason_ = reason; }

 private:
  virtual Connection* do_dial(std::string_view host, std::uint16_t port) = 0;
  [[nodiscard]] virtual bool do_is_encrypted() const { return false; }

  DialProblem reason_ = DialProblem::none;
};

/// A source of cryptographically strong random bytes. Context: main loop; may block while the hardware generates them.
class Entropy {
 public:
  /// Fills all of `into` with random bytes. The server requests at most 32 bytes per call, TLS any number.
  /// Ownership: the caller owns `into`. Errors: returns false if the source fails. The caller then rejects the request
  /// that needs the bytes, and uses no other bytes.
  [[nodiscard]] bool fill(std::span<std::uint8_t> into) { return do_fill(into); }

 protected:
  constexpr Entropy() = default;
  ~Entropy() = default;

 private:
  virtual bool do_fill(std::span<std::uint8_t> into) = 0;
};

/// HMAC-SHA-256 of one message at a time. Context: main loop; never blocks. Source: RFC 2104.
class Hmac {
 public:
  static constexpr std::size_t size = 32;  ///< The size of a key and of a code, in bytes.

  /// Begins a message. Ownership: the caller owns `key`, and may change it when the function has returned.
  void start(std::span<const std::uint8_t, size> key) { do_start(key); }
  /// Adds bytes to the message. Ownership: the caller owns `bytes`.
  void update(std::span<const std::uint8_t> bytes) { do_update(bytes); }
  /// Ends the message and writes its code. Ownership: the caller owns `code`.
  /// Errors: returns false if a call since start() failed. `code` then has no meaning.
  [[nodiscard]] bool finish(std::span<std::uint8_t, size> code) { return do_finish(code); }

 protected:
  constexpr Hmac() = default;
  ~Hmac() = default;

 private:
  virtual void do_start(std::span<const std::uint8_t, size> key) = 0;
  virtual void do_update(std::span<const std::uint8_t> bytes) = 0;
  virtual bool do_finish(std::span<std::uint8_t, size> code) = 0;
};

/// The time of day, for a device that knows it. Context: main loop; never blocks.
class WallClock {
 public:
  /// Returns the milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
  [[nodiscard]] std::uint64_t utc_ms() { return do_utc_ms(); }

 protected:
  constexpr WallClock() = default;
  ~WallClock() = default;

 private:
  virtual std::uint64_t do_utc_ms() = 0;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
