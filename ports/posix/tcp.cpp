#include "ports/posix/tcp.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "ports/posix/io_result.hpp"

namespace mcp::posix {
namespace {

// When the system has no descriptor left, nothing says that it has one again.
constexpr Millis retry_ms = 100;

// The size of the address, 0 when the text is none.
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

}  // namespace

IoResult TcpConnection::do_read(std::span<char> into) {
  const IoResult result = result_of(recv(fd_, into.data(), into.size(), 0));
  read_blocked_ = result.status == IoStatus::would_block;
  return result;
}

IoResult TcpConnection::do_write(std::span<const char> from) {
  const IoResult result = result_of(send(fd_, from.data(), from.size(), MSG_NOSIGNAL));
  write_blocked_ = result.status == IoStatus::would_block;
  return result;
}

void TcpConnection::do_finish() { static_cast<void>(shutdown(fd_, SHUT_WR)); }

void TcpConnection::do_close() {
  static_cast<void>(::close(fd_));
  fd_ = -1;
  read_blocked_ = write_blocked_ = false;
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
  if (bind(fd, reinterpret_cast<sockaddr*>(&bound), size) != 0 || listen(fd, SOMAXCONN) != 0) {
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
}

Connection* TcpListener::do_accept() {
  for (TcpConnection& connection : connections_) {
    if (connection.fd_ >= 0) continue;
    const int fd = accept4(fd_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
      // A client that waits for a descriptor stays readable: to be woken by it would be to never sleep.
      exhausted_ = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
      accept_blocked_ = !exhausted_;
      return nullptr;
    }
    const int on = 1;
    static_cast<void>(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
    connection.fd_ = fd;
    return &connection;
  }
  return nullptr;
}

bool TcpListener::do_has_waiting() {
  pollfd waiting{fd_, POLLIN, 0};
  accept_blocked_ = poll(&waiting, 1, 0) != 1;
  return !accept_blocked_;
}

void TcpListener::wait(Millis timeout_ms) {
  if (exhausted_) timeout_ms = std::min(timeout_ms, retry_ms);
  pollfd waiting[1 + 254];
  nfds_t count = 0;
  if (accept_blocked_) waiting[count++] = {fd_, POLLIN, 0};
  accept_blocked_ = exhausted_ = false;
  for (TcpConnection& connection : connections_) {
    const int events = (connection.read_blocked_ ? POLLIN : 0) | (connection.write_blocked_ ? POLLOUT : 0);
    // Who still wants it asks again: what is no longer read, since an answer has to go out first, must wake nobody.
    connection.read_blocked_ = connection.write_blocked_ = false;
    if (connection.fd_ < 0 || events == 0 || count == sizeof waiting / sizeof *waiting) continue;
    waiting[count++] = {connection.fd_, static_cast<short>(events), 0};
  }
  const int timeout = timeout_ms > INT_MAX ? -1 : static_cast<int>(timeout_ms);
  static_cast<void>(poll(waiting, count, timeout));
}

}  // namespace mcp::posix
