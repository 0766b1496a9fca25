// SPDX-License-Identifier: Apache-2.0
// examples/pico/main_wifi.cpp on a board of the emulator: the radio is the Ethernet of the board, and the access point
// is its cable. The LED switches the access point off for a while. Clock, UART and random bytes are those of the board.
// The flash is RAM, and the person on USB is a script that stores the settings.
#include <pico/cyw43_arch.h>
#include <mcp/devices/lm75.hpp>
#include <mcp/ports/ethernet.hpp>
#include <mcp/ports/lm3s6965evb.hpp>
#include <mcp/ports/pico.hpp>
#include <mcp/ports/pico_flash.hpp>
#include <mcp/ports/semihosting.hpp>

#include <algorithm>
#include <cstring>

#include "device.hpp"
#include "tests/ports/pico/wifi/fake_cyw43.hpp"

namespace {

constexpr std::size_t longest_frame = 1'514;
constexpr std::size_t most_pieces = 10;

constexpr mcp::Millis outage_ms = 1'500;  // the second attempt, after 1 s, fails, and the third does not

bool has_network;  // the access point has accepted the radio
bool is_off;       // the access point
mcp::Millis off_since_ms;
std::uint8_t buffer[longest_frame];

mcp::pico::Uart* the_uart;
void (*receive_bytes)();  // from the UART of the board, as the interrupt would
char unsent;              // a byte for which the UART of the board had no space
bool has_unsent;

// ---- USB ------------------------------------------------------------------------------------------------------------

#define SET(name, value)                                                                                             \
  R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":)"   \
  R"("2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"name":"setting_set","arguments":{"name":")" name \
  R"(","value":")" value "\"}}}\n"

class Usb final : public mcp::ByteStream {
  static constexpr std::string_view script = SET("wifi_password", "of an emulator") SET("wifi_ssid", "the cable")
      SET("token", "0123456789abcdef0123456789abcdef");

  mcp::IoResult do_read(std::span<char> into) override {
    const std::size_t size = script.substr(at_).copy(into.data(), into.size());
    at_ += size;
    return {size != 0 ? mcp::IoStatus::ok : mcp::IoStatus::would_block, size};
  }
  mcp::IoResult do_write(std::span<const char> from) override { return {mcp::IoStatus::ok, from.size()}; }

  std::size_t at_ = 0;
};
constinit Usb the_usb;

std::uint8_t sectors[2 * mcp::pico::ChipFlash::sector_size];

}  // namespace

// ---- The radio ------------------------------------------------------------------------------------------------------

bool fake::works() {
  board::ethernet().enable_multicast();
  return true;
}

void fake::read_mac(std::uint8_t (&mac)[6]) { std::memcpy(mac, board::ethernet().address().data(), sizeof mac); }

int fake::join(std::string_view ssid, std::string_view passphrase, std::uint32_t) {
  if (ssid != "the cable" || passphrase != "of an emulator") {
    join_status = CYW43_LINK_BADAUTH;
    return 0;
  }
  is_off = is_off && board::millis() - off_since_ms < outage_ms;
  has_network = !is_off;
  set_link(has_network);
  if (!has_network) join_status = CYW43_LINK_NONET;
  return 0;
}

void fake::receive() {
  receive_bytes();
  netif& interface = cyw43_state.netif[CYW43_ITF_STA];
  if (has_network && is_off) {
    has_network = false;
    set_link(false);
    join_status = CYW43_LINK_DOWN;
  }
  while (const std::size_t size = board::ethernet().receive(buffer)) {
    pbuf* const frame = has_network ? pbuf_alloc(PBUF_RAW, static_cast<u16_t>(size), PBUF_POOL) : nullptr;
    if (frame == nullptr) continue;
    static_cast<void>(pbuf_take(frame, buffer, static_cast<u16_t>(size)));
    if (interface.input(frame, &interface) != ERR_OK) pbuf_free(frame);
  }
}

err_t fake::send(pbuf& frame) {
  std::span<const std::uint8_t> pieces[most_pieces];
  std::size_t count = 0;
  for (const pbuf* piece = &frame; piece != nullptr; piece = piece->next) {
    if (count == most_pieces) return ERR_BUF;
    pieces[count++] = std::span(static_cast<const std::uint8_t*>(piece->payload), piece->len);
  }
  return has_network && board::ethernet().send(std::span(pieces, count)) ? ERR_OK : ERR_IF;
}

void fake::sleep(std::uint64_t until_ms) {
  const std::uint64_t now_ms = board::millis();
  if (until_ms > now_ms)
    board::wait_for_event(static_cast<mcp::Millis>(std::min<std::uint64_t>(until_ms - now_ms, mcp::forever)));
}

// ---- The thermometer ------------------------------------------------------------------------------------------------

namespace device {

std::uint32_t boot_id() { return board::boot_id(); }

const std::string_view hardware = "Raspberry Pi Pico W";

mcp::Millis now() { return mcp::pico::millis(); }
bool read_millidegrees(std::int32_t& value) {
  static constinit mcp::Tmp105 sensor{board::i2c0, 0x48};
  // The emulated sensor has a value at once.
  if (sensor.begin().error || sensor.collect()) return false;
  value = sensor.value(mcp::Tmp105::temperature) * 10;
  return true;
}
void led(bool on) {
  is_off = is_off || on;
  off_since_ms = board::millis();
}

}  // namespace device

// ---- The chip -------------------------------------------------------------------------------------------------------

namespace mcp::pico {

Uart::Uart(uart_inst_t* uart, unsigned, unsigned, unsigned) : uart_(uart) {
  the_uart = this;
  receive_bytes = handle_uart0;
}
bool Uart::is_free() {
  if (has_unsent && board::uart0().write({&unsent, 1}).status == IoStatus::ok) has_unsent = false;
  return !has_unsent;
}
void Uart::send(char byte) {
  unsent = byte;
  has_unsent = true;
  static_cast<void>(is_free());
}
void Uart::enable_receive_interrupt() {}
void Uart::enable_transmit_interrupt() {}

void Uart::handle_uart0() { the_uart->handle(); }

void Uart::handle() {
  char byte = 0;
  while (received_.has_room() && board::uart0().read({&byte, 1}).status == IoStatus::ok)
    received_.take(static_cast<unsigned char>(byte));
}

ByteStream& usb() { return the_usb; }

std::uint32_t boot_id() { return board::boot_id(); }

bool ChipFlash::do_read(std::size_t at, std::span<std::uint8_t> into) {
  std::memcpy(into.data(), sectors + at, into.size());
  return true;
}
bool ChipFlash::do_erase(std::size_t block) {
  std::fill_n(sectors + block * sector_size, sector_size, std::uint8_t{0xFF});
  return true;
}
bool ChipFlash::do_program(std::size_t at, std::span<const std::uint8_t> unit) {
  std::memcpy(sectors + at, unit.data(), unit.size());
  return true;
}

bool SdkEntropy::do_fill(std::span<std::uint8_t> into) {
  board::HostEntropy entropy;
  return entropy.fill(into);
}

}  // namespace mcp::pico

extern "C" {

extern const absolute_time_t at_the_end_of_time;
const absolute_time_t at_the_end_of_time = UINT64_MAX;
absolute_time_t get_absolute_time() { return std::uint64_t{board::millis()} * 1'000; }
std::uint32_t to_ms_since_boot(absolute_time_t time) { return static_cast<std::uint32_t>(time / 1'000); }
absolute_time_t make_timeout_time_ms(std::uint32_t ms) { return get_absolute_time() + std::uint64_t{ms} * 1'000; }
bool best_effort_wfe_or_timeout(absolute_time_t) { return true; }
void __wfe() {}
void __sev() {}
void __dmb() {}

u32_t sys_now() { return board::millis(); }
std::uint32_t test_random() {
  std::uint8_t bytes[4] = {};
  std::uint32_t value = 0;
  board::HostEntropy entropy;
  if (entropy.fill(bytes)) std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // extern "C"
