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
#include <tusb.h>
#include "mcp/ports/pico.hpp"

namespace {

// The state of the stub. The stream is one object for the whole program, so tests leave the port closed.
struct Bus {
  std::function<void()> event;  // of the PC, at the next tud_task()
  std::string to_chip;
  std::string to_pc;
  std::size_t space = 256;
  bool is_sending = false;  // a packet waits in the controller
  unsigned inits = 0;
  unsigned resets = 0;
  unsigned wakes = 0;
  irq_handler_t handler = nullptr;
};
Bus bus;

// The begin of a test: an empty bus, and a port that is at the begin of a line in both directions.
mcp::ByteStream& closed_port() {
  mcp::ByteStream& port = mcp::pico::usb();
  bus.event = [] { tud_umount_cb(); };
  bus.to_chip = "\n";
  char text[8];
  while (port.read(text).status == mcp::IoStatus::ok) {
  }
  EXPECT_EQ(port.write(std::string_view("\n")).size, 1U);
  bus.to_pc.clear();
  bus.space = 256;
  return port;
}

void open() { tud_cdc_line_state_cb(0, true, true); }
void close() { tud_cdc_line_state_cb(0, false, false); }

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
}  // namespace mcp::pico

extern "C" {

bool tusb_init() { return ++bus.inits != 0; }

void irq_add_shared_handler(unsigned, irq_handler_t handler, std::uint8_t) { bus.handler = handler; }

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
  const std::size_t count = std::min<std::size_t>(size, bus.space);
  bus.to_pc.append(static_cast<const char*>(buffer), count);
  bus.space -= count;
  return static_cast<std::uint32_t>(count);
}

std::uint32_t tud_cdc_write_flush() { return 0; }

bool tud_cdc_write_clear() {
  bus.to_pc.clear();
  return true;
}

}  // extern "C"
