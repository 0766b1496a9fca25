// SPDX-License-Identifier: Apache-2.0
// The Listener of mote over the socket component of ESPHome. That has one class for the sockets of ESP-IDF, of
// LibreTiny and of a PC, and for the raw TCP of a Pico W, and its events wake the main loop of ESPHome.
#pragma once

#include <esphome/core/defines.h>

#ifdef USE_MCP_SERVER

#include <cstdint>
#include <memory>
#include <span>

#include <esphome/components/socket/socket.h>

#include <mcp/port.hpp>

namespace mote_esphome {

/// One TCP connection. Its socket is an object of ESPHome on the heap.
class SocketConnection final : public mcp::Connection {
 public:
  constexpr SocketConnection() = default;

 private:
  friend class SocketListener;
  mcp::IoResult do_read(std::span<char> into) override;
  mcp::IoResult do_write(std::span<const char> from) override;
  void do_finish() override;
  void do_close() override;
  [[nodiscard]] std::uint64_t do_peer() const override { return peer_; }

  std::unique_ptr<esphome::socket::Socket> socket_;
  std::uint32_t peer_ = 0;
  // The last read has filled its buffer. Socket::ready() then forgets the rest, because lwIP counts packets, not bytes.
  bool has_more_ = false;
  bool has_input_ = false;
};

/// Listens on one port. Lifetime: static, as the connections.
class SocketListener final : public mcp::Listener {
 public:
  constexpr SocketListener(std::span<SocketConnection> connections, std::uint16_t port)
      : connections_(connections), port_(port) {}

  /// Begins to listen. Errors: false, and a line in the log.
  bool start();
  /// Call it once in each loop: what ESPHome knows of the socket is then new.
  void refresh() { is_stale_ = false; }
  /// Returns whether a connection has read bytes since the last call.
  [[nodiscard]] bool take_input();
  [[nodiscard]] bool has_connections() const;
  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  mcp::Connection* do_accept() override;
  bool do_has_waiting() override;
  bool open(SocketConnection& connection);

  std::span<SocketConnection> connections_;
  std::unique_ptr<esphome::socket::ListenSocket> socket_;
  std::uint16_t port_;
  bool is_stale_ = false;
};

}  // namespace mote_esphome

#endif  // USE_MCP_SERVER
