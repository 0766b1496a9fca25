// SPDX-License-Identifier: Apache-2.0
// USB Serial/JTAG through its driver, whose interrupt discards a packet without a word if its ring has no space
// (usb_serial_jtag_isr_handler_default, v5.4 to master of 2026-07). It calls notify() for each packet, also for a lost
// one. The function that returns the number of bytes in the ring is missing in v5.4 to v5.4.2 and v5.5, so the port
// counts packets.
#include "mcp/ports/esp_idf.hpp"

#if SOC_USB_SERIAL_JTAG_SUPPORTED
#include <algorithm>
#include <atomic>
#include <mcp/assert.hpp>

#include <driver/usb_serial_jtag.h>
#include <driver/usb_serial_jtag_select.h>
#include <freertos/FreeRTOS.h>
#include "ports/sdk/esp_idf/esp_idf_event.hpp"

namespace mcp::esp_idf {
namespace {

constexpr char lost_bytes = '\xFF';

// The driver takes a packet of this size as a whole or not at all. Of more bytes, the one of v5.3 may send the first
// ones and return 0.
constexpr std::size_t packet_size = 64;

// With two cores, the interrupt may have discarded a packet and not yet counted it when the other core reads the next
// 64 bytes. So a loss shows at the latest when the ring could have space for one more packet.
constexpr std::size_t margin = 2 * packet_size;

std::atomic<std::uint32_t> packets;

// The driver calls it in its interrupt, after it has moved a packet to its ring or discarded it.
void notify(usj_select_notif_t what, int* task_woken) {
  if (what == USJ_SELECT_READ_NOTIF) packets.store(packets.load() + 1);
  if (wake_from_isr()) *task_woken = pdTRUE;
}

}  // namespace

UsbSerialJtag::UsbSerialJtag(std::size_t rx_buffer_size) : ring_size_(rx_buffer_size), packets_(packets.load()) {
  MCP_ASSERT(rx_buffer_size > margin);
  usb_serial_jtag_set_select_notif_callback(notify);
}

// Another core may read bytes of a packet before it is counted, so the difference may be negative.
bool UsbSerialJtag::may_be_full() const {
  const auto most = static_cast<std::int32_t>((packets.load() - packets_) * packet_size - bytes_);
  return most > static_cast<std::int32_t>(ring_size_ - margin);
}

// Reads a packet at most, for `margin`.
std::size_t UsbSerialJtag::take(std::span<char> into) {
  const std::uint32_t before = packets.load();
  const std::size_t most = std::min(into.size(), packet_size);
  const int size = usb_serial_jtag_read_bytes(into.data(), static_cast<std::uint32_t>(most), 0);
  if (size > 0) {
    bytes_ += static_cast<std::size_t>(size);
    return static_cast<std::size_t>(size);
  }
  packets_ = before;
  bytes_ = 0;
  return 0;
}

// The mark replaces all that the driver has, because the port does not know where bytes are missing. At most a ring, so
// that a sender without pauses does not keep the server here.
IoResult UsbSerialJtag::do_read(std::span<char> into) {
  // Without its driver, the functions of the driver access a null pointer.
  if (!usb_serial_jtag_is_driver_installed()) return {IoStatus::failed, 0};
  if (may_be_full()) {
    std::size_t size = take(into);
    for (std::size_t discarded = size; size != 0 && discarded < ring_size_; discarded += size) size = take(into);
    into[0] = lost_bytes;
    return {IoStatus::ok, 1};
  }
  const std::size_t size = take(into);
  if (size == 0) return {IoStatus::would_block, 0};
  return {IoStatus::ok, size};
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
