// SPDX-License-Identifier: Apache-2.0
// How often an idle device wakes in an hour, without its network stack: over a UART, MQTT and HTTP. readme.battery
// compares the printed lines with ports/battery.md.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "mcp/stdio_transport.hpp"
#include "support/fake_stream.hpp"
#include "transports/http/streamable.hpp"
#include "transports/mqtt/mqtt_device.hpp"

namespace {

constexpr mcp::Millis hour = 3'600'000;

void print(std::string_view name, unsigned wakes) {
  std::printf("wake-ups an hour, %.*s\t%u\n", static_cast<int>(name.size()), name.data(), wakes);
}

// ---- UART ----------------------------------------------------------------------------------------------------------

TEST(WakeUps, ASubscriberOnAUartCausesNone) {
  test::reset_device();
  test::Bench bench(test::features);
  test::FakeStream stream;
  mcp::StdioTransport transport{bench.server, stream};
  stream.give(test::initialize() + "\n" + std::string(test::initialized) + "\n");
  mcp::Millis now = 1'000;
  mcp::Millis due = 0;
  while (due == 0) due = transport.poll(now);
  EXPECT_NE(stream.take().find("\"id\":0,\"result\""), std::string::npos);
  unsigned wakes = 0;
  for (const mcp::Millis end = now + hour; due <= end - now; due = transport.poll(now)) {
    now += due;
    ++wakes;
  }
  EXPECT_EQ(due, mcp::forever);
  EXPECT_EQ(wakes, 0U);
  print("UART", wakes);
}

// ---- MQTT ----------------------------------------------------------------------------------------------------------

class MqttWakeUps : public test::mqtt::MqttTransportTest {
 protected:
  // A deadline for each PINGREQ, and the PINGRESP.
  unsigned idle(mcp::Millis ms) {
    const mcp::Millis end = now_ + ms;
    unsigned wakes = 0;
    for (unsigned turns = 0; turns < 100'000; ++turns) {
      due_ = transport_->poll(now_);
      if (due_ == 0) continue;
      const std::size_t before = broker_.log.size();
      broker_.run();
      if (broker_.log.size() != before) {
        ++wakes;
      } else if (due_ > end - now_) {
        now_ = end;
        return wakes;
      } else {
        now_ += due_;
        ++wakes;
      }
    }
    ADD_FAILURE() << "never idle";
    return wakes;
  }
  unsigned idle_with(std::uint16_t keep_alive_s) {
    mcp::MqttOptions options = test::mqtt::plain;
    options.keep_alive_s = keep_alive_s;
    connect(test::mqtt::full(), options);
    begin_session();
    idle(hour);
    const unsigned wakes = idle(hour);
    EXPECT_EQ(transport_->state(), test::mqtt::State::online);
    return wakes;
  }
};

TEST_F(MqttWakeUps, ForEachPingAndItsResponse) {
  const unsigned wakes = idle_with(60);
  EXPECT_EQ(wakes, 160U);
  print("MQTT", wakes);
}

TEST_F(MqttWakeUps, LessWithALongerKeepAlive) {
  const unsigned wakes = idle_with(1'200);
  EXPECT_EQ(wakes, 8U);
  print("MQTT with a keep-alive of 20 minutes", wakes);
}

// ---- HTTP ----------------------------------------------------------------------------------------------------------

template <class S>
unsigned idle(S& site, mcp::Millis ms) {
  unsigned wakes = 0;
  for (mcp::Millis left = ms;;) {
    const mcp::Millis due = site.run();
    if (due > left) break;
    site.pass(due);
    left -= due;
    ++wakes;
  }
  return wakes;
}

TEST(WakeUps, HttpWithoutAClientCausesNone) {
  test::Site site;
  site.run();
  const unsigned wakes = idle(site, hour);
  EXPECT_EQ(wakes, 0U);
  print("HTTP", wakes);
}

TEST(WakeUps, AStreamOverHttpCausesOneForEachComment) {
  test::Site site;
  test::HttpClient stream = site.listen(site.begin());
  idle(site, 60'000);
  const unsigned wakes = idle(site, hour);
  EXPECT_EQ(wakes, 240U);
  print("HTTP with a stream", wakes);
}

}  // namespace
