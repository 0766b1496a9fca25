// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/posix_tcp.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "ports/posix/posix_io_result.hpp"

namespace mcp::posix {
namespace {

// When a connection is accepted again after the system had nothing left for one.
constexpr Millis retry_ms = 100;

// The size of the address, or 0 if the text is invalid.
socklen_t read_address(const char* text, std::uint16_t port, sockaddr_storage& address) {
  auto* const v4 = reinterpret_cast<sockaddr_in*>(&address);
  auto* const v6 = reinterpret_cast<sockaddr_in6*>(&address);
  if (inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    return sizeof *v4;
  }
  if (inet_pton(AF_INET6, text, &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    return sizeof *v6;
  }
  errno = EINVAL;
  return 0;
}

std::uint16_t port_of(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&address)->sin6_port
                                             : reinterpret_cast<sockaddr_in*>(&address)->sin_port);
}

// The number of a host, never 0.
std::uint64_t peer_of(const sockaddr_storage& address) {
  if (address.ss_family != AF_INET6) return ntohl(reinterpret_cast<const sockaddr_in&>(address).sin_addr.s_addr);
  const auto& bytes = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr.s6_addr;
  const auto number = [&bytes](std::size_t at, std::size_t end) {
    std::uint64_t value = 0;
    for (; at < end; ++at) value = value << 8 | bytes[at];
    return value;
  };
  const std::uint64_t network = number(0, 8);
  if (network != 0) return network;
  // A client of IPv4 at a socket for both families has the address ::ffff:a.b.c.d. The other case is this machine, ::1.
  return number(8, 12) == 0xFFFF ? number(12, 16) : 1;
}

}  // namespace

// A call that would block is not repeated before wait() reports that it would not, because system calls are the most
// expensive part.

IoResult TcpConnection::do_read(std::span<char> into) {
  if (read_blocked_) return {IoStatus::would_block, 0};
  const IoResult result = result_of(recv(fd_, into.data(), into.size(), 0));
  // Fewer bytes than requested are all that there were, unless the end follows. The kernel reports the end once.
  const bool short_read = result.status == IoStatus::ok && result.size < into.size() && !ended_;
  read_blocked_ = result.status == IoStatus::would_block || short_read;
  return result;
}

IoResult TcpConnection::do_write(std::span<const char> from) {
  if (write_blocked_) return {IoStatus::would_block, 0};
  const IoResult result = result_of(send(fd_, from.data(), from.size(), MSG_NOSIGNAL));
  write_blocked_ = result.status == IoStatus::would_block;
  return result;
}

void TcpConnection::do_finish() { static_cast<void>(shutdown(fd_, SHUT_WR)); }

void TcpConnection::do_close() {
  static_cast<void>(::close(fd_));
  fd_ = -1;
  read_blocked_ = write_blocked_ = ended_ = false;
}

TcpListener::TcpListener(std::span<TcpConnection> connections, const char* address, std::uint16_t port)
    : connections_(connections) {
  sockaddr_storage bound{};
  const socklen_t size = read_address(address, port, bound);
  if (size == 0) return;
  const int fd = socket(bound.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  const int on = 1;
  static_cast<void>(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on));
  // Whether "::" is IPv4, too, would else be a setting of the system.
  const int off = 0;
  if (bound.ss_family == AF_INET6) static_cast<void>(setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off));
  events_ = epoll_create1(EPOLL_CLOEXEC);
  if (events_ < 0 || bind(fd, reinterpret_cast<sockaddr*>(&bound), size) != 0 || listen(fd, SOMAXCONN) != 0 ||
      !watch(fd, nullptr)) {
    const int why = errno;
    static_cast<void>(close(fd));
    errno = why;
    return;
  }
  fd_ = fd;
  port_ = port_of(fd);
}

TcpListener::~TcpListener() {
  for (TcpConnection& connection : connections_) {
    if (connection.fd_ >= 0) connection.close();
  }
  if (fd_ >= 0) static_cast<void>(close(fd_));
  if (events_ >= 0) static_cast<void>(close(events_));
}

// The kernel reports each event once, so that unwanted input does not keep the program awake. Closing `fd` ends it.
bool TcpListener::watch(int fd, TcpConnection* connection) const {
  epoll_event event{EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, {.ptr = connection}};
  return epoll_ctl(events_, EPOLL_CTL_ADD, fd, &event) == 0;
}

Connection* TcpListener::do_accept() {
  if (accept_blocked_) return nullptr;
  for (TcpConnection& connection : connections_) {
    if (connection.fd_ >= 0) continue;
    sockaddr_storage from{};
    socklen_t from_size = sizeof from;
    const int fd = accept4(fd_, reinterpret_cast<sockaddr*>(&from), &from_size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
      // The kernel reports a client that waits for a descriptor once, so accept() is tried again a little later.
      exhausted_ = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
      accept_blocked_ = true;
      return nullptr;
    }
    const int on = 1;
    static_cast<void>(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
    if (!watch(fd, &connection)) {
      static_cast<void>(close(fd));
      return nullptr;
    }
    connection.fd_ = fd;
    connection.peer_ = peer_of(from);
    return &connection;
  }
  return nullptr;
}

bool TcpListener::do_has_waiting() {
  if (accept_blocked_) return exhausted_;
  pollfd waiting{fd_, POLLIN, 0};
  accept_blocked_ = poll(&waiting, 1, 0) != 1;
  return !accept_blocked_;
}

void TcpListener::wait(Millis timeout_ms) {
  if (exhausted_) timeout_ms = std::min(timeout_ms, retry_ms);
  epoll_event events[32];
  const int timeout = timeout_ms > INT_MAX ? -1 : static_cast<int>(timeout_ms);
  const int count = epoll_wait(events_, events, sizeof events / sizeof *events, timeout);
  if (exhausted_) accept_blocked_ = exhausted_ = false;
  for (int i = 0; i < count; ++i) {
    const std::uint32_t what = events[i].events;
    auto* const connection = static_cast<TcpConnection*>(events[i].data.ptr);
    if (connection == nullptr) {
      accept_blocked_ = false;
      continue;
    }
    // The next read or write reports an error.
    constexpr std::uint32_t end = EPOLLRDHUP | EPOLLHUP | EPOLLERR;
    if ((what & end) != 0) connection->ended_ = true;
    if ((what & (EPOLLIN | end)) != 0) connection->read_blocked_ = false;
    if ((what & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0) connection->write_blocked_ = false;
  }
}

}  // namespace mcp::posix
