// SPDX-License-Identifier: Apache-2.0
// DHCP as frames: addresses that a board rejects, and repeated requests. The tests do not wait, because time is an
// argument.
#include <gtest/gtest.h>
#include <lwip/dhcp.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mcp/ports/lwip_network.hpp"
#include "pools.hpp"
#include "support/bench.hpp"
#include "tap.hpp"
#include "time.hpp"

using mcp::lwip::Network;
using test::Bytes;
using test::Ip;
using test::lwip_time::now;

namespace {

constexpr Ip server_address{10, 0, 0, 9};
constexpr test::Mac server_mac{2, 0, 0, 0, 0, 9};
constexpr Ip good_address{10, 0, 0, 1};
constexpr unsigned discover = 1, offer = 2, request = 3, ack = 5;

// The lease of a server, and the fields of its message with the options.
struct Lease {
  Ip address = good_address;
  std::optional<Ip> mask = Ip{255, 255, 255, 0};
  Ip gateway = {};
  Bytes more = {};             // options
  std::vector<Bytes> in = {};  // options in the fields for a file name and a server's name
};

class Dhcp : public testing::Test {
 protected:
  test::Tap tap;
  test::CountingEntropy entropy;
  Network network{tap, entropy, now};
  std::vector<test::Udp> asked;

  // Advances the time until the board sends this request.
  bool until_asked(unsigned kind, mcp::Millis limit_ms = 120'000, mcp::Millis step_ms = 10) {
    asked.clear();
    for (mcp::Millis passed = 0; passed < limit_ms; passed += step_ms) {
      static_cast<void>(network.poll(now));
      for (const Bytes& frame : std::exchange(tap.sent, {})) {
        if (const auto arp = test::read_arp(frame); arp && arp->operation == 1 && arp->to == server_address)
          tap.received.push_back(test::arp_frame({2, server_mac, server_address, arp->from}, tap.mac, tap.mac));
        if (auto udp = test::read_udp(frame); udp && udp->to_port == 67) asked.push_back(std::move(*udp));
      }
      if (!asked.empty() && asked.back().data.at(242) == kind) return true;
      now += step_ms;
    }
    return false;
  }

  void answer(unsigned kind, const Lease& lease) {
    test::Writer options;
    if (lease.mask) options.u8(1).u8(4).all(*lease.mask);
    if (lease.gateway != Ip{}) options.u8(3).u8(4).all(lease.gateway);
    options.all(lease.more);
    tap.received.push_back(
        test::dhcp_frame(asked.back().data, kind, lease.address, server_address, server_mac, options.bytes, lease.in));
    while (!tap.received.empty()) static_cast<void>(network.poll(now));
  }

  // Whether a board that requests an address accepts this lease: in an offer, and in an acknowledgement.
  bool takes_offer(const Lease& lease) {
    start();
    answer(offer, lease);
    return until_asked(request, 100);
  }
  bool takes_ack(const Lease& lease) {
    start();
    answer(offer, {});
    EXPECT_TRUE(until_asked(request));
    answer(ack, lease);
    return network.ready();
  }
  void start() {
    stop();
    network.use_dhcp();
    ASSERT_TRUE(until_asked(discover));
  }
  void stop() {
    dhcp_release_and_stop(&network.interface());
    tap.sent.clear();
  }

