// SPDX-License-Identifier: Apache-2.0
#include "ports/sockets/sockets_open.hpp"

#include <climits>

#include "ports/sockets/sockets_address.hpp"

namespace mcp::sockets {
namespace {

// The time until a call is tried again after the system lacked memory or sockets for it.
constexpr int retry_ms = 100;

// Keep-alive in seconds, with three probes after a silence. For a stream, which at first sends a comment every 15 s,
// unacknowledged bytes take the same time.
constexpr int silence_s = 30;
constexpr int question_interval_s = 10;
constexpr int questions = 3;
constexpr int unacknowledged_s = 45;

// Maximum of bytes of wake() that one event reads, so that a task that calls it in a loop does not stop the main loop.
constexpr unsigned most_wakes = 16;

}  // namespace

void set_option(int fd, int level, int option, int value) {
  static_cast<void>(setsockopt(fd, level, option, &value, sizeof value));
}

// Keep-alive probes a client only while all bytes are acknowledged. TCP_USER_TIMEOUT (Linux) and TCP_RXT_CONNDROPTIME
// (macOS) limit the time of unacknowledged bytes. lwIP limits it by keep-alive, and Zephyr by its number of retries.
void keep_alive(int fd) {
  set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
#ifdef TCP_KEEPIDLE
  set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, silence_s);
#elif defined(TCP_KEEPALIVE)
  set_option(fd, IPPROTO_TCP, TCP_KEEPALIVE, silence_s);
#endif
#ifdef TCP_KEEPINTVL
  set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, question_interval_s);
#endif
#ifdef TCP_KEEPCNT
  set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, questions);
#endif
#ifdef TCP_USER_TIMEOUT
  set_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, unacknowledged_s * 1'000);
#elif defined(TCP_RXT_CONNDROPTIME)
  set_option(fd, IPPROTO_TCP, TCP_RXT_CONNDROPTIME, unacknowledged_s);
#endif
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

int poll_timeout(Millis timeout_ms, bool retries) {
  if (retries && timeout_ms > Millis{retry_ms}) return retry_ms;
  if (timeout_ms == forever) return -1;
  return timeout_ms > Millis{INT_MAX} ? INT_MAX : static_cast<int>(timeout_ms);
}

int open_wake_socket() {
  int fd = ::socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP);
  if (fd < 0) return -1;
  Address any = read_address("127.0.0.1", 0);
  const bool is_bound = prepare(fd) && bind(fd, any.pointer(), any.size) == 0;
  Address own = address_of(fd);
  // Connected to itself, it receives no bytes from other programs.
  if (!is_bound || own.size == 0 || connect(fd, own.pointer(), own.size) != 0) close_socket(fd);
  return fd;
}

// The first byte shows that the loopback works.
bool send_wake(int fd) { return send(fd, "", 1, send_flags) == 1; }

bool drain_wakes(int fd) {
  char bytes[8];
  unsigned count = 0;
  while (fd >= 0 && count < most_wakes && recv(fd, bytes, sizeof bytes, 0) > 0) ++count;
  return count == most_wakes;
}

}  // namespace mcp::sockets
