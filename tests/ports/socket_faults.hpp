// SPDX-License-Identifier: Apache-2.0
// Faults of the system: the linker replaces its socket functions (--wrap) by functions that fail when a test says so.
#pragma once

namespace test {

enum class Call {
  socket,
  fcntl,
  setsockopt,
  bind,
  listen,
  getsockname,
  connect,
  accept,
  recv,
  send,
  shutdown,
  poll,
  epoll_create1,
  epoll_ctl,
  epoll_wait,
  getsockopt,
  socketpair,
  pthread_create,
};

/// While it exists, the calls of one function fail with an error: after the first `skipped`, `times` calls.
/// Limits: one at a time.
class Fault {
 public:
  Fault(Call call, int error, int times = 1, int skipped = 0);
  ~Fault();
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;

  /// Calls that failed.
  [[nodiscard]] int count() const;
};

/// Calls of the function since the program began.
int calls_of(Call call);

}  // namespace test
