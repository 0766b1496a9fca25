// SPDX-License-Identifier: Apache-2.0
// Names of hosts, with one thread for each look-up. A thread shares no memory with the main loop. The name and the
// outcome are messages of a pair of sockets, so that a connection can be closed while its look-up continues.
#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

#include "mcp/ports/posix_dialer.hpp"
#include "ports/posix/posix_thread.hpp"
#include "ports/sockets/sockets_platform.hpp"

namespace mcp::posix {
namespace {

using sockets::LookUp;
using sockets::LookUpStatus;
using sockets::send_flags;

constexpr int most_threads = 8;
constexpr std::size_t stack_size = std::size_t{256} * 1024;  // much more than getaddrinfo() uses

// Not std::atomic, because <atomic> of GCC 12 does not compile without the extensions of GNU.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int threads;  // running threads

// Returns false if all threads are in use.
bool count_thread(int change) {
  static_cast<void>(pthread_mutex_lock(&mutex));
  const bool fits = threads + change <= most_threads;
  if (fits) threads += change;
  static_cast<void>(pthread_mutex_unlock(&mutex));
  return fits;
}

void* run(void* end) {
  const int fd = file_of(end);
  char host[Dialer::most_host_size + 1];
  const ssize_t size = recv(fd, host, sizeof host - 1, 0);
  LookUp result{LookUpStatus::no_memory, {}};
  if (size > 0) {
    host[size] = '\0';
    result = sockets::look_up(host);
  }
  // If the connection was closed, there is no receiver.
  static_cast<void>(send(fd, &result, sizeof result, send_flags));
  close(fd);
  static_cast<void>(count_thread(-1));
  return nullptr;
}

class ThreadResolver final : public sockets::Resolver {
 private:
  int do_begin(std::string_view host) override {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0) return -1;
    for (const int end : ends) static_cast<void>(fcntl(end, F_SETFD, FD_CLOEXEC));
    const bool is_sent = send(ends[0], host.data(), host.size(), send_flags) == static_cast<ssize_t>(host.size());
    if (is_sent && count_thread(1)) {
      if (start_thread(run, ends[1], stack_size)) return ends[0];
      static_cast<void>(count_thread(-1));
    }
    for (const int end : ends) close(end);
    return -1;
  }
  LookUp do_result(int number) override {
    LookUp result{};
    const ssize_t size = recv(number, &result, sizeof result, MSG_DONTWAIT);
    if (size == static_cast<ssize_t>(sizeof result)) return result;
    const bool again = size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
    return {again ? LookUpStatus::pending : LookUpStatus::no_memory, {}};
  }
  void do_end(int number) override { close(number); }
  int do_socket_of(int number) const override { return number; }
};

constinit ThreadResolver thread_resolver;

}  // namespace

sockets::Resolver& names() { return thread_resolver; }

}  // namespace mcp::posix
