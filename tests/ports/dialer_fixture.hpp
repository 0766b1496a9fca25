// SPDX-License-Identifier: Apache-2.0
// What the tests of TcpDialer share: servers of the test over sockets of the kernel, and the end of each test.
// posix::TcpDialer waits for a listener with epoll, and for one with poll() in tests that are compiled with
// MOTE_POSIX_POLL.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mcp/ports/posix_dialer.hpp"
#include "ports/name_server.hpp"
#include "ports/tcp_fixture.hpp"

namespace test {

using mcp::DialProblem;
using mcp::posix::DialedConnection;
using mcp::posix::TcpDialer;

/// The end of a connection at its server. Reads block, and SIGALRM ends a test that blocks for ever.
class ServerEnd {
 public:
  explicit ServerEnd(int fd) : fd_(fd) { EXPECT_GE(fd, 0); }
  ~ServerEnd() { leave(); }
  ServerEnd(ServerEnd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  ServerEnd& operator=(ServerEnd&&) = delete;

  void send(std::string_view bytes) const {
    EXPECT_EQ(::send(fd_, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }
  /// Returns the next bytes; fewer at the end.
  [[nodiscard]] std::string receive(std::size_t size) const {
    std::string all;
    char bytes[64];
    while (all.size() < size) {
      const ssize_t moved = ::recv(fd_, bytes, std::min(sizeof bytes, size - all.size()), 0);
      if (moved <= 0) break;
      all.append(bytes, static_cast<std::size_t>(moved));
    }
    return all;
  }
  void leave() {
    if (fd_ >= 0) close(std::exchange(fd_, -1));
  }
  void reset() {
    const linger now{1, 0};
    EXPECT_EQ(setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now), 0);
    leave();
  }

 private:
  int fd_;
};

/// A port of this machine. Without listen(), it refuses connections.
class ServerPort {
 public:
  explicit ServerPort(const char* address = "127.0.0.1") {
    sockaddr_in6 v6{};
    auto& v4 = reinterpret_cast<sockaddr_in&>(v6);
    socklen_t size = sizeof v4;
    v4.sin_family = AF_INET;
    if (inet_pton(AF_INET, address, &v4.sin_addr) != 1) {
      EXPECT_EQ(inet_pton(AF_INET6, address, &v6.sin6_addr), 1);
      v6.sin6_family = AF_INET6;
      size = sizeof v6;
    }
    fd_ = socket(v4.sin_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(bind(fd_, reinterpret_cast<sockaddr*>(&v6), size), 0);
    EXPECT_EQ(getsockname(fd_, reinterpret_cast<sockaddr*>(&v6), &size), 0);
    number_ = ntohs(v4.sin_port);  // IPv6 has it at the same place
  }
  ~ServerPort() { close(fd_); }
  ServerPort(const ServerPort&) = delete;
  ServerPort& operator=(const ServerPort&) = delete;

  void listen(int backlog = 8) const { EXPECT_EQ(::listen(fd_, backlog), 0); }
  [[nodiscard]] ServerEnd accept() const { return ServerEnd(::accept(fd_, nullptr, nullptr)); }
  [[nodiscard]] std::uint16_t number() const { return number_; }

 private:
  int fd_;
  std::uint16_t number_ = 0;
};

/// No test leaves a descriptor open. Threads that look up names end after the test.
class Dialing : public Tcp {
 protected:
  void SetUp() override {
    Tcp::SetUp();
    start_ = open_descriptors();
  }
  void TearDown() override {
    EXPECT_TRUE(until([&] { return open_descriptors() == start_; }));
    Tcp::TearDown();
  }

  DialedConnection dialed[2];

 private:
  std::size_t start_ = 0;
};

/// Waits until `is_so`. Returns false if that is not so after many events.
template <class Waits, class Is>
bool wait_until(Waits& waits, Is is_so) {
  for (int i = 0; i < 100; ++i) {
    if (is_so()) return true;
    waits.wait(1'000);
  }
  return is_so();
}

/// Writes until the connection is connected, and returns the last status.
template <class Waits>
IoStatus write(Waits& waits, Connection& connection, std::string_view bytes) {
  IoResult result{};
  static_cast<void>(wait_until(waits, [&] {
    result = connection.write(bytes);
    return result.status != IoStatus::would_block;
  }));
  EXPECT_TRUE(result.status != IoStatus::ok || result.size == bytes.size());
  return result.status;
}

/// Reads `size` bytes.
template <class Waits>
std::string read_of(Waits& waits, Connection& connection, std::size_t size) {
  std::string all;
  char bytes[64];
  static_cast<void>(wait_until(waits, [&] {
    const IoResult result = connection.read(std::span(bytes).first(std::min(sizeof bytes, size - all.size())));
    all.append(bytes, result.size);
    return all.size() == size || result.status == IoStatus::closed || result.status == IoStatus::failed;
  }));
  return all;
}

/// Reads until the connection ends, and returns how.
template <class Waits>
IoStatus end_of_dialed(Waits& waits, Connection& connection) {
  IoResult result{};
  char bytes[64];
  static_cast<void>(wait_until(waits, [&] {
    result = connection.read(bytes);
    return result.status == IoStatus::closed || result.status == IoStatus::failed;
  }));
  return result.status;
}

/// The connection carries bytes both ways.
template <class Waits>
void expect_works(Waits& waits, Connection& connection, const ServerPort& port) {
  EXPECT_EQ(write(waits, connection, "question"), IoStatus::ok);
  const ServerEnd server = port.accept();
  EXPECT_EQ(server.receive(8), "question");
  server.send("answer");
  EXPECT_EQ(read_of(waits, connection, 6), "answer");
}

/// True when a wait of 30 ms lasts as long.
template <class Waits>
bool wait_sleeps(Waits& waits) {
  const mcp::Millis begin = mcp::posix::now();
  waits.wait(30);
  return mcp::posix::now() - begin >= 29;
}

}  // namespace test
