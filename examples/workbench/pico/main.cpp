// SPDX-License-Identifier: Apache-2.0
// The workbench on a Raspberry Pi Pico or Pico 2: the client is on the USB port. A main loop that hangs for 2 s, a
// fault and a failed assertion end with all pins at rest.
#include <mcp/ports/pico.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>

#include "workbench.hpp"

#include <hardware/sync.h>
#include <hardware/watchdog.h>

namespace device {

mcp::Millis now() { return mcp::pico::millis(); }
std::uint32_t boot_id() { return mcp::pico::boot_id(); }
bool Random::do_fill(std::span<std::uint8_t> into) { return mcp::pico::SdkEntropy().fill(into); }

}  // namespace device

namespace {

constexpr mcp::Millis watchdog_ms = 2000;

[[noreturn]] void stop() {
  static_cast<void>(save_and_disable_interrupts());
  app::rest_now();
  watchdog_reboot(0, 0, 0);
  for (;;) tight_loop_contents();
}

}  // namespace

extern "C" void isr_hardfault();  // of the pico-sdk
extern "C" void isr_hardfault() { stop(); }
extern "C" void mcp_assert_failed(const char* /*file*/, int /*line*/) { stop(); }

int main() {
  app::begin();
  watchdog_enable(watchdog_ms, true);
  mcp::StdioTransport transport{app::server, mcp::pico::usb()};
  for (;;) {
    watchdog_update();
    const mcp::Millis next = transport.poll(mcp::pico::millis());
    mcp::pico::wait_for_event(std::min({next, app::poll(), watchdog_ms / 2}));
  }
}
