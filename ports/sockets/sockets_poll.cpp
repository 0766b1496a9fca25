// SPDX-License-Identifier: Apache-2.0
// The wait of the main loop with poll().
#include <algorithm>

#include "mcp/ports/sockets.hpp"

// Last, because lwIP has macros for names of other headers.
#include "ports/sockets/sockets_poll_entries.hpp"

namespace mcp::sockets {
namespace {

constexpr int pause_ms = 100;

}  // namespace

void PollEntries::wait(int timeout) {
  if (::poll(first, count, timeout) >= 0 || errno == EINTR) return;
  // The system has no memory for poll(). Each call is tried again after a pause, so that the program does not spin.
  failed = true;
  pollfd none{-1, 0, 0};
  static_cast<void>(::poll(&none, 1, timeout < 0 ? pause_ms : std::min(timeout, pause_ms)));
  std::for_each(first, first + count, [](pollfd& entry) { entry.revents = POLLERR; });
}

TcpListener::TcpListener(std::span<TcpConnection> connections, const char* address, std::uint16_t port)
    : SocketListener(connections.first(std::min(connections.size(), most_connections)), address, port) {}

void TcpListener::wait(Millis timeout_ms) {
  const std::size_t sockets = connections_.size() + 2;  // with the listening socket and the socket of wake()
  if (sockets <= 8) return wait_for<8>(timeout_ms);
  if (sockets <= 32) return wait_for<32>(timeout_ms);
  wait_for<most_connections + 2>(timeout_ms);
}

// Not inlined, so that each size has its own stack.
template <std::size_t most>
[[gnu::noinline]] void TcpListener::wait_for(Millis timeout_ms) {
  pollfd entries[most];
  wait_with({entries}, timeout_ms);
}

void TcpListener::wait_with(PollEntries entries, Millis timeout_ms) {
  add_to(entries);
  entries.wait(timeout_of(timeout_ms));
  note(entries);
}

int TcpConnection::poll_events() const {
  if (fd_ < 0) return 0;
  return (read_ == Retry::after_event ? POLLIN : 0) | (write_ == Retry::after_event ? POLLOUT : 0);
}

void TcpConnection::note_poll(int events) {
  if ((events & (POLLIN | poll_end)) != 0) set_read(Retry::now);
  if ((events & (POLLOUT | poll_end)) != 0) write_ = Retry::now;
}

void TcpListener::add_to(PollEntries& entries) const {
  if (accept_ == Retry::after_event) entries.add(fd_, POLLIN);
  if (wake_fd_ >= 0) entries.add(wake_fd_, POLLIN);
  for (const TcpConnection& connection : connections_) {
    if (const int events = connection.poll_events(); events != 0) entries.add(connection.fd_, events);
  }
}

void TcpListener::note(PollEntries& entries) {
  const bool accepts = accept_ == Retry::after_event;
  retry();
  int events = accepts ? entries.next() : 0;
  if (wake_fd_ >= 0) events |= entries.next();
  if (events != 0) note_event();
  for (TcpConnection& connection : connections_) {
    if (connection.poll_events() != 0) connection.note_poll(entries.next());
  }
}

}  // namespace mcp::sockets
