// SPDX-License-Identifier: Apache-2.0
// The port for Zephyr against fakes of its functions. The fake UART has a FIFO of 4 bytes in each direction.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <zephyr/drivers/uart.h>
#include <zephyr/kernel.h>
#include <mcp/rtos.hpp>
#include "mcp/ports/zephyr.hpp"

namespace {

struct Chip {
  std::string line;  // bytes that arrive
  std::string sent;
  std::size_t fifo = 0;  // bytes in the transmit FIFO
  bool rx_on = false;
  bool tx_on = false;
  bool is_ready = true;
  int callback_error = 0;
  int update = 1;
  int errors = 0;
  int read_error = 0;
  int fill_error = 0;
  uart_irq_callback_user_data_t callback = nullptr;
  void* self = nullptr;
  std::function<void()> on_disable;  // what the thread does on another core just before the interrupt is off
  std::vector<int64_t> waits;
  unsigned int gives = 0;
  uint32_t uptime = 0;
  int random_error = 0;
  int locks = 0;
};
Chip chip;
constexpr device serial{"serial"};

class Zephyr : public testing::Test {
 protected:
  Zephyr() { chip = {}; }
};

void interrupt() { chip.callback(&serial, chip.self); }
// The line takes the bytes in the FIFO, and the interrupt runs while it is enabled.
void run_line() {
  while (chip.tx_on || (chip.rx_on && !chip.line.empty())) {
    interrupt();
    chip.fifo = 0;
  }
}

std::string read_all(mcp::ByteStream& stream) {
  std::string all;
  std::string part(3, '\0');
  for (mcp::IoResult result = stream.read(part); result.status == mcp::IoStatus::ok; result = stream.read(part))
    all.append(part, 0, result.size);
  return all;
}

mcp::IoStatus status_of_write(mcp::ByteStream& stream) { return stream.write(std::string_view("x")).status; }

TEST_F(Zephyr, TimeIsTheUptime) {
  chip.uptime = 0xFFFF'FFF0;
  EXPECT_EQ(mcp::zephyr::millis(), 0xFFFF'FFF0);
}

TEST_F(Zephyr, SleepsForAMinuteAtMost) {
  for (const mcp::Millis ms : {0U, 1U, 60'001U, 4'294'967'294U, mcp::forever}) mcp::zephyr::wait_for_event(ms);
  EXPECT_EQ(chip.waits, (std::vector<int64_t>{0, 1, 60'000, 60'000, -1}));
}

TEST_F(Zephyr, WakeGivesTheSemaphore) {
  mcp::zephyr::wake();
  EXPECT_EQ(chip.gives, 1U);
}

TEST_F(Zephyr, ReceivesMoreThanTheRingHolds) {
  mcp::zephyr::Uart uart(&serial);
  EXPECT_TRUE(chip.rx_on);
  EXPECT_EQ(read_all(uart), "");
  chip.line = "0123456789\n";
  run_line();
  EXPECT_FALSE(chip.rx_on);
  EXPECT_EQ(chip.line, "89\n");
  EXPECT_GE(chip.gives, 1U);
  EXPECT_EQ(read_all(uart), "01234567");
  EXPECT_TRUE(chip.rx_on);
  run_line();
  EXPECT_EQ(read_all(uart), "89\n");
}

TEST_F(Zephyr, KeepsReceivingIfTheThreadReadsWhileTheInterruptIsSwitchedOff) {
  mcp::zephyr::Uart uart(&serial);
  chip.line = "0123456789";
  std::string read;
  chip.on_disable = [&] { read = read_all(uart); };
  interrupt();
  EXPECT_EQ(read, "01234567");
  EXPECT_TRUE(chip.rx_on);
}

// Unread bytes stay, also after the ring has wrapped.
TEST_F(Zephyr, WipesTheBytesThatWereRead) {
  mcp::zephyr::Uart uart(&serial);
  const auto contains = [&](std::string_view text) {
    return std::string_view(reinterpret_cast<const char*>(&uart), sizeof uart).find(text) != std::string_view::npos;
  };
  chip.line = "secret";
  run_line();
  EXPECT_EQ(read_all(uart), "secret");
  EXPECT_TRUE(contains("secret"));
  uart.wipe();
  EXPECT_FALSE(contains("se") || contains("et"));
  chip.line = "keep";
  run_line();
  uart.wipe();
  EXPECT_EQ(chip.locks, 0);
  EXPECT_EQ(read_all(uart), "keep");
}

TEST_F(Zephyr, SendsPartsUntilTheRingIsFull) {
  mcp::zephyr::Uart uart(&serial);
  const std::string_view text = "0123456789\n";
  EXPECT_EQ(uart.write(text).size, 8U);
  mcp::IoResult result = uart.write(text);
  EXPECT_EQ(result.status, mcp::IoStatus::would_block);
  EXPECT_EQ(result.size, 0U);
  interrupt();
  EXPECT_EQ(chip.sent, "0123");
  EXPECT_TRUE(chip.tx_on);
  interrupt();  // the FIFO is full
  EXPECT_EQ(chip.sent, "0123");
  EXPECT_EQ(uart.write(text.substr(8)).size, 3U);
  run_line();
  EXPECT_EQ(chip.sent, text);
  EXPECT_FALSE(chip.tx_on);
}

TEST_F(Zephyr, KeepsSendingIfTheThreadWritesWhileTheInterruptIsSwitchedOff) {
  mcp::zephyr::Uart uart(&serial);
  EXPECT_EQ(uart.write(std::string_view("a")).size, 1U);
  chip.on_disable = [&] { EXPECT_EQ(uart.write(std::string_view("b")).size, 1U); };
  run_line();
  EXPECT_EQ(chip.sent, "ab");
}

TEST_F(Zephyr, LostBytesAreOneInvalidByte) {
  mcp::zephyr::Uart uart(&serial);
  chip.errors = 1;
  interrupt();
  EXPECT_EQ(read_all(uart), "\xFF");
  chip.errors = -88;  // the driver has no uart_err_check
  chip.line = "c";
  run_line();
  EXPECT_EQ(read_all(uart), "c");
}

// The driver does not say which byte of the FIFO is damaged.
TEST_F(Zephyr, TheMarkOfAnErrorComesAfterEarlierBytesAndReplacesThoseOfTheFifo) {
  mcp::zephyr::Uart uart(&serial);
  chip.line = "a\n{:1";
  run_line();
  chip.errors = 1;
  chip.line = "2}";
  run_line();
  chip.line = "\n";
  run_line();
  EXPECT_EQ(read_all(uart), "a\n{:1\xFF\n");
}

TEST_F(Zephyr, TheMarkOfAnErrorWaitsForSpaceInTheRing) {
  mcp::zephyr::Uart uart(&serial);
  chip.line = "01234567";
  run_line();
  EXPECT_FALSE(chip.rx_on);
  chip.errors = 1;
  chip.line = "89";
  interrupt();
  EXPECT_EQ(chip.line, "");
  EXPECT_EQ(read_all(uart), "01234567");
  chip.line = "\n";
  run_line();
  EXPECT_EQ(read_all(uart), "\xFF\n");
}

TEST_F(Zephyr, FailsIfTheDriverFailsWhileBytesAreDiscarded) {
  mcp::zephyr::Uart uart(&serial);
  chip.errors = 1;
  chip.read_error = -5;
  interrupt();
  EXPECT_EQ(status_of_write(uart), mcp::IoStatus::failed);
}

// A driver over a bus may fail for once, and one of Infineon returns 0 if its FIFO is empty.
TEST_F(Zephyr, TriesAgainAfterAnUpdateThatFails) {
  mcp::zephyr::Uart uart(&serial);
  for (const int result : {-5, -88, 0}) {
    chip.line = "a\n";
    chip.update = result;
    interrupt();
    EXPECT_EQ(read_all(uart), "");
    chip.update = 1;
    run_line();
    EXPECT_EQ(read_all(uart), "a\n");
    EXPECT_EQ(status_of_write(uart), mcp::IoStatus::ok);
  }
}

TEST_F(Zephyr, FailsIfTheDeviceIsNotReadyOrHasNoInterrupts) {
  char byte = ' ';
  chip.is_ready = false;
  mcp::zephyr::Uart absent(&serial);
  EXPECT_EQ(absent.read({&byte, 1}).status, mcp::IoStatus::failed);
  EXPECT_EQ(status_of_write(absent), mcp::IoStatus::failed);
  chip.is_ready = true;
  chip.callback_error = -88;
  mcp::zephyr::Uart polled(&serial);
  EXPECT_EQ(polled.read({&byte, 1}).status, mcp::IoStatus::failed);
  EXPECT_FALSE(chip.rx_on);
}

TEST_F(Zephyr, FailsAfterAnErrorOfTheDriver) {
  for (int* error : {&chip.read_error, &chip.fill_error}) {
    chip = {};
    mcp::zephyr::Uart uart(&serial);
    EXPECT_EQ(status_of_write(uart), mcp::IoStatus::ok);
    chip.line = "a";
    *error = -5;
    interrupt();
    char byte = ' ';
    EXPECT_EQ(uart.read({&byte, 1}).status, mcp::IoStatus::failed);
    EXPECT_EQ(status_of_write(uart), mcp::IoStatus::failed);
    EXPECT_EQ(chip.gives, 1U);
  }
}

// The ring has 8 bytes.
TEST_F(Zephyr, WakesAReaderOfLinesAtTheEndOfALineAndAtEachHalfOfTheRing) {
  mcp::zephyr::Uart uart(&serial);
  uart.read_lines();
  const auto wakes_for = [](std::string_view bytes) {
    const unsigned int before = chip.gives;
    chip.line = bytes;
    run_line();
    return chip.gives - before;
  };
  EXPECT_EQ(wakes_for("a"), 0U);
  EXPECT_EQ(wakes_for("bc"), 0U);
  EXPECT_EQ(wakes_for("d"), 1U);
  EXPECT_EQ(wakes_for("e"), 0U);
  EXPECT_EQ(wakes_for("\n"), 1U);
  EXPECT_EQ(read_all(uart), "abcde\n");
  chip.errors = 1;
  EXPECT_EQ(wakes_for("x"), 1U);
  chip.errors = 0;
  EXPECT_EQ(wakes_for("y"), 1U);  // the other half
  EXPECT_EQ(read_all(uart), "\xFFy");
  EXPECT_EQ(status_of_write(uart), mcp::IoStatus::ok);
  EXPECT_GE(wakes_for(""), 1U);  // space to write
}

TEST_F(Zephyr, EntropyFillsAllBytesOrFails) {
  mcp::zephyr::SdkEntropy entropy;
  std::uint8_t bytes[5]{};
  EXPECT_TRUE(entropy.fill(bytes));
  EXPECT_TRUE(std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0x5A; }));
  chip.random_error = -5;
  EXPECT_FALSE(entropy.fill(bytes));
}

