// SPDX-License-Identifier: Apache-2.0
// The serial port on USB against a stub of TinyUSB. What the PC does happens in tud_task(), as on the chip.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <device/usbd_pvt.h>
#include <hardware/irq.h>
#include <pico/bootrom.h>
#include <pico/time.h>
#include <tusb.h>
#include "mcp/ports/pico.hpp"

namespace {

// The state of the stub. The stream is one object for the whole program, so tests leave the port closed.
struct Bus {
  std::function<void()> event;  // of the PC, at the next tud_task()
  std::string to_chip;
  std::string to_pc;        // bytes that the PC has taken, and bytes in the buffer of TinyUSB
  std::size_t space = 256;  // in this buffer
  bool has_dtr = false;     // otherwise a full buffer loses its oldest bytes
  bool is_sending = false;  // a packet waits in the controller
  bool has_alarms = true;   // of the pico-sdk
  alarm_callback_t alarm = nullptr;
  mcp::Millis now_ms = 0xFFFF'FE00;  // the clock wraps in the tests
  unsigned inits = 0;
  unsigned resets = 0;
  unsigned wakes = 0;
  irq_handler_t handler = nullptr;
};
Bus bus;

void line_state(bool dtr, bool rts) {
  bus.has_dtr = dtr;
  tud_cdc_line_state_cb(0, dtr, rts);
}
void open() { line_state(true, true); }
void close() { line_state(false, false); }
void unplug() {
  bus.to_chip.clear();
  bus.space = 256;
  bus.has_dtr = false;
  tud_umount_cb();
}
// The PC takes all bytes.
void take() { bus.space = 256; }

// The begin of a test: an empty bus, and a port that is at the begin of a line in both directions.
mcp::ByteStream& closed_port() {
  mcp::ByteStream& port = mcp::pico::usb();
  if (bus.alarm != nullptr) std::exchange(bus.alarm, nullptr)(1, nullptr);
  bus.event = unplug;
  char text[8];
  while (port.read(text).status == mcp::IoStatus::ok) {
  }
  EXPECT_EQ(port.write(std::string_view("\n")).size, 1U);
  bus.to_pc.clear();
  return port;
}

std::string read_all(mcp::ByteStream& port, std::size_t size = 64) {
  std::string all;
  std::string part(size, '\0');
  for (mcp::IoResult result = port.read(part); result.status == mcp::IoStatus::ok; result = port.read(part))
    all.append(part, 0, result.size);
  return all;
}

std::size_t write(mcp::ByteStream& port, std::string_view text) {
  const mcp::IoResult result = port.write(text);
  return result.status == mcp::IoStatus::ok ? result.size : 0;
}

TEST(PicoUsb, IsSwitchedOnOnceAndWakesTheServer) {
  const unsigned wakes = bus.wakes;
  EXPECT_EQ(&mcp::pico::usb(), &mcp::pico::usb());
  EXPECT_EQ(bus.inits, 1U);
  ASSERT_NE(bus.handler, nullptr);
  bus.event = [] {};
  bus.handler();
  EXPECT_EQ(bus.wakes, wakes + 1);
}

TEST(PicoUsb, FramesOfTheBusDoNotWakeTheServer) {
  static_cast<void>(closed_port());
  const unsigned wakes = bus.wakes;
  for (unsigned frame = 0; frame < 1000; ++frame) bus.handler();
  EXPECT_EQ(bus.wakes, wakes);
}

TEST(PicoUsb, CarriesBytesBothWays) {
  mcp::ByteStream& port = closed_port();
  bus.event = open;
  bus.to_chip = "one\ntwo\n";
  EXPECT_EQ(read_all(port, 3), "one\ntwo\n");
  EXPECT_EQ(write(port, "three\n"), 6U);
  EXPECT_EQ(bus.to_pc, "three\n");
}

TEST(PicoUsb, AFullBufferDelaysTheSender) {
  mcp::ByteStream& port = closed_port();
  bus.event = open;
  bus.space = 4;
  EXPECT_EQ(write(port, "123456\n"), 4U);
  EXPECT_EQ(port.write(std::string_view("56\n")).status, mcp::IoStatus::would_block);
  bus.space = 64;
  EXPECT_EQ(write(port, "56\n"), 3U);
  EXPECT_EQ(bus.to_pc, "123456\n");
}

TEST(PicoUsb, DiscardsOutputWhileThePortIsClosed) {
  mcp::ByteStream& port = closed_port();
  EXPECT_EQ(write(port, "lost\n"), 5U);
  bus.event = open;
  EXPECT_EQ(write(port, "read\n"), 5U);
  EXPECT_EQ(bus.to_pc, "read\n");
}

TEST(PicoUsb, AProgramReadsNoRestOfALine) {
  mcp::ByteStream& port = closed_port();
  EXPECT_EQ(write(port, "begin "), 6U);
  bus.event = open;
  EXPECT_EQ(write(port, "middle "), 7U);
  EXPECT_EQ(write(port, "end\nnext\n"), 4U);
  EXPECT_EQ(write(port, "next\n"), 5U);
  EXPECT_EQ(bus.to_pc, "next\n");
}

TEST(PicoUsb, ClosingThePortCutsTheLine) {
  mcp::ByteStream& port = closed_port();
  bus.event = open;
  EXPECT_EQ(write(port, "begin "), 6U);
  bus.event = [] {
    close();
    open();
  };
  EXPECT_EQ(write(port, "end\n"), 4U);
  EXPECT_EQ(write(port, "next\n"), 5U);
  EXPECT_EQ(bus.to_pc, "next\n");  // the bytes that were not sent yet are gone, too
}

TEST(PicoUsb, ALineEndsWhenThePortIsClosed) {
  mcp::ByteStream& port = closed_port();
  bus.event = open;
  bus.to_chip = "half";
  EXPECT_EQ(read_all(port), "half");
  bus.event = close;
  EXPECT_EQ(read_all(port), "\n");
  bus.event = open;
  bus.to_chip = "whole\n";
  EXPECT_EQ(read_all(port), "whole\n");
}

TEST(PicoUsb, ServesWhatWasSentBeforeThePortWasClosed) {
  mcp::ByteStream& port = closed_port();
  bus.event = [] {
    open();
    bus.to_chip = "one\nhalf";
    close();
    open();
    bus.to_chip += "two\n";
  };
  EXPECT_EQ(read_all(port, 5), "one\nhalf\ntwo\n");
  bus.event = close;
  EXPECT_EQ(read_all(port), "");
}

TEST(PicoUsb, DropsWhatTwoProgramsHaveLeft) {
  mcp::ByteStream& port = closed_port();
  bus.event = [] {
    open();
    bus.to_chip = "one\nhalf";
    close();
    open();
    bus.to_chip += "two\n";
    close();
    open();
    bus.to_chip += "three\n";
  };
  EXPECT_EQ(read_all(port), "three\n");
}

TEST(PicoUsb, APacketForTheProgramBeforeIsALineOfItsOwn) {
  mcp::ByteStream& port = closed_port();
  bus.event = open;
  EXPECT_EQ(write(port, "one\n"), 4U);
  bus.event = [] {
    close();
    bus.is_sending = true;
    open();
    bus.is_sending = false;
  };
  EXPECT_EQ(write(port, "two\n"), 4U);
  EXPECT_EQ(bus.to_pc, "\ntwo\n");
}

TEST(PicoUsb, ABusResetClosesThePort) {
  mcp::ByteStream& port = closed_port();
  bus.event = open;
  bus.to_chip = "half";
  EXPECT_EQ(read_all(port), "half");
  EXPECT_EQ(write(port, "begin "), 6U);
  bus.event = [] {
    bus.to_chip.clear();
    bus.to_pc.clear();
    bus.has_dtr = false;
    tud_mount_cb();
  };
  EXPECT_EQ(write(port, "middle "), 7U);
  EXPECT_EQ(bus.to_pc, "");
  bus.event = [] {
    open();
    bus.to_chip = "whole\n";
  };
  EXPECT_EQ(read_all(port), "\nwhole\n");
  EXPECT_EQ(write(port, "end\n"), 4U);
  EXPECT_EQ(write(port, "next\n"), 5U);
  EXPECT_EQ(bus.to_pc, "next\n");
}

// ---- Programs without DTR ------------------------------------------------------------------------------------------

// A port to which a program without DTR has sent a line.
mcp::ByteStream& heard_port() {
  mcp::ByteStream& port = closed_port();
  bus.event = close;  // the report of a system that opens the port for such a program
  bus.to_chip = "request\n";
  EXPECT_EQ(read_all(port), "request\n");
  return port;
}

TEST(PicoUsb, AnswersAProgramWithoutDtr) {
  mcp::ByteStream& port = heard_port();
  EXPECT_EQ(write(port, "answer\n"), 7U);
  EXPECT_EQ(bus.to_pc, "answer\n");
}

TEST(PicoUsb, AFullBufferDelaysTheAnswerToAProgramWithoutDtr) {
  mcp::ByteStream& port = heard_port();
  const std::string answer = std::string(300, 'x') + "\n";
  ASSERT_EQ(write(port, answer), 256U);
  EXPECT_EQ(port.write(std::string_view(answer).substr(256)).status, mcp::IoStatus::would_block);
  bus.event = take;
  EXPECT_EQ(write(port, answer.substr(256)), 45U);
  EXPECT_EQ(bus.to_pc, answer);
}

TEST(PicoUsb, TheAnswerToAProgramWithoutDtrBeginsWithAWholeLine) {
  mcp::ByteStream& port = closed_port();
  EXPECT_EQ(write(port, "begin "), 6U);
  bus.to_chip = "request\n";
  EXPECT_EQ(read_all(port), "request\n");
  EXPECT_EQ(write(port, "end\nanswer\n"), 4U);
  EXPECT_EQ(write(port, "answer\n"), 7U);
  EXPECT_EQ(bus.to_pc, "answer\n");
}

TEST(PicoUsb, AProgramWithoutDtrThatReadsNothingBlocksForOneSecond) {
  mcp::ByteStream& port = heard_port();
  EXPECT_EQ(write(port, std::string(250, 'x')), 250U);
  bus.now_ms += 900;
  EXPECT_EQ(write(port, std::string(20, 'y')), 6U);
  EXPECT_EQ(port.write(std::string_view("z\n")).status, mcp::IoStatus::would_block);
  ASSERT_NE(bus.alarm, nullptr) << "nothing else wakes the server";
  bus.now_ms += 99;
  EXPECT_EQ(port.write(std::string_view("z\n")).status, mcp::IoStatus::would_block);
  bus.now_ms += 1;
  const unsigned wakes = bus.wakes;
  EXPECT_EQ(std::exchange(bus.alarm, nullptr)(1, nullptr), 0);
  EXPECT_EQ(bus.wakes, wakes + 1);
  EXPECT_EQ(write(port, "z\n"), 2U);
  EXPECT_EQ(write(port, "notification\n"), 13U);
  EXPECT_EQ(bus.to_pc, "");
  EXPECT_EQ(bus.space, 256U);
}

TEST(PicoUsb, AProgramWithoutDtrMayReadSlowly) {
  mcp::ByteStream& port = heard_port();
  EXPECT_EQ(write(port, std::string(256, 'x')), 256U);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(port.write(std::string_view("y")).status, mcp::IoStatus::would_block);
    bus.now_ms += 999;
    bus.event = [] { bus.space = 1; };
    EXPECT_EQ(write(port, "y"), 1U);
  }
  EXPECT_EQ(bus.to_pc, std::string(256, 'x') + "yyyy");
}

