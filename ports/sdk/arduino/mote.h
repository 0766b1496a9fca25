// SPDX-License-Identifier: Apache-2.0
/// @file
/// mote as an Arduino library, with a client on any Stream (Serial, USB, Bluetooth), clients on any WiFiServer or
/// EthernetServer, and random bytes.
/// @code
/// mcp::arduino::StreamPort wire{Serial};
/// mcp::StdioTransport transport{server, wire};
/// void setup() { Serial.begin(115200); }
/// void loop() { mcp::arduino::poll(transport); }
/// @endcode
#pragma once

// A missing file ends the compilation with one error. After #error, GCC reports hundreds of further errors.
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 12
#include <mote needs GCC 12 or newer: choose another board package, see the README of the library>
#endif
#if __cplusplus < 202002L
#include <mote needs C++20: set compiler.cpp.extra_flags=-std=gnu++20, see the README of the library>
#endif

// Before the headers of mote, which hide and restore its macros, such as min and max.
#include <Arduino.h>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

#include "mote_serial.h"

#include <mcp/detail/prelude.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include <sys/types.h>

namespace mcp::arduino {

/// Returns a number for mcp::Services::boot_id, which does not change until a reset and is never 0. It is made from the
/// microseconds until the first call, so it may repeat. A sketch whose core has random numbers can use them instead:
/// `{.boot_id = [] { return std::uint32_t{esp_random()}; }}`. Context: main loop.
inline std::uint32_t boot_id() {
  static std::uint32_t id;
  if (id == 0) id = static_cast<std::uint32_t>(micros()) * 0x9E37'79B1U | 1;
  return id;
}

/// Polls a StdioTransport or an HttpTransport once, with the time of millis(). Call it in loop(), which must return at
/// least every few milliseconds. During a delay(), the sketch serves no client. Context: main loop.
template <class Transport>
void poll(Transport& transport) {
  static_cast<void>(transport.poll(static_cast<Millis>(millis())));
}

namespace detail {

/// Writes the bytes that fit. availableForWrite() is 0 if the output is full, and for classes that do not implement it.
/// After the first other value, 0 means full. Before that, a write is tried and may block.
class Output {
 public:
  /// Returns the number of written bytes.
  template <class Out>
  std::size_t write(Out& out, std::span<const char> from) {
    const int space = out.availableForWrite();
    is_full_ = space <= 0;
    if (!is_full_) {
      has_space_count_ = true;
      from = from.first(std::min(from.size(), static_cast<std::size_t>(space)));
    } else if (has_space_count_) {
      return 0;
    }
    const std::size_t size = out.write(reinterpret_cast<const std::uint8_t*>(from.data()), from.size());
    return size <= from.size() ? size : 0;  // the USB of SAMD returns -1 for an error
  }

  /// Returns whether availableForWrite() counts the space.
  [[nodiscard]] bool has_space_count() const { return has_space_count_; }
  /// Returns whether the last write found no space.
  [[nodiscard]] bool is_full() const { return is_full_; }

 private:
  bool has_space_count_ = false;
  bool is_full_ = false;
};

/// The USB of ESP32 (HWCDC). While no program reads, its write() replaces the oldest bytes and returns their number,
/// and its flush() discards them.
template <class Port>
concept ReplacesUnreadBytes = requires {
  { Port::isPlugged() } -> std::convertible_to<bool>;
  { Port::isConnected() } -> std::convertible_to<bool>;
};

}  // namespace detail

/// A Stream of Arduino as an mcp::ByteStream: Serial, USB, a SoftwareSerial, a Bluetooth UART. The sketch calls its
/// begin(). Reads and writes never return `closed` or `failed`, because a Stream has no end. Lifetime: the Stream must
/// outlive the object. Limits: a class without availableForWrite() blocks in write() until its buffer has space.
/// Context: main loop.
///
/// A USB port takes no bytes while no program on the PC has it open. If the Stream has space and takes none for 50 ms,
/// or has no space for 2 s, its client has left. Then the rest of the line and all further lines are discarded. The
/// next client reads a line end and whole lines. Before that, it may read bytes that the Stream already had in its
/// buffer.
class StreamPort final : public ByteStream {
 public:
  /// Reads from `stream`, and writes to it.
  template <std::derived_from<Stream> Port>
  constexpr explicit StreamPort(Port& stream) : stream_(&stream) {
    if constexpr (detail::ReplacesUnreadBytes<Port>)
      has_reader_ = [] { return static_cast<bool>(Port::isConnected()); };
  }

 private:
  static constexpr Millis closed_ms = 50, full_ms = 2'000;

