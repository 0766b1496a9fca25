// SPDX-License-Identifier: Apache-2.0
// ports/sockets over the sockets of lwIP, whose thread runs on this machine. Clients are in the same lwIP, over its
// loopback interface. Nothing here sleeps: a wait that must return has something to wait for.
#include <gtest/gtest.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "mcp/ports/sockets.hpp"
#include "mcp/ports/sockets_dialer.hpp"

// Last, because this test calls the functions of lwIP by their own names.
#include <lwip/sockets.h>
#include <lwip/tcpip.h>

namespace {

using mcp::Connection;
using mcp::IoResult;
using mcp::IoStatus;
using mcp::sockets::DialedConnection;
using mcp::sockets::TcpConnection;
using mcp::sockets::TcpDialer;
using mcp::sockets::TcpListener;

mcp::Millis now() {
  timespec time{};
  static_cast<void>(clock_gettime(CLOCK_MONOTONIC, &time));
  return static_cast<mcp::Millis>(time.tv_sec * 1000 + time.tv_nsec / 1'000'000);
}

/// A client of lwIP.
class Client {
 public:
  explicit Client(std::uint16_t port) : fd_(lwip_socket(AF_INET, SOCK_STREAM, 0)) {
    EXPECT_GE(fd_, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = lwip_htons(port);
    to.sin_addr.s_addr = lwip_htonl(INADDR_LOOPBACK);
    EXPECT_EQ(lwip_connect(fd_, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  }
  Client(Client&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  ~Client() { leave(); }
  Client& operator=(Client&&) = delete;

  void send(std::string_view bytes) const {
    EXPECT_EQ(lwip_send(fd_, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }
  // Blocks until `size` bytes have come, or the end.
  [[nodiscard]] std::string receive(std::size_t size) const {
    std::string all;
    char bytes[512];
    while (all.size() < size) {
      const ssize_t got = lwip_recv(fd_, bytes, std::min(sizeof bytes, size - all.size()), 0);
      if (got <= 0) break;
      all.append(bytes, static_cast<std::size_t>(got));
    }
    return all;
  }
  void finish() const { EXPECT_EQ(lwip_shutdown(fd_, SHUT_WR), 0); }
  void leave() {
    if (fd_ >= 0) lwip_close(std::exchange(fd_, -1));
  }
  // Leaves a byte unread, for which lwIP resets the connection.
  void reset() {
    char byte = 0;
    EXPECT_EQ(lwip_recv(fd_, &byte, 1, MSG_PEEK), 1);
    leave();
  }

 private:
  int fd_;
};

/// lwIP runs, and no test blocks for ever.
class LwipSockets : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    static bool runs = false;
    if (!std::exchange(runs, true)) tcpip_init(nullptr, nullptr);
  }
  void SetUp() override { alarm(60); }
  void TearDown() override { alarm(0); }

  Connection* accept(TcpListener& listener) {
    Connection* connection = nullptr;
    while ((connection = listener.accept()) == nullptr) listener.wait(mcp::forever);
    return connection;
  }
  // Reads `size` bytes, or until the end.
  static std::string read(TcpListener& listener, Connection& connection, std::size_t size) {
    std::string all;
    char bytes[64];
    while (all.size() < size) {
      const IoResult result = connection.read(bytes);
      all.append(bytes, result.size);
      if (result.status == IoStatus::would_block) listener.wait(mcp::forever);
      if (result.status == IoStatus::closed || result.status == IoStatus::failed) break;
    }
    return all;
  }
  static IoStatus end_of(TcpListener& listener, Connection& connection) {
    char bytes[64];
    for (;;) {
      const IoStatus status = connection.read(bytes).status;
      if (status == IoStatus::would_block) listener.wait(mcp::forever);
      if (status == IoStatus::closed || status == IoStatus::failed) return status;
    }
  }
  static bool sleeps(TcpListener& listener) {
    const mcp::Millis begin = now();
    listener.wait(30);
    return now() - begin >= 29;
  }

  TcpConnection connections[8];
};

TEST_F(LwipSockets, ServesClients) {
  TcpListener listener(connections, "0.0.0.0", 0);
  ASSERT_TRUE(listener.ok()) << errno;
  EXPECT_NE(listener.port(), 0);
  EXPECT_EQ(listener.accept(), nullptr);
  EXPECT_TRUE(sleeps(listener));
  std::vector<Client> clients;
  std::vector<Connection*> accepted;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back(listener.port());
    accepted.push_back(accept(listener));
    EXPECT_EQ(accepted.back()->peer(), 0x7F00'0001U);
  }
  const Client waits(listener.port());
  EXPECT_TRUE(listener.has_waiting());
  EXPECT_EQ(listener.accept(), nullptr) << "there is no object";
  for (std::size_t i = 8; i-- != 0;) {
    clients[i].send("question " + std::to_string(i));
    EXPECT_EQ(read(listener, *accepted[i], 10), "question " + std::to_string(i));
    EXPECT_EQ(accepted[i]->write(std::string_view("answer")).size, 6U);
    EXPECT_EQ(clients[i].receive(6), "answer");
  }
  EXPECT_TRUE(sleeps(listener));
  accepted[3]->close();
  EXPECT_EQ(clients[3].receive(1), "");
  EXPECT_EQ(accept(listener), accepted[3]);
}

TEST_F(LwipSockets, ServesAHalfClosedClient) {
  TcpListener listener(connections, "127.0.0.1", 0);
  const Client client(listener.port());
  Connection* const connection = accept(listener);
  client.send("question");
  client.finish();
  EXPECT_EQ(read(listener, *connection, 8), "question");
  EXPECT_EQ(end_of(listener, *connection), IoStatus::closed);
  EXPECT_EQ(connection->write(std::string_view("answer")).size, 6U);
  connection->finish();
  EXPECT_EQ(client.receive(100), "answer");
}

TEST_F(LwipSockets, ResetFailsReadsAndWrites) {
  TcpListener listener(connections, "127.0.0.1", 0);
  for (const bool writes : {false, true}) {
    Client client(listener.port());
    Connection* const connection = accept(listener);
    EXPECT_EQ(connection->write(std::string_view("x")).size, 1U);
    client.reset();
    if (writes) {
      IoStatus status = IoStatus::ok;
      while (status == IoStatus::ok || status == IoStatus::would_block) {
        if (status == IoStatus::would_block) listener.wait(mcp::forever);
        status = connection->write(std::string_view("x")).status;
      }
      EXPECT_EQ(status, IoStatus::failed);
    } else {
      EXPECT_EQ(end_of(listener, *connection), IoStatus::failed);
    }
    connection->close();
  }
}

TEST_F(LwipSockets, WaitsForASlowReader) {
  TcpListener listener(connections, "127.0.0.1", 0);
  const Client client(listener.port());
  Connection* const connection = accept(listener);
  const std::string much(10'000, 'x');
  for (int i = 0; i < 3; ++i) {
    std::size_t sent = 0;
    IoResult result{};
    // Until the memory of both ends is full. Then there is no space until the client reads.
    do {
      while ((result = connection->write(much)).status == IoStatus::ok) sent += result.size;
      EXPECT_EQ(result.status, IoStatus::would_block);
    } while (!sleeps(listener));
    std::thread reader([&] { EXPECT_EQ(client.receive(sent).size(), sent); });
    while ((result = connection->write(std::string_view("y"))).status == IoStatus::would_block) {
      listener.wait(mcp::forever);
    }
    EXPECT_EQ(result.status, IoStatus::ok);
    reader.join();
    EXPECT_EQ(client.receive(1), "y");
  }
}

TEST_F(LwipSockets, RejectsInvalidAddressesAndAPortInUse) {
  const TcpListener none(connections, "localhost", 0);
  EXPECT_FALSE(none.ok());
  const TcpListener first(connections, "127.0.0.1", 0);
  ASSERT_TRUE(first.ok());
  TcpConnection others[1];
  const TcpListener second(others, "127.0.0.1", first.port());
  EXPECT_EQ(errno, EADDRINUSE);
  EXPECT_FALSE(second.ok());
}

TEST_F(LwipSockets, AnotherTaskEndsTheWait) {
  TcpListener listener(connections, "127.0.0.1", 0);
  ASSERT_TRUE(listener.enable_wake()) << errno;
  listener.wait(mcp::forever);  // the first one returns
  EXPECT_TRUE(sleeps(listener));
  std::thread task([&] { listener.wake(); });
  listener.wait(mcp::forever);
  task.join();
  EXPECT_TRUE(sleeps(listener));
}

// One wait serves both ends.
TEST_F(LwipSockets, ConnectsToAServer) {
  TcpListener listener(connections, "127.0.0.1", 0);
  DialedConnection dialed[1];
  TcpDialer dialer(dialed, nullptr, &listener);
  ASSERT_TRUE(dialer.enable_wake()) << errno;
  dialer.wait(mcp::forever);  // the first one returns
  Connection* const client = dialer.dial("127.0.0.1", listener.port());
  ASSERT_NE(client, nullptr);
  while (client->write(std::string_view("question")).status == IoStatus::would_block) dialer.wait(mcp::forever);
  Connection* server = nullptr;
  while ((server = listener.accept()) == nullptr) dialer.wait(mcp::forever);
  std::string all;
  char bytes[64];
  while (all.size() < 8) {
    const IoResult result = server->read(bytes);
    all.append(bytes, result.size);
    if (result.status == IoStatus::would_block) dialer.wait(mcp::forever);
  }
  EXPECT_EQ(all, "question");
  server->close();
  IoStatus end = IoStatus::would_block;
  while ((end = client->read(bytes).status) == IoStatus::would_block) dialer.wait(mcp::forever);
  EXPECT_EQ(end, IoStatus::closed);
  client->close();
  std::thread task([&] { dialer.wake(); });
  dialer.wait(mcp::forever);
  task.join();
}

// No socket stays in use.
TEST_F(LwipSockets, ReportsARefusedConnection) {
  std::uint16_t port = 0;
  {
    const TcpListener listener(connections, "127.0.0.1", 0);
    port = listener.port();
  }
  DialedConnection dialed[1];
  TcpDialer dialer(dialed);
  for (int i = 0; i < 100; ++i) {
    Connection* const connection = dialer.dial("127.0.0.1", port);
    ASSERT_NE(connection, nullptr);
    char byte[1];
    IoStatus status = IoStatus::would_block;
    while ((status = connection->read(byte).status) == IoStatus::would_block) dialer.wait(mcp::forever);
    EXPECT_EQ(status, IoStatus::failed);
    EXPECT_EQ(dialer.reason(), mcp::DialProblem::refused) << dialer.problem();
    connection->close();
  }
}

// Each socket is one of MEMP_NUM_NETCONN: none may stay in use.
TEST_F(LwipSockets, KeepsNoSocket) {
  for (int i = 0; i < 100; ++i) {
    TcpListener listener(connections, "127.0.0.1", 0);
    ASSERT_TRUE(listener.ok()) << i << ": " << errno;
    Client client(listener.port());
    Connection* const connection = accept(listener);
    client.leave();
    EXPECT_EQ(end_of(listener, *connection), IoStatus::closed);
    if (i % 2 == 0) connection->close();
  }
}

}  // namespace
