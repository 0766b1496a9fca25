// SPDX-License-Identifier: Apache-2.0
/// @file
/// TCP connections to servers over BSD sockets and poll(), as POSIX systems, lwIP, ESP-IDF and Zephyr have them. Only
/// wait() and look_up() block.
/// @code
/// mcp::sockets::DialedConnection connections[1];
/// mcp::sockets::TcpDialer dialer(connections);
/// mcp::Connection* connect() { return dialer.dial("192.0.2.1", 1883); }
/// void idle(mcp::Millis due_ms) { dialer.wait(due_ms); }
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/port.hpp"
#include "mcp/ports/sockets.hpp"

namespace mcp::sockets {

/// A numeric address of a host.
struct IpAddress {
  std::uint8_t bytes[16];  ///< The first `size` bytes are the address, most significant byte first.
  std::uint8_t size;       ///< 4 for IPv4, 16 for IPv6.
  std::uint32_t zone;      ///< For an IPv6 link-local address, the number of the interface; else 0.
};

/// The addresses of a name, in the order in which a dialer tries them.
class Addresses {
 public:
  static constexpr std::size_t most = 4;            ///< The largest number of addresses.
  static constexpr std::size_t most_of_family = 3;  ///< The largest number of one family, so that the other has a
                                                    ///< chance.

  /// Adds an address at the end. Limits: an address that does not fit has no effect.
  void add(const IpAddress& address);
  /// Returns the number of addresses.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Returns an address. `index` is less than size().
  [[nodiscard]] const IpAddress& operator[](std::size_t index) const { return addresses_[index]; }

 private:
  IpAddress addresses_[most] = {};
  std::uint8_t size_ = 0;
};

/// The state of a look-up.
enum class LookUpStatus : std::uint8_t {
  pending,         ///< Not finished.
  found,           ///< There is at least one address.
  unknown_host,    ///< The name does not exist, or has no address.
  no_name_server,  ///< No name server responds. It may respond later.
  no_memory,       ///< The system has no memory for the look-up.
};

/// The outcome of a look-up.
struct LookUp {
  LookUpStatus status;  ///< Whether there are addresses.
  Addresses addresses;  ///< The addresses, if `status` is `found`.
};

/// Looks up a name with getaddrinfo(). `host` ends with a zero byte. Context: a task that a Resolver starts; blocks
/// until the name servers respond or the look-up fails, for example 30 s.
[[nodiscard]] LookUp look_up(const char* host);

/// Looks up the names of hosts for a TcpDialer, without blocking it. On a PC, posix::TcpDialer has its own. On another
/// system, an application that dials names derives a class from it, and calls look_up() in a task:
///
///     class Names final : public mcp::sockets::Resolver {
///       int do_begin(std::string_view host) override {  // one look-up at a time
///         if (is_busy.exchange(true)) return -1;
///         name[host.copy(name, sizeof name - 1)] = 0;
///         is_done = false;
///         resume_task();  // it does: found = look_up(name); is_done = true; dialer.wake();
///         return 0;
///       }
///       mcp::sockets::LookUp do_result(int) override { return is_done ? found : mcp::sockets::LookUp{}; }
///       void do_end(int) override { is_ended = true; }  // and is_busy = false when both are done
///       ...
///     };
///
/// Context: main loop; never blocks.
class Resolver {
 public:
  /// Begins to look up `host`, a name of at most Dialer::most_host_size bytes. Returns the number of the look-up, or -1
  /// if it cannot begin now. Lifetime: `host` is used during the call only.
  [[nodiscard]] int begin(std::string_view host) { return do_begin(host); }
  /// Returns the outcome, or `pending`. A dialer calls it after each wait().
  [[nodiscard]] LookUp result(int number) { return do_result(number); }
  /// Ends the look-up, finished or not. From then on, begin() may return the number again.
  void end(int number) { do_end(number); }
  /// Returns a socket that can be read when the look-up has finished, for wait(); -1 if the resolver calls wake().
  [[nodiscard]] int socket_of(int number) const { return do_socket_of(number); }

 protected:
  constexpr Resolver() = default;
  ~Resolver() = default;

 private:
  virtual int do_begin(std::string_view host) = 0;
  virtual LookUp do_result(int number) = 0;
  virtual void do_end(int number) = 0;
  [[nodiscard]] virtual int do_socket_of(int) const { return -1; }
};

/// One connection of a TcpDialer. RAM: 144 bytes on a 32-bit processor.
class DialedConnection {
 public:
  DialedConnection();  ///< A free connection.