  // Asks for the board's address like its neighbours.
  [[nodiscard]] std::string address() const {
    char text[16];
    return std::string(network.address(text));
  }
};

TEST_F(Dhcp, AcceptsALease) {
  EXPECT_TRUE(takes_ack({}));
  EXPECT_EQ(address(), "10.0.0.1");
}

// The DHCP client would send nothing, and the board would have no address.
TEST_F(Dhcp, NeedsAUdpPortOfLwip) {
  stop();
  const test::Taken all(MEMP_UDP_PCB);
  EXPECT_DEATH(network.use_dhcp(), "contract");
}

// Also if each poll is late.
TEST_F(Dhcp, RenewsItsLeaseAfterHalfOfItsTime) {
  for (const mcp::Millis step_ms : {1'000U, 7'700U}) {
    ASSERT_TRUE(takes_ack({}));
    const mcp::Millis from = now;
    EXPECT_TRUE(until_asked(request, 86'400'000, step_ms));
    EXPECT_NEAR(now - from, 43'200'000, 70'000);
  }
}

TEST_F(Dhcp, RejectsInvalidHostAddresses) {
  constexpr Ip addresses[] = {{0, 0, 0, 0},   {0, 1, 2, 3},   {127, 0, 0, 1}, {127, 255, 255, 254},
                              {224, 0, 0, 1}, {239, 1, 2, 3}, {240, 0, 0, 1}, {255, 255, 255, 255},
                              {10, 0, 0, 0},  {10, 0, 0, 255}};
  for (const Ip& one : addresses) {
    SCOPED_TRACE(testing::PrintToString(one));
    EXPECT_FALSE(takes_offer({.address = one}));
    EXPECT_FALSE(takes_ack({.address = one}));
    EXPECT_EQ(address(), "0.0.0.0");
  }
  EXPECT_FALSE(takes_ack({.address = {10, 255, 255, 255}, .mask = {}}));  // without a mask it has the mask of its class
  EXPECT_FALSE(takes_ack({.address = {172, 16, 255, 255}, .mask = {}}));
  EXPECT_FALSE(takes_ack({.address = {192, 168, 1, 0}, .mask = {}}));
}

TEST_F(Dhcp, RejectsInvalidMasksAndGateways) {
  const Lease leases[] = {{.mask = Ip{0, 0, 0, 0}},
                          {.mask = Ip{255, 0, 255, 0}},
                          {.mask = Ip{0, 0, 0, 255}},
                          {.gateway = {255, 255, 255, 255}},
                          {.gateway = {224, 0, 0, 1}},
                          {.gateway = {127, 0, 0, 1}},
                          {.gateway = {10, 0, 0, 255}},
                          {.gateway = good_address},
                          {.more = {1, 3, 255, 255, 255}},
                          {.more = {1, 4, 255, 255, 255, 0}},  // the second
                          {.mask = {}, .more = {1, 3, 255, 255, 255}},
                          {.more = {3, 3, 10, 0, 0}},
                          {.more = {3, 0}},
                          {.gateway = {10, 0, 0, 2}, .more = {3, 4, 127, 0, 0, 1}},
                          {.more = {12, 200}}};  // longer than the message
  for (const Lease& lease : leases) {
    SCOPED_TRACE(&lease - leases);
    EXPECT_FALSE(takes_offer(lease));
    EXPECT_FALSE(takes_ack(lease));
  }
}

TEST_F(Dhcp, AcceptsUnusualValidOffers) {
  const Lease leases[] = {{.mask = {}},
                          {.address = {192, 168, 1, 77}, .mask = {}},
                          {.mask = Ip{255, 255, 255, 255}, .gateway = {192, 0, 2, 1}},  // beyond its network, RFC 3442
                          {.address = {10, 0, 0, 4}, .mask = Ip{255, 255, 255, 254}},
                          {.address = {169, 254, 1, 2}, .mask = Ip{255, 255, 0, 0}},
                          {.gateway = {10, 0, 0, 254}},
                          {.more = {3, 8, 10, 0, 0, 2, 10, 0, 0, 3}},
                          {.more = {0, 0, 0}}};
  for (const Lease& lease : leases) {
    SCOPED_TRACE(&lease - leases);
    EXPECT_TRUE(takes_offer(lease));
    EXPECT_TRUE(takes_ack(lease));
  }
}

// Options may continue in the field for a file name, and then in the one for the server's name (RFC 2131 section 4.1).
TEST_F(Dhcp, ReadsOptionsInOtherFields) {
  EXPECT_TRUE(takes_ack({.mask = {}, .in = {{1, 4, 255, 255, 255, 0, 255}}}));
  EXPECT_FALSE(takes_ack({.mask = {}, .in = {{1, 4, 255, 0, 255, 0, 255}}}));
  EXPECT_FALSE(takes_ack({.in = {{255}, {3, 4, 127, 0, 0, 1, 255}}}));
  EXPECT_TRUE(takes_ack({.in = {{255}, {3, 4, 10, 0, 0, 2, 255}}}));
}

TEST_F(Dhcp, RetriesAndAcceptsTheNextOffer) {
  start();
  answer(offer, {.address = {255, 255, 255, 255}});
  EXPECT_TRUE(until_asked(discover));
  answer(offer, {});
  EXPECT_TRUE(until_asked(request));
  answer(ack, {.address = {224, 0, 0, 1}});
  EXPECT_FALSE(network.ready());
  EXPECT_TRUE(until_asked(request));
  answer(ack, {});
  EXPECT_EQ(address(), "10.0.0.1");
}

TEST_F(Dhcp, KeepsItsLeaseAfterAnInvalidRenewal) {
  EXPECT_TRUE(takes_ack({}));
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(until_asked(request, 50'000'000));
    answer(ack, {.address = {127, 0, 0, 1}});
    EXPECT_EQ(address(), "10.0.0.1");
  }
  EXPECT_TRUE(until_asked(request, 50'000'000));
  answer(ack, {.address = {10, 0, 0, 2}});
  EXPECT_EQ(address(), "10.0.0.2");
}

}  // namespace
