// What the images of this folder need of riscv32 `virt` beyond what every board has.
#pragma once

#include <ports/virt/board.hpp>
#include <string_view>

namespace probe {

/// Raises the software interrupt, whose handler an image may have by the name of HANDLER.
#define HANDLER software_interrupt_handler
inline void raise_interrupt() { *reinterpret_cast<volatile std::uint32_t*>(0x0200'0000) = 1; }

inline void illegal_instruction() { asm volatile("unimp"); }

/// No code is there.
inline constexpr std::uintptr_t nowhere = 0x1FFF'F000;

/// Calls `send_number` with the answer to a command that other boards do not have; false: neither has this one.
inline bool execute(std::string_view command, void (*)(std::string_view), void (*send_number)(std::int32_t)) {
  if (command != "errors") return false;
  send_number(static_cast<std::int32_t>(board::uart0_errors()));
  return true;
}

}  // namespace probe
