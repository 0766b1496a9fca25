// SPDX-License-Identifier: Apache-2.0
// TLS with a clock that a time server sets (mcp/ports/lwip_sntp.hpp): when certificates of clients are good. Nothing
// waits: time is an argument, and the time server is the test.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <string>

#include "../lwip/time_server.hpp"
#include "mcp/ports/lwip_network.hpp"
#include "mcp/ports/lwip_sntp.hpp"
#include "tls_client.hpp"

using mcp::mbedtls::TlsVersion;
using test::TimeServer;
using test::lwip_time::now;
using test::tls::Client;
using test::tls::Wire;

namespace {

// The certificates were made by this machine, and are good for ten years from then on.
std::uint64_t today() { return static_cast<std::uint64_t>(std::time(nullptr)) * 1'000; }
constexpr std::uint64_t year_ms = 8'766ULL * 3'600'000;

class TlsSntp : public test::tls::Tls, public ::testing::WithParamInterface<TlsVersion> {
 protected:
  test::Tap tap;
  mcp::lwip::Network network{tap, entropy_, now};
  TimeServer time_server{tap};
  mcp::lwip::SntpClock clock{network, {.server = TimeServer::address, .earliest_utc_ms = 1}};

  TlsSntp() { network.use(TimeServer::board, {255, 255, 255, 0}, {}); }

  // The next response of the time server, to which this was the time at `since`.
  void tell(std::uint64_t utc_ms, mcp::Millis since) {
    const std::size_t count = time_server.asked.size();
    for (int turns = 0; turns < 100'000 && time_server.asked.size() == count; ++turns) {
      const mcp::Millis due = network.poll(now);
      time_server.listen();
      if (tap.received.empty()) now += std::max<mcp::Millis>(due, 1);
    }
    ASSERT_EQ(time_server.asked.size(), count + 1);
    time_server.tell({.utc_ms = utc_ms + (now - since)});
    static_cast<void>(network.poll(now));
  }
  // A large step needs several responses.
  void set(std::uint64_t utc_ms) {
    const mcp::Millis since = now;
    const auto is_set = [&] { return clock.utc_ms() / 1'000 == (utc_ms + (now - since)) / 1'000; };
    for (int i = 0; i < 4 && !is_set(); ++i) tell(utc_ms, since);
    ASSERT_TRUE(is_set());
  }

  // Whether a client with this certificate is served.
  bool serves(const std::string& name) {
    Wire& wire = wires_.emplace_back();
    Client client(wire, entropy_, GetParam(), name);
    mcp::Connection* const connection = accept(wire, client);
    if (connection == nullptr) return false;
    const bool is_heard = client.write("question") == 8 && read(*connection) == "question";
    close(*connection);
    return is_heard;
  }
};

// Without a time it is 1970, and every certificate is good later.
TEST_P(TlsSntp, RejectsClientCertificatesBeforeTheTimeIsSet) {
  serve(true, clock);
  EXPECT_FALSE(clock.is_set());
  for (const char* const name : {"client", "expired", "stranger", ""}) EXPECT_FALSE(serves(name)) << name;
}

TEST_P(TlsSntp, ServesClientsWithoutCertificatesBeforeTheTimeIsSet) {
  serve(false, clock);
  EXPECT_FALSE(clock.is_set());
  EXPECT_TRUE(serves(""));
}

TEST_P(TlsSntp, AcceptsCertificatesWithinTheirValidity) {
  serve(true, clock);
  EXPECT_FALSE(serves("client"));
  set(today());
  EXPECT_TRUE(clock.is_set());
  EXPECT_TRUE(serves("client"));
  for (const char* const name : {"expired", "stranger", ""}) EXPECT_FALSE(serves(name)) << name;
  // Each handshake reads the current time.
  for (const std::uint64_t other : {today() + 20 * year_ms, today() - 20 * year_ms}) {
    set(other);
    EXPECT_FALSE(serves("client")) << other;
    set(today());
    EXPECT_TRUE(serves("client")) << other;
  }
}

// A forged response does not end the certificates, and makes no expired one valid.
TEST_P(TlsSntp, KeepsCertificatesDespiteAForgedTime) {
  serve(true, clock);
  set(today());
  for (const std::uint64_t forged : {today() + 20 * year_ms, today() - 20 * year_ms}) {
    tell(forged, now);
    EXPECT_TRUE(serves("client")) << forged;
    EXPECT_FALSE(serves("expired")) << forged;
  }
}

INSTANTIATE_TEST_SUITE_P(Version, TlsSntp, ::testing::Values(TlsVersion::v1_2, TlsVersion::v1_3),
                         [](const auto& version) { return version.param == TlsVersion::v1_2 ? "v1_2" : "v1_3"; });

}  // namespace
