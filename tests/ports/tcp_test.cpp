// SPDX-License-Identifier: Apache-2.0
// The TCP port over sockets of the kernel. Nothing here sleeps: a wait that must return has something to wait for.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "ports/tcp_fixture.hpp"

namespace {

using mcp::Connection;
using mcp::IoResult;
using mcp::IoStatus;
using test::accept;
using test::end_of;
using test::read;
using test::sleeps;
using test::Tcp;
using test::TcpClient;
using test::TcpConnection;
using test::TcpListener;
using test::until;

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

// The socket of the server for its client.
int socket_at(std::uint16_t port) {
  for (int fd = 0; fd < 256; ++fd) {
    sockaddr_in own{}, peer{};
    socklen_t size = sizeof own;
    if (getsockname(fd, reinterpret_cast<sockaddr*>(&own), &size) != 0 || own.sin_family != AF_INET) continue;
    size = sizeof peer;
    if (ntohs(own.sin_port) == port && getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) == 0) return fd;
  }
  return -1;
}

int option_of(int fd, int level, int option) {
  int value = -1;
  socklen_t size = sizeof value;
  EXPECT_EQ(getsockopt(fd, level, option, &value, &size), 0);
  return value;
}

// A client that has vanished is found within a minute, also if bytes for it are not acknowledged. The first of them is
// a comment after at most 15 s.
TEST_F(Tcp, FindsAVanishedClient) {
  TcpListener listener(connections, "127.0.0.1", 0);
  const TcpClient client(listener.port());
  ASSERT_NE(accept(listener), nullptr);
  const int fd = socket_at(listener.port());
  ASSERT_GE(fd, 0);
  EXPECT_EQ(option_of(fd, SOL_SOCKET, SO_KEEPALIVE), 1);
#ifdef TCP_USER_TIMEOUT
  const int silence_s = option_of(fd, IPPROTO_TCP, TCP_KEEPIDLE);
  const int interval_s = option_of(fd, IPPROTO_TCP, TCP_KEEPINTVL);
  EXPECT_LE(silence_s + interval_s * option_of(fd, IPPROTO_TCP, TCP_KEEPCNT), 60);
  const int unacknowledged_ms = option_of(fd, IPPROTO_TCP, TCP_USER_TIMEOUT);
  EXPECT_GE(unacknowledged_ms, silence_s * 1'000 + interval_s * 1'000) << "it also limits keep-alive";
  EXPECT_LE(unacknowledged_ms, 45'000);
#endif
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

// And sets no flag of a transport, which may no longer exist.
TEST_F(Tcp, DestroyedListenerClosesItsConnections) {
  bool ready = false;
  TcpClient client = [&] {
    TcpListener listener(connections, "127.0.0.1", 0);
    TcpClient inside(listener.port());
    Connection* const connection = accept(listener);
    EXPECT_NE(connection, nullptr);
    if (connection != nullptr) connection->note_input_at(&ready);
    return inside;
  }();
  EXPECT_FALSE(ready);
  EXPECT_TRUE(until([&] { return client.ended(); }));
}

// No event may be lost, however the bytes are cut.
TEST_F(Tcp, KeepsEveryEvent) {
  TcpListener listener({connections, 1}, "127.0.0.1", 0);
  TcpClient first(listener.port());
  TcpClient second(listener.port());
  Connection* const connection = accept(listener);
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(listener.accept(), nullptr) << "there is no second object";
  char text[8];
  const auto wait_and_read = [&](std::span<char> into) {
    for (;;) {
      const IoResult result = connection->read(into);
      if (result.status != IoStatus::would_block) return result;
      listener.wait(mcp::forever);
    }
  };
  first.send("abcd");
  EXPECT_EQ(wait_and_read({text, 3}).size, 3U);
  EXPECT_EQ(wait_and_read(text).size, 1U);
  EXPECT_EQ(connection->read(text).status, IoStatus::would_block);
  // The end comes with the last bytes, and after a short read.
  first.send("e");
  first.finish();
  EXPECT_EQ(wait_and_read(text).size, 1U);
  EXPECT_EQ(wait_and_read(text).status, IoStatus::closed);
  connection->close();

  // The kernel has reported the second one long ago.
  EXPECT_EQ(listener.accept(), connection);
  second.send("f");
  EXPECT_EQ(wait_and_read(text).size, 1U);

  // A slow reader, and a wake-up when there is space.
  const std::string much(100'000, 'x');
  std::size_t sent = 0;
  IoResult result{};
  while ((result = connection->write(much)).status == IoStatus::ok) sent += result.size;
  EXPECT_EQ(result.status, IoStatus::would_block);
  EXPECT_TRUE(sleeps(listener)) << "there is no space until the client reads";
  EXPECT_TRUE(until([&] { return second.received().size() == sent; }));
  while ((result = connection->write(much)).status == IoStatus::would_block) listener.wait(mcp::forever);
  EXPECT_EQ(result.status, IoStatus::ok);
  connection->close();
}

TEST_F(Tcp, ServesAHalfClosedClient) {
  TcpListener listener(connections, "127.0.0.1", 0);
  TcpClient client(listener.port());
  client.send("question");
  client.finish();
  Connection* const connection = accept(listener);
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(read(listener, *connection, 100), "question");
  EXPECT_EQ(connection->write(std::string_view("answer")).size, 6U);
  connection->finish();
  EXPECT_EQ(end_of(listener, *connection), IoStatus::closed);
  connection->close();
  EXPECT_TRUE(until([&] { return client.ended(); }));
  EXPECT_EQ(client.received(), "answer");
}

// As many as each of the sizes of wait() takes, and one more.
TEST_F(Tcp, ServesManyConnections) {
  static TcpConnection many[64];
  for (const std::size_t count : {6U, 7U, 30U, 31U, 32U, 64U}) {
    TcpListener listener({many, count}, "127.0.0.1", 0);
    ASSERT_TRUE(listener.ok());
    std::vector<TcpClient> clients;
    std::vector<Connection*> accepted;
    for (std::size_t i = 0; i < count; ++i) {
      clients.emplace_back(listener.port());
      accepted.push_back(accept(listener));
      ASSERT_NE(accepted.back(), nullptr);
    }
    TcpClient waits(listener.port());
    EXPECT_TRUE(until([&] { return listener.has_waiting(); }));
    EXPECT_EQ(listener.accept(), nullptr);
    char byte[1];
    for (Connection* const connection : accepted) EXPECT_EQ(connection->read(byte).status, IoStatus::would_block);
    // The last one first: each of them wakes the program.
    for (std::size_t i = count; i-- != 0;) {
      clients[i].send(std::to_string(i));
      listener.wait(mcp::forever);
      EXPECT_EQ(read(listener, *accepted[i], std::to_string(i).size()), std::to_string(i));
    }
    EXPECT_TRUE(sleeps(listener));
    accepted[count / 2]->close();
    EXPECT_EQ(listener.accept(), accepted[count / 2]);
  }
}

TEST_F(Tcp, ListenerWithoutConnectionsSleeps) {
  TcpListener listener({}, "127.0.0.1", 0);
  TcpClient client(listener.port());
  EXPECT_EQ(listener.accept(), nullptr);
  EXPECT_TRUE(until([&] { return listener.has_waiting(); }));
  listener.wait(0);  // reports each event once
  EXPECT_TRUE(sleeps(listener));
}

// ---- Ending a wait -------------------------------------------------------------------------------------------------

TEST_F(Tcp, WakeEndsTheWait) {
  TcpListener listener(connections, "127.0.0.1", 0);
  listener.wake();  // has no effect yet
  ASSERT_TRUE(listener.enable_wake());
  EXPECT_TRUE(listener.enable_wake()) << "once is enough";
  listener.wait(mcp::forever);  // the first one returns
  EXPECT_TRUE(sleeps(listener));
  listener.wake();
  listener.wake();
  listener.wait(mcp::forever);
  EXPECT_TRUE(sleeps(listener)) << "both wakes ended one wait";
  std::thread thread([&] { listener.wake(); });
  listener.wait(mcp::forever);
  thread.join();
  for (int i = 0; i < 100'000; ++i) listener.wake();  // more than the system keeps
  listener.wait(mcp::forever);
  EXPECT_TRUE(until([&] { return sleeps(listener); }));
  listener.wake();  // there is space again
  listener.wait(mcp::forever);
  TcpClient client(listener.port());
  Connection* const connection = accept(listener);
  ASSERT_NE(connection, nullptr);
  client.send("x");
  EXPECT_EQ(read(listener, *connection, 1), "x");
}

// Four threads wake the main loop as long as it runs. None of their wakes may be lost.
TEST_F(Tcp, WakesOfManyThreadsAreNotLost) {
  TcpListener listener(connections, "127.0.0.1", 0);
  ASSERT_TRUE(listener.enable_wake());
  constexpr unsigned rounds = 2'000;
  std::atomic<unsigned> done[4] = {};
  std::vector<std::thread> threads;
  for (std::atomic<unsigned>& own : done) {
    threads.emplace_back([&] {
      for (unsigned i = 0; i < rounds; ++i) {
        ++own;
        listener.wake();
      }
    });
  }
  while (std::any_of(std::begin(done), std::end(done), [](const auto& own) { return own != rounds; })) {
    listener.wait(mcp::forever);
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
