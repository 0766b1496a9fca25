// SPDX-License-Identifier: Apache-2.0
// DHCP as frames: addresses that a board rejects, and repeated requests. The tests do not wait, because time is an
// argument.
#include <algorithm>
#include <set>

#include "dhcp_server.hpp"
#include "pools.hpp"

using test::Bytes;
using test::Ip;

namespace {

using namespace test::dhcp;

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

// The times of requests of an endless lease, and of one whose other times are endless or beyond its end.
TEST_F(Dhcp, RenewsALeaseOfAnyTime) {
  constexpr std::uint32_t endless = 0xFFFF'FFFF;
  const auto times = [](std::uint32_t renew_s, std::uint32_t rebind_s) {
    return test::Writer().u8(58).u8(4).u32(renew_s).u8(59).u8(4).u32(rebind_s).bytes;
  };
  const struct {
    Lease lease;
    mcp::Millis after_ms;
  } cases[] = {{{.seconds = 0}, 5'000},
               {{.seconds = 1}, 5'000},
               {{.seconds = 20}, 10'000},
               {{.seconds = 60}, 30'000},
               {{.seconds = 89}, 44'000},
               {{.seconds = 600}, 300'000},
               {{.seconds = 86'400}, 43'200'000},
               {{.seconds = 1'000'000}, 43'200'000},
               {{.seconds = endless}, 43'200'000},
               {{.more = times(0, 0), .seconds = 600}, 5'000},
               {{.more = times(200, 300), .seconds = 600}, 200'000},
               {{.more = times(endless, endless), .seconds = 600}, 300'000},
               {{.more = times(endless, endless), .seconds = endless}, 43'200'000},
               {{.more = times(700, 800), .seconds = 600}, 300'000}};
  for (const auto& each : cases) {
    SCOPED_TRACE(&each - cases);
    for (const mcp::Millis step_ms : {100U, 7'700U}) {
      ASSERT_TRUE(takes_ack(each.lease));
      const mcp::Millis from = now;
      ASSERT_TRUE(until_asked(request, 86'400'000, step_ms));
      EXPECT_EQ(asked.back().to, server_address);
      EXPECT_NEAR(now - from, each.after_ms, 1'000 + 2 * step_ms);
      answer(ack, each.lease);
      ASSERT_TRUE(until_asked(request, 86'400'000, step_ms));
      EXPECT_EQ(address(), "10.0.0.1");
      EXPECT_NEAR(now - from, 2 * each.after_ms, 2'000 + 4 * step_ms);
    }
  }
}

// A server that loses messages, or none: until the lease ends there is more than one request.
TEST_F(Dhcp, AsksSeveralTimesBeforeALeaseEnds) {
  for (const std::uint32_t seconds : {20U, 60U, 600U, 86'400U}) {
    SCOPED_TRACE(seconds);
    ASSERT_TRUE(takes_ack({.seconds = seconds}));
    const mcp::Millis end = now + seconds * 1'000;
    unsigned requests = 0;
    while (until_asked(request, end - now - 1'500, 100)) ++requests;
    EXPECT_GE(requests, 2U);
    EXPECT_LE(requests, 25U);
    EXPECT_EQ(address(), "10.0.0.1");
    pass(2'500);
    EXPECT_EQ(address(), "0.0.0.0");
  }
}

// RFC 2131 section 4.4.5. The client is in another state at each of these moments.
TEST_F(Dhcp, DropsAnEndedLeaseAfterTheLinkWasLost) {
  for (const mcp::Millis flap_after_ms : {1'000U, 299'000U, 400'000U, 540'000U, 594'000U}) {
    SCOPED_TRACE(flap_after_ms);
    ASSERT_TRUE(takes_ack({.seconds = 600}));
    pass(flap_after_ms);
    tap.plugged = false;
    pass(2'000);
    tap.plugged = true;
    pass(596'000 - flap_after_ms);
    EXPECT_EQ(address(), "10.0.0.1");
    pass(4'000);
    EXPECT_EQ(address(), "0.0.0.0");
    ASSERT_TRUE(until_asked(discover));
    answer(offer, {});
    ASSERT_TRUE(until_asked(request));
    answer(ack, {});
    EXPECT_EQ(address(), "10.0.0.1");
  }
}

// The link is lost again, and the lease ends meanwhile. With the next link, the board would announce the old address.
TEST_F(Dhcp, DropsALeaseThatEndsWithoutALink) {
  for (mcp::Millis end_ms = 599'000; end_ms != 602'000; end_ms += 100) {
    SCOPED_TRACE(end_ms);
    ASSERT_TRUE(takes_ack({.seconds = 600}));
    const mcp::Millis from = now;
    const auto plug = [&](bool plugged, mcp::Millis until_ms) {
      tap.plugged = plugged;
      asked.clear();
      pass(until_ms - (now - from));
    };
    plug(true, 10'000);
    plug(false, 12'000);
    plug(true, 100'000 + end_ms % 1'000);  // the server is silent
    now += 500;                            // the board looks at the link with the next poll, and then at `end_ms`
    plug(false, end_ms);
    // A lease that has not ended yet may end before the board looks at the link.
    const bool has_ended = netif_dhcp_data(&network.interface())->offered_t0_lease == 0;
    announced.clear();
    plug(true, end_ms + 5'000);
    EXPECT_FALSE(has_ended && std::ranges::count(announced, good_address) != 0);
    EXPECT_EQ(address(), "0.0.0.0");
  }
}

// The server offers a lease, and refuses each request for it.
TEST_F(Dhcp, WaitsAfterARefusedRequest) {
  start();
  messages = 0;
  std::set<mcp::Millis> waits;
  const mcp::Millis from = now;
  while (now - from < 600'000) {
    answer(offer, {});
    ASSERT_TRUE(until_asked(request));
    answer(nak, {});
    const mcp::Millis refused = now;
    ASSERT_TRUE(until_asked(discover, 100));
    answer(offer, {});
    EXPECT_FALSE(until_asked(request, 9'500));
    ASSERT_TRUE(until_asked(discover));
    waits.insert(now - refused);
  }
  EXPECT_LE(*waits.rbegin(), 15'000U);
  EXPECT_GE(waits.size(), 2U);
  EXPECT_LE(messages, 200U);
  answer(offer, {});
  ASSERT_TRUE(until_asked(request));
  answer(ack, {});
  EXPECT_EQ(address(), "10.0.0.1");
}

// A lease that was moved: RFC 2131 section 3.2.
TEST_F(Dhcp, AsksAtOnceAfterARefusedRenewal) {
  ASSERT_TRUE(takes_ack({.seconds = 600}));
  ASSERT_TRUE(until_asked(request, 310'000));
  answer(nak, {});
  EXPECT_EQ(address(), "0.0.0.0");
  ASSERT_TRUE(until_asked(discover, 100));
  answer(offer, {.address = {10, 0, 0, 3}});
  ASSERT_TRUE(until_asked(request));
  answer(ack, {.address = {10, 0, 0, 3}});
  EXPECT_EQ(address(), "10.0.0.3");
}

}  // namespace