 private:
  friend class SocketDialer;
  enum class State : std::uint8_t { free, looking_up, connecting, connected, failed };

  TcpConnection connection_;
  int look_up_ = -1;  // the number of its look-up
  Addresses addresses_;
  std::uint16_t port_ = 0;
  std::uint8_t next_ = 0;  // address
  State state_ = State::free;
};

/// The common part of all dialers of BSD sockets: the connections, and the steps to connect each. Context: main loop.
class SocketDialer : public Dialer {
 public:
  SocketDialer(const SocketDialer&) = delete;
  SocketDialer& operator=(const SocketDialer&) = delete;

  /// Prepares wake(), like SocketListener::enable_wake(). Errors: returns false, and `errno` has the reason.
  [[nodiscard]] bool enable_wake();
  /// Ends the current or the next wait(). Without enable_wake() it has no effect. Context: any task, but no interrupt;
  /// never blocks.
  void wake() const;

  /// The maximum of connections of one dialer. It does not use more.
  static constexpr std::size_t most_connections = 16;

 protected:
  /// Uses `connections`, and `resolver` for names (nullptr: only numeric addresses connect).
  SocketDialer(std::span<DialedConnection> connections, Resolver* resolver);
  /// Closes all connections.
  ~SocketDialer();

  /// Returns `timeout_ms` for poll(), or less if a call must be tried again earlier.
  [[nodiscard]] int timeout_of(Millis timeout_ms) const;
  /// As above, if `listener` also continues after the wait.
  [[nodiscard]] int timeout_of(Millis timeout_ms, const SocketListener& listener) const;
  /// Adds the sockets of the dialer, at most `most_connections` + 1 entries.
  void add_to(PollEntries& entries) const;
  /// Continues with the events of its entries.
  void note(PollEntries& entries);

 private:
  using Retry = TcpConnection::Retry;
  using State = DialedConnection::State;

  // Inline, so that a program with RTTI has the type information of this class (see SocketListener).
  Connection* do_dial(std::string_view host, std::uint16_t port) override { return dial_host(host, port); }
  Connection* dial_host(std::string_view host, std::uint16_t port);
  void begin(DialedConnection& one, std::string_view host);
  void connect_next(DialedConnection& one, DialProblem problem);
  bool connect_to(DialedConnection& one, const IpAddress& host);
  void fail(DialedConnection& one, DialProblem problem);
  void release(DialedConnection& one);
  void note_look_up(DialedConnection& one);
  void note_connect(DialedConnection& one);
  [[nodiscard]] int events_of(const DialedConnection& one) const;

  std::span<DialedConnection> connections_;
  Resolver* resolver_;
  int wake_fd_ = -1;
  bool has_wakes_ = false;
};

/// Connects to servers with IPv4 and IPv6, and waits with poll(). If an address of a name refuses the connection, the
/// dialer tries the next one. On Linux, it also does so if an address does not respond for 7 s. On other systems, the
/// system sets this time. Context: main loop.
class TcpDialer : public SocketDialer {
 public:
  /// `resolver` looks up names. Without it, only numeric addresses connect. With `listener`, wait() waits for both
  /// objects. Call it instead of wait() of the listener. wake() of either object ends it. Limits: one of `connections`
  /// for each connection at the same time, at most `most_connections`. Each takes a socket of the system. poll() must
  /// take an entry for each, one more for enable_wake(), and the entries of `listener`. Lifetime: all arguments must
  /// outlive the dialer.
  explicit TcpDialer(std::span<DialedConnection> connections, Resolver* resolver = nullptr,
                     TcpListener* listener = nullptr);

  /// Blocks for at most `timeout_ms` milliseconds. It ends earlier if a read or write that returned `would_block` can
  /// continue, if a connection is connected or has failed, or if a task calls wake(). It may return earlier. Call it in
  /// each turn of the main loop. Unfinished connections continue in it, and before that, the same call returns
  /// `would_block` again. If the system has no memory for a call, wait() blocks for at most 100 ms, and the call is
  /// then tried again. Limits: stack of 8 bytes for each of 32 or 276 sockets, the smallest sufficient number.
  void wait(Millis timeout_ms);

 private:
  template <std::size_t most>
  void wait_for(Millis timeout_ms);

  TcpListener* listener_;
};

}  // namespace mcp::sockets

#include <mcp/detail/epilogue.hpp>
