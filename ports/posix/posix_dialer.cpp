// SPDX-License-Identifier: Apache-2.0
// The wait of the main loop for connections to servers, in addition to a listener with epoll.
#include "mcp/ports/posix_dialer.hpp"

#if defined(__linux__) && !defined(MOTE_POSIX_POLL)
#include "ports/sockets/sockets_poll_entries.hpp"

namespace mcp::posix {

// The file descriptor of epoll can be read when one of its sockets has an event.
void TcpDialer::wait(Millis timeout_ms) {
  pollfd sockets[most_connections + 2];  // with the sockets of wake() and the listener
  sockets::PollEntries entries{sockets};
  add_to(entries);
  if (listener_ != nullptr) entries.add(listener_->events_, POLLIN);
  entries.wait(listener_ != nullptr ? timeout_of(timeout_ms, *listener_) : timeout_of(timeout_ms));
  note(entries);
  if (listener_ != nullptr) listener_->wait(0);
}

}  // namespace mcp::posix
#endif