TEST_F(Zephyr, BootIdIsTheFirstNumberThatIsNotZero) {
  EXPECT_EQ(mcp::zephyr::boot_id(), 2U);
  EXPECT_EQ(mcp::zephyr::boot_id(), 2U);
}

TEST_F(Zephyr, LockIsTheOneOfInterrupts) {
  const std::uint32_t state = mcp_lock();
  EXPECT_EQ(chip.locks, 1);
  mcp_unlock(state);
  EXPECT_EQ(chip.locks, 0);
}

}  // namespace

extern "C" {
uint32_t k_uptime_get_32() { return chip.uptime; }
int k_sem_take(k_sem*, k_timeout_t timeout) {
  chip.waits.push_back(timeout.ticks);
  return 0;
}
void k_sem_give(k_sem* sem) {
  EXPECT_EQ(sem->limit, 1U);
  ++chip.gives;
}
void k_panic() {}
void printk(const char*, ...) {}
unsigned int irq_lock() { return static_cast<unsigned int>(++chip.locks + 6); }
void irq_unlock(unsigned int key) {
  EXPECT_EQ(key, 7U);
  --chip.locks;
}
void sys_rand_get(void* dst, size_t len) {
  static std::uint32_t next;  // 0, 2, 4 ...
  EXPECT_EQ(len, sizeof next);
  std::memcpy(dst, &next, sizeof next);
  next += 2;
}
int sys_csrand_get(void* dst, size_t len) {
  std::memset(dst, 0x5A, len);
  return chip.random_error;
}

bool device_is_ready(const device*) { return chip.is_ready; }
int uart_irq_callback_user_data_set(const device*, uart_irq_callback_user_data_t callback, void* self) {
  chip.callback = callback;
  chip.self = self;
  return chip.callback_error;
}
// As before Zephyr 4.5. While the device cannot be reached, the functions after it do not reach it either.
int uart_irq_update(const device*) { return chip.update; }
int uart_err_check(const device*) {
  if (chip.update <= 0) return chip.update;
  const int errors = chip.errors;
  chip.errors = 0;
  return errors;
}
int uart_irq_rx_ready(const device*) {
  return chip.update <= 0 ? chip.update : chip.rx_on && !chip.line.empty() ? 1 : 0;
}
int uart_irq_tx_ready(const device*) { return chip.update <= 0 ? chip.update : chip.tx_on ? 1 : 0; }
void uart_irq_rx_enable(const device*) { chip.rx_on = true; }
void uart_irq_tx_enable(const device*) { chip.tx_on = true; }
void uart_irq_rx_disable(const device*) {
  if (const auto action = std::exchange(chip.on_disable, nullptr)) action();
  chip.rx_on = false;
}
void uart_irq_tx_disable(const device*) {
  if (const auto action = std::exchange(chip.on_disable, nullptr)) action();
  chip.tx_on = false;
}
int uart_fifo_read(const device*, uint8_t* data, const int size) {
  EXPECT_EQ(chip.locks, 1) << "wipe() could run on another core";
  EXPECT_EQ(size, 1);
  if (chip.read_error != 0) return chip.read_error;
  if (chip.line.empty()) return 0;
  *data = static_cast<uint8_t>(chip.line.front());
  chip.line.erase(0, 1);
  return 1;
}
int uart_fifo_fill(const device*, const uint8_t* data, int size) {
  EXPECT_EQ(size, 1);
  if (chip.fill_error != 0) return chip.fill_error;
  if (chip.fifo == 4) return 0;
  ++chip.fifo;
  chip.sent.push_back(static_cast<char>(*data));
  return 1;
}
}
