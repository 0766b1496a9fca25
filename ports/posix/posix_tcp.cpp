// SPDX-License-Identifier: Apache-2.0
// The wait of the main loop with epoll, which only Linux has.
#include "mcp/ports/posix_tcp.hpp"

#if defined(__linux__) && !defined(MOTE_POSIX_POLL)
#include <sys/epoll.h>
#include <unistd.h>

namespace mcp::posix {

TcpListener::TcpListener(std::span<TcpConnection> connections, const char* address, std::uint16_t port)
    : SocketListener(connections, address, port) {
  if (!ok()) return;
  events_ = epoll_create1(EPOLL_CLOEXEC);
  if (events_ < 0 || !watch(socket(), nullptr)) stop();
}

TcpListener::~TcpListener() {
  if (events_ >= 0) static_cast<void>(close(events_));
}

// The kernel reports each event once, so that unread input does not keep the program awake. Closing `fd` ends the
// events.
bool TcpListener::watch(int fd, TcpConnection* connection) {
  epoll_event event{EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, {.ptr = connection}};
  return epoll_ctl(events_, EPOLL_CTL_ADD, fd, &event) == 0;
}

void TcpListener::wait(Millis timeout_ms) {
  epoll_event events[32];
  const int count = epoll_wait(events_, events, sizeof events / sizeof *events, timeout_of(timeout_ms));
  retry();
  for (int i = 0; i < count; ++i) {
    const std::uint32_t what = events[i].events;
    auto* const connection = static_cast<TcpConnection*>(events[i].data.ptr);
    if (connection == nullptr) {
      note_event();
      continue;
    }
    // The next read or write reports an error.
    constexpr std::uint32_t end = EPOLLRDHUP | EPOLLHUP | EPOLLERR;
    note_event(*connection, (what & (EPOLLIN | end)) != 0, (what & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0,
               (what & end) != 0);
  }
}

}  // namespace mcp::posix
#endif
