// SPDX-License-Identifier: Apache-2.0
// Connections to servers over sockets of the kernel. Names come from a name server of the test. Nothing here sleeps: a
// wait that must return has something to wait for.
#include <netdb.h>
#include <netinet/tcp.h>

#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "ports/dialer_fixture.hpp"

namespace {

using mcp::Connection;
using mcp::Dialer;
using mcp::DialProblem;
using mcp::IoStatus;
using mcp::sockets::Addresses;
using mcp::sockets::IpAddress;
using mcp::sockets::LookUp;
using mcp::sockets::LookUpStatus;
using test::DialedConnection;
using test::Dialing;
using test::end_of_dialed;
using test::expect_works;
using test::NameServer;
using test::read_of;
using test::ServerEnd;
using test::ServerPort;
using test::TcpClient;
using test::TcpDialer;
using test::TcpListener;
using test::until;
using test::wait_sleeps;
using test::wait_until;
using test::write;

IoStatus status_of_read(Connection& connection) {
  char byte[1];
  return connection.read(byte).status;
}

// ---- Hosts -------------------------------------------------------------------------------------------------------

TEST_F(Dialing, RejectsInvalidHosts) {
  TcpDialer dialer(dialed);
  EXPECT_EQ(dialer.reason(), DialProblem::none);
  EXPECT_STREQ(dialer.problem(), "no connection has failed");
  const std::string longest(Dialer::most_host_size, 'a');
  const std::string too_long = longest + 'a';
  const std::string_view hosts[] = {"",          "two words", "host\n",      "user@host",
                                    "host/path", "[::1]",     "h\xC3\xB6st", too_long};
  for (const std::string_view host : hosts) {
    EXPECT_EQ(dialer.dial(host, 1), nullptr) << host;
    EXPECT_EQ(dialer.reason(), DialProblem::invalid_host);
  }
  EXPECT_EQ(dialer.dial("host", 0), nullptr);
  EXPECT_STREQ(dialer.problem(), "the host or the port is invalid");
  EXPECT_TRUE(Dialer::is_host(longest));
  EXPECT_TRUE(Dialer::is_host("_mqtt.Broker-1.example."));
  EXPECT_TRUE(Dialer::is_host("fe80::1%eth0"));
}

// The option TCP_NODELAY of the socket that is connected to the port; -1 without such a socket.
int no_delay_towards(std::uint16_t port) {
  for (int fd = 0; fd < 1024; ++fd) {
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    if (getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0 || ntohs(peer.sin_port) != port) continue;
    int value = -1;
    size = sizeof value;
    EXPECT_EQ(getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &value, &size), 0);
    return value;
  }
  return -1;
}

