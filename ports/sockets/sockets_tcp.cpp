// SPDX-License-Identifier: Apache-2.0
// Accepts, reads and writes sockets, for all ways to wait for them.
#include "mcp/ports/sockets.hpp"

#include <algorithm>
#include <utility>

#include "ports/sockets/sockets_address.hpp"
#include "ports/sockets/sockets_io_result.hpp"
#include "ports/sockets/sockets_open.hpp"

namespace mcp::sockets {
namespace {

// Clients that one accept() skips, because they have left or because their sockets cannot be prepared.
constexpr unsigned most_skipped = 16;

}  // namespace

// ---- TcpConnection -------------------------------------------------------------------------------------------------

// After `would_block`, a system call is repeated only after wait() has reported an event, because system calls are the
// most expensive part.

IoResult TcpConnection::do_read(std::span<char> into) {
  if (read_ != Retry::now) return {IoStatus::would_block, 0};
  ssize_t moved = 0;
  do {
    moved = recv(fd_, into.data(), into.size(), 0);
  } while (moved < 0 && errno == EINTR);
  const IoResult result = result_of(moved);
  // If a read returns fewer bytes than requested, there are no more bytes, unless the end follows. The system may
  // report the end only once.
  const bool short_read = result.status == IoStatus::ok && result.size < into.size() && !ended_;
  if (result.status == IoStatus::would_block) {
    set_read(lacks_memory(errno) ? later() : Retry::after_event);
  } else if (short_read) {
    set_read(Retry::after_event);
  }
  return result;
}

IoResult TcpConnection::do_write(std::span<const char> from) {
  if (write_ != Retry::now) return {IoStatus::would_block, 0};
  ssize_t moved = 0;
  do {
    moved = send(fd_, from.data(), from.size(), send_flags);
  } while (moved < 0 && errno == EINTR);
  const IoResult result = result_of(moved);
  if (result.status == IoStatus::would_block) write_ = lacks_memory(errno) ? later() : Retry::after_event;
  return result;
}

void TcpConnection::do_finish() { static_cast<void>(shutdown(fd_, SHUT_WR)); }

void TcpConnection::do_close() {
  close_socket(fd_);
  set_read(Retry::now);
  write_ = Retry::now;
  ended_ = false;
}

TcpConnection::Retry TcpConnection::later() {
  if (has_later_ != nullptr) *has_later_ = true;
  return Retry::later;
}

void TcpConnection::set_read(Retry retry) {
  read_ = retry;
  set_may_read(retry == Retry::now);
}

// ---- SocketListener ------------------------------------------------------------------------------------------------

SocketListener::SocketListener(std::span<TcpConnection> connections, const char* address, std::uint16_t port)
    : connections_(connections) {
  set_capacity(connections.size());
  Address bound = read_address(address, port);
  if (bound.size == 0) {
    errno = EINVAL;
    return;
  }
  fd_ = ::socket(bound.family(), SOCK_STREAM, IPPROTO_TCP);
  if (fd_ < 0) return;
  set_option(fd_, SOL_SOCKET, SO_REUSEADDR, 1);
#if MOTE_SOCKETS_IPV6
  // Otherwise a setting of the system would decide whether "::" includes IPv4.
  if (bound.family() == AF_INET6) set_option(fd_, IPPROTO_IPV6, IPV6_V6ONLY, 0);
#endif
  const int backlog = backlog_of(connections.size());
  Address own{};
  if (prepare(fd_) && bind(fd_, bound.pointer(), bound.size) == 0 && listen(fd_, backlog) == 0) own = address_of(fd_);
  if (own.size != 0) {
    port_ = port_of(own);
  } else {
    stop();
  }
}

SocketListener::~SocketListener() {
  for (TcpConnection& connection : connections_) {
    connection.note_input_at(nullptr);
    if (connection.fd_ >= 0) connection.do_close();
  }
  close_socket(wake_fd_);
  close_socket(fd_);
}

void SocketListener::stop() { close_socket(fd_); }

Connection* SocketListener::accept_next() {
  if (accept_ != Retry::now) return nullptr;
  const auto free = std::find_if(connections_.begin(), connections_.end(),
                                 [](const TcpConnection& connection) { return connection.fd_ < 0; });
  if (free == connections_.end()) return nullptr;
  for (unsigned skipped = 0; skipped < most_skipped; ++skipped) {
    Address from{};
    from.size = sizeof from.storage;
    int fd = ::accept(fd_, from.pointer(), &from.size);
    if (fd < 0) {
      if (errno == ECONNABORTED || errno == EINTR) continue;
      // If the system has no socket or memory for a waiting client, it may report the client only once.
      accept_ = errno == EAGAIN || errno == EWOULDBLOCK ? Retry::after_event : Retry::later;
      return nullptr;
    }
    set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    keep_alive(fd);
    if (!prepare(fd) || !watch(fd, &*free)) {
      close_socket(fd);
      continue;
    }
    free->fd_ = fd;
    free->has_later_ = &has_later_;
    free->peer_ = peer_of(from);
    return &*free;
  }
  accept_ = Retry::later;
  return nullptr;
}

bool SocketListener::has_client() {
  if (accept_ == Retry::after_event) return false;
  pollfd waiting{fd_, POLLIN, 0};
  const int ready = ::poll(&waiting, 1, 0);
  if (ready == 0 && accept_ == Retry::now) accept_ = Retry::after_event;
  if (ready < 0) accept_ = Retry::later;
  return ready > 0 && waiting.revents == POLLIN;  // not the error of a failed socket
}

int SocketListener::timeout_of(Millis timeout_ms) const {
  return has_wakes_ ? 0 : poll_timeout(timeout_ms, has_later_ || accept_ == Retry::later);
}

void SocketListener::retry() {
  const auto end = [](Retry& call) {
    if (call == Retry::later) call = Retry::now;
  };
  end(accept_);
  if (has_wakes_) note_event();
  if (!std::exchange(has_later_, false)) return;
  for (TcpConnection& connection : connections_) {
    if (connection.read_ == Retry::later) connection.set_read(Retry::now);
    end(connection.write_);
  }
}

void SocketListener::note_event() {
  accept_ = Retry::now;
  has_wakes_ = drain_wakes(wake_fd_);
}

void SocketListener::note_event(TcpConnection& connection, bool reads, bool writes, bool ended) {
  if (ended) connection.ended_ = true;
  if (reads) connection.set_read(Retry::now);
  if (writes) connection.write_ = Retry::now;
}

// ---- Ending a wait -------------------------------------------------------------------------------------------------

bool SocketListener::enable_wake() {
  if (wake_fd_ >= 0) return true;
  int fd = open_wake_socket();
  if (fd < 0) return false;
  if (watch(fd, nullptr) && send_wake(fd)) {
    wake_fd_ = fd;
  } else {
    close_socket(fd);
  }
  return wake_fd_ >= 0;
}

// If a byte does not fit, the main loop still has unread bytes that end its wait.
void SocketListener::wake() const {
  if (wake_fd_ >= 0) static_cast<void>(send_wake(wake_fd_));
}

}  // namespace mcp::sockets
