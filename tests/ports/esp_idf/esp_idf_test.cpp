// SPDX-License-Identifier: Apache-2.0
// The port for ESP-IDF against fakes of its functions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>
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

// The receiver of USB, as components/esp_driver_usb_serial_jtag/src/usb_serial_jtag.c of v6.2-dev (commit 1021229; the
// same in v5.4 and v5.5.5): usb_serial_jtag_isr_handler_default ignores the result of xRingbufferSendFromISR, so a
// packet that does not fit is gone, and it calls the callback in either case. xRingbufferReceiveUpTo returns no bytes
// across the end of the ring, and their space is free after vRingbufferReturnItem only.
struct UsbRing {
  std::size_t size = 256;  // USB_SERIAL_JTAG_DRIVER_CONFIG_DEFAULT
  std::string waiting;
  std::size_t held = 0;  // bytes that a read copies
  std::size_t position = 0;
  std::size_t lost = 0;

  void take(std::string_view packet) {
    if (packet.size() > size - waiting.size() - held) {
      ++lost;
    } else {
      waiting += packet;
    }
  }
};

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
  UsbRing ring;
  std::function<void()> on_return;  // an interrupt after a read has copied bytes of USB
  std::vector<TickType_t> waits;
  int delays = 0;
  int gives = 0;
  bool is_notified = false;
  int yields = 0;
  int locks = 0;
  bool is_in_interrupt = false;
  BaseType_t woken = pdFALSE;
  int64_t time_us = 0;
};
Chip chip;
TickType_t tick_count;
int task_of_server;

// A chip after reset whose server task has called wait_for_event().
class EspIdf : public testing::Test {
 protected:
  EspIdf() {
    chip = {};
    mcp::esp_idf::wait_for_event(1);
    mcp::esp_idf::wait_for_event(1);
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

// Another core may run the interrupt, and read in between.
void notify_of_packet() {
  int woken = pdFALSE;
  chip.usb(USJ_SELECT_READ_NOTIF, &woken);
}

// Bytes from the host, in packets.
void receive_usb(std::string_view bytes) {
  for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(bytes.size(), 64))) {
    chip.ring.take(bytes.substr(0, 64));
    notify_of_packet();
  }
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
  mcp::esp_idf::UsbSerialJtag usb(256);
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
  EXPECT_EQ(chip.waits, (std::vector<TickType_t>{1, 1, 2, 429'496'730}));
}

// The task watchdog reports a processor whose idle task does not run.
TEST_F(EspIdf, ATaskThatNeverSleepsLeavesATickToTheIdleTaskTwiceASecond) {
  for (const bool has_events : {false, true}) {
    mcp::esp_idf::wait_for_event(1);
    chip.waits.clear();
    chip.delays = 0;
    for (int tick = 0; tick < 10 * configTICK_RATE_HZ; ++tick) {
      if (has_events) mcp::esp_idf::wake();
      mcp::esp_idf::wait_for_event(has_events ? mcp::forever : 0);
      ++tick_count;
    }
    EXPECT_TRUE(chip.waits.empty());
    EXPECT_EQ(chip.delays, 19);  // every 51 ticks
  }
}

TEST_F(EspIdf, ATaskThatSleepsIsNotDelayed) {
  for (int tick = 0; tick < 10 * configTICK_RATE_HZ; ++tick) {
    mcp::esp_idf::wait_for_event(tick % 40 == 0 ? 10 : 0);
    ++tick_count;
  }
  EXPECT_EQ(chip.delays, 0);
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
  EXPECT_EQ(chip.waits, std::vector<TickType_t>{1});
  chip.space = 3;
  result = uart.write(std::string_view("67\n"));
  EXPECT_EQ(result.size, 3U);
  mcp::esp_idf::wait_for_event(mcp::forever);
  EXPECT_EQ(chip.sent, "1234567\n");
  EXPECT_EQ(chip.waits, (std::vector<TickType_t>{1, portMAX_DELAY}));
}

TEST_F(EspIdf, UartWithoutDriverFails) {
  mcp::esp_idf::Uart uart(UART_NUM_1);
  chip.is_installed = false;
  char byte = ' ';
  EXPECT_EQ(uart.read({&byte, 1}).status, mcp::IoStatus::failed);
  EXPECT_EQ(uart.write({&byte, 1}).status, mcp::IoStatus::failed);
}

TEST_F(EspIdf, UsbCarriesBytesBothWays) {
  mcp::esp_idf::UsbSerialJtag usb(256);
  receive_usb("one\n");
  EXPECT_EQ(read_all(usb), "one\n");
  EXPECT_EQ(usb.write(std::string_view("two\n")).size, 4U);
  EXPECT_EQ(chip.sent, "two\n");
  int woken = pdFALSE;
  chip.woken = pdTRUE;
  chip.usb(USJ_SELECT_WRITE_NOTIF, &woken);
  EXPECT_EQ(chip.gives, 2);
  EXPECT_EQ(woken, pdTRUE);
  mcp::esp_idf::wait_for_event(mcp::forever);
  EXPECT_TRUE(chip.waits.empty());
  mcp::esp_idf::wait_for_event(mcp::forever);
  EXPECT_EQ(chip.waits, std::vector<TickType_t>{portMAX_DELAY});
}

