// SPDX-License-Identifier: Apache-2.0
// The end of a firmware, and failed assertions. Knows no driver.
//
// A failed assertion is printed on the UART first, and then reported to the emulator or debugger.
//
// The firmware ends by semihosting: a breakpoint that an emulator or a debugger handles. On hardware without a debugger
// it is a fault, which each board's fault handler recognises. An application that wants to restart defines mcp_fault()
// (and mcp_assert_failed()).
#include <mcp/assert.hpp>
#include <span>

#include "mcp/ports/board.hpp"
#include "mcp/ports/processor.hpp"
#include "ports/bare_metal/startup.hpp"

namespace {

// "Semihosting for AArch32 and AArch64": operation numbers, and the reason for SYS_EXIT_EXTENDED.
constexpr std::uint32_t sys_write0 = 0x04;
constexpr std::uint32_t sys_exit_extended = 0x20;
constexpr std::uint32_t stopped_application_exit = 0x2'0026;

}  // namespace

extern "C" [[gnu::weak]] void mcp_fault() {}

extern "C" [[gnu::weak]] void mcp_assert_failed(const char* file, int line) {
  char digits[12];  // ":" + ten digits + end
  char* text = digits + sizeof digits;
  *--text = '\0';
  auto rest = static_cast<unsigned>(line);
  do {
    *--text = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  *--text = ':';
  board::interrupts_off();
  const char* const parts[] = {"\nmote: ", file, text, ": MCP_ASSERT failed\n"};
  for (const char* part : parts) board::report(part);
  for (const char* part : std::span(parts).subspan(1)) static_cast<void>(board::ask_host(sys_write0, part));
  board::exit(board::assert_status);
}

namespace board {

void exit(int status) {
  const std::uint32_t argument[] = {stopped_application_exit, static_cast<std::uint32_t>(status)};
  static_cast<void>(ask_host(sys_exit_extended, argument));
  stand_still();
}

}  // namespace board
