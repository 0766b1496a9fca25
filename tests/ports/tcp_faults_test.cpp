// SPDX-License-Identifier: Apache-2.0
// Each call of the system fails once, and many times. The listener serves the next client, and does not spin.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cerrno>
#include <string>
#include <string_view>

#include "ports/socket_faults.hpp"
#include "ports/tcp_fixture.hpp"

namespace {

using mcp::Connection;
using mcp::IoStatus;
using test::accept;
using test::Call;
using test::calls_of;
using test::end_of;
using test::Fault;
using test::read;
using test::sleeps;
using test::TcpClient;
using test::TcpConnection;
using test::TcpListener;
using test::until;

class TcpFaults : public test::Tcp {
 protected:
  // A client gets an answer.
  static void expect_served(TcpListener& listener, TcpClient& client, Connection* connection) {
    ASSERT_NE(connection, nullptr);
    client.send("question");
    EXPECT_EQ(read(listener, *connection, 8), "question");
    EXPECT_EQ(connection->write(std::string_view("answer")).size, 6U);
    connection->close();
    EXPECT_TRUE(until([&] { return client.ended(); }));
    EXPECT_EQ(client.received(), "answer");
  }
};

#ifdef MOTE_POSIX_POLL
constexpr bool has_epoll = false;
#else
constexpr bool has_epoll = true;
#endif

// ---- Listening ---------------------------------------------------------------------------------------------------

TEST_F(TcpFaults, ListeningReportsTheError) {
  struct Row {
    Call call;
    int error;
    int skipped;
  };
  // Of the two calls of fcntl, the second one decides.
  constexpr Row rows[] = {{Call::socket, ENFILE, 0},       {Call::fcntl, EINVAL, 1},
                          {Call::bind, EACCES, 0},         {Call::listen, EADDRINUSE, 0},
                          {Call::getsockname, ENOBUFS, 0}, {Call::epoll_create1, EMFILE, 0},
                          {Call::epoll_ctl, ENOSPC, 0}};
  for (const Row& row : rows) {
    if (!has_epoll && (row.call == Call::epoll_create1 || row.call == Call::epoll_ctl)) continue;
    const Fault fault(row.call, row.error, 1, row.skipped);
    TcpListener listener(connections, "127.0.0.1", 0);
    EXPECT_EQ(errno, row.error) << static_cast<int>(row.call);
    EXPECT_EQ(fault.count(), 1);
    EXPECT_FALSE(listener.ok());
  }
}

TEST_F(TcpFaults, ServesWithoutOptions) {
  const Fault fault(Call::setsockopt, ENOPROTOOPT, 1);
  TcpListener listener(connections, "127.0.0.1", 0);
  EXPECT_TRUE(listener.ok());
  EXPECT_EQ(fault.count(), 1);
  TcpClient client(listener.port());
  expect_served(listener, client, accept(listener));
}

// ---- Accepting ---------------------------------------------------------------------------------------------------

TEST_F(TcpFaults, SkipsAClientThatLeft) {
  for (const int error : {ECONNABORTED, EINTR}) {
    TcpListener listener(connections, "127.0.0.1", 0);
    TcpClient client(listener.port());
    EXPECT_TRUE(until([&] { return listener.has_waiting(); }));
    const Fault fault(Call::accept, error, 3);
    expect_served(listener, client, listener.accept());
    EXPECT_EQ(fault.count(), 3);
  }
}

TEST_F(TcpFaults, AcceptsAgainAfterAnError) {
  for (const int error : {EMFILE, ENFILE, ENOBUFS, ENOMEM, EPROTO, ENETDOWN, EHOSTUNREACH, EOPNOTSUPP, ECONNABORTED}) {
    TcpListener listener(connections, "127.0.0.1", 0);
    TcpClient client(listener.port());
    EXPECT_TRUE(until([&] { return listener.has_waiting(); }));
    {
      const Fault fault(Call::accept, error, 1'000);
      EXPECT_EQ(listener.accept(), nullptr);
      const int failed = fault.count();
      EXPECT_EQ(listener.accept(), nullptr);
      EXPECT_EQ(fault.count(), failed) << "it was tried again at once";
      EXPECT_TRUE(listener.has_waiting());
      listener.wait(0);
      EXPECT_EQ(listener.accept(), nullptr);
      EXPECT_TRUE(sleeps(listener)) << error;
      EXPECT_EQ(listener.accept(), nullptr);
    }
    const mcp::Millis begin = mcp::posix::now();
    listener.wait(mcp::forever);
    EXPECT_LT(mcp::posix::now() - begin, 25'000U);
    expect_served(listener, client, listener.accept());
  }
}

// A socket that cannot be prepared is closed, and the next client is served by the same call.
TEST_F(TcpFaults, ServesTheNextClientAfterAFailedSocket) {
  for (const Call call : {Call::fcntl, Call::epoll_ctl}) {
    if (!has_epoll && call == Call::epoll_ctl) continue;
    TcpListener listener(connections, "127.0.0.1", 0);
    TcpClient first(listener.port());
    TcpClient second(listener.port());
    EXPECT_TRUE(until([&] { return listener.has_waiting(); }));
    const Fault fault(call, ENOMEM, 1, call == Call::fcntl ? 1 : 0);
    Connection* const connection = listener.accept();
    EXPECT_EQ(fault.count(), 1);
    EXPECT_TRUE(until([&] { return first.ended() || first.broken(); }));
    expect_served(listener, second, connection);
  }
}

TEST_F(TcpFaults, WithoutAWaitingClientAcceptsLater) {
  TcpListener listener(connections, "127.0.0.1", 0);
  {
    const Fault fault(Call::poll, ENOMEM);
    EXPECT_FALSE(listener.has_waiting());
    EXPECT_EQ(fault.count(), 1);
  }
  TcpClient client(listener.port());
  expect_served(listener, client, accept(listener));
}

// The transport would close its idle connections for a client that is not there.
TEST_F(TcpFaults, NoClientWaitsAtAListeningSocketThatHasFailed) {
  TcpListener listener(connections, "127.0.0.1", 0);
  int socket = 2;
  for (int listens = 0; listens == 0 && socket < 64;) {
    socklen_t size = sizeof listens;
    if (getsockopt(++socket, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0) listens = 0;
  }
  ASSERT_EQ(shutdown(socket, SHUT_RDWR), 0);
  EXPECT_FALSE(listener.has_waiting());
  EXPECT_EQ(listener.accept(), nullptr);
  EXPECT_FALSE(listener.has_waiting());
  listener.wait(0);
  EXPECT_EQ(listener.accept(), nullptr);
  EXPECT_TRUE(sleeps(listener));
}

// ---- Connections -------------------------------------------------------------------------------------------------

TEST_F(TcpFaults, ReadsAgainAfterAnError) {
  for (const int error : {ENOBUFS, ENOMEM}) {
    TcpListener listener(connections, "127.0.0.1", 0);
    TcpClient client(listener.port());
    Connection* const connection = accept(listener);
    ASSERT_NE(connection, nullptr);
    client.send("question");
    listener.wait(0);
    char text[8];
    {
      const Fault fault(Call::recv, error);
      EXPECT_EQ(connection->read(text).status, IoStatus::would_block);
      EXPECT_EQ(connection->read(text).status, IoStatus::would_block);
      EXPECT_EQ(fault.count(), 1);
    }
    EXPECT_TRUE(until([&] {
      listener.wait(mcp::forever);
      return connection->read(text).size == 8;
    }));
    expect_served(listener, client, connection);
  }
}

// The system has space in the buffer of the socket, so it reports no event when it has memory again.
TEST_F(TcpFaults, WritesAgainAfterAnError) {
  for (const int error : {ENOBUFS, ENOMEM}) {
    TcpListener listener(connections, "127.0.0.1", 0);
    TcpClient client(listener.port());
    Connection* const connection = accept(listener);
    ASSERT_NE(connection, nullptr);
    listener.wait(0);
    {
      const Fault fault(Call::send, error);
      EXPECT_EQ(connection->write(std::string_view("x")).status, IoStatus::would_block);
      EXPECT_EQ(connection->write(std::string_view("x")).status, IoStatus::would_block);
      EXPECT_EQ(fault.count(), 1);
    }
    EXPECT_TRUE(sleeps(listener)) << "the space in the buffer is no event";
    {
      const Fault fault(Call::send, error);
      EXPECT_EQ(connection->write(std::string_view("x")).status, IoStatus::would_block);
    }
    const mcp::Millis begin = mcp::posix::now();
    listener.wait(mcp::forever);
    EXPECT_LT(mcp::posix::now() - begin, 25'000U);
    expect_served(listener, client, connection);
  }
}

TEST_F(TcpFaults, ASignalInterruptsNoCall) {
  TcpListener listener(connections, "127.0.0.1", 0);
  TcpClient client(listener.port());
  Connection* const connection = accept(listener);
  ASSERT_NE(connection, nullptr);
  client.send("question");
  EXPECT_EQ(read(listener, *connection, 8), "question");
  client.send("x");
  EXPECT_TRUE(until([&] {
    listener.wait(0);
    const Fault fault(Call::recv, EINTR, 2);
    char text[8];
    return connection->read(text).size == 1;
  }));
  const Fault fault(Call::send, EINTR, 2);
  EXPECT_EQ(connection->write(std::string_view("answer")).size, 6U);
  EXPECT_EQ(fault.count(), 2);
  EXPECT_TRUE(until([&] { return client.received() == "answer"; }));
}

TEST_F(TcpFaults, OtherErrorsEndTheConnection) {
  struct Row {
    Call call;
    int error;
    IoStatus status;
  };
  constexpr Row rows[] = {{Call::recv, ECONNRESET, IoStatus::failed}, {Call::recv, ETIMEDOUT, IoStatus::failed},
                          {Call::recv, ENOTCONN, IoStatus::failed},   {Call::send, ECONNRESET, IoStatus::failed},
                          {Call::send, EPIPE, IoStatus::closed},      {Call::send, EHOSTUNREACH, IoStatus::failed}};
  TcpListener listener(connections, "127.0.0.1", 0);
  for (const Row& row : rows) {
    TcpClient client(listener.port());
    Connection* const connection = accept(listener);
    ASSERT_NE(connection, nullptr);
    const Fault fault(row.call, row.error);
    char text[8];
    const mcp::IoResult result =
        row.call == Call::recv ? connection->read(text) : connection->write(std::string_view("x"));
    EXPECT_EQ(result.status, row.status) << row.error;
    EXPECT_EQ(result.size, 0U);
    EXPECT_EQ(fault.count(), 1);
    connection->close();
    EXPECT_TRUE(until([&] { return client.ended(); }));
  }
}

TEST_F(TcpFaults, AFailedFinishKeepsTheConnection) {
  TcpListener listener(connections, "127.0.0.1", 0);
  TcpClient client(listener.port());
  Connection* const connection = accept(listener);
  ASSERT_NE(connection, nullptr);
  const Fault fault(Call::shutdown, EOPNOTSUPP);
  connection->finish();
  EXPECT_EQ(fault.count(), 1);
  client.send("question");
  EXPECT_EQ(read(listener, *connection, 8), "question");
  client.leave();
  EXPECT_EQ(end_of(listener, *connection), IoStatus::closed);
}

// ---- Waiting -----------------------------------------------------------------------------------------------------

TEST_F(TcpFaults, ASignalEndsTheWait) {
  TcpListener listener(connections, "127.0.0.1", 0);
  EXPECT_EQ(listener.accept(), nullptr);
  const Fault fault(has_epoll ? Call::epoll_wait : Call::poll, EINTR);
  listener.wait(mcp::forever);
  EXPECT_EQ(fault.count(), 1);
  EXPECT_TRUE(sleeps(listener));
  TcpClient client(listener.port());
  expect_served(listener, client, accept(listener));
}

#ifdef MOTE_POSIX_POLL
// poll() fails as long as the system has no memory for it. The program serves its clients, and does not spin.
TEST_F(TcpFaults, ServesWhilePollFails) {
  TcpListener listener(connections, "127.0.0.1", 0);
  ASSERT_TRUE(listener.enable_wake());
  EXPECT_EQ(listener.accept(), nullptr);
  TcpClient client(listener.port());
  Connection* connection = nullptr;
  const int before = calls_of(Call::poll);
  EXPECT_TRUE(until([&] {
    const Fault fault(Call::poll, ENOMEM);
    listener.wait(mcp::forever);
    return (connection = listener.accept()) != nullptr;
  }));
  EXPECT_LT(calls_of(Call::poll) - before, 10);
  ASSERT_NE(connection, nullptr);
  char text[8];
  EXPECT_EQ(connection->read(text).status, IoStatus::would_block);
  client.send("x");
  const mcp::Millis begin = mcp::posix::now();
  {
    const Fault fault(Call::poll, ENOMEM);
    listener.wait(20);
  }
  EXPECT_GE(mcp::posix::now() - begin, 19U);
  EXPECT_EQ(connection->read(text).size, 1U);
  expect_served(listener, client, connection);
}
#endif

// ---- Ending a wait -----------------------------------------------------------------------------------------------

TEST_F(TcpFaults, EnableWakeReportsTheError) {
  struct Row {
    Call call;
    int error;
    int skipped;
  };
  constexpr Row rows[] = {{Call::socket, EMFILE, 0},       {Call::fcntl, EINVAL, 1},
                          {Call::bind, EADDRNOTAVAIL, 0},  {Call::getsockname, ENOBUFS, 0},
                          {Call::connect, ENETUNREACH, 0}, {Call::epoll_ctl, ENOSPC, 0},
                          {Call::send, ENETUNREACH, 0}};
  TcpListener listener(connections, "127.0.0.1", 0);
  for (const Row& row : rows) {
    if (!has_epoll && row.call == Call::epoll_ctl) continue;
    const Fault fault(row.call, row.error, 1, row.skipped);
    EXPECT_FALSE(listener.enable_wake());
    EXPECT_EQ(errno, row.error) << static_cast<int>(row.call);
    EXPECT_EQ(fault.count(), 1);
    listener.wake();
  }
  EXPECT_TRUE(sleeps(listener));
  ASSERT_TRUE(listener.enable_wake());
  listener.wait(mcp::forever);
  const Fault fault(Call::send, ENOMEM);
  listener.wake();  // has no effect
  EXPECT_TRUE(sleeps(listener));
  listener.wake();
  listener.wait(mcp::forever);
}

// A task may wake the main loop faster than it reads. The rest ends the next waits, also where the system reports an
// event once.
TEST_F(TcpFaults, OneWaitReadsALimitedNumberOfWakes) {
  constexpr int wakes = 100;
  TcpListener listener(connections, "127.0.0.1", 0);
  ASSERT_TRUE(listener.enable_wake());
  for (int i = 1; i < wakes; ++i) listener.wake();  // the first one is from enable_wake()
  const int before = calls_of(Call::recv);
  for (int read = 0; read < wakes;) {
    const int begun = calls_of(Call::recv);
    listener.wait(mcp::forever);
    EXPECT_LE(calls_of(Call::recv) - begun, 2 * 16);
    read = calls_of(Call::recv) - before;
  }
  EXPECT_TRUE(sleeps(listener));
}

}  // namespace
