// SPDX-License-Identifier: Apache-2.0
// The TCP port over sockets of the kernel. Nothing here sleeps: a wait that must return has something to wait for.
#include "mcp/ports/posix_tcp.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/ports/posix.hpp"
#include "support/tcp_client.hpp"

namespace {

using mcp::Connection;
using mcp::IoResult;
using mcp::IoStatus;
using mcp::posix::TcpConnection;
using mcp::posix::TcpListener;
using test::TcpClient;

/// No test leaves a descriptor open, or blocks for ever.
class Tcp : public testing::Test {
 protected:
  void SetUp() override {
    alarm(30);
    before_ = test::open_descriptors();
  }
  void TearDown() override {
    EXPECT_EQ(test::open_descriptors(), before_);
    alarm(0);
  }

  TcpConnection connections[2];

 private:
  std::size_t before_ = 0;
};

// A connection that is on its way.
Connection* accept(TcpListener& listener) {
  Connection* connection = listener.accept();
  for (int i = 0; connection == nullptr && i < 100; ++i) {
    listener.wait(1'000);
    connection = listener.accept();
  }
  return connection;
}

std::string read(TcpListener& listener, Connection& connection, std::size_t size) {
  std::string all;
  char bytes[64];
  for (int i = 0; all.size() < size && i < 100; ++i) {
    const IoResult result = connection.read(bytes);
    all.append(bytes, result.size);
    if (result.status == IoStatus::would_block) listener.wait(1'000);
    if (result.status == IoStatus::closed || result.status == IoStatus::failed) break;
  }
  return all;
}

// How a connection ends, when all was read.
IoStatus end_of(TcpListener& listener, Connection& connection) {
  char bytes[64];
  for (int i = 0; i < 1'000; ++i) {
    const IoResult result = connection.read(bytes);
    if (result.status == IoStatus::closed || result.status == IoStatus::failed) return result.status;
    if (result.status == IoStatus::would_block) listener.wait(1'000);
  }
  return IoStatus::ok;
}

template <class Done>
bool until(Done done) {
  const mcp::Millis begin = mcp::posix::now();
  while (!done()) {
    if (mcp::posix::now() - begin > 25'000) return false;
  }
  return true;
}

// True when a wait of 30 ms lasts as long.
bool sleeps(TcpListener& listener) {
  const mcp::Millis begin = mcp::posix::now();
  listener.wait(30);
  return mcp::posix::now() - begin >= 29;
}

// ---- Listening ---------------------------------------------------------------------------------------------------

TEST_F(Tcp, RejectsInvalidAddresses) {
  for (const char* const address : {"", "localhost", "127.0.0", "1.2.3.4.5", "::g", "[::1]", " 127.0.0.1"}) {
    const TcpListener listener(connections, address, 0);
    EXPECT_EQ(errno, EINVAL) << address;
    EXPECT_FALSE(listener.ok()) << address;
    EXPECT_EQ(listener.port(), 0);
  }
}

TEST_F(Tcp, RejectsAnAddressOfAnotherMachine) {
  const TcpListener listener(connections, "192.0.2.1", 0);
  EXPECT_EQ(errno, EADDRNOTAVAIL);
  EXPECT_FALSE(listener.ok());
}

TEST_F(Tcp, RejectsAPortInUse) {
  const TcpListener first(connections, "127.0.0.1", 0);
  EXPECT_TRUE(first.ok());
  TcpConnection others[1];
  const TcpListener second(others, "127.0.0.1", first.port());
  EXPECT_EQ(errno, EADDRINUSE);
  EXPECT_FALSE(second.ok());
}

// The error message for the user.
TEST_F(Tcp, ServerReportsAPortInUse) {
  const TcpListener first(connections, "127.0.0.1", 0);
  const std::string port = std::to_string(first.port());
  FILE* const server = popen(("timeout 10 " MOTE_SERVER " --port " + port + " 2>&1").c_str(), "r");
  ASSERT_NE(server, nullptr);
  char text[200] = {};
  const std::size_t size = std::fread(text, 1, sizeof text - 1, server);
  const int status = pclose(server);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1);
  EXPECT_NE(std::string_view(text, size).find(port), std::string_view::npos) << text;
  EXPECT_NE(std::string_view(text, size).find("Address already in use"), std::string_view::npos) << text;
}

// As after a restart: connections of before, which the kernel still remembers, are no reason to wait.
TEST_F(Tcp, ReusesAPortAfterARestart) {
  std::uint16_t port = 0;
  for (int i = 0; i < 2; ++i) {
    TcpListener listener(connections, "127.0.0.1", port);
    ASSERT_TRUE(listener.ok());
    port = listener.port();
    TcpClient client(port);
    Connection* const connection = accept(listener);
    ASSERT_NE(connection, nullptr);
    connection->close();  // this end first, which is the one that is remembered
    EXPECT_TRUE(until([&] { return client.ended(); }));
  }
}

bool has_ipv6() {
  const int fd = socket(AF_INET6, SOCK_STREAM, 0);
  if (fd >= 0) close(fd);
  TcpConnection none[1];
  return fd >= 0 && TcpListener(none, "::1", 0).ok();
}

TEST_F(Tcp, ListensOnBothFamilies) {
  if (!has_ipv6()) GTEST_SKIP() << "this machine has no IPv6";
  for (const char* const address : {"::1", "::"}) {
    TcpListener listener(connections, address, 0);
    ASSERT_TRUE(listener.ok()) << address;
    EXPECT_NE(listener.port(), 0);
    for (const char* const to : {"::1", "127.0.0.1"}) {
      if (address == std::string_view("::1") && to == std::string_view("127.0.0.1")) continue;
      TcpClient client(listener.port(), 0, to);
      client.send("x");
      Connection* const connection = accept(listener);
      ASSERT_NE(connection, nullptr);
      EXPECT_EQ(read(listener, *connection, 1), "x") << address << " " << to;
      connection->close();
    }
  }
}

TEST_F(Tcp, ReportsTheAddressOfTheClientAsItsPeer) {
  struct Row {
    const char* listens;
    const char* to;
    const char* from;
    std::uint64_t peer;
  };
  constexpr Row rows[] = {{"127.0.0.1", "127.0.0.1", "127.0.0.1", 0x7F00'0001},
                          {"127.0.0.1", "127.0.0.1", "127.1.2.3", 0x7F01'0203},
                          {"::", "127.0.0.1", "127.1.2.3", 0x7F01'0203},
                          {"::", "::1", nullptr, 1}};
  for (const Row& row : rows) {
    if (*row.listens == ':' && !has_ipv6()) continue;
    TcpListener listener(connections, row.listens, 0);
    ASSERT_TRUE(listener.ok()) << row.listens;
    TcpClient clients[] = {TcpClient(listener.port(), 0, row.to, row.from),
                           TcpClient(listener.port(), 0, row.to, row.from)};
    for (TcpClient& client : clients) {
      Connection* const connection = accept(listener);
      ASSERT_NE(connection, nullptr);
      EXPECT_EQ(connection->peer(), row.peer) << row.listens << " " << row.to;
      client.leave();
      EXPECT_EQ(end_of(listener, *connection), IoStatus::closed);
      EXPECT_EQ(connection->peer(), row.peer);
    }
  }
}

TEST_F(Tcp, WithoutADescriptorBindsNothing) {
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  const rlimit none{0, limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const TcpListener listener(connections, "127.0.0.1", 0);
  const int why = errno;
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_EQ(why, EMFILE);
  EXPECT_FALSE(listener.ok());
}

// ---- Accepting ---------------------------------------------------------------------------------------------------

TEST_F(Tcp, ClientsWaitForAConnectionObject) {
  TcpListener listener(connections, "127.0.0.1", 0);
  EXPECT_FALSE(listener.has_waiting());
  EXPECT_EQ(listener.accept(), nullptr);
  std::vector<TcpClient> clients;
  for (int i = 0; i < 3; ++i) clients.emplace_back(listener.port());
  Connection* const first = accept(listener);
  Connection* const second = accept(listener);
  ASSERT_TRUE(first != nullptr && second != nullptr && first != second);
  EXPECT_TRUE(until([&] { return listener.has_waiting(); }));
  EXPECT_EQ(listener.accept(), nullptr);
  listener.wait(0);  // reports each event once
  EXPECT_TRUE(sleeps(listener)) << "for a client that cannot be helped";
  first->close();
  EXPECT_EQ(listener.accept(), first);
  EXPECT_FALSE(listener.has_waiting());
}

// A client that cannot be accepted makes the socket readable for as long: to wait for that would be no wait.
TEST_F(Tcp, WithoutADescriptorAcceptsNoClient) {
  TcpListener listener(connections, "127.0.0.1", 0);
  TcpClient client(listener.port());
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  const rlimit none{0, limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  EXPECT_EQ(listener.accept(), nullptr);
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  listener.wait(0);
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  EXPECT_EQ(listener.accept(), nullptr);
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_TRUE(sleeps(listener));
  // It is tried again soon, although nothing will say that there is a descriptor.
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  EXPECT_EQ(listener.accept(), nullptr);
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  const mcp::Millis begin = mcp::posix::now();
  listener.wait(mcp::forever);
  EXPECT_LT(mcp::posix::now() - begin, 25'000U);
  Connection* const connection = listener.accept();
  ASSERT_NE(connection, nullptr);
  client.send("x");
  EXPECT_EQ(read(listener, *connection, 1), "x");
  listener.wait(0);
  const mcp::Millis again = mcp::posix::now();
  listener.wait(150);
  EXPECT_GE(mcp::posix::now() - again, 149U) << "there is nothing to be tried again";
}

TEST_F(Tcp, SkipsClientsThatLeftBeforeAccept) {
  TcpListener listener(connections, "127.0.0.1", 0);
  for (const bool reset : {false, true}) {
    TcpClient client(listener.port());
    client.send("x");
    reset ? client.break_off() : client.leave();
    Connection* const connection = accept(listener);
    ASSERT_NE(connection, nullptr);
    EXPECT_EQ(end_of(listener, *connection), reset ? IoStatus::failed : IoStatus::closed);
    connection->close();
  }
}

// ---- Connections -------------------------------------------------------------------------------------------------

TEST_F(Tcp, ReadsAfterFinish) {
  TcpListener listener(connections, "127.0.0.1", 0);
  TcpClient client(listener.port());
  Connection* const connection = accept(listener);
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(connection->write(std::string_view("answer")).size, 6U);
  connection->finish();
  EXPECT_TRUE(until([&] { return client.ended(); }));
  EXPECT_EQ(client.received(), "answer");
  client.send("more");
  EXPECT_EQ(read(listener, *connection, 4), "more");
  client.leave();
  EXPECT_EQ(end_of(listener, *connection), IoStatus::closed);
  connection->close();
}

TEST_F(Tcp, SendsAllBytesBeforeTheEnd) {
  TcpListener listener(connections, "127.0.0.1", 0);
  TcpClient client(listener.port());
  Connection* const connection = accept(listener);
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(connection->write(std::string_view("answer")).size, 6U);
  connection->close();
  EXPECT_TRUE(until([&] { return client.ended(); }));
  EXPECT_EQ(client.received(), "answer");
  EXPECT_FALSE(client.broken());
}

TEST_F(Tcp, ResetFailsReadsAndWrites) {
  TcpListener listener(connections, "127.0.0.1", 0);
  for (const bool writes : {false, true}) {
    TcpClient client(listener.port());
    Connection* const connection = accept(listener);
    ASSERT_NE(connection, nullptr);
    client.break_off();
    if (writes) {
      IoResult result{IoStatus::ok, 1};
      EXPECT_TRUE(
          until([&] { return result = connection->write(std::string_view("x")), result.status != IoStatus::ok; }));
      EXPECT_NE(result.status, IoStatus::would_block);  // and no SIGPIPE
      EXPECT_EQ(result.size, 0U);
    } else {
      EXPECT_EQ(end_of(listener, *connection), IoStatus::failed);
    }
    connection->close();
  }
}

// An event that was wanted before the last wait, and not since, does not wake the program.
TEST_F(Tcp, UnwantedEventsDoNotWake) {
  TcpListener listener(connections, "127.0.0.1", 0);
  TcpClient client(listener.port());
  Connection* const connection = accept(listener);
  ASSERT_NE(connection, nullptr);
  char byte[1];
  EXPECT_EQ(connection->read(byte).status, IoStatus::would_block);
  client.send("xy");
  listener.wait(mcp::forever);  // for the byte
  EXPECT_TRUE(sleeps(listener)) << "nobody has asked since";
  EXPECT_EQ(connection->read(byte).status, IoStatus::ok);
  EXPECT_TRUE(sleeps(listener)) << "what is there need not be waited for";
  EXPECT_EQ(listener.accept(), nullptr);
  TcpClient another(listener.port());
  listener.wait(mcp::forever);  // for the client
  EXPECT_TRUE(sleeps(listener)) << "nobody has asked for it since";
}

TEST_F(Tcp, DestroyedListenerClosesItsConnections) {
  TcpClient client = [&] {
    TcpListener listener(connections, "127.0.0.1", 0);
    TcpClient inside(listener.port());
    EXPECT_NE(accept(listener), nullptr);
    return inside;
  }();
  EXPECT_TRUE(until([&] { return client.ended(); }));
}

}  // namespace
