// SPDX-License-Identifier: Apache-2.0
#include "ports/socket_faults.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <mutex>

namespace test {
namespace {

struct Plan {
  Call call;
  int error;
  int times;
  int skipped;
  int count;
};
// Some tests have threads, and each look-up of a name has one.
Plan plan;
std::mutex plan_mutex;
std::atomic<int> counts[static_cast<int>(Call::pthread_create) + 1];

bool fails(Call call) {
  ++counts[static_cast<int>(call)];
  const std::lock_guard lock(plan_mutex);
  if (call != plan.call || plan.times == 0) return false;
  if (plan.skipped != 0) return --plan.skipped, false;
  --plan.times;
  ++plan.count;
  errno = plan.error;
  return true;
}

}  // namespace

Fault::Fault(Call call, int error, int times, int skipped) {
  const std::lock_guard lock(plan_mutex);
  EXPECT_EQ(plan.times, 0) << "there is another fault";
  plan = {call, error, times, skipped, 0};
}
Fault::~Fault() {
  const std::lock_guard lock(plan_mutex);
  plan.times = 0;
}
int Fault::count() const {
  const std::lock_guard lock(plan_mutex);
  return plan.count;
}

int calls_of(Call call) { return counts[static_cast<int>(call)]; }

}  // namespace test

using test::Call;
using test::fails;

// The names are those of the linker's option.
extern "C" {
int __real_socket(int, int, int);
int __real_fcntl(int, int, ...);
int __real_setsockopt(int, int, int, const void*, socklen_t);
int __real_bind(int, const sockaddr*, socklen_t);
int __real_listen(int, int);
int __real_getsockname(int, sockaddr*, socklen_t*);
int __real_connect(int, const sockaddr*, socklen_t);
int __real_accept(int, sockaddr*, socklen_t*);
ssize_t __real_recv(int, void*, size_t, int);
ssize_t __real_send(int, const void*, size_t, int);
int __real_shutdown(int, int);
int __real_poll(pollfd*, nfds_t, int);
int __real_epoll_create1(int);
int __real_epoll_ctl(int, int, int, epoll_event*);
int __real_epoll_wait(int, epoll_event*, int, int);
int __real_getsockopt(int, int, int, void*, socklen_t*);
int __real_socketpair(int, int, int, int*);
int __real_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

int __wrap_socket(int domain, int type, int protocol) {
  return fails(Call::socket) ? -1 : __real_socket(domain, type, protocol);
}
int __wrap_fcntl(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  const int value = va_arg(list, int);
  va_end(list);
  return fails(Call::fcntl) ? -1 : __real_fcntl(fd, command, value);
}
int __wrap_setsockopt(int fd, int level, int option, const void* value, socklen_t size) {
  return fails(Call::setsockopt) ? -1 : __real_setsockopt(fd, level, option, value, size);
}
int __wrap_bind(int fd, const sockaddr* address, socklen_t size) {
  return fails(Call::bind) ? -1 : __real_bind(fd, address, size);
}
int __wrap_listen(int fd, int backlog) { return fails(Call::listen) ? -1 : __real_listen(fd, backlog); }
int __wrap_getsockname(int fd, sockaddr* address, socklen_t* size) {
  return fails(Call::getsockname) ? -1 : __real_getsockname(fd, address, size);
}
int __wrap_connect(int fd, const sockaddr* address, socklen_t size) {
  return fails(Call::connect) ? -1 : __real_connect(fd, address, size);
}
int __wrap_accept(int fd, sockaddr* address, socklen_t* size) {
  return fails(Call::accept) ? -1 : __real_accept(fd, address, size);
}
ssize_t __wrap_recv(int fd, void* into, size_t size, int flags) {
  return fails(Call::recv) ? -1 : __real_recv(fd, into, size, flags);
}
ssize_t __wrap_send(int fd, const void* from, size_t size, int flags) {
  return fails(Call::send) ? -1 : __real_send(fd, from, size, flags);
}
int __wrap_shutdown(int fd, int how) { return fails(Call::shutdown) ? -1 : __real_shutdown(fd, how); }
int __wrap_poll(pollfd* entries, nfds_t count, int timeout) {
  return fails(Call::poll) ? -1 : __real_poll(entries, count, timeout);
}
int __wrap_epoll_create1(int flags) { return fails(Call::epoll_create1) ? -1 : __real_epoll_create1(flags); }
int __wrap_epoll_ctl(int events, int operation, int fd, epoll_event* event) {
  return fails(Call::epoll_ctl) ? -1 : __real_epoll_ctl(events, operation, fd, event);
}
int __wrap_epoll_wait(int events, epoll_event* into, int most, int timeout) {
  return fails(Call::epoll_wait) ? -1 : __real_epoll_wait(events, into, most, timeout);
}
int __wrap_getsockopt(int fd, int level, int option, void* value, socklen_t* size) {
  return fails(Call::getsockopt) ? -1 : __real_getsockopt(fd, level, option, value, size);
}
int __wrap_socketpair(int domain, int type, int protocol, int* ends) {
  return fails(Call::socketpair) ? -1 : __real_socketpair(domain, type, protocol, ends);
}
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
  return fails(Call::pthread_create) ? EAGAIN : __real_pthread_create(thread, attributes, run, argument);
}
}
