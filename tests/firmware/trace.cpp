// SPDX-License-Identifier: Apache-2.0
// An image that repeats bytes, records them, and faults at an `f`. The fault handler dumps the trace. A Cortex-M then
// resets, and the next start finds the records.
#include <probe.hpp>

#include <mcp/ports/board.hpp>
#include <mcp/trace.hpp>
#include <string_view>

namespace {

[[gnu::section(".noinit")]] mcp::TraceRing<1024> ring;

void reset() {
#ifdef __ARM_ARCH
  constexpr std::uintptr_t aircr = 0xE000'ED0C;
  constexpr std::uint32_t reset_request = 0x05FA'0004;
  *reinterpret_cast<volatile std::uint32_t*>(aircr) = reset_request;
  for (;;) asm volatile("");
#endif
}

}  // namespace

extern "C" void mcp_fault() {
  ring.dump(board::write_polled);
  reset();
}

int main() {
  if (ring.begin(0xB007'0001)) {
    ring.dump(board::write_polled);
    return 42;
  }
  mcp::TracedStream uart(ring, board::uart0(), mcp::Framing::lines);
  for (;;) {
    ring.poll(board::millis());
    char bytes[16];
    const mcp::IoResult result = uart.read(bytes);
    if (result.status != mcp::IoStatus::ok) {
      board::wait_for_event(mcp::forever);
      continue;
    }
    const std::string_view text(bytes, result.size);
    if (text.find('f') != std::string_view::npos) probe::illegal_instruction();
    static_cast<void>(uart.write(text));
  }
}
