// SPDX-License-Identifier: Apache-2.0
// What one poll() waits for. A listener and a dialer add their sockets, and then read their events in the same order.
// For the files of this port, and of ports with another way to wait.
#pragma once

#include "mcp/port.hpp"

// Last, because lwIP has macros for names of other headers.
#include "ports/sockets/sockets_platform.hpp"

namespace mcp::sockets {

struct PollEntries {
  pollfd* first;
  unsigned short count = 0;  // added
  unsigned short read = 0;   // by next()
  bool failed = false;       // poll() has, so each call is to be tried again

  void add(int fd, int events) { first[count++] = {fd, static_cast<short>(events), 0}; }
  /// Returns the events of the next entry.
  int next() { return first[read++].revents; }
  /// Waits for at most `timeout` milliseconds (-1: without limit).
  void wait(int timeout);
};

/// Besides these two, events report an error, or the end of both directions. The next call of either kind reports it.
inline constexpr int poll_end = ~(POLLIN | POLLOUT);

}  // namespace mcp::sockets
