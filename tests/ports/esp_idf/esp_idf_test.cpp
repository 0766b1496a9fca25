// SPDX-License-Identifier: Apache-2.0
// The port for ESP-IDF against fakes of its functions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <driver/uart_select.h>
#include <driver/usb_serial_jtag_select.h>
#include <freertos/task.h>
#include <mcp/rtos.hpp>
#include "mcp/ports/esp_idf.hpp"

namespace {

// The state of the fakes.
struct Chip {
  std::string received;
  std::string fifo;
  unsigned silence = 10;  // after which the driver empties the FIFO, in byte times
  std::string sent;
  std::size_t space = 128;
  bool is_installed = true;
  uart_select_notif_callback_t uart = nullptr;
  std::function<void()> on_read;  // an interrupt during the next read
  usj_select_notif_callback_t usb = nullptr;
  std::vector<TickType_t> waits;
  int gives = 0;
  int yields = 0;
  int locks = 0;
  bool is_in_interrupt = false;
  BaseType_t woken = pdFALSE;
  int64_t time_us = 0;
};
Chip chip;
int task_of_server;

// A chip after reset whose server task has called wait_for_event().
class EspIdf : public testing::Test {
 protected:
  EspIdf() {
    chip = {};
    mcp::esp_idf::wait_for_event(0);
    mcp::esp_idf::wait_for_event(0);
    chip.waits.clear();
  }
};

// The interrupt of the driver.
void empty_fifo() {
  chip.received += std::exchange(chip.fifo, "");
  BaseType_t woken = pdFALSE;
  chip.uart(UART_NUM_1, UART_SELECT_READ_NOTIF, &woken);
}

// Bytes on the wire, without a gap.
void receive(std::string_view bytes) {
  constexpr std::size_t full = 120;  // the default of the driver
  for (const char byte : bytes) {
    chip.fifo += byte;
    if (chip.fifo.size() == full) empty_fifo();
  }
}

void be_silent(unsigned byte_times) {
  if (!chip.fifo.empty() && byte_times >= chip.silence) empty_fifo();
}

std::string read_all(mcp::ByteStream& stream, std::size_t size = 64) {
  std::string all;
  std::string part(size, '\0');
  for (mcp::IoResult result = stream.read(part); result.status == mcp::IoStatus::ok; result = stream.read(part))
    all.append(part, 0, result.size);
  return all;
}

TEST(EspIdfStart, FirstWaitReturnsAtOnceAndEventsBeforeItNotifyNoTask) {
  mcp::esp_idf::wake();
  EXPECT_EQ(chip.gives, 0);
  mcp::esp_idf::UsbSerialJtag usb;
  int woken = pdFALSE;
  chip.usb(USJ_SELECT_READ_NOTIF, &woken);
  EXPECT_EQ(chip.gives, 0);
  EXPECT_EQ(woken, pdFALSE);
  mcp::esp_idf::wait_for_event(mcp::forever);
  EXPECT_TRUE(chip.waits.empty());
  mcp::esp_idf::wait_for_event(mcp::forever);
  EXPECT_EQ(chip.waits, std::vector<TickType_t>{portMAX_DELAY});
}

TEST_F(EspIdf, MillisecondsWrapAt32Bits) {
  chip.time_us = 1'999;
  EXPECT_EQ(mcp::esp_idf::millis(), 1U);
  chip.time_us = ((int64_t{1} << 32) + 5) * 1'000;
  EXPECT_EQ(mcp::esp_idf::millis(), 5U);
}

TEST_F(EspIdf, SleepsForTicksRoundedUp) {
  for (const mcp::Millis ms : {0U, 1U, 10U, 11U, 4'294'967'294U}) mcp::esp_idf::wait_for_event(ms);
  EXPECT_EQ(chip.waits, (std::vector<TickType_t>{0, 1, 1, 2, 429'496'730}));
}

TEST_F(EspIdf, AnyTaskOrInterruptWakesTheServer) {
  mcp::esp_idf::wake();
  EXPECT_EQ(chip.gives, 1);
  chip.is_in_interrupt = true;
  mcp::esp_idf::wake();
  EXPECT_EQ(chip.gives, 2);
  EXPECT_EQ(chip.yields, 0);
  chip.woken = pdTRUE;
  mcp::esp_idf::wake();
  EXPECT_EQ(chip.gives, 3);
  EXPECT_EQ(chip.yields, 1);
}

TEST_F(EspIdf, UartReadsWhatTheDriverHas) {
  mcp::esp_idf::Uart uart(UART_NUM_1);
  chip.received = "one\ntwo\n";
  EXPECT_EQ(read_all(uart, 3), "one\ntwo\n");
  BaseType_t woken = pdFALSE;
  chip.uart(UART_NUM_1, UART_SELECT_READ_NOTIF, &woken);
  EXPECT_EQ(chip.gives, 1);
  EXPECT_EQ(woken, pdFALSE);
  chip.woken = pdTRUE;
  chip.uart(UART_NUM_1, UART_SELECT_READ_NOTIF, &woken);
  EXPECT_EQ(woken, pdTRUE);
}

TEST_F(EspIdf, ALineWakesTheServerOneByteTimeAfterItsEndAndForEachFullFifo) {
  mcp::esp_idf::Uart uart(UART_NUM_1);
  receive("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
  EXPECT_EQ(chip.gives, 0);
  be_silent(1);
  EXPECT_EQ(chip.gives, 1);
  EXPECT_EQ(read_all(uart).size(), 41U);
  receive(std::string(299, ' ') + '\n');
  EXPECT_EQ(chip.gives, 3);
  EXPECT_EQ(read_all(uart).size(), 240U);
  be_silent(1);
  EXPECT_EQ(chip.gives, 4);
  EXPECT_EQ(read_all(uart).size(), 60U);
}

TEST_F(EspIdf, LostBytesAreOneInvalidByteOfThatUart) {
  mcp::esp_idf::Uart uart0(UART_NUM_0);
  mcp::esp_idf::Uart uart1(UART_NUM_1);
  BaseType_t woken = pdFALSE;
  chip.uart(UART_NUM_1, UART_SELECT_ERROR_NOTIF, &woken);
  chip.uart(UART_NUM_1, UART_SELECT_ERROR_NOTIF, &woken);
  EXPECT_EQ(read_all(uart0), "");
  EXPECT_EQ(read_all(uart1), "\xFF");
  chip.received = "rest\n";
  EXPECT_EQ(read_all(uart1), "rest\n");
}

// The driver may have more than one message when it reports an error, which may be in any of them.
TEST_F(EspIdf, BytesAroundAnErrorAreDiscarded) {
  mcp::esp_idf::Uart uart(UART_NUM_1);
  chip.received = "a complete message\n{\"percent\":1";
  BaseType_t woken = pdFALSE;
  chip.uart(UART_NUM_1, UART_SELECT_ERROR_NOTIF, &woken);
  EXPECT_EQ(read_all(uart), "\xFF");
  chip.received = "}\nnext\n";
  EXPECT_EQ(read_all(uart), "}\nnext\n");
}

TEST_F(EspIdf, BytesThatAreReadDuringAnErrorAreDiscarded) {
  mcp::esp_idf::Uart uart(UART_NUM_1);
  chip.received = "{\"percent\":1}\n";
  chip.on_read = [] {
    BaseType_t woken = pdFALSE;
    chip.uart(UART_NUM_1, UART_SELECT_ERROR_NOTIF, &woken);
  };
  EXPECT_EQ(read_all(uart, 5), "\xFF");
}

TEST_F(EspIdf, UartWritesPartsAndThenWaitsForOneTickOnce) {
  mcp::esp_idf::Uart uart(UART_NUM_1);
  chip.space = 5;
  mcp::IoResult result = uart.write(std::string_view("1234567\n"));
  EXPECT_EQ(result.status, mcp::IoStatus::ok);
  EXPECT_EQ(result.size, 5U);
  mcp::esp_idf::wait_for_event(mcp::forever);
  result = uart.write(std::string_view("67\n"));
  EXPECT_EQ(result.status, mcp::IoStatus::would_block);
  mcp::esp_idf::wait_for_event(0);
  chip.space = 3;
  result = uart.write(std::string_view("67\n"));
  EXPECT_EQ(result.size, 3U);
  mcp::esp_idf::wait_for_event(mcp::forever);
  EXPECT_EQ(chip.sent, "1234567\n");
  EXPECT_EQ(chip.waits, (std::vector<TickType_t>{1, 0, portMAX_DELAY}));
}

TEST_F(EspIdf, UartWithoutDriverFails) {
  mcp::esp_idf::Uart uart(UART_NUM_1);
  chip.is_installed = false;
  char byte = ' ';
  EXPECT_EQ(uart.read({&byte, 1}).status, mcp::IoStatus::failed);
  EXPECT_EQ(uart.write({&byte, 1}).status, mcp::IoStatus::failed);
}

TEST_F(EspIdf, UsbCarriesBytesBothWays) {
  mcp::esp_idf::UsbSerialJtag usb;
  chip.received = "one\n";
  EXPECT_EQ(read_all(usb), "one\n");
  EXPECT_EQ(usb.write(std::string_view("two\n")).size, 4U);
  EXPECT_EQ(chip.sent, "two\n");
  int woken = pdFALSE;
  chip.woken = pdTRUE;
  chip.usb(USJ_SELECT_READ_NOTIF, &woken);
  EXPECT_EQ(chip.gives, 1);
  EXPECT_EQ(woken, pdTRUE);
  mcp::esp_idf::wait_for_event(mcp::forever);
  EXPECT_EQ(chip.waits, std::vector<TickType_t>{portMAX_DELAY});
}

TEST_F(EspIdf, UsbTakesPacketsAsAWhole) {
  mcp::esp_idf::UsbSerialJtag usb;
  const std::string text(100, 'x');
  EXPECT_EQ(usb.write(text).size, 64U);
  EXPECT_EQ(usb.write(text).size, 64U);
  const mcp::IoResult result = usb.write(std::string_view("y"));
  EXPECT_EQ(result.status, mcp::IoStatus::would_block);
  EXPECT_EQ(result.size, 0U);
  EXPECT_EQ(chip.sent, std::string(128, 'x'));
  mcp::esp_idf::wait_for_event(mcp::forever);
  EXPECT_EQ(chip.waits, std::vector<TickType_t>{1});
}

TEST_F(EspIdf, UsbWithoutDriverFails) {
  mcp::esp_idf::UsbSerialJtag usb;
  chip.is_installed = false;
  char byte = ' ';
  EXPECT_EQ(usb.read({&byte, 1}).status, mcp::IoStatus::failed);
  EXPECT_EQ(usb.write({&byte, 1}).status, mcp::IoStatus::failed);
}

TEST_F(EspIdf, EntropyFillsAllBytes) {
  mcp::esp_idf::SdkEntropy entropy;
  std::uint8_t bytes[5]{};
  EXPECT_TRUE(entropy.fill(bytes));
  EXPECT_TRUE(std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0x5A; }));
}

TEST_F(EspIdf, BootIdIsTheFirstNumberThatIsNotZero) {
  EXPECT_EQ(mcp::esp_idf::boot_id(), 2U);
  EXPECT_EQ(mcp::esp_idf::boot_id(), 2U);
}

TEST_F(EspIdf, LockIsOneCriticalSection) {
  const std::uint32_t state = mcp_lock();
  EXPECT_EQ(chip.locks, 1);
  mcp_unlock(state);
  EXPECT_EQ(chip.locks, 0);
}

}  // namespace

extern "C" {
int64_t esp_timer_get_time() { return chip.time_us; }
uint32_t esp_random() {
  static uint32_t next;  // 0, 2, 4 ...
  return std::exchange(next, next + 2);
}
void esp_fill_random(void* buf, size_t len) { std::memset(buf, 0x5A, len); }
int esp_rom_printf(const char*, ...) { return 0; }
void vPortEnterCriticalSafe(portMUX_TYPE*) { ++chip.locks; }
void vPortExitCriticalSafe(portMUX_TYPE*) { --chip.locks; }
void vPortYieldFromISR() { ++chip.yields; }
BaseType_t xPortInIsrContext() { return chip.is_in_interrupt ? pdTRUE : pdFALSE; }
TaskHandle_t xTaskGetCurrentTaskHandle() { return reinterpret_cast<TaskHandle_t>(&task_of_server); }
uint32_t ulTaskNotifyTake(BaseType_t, TickType_t ticks) {
  chip.waits.push_back(ticks);
  return 0;
}
BaseType_t xTaskNotifyGive(TaskHandle_t task) {
  EXPECT_EQ(task, xTaskGetCurrentTaskHandle());
  ++chip.gives;
  return pdTRUE;
}
void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t* woken) {
  xTaskNotifyGive(task);
  if (chip.woken != pdFALSE) *woken = pdTRUE;
}

int uart_read_bytes(uart_port_t, void* buf, uint32_t length, TickType_t ticks) {
  EXPECT_EQ(ticks, 0U);
  if (!chip.is_installed) return -1;
  if (const auto interrupt = std::exchange(chip.on_read, nullptr)) interrupt();
  const std::size_t size = std::min<std::size_t>(length, chip.received.size());
  std::memcpy(buf, chip.received.data(), size);
  chip.received.erase(0, size);
  return static_cast<int>(size);
}
esp_err_t uart_flush_input(uart_port_t) {
  chip.received.clear();
  return chip.is_installed ? 0 : -1;
}
int uart_tx_chars(uart_port_t, const char* buffer, uint32_t len) {
  if (!chip.is_installed) return -1;
  const std::size_t size = std::min<std::size_t>(len, chip.space);
  chip.sent.append(buffer, size);
  chip.space -= size;
  return static_cast<int>(size);
}
esp_err_t uart_set_rx_timeout(uart_port_t, std::uint8_t silence) {
  chip.silence = silence;
  return 0;
}
void uart_set_select_notif_callback(uart_port_t, uart_select_notif_callback_t callback) { chip.uart = callback; }

int usb_serial_jtag_read_bytes(void* buf, uint32_t length, uint32_t ticks) {
  return uart_read_bytes(UART_NUM_0, buf, length, ticks);
}
// All bytes or none, as the driver.
int usb_serial_jtag_write_bytes(const void* src, size_t size, uint32_t ticks) {
  EXPECT_EQ(ticks, 0U);
  if (size > chip.space) return 0;
  return uart_tx_chars(UART_NUM_0, static_cast<const char*>(src), static_cast<uint32_t>(size));
}
bool usb_serial_jtag_is_driver_installed() { return chip.is_installed; }
void usb_serial_jtag_set_select_notif_callback(usj_select_notif_callback_t callback) { chip.usb = callback; }
}