// The string of this call would have a hole: the fifth packet does not fit, and the server runs again when the fourth
// has come.
TEST_F(EspIdf, UsbMarksAPacketThatTheDriverHasDiscarded) {
  mcp::esp_idf::UsbSerialJtag usb(256);
  receive_usb(std::string(256, 'a') + std::string(64, 'b'));
  EXPECT_EQ(chip.ring.lost, 1U);
  EXPECT_EQ(read_all(usb, 100), "\xFF");
  receive_usb("c\n");
  EXPECT_EQ(read_all(usb), "c\n");
}

// The last packet is lost after the server has begun to read: before or after the driver has taken bytes from the ring,
// whose space is not free yet.
TEST_F(EspIdf, UsbMarksAPacketThatIsDiscardedDuringARead) {
  for (const std::size_t before : {0U, 832U, 896U}) {
    for (auto* const interrupt : {&chip.on_read, &chip.on_return}) {
      chip.ring = {};
      chip.ring.size = 960;
      mcp::esp_idf::UsbSerialJtag usb(chip.ring.size);
      receive_usb(std::string(before, 'a'));
      *interrupt = [&] { receive_usb(std::string(chip.ring.size + 64 - before, 'b')); };
      std::string all(1000, '\0');
      all.resize(usb.read(all).size);
      EXPECT_GT(chip.ring.lost, 0U);
      EXPECT_LE(all.size(), 64U);
      all += read_all(usb);
      EXPECT_TRUE(all.ends_with('\xFF'));
    }
  }
}

TEST_F(EspIdf, UsbReadsAnyNumberOfMessagesForWhichTheRingHasSpace) {
  chip.ring.size = 512;
  mcp::esp_idf::UsbSerialJtag usb(chip.ring.size);
  for (std::size_t size = 1; size <= chip.ring.size - 128; ++size) {
    const std::string message(size, 'm');
    receive_usb(message);
    ASSERT_EQ(read_all(usb, 100), message);
  }
}

// Byte N of the stream has the value N modulo 251, so no byte is 0xFF, and no bytes may be missing without a mark.
TEST_F(EspIdf, UsbMarksEachLossHoweverTheInterruptAndReadsAlternate) {
  chip.ring.size = 1000;
  mcp::esp_idf::UsbSerialJtag usb(chip.ring.size);
  std::mt19937 random(1);
  const auto below = [&](unsigned most) { return static_cast<unsigned>(random() % most); };
  unsigned next = 0;
  const auto receive_packet = [&] {
    std::string packet(below(2) == 0 ? 64 : 1 + below(64), '\0');
    for (char& byte : packet) byte = static_cast<char>(next++ % 251);
    chip.ring.take(packet);
  };
  unsigned expected = 0;
  bool is_marked = false;
  std::size_t marks = 0;
  for (int step = 0; step < 50'000; ++step) {
    // A handler of the server runs for a while, now and then.
    for (unsigned packets = below(50) == 0 ? below(40) : below(2); packets != 0; --packets) {
      receive_packet();
      // Else the interrupt on another core calls back during the next read.
      if (chip.on_read || below(2) == 0) {
        notify_of_packet();
      } else {
        chip.on_read = notify_of_packet;
      }
    }
    if (below(16) == 0) {
      chip.on_return = [&] {
        receive_packet();
        notify_of_packet();
      };
    }
    std::string part(1 + below(below(8) == 0 ? 1000 : 40), '\0');
    const std::size_t size = usb.read(part).size;
    for (const char byte : std::string_view(part).substr(0, size)) {
      const unsigned value = static_cast<unsigned char>(byte);
      if (value == 0xFF) {
        is_marked = true;
        ++marks;
        continue;
      }
      ASSERT_TRUE(is_marked || value == expected) << step;
      is_marked = false;
      expected = (value + 1) % 251;
    }
  }
  EXPECT_GT(chip.ring.lost, 100U);
  EXPECT_GT(marks, 100U);
}

TEST_F(EspIdf, UsbTakesPacketsAsAWhole) {
  mcp::esp_idf::UsbSerialJtag usb(256);
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
  mcp::esp_idf::UsbSerialJtag usb(256);
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
TickType_t xTaskGetTickCount() { return tick_count; }
void vTaskDelay(TickType_t ticks) {
  EXPECT_EQ(ticks, 1U);
  ++chip.delays;
  tick_count += ticks;
}
// A notification that is there already ends no sleep: the task stays on the processor, and the idle task does not run.
uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t ticks) {
  EXPECT_EQ(clear, pdTRUE);
  if (std::exchange(chip.is_notified, false)) return 1;
  if (ticks == 0) return 0;
  chip.waits.push_back(ticks);
  ++tick_count;
  return 0;
}
BaseType_t xTaskNotifyGive(TaskHandle_t task) {
  EXPECT_EQ(task, xTaskGetCurrentTaskHandle());
  ++chip.gives;
  chip.is_notified = true;
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
  EXPECT_EQ(ticks, 0U);
  if (const auto interrupt = std::exchange(chip.on_read, nullptr)) interrupt();
  UsbRing& ring = chip.ring;
  ring.held = std::min({std::size_t{length}, ring.waiting.size(), ring.size - ring.position});
  std::memcpy(buf, ring.waiting.data(), ring.held);
  ring.waiting.erase(0, ring.held);
  ring.position = (ring.position + ring.held) % ring.size;
  if (const auto interrupt = std::exchange(chip.on_return, nullptr)) interrupt();
  return static_cast<int>(std::exchange(ring.held, 0));
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
