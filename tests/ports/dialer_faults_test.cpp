// SPDX-License-Identifier: Apache-2.0
// Each call of the system fails for a dialer. The connection fails with its reason, and the next one works.
#include <cerrno>
#include <string_view>

#include "ports/dialer_fixture.hpp"
#include "ports/socket_faults.hpp"

namespace {

using mcp::Connection;
using mcp::DialProblem;
using mcp::IoStatus;
using test::Call;
using test::Dialing;
using test::end_of_dialed;
using test::expect_works;
using test::Fault;
using test::NameServer;
using test::ServerPort;
using test::TcpDialer;
using test::wait_sleeps;
using test::wait_until;
using test::write;

class DialingFaults : public Dialing {
 protected:
  void SetUp() override {
    Dialing::SetUp();
    port.listen();
  }

  void expect_next_works(TcpDialer& dialer) {
    Connection* const connection = dialer.dial("127.0.0.1", port.number());
    ASSERT_NE(connection, nullptr);
    expect_works(dialer, *connection, port);
    connection->close();
  }

  const ServerPort port;
};

TEST_F(DialingFaults, ReportsWhyAConnectionFails) {
  struct Row {
    Call call;
    int error;
    int skipped;
    DialProblem reason;
  };
  // Of the two calls of fcntl, the second one decides.
  constexpr Row rows[] = {{Call::socket, EMFILE, 0, DialProblem::no_memory},
                          {Call::socket, ENFILE, 0, DialProblem::no_memory},
                          {Call::socket, EAFNOSUPPORT, 0, DialProblem::unreachable},
                          {Call::fcntl, EINVAL, 1, DialProblem::unreachable},
                          {Call::connect, ENETUNREACH, 0, DialProblem::unreachable},
                          {Call::connect, EHOSTUNREACH, 0, DialProblem::unreachable},
                          {Call::connect, ECONNREFUSED, 0, DialProblem::refused},
                          {Call::connect, ECONNRESET, 0, DialProblem::refused},
                          {Call::connect, ETIMEDOUT, 0, DialProblem::no_response},
                          {Call::connect, ECONNABORTED, 0, DialProblem::no_response},
                          {Call::connect, EAGAIN, 0, DialProblem::no_memory},
                          {Call::connect, ENOBUFS, 0, DialProblem::no_memory},
                          {Call::connect, ENOMEM, 0, DialProblem::no_memory},
                          {Call::getsockopt, ETIMEDOUT, 0, DialProblem::no_response}};
  for (const Row& row : rows) {
    TcpDialer dialer({dialed, 1});
    {
      const Fault fault(row.call, row.error, 1, row.skipped);
      Connection* const connection = dialer.dial("127.0.0.1", port.number());
      ASSERT_NE(connection, nullptr);
      EXPECT_EQ(end_of_dialed(dialer, *connection), IoStatus::failed);
      EXPECT_EQ(fault.count(), 1);
      EXPECT_EQ(dialer.reason(), row.reason) << static_cast<int>(row.call) << " " << row.error;
      if (row.call == Call::getsockopt) static_cast<void>(port.accept());
      connection->close();
    }
    expect_next_works(dialer);
  }
}

TEST_F(DialingFaults, TriesTheNextAddressAfterAnyError) {
  NameServer names;
  names.add("broker", {"127.0.0.2", "127.0.0.1"});
  for (const Call call : {Call::socket, Call::fcntl, Call::connect}) {
    TcpDialer dialer({dialed, 1});
    // Look-ups call fcntl twice.
    const Fault fault(call, ENETUNREACH, 1, call == Call::fcntl ? 3 : 0);
    Connection* const connection = dialer.dial("broker", port.number());
    ASSERT_NE(connection, nullptr);
    expect_works(dialer, *connection, port);
    EXPECT_EQ(fault.count(), 1);
  }
}

TEST_F(DialingFaults, ReportsALookUpThatCannotBegin) {
  NameServer names;
  names.add("broker", {"127.0.0.1"});
  for (const Call call : {Call::socketpair, Call::send, Call::pthread_create}) {
    TcpDialer dialer({dialed, 1});
    const Fault fault(call, ENOBUFS);
    Connection* connection = dialer.dial("broker", port.number());
    ASSERT_NE(connection, nullptr);
    char byte[1];
    EXPECT_EQ(connection->read(byte).status, IoStatus::failed);
    EXPECT_EQ(fault.count(), 1);
    EXPECT_EQ(dialer.reason(), DialProblem::no_memory);
    connection->close();
    connection = dialer.dial("broker", port.number());
    ASSERT_NE(connection, nullptr);
    expect_works(dialer, *connection, port);
  }
}

// The thread and the main loop read the outcome of a look-up from a socket.
TEST_F(DialingFaults, ReportsALookUpWithoutAnOutcome) {
  NameServer names;
  names.add("broker", {"127.0.0.1"});
  TcpDialer dialer({dialed, 1});
  names.hold();
  Connection* const connection = dialer.dial("broker", port.number());
  ASSERT_NE(connection, nullptr);
  EXPECT_TRUE(test::until([&] { return names.held() == 1; }));
  {
    const Fault fault(Call::recv, EINTR);
    dialer.wait(0);
    EXPECT_EQ(fault.count(), 1);
  }
  char byte[1];
  EXPECT_EQ(connection->read(byte).status, IoStatus::would_block);
  const Fault fault(Call::recv, EIO);
  dialer.wait(0);
  EXPECT_EQ(fault.count(), 1);
  EXPECT_EQ(connection->read(byte).status, IoStatus::failed);
  EXPECT_EQ(dialer.reason(), DialProblem::no_memory);
}

TEST_F(DialingFaults, ASignalInterruptsNoConnection) {
  TcpDialer dialer(dialed);
  const Fault fault(Call::poll, EINTR);
  Connection* const connection = dialer.dial("127.0.0.1", port.number());
  ASSERT_NE(connection, nullptr);
  expect_works(dialer, *connection, port);
  EXPECT_EQ(fault.count(), 1);
}

// poll() fails as long as the system has no memory for it. Connected connections work, and the program does not spin.
TEST_F(DialingFaults, WorksWhilePollFails) {
  TcpDialer dialer(dialed);
  Connection* const connection = dialer.dial("127.0.0.1", port.number());
  ASSERT_NE(connection, nullptr);
  const mcp::Millis begin = mcp::posix::now();
  {
    const Fault fault(Call::poll, ENOMEM);
    dialer.wait(20);
    EXPECT_EQ(fault.count(), 1);
  }
  EXPECT_GE(mcp::posix::now() - begin, 19U);
  char byte[1];
  EXPECT_EQ(connection->read(byte).status, IoStatus::would_block) << "it is not known to be connected";
  EXPECT_EQ(write(dialer, *connection, "x"), IoStatus::ok);
  const test::ServerEnd server = port.accept();
  EXPECT_EQ(connection->read(byte).status, IoStatus::would_block);
  server.send("y");
  {
    const Fault fault(Call::poll, ENOMEM);
    dialer.wait(20);
  }
  EXPECT_EQ(connection->read(byte).size, 1U);
}

TEST_F(DialingFaults, ReadsAndWritesAgainAfterAnError) {
  TcpDialer dialer(dialed);
  Connection* const connection = dialer.dial("127.0.0.1", port.number());
  ASSERT_NE(connection, nullptr);
  EXPECT_EQ(write(dialer, *connection, "x"), IoStatus::ok);
  const test::ServerEnd server = port.accept();
  for (const Call call : {Call::recv, Call::send}) {
    server.send("z");
    const Fault fault(call, ENOBUFS);
    char byte[1];
    const auto make = [&] {
      return call == Call::recv ? connection->read(byte).status : connection->write(std::string_view("y")).status;
    };
    EXPECT_EQ(make(), IoStatus::would_block);
    EXPECT_TRUE(wait_sleeps(dialer));
    const mcp::Millis begin = mcp::posix::now();
    EXPECT_TRUE(wait_until(dialer, [&] { return make() == IoStatus::ok; }));
    EXPECT_LT(mcp::posix::now() - begin, 25'000U);
    EXPECT_EQ(fault.count(), 1);
  }
}

TEST_F(DialingFaults, EnableWakeReportsTheError) {
  struct Row {
    Call call;
    int error;
    int skipped;
  };
  constexpr Row rows[] = {{Call::socket, EMFILE, 0},       {Call::fcntl, EINVAL, 1},
                          {Call::bind, EADDRNOTAVAIL, 0},  {Call::getsockname, ENOBUFS, 0},
                          {Call::connect, ENETUNREACH, 0}, {Call::send, ENETUNREACH, 0}};
  TcpDialer dialer(dialed);
  for (const Row& row : rows) {
    const Fault fault(row.call, row.error, 1, row.skipped);
    EXPECT_FALSE(dialer.enable_wake());
    EXPECT_EQ(errno, row.error) << static_cast<int>(row.call);
    EXPECT_EQ(fault.count(), 1);
  }
  EXPECT_TRUE(wait_sleeps(dialer));
}

}  // namespace