  IoResult do_read(std::span<char> into) override {
    std::size_t size = 0;
    while (size < into.size() && stream_->available() > 0) {
      const int byte = stream_->read();
      if (byte < 0) break;
      into[size++] = static_cast<char>(byte);
    }
    if (size == 0 && has_reader_ != nullptr) discard_unread();
    return {size != 0 ? IoStatus::ok : IoStatus::would_block, size};
  }
  IoResult do_write(std::span<const char> from) override {
    if (is_cut_) return discard_line(from);
    const bool has_reader = has_reader_ == nullptr || has_reader_();
    if (has_reader && needs_end_ && output_.write(*stream_, {&line_end, 1}) != 0) needs_end_ = has_left_ = false;
    const std::size_t size = has_reader && !needs_end_ ? output_.write(*stream_, from) : 0;
    if (size != 0) {
      has_written_ = true;
      has_left_ = is_stuck_ = false;
      return {IoStatus::ok, size};
    }
    if (!has_left_ && has_reader && has_patience()) return {IoStatus::would_block, 0};
    leave();
    return discard_line(from);
  }

  // Returns whether the client may still take bytes.
  bool has_patience() {
    const Millis now = static_cast<Millis>(millis());
    if (!is_stuck_) stuck_since_ms_ = now;
    is_stuck_ = true;
    return !output_.has_space_count() || now - stuck_since_ms_ < (output_.is_full() ? full_ms : closed_ms);
  }

  // Of a Stream that discards bytes with flush(): bytes that no client has read for 2 s.
  void discard_unread() {
    const Millis now = static_cast<Millis>(millis());
    const int space = stream_->availableForWrite();
    most_space_ = std::max(most_space_, space);
    if (space == most_space_ || space != space_) moved_ms_ = now;
    space_ = space;
    if (now - moved_ms_ >= full_ms) leave();
  }

  void leave() {
    if (has_left_) return;
    has_left_ = true;
    is_stuck_ = false;
    needs_end_ = has_written_;
    if (has_reader_ != nullptr) stream_->flush();
  }

  IoResult discard_line(std::span<const char> from) {
    const auto end = std::find(from.begin(), from.end(), line_end);
    is_cut_ = end == from.end();
    return {IoStatus::ok, static_cast<std::size_t>(end - from.begin()) + (is_cut_ ? 0 : 1)};
  }

  static constexpr char line_end = '\n';

  Stream* stream_;
  bool (*has_reader_)() = nullptr;
  detail::Output output_;
  Millis stuck_since_ms_ = 0;
  Millis moved_ms_ = 0;
  int space_ = 0, most_space_ = 0;
  bool has_written_ = false;
  bool has_left_ = false;   // no client reads
  bool needs_end_ = false;  // bytes for a client that has left may still be in the Stream
  bool is_stuck_ = false;   // the Stream takes no bytes since `stuck_since_ms_`
  bool is_cut_ = false;     // the beginning of the line was discarded
};

namespace detail {

// A vanished client is detected after a minute, by three probes 10 s apart after half a minute. ESP8266 and RP2040 have
// keepAlive(), and ESP32 has setSocketOption(). Its numbers are from lwIP, whose header has macros with names such as
// accept.
template <class Client>
void keep_alive(Client& client) {
  constexpr int silence_s = 30, interval_s = 10, questions = 3, is_on = 1;
  if constexpr (requires { client.keepAlive(silence_s, interval_s, questions); }) {
    client.keepAlive(silence_s, interval_s, questions);
  } else if constexpr (requires { client.setSocketOption(0, 0, &is_on, sizeof is_on); }) {
    constexpr int socket_level = 0xFFF, keeps_alive = 8, tcp_level = 6;
    constexpr int tcp_silence = 3, tcp_interval = 4, tcp_questions = 5;
    client.setSocketOption(socket_level, keeps_alive, &is_on, sizeof is_on);
    client.setSocketOption(tcp_level, tcp_silence, &silence_s, sizeof silence_s);
    client.setSocketOption(tcp_level, tcp_interval, &interval_s, sizeof interval_s);
    client.setSocketOption(tcp_level, tcp_questions, &questions, sizeof questions);
  }
}

// Of lwIP, whose header has macros with names such as accept.
extern "C" ssize_t lwip_send(int socket, const void* from, std::size_t size, int flags);

// The client of an ESP32. Its availableForWrite() is always 0, and its write() tries for up to 10 s to send all, so
// bytes go to its socket. A client with TLS encrypts in write(), so its socket is not used.
template <class Client>
concept HasSocket = requires(Client& client, int option) {
  { client.fd() } -> std::convertible_to<int>;
  client.setSocketOption(0, 0, &option, sizeof option);
} && !requires(Client& client) { client.setCACert(""); };

// Returns the number of written bytes.
template <class Client>
std::size_t write_client(Client& client, Output& output, std::span<const char> from) {
  if constexpr (HasSocket<Client>) {
    constexpr int does_not_wait = 0x08;
    const ssize_t size = lwip_send(client.fd(), from.data(), from.size(), does_not_wait);
    return size > 0 ? static_cast<std::size_t>(size) : 0;
  } else {
    return output.write(client, from);
  }
}

// The accept() of lwipServer, in the core for the UNO R4, returns void.
template <class Server>
concept AcceptReturnsTheClient = requires(Server& server) {
  { server.accept().connected() };
};

}  // namespace detail

template <detail::AcceptReturnsTheClient Server>
class TcpListener;

/// One connection of a TcpListener. `Server` is the class of the network library, such as WiFiServer. Its peer() is the
/// IPv4 address of the client. Context: main loop.
///
/// A client of Arduino cannot be half-closed. After finish(), the connection ends when the peer has closed it, or has
/// sent nothing for 200 ms. Limits: some libraries block in stop() and in write(), at most for their own time limit.
template <detail::AcceptReturnsTheClient Server>
class TcpConnection final : public Connection {
 public:
  /// The class of a client, such as WiFiClient.
  using Client = std::remove_cvref_t<decltype(std::declval<Server&>().accept())>;

