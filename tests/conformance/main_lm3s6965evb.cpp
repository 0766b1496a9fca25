// everything.cpp on an emulated LM3S6965EVB: the wire is UART0. The board has neither a random source nor a calendar;
// an emulator lends it those of the host. So this is for tests alone: on the bare board the first task ends in a fault.
#include <ports/lm3s6965evb/board.hpp>
#include <transports/stdio/transport.hpp>

#include "everything.hpp"

namespace everything {
namespace {

// "Semihosting for AArch32 and AArch64": operation numbers, and the mode of fopen's "rb".
constexpr std::uint32_t sys_open = 0x01;
constexpr std::uint32_t sys_close = 0x02;
constexpr std::uint32_t sys_read = 0x06;
constexpr std::uint32_t sys_time = 0x11;
constexpr std::uint32_t open_for_reading = 1;

std::uint32_t semihosting(std::uint32_t operation, const void* argument) {
  register std::uint32_t r0 asm("r0") = operation;
  register const void* r1 asm("r1") = argument;
  asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

std::uint32_t address_of(const void* object) { return reinterpret_cast<std::uint32_t>(object); }

}  // namespace

// The host's random numbers.
bool Entropy::do_fill(std::span<std::uint8_t> into) {
  constexpr std::string_view path = "/dev/urandom";
  const std::uint32_t open[] = {address_of(path.data()), open_for_reading, path.size()};
  const std::uint32_t file = semihosting(sys_open, open);
  if (file == 0xFFFF'FFFF) return false;
  const std::uint32_t read[] = {file, address_of(into.data()), into.size()};
  const std::uint32_t missing = semihosting(sys_read, read);
  static_cast<void>(semihosting(sys_close, &file));
  return missing == 0;
}

// The host's time, in whole seconds, when it is first asked for; from then on the board's own clock goes on from there.
std::uint64_t WallClock::do_utc_ms() {
  static std::uint64_t asked_utc_ms = 0;
  static mcp::Millis asked_ms = 0;
  if (asked_utc_ms == 0) {
    asked_utc_ms = std::uint64_t{semihosting(sys_time, nullptr)} * 1000;
    asked_ms = board::millis();
  }
  return asked_utc_ms + (board::millis() - asked_ms);
}

}  // namespace everything

int main() {
  mcp::StdioTransport transport{everything::server, board::uart0()};
  for (;;) board::wait_for_event(transport.poll(board::millis()));
}