TEST(PicoUsb, AnAnswerMayComeLongAfterTheRequestOfAProgramWithoutDtr) {
  mcp::ByteStream& port = heard_port();
  bus.now_ms += 60'000;
  EXPECT_EQ(write(port, std::string(256, 'x')), 256U);
  EXPECT_EQ(port.write(std::string_view("\n")).status, mcp::IoStatus::would_block);
  bus.event = take;
  EXPECT_EQ(write(port, "\n"), 1U);
  EXPECT_EQ(bus.to_pc, std::string(256, 'x') + "\n");
}

TEST(PicoUsb, WithoutAnAlarmAFullBufferIsDiscarded) {
  mcp::ByteStream& port = heard_port();
  bus.has_alarms = false;
  EXPECT_EQ(write(port, std::string(256, 'x')), 256U);
  EXPECT_EQ(write(port, "y\n"), 2U);
  bus.has_alarms = true;
  EXPECT_EQ(bus.to_pc, "");
}

TEST(PicoUsb, AProgramWithoutDtrReadsNothingOfTheOneBefore) {
  mcp::ByteStream& port = heard_port();
  EXPECT_EQ(write(port, "unread"), 6U);
  bus.is_sending = true;
  bus.now_ms += 1'000;
  bus.to_chip = "request\n";
  EXPECT_EQ(read_all(port), "request\n");
  bus.is_sending = false;
  EXPECT_EQ(write(port, " end\n"), 5U);
  EXPECT_EQ(write(port, "answer\n"), 7U);
  EXPECT_EQ(bus.to_pc, "\nanswer\n");
}

