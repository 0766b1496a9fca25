// SPDX-License-Identifier: Apache-2.0
// examples/pico/main_wifi.cpp as a program of this machine: USB is stdin and stdout, UART0 is stderr, and the flash is
// a file, which outlives the program. The access point "home" has the passphrase "correct horse". Its address comes
// from the fake and not from DHCP.
//
// The environment: MOTE_PICO_FLASH is the file, and MOTE_PICO_RADIO is `off` (the access point is not in reach), `dumb`
// (it does not respond), `no_dhcp` (no address), or `broken` (the radio). Time passes 20 times faster than on a board.
#include <fcntl.h>
#include <hardware/flash.h>
#include <hardware/regs/addressmap.h>
#include <lwip/netif.h>
#include <pico/cyw43_arch.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>
#include <mcp/ports/pico.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <string_view>

#include "device.hpp"
#include "tests/ports/lwip/packets.hpp"
#include "tests/ports/pico/wifi/fake_cyw43.hpp"

namespace {

constexpr std::uint64_t speed = 20;

std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}
std::string_view radio() { return environment("MOTE_PICO_RADIO"); }

[[noreturn]] void fail(const char* text) {
  std::perror(text);
  std::exit(2);
}

// The memory of the flash becomes the file, so that the program may be killed at any time.
const bool has_flash = [] {
  const int file = open(std::getenv("MOTE_PICO_FLASH"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) fail("MOTE_PICO_FLASH");
  const bool is_new = lseek(file, 0, SEEK_END) == 0;
  if (ftruncate(file, PICO_FLASH_SIZE_BYTES) != 0) fail("MOTE_PICO_FLASH");
  void* const memory =
      mmap(fake_flash_memory, PICO_FLASH_SIZE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
  if (memory == MAP_FAILED) fail("MOTE_PICO_FLASH");
  close(file);
  if (is_new) std::memset(fake_flash_memory, 0xFF, PICO_FLASH_SIZE_BYTES);
  return true;
}();

std::deque<test::Bytes> to_board;
bool is_unplugged;  // the program ends after the turn of the main loop

class Usb final : public mcp::ByteStream {
  mcp::IoResult do_read(std::span<char> into) override {
    pollfd input{.fd = 0, .events = POLLIN, .revents = 0};
    if (poll(&input, 1, 0) <= 0) return {mcp::IoStatus::would_block, 0};
    const ssize_t size = ::read(0, into.data(), into.size());
    is_unplugged = size <= 0;
    if (is_unplugged) return {mcp::IoStatus::would_block, 0};
    return {mcp::IoStatus::ok, static_cast<std::size_t>(size)};
  }
  mcp::IoResult do_write(std::span<const char> from) override {
    const ssize_t size = ::write(1, from.data(), from.size());
    is_unplugged = size <= 0;
    if (is_unplugged) return {mcp::IoStatus::ok, from.size()};
    return {mcp::IoStatus::ok, static_cast<std::size_t>(size)};
  }
};
Usb the_usb;

std::uint64_t now_us() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (static_cast<std::uint64_t>(now.tv_sec) * 1'000'000 + static_cast<std::uint64_t>(now.tv_nsec) / 1'000) * speed;
}

}  // namespace

// ---- The radio ------------------------------------------------------------------------------------------------------

bool fake::works() { return radio() != "broken"; }

void fake::read_mac(std::uint8_t (&mac)[6]) {
  const std::uint8_t bytes[6] = {2, 0, 0, 0, 0, 1};
  std::copy(std::begin(bytes), std::end(bytes), mac);
}

int fake::join(std::string_view ssid, std::string_view passphrase, std::uint32_t auth) {
  if (ssid != "home" || radio() == "off") {
    join_status = CYW43_LINK_NONET;
  } else if (passphrase != "correct horse" || auth == CYW43_AUTH_OPEN) {
    join_status = CYW43_LINK_BADAUTH;
  } else if (radio() != "dumb") {
    set_link(true);
  }
  return 0;
}

void fake::receive() {
  netif& interface = cyw43_state.netif[CYW43_ITF_STA];
  while (!to_board.empty()) {
    const test::Bytes frame = to_board.front();
    to_board.pop_front();
    pbuf* const data = pbuf_alloc(PBUF_RAW, static_cast<u16_t>(frame.size()), PBUF_POOL);
    if (data == nullptr) return;
    pbuf_take(data, frame.data(), static_cast<u16_t>(frame.size()));
    if (interface.input(data, &interface) != ERR_OK) pbuf_free(data);
  }
}

err_t fake::send(pbuf& frame) {
  test::Bytes bytes(frame.tot_len);
  pbuf_copy_partial(&frame, bytes.data(), frame.tot_len, 0);
  const auto udp = test::read_udp(bytes, true);
  if (radio() != "no_dhcp" && udp && udp->to_port == 67) {
    constexpr unsigned discover = 1, offer = 2, ack = 5;
    to_board.push_back(test::dhcp_frame(udp->data, udp->data.at(242) == discover ? offer : ack, {192, 0, 2, 7},
                                        {192, 0, 2, 1}, {2, 0, 0, 0, 0, 2}, {1, 4, 255, 255, 255, 0}, {}, 86'400));
  }
  return ERR_OK;
}

void fake::sleep(std::uint64_t until_ms) {
  if (is_unplugged) std::exit(0);
  const std::uint64_t now_ms = now_us() / 1'000;
  if (until_ms <= now_ms) return;
  pollfd input{.fd = 0, .events = POLLIN, .revents = 0};
  const std::uint64_t real_ms = (until_ms - now_ms + speed - 1) / speed;
  poll(&input, 1, until_ms == UINT64_MAX ? -1 : static_cast<int>(real_ms));
}

// ---- The thermometer and the chip -----------------------------------------------------------------------------------

namespace device {

const std::string_view hardware = "Raspberry Pi Pico W";

mcp::Millis now() { return mcp::pico::millis(); }
std::uint32_t boot_id() { return mcp::pico::boot_id(); }
bool read_millidegrees(std::int32_t& value) {
  value = 21'500;
  return true;
}
void led(bool) {}

}  // namespace device

namespace mcp::pico {

ByteStream& usb() { return the_usb; }
std::uint32_t boot_id() { return 1; }

Uart::Uart(uart_inst_t* uart, unsigned, unsigned, unsigned) : uart_(uart) {}
bool Uart::is_free() { return true; }
void Uart::send(char byte) { std::fputc(byte, stderr); }
void Uart::enable_receive_interrupt() {}
void Uart::enable_transmit_interrupt() {}

bool SdkEntropy::do_fill(std::span<std::uint8_t> into) {
  for (std::uint8_t& byte : into) byte = static_cast<std::uint8_t>(std::rand());
  return true;
}

}  // namespace mcp::pico

extern "C" {

const absolute_time_t at_the_end_of_time = UINT64_MAX;
absolute_time_t get_absolute_time() { return now_us(); }
std::uint32_t to_ms_since_boot(absolute_time_t time) { return static_cast<std::uint32_t>(time / 1'000); }
absolute_time_t make_timeout_time_ms(std::uint32_t ms) { return now_us() + std::uint64_t{ms} * 1'000; }
bool best_effort_wfe_or_timeout(absolute_time_t) { return true; }
void __wfe() {}
void __sev() {}
void __dmb() {}
std::uint32_t save_and_disable_interrupts() { return 0; }
void restore_interrupts(std::uint32_t) {}

u32_t sys_now() { return mcp::pico::millis(); }
std::uint32_t test_random() { return static_cast<std::uint32_t>(std::rand()); }
void test_core_is_locked() {
  if (fake::lock_depth == 0) std::abort();
}

}  // extern "C"