 private:
  friend class TcpListener<Server>;
  static constexpr Millis linger_ms = 200;

  void begin(const Client& client) {
    client_ = client;
    detail::keep_alive(client_);
    peer_ = static_cast<std::uint32_t>(client_.remoteIP());
    output_ = {};
    is_finished_ = false;
    is_used_ = true;
  }

  IoResult do_read(std::span<char> into) override {
    // Reads the end first, because available() then has all earlier bytes.
    const bool is_open = static_cast<bool>(client_.connected());
    const int available = client_.available();
    if (available > 0) {
      const std::size_t most = std::min(into.size(), static_cast<std::size_t>(available));
      const int size = client_.read(reinterpret_cast<std::uint8_t*>(into.data()), most);
      if (size > 0) {
        quiet_since_ms_ = static_cast<Millis>(millis());
        return {IoStatus::ok, static_cast<std::size_t>(size)};
      }
    }
    const bool is_over = is_finished_ && static_cast<Millis>(millis()) - quiet_since_ms_ >= linger_ms;
    return {is_open && !is_over ? IoStatus::would_block : IoStatus::closed, 0};
  }
  IoResult do_write(std::span<const char> from) override {
    const std::size_t size = detail::write_client(client_, output_, from);
    if (size != 0) return {IoStatus::ok, size};
    return {client_.connected() ? IoStatus::would_block : IoStatus::closed, 0};
  }
  void do_finish() override {
    is_finished_ = true;
    quiet_since_ms_ = static_cast<Millis>(millis());
  }
  void do_close() override {
    client_.stop();
    client_ = Client();
    is_used_ = false;
  }
  std::uint64_t do_peer() const override { return peer_; }

  Client client_{};
  std::uint32_t peer_ = 0;
  Millis quiet_since_ms_ = 0;
  detail::Output output_;
  bool is_finished_ = false;
  bool is_used_ = false;
};

/// Clients of a WiFiServer, an EthernetServer, or another class with accept(), which returns each client once. The
/// sketch calls its begin(). If all connections are in use, the listener keeps one more client, and others wait in the
/// network library. So the library needs sockets for one client more than there are connections.
/// Lifetime: server and connections must outlive the listener. Context: main loop.
template <detail::AcceptReturnsTheClient Server>
class TcpListener final : public Listener {
 public:
  /// Limits: one of `connections` for each client at the same time, at least HttpLimits::connections.
  constexpr TcpListener(Server& server, std::span<TcpConnection<Server>> connections)
      : server_(&server), connections_(connections) {
    set_capacity(connections.size());
  }

 private:
  Connection* do_accept() override {
    const auto free = std::find_if(connections_.begin(), connections_.end(),
                                   [](const TcpConnection<Server>& connection) { return !connection.is_used_; });
    if (free == connections_.end() || !do_has_waiting()) return nullptr;
    free->begin(waiting_);
    forget_waiting();
    return &*free;
  }
  bool do_has_waiting() override {
    if (is_waiting_ && !waiting_.connected() && waiting_.available() <= 0) {
      waiting_.stop();
      forget_waiting();
    }
    if (!is_waiting_) {
      waiting_ = server_->accept();
      is_waiting_ = static_cast<bool>(waiting_);
    }
    return is_waiting_;
  }
  void forget_waiting() {
    waiting_ = typename TcpConnection<Server>::Client();
    is_waiting_ = false;
  }

  Server* server_;
  std::span<TcpConnection<Server>> connections_;
  typename TcpConnection<Server>::Client waiting_{};
  bool is_waiting_ = false;
};

/// Random bytes of a function that returns 32 random bits, such as esp_random() of the ESP32. The random() of Arduino
/// is not strong enough, because its numbers can be guessed. Context: main loop. Never fails.
class RandomBits final : public Entropy {
 public:
  /// Lifetime: the function must be callable until the object ends.
  constexpr explicit RandomBits(std::uint32_t (*bits)()) : bits_(bits) {}

 private:
  bool do_fill(std::span<std::uint8_t> into) override {
    for (std::size_t at = 0; at < into.size();) {
      const std::uint32_t bits = bits_();
      const std::size_t size = std::min(sizeof bits, into.size() - at);
      std::memcpy(into.data() + at, &bits, size);
      at += size;
    }
    return true;
  }

  std::uint32_t (*bits_)();
};

}  // namespace mcp::arduino

#include <mcp/detail/epilogue.hpp>
