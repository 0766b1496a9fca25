// SPDX-License-Identifier: Apache-2.0
// USB Serial/JTAG through its driver.
#include "mcp/ports/esp_idf.hpp"

#if SOC_USB_SERIAL_JTAG_SUPPORTED
#include <algorithm>

#include <driver/usb_serial_jtag.h>
#include <driver/usb_serial_jtag_select.h>
#include "ports/sdk/esp_idf/esp_idf_event.hpp"

namespace mcp::esp_idf {
namespace {

// One packet. The driver takes a packet as a whole or not at all. Of more bytes it may send the first ones and return
// 0.
constexpr std::size_t packet_size = 64;

// The driver calls it in its interrupt.
void notify(usj_select_notif_t, int* task_woken) {
  if (wake_from_isr()) *task_woken = pdTRUE;
}

}  // namespace

UsbSerialJtag::UsbSerialJtag() { usb_serial_jtag_set_select_notif_callback(notify); }

IoResult UsbSerialJtag::do_read(std::span<char> into) {
  // Without its driver, the functions of the driver access a null pointer.
  if (!usb_serial_jtag_is_driver_installed()) return {IoStatus::failed, 0};
  const int size = usb_serial_jtag_read_bytes(into.data(), static_cast<std::uint32_t>(into.size()), 0);
  if (size <= 0) return {IoStatus::would_block, 0};
  return {IoStatus::ok, static_cast<std::size_t>(size)};
}

IoResult UsbSerialJtag::do_write(std::span<const char> from) {
  if (!usb_serial_jtag_is_driver_installed()) return {IoStatus::failed, 0};
  const int size = usb_serial_jtag_write_bytes(from.data(), std::min(from.size(), packet_size), 0);
  if (size <= 0) {
    note_blocked_write();
    return {IoStatus::would_block, 0};
  }
  return {IoStatus::ok, static_cast<std::size_t>(size)};
}

}  // namespace mcp::esp_idf
#endif
