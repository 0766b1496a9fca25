// SPDX-License-Identifier: Apache-2.0
// Hostile hosts of the same network, as frames: they take what other clients need. Time is an argument, so no test waits.
#include <gtest/gtest.h>

#include "handshake.hpp"
#include "pools.hpp"

using test::ack;
using test::rst;
using test::syn;

namespace {

using test::handshake::Handshake;

class Neighbours : public Handshake {
 protected:
  // A client requests something, gets a response, and the device ends the connection.
  void request(Host& host) {
    send(host, syn);
    ASSERT_TRUE(connect(host, 20));
    send(host, ack, "hello");
    mcp::Connection* const connection = listener->accept();
    ASSERT_NE(connection, nullptr);
    static_cast<void>(connection->write("response"));
    connection->close();
  }
};

// The sender of a frame is no group. Its answer waited in lwIP for ARP, and two of them were all frames of lwIP.
TEST_F(Neighbours, SendersThatAreGroupsKeepNoFrame) {
  answers_arp = false;
  for (unsigned i = 0; i < 4; ++i) {
    Host group = spoofed(i);
    group.mac = {3, 0, 0, 0, 0, 9};
    send(group, syn);
  }
  answers_arp = true;
  EXPECT_EQ(test::Taken(MEMP_PBUF_POOL).size(), std::size_t{PBUF_POOL_SIZE});
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  send(host, syn);
  ASSERT_TRUE(connect(host, 20));
  pass(200);
  send(host, ack, "hello");
  EXPECT_NE(listener->accept(), nullptr);
}

// Its request was executed, and the client has lost the end of its connection. Later connections of another host make
// the device forget no connection of this one.
TEST_F(Neighbours, ManyConnectionsOfAHostMakeTheDeviceForgetNoneOfAnother) {
  Host host{.address = {10, 0, 0, 2}, .port = 5'000};
  request(host);
  pass(25'000);
  for (unsigned i = 0; i < 20; ++i) {
    Host other{.address = {10, 0, 0, 3}, .port = 6'000 + i};
    request(other);
    send(after(other, 5), ack | rst);
  }
  heard.clear();
  send(host, ack, "hello");
  EXPECT_EQ(listener->accept(), nullptr);
  EXPECT_NE(answer_to(host, rst), nullptr);
}

}  // namespace
