// SPDX-License-Identifier: Apache-2.0
// The sockets of one poll(). A listener and a dialer add their sockets, and read their events in the same order. For
// the files of this port, and of ports with another way to wait.
#pragma once

#include "mcp/port.hpp"

// Last, because lwIP has macros for names of other headers.
#include "ports/sockets/sockets_platform.hpp"

namespace mcp::sockets {

struct PollEntries {
  pollfd* first;
  unsigned short count = 0;  // number of added entries
  unsigned short read = 0;   // number of entries read by next()
  bool failed = false;       // poll() has failed, so each call must be tried again

  void add(int fd, int events) { first[count++] = {fd, static_cast<short>(events), 0}; }
  /// Returns the events of the next entry.
  int next() { return first[read++].revents; }
  /// Waits for at most `timeout` milliseconds (-1: without limit).
  void wait(int timeout);
};

/// All other events report an error or the end of both directions. The next read or write reports it.
inline constexpr int poll_end = ~(POLLIN | POLLOUT);

}  // namespace mcp::sockets
