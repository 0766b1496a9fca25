// SPDX-License-Identifier: Apache-2.0
// The wait of the main loop with poll().
#include "mcp/ports/sockets.hpp"

#include <algorithm>

// Last, because lwIP has macros for names of other headers.
#include "ports/sockets/sockets_platform.hpp"

namespace mcp::sockets {
namespace {

constexpr int pause_ms = 100;

}  // namespace

struct TcpListener::Entries {
  pollfd* first;
};

TcpListener::TcpListener(std::span<TcpConnection> connections, const char* address, std::uint16_t port)
    : SocketListener(connections.first(std::min(connections.size(), most_connections)), address, port) {}

void TcpListener::wait(Millis timeout_ms) {
  const std::size_t sockets = connections_.size() + 2;  // with the listening one, and that of wake()
  if (sockets <= 8) return wait_for<8>(timeout_ms);
  if (sockets <= 32) return wait_for<32>(timeout_ms);
  wait_for<most_connections + 2>(timeout_ms);
}

// Not inlined: each has a stack of its own.
template <std::size_t most>
[[gnu::noinline]] void TcpListener::wait_for(Millis timeout_ms) {
  pollfd entries[most];
  wait_with(Entries{entries}, timeout_ms);
}

void TcpListener::wait_with(Entries entries, Millis timeout_ms) {
  const auto events_of = [](const TcpConnection& connection) {
    if (connection.fd_ < 0) return 0;
    return (connection.read_ == Retry::after_event ? POLLIN : 0) |
           (connection.write_ == Retry::after_event ? POLLOUT : 0);
  };
  unsigned short count = 0;
  const auto add = [&](int fd, int events) { entries.first[count++] = {fd, static_cast<short>(events), 0}; };
  if (accept_ == Retry::after_event) add(fd_, POLLIN);
  if (wake_fd_ >= 0) add(wake_fd_, POLLIN);
  const pollfd* entry = entries.first + count;
  for (const TcpConnection& connection : connections_) {
    if (const int events = events_of(connection); events != 0) add(connection.fd_, events);
  }
  const int timeout = timeout_of(timeout_ms);
  if (::poll(entries.first, count, timeout) < 0 && errno != EINTR) {
    // The system has no memory for it. Each call is tried again, after a pause, so that the program does not spin.
    pollfd none{-1, 0, 0};
    static_cast<void>(::poll(&none, 1, timeout < 0 ? pause_ms : std::min(timeout, pause_ms)));
    std::for_each(entries.first, entries.first + count, [](pollfd& failed) { failed.revents = POLLERR; });
  }
  retry();
  const auto has_event = [](const pollfd& own) { return own.revents != 0; };
  if (std::any_of(static_cast<const pollfd*>(entries.first), entry, has_event)) note_event();
  // The next call reports an error, or the end of both directions.
  constexpr int end = ~(POLLIN | POLLOUT);
  for (TcpConnection& connection : connections_) {
    if (events_of(connection) == 0) continue;
    const int what = entry++->revents;
    note_event(connection, (what & (POLLIN | end)) != 0, (what & (POLLOUT | end)) != 0, false);
  }
}

}  // namespace mcp::sockets
