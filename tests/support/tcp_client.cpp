// SPDX-License-Identifier: Apache-2.0
#include "support/tcp_client.hpp"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

namespace test {
namespace {

int port_of_listener(int fd) {
  int listens = 0;
  socklen_t size = sizeof listens;
  if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0) return 0;
  sockaddr_in6 address{};  // the port of IPv4 has the same offset
  size = sizeof address;
  return getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0 ? ntohs(address.sin6_port) : 0;
}

}  // namespace

TcpClient::TcpClient(std::uint16_t port, int receive_buffer, const char* address, const char* from) {
  sockaddr_storage to{};
  auto* const v4 = reinterpret_cast<sockaddr_in*>(&to);
  auto* const v6 = reinterpret_cast<sockaddr_in6*>(&to);
  socklen_t size = sizeof *v4;
  if (inet_pton(AF_INET, address, &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
  } else {
    EXPECT_EQ(inet_pton(AF_INET6, address, &v6->sin6_addr), 1);
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    size = sizeof *v6;
  }
  fd_ = socket(to.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_GE(fd_, 0);
  if (receive_buffer != 0) {
    EXPECT_EQ(setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer), 0);
  }
  if (from != nullptr) {
    sockaddr_in own{};
    own.sin_family = AF_INET;
    EXPECT_EQ(inet_pton(AF_INET, from, &own.sin_addr), 1);
    EXPECT_EQ(bind(fd_, reinterpret_cast<sockaddr*>(&own), sizeof own), 0);
  }
  EXPECT_EQ(connect(fd_, reinterpret_cast<sockaddr*>(&to), size), 0);
  const int on = 1;
  EXPECT_EQ(setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), 0);
  EXPECT_EQ(fcntl(fd_, F_SETFL, O_NONBLOCK), 0);
}

TcpClient::TcpClient(TcpClient&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      received_(std::move(other.received_)),
      ended_(other.ended_),
      broken_(other.broken_) {}

TcpClient& TcpClient::operator=(TcpClient&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(received_, other.received_);
  std::swap(ended_, other.ended_);
  std::swap(broken_, other.broken_);
  return *this;
}

std::size_t TcpClient::send_some(std::string_view bytes) {
  const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN) broken_ = true;
  return sent > 0 ? static_cast<std::size_t>(sent) : 0;
}

void TcpClient::send(std::string_view bytes) {
  if (!bytes.empty()) {
    EXPECT_EQ(send_some(bytes), bytes.size());
  }
}

const std::string& TcpClient::received() {
  char bytes[16'384];
  while (fd_ >= 0 && !ended_ && !broken_) {
    const ssize_t size = recv(fd_, bytes, sizeof bytes, 0);
    if (size < 0 && errno == EAGAIN) break;
    ended_ = size == 0;
    broken_ = size < 0;
    if (size > 0) received_.append(bytes, static_cast<std::size_t>(size));
  }
  return received_;
}

void TcpClient::finish() { EXPECT_EQ(shutdown(fd_, SHUT_WR), 0); }

void TcpClient::leave() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

void TcpClient::break_off() {
  const linger at_once{1, 0};
  EXPECT_EQ(setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once), 0);
  leave();
}

std::string TcpClient::Answer::header(std::string_view name) const {
  const std::size_t at = head.find("\r\n" + std::string(name) + ": ");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + name.size() + 4;
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

TcpClient::Answer TcpClient::take_answer() {
  Answer answer;
  const std::size_t end = received().find("\r\n\r\n");
  if (end == std::string::npos) return answer;
  answer.head = received_.substr(0, end + 2);
  const std::string length = answer.header("Content-Length");
  const std::size_t size = length.empty() ? 0 : std::strtoul(length.c_str(), nullptr, 10);
  if (received_.size() < end + 4 + size) return answer;
  answer.body = received_.substr(end + 4, size);
  received_.erase(0, end + 4 + size);
  EXPECT_EQ(answer.head.substr(0, 9), "HTTP/1.1 ");
  answer.status = std::atoi(answer.head.substr(9, 3).c_str());
  return answer;
}

std::size_t open_descriptors() {
  DIR* const directory = opendir("/proc/self/fd");
  EXPECT_NE(directory, nullptr);
  if (directory == nullptr) return 0;
  std::size_t count = 0;
  while (readdir(directory) != nullptr) ++count;
  closedir(directory);
  return count;
}

void limit_send_buffers(std::uint16_t port) {
  constexpr int size = 1;  // the kernel takes its least
  int found = 0;
  for (int fd = 0; fd < 1024; ++fd) {
    if (port_of_listener(fd) != port) continue;
    ++found;
    EXPECT_EQ(setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size), 0);
  }
  EXPECT_EQ(found, 1);
}

}  // namespace test