TEST(PicoUsb, AProgramWithDtrReadsNothingOfTheOneWithout) {
  mcp::ByteStream& port = heard_port();
  EXPECT_EQ(write(port, "unread "), 7U);
  bus.event = open;
  EXPECT_EQ(write(port, "end\n"), 4U);
  EXPECT_EQ(write(port, "next\n"), 5U);
  EXPECT_EQ(bus.to_pc, "next\n");
}

TEST(PicoUsb, TheLineOfAProgramWithoutDtrEndsWhenTheNextOpensThePort) {
  for (void (*next)() : {close, open}) {
    mcp::ByteStream& port = closed_port();
    bus.to_chip = "half";
    EXPECT_EQ(read_all(port), "half");
    bus.event = next;
    EXPECT_EQ(read_all(port), "\n");
    bus.to_chip = "whole\n";
    EXPECT_EQ(read_all(port), "whole\n");
    EXPECT_EQ(write(port, "answer\n"), 7U);
    EXPECT_EQ(bus.to_pc, "answer\n");
  }
}

TEST(PicoUsb, ChangesOfRtsLoseNothingOfAProgramWithoutDtr) {
  mcp::ByteStream& port = heard_port();
  bus.to_chip = "one\n";
  bus.event = [] {
    line_state(false, true);
    line_state(false, false);
    bus.to_chip += "two\n";
  };
  EXPECT_EQ(read_all(port), "one\ntwo\n");
  EXPECT_EQ(write(port, "answer\n"), 7U);
  EXPECT_EQ(bus.to_pc, "answer\n");
}

