// SPDX-License-Identifier: Apache-2.0
// The option ACD: an address of DHCP that another device uses (RFC 5227). The test is the server and the other device.
#include "dhcp_server.hpp"

using test::Ip;
using test::Mac;
using namespace test::dhcp;

namespace {

constexpr Mac other_mac{2, 0, 0, 0, 0, 7};
constexpr unsigned decline = 4;
// The longest checks of RFC 5227, with both announcements.
constexpr mcp::Millis checks_ms = 11'000;

class Acd : public Dhcp {
 protected:
  // Requests the address, and has the acknowledgement.
  void request_address() {
    start();
    answer(offer, {});
    ASSERT_TRUE(until_asked(request));
    answer(ack, {});
  }
  void use_address() {
    tap.received.push_back(test::arp_frame({2, other_mac, good_address, good_address}, test::to_all, test::to_all));
  }
};

TEST_F(Acd, TakesAnAddressThatNoDeviceUses) {
  request_address();
  EXPECT_EQ(address(), "0.0.0.0");
  pass(checks_ms);
  EXPECT_EQ(address(), "10.0.0.1");
  EXPECT_GE(probes, 3U);
}

TEST_F(Acd, DeclinesAnAddressThatAnotherDeviceUses) {
  request_address();
  use_address();
  ASSERT_TRUE(until_asked(decline, 3'000));
  EXPECT_EQ(address(), "0.0.0.0");
  const mcp::Millis declined = now;
  ASSERT_TRUE(until_asked(discover));
  EXPECT_GE(now - declined, 9'500U);
  const Lease another{.address = {10, 0, 0, 3}};
  answer(offer, another);
  ASSERT_TRUE(until_asked(request));
  answer(ack, another);
  pass(checks_ms);
  EXPECT_EQ(address(), "10.0.0.3");
}

// One message could be of a device that leaves.
TEST_F(Acd, DefendsItsAddressOnce) {
  request_address();
  pass(checks_ms);
  use_address();
  pass(1'000);
  EXPECT_EQ(address(), "10.0.0.1");
  pass(11'000);
  use_address();
  pass(1'000);
  EXPECT_EQ(address(), "10.0.0.1");
  use_address();
  ASSERT_TRUE(until_asked(decline, 1'000));
  EXPECT_EQ(address(), "0.0.0.0");
}

TEST_F(Acd, SleepsWhenItsAddressIsChecked) {
  request_address();
  pass(checks_ms);
  unsigned polls = 0;
  for (const mcp::Millis end = now + 10'000; now != end; ++polls) now += std::min(network.poll(now), end - now);
  EXPECT_LE(polls, 22U);
}

}  // namespace
