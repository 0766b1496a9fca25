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

#include <mcp/detail/prelude.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

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
    if (space > 0) {
      has_space_count_ = true;
      from = from.first(std::min(from.size(), static_cast<std::size_t>(space)));
    } else if (has_space_count_) {
      return 0;
    }
    return out.write(reinterpret_cast<const std::uint8_t*>(from.data()), from.size());
  }

 private:
  bool has_space_count_ = false;
};

}  // namespace detail

/// A Stream of Arduino as an mcp::ByteStream: Serial, USB, a SoftwareSerial, a Bluetooth UART. The sketch calls its
/// begin(). Reads and writes never return `closed` or `failed`, because a Stream has no end. Lifetime: the Stream must
/// outlive the object. Limits: a class without availableForWrite() blocks in write() until its buffer has space.
/// Context: main loop.
class StreamPort final : public ByteStream {
 public:
  /// Reads from `stream`, and writes to it.
  constexpr explicit StreamPort(Stream& stream) : stream_(&stream) {}

 private:
  IoResult do_read(std::span<char> into) override {
    std::size_t size = 0;
    while (size < into.size() && stream_->available() > 0) {
      const int byte = stream_->read();
      if (byte < 0) break;
      into[size++] = static_cast<char>(byte);
    }
    return {size != 0 ? IoStatus::ok : IoStatus::would_block, size};
  }
  IoResult do_write(std::span<const char> from) override {
    const std::size_t size = output_.write(*stream_, from);
    return {size != 0 ? IoStatus::ok : IoStatus::would_block, size};
  }

  Stream* stream_;
  detail::Output output_;
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

}  // namespace detail

template <class Server>
class TcpListener;

/// One connection of a TcpListener. `Server` is the class of the network library, such as WiFiServer. Its peer() is the
/// IPv4 address of the client. Context: main loop.
///
/// A client of Arduino cannot be half-closed. After finish(), the connection ends when the peer has closed it, or has
/// sent nothing for 200 ms. Limits: some libraries block in stop() and in write(), at most for their own time limit.
template <class Server>
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
    const std::size_t size = output_.write(client_, from);
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
template <class Server>
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
