// SPDX-License-Identifier: Apache-2.0
// The port for Zephyr on native_sim, whose UART has no interrupts up to Zephyr 4.2 and whose time stands still while a
// thread runs. The fakes behave as drivers/serial/uart_native_pty.c (commit 112ef11) and uart_native_pty_bottom.c
// (40dc5b1).
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <zephyr/drivers/uart.h>
#include <zephyr/kernel.h>
#include "mcp/ports/zephyr.hpp"

namespace {

// np_uart_poll_out ignores what write() returns, and the pseudoterminal does not block: bytes without space are lost.
struct Pty {
  std::string input;
  std::string output;
  std::size_t space = 4095;
  bool is_ready = true;
  int poll_error = 0;
  int errors = -88;  // no uart_err_check
};
Pty pty;
uint32_t uptime = 0;
unsigned int events = 0;
constexpr device serial{"uart_1"};

std::string read(mcp::ByteStream& stream, std::size_t size) {
  std::string part(size, '\0');
  const mcp::IoResult result = stream.read(part);
  EXPECT_EQ(result.status, result.size != 0 ? mcp::IoStatus::ok : mcp::IoStatus::would_block);
  return part.substr(0, result.size);
}

// A job that works until a later time would never end.
TEST(ZephyrNative, TimePassesWhileTheServerAlwaysHasWork) {
  const mcp::Millis begin = mcp::zephyr::millis();
  for (int i = 0; i < 5; ++i) mcp::zephyr::wait_for_event(0);
  EXPECT_EQ(mcp::zephyr::millis() - begin, 5U);
  mcp::zephyr::wait_for_event(100);
  EXPECT_EQ(mcp::zephyr::millis() - begin, 105U);
}

// From here on there is one: nothing else would end a sleep when a byte comes.
TEST(ZephyrNative, PolledUartMakesEachSleepShort) {
  const mcp::zephyr::PolledUart uart(&serial);
  const mcp::Millis begin = mcp::zephyr::millis();
  mcp::zephyr::wait_for_event(mcp::forever);
  mcp::zephyr::wait_for_event(0);
  EXPECT_EQ(mcp::zephyr::millis() - begin, 2U);
  mcp::zephyr::wake();
  mcp::zephyr::wait_for_event(mcp::forever);
  EXPECT_EQ(mcp::zephyr::millis() - begin, 2U);
}

TEST(ZephyrNative, PolledUartCarriesBytesBothWays) {
  pty = {};
  mcp::zephyr::PolledUart uart(&serial);
  EXPECT_EQ(read(uart, 8), "");
  pty.input = "one\ntwo\n";
  EXPECT_EQ(read(uart, 3), "one");
  EXPECT_EQ(read(uart, 8), "\ntwo\n");
  EXPECT_EQ(read(uart, 8), "");
  const std::string message(200, 'm');
  EXPECT_EQ(uart.write(message).size, message.size());
  EXPECT_EQ(pty.output, message);
}

// The port cannot know it: uart_poll_out() returns nothing.
TEST(ZephyrNative, PolledUartDiscardsWhatNoProgramReads) {
  pty = {};
  pty.space = 3;
  mcp::zephyr::PolledUart uart(&serial);
  EXPECT_EQ(uart.write(std::string_view("12345\n")).size, 6U);
  EXPECT_EQ(pty.output, "123");
}

TEST(ZephyrNative, PolledUartMarksDamage) {
  pty = {};
  mcp::zephyr::PolledUart uart(&serial);
  pty.input = "da";
  pty.errors = 1;
  EXPECT_EQ(read(uart, 8), "\xFF");
  pty.errors = 0;
  pty.input = "\n";
  EXPECT_EQ(read(uart, 8), "\n");
}

TEST(ZephyrNative, PolledUartFailsWithoutADeviceOrItsApi) {
  pty = {};
  mcp::zephyr::PolledUart uart(&serial);
  char byte = ' ';
  pty.poll_error = -88;
  EXPECT_EQ(uart.read({&byte, 1}).status, mcp::IoStatus::failed);
  pty.is_ready = false;
  EXPECT_EQ(uart.read({&byte, 1}).status, mcp::IoStatus::failed);
  EXPECT_EQ(uart.write({&byte, 1}).status, mcp::IoStatus::failed);
}

}  // namespace

extern "C" {
uint32_t k_uptime_get_32() { return uptime; }
void k_sem_give(k_sem*) { events = 1; }
int k_sem_take(k_sem*, k_timeout_t timeout) {
  if (events != 0) {
    events = 0;
    return 0;
  }
  EXPECT_GE(timeout.ticks, 0) << "nothing ends this sleep";
  uptime += static_cast<uint32_t>(timeout.ticks);
  return -11;
}
bool device_is_ready(const device*) { return pty.is_ready; }
int uart_err_check(const device*) { return pty.errors; }
int uart_poll_in(const device*, unsigned char* byte) {
  if (pty.poll_error != 0) return pty.poll_error;
  if (pty.input.empty()) return -1;
  *byte = static_cast<unsigned char>(pty.input.front());
  pty.input.erase(0, 1);
  return 0;
}
void uart_poll_out(const device*, unsigned char byte) {
  if (pty.output.size() < pty.space) pty.output.push_back(static_cast<char>(byte));
}
}
