// SPDX-License-Identifier: Apache-2.0
// USB CDC through TinyUSB. Its task runs only in reads and writes, so no lock is needed.
#include <algorithm>
#include <atomic>

#include <hardware/irq.h>
#include <pico/bootrom.h>
#include <pico/time.h>
#include <tusb.h>
// After tusb.h, which it needs.
#include <device/usbd_pvt.h>
#include "mcp/ports/pico.hpp"

namespace mcp::pico {
namespace {

constexpr std::uint32_t boot_loader_baud = 1200;  // the convention of Arduino and the pico-sdk

// A program without DTR that takes no byte for so long has left.
constexpr Millis no_dtr_patience_ms = 1'000;

std::atomic<bool> has_alarm;

std::int64_t end_patience(alarm_id_t, void*) {
  has_alarm.store(false, std::memory_order_relaxed);
  wake();
  return 0;  // no repetition
}

// TinyUSB also handles each frame of the bus, 1000 per second, while a packet waits for the PC. Its task ignores the
// frames.
void handle_interrupt() {
  if (tud_task_event_ready()) wake();
}

class Usb final : public ByteStream {
 public:
  void switch_on() {
    if (is_on_) return;
    is_on_ = true;
    tusb_init();
    // Runs after the handler of TinyUSB, when the work for its task is ready.
    irq_add_shared_handler(USBCTRL_IRQ, handle_interrupt, PICO_SHARED_IRQ_HANDLER_LOWEST_ORDER_PRIORITY);
  }

  void set_open(bool open) {
    if (open == is_open_) {
      // Some systems report DTR off again when a program without DTR opens the port.
      if (is_heard_ && left_ == 0) end_input();
      return;
    }
    is_open_ = open;
    if (open) {
      if (is_heard_) {
        end_input();
        leave();
      }
      begin_output();
      return;
    }
    end_input();
    tud_cdc_write_clear();
  }

  void unplug() {
    set_open(false);
    if (is_heard_) leave();
  }

  // The bus was reset, and TinyUSB has emptied its buffers. Without a sensor of the bus voltage, an unplugged cable is
  // detected only when it is plugged in again.
  void begin_anew() {
    is_open_ = false;
    is_heard_ = false;
    left_ = 0;
    ends_line_ = true;
  }

 private:
  IoResult do_read(std::span<char> into) override {
    tud_task();
    if (ends_line_ && left_ == 0) {
      ends_line_ = false;
      if (is_receiving_line_) {
        is_receiving_line_ = false;
        into[0] = '\n';
        return {IoStatus::ok, 1};
      }
    }
    const std::size_t most = ends_line_ ? std::min<std::size_t>(into.size(), left_) : into.size();
    const std::size_t size = tud_cdc_read(into.data(), static_cast<std::uint32_t>(most));
    if (size == 0) return {IoStatus::would_block, 0};
    if (ends_line_) {
      left_ -= size;
    } else if (!is_open_) {
      hear();
    }
    is_receiving_line_ = into[size - 1] != '\n';
    return {IoStatus::ok, size};
  }

  IoResult do_write(std::span<const char> from) override {
    tud_task();
    if (is_heard_ && is_stuck()) leave();
    std::size_t size = from.size();
    if (is_listening() && is_cut_) {
      const auto end = std::ranges::find(from, '\n');
      is_cut_ = end == from.end();
      if (!is_cut_) size = static_cast<std::size_t>(end - from.begin()) + 1;
    } else if (is_listening()) {
      size = send(from);
      if (size == 0) {
        if (is_open_ || set_alarm()) return {IoStatus::would_block, 0};
        leave();
        size = from.size();
      }
    }
    is_sending_line_ = from[size - 1] != '\n';
    return {IoStatus::ok, size};
  }

  [[nodiscard]] bool is_listening() const { return is_open_ || is_heard_; }

  // While DTR is off, TinyUSB overwrites the oldest bytes of a full buffer. So a write takes only the free space.
  std::size_t send(std::span<const char> from) {
    const std::size_t size = std::min<std::size_t>(from.size(), tud_cdc_write_available());
    const std::uint32_t written = size != 0 ? tud_cdc_write(from.data(), static_cast<std::uint32_t>(size)) : 0;
    tud_cdc_write_flush();
    space_ = tud_cdc_write_available();
    return written;
  }

  void begin_output() {
    is_cut_ = is_sending_line_;
    // A packet for the previous program waits in the controller, and cannot be cancelled. A line end separates it.
    if (usbd_edpt_busy(0, MOTE_USB_TO_PC)) tud_cdc_write("\n", 1);
    space_ = tud_cdc_write_available();
  }

  // The server still gets bytes that a program sent before it closed the port, but not the bytes of two programs.
  void end_input() {
    if (left_ != 0) tud_cdc_read_flush();
    left_ = tud_cdc_available();
    ends_line_ = true;
  }

  // A program that does not set DTR has sent bytes, so it reads the answer.
  void hear() {
    if (is_heard_) {
      if (!is_stuck()) return;
      leave();
    }
    is_heard_ = true;
    moved_ms_ = millis();
    begin_output();
  }

  // The program without DTR has left.
  void leave() {
    is_heard_ = false;
    tud_cdc_write_clear();
  }

  // Returns whether the PC has taken no byte for the whole patience. Its driver reads all the time while a program has
  // the port open.
  bool is_stuck() {
    const std::uint32_t space = tud_cdc_write_available();
    const bool is_pending = space != CFG_TUD_CDC_TX_BUFSIZE || usbd_edpt_busy(0, MOTE_USB_TO_PC);
    if (!is_pending || space != space_) moved_ms_ = millis();
    space_ = space;
    return millis() - moved_ms_ >= no_dtr_patience_ms;
  }

  // Wakes the server after the patience, because a PC that takes nothing causes no event.
  static bool set_alarm() {
    if (has_alarm.load(std::memory_order_relaxed)) return true;
    has_alarm.store(true, std::memory_order_relaxed);
    if (add_alarm_in_ms(no_dtr_patience_ms, end_patience, nullptr, true) >= 0) return true;
    has_alarm.store(false, std::memory_order_relaxed);
    return false;
  }

  bool is_on_ = false;
  bool is_open_ = false;            // a program on the PC has the port open, with DTR
  bool is_heard_ = false;           // a program has sent bytes without DTR
  bool is_sending_line_ = false;    // the last byte to send was not the end of a line
  bool is_receiving_line_ = false;  // the last received byte was not the end of a line
  bool is_cut_ = false;             // the begin of the line to send was discarded
  bool ends_line_ = false;          // the program that sent the next `left_` bytes has closed the port
  std::size_t left_ = 0;
  std::uint32_t space_ = 0;  // of TinyUSB's buffer when it was looked at last
  Millis moved_ms_ = 0;      // when the PC took bytes, or none waited for it
};

constinit Usb stream;

}  // namespace

ByteStream& usb() {
  stream.switch_on();
  return stream;
}

}  // namespace mcp::pico

// TinyUSB calls these in its task.
extern "C" void tud_cdc_line_state_cb(std::uint8_t, bool dtr, bool) { mcp::pico::stream.set_open(dtr); }
extern "C" void tud_mount_cb() { mcp::pico::stream.begin_anew(); }
extern "C" void tud_umount_cb() { mcp::pico::stream.unplug(); }
extern "C" void tud_cdc_line_coding_cb(std::uint8_t, const cdc_line_coding_t* coding) {
  if (coding->bit_rate == mcp::pico::boot_loader_baud) reset_usb_boot(0, 0);
}