TEST(PicoUsb, AnUnpluggedProgramWithoutDtrHasLeft) {
  mcp::ByteStream& port = heard_port();
  bus.event = unplug;
  EXPECT_EQ(write(port, "lost\n"), 5U);
  EXPECT_EQ(bus.to_pc, "");
}

TEST(PicoUsb, ResetsIntoTheBootLoaderAt1200Baud) {
  static_cast<void>(closed_port());
  cdc_line_coding_t coding{115'200, 0, 0, 8};
  tud_cdc_line_coding_cb(0, &coding);
  EXPECT_EQ(bus.resets, 0U);
  coding.bit_rate = 1200;
  tud_cdc_line_coding_cb(0, &coding);
  EXPECT_EQ(bus.resets, 1U);
}

}  // namespace

namespace mcp::pico {
void wake() { ++bus.wakes; }
Millis millis() { return bus.now_ms; }
}  // namespace mcp::pico

extern "C" {

bool tusb_init() { return ++bus.inits != 0; }

void irq_add_shared_handler(unsigned, irq_handler_t handler, std::uint8_t) { bus.handler = handler; }

alarm_id_t add_alarm_in_ms(std::uint32_t ms, alarm_callback_t callback, void*, bool fire_if_past) {
  EXPECT_EQ(ms, 1'000U);
  EXPECT_TRUE(fire_if_past);
  EXPECT_EQ(bus.alarm, nullptr) << "one alarm is enough";
  if (!bus.has_alarms) return -1;
  bus.alarm = callback;
  return 1;
}

void reset_usb_boot(std::uint32_t, std::uint32_t) { ++bus.resets; }

bool tud_task_event_ready() { return static_cast<bool>(bus.event); }

void tud_task() {
  if (bus.event) std::exchange(bus.event, nullptr)();
}

std::uint32_t tud_cdc_available() { return static_cast<std::uint32_t>(bus.to_chip.size()); }

std::uint32_t tud_cdc_read(void* buffer, std::uint32_t size) {
  const std::size_t count = std::min<std::size_t>(size, bus.to_chip.size());
  std::memcpy(buffer, bus.to_chip.data(), count);
  bus.to_chip.erase(0, count);
  return static_cast<std::uint32_t>(count);
}

void tud_cdc_read_flush() { bus.to_chip.clear(); }

bool usbd_edpt_busy(std::uint8_t, std::uint8_t endpoint) { return endpoint == MOTE_USB_TO_PC && bus.is_sending; }

std::uint32_t tud_cdc_write(const void* buffer, std::uint32_t size) {
  std::size_t count = std::min<std::size_t>(size, bus.space);
  if (!bus.has_dtr && count < size) {
    bus.to_pc.resize(bus.to_pc.size() - std::min(bus.to_pc.size(), size - count));
    count = size;
  }
  bus.to_pc.append(static_cast<const char*>(buffer), count);
  bus.space -= std::min(bus.space, count);
  return static_cast<std::uint32_t>(count);
}

std::uint32_t tud_cdc_write_available() { return static_cast<std::uint32_t>(bus.space); }

std::uint32_t tud_cdc_write_flush() { return 0; }

bool tud_cdc_write_clear() {
  bus.to_pc.clear();
  bus.space = 256;
  return true;
}

}  // extern "C"
