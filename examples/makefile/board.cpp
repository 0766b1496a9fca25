// SPDX-License-Identifier: Apache-2.0
// The MPS2 AN385 with as little code as a server needs: start-up, clock, UART, sleep, and the end after an assertion.
// A vendor's SDK has these parts already. Registers: Application Note AN385, and the Cortex-M System Design Kit.
#include "board.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mcp/assert.hpp>
#include <mcp/ports/interrupt_ring.hpp>

extern "C" {
extern std::uint32_t stack_top[], data_begin[], data_end[], data_load[], bss_begin[], bss_end[];
extern void (*init_array_begin[])();
extern void (*init_array_end[])();
}

int main();

namespace {

struct UartRegisters {
  volatile std::uint32_t data, state, control, interrupt, baud_divisor;
};
struct SysTickRegisters {
  volatile std::uint32_t control, reload, current;
};
auto& uart_registers = *reinterpret_cast<UartRegisters*>(0x4000'4000);
auto& systick = *reinterpret_cast<SysTickRegisters*>(0xE000'E010);
auto& interrupts_enable = *reinterpret_cast<volatile std::uint32_t*>(0xE000'E100);

constexpr std::uint32_t core_clock_hz = 25'000'000;
constexpr std::uint32_t transmit_full = 1, receive_full = 2, receive_overrun = 8;                        // Of state
constexpr std::uint32_t transmit_on = 1, receive_on = 2, transmit_interrupt = 4, receive_interrupt = 8;  // Of control

std::atomic<mcp::Millis> ticks;
std::atomic<bool> event;
board::InterruptRing<256> received;

// Interrupts are off as long as an object of this class exists.
class InterruptsOff {
 public:
  InterruptsOff() { asm volatile("cpsid i" ::: "memory"); }
  ~InterruptsOff() { asm volatile("cpsie i" ::: "memory"); }
  InterruptsOff(const InterruptsOff&) = delete;
  InterruptsOff& operator=(const InterruptsOff&) = delete;
};

void change_control(std::uint32_t on, std::uint32_t off) {
  uart_registers.control = (uart_registers.control & ~off) | on;
}

// Moves received bytes into the ring. A lost byte becomes 0xFF, so that the server rejects the message. While the ring
// is full, the interrupt is off.
void take_bytes() {
  while (!received.full() && (uart_registers.state & (receive_full | receive_overrun)) != 0) {
    const bool has_byte = (uart_registers.state & receive_full) != 0;
    if (!has_byte) uart_registers.state = receive_overrun;
    received.push(has_byte ? static_cast<char>(uart_registers.data) : '\xFF');
  }
  change_control(received.full() ? 0 : receive_interrupt, received.full() ? receive_interrupt : 0);
}

class Uart final : public mcp::ByteStream {
  mcp::IoResult do_read(std::span<char> into) override {
    const std::size_t size = received.pop(into);
    if (size == 0) return {mcp::IoStatus::would_block, 0};
    const InterruptsOff guard;
    take_bytes();
    return {mcp::IoStatus::ok, size};
  }

  // The interrupt reports a transmitter that becomes free after it is on. The second look finds one that was free
  // before.
  mcp::IoResult do_write(std::span<const char> from) override {
    const InterruptsOff guard;
    std::size_t size = 0;
    for (; size < from.size(); ++size) {
      if ((uart_registers.state & transmit_full) != 0) {
        change_control(transmit_interrupt, 0);
        if ((uart_registers.state & transmit_full) != 0) break;
        change_control(0, transmit_interrupt);
      }
      uart_registers.data = static_cast<unsigned char>(from[size]);
    }
    if (size == 0) return {mcp::IoStatus::would_block, 0};
    return {mcp::IoStatus::ok, size};
  }
};

constinit Uart uart_stream;

void receive_handler() {
  uart_registers.interrupt = 2;
  take_bytes();
  event = true;
}

void transmit_handler() {
  change_control(0, transmit_interrupt);
  uart_registers.interrupt = 1;
  event = true;
}

void tick_handler() { ticks.store(ticks.load() + 1); }

// A vendor's SDK resets or reports. Here the processor stops.
[[noreturn]] void stop() {
  asm volatile("cpsid i");
  for (;;) asm volatile("wfi");
}

void switch_on() {
  systick.reload = core_clock_hz / 1000 - 1;
  systick.current = 0;
  systick.control = 7;  // On, with its interrupt, from the clock of the core
  uart_registers.baud_divisor = core_clock_hz / 115'200;
  uart_registers.control = transmit_on | receive_on | receive_interrupt;
  // QEMU sends no byte before the data register has been read.
  if ((uart_registers.state & receive_full) == 0) static_cast<void>(uart_registers.data);
  interrupts_enable = 3;  // Interrupts 0 and 1: receive and transmit of UART0
}

}  // namespace

namespace board {

mcp::ByteStream& uart() { return uart_stream; }

mcp::Millis millis() { return ticks; }

// Interrupts are off between the look at `event` and the sleep, so none is missed: a pending interrupt ends a sleep.
// The tick ends each sleep after 1 ms.
void sleep(mcp::Millis timeout_ms) {
  if (timeout_ms == 0) return;
  const InterruptsOff guard;
  if (!event) asm volatile("wfi");
  event = false;
}

}  // namespace board

extern "C" [[noreturn]] void mcp_assert_failed(const char*, int) { stop(); }

extern "C" [[noreturn]] void reset_handler() {
  const std::uint32_t* from = data_load;
  for (std::uint32_t* at = data_begin; at != data_end;) *at++ = *from++;
  for (std::uint32_t* at = bss_begin; at != bss_end;) *at++ = 0;
  for (auto* at = init_array_begin; at != init_array_end;) (*at++)();
  switch_on();
  main();
  stop();
}

namespace {

// clang-format off
struct VectorTable {
  std::uint32_t* stack = stack_top;
  void (*exceptions[15])() = {reset_handler, stop, stop, stop, stop, stop, nullptr, nullptr, nullptr, nullptr,
                              stop, stop, nullptr, stop, tick_handler};
  void (*interrupts[2])() = {receive_handler, transmit_handler};
};
// clang-format on
[[gnu::section(".vectors"), gnu::used]] constexpr VectorTable vectors;

}  // namespace