TEST_F(Dialing, ConnectsToAnAddress) {
  const ServerPort port;
  port.listen();
  TcpDialer dialer(dialed);
  Connection* const connection = dialer.dial("127.0.0.1", port.number());
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(connection->peer(), 0x7F00'0001U);
  expect_works(dialer, *connection, port);
  // Else a PUBLISH of MQTT that follows a PUBACK waits 40 ms for the acknowledgement of the PUBACK.
  EXPECT_EQ(no_delay_towards(port.number()), 1);
  EXPECT_EQ(end_of_dialed(dialer, *connection), IoStatus::closed);
  EXPECT_EQ(dialer.reason(), DialProblem::none);
  connection->close();
}

TEST_F(Dialing, ConnectsToAnAddressOfIpV6) {
  const int fd = socket(AF_INET6, SOCK_STREAM, 0);
  if (fd >= 0) close(fd);
  test::TcpConnection none[1];
  if (fd < 0 || !TcpListener(none, "::1", 0).ok()) GTEST_SKIP() << "this machine has no IPv6";
  const ServerPort port("::1");
  port.listen();
  NameServer names;
  names.add("broker", {"::1"});
  TcpDialer dialer(dialed);
  for (const char* const host : {"::1", "broker"}) {
    Connection* const connection = dialer.dial(host, port.number());
    ASSERT_NE(connection, nullptr);
    expect_works(dialer, *connection, port);
    EXPECT_EQ(connection->peer(), 1U);
    connection->close();
  }
}

TEST_F(Dialing, ConnectsToAName) {
  const ServerPort port;
  port.listen();
  NameServer names;
  names.add("broker.example", {"127.0.0.1"});
  TcpDialer dialer(dialed);
  std::string host = "broker.example";
  Connection* const connection = dialer.dial(host, port.number());
  host.assign("another name, as the memory is the caller's");
  ASSERT_NE(connection, nullptr);
  expect_works(dialer, *connection, port);
  EXPECT_EQ(connection->peer(), 0x7F00'0001U);
}

// Until then, the program sleeps.
TEST_F(Dialing, LookUpDoesNotBlock) {
  const ServerPort port;
  port.listen();
  NameServer names;
  names.add("broker", {"127.0.0.1"});
  names.hold();
  TcpDialer dialer(dialed);
  Connection* const connection = dialer.dial("broker", port.number());
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(status_of_read(*connection), IoStatus::would_block);
  EXPECT_EQ(connection->write(std::string_view("x")).status, IoStatus::would_block);
  EXPECT_EQ(connection->peer(), 0U);
  EXPECT_TRUE(until([&] { return names.held() == 1; }));
  EXPECT_TRUE(wait_sleeps(dialer));
  EXPECT_EQ(status_of_read(*connection), IoStatus::would_block);
  names.release();
  expect_works(dialer, *connection, port);
}

TEST_F(Dialing, ReportsWhyALookUpFailed) {
  struct Row {
    int error;
    DialProblem reason;
    const char* problem;
  };
  constexpr Row rows[] = {{EAI_NONAME, DialProblem::unknown_host, "the name of the host is unknown"},
                          {EAI_FAIL, DialProblem::unknown_host, "the name of the host is unknown"},
                          {EAI_AGAIN, DialProblem::no_name_server, "no name server responds"},
                          {EAI_SYSTEM, DialProblem::no_memory, "the device has no memory for the connection"},
                          {EAI_MEMORY, DialProblem::no_memory, "the device has no memory for the connection"},
                          {0, DialProblem::unknown_host, "the name of the host is unknown"}};
  for (const Row& row : rows) {
    NameServer names;
    names.fail("broker", row.error);  // without an error it has no address
    TcpDialer dialer(dialed);
    Connection* const connection = dialer.dial("broker", 1);
    ASSERT_NE(connection, nullptr);
    EXPECT_EQ(end_of_dialed(dialer, *connection), IoStatus::failed);
    EXPECT_EQ(connection->write(std::string_view("x")).status, IoStatus::failed);
    EXPECT_EQ(dialer.reason(), row.reason) << row.error;
    EXPECT_STREQ(dialer.problem(), row.problem);
    connection->close();
  }
}

// ---- Connecting --------------------------------------------------------------------------------------------------

TEST_F(Dialing, ReportsARefusedConnection) {
  const ServerPort port;
  TcpDialer dialer(dialed);
  Connection* const connection = dialer.dial("127.0.0.1", port.number());
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(end_of_dialed(dialer, *connection), IoStatus::failed);
  EXPECT_EQ(dialer.reason(), DialProblem::refused);
  EXPECT_STREQ(dialer.problem(), "the host refuses the connection");
  EXPECT_EQ(connection->write(std::string_view("x")).status, IoStatus::failed);
  EXPECT_TRUE(wait_sleeps(dialer)) << "a failed connection has no event";
  EXPECT_EQ(status_of_read(*connection), IoStatus::failed);
  connection->close();
  // The object is free, and the next connection works.
  port.listen();
  Connection* const next = dialer.dial("127.0.0.1", port.number());
  ASSERT_EQ(next, connection);
  expect_works(dialer, *next, port);
}

TEST_F(Dialing, TriesTheNextAddress) {
  const ServerPort port;
  port.listen();
  NameServer names;
  names.add("broker", {"127.0.0.2", "127.0.0.3", "127.0.0.1"});
  TcpDialer dialer(dialed);
  Connection* const connection = dialer.dial("broker", port.number());
  ASSERT_NE(connection, nullptr);
  expect_works(dialer, *connection, port);
  EXPECT_EQ(connection->peer(), 0x7F00'0001U);
  EXPECT_EQ(dialer.reason(), DialProblem::none) << "it is connected";
}

TEST_F(Dialing, FailsAfterTheLastAddress) {
  const ServerPort port;
  NameServer names;
  names.add("broker", {"127.0.0.2", "127.0.0.1"});
  TcpDialer dialer(dialed);
  Connection* const connection = dialer.dial("broker", port.number());
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(end_of_dialed(dialer, *connection), IoStatus::failed);
  EXPECT_EQ(dialer.reason(), DialProblem::refused);
}

// A listening socket whose queue is full does not respond, until the server takes a client.
TEST_F(Dialing, WaitsForASlowServer) {
  const ServerPort port;
  port.listen(0);
  const TcpClient first(port.number());
  TcpDialer dialer(dialed);
  Connection* const connection = dialer.dial("127.0.0.1", port.number());
  ASSERT_NE(connection, nullptr);
  EXPECT_TRUE(wait_sleeps(dialer));
  EXPECT_EQ(status_of_read(*connection), IoStatus::would_block);
  EXPECT_EQ(connection->write(std::string_view("x")).status, IoStatus::would_block);
  Connection* const closed = dialer.dial("127.0.0.1", port.number());
  ASSERT_NE(closed, nullptr);
  closed->close();  // on its way
  const ServerEnd other = port.accept();
  expect_works(dialer, *connection, port);
}

TEST_F(Dialing, ResetFailsTheConnection) {
  const ServerPort port;
  port.listen();
  TcpDialer dialer(dialed);
  Connection* const connection = dialer.dial("127.0.0.1", port.number());
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(write(dialer, *connection, "question"), IoStatus::ok);
  port.accept().reset();
  EXPECT_EQ(end_of_dialed(dialer, *connection), IoStatus::failed);
}

TEST_F(Dialing, ReadsAfterFinish) {
  const ServerPort port;
  port.listen();
  TcpDialer dialer(dialed);
  Connection* const connection = dialer.dial("127.0.0.1", port.number());
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(write(dialer, *connection, "question"), IoStatus::ok);
  connection->finish();
  ServerEnd server = port.accept();
  EXPECT_EQ(server.receive(100), "question");
  server.send("answer");
  server.leave();
  EXPECT_EQ(read_of(dialer, *connection, 6), "answer");
  EXPECT_EQ(end_of_dialed(dialer, *connection), IoStatus::closed);
}

TEST_F(Dialing, SlowReaderDelaysTheWriter) {
  const ServerPort port;
  port.listen();
  TcpDialer dialer(dialed);
  Connection* const connection = dialer.dial("127.0.0.1", port.number());
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(write(dialer, *connection, "x"), IoStatus::ok);
  const ServerEnd server = port.accept();
  const std::string much(100'000, 'x');
  std::size_t sent = 1;
  mcp::IoResult result{};
  while ((result = connection->write(much)).status == IoStatus::ok) sent += result.size;
  EXPECT_EQ(result.status, IoStatus::would_block);
  EXPECT_TRUE(wait_sleeps(dialer)) << "there is no space until the server reads";
  EXPECT_EQ(server.receive(sent).size(), sent);
  EXPECT_EQ(write(dialer, *connection, "y"), IoStatus::ok);
  EXPECT_EQ(server.receive(1), "y");
}

// ---- Objects -----------------------------------------------------------------------------------------------------

TEST_F(Dialing, ReportsThatAllConnectionsAreInUse) {
  const ServerPort port;
  port.listen();
  TcpDialer dialer(dialed);
  Connection* const first = dialer.dial("127.0.0.1", port.number());
  Connection* const second = dialer.dial("127.0.0.1", port.number());
  ASSERT_TRUE(first != nullptr && second != nullptr && first != second);
  EXPECT_EQ(dialer.dial("127.0.0.1", port.number()), nullptr);
  EXPECT_EQ(dialer.reason(), DialProblem::in_use);
  EXPECT_STREQ(dialer.problem(), "all connections of the device are in use");
  first->close();
  EXPECT_EQ(dialer.dial("127.0.0.1", port.number()), first);
}

TEST_F(Dialing, ClosesInEachState) {
  const ServerPort port;
  NameServer names;
  names.add("broker", {"127.0.0.1"});
  TcpDialer dialer({dialed, 1});
  const auto dial = [&](const char* host) {
    Connection* const connection = dialer.dial(host, port.number());
    EXPECT_EQ(dialer.dial("busy", 1), nullptr);
    return connection;
  };
  // Looking up, with a wait before the next use of the object, and without.
  for (const bool waits : {true, false}) {
    names.hold();
    Connection* const connection = dial("broker");
    ASSERT_NE(connection, nullptr);
    connection->close();
    if (waits) dialer.wait(0);
    names.release();
  }
  // Failed.
  Connection* connection = dial("127.0.0.1");
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(end_of_dialed(dialer, *connection), IoStatus::failed);
  connection->close();
  // Connecting, and connected.
  port.listen();
  for (const bool is_connected : {false, true}) {
    connection = dial("broker");
    ASSERT_NE(connection, nullptr);
    if (is_connected) {
      EXPECT_EQ(write(dialer, *connection, "x"), IoStatus::ok);
    }
    connection->close();
  }
  // The object works after all of it.
  const ServerPort other;
  other.listen();
  connection = dialer.dial("127.0.0.1", other.number());
  ASSERT_NE(connection, nullptr);
  expect_works(dialer, *connection, other);
}

TEST_F(Dialing, DestroyedDialerClosesItsConnections) {
  const ServerPort port;
  port.listen();
  NameServer names;
  names.hold();
  std::vector<ServerEnd> server;
  {
    TcpDialer dialer(dialed);
    EXPECT_NE(dialer.dial("broker", 1), nullptr);
    Connection* const connection = dialer.dial("127.0.0.1", port.number());
    ASSERT_NE(connection, nullptr);
    EXPECT_EQ(write(dialer, *connection, "x"), IoStatus::ok);
    server.push_back(port.accept());
  }
  EXPECT_EQ(server[0].receive(100), "x");
}

// Closed connections leave their threads to the name server.
TEST_F(Dialing, LimitsTheThreads) {
  const ServerPort port;
  port.listen();
  NameServer names;
  names.add("broker", {"127.0.0.1"});
  names.hold();
  TcpDialer dialer({dialed, 1});
  for (int i = 0; i < 8; ++i) {
    Connection* const connection = dialer.dial("broker", port.number());
    ASSERT_NE(connection, nullptr);
    EXPECT_EQ(status_of_read(*connection), IoStatus::would_block);
    connection->close();
  }
  Connection* connection = dialer.dial("broker", port.number());
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(status_of_read(*connection), IoStatus::failed);
  EXPECT_EQ(dialer.reason(), DialProblem::no_memory);
  connection->close();
  names.release();
  EXPECT_TRUE(until([&] {
    connection = dialer.dial("broker", port.number());
    if (status_of_read(*connection) == IoStatus::would_block) return true;
    connection->close();
    return false;
  }));
  expect_works(dialer, *connection, port);
}

TEST_F(Dialing, UsesALimitedNumberOfConnections) {
  static DialedConnection many[mcp::sockets::SocketDialer::most_connections + 1];
  const ServerPort port;
  port.listen(32);
  TcpDialer dialer(many);
  for (std::size_t i = 0; i + 1 < std::size(many); ++i) EXPECT_NE(dialer.dial("127.0.0.1", port.number()), nullptr);
  EXPECT_EQ(dialer.dial("127.0.0.1", port.number()), nullptr);
  dialer.wait(1'000);
}

TEST(SocketAddresses, KeepBothFamilies) {
  Addresses addresses;
  for (std::uint8_t i = 0; i < 6; ++i) addresses.add({.bytes = {i}, .size = 16, .zone = 0});
  EXPECT_EQ(addresses.size(), Addresses::most_of_family);
  for (std::uint8_t i = 0; i < 2; ++i) addresses.add({.bytes = {i}, .size = 4, .zone = 0});
  ASSERT_EQ(addresses.size(), Addresses::most);
  EXPECT_EQ(addresses[2].bytes[0], 2U);
  EXPECT_EQ(addresses[3].size, 4U);
}

// ---- A listener and a dialer -------------------------------------------------------------------------------------

TEST_F(Dialing, OneWaitServesAListenerAndADialer) {
  static test::TcpConnection many[32];  // wait() takes the larger array of sockets
  for (const std::size_t count : {2U, 32U}) {
    TcpListener listener({many, count}, "127.0.0.1", 0);
    ASSERT_TRUE(listener.ok() && listener.enable_wake());
    TcpDialer dialer(dialed, &listener);
    ASSERT_TRUE(dialer.enable_wake());
    dialer.wait(mcp::forever);  // of the first wakes
    EXPECT_TRUE(until([&] { return wait_sleeps(dialer); }));
    listener.wake();
    dialer.wait(mcp::forever);
    EXPECT_TRUE(wait_sleeps(dialer));
    dialer.wake();
    dialer.wait(mcp::forever);
    EXPECT_TRUE(wait_sleeps(dialer));
    // The dialer's server is the listener.
    EXPECT_EQ(listener.accept(), nullptr);
    Connection* const client = dialer.dial("127.0.0.1", listener.port());
    ASSERT_NE(client, nullptr);
    EXPECT_EQ(write(dialer, *client, "question"), IoStatus::ok);
    Connection* server = nullptr;
    EXPECT_TRUE(wait_until(dialer, [&] { return (server = listener.accept()) != nullptr; }));
    ASSERT_NE(server, nullptr);
    EXPECT_EQ(read_of(dialer, *server, 8), "question");
    EXPECT_EQ(status_of_read(*client), IoStatus::would_block);
    EXPECT_EQ(server->write(std::string_view("answer")).size, 6U);
    EXPECT_EQ(read_of(dialer, *client, 6), "answer");
    EXPECT_EQ(status_of_read(*client), IoStatus::would_block);
    EXPECT_EQ(status_of_read(*server), IoStatus::would_block);
    EXPECT_TRUE(wait_sleeps(dialer));
    server->close();
    EXPECT_EQ(end_of_dialed(dialer, *client), IoStatus::closed);
  }
}

TEST_F(Dialing, WakeEndsTheWait) {
  TcpDialer dialer(dialed);
  dialer.wake();  // has no effect yet
  EXPECT_TRUE(wait_sleeps(dialer));
  ASSERT_TRUE(dialer.enable_wake());
  EXPECT_TRUE(dialer.enable_wake()) << "once is enough";
  dialer.wait(mcp::forever);  // the first one returns
  EXPECT_TRUE(wait_sleeps(dialer));
  std::thread thread([&] { dialer.wake(); });
  dialer.wait(mcp::forever);
  thread.join();
  for (int i = 0; i < 100; ++i) dialer.wake();  // more than one wait reads
  dialer.wait(mcp::forever);
  EXPECT_TRUE(until([&] { return wait_sleeps(dialer); }));
}

// ---- Look-ups of an application ----------------------------------------------------------------------------------

// One look-up at a time, and a task that is the test.
class Task final : public mcp::sockets::Resolver {
 public:
  std::string name;
  LookUp outcome{};
  bool is_busy = false;

 private:
  int do_begin(std::string_view host) override {
    if (is_busy) return -1;
    is_busy = true;
    outcome = {};
    name = host;
    return 0;
  }
  LookUp do_result(int number) override {
    EXPECT_TRUE(is_busy && number == 0);
    return outcome;
  }
  void do_end(int) override { is_busy = false; }
};

TEST_F(Dialing, ResolverOfAnApplicationWakesTheDialer) {
  const ServerPort port;
  port.listen();
  Task task;
  mcp::sockets::TcpDialer dialer(dialed, &task);
  ASSERT_TRUE(dialer.enable_wake());
  dialer.wait(mcp::forever);
  Connection* const connection = dialer.dial("broker", port.number());
  ASSERT_NE(connection, nullptr);
  EXPECT_TRUE(wait_sleeps(dialer));
  EXPECT_EQ(status_of_read(*connection), IoStatus::would_block);
  Connection* const second = dialer.dial("other", port.number());
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(status_of_read(*second), IoStatus::failed) << "the task has one look-up";
  EXPECT_EQ(dialer.reason(), DialProblem::no_memory);
  second->close();
  EXPECT_EQ(task.name, "broker");
  task.outcome.status = LookUpStatus::found;
  task.outcome.addresses.add({.bytes = {127, 0, 0, 1}, .size = 4, .zone = 0});
  dialer.wake();
  expect_works(dialer, *connection, port);
  EXPECT_FALSE(task.is_busy);
}

TEST_F(Dialing, EndsALookUpOfAClosedConnection) {
  Task task;
  mcp::sockets::TcpDialer dialer(dialed, &task);
  Connection* const connection = dialer.dial("broker", 1);
  ASSERT_NE(connection, nullptr);
  connection->close();
  EXPECT_TRUE(task.is_busy);
  dialer.wait(0);
  EXPECT_FALSE(task.is_busy);
  {
    mcp::sockets::TcpDialer other({dialed, 1}, &task);
    EXPECT_NE(other.dial("broker", 1), nullptr);
    EXPECT_TRUE(task.is_busy);
  }
  EXPECT_FALSE(task.is_busy);
}

TEST_F(Dialing, WithoutAResolverNamesAreUnknown) {
  const ServerPort port;
  port.listen();
  mcp::sockets::TcpDialer dialer(dialed);
  Connection* const connection = dialer.dial("broker", port.number());
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(status_of_read(*connection), IoStatus::failed);
  EXPECT_EQ(dialer.reason(), DialProblem::unknown_host);
  Connection* const numeric = dialer.dial("127.0.0.1", port.number());
  ASSERT_NE(numeric, nullptr);
  expect_works(dialer, *numeric, port);
}

}  // namespace
