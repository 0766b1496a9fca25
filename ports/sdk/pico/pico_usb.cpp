// SPDX-License-Identifier: Apache-2.0
// USB CDC through TinyUSB. Its task runs only in reads and writes, so no lock is needed.
#include <algorithm>

#include <hardware/irq.h>
#include <pico/bootrom.h>
#include <tusb.h>
// After tusb.h, which it needs.
#include <device/usbd_pvt.h>
#include "mcp/ports/pico.hpp"

namespace mcp::pico {
namespace {

constexpr std::uint32_t boot_loader_baud = 1200;  // the convention of Arduino and the pico-sdk

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
    if (open == is_open_) return;
    is_open_ = open;
    if (open) {
      is_cut_ = is_sending_line_;
      // A packet for the previous program waits in the controller, and cannot be cancelled. A line end separates it.
      if (usbd_edpt_busy(0, MOTE_USB_TO_PC)) tud_cdc_write("\n", 1);
      return;
    }
    // The server still gets bytes that a program sent before it closed the port, but not the bytes of two programs.
    if (left_ != 0) tud_cdc_read_flush();
    left_ = tud_cdc_available();
    ends_line_ = true;
    tud_cdc_write_clear();
  }

  // The bus was reset, and TinyUSB has emptied its buffers. Without a sensor of the bus voltage, an unplugged cable is
  // detected only when it is plugged in again.
  void begin_anew() {
    is_open_ = false;
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
    if (ends_line_) left_ -= size;
    is_receiving_line_ = into[size - 1] != '\n';
    return {IoStatus::ok, size};
  }

  IoResult do_write(std::span<const char> from) override {
    tud_task();
    std::size_t size = from.size();
    if (is_open_ && is_cut_) {
      const auto end = std::ranges::find(from, '\n');
      is_cut_ = end == from.end();
      if (!is_cut_) size = static_cast<std::size_t>(end - from.begin()) + 1;
    } else if (is_open_) {
      size = tud_cdc_write(from.data(), static_cast<std::uint32_t>(from.size()));
      tud_cdc_write_flush();
      if (size == 0) return {IoStatus::would_block, 0};
    }
    is_sending_line_ = from[size - 1] != '\n';
    return {IoStatus::ok, size};
  }

  bool is_on_ = false;
  bool is_open_ = false;            // a program on the PC has the port open
  bool is_sending_line_ = false;    // the last byte to send was not the end of a line
  bool is_receiving_line_ = false;  // the last received byte was not the end of a line
  bool is_cut_ = false;             // the begin of the line to send was discarded
  bool ends_line_ = false;          // the program that sent the next `left_` bytes has closed the port
  std::size_t left_ = 0;
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
extern "C" void tud_umount_cb() { mcp::pico::stream.set_open(false); }
extern "C" void tud_cdc_line_coding_cb(std::uint8_t, const cdc_line_coding_t* coding) {
  if (coding->bit_rate == mcp::pico::boot_loader_baud) reset_usb_boot(0, 0);
}
