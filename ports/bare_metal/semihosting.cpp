// SPDX-License-Identifier: Apache-2.0
#include "mcp/ports/semihosting.hpp"

#include <string_view>

#include "mcp/ports/board.hpp"
#include "mcp/ports/processor.hpp"

namespace board {
namespace {

// "Semihosting for AArch32 and AArch64": operation numbers, and the mode of fopen's "rb".
constexpr std::uint32_t sys_open = 0x01;
constexpr std::uint32_t sys_close = 0x02;
constexpr std::uint32_t sys_read = 0x06;
constexpr std::uint32_t sys_time = 0x11;
constexpr std::uint32_t open_for_reading = 1;

std::uint32_t address_of(const void* object) { return reinterpret_cast<std::uint32_t>(object); }

}  // namespace

bool HostEntropy::do_fill(std::span<std::uint8_t> into) {
  constexpr std::string_view path = "/dev/urandom";
  const std::uint32_t open[] = {address_of(path.data()), open_for_reading, path.size()};
  const std::uint32_t file = ask_host(sys_open, open);
  if (file == 0xFFFF'FFFF) return false;
  const std::uint32_t read[] = {file, address_of(into.data()), into.size()};
  const std::uint32_t missing = ask_host(sys_read, read);
  static_cast<void>(ask_host(sys_close, &file));
  return missing == 0;
}

std::uint64_t HostWallClock::do_utc_ms() {
  if (asked_utc_ms_ == 0) {
    asked_utc_ms_ = std::uint64_t{ask_host(sys_time, nullptr)} * 1000;
    asked_ms_ = millis();
  }
  return asked_utc_ms_ + (millis() - asked_ms_);
}

}  // namespace board
