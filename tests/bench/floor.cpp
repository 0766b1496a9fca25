// SPDX-License-Identifier: Apache-2.0
// A minimal TCP server: it responds to each read with the same BYTES. It parses nothing and knows no protocol, so its
// cost is the cost of the system.
//
// With stdio: copies stdin to stdout.
//
// usage: bench_floor BYTES
//        bench_floor stdio
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

// An answer of exactly `size` bytes, or the shortest that is one.
std::string make_answer(std::size_t size) {
  const auto with_body = [](std::size_t body) {
    return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nMCP-Session-Id: none\r\nContent-Length: " +
           std::to_string(body) + "\r\n\r\n" + std::string(body, ' ');
  };
  std::size_t body = 0;
  while (with_body(body).size() < size) ++body;
  return with_body(body);
}

int fail(const char* what) {
  std::perror(what);
  return 1;
}

int echo() {
  static char bytes[65'536];
  for (;;) {
    const ssize_t size = read(0, bytes, sizeof bytes);
    if (size <= 0) return 0;
    if (write(1, bytes, static_cast<std::size_t>(size)) != size) return fail("write");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    static_cast<void>(std::fprintf(stderr, "usage: %s BYTES | stdio\n", argv[0]));
    return 2;
  }
  if (std::string_view(argv[1]) == "stdio") return echo();
  const std::string answer = make_answer(std::strtoul(argv[1], nullptr, 10));

  sockaddr_in address{};
  socklen_t size = sizeof address;
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (listener < 0 || bind(listener, any, size) != 0 || listen(listener, 256) != 0) return fail("listen");
  if (getsockname(listener, any, &size) != 0) return fail("getsockname");

  const int events = epoll_create1(0);
  epoll_event event{EPOLLIN, {.fd = listener}};
  if (events < 0 || epoll_ctl(events, EPOLL_CTL_ADD, listener, &event) != 0) return fail("epoll");
  static_cast<void>(std::fprintf(stderr, "listening on http://127.0.0.1:%u/mcp\n", ntohs(address.sin_port)));

  for (;;) {
    epoll_event ready[32];
    const int count = epoll_wait(events, ready, 32, -1);
    for (int i = 0; i < count; ++i) {
      int fd = ready[i].data.fd;
      if (fd == listener) {
        fd = accept(listener, nullptr, nullptr);
        const int on = 1;
        static_cast<void>(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
        event = {EPOLLIN, {.fd = fd}};
        if (epoll_ctl(events, EPOLL_CTL_ADD, fd, &event) != 0) return fail("accept");
        continue;
      }
      char request[4096];
      const bool asked = recv(fd, request, sizeof request, 0) > 0;
      const bool answered = asked && send(fd, answer.data(), answer.size(), MSG_NOSIGNAL) > 0;
      if (!answered) static_cast<void>(close(fd));
    }
  }
}
