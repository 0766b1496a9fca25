// SPDX-License-Identifier: Apache-2.0
// Sockets that are opened, accepted, read and written, for all ways to wait for them.
#include "mcp/ports/sockets.hpp"

#include <algorithm>
#include <climits>

#include "ports/sockets/sockets_address.hpp"
#include "ports/sockets/sockets_io_result.hpp"

namespace mcp::sockets {
namespace {

// When a call is tried again after the system had nothing left for it.
constexpr int retry_ms = 100;

// Clients that one accept() skips, because they have left or because their sockets cannot be prepared.
constexpr unsigned most_skipped = 16;

// Bytes of wake() that one event reads, so that a task that calls it without end does not stop the main loop.
constexpr unsigned most_wakes = 16;

void set_option(int fd, int level, int option, int value) {
  static_cast<void>(setsockopt(fd, level, option, &value, sizeof value));
}

bool prepare(int fd) {
#ifdef FD_CLOEXEC
  static_cast<void>(fcntl(fd, F_SETFD, FD_CLOEXEC));
#endif
#ifdef SO_NOSIGPIPE
  set_option(fd, SOL_SOCKET, SO_NOSIGPIPE, 1);
#endif
  return fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

void close_socket(int& fd) {
  const int why = errno;
  if (fd >= 0) static_cast<void>(::close(fd));
  fd = -1;
  errno = why;
}

}  // namespace

// ---- TcpConnection -------------------------------------------------------------------------------------------------

// A call that would block is not repeated before wait() reports that it would not, because system calls are the most
// expensive part.

IoResult TcpConnection::do_read(std::span<char> into) {
  if (read_ != Retry::now) return {IoStatus::would_block, 0};
  ssize_t moved = 0;
  do {
    moved = recv(fd_, into.data(), into.size(), 0);
  } while (moved < 0 && errno == EINTR);
  const IoResult result = result_of(moved);
  // Fewer bytes than requested are all that there were, unless the end follows. The system may report the end once.
  const bool short_read = result.status == IoStatus::ok && result.size < into.size() && !ended_;
  if (result.status == IoStatus::would_block) {
    read_ = lacks_memory(errno) ? Retry::later : Retry::after_event;
  } else if (short_read) {
    read_ = Retry::after_event;
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
  if (result.status == IoStatus::would_block) write_ = lacks_memory(errno) ? Retry::later : Retry::after_event;
  return result;
}

void TcpConnection::do_finish() { static_cast<void>(shutdown(fd_, SHUT_WR)); }

void TcpConnection::do_close() {
  close_socket(fd_);
  read_ = write_ = Retry::now;
  ended_ = false;
}

// ---- SocketListener ------------------------------------------------------------------------------------------------

SocketListener::SocketListener(std::span<TcpConnection> connections, const char* address, std::uint16_t port)
    : connections_(connections) {
  Address bound = read_address(address, port);
  if (bound.size == 0) {
    errno = EINVAL;
    return;
  }
  fd_ = ::socket(bound.family(), SOCK_STREAM, IPPROTO_TCP);
  if (fd_ < 0) return;
  set_option(fd_, SOL_SOCKET, SO_REUSEADDR, 1);
#if MOTE_SOCKETS_IPV6
  // Whether "::" is IPv4, too, would else be a setting of the system.
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
    if (connection.fd_ >= 0) connection.do_close();
  }
  close_socket(wake_fd_);
  close_socket(fd_);
}

void SocketListener::stop() { close_socket(fd_); }

Connection* SocketListener::do_accept() {
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
      // Without a socket or memory for a client that waits, the system may report the client only once.
      accept_ = errno == EAGAIN || errno == EWOULDBLOCK ? Retry::after_event : Retry::later;
      return nullptr;
    }
    set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    if (!prepare(fd) || !watch(fd, &*free)) {
      close_socket(fd);
      continue;
    }
    free->fd_ = fd;
    free->peer_ = peer_of(from);
    return &*free;
  }
  accept_ = Retry::later;
  return nullptr;
}

bool SocketListener::do_has_waiting() {
  if (accept_ == Retry::after_event) return false;
  pollfd waiting{fd_, POLLIN, 0};
  const int ready = ::poll(&waiting, 1, 0);
  if (ready == 0 && accept_ == Retry::now) accept_ = Retry::after_event;
  if (ready < 0) accept_ = Retry::later;
  return ready > 0 && waiting.revents == POLLIN;  // not the error of a socket that has failed
}

bool SocketListener::watch(int, TcpConnection*) { return true; }

int SocketListener::timeout_of(Millis timeout_ms) const {
  const bool retries = accept_ == Retry::later ||
                       std::any_of(connections_.begin(), connections_.end(), [](const TcpConnection& connection) {
                         return connection.read_ == Retry::later || connection.write_ == Retry::later;
                       });
  if (has_wakes_) return 0;
  if (retries && timeout_ms > Millis{retry_ms}) return retry_ms;
  if (timeout_ms == forever) return -1;
  return timeout_ms > Millis{INT_MAX} ? INT_MAX : static_cast<int>(timeout_ms);
}

void SocketListener::retry() {
  const auto end = [](Retry& call) {
    if (call == Retry::later) call = Retry::now;
  };
  end(accept_);
  if (has_wakes_) note_event();
  for (TcpConnection& connection : connections_) {
    end(connection.read_);
    end(connection.write_);
  }
}

void SocketListener::note_event() {
  accept_ = Retry::now;
  char bytes[8];
  unsigned count = 0;
  while (wake_fd_ >= 0 && count < most_wakes && recv(wake_fd_, bytes, sizeof bytes, 0) > 0) ++count;
  has_wakes_ = count == most_wakes;
}

void SocketListener::note_event(TcpConnection& connection, bool reads, bool writes, bool ended) {
  if (ended) connection.ended_ = true;
  if (reads) connection.read_ = Retry::now;
  if (writes) connection.write_ = Retry::now;
}

// ---- Ending a wait -------------------------------------------------------------------------------------------------

bool SocketListener::enable_wake() {
  if (wake_fd_ >= 0) return true;
  int fd = ::socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP);
  if (fd < 0) return false;
  Address any = read_address("127.0.0.1", 0);
  bool works = prepare(fd) && bind(fd, any.pointer(), any.size) == 0;
  Address own = address_of(fd);
  // Connected to itself, it receives nothing of other programs. The first byte shows that the loopback works.
  works = works && own.size != 0 && connect(fd, own.pointer(), own.size) == 0 && watch(fd, nullptr) &&
          send(fd, "", 1, send_flags) == 1;
  if (works) {
    wake_fd_ = fd;
  } else {
    close_socket(fd);
  }
  return works;
}

// A byte that does not fit follows others that the main loop has not read yet.
void SocketListener::wake() const {
  if (wake_fd_ >= 0) static_cast<void>(send(wake_fd_, "", 1, send_flags));
}

}  // namespace mcp::sockets
