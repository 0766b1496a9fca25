// SPDX-License-Identifier: Apache-2.0
#include "esphome_socket.h"

#ifdef USE_MCP_SERVER

#include <algorithm>
#include <cerrno>

#include <esphome/core/helpers.h>
#include <esphome/core/log.h>

namespace mote_esphome {
namespace {

constexpr const char* tag = "mcp_server";

mcp::IoResult result_of(ssize_t moved) {
  if (moved > 0) return {mcp::IoStatus::ok, static_cast<std::size_t>(moved)};
  if (moved == 0) return {mcp::IoStatus::closed, 0};
  const bool later = errno == EWOULDBLOCK || errno == EAGAIN || errno == EINTR || errno == ENOMEM || errno == ENOBUFS;
  return {later ? mcp::IoStatus::would_block : mcp::IoStatus::failed, 0};
}

void set_flag(esphome::socket::Socket& socket, int level, int option) {
  const int on = 1;
  static_cast<void>(socket.setsockopt(level, option, &on, sizeof(on)));
}

}  // namespace

mcp::IoResult SocketConnection::do_read(std::span<char> into) {
  if (!has_more_ && !socket_->ready()) return {mcp::IoStatus::would_block, 0};
  const mcp::IoResult result = result_of(socket_->read(into.data(), into.size()));
  const bool is_ok = result.status == mcp::IoStatus::ok;
  has_input_ = has_input_ || is_ok;
  has_more_ = is_ok && result.size == into.size();
  return result;
}

mcp::IoResult SocketConnection::do_write(std::span<const char> from) {
  const mcp::IoResult result = result_of(socket_->write(from.data(), from.size()));
  // A write of no bytes is no end of the stream: the send buffer of lwIP is full.
  if (result.status == mcp::IoStatus::closed) return {mcp::IoStatus::would_block, 0};
  return result;
}

void SocketConnection::do_finish() { static_cast<void>(socket_->shutdown(SHUT_WR)); }

void SocketConnection::do_close() {
  static_cast<void>(socket_->close());
  socket_.reset();
  has_more_ = false;
}

bool SocketListener::start() {
  socket_ = esphome::socket::socket_ip_loop_monitored(SOCK_STREAM, IPPROTO_TCP);
  if (socket_ == nullptr) return false;
  const int on = 1;
  static_cast<void>(socket_->setsockopt(SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)));
  sockaddr_storage storage{};
  auto* const address = reinterpret_cast<sockaddr*>(&storage);
  const socklen_t size = esphome::socket::set_sockaddr_any(address, sizeof(storage), port_);
  if (size != 0 && socket_->setblocking(false) == 0 && socket_->bind(address, size) == 0 &&
      socket_->listen(static_cast<int>(connections_.size())) == 0) {
    return true;
  }
  ESP_LOGE(tag, "Cannot listen on port %u: errno %d", port_, errno);
  socket_.reset();
  return false;
}

bool SocketListener::take_input() {
  bool has_input = false;
  for (SocketConnection& connection : connections_) {
    has_input = has_input || connection.has_input_;
    connection.has_input_ = false;
  }
  return has_input;
}

bool SocketListener::has_connections() const {
  return std::any_of(connections_.begin(), connections_.end(),
                     [](const SocketConnection& connection) { return connection.socket_ != nullptr; });
}

bool SocketListener::open(SocketConnection& connection) {
  sockaddr_storage from{};
  socklen_t size = sizeof(from);
  connection.socket_ = socket_->accept_loop_monitored(reinterpret_cast<sockaddr*>(&from), &size);
  if (connection.socket_ == nullptr) return false;
  static_cast<void>(connection.socket_->setblocking(false));
  set_flag(*connection.socket_, IPPROTO_TCP, TCP_NODELAY);
  set_flag(*connection.socket_, SOL_SOCKET, SO_KEEPALIVE);
  char name[esphome::socket::SOCKADDR_STR_LEN];
  connection.socket_->getpeername_to(name);
  connection.peer_ = esphome::fnv1_hash(name);
  connection.has_more_ = true;  // bytes may have come before ESPHome watched the socket
  connection.has_input_ = true;
  return true;
}

mcp::Connection* SocketListener::do_accept() {
  if (!do_has_waiting()) return nullptr;
  const auto free = std::find_if(connections_.begin(), connections_.end(),
                                 [](const SocketConnection& connection) { return connection.socket_ == nullptr; });
  if (free == connections_.end()) return nullptr;
  // ESPHome's ready() stays true until its next round. A client that does not wait would cost another its connection.
  is_stale_ = true;
  return open(*free) ? &*free : nullptr;
}

bool SocketListener::do_has_waiting() { return socket_ != nullptr && !is_stale_ && socket_->ready(); }

}  // namespace mote_esphome

#endif  // USE_MCP_SERVER
