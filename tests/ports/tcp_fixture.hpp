// SPDX-License-Identifier: Apache-2.0
// What the tests of TCP share. posix::TcpListener waits with epoll, and with poll() in tests that are compiled with
// MOTE_POSIX_POLL.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "mcp/ports/posix.hpp"
#include "mcp/ports/posix_tcp.hpp"
#include "support/tcp_client.hpp"

namespace test {

using mcp::Connection;
using mcp::IoResult;
using mcp::IoStatus;
using mcp::posix::TcpConnection;
using mcp::posix::TcpListener;

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
inline Connection* accept(TcpListener& listener) {
  Connection* connection = listener.accept();
  for (int i = 0; connection == nullptr && i < 100; ++i) {
    listener.wait(1'000);
    connection = listener.accept();
  }
  return connection;
}

inline std::string read(TcpListener& listener, Connection& connection, std::size_t size) {
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
inline IoStatus end_of(TcpListener& listener, Connection& connection) {
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
inline bool sleeps(TcpListener& listener) {
  const mcp::Millis begin = mcp::posix::now();
  listener.wait(30);
  return mcp::posix::now() - begin >= 29;
}

}  // namespace test
