// SPDX-License-Identifier: Apache-2.0
// In place of functions of the C library, for a node of ESPHome on this machine:
//   - The node listens on loopback only, at a port that is free, and says which one.
//   - A socket is as on an ESP32: after a read that leaves a rest, it is ready again only when more has come.
//   - What the node logs comes out of stderr, where tests look for it.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

// Bytes that the last read of a socket has left, and lwIP's `rcvevent` does not count; -1 before the first read.
std::array<int, FD_SETSIZE> rests = [] {
  std::array<int, FD_SETSIZE> all{};
  all.fill(-1);
  return all;
}();

bool is_stream(int fd) {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

bool has_ended(int fd) {
  pollfd one{fd, POLLRDHUP, 0};
  return poll(&one, 1, 0) > 0 && (one.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

int waiting_bytes(int fd) {
  int size = 0;
  return ioctl(fd, FIONREAD, &size) == 0 ? size : 0;
}

[[gnu::constructor]] void log_to_stderr() {
  dup2(STDERR_FILENO, STDOUT_FILENO);
  setvbuf(stdout, nullptr, _IONBF, 0);
}

}  // namespace

extern "C" {

int __real_bind(int fd, const sockaddr* address, socklen_t size);
int __real_listen(int fd, int backlog);
ssize_t __real_read(int fd, void* into, size_t size);
int __real_close(int fd);
int __real_select(int count, fd_set* in, fd_set* out, fd_set* errors, timeval* time);

int __wrap_bind(int fd, const sockaddr* address, socklen_t size) {
  if (!is_stream(fd)) return __real_bind(fd, address, size);
  sockaddr_in local{};
  if (address->sa_family != AF_INET || size < sizeof local) abort();  // IPv6 is not in use here
  local.sin_family = AF_INET;
  local.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return __real_bind(fd, reinterpret_cast<const sockaddr*>(&local), sizeof local);
}

int __wrap_listen(int fd, int backlog) {
  const int result = __real_listen(fd, backlog);
  sockaddr_in local{};
  socklen_t size = sizeof local;
  if (result == 0 && getsockname(fd, reinterpret_cast<sockaddr*>(&local), &size) == 0) {
    fprintf(stderr, "listening on http://127.0.0.1:%u/mcp\n", static_cast<unsigned>(ntohs(local.sin_port)));
  }
  return result;
}

ssize_t __wrap_read(int fd, void* into, size_t size) {
  const ssize_t result = __real_read(fd, into, size);
  if (fd >= 0 && fd < FD_SETSIZE && is_stream(fd)) rests[static_cast<size_t>(fd)] = result > 0 ? waiting_bytes(fd) : -1;
  return result;
}

int __wrap_close(int fd) {
  if (fd >= 0 && fd < FD_SETSIZE) rests[static_cast<size_t>(fd)] = -1;
  return __real_close(fd);
}

int __wrap_select(int count, fd_set* in, fd_set* out, fd_set* errors, timeval* time) {
  int ready = __real_select(count, in, out, errors, time);
  for (int fd = 0; ready > 0 && fd < count; ++fd) {
    const int rest = rests[static_cast<size_t>(fd)];
    if (rest > 0 && FD_ISSET(fd, in) && waiting_bytes(fd) == rest && !has_ended(fd)) FD_CLR(fd, in);
  }
  return ready;
}
}
