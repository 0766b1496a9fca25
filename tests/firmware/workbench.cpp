// SPDX-License-Identifier: Apache-2.0
// A workbench on PD3 (low at rest), PD4 (high at rest) and PD5 (an input at rest). Commands drive the pins, and end the
// program in each way. After a reset, the image prints what the pins were before begin(). Each response is a line with
// the levels of the pins: `0` or `1` of an output, `i` of an input.
#include <mcp/ports/cortex_m.hpp>
#include <mcp/ports/lm3s6965evb.hpp>
#include <mcp/workbench.hpp>
#include <probe.hpp>

#include <string_view>

namespace {

constexpr std::uint8_t first_pin = 27;
constexpr std::uint32_t gpio_d = 0x4000'7000;
constexpr std::uint32_t gpio_dir = gpio_d + 0x400;
constexpr std::uint32_t gpio_data = gpio_d + 0x3FC;  // all pins
constexpr std::uint32_t sysctl_rcgc2 = 0x400F'E108;
constexpr std::uint32_t rcgc2_port_d = board::bit(3);
constexpr std::uint32_t scb_aircr = 0xE000'ED0C;
constexpr std::uint32_t reset_request = 0x05FA'0004;  // with the key of the register

constexpr mcp::WorkbenchPin pins[] = {
    {.name = "PD3", .number = first_pin, .uses = mcp::PinUse::output, .rest = mcp::PinRest::low},
    {.name = "PD4", .number = first_pin + 1, .uses = mcp::PinUse::output, .rest = mcp::PinRest::high},
    {.name = "PD5", .number = first_pin + 2, .uses = mcp::PinUse::output}};
constexpr mcp::WorkbenchOptions options{.pins = pins, .chip = board::pins, .now = board::millis};
constinit mcp::Workbench<options> bench;

constexpr std::uint32_t has_run = 0x600D'57A7;
[[gnu::section(".noinit")]] std::uint32_t mark;

struct Levels {
  char text[3];
};

// Of the registers, and not of the port.
Levels levels() {
  board::reg(sysctl_rcgc2) |= rcgc2_port_d;
  Levels result;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::uint32_t bit = board::bit(first_pin % 8 + i);
    const bool is_output = (board::reg(gpio_dir) & bit) != 0;
    const bool is_high = (board::reg(gpio_data) & bit) != 0;
    result.text[i] = !is_output ? 'i' : is_high ? '1' : '0';
  }
  return result;
}

void say(std::string_view text) {
  for (const char c : text) board::write_polled(c);
  board::write_polled('\n');
}
void say(const Levels& now) { say({now.text, sizeof now.text}); }

void drive() {
  for (std::uint8_t i = 0; i < 3; ++i) static_cast<void>(board::pins().output(first_pin + i, i != 1));
}

// Pulses of 25 % at 100 Hz on PD3, for 200 ms. Looks for their rising edges and their time.
void pulse() {
  constexpr mcp::Millis sample_ms = 200;
  constexpr std::uint32_t period_ns = 10'000'000;
  std::uint32_t actual_ns = 0;
  if (board::pins().pwm(first_pin, period_ns, period_ns / 4, actual_ns) != mcp::PinError::none) return say("error");
  std::uint32_t edges = 0;
  std::uint32_t high = 0;
  std::uint32_t all = 0;
  char last = '1';
  for (const mcp::Millis start = board::millis(); board::millis() - start < sample_ms; ++all) {
    const char level = levels().text[0];
    if (level == '1') ++high;
    if (level == '1' && last == '0') ++edges;
    last = level;
  }
  const std::uint32_t percent = high * 100 / all;
  say(edges >= 19 && edges <= 21 && percent >= 23 && percent <= 27 ? "pulses" : "no pulses");
}

// A fourth pin has no timer, and a part of 10 us is too short.
void refuse_pulses() {
  std::uint32_t ns = 0;
  mcp::Pins& chip = board::pins();
  bool is_right = chip.pwm(first_pin, 1'000'000, 10'000, ns) == mcp::PinError::out_of_range;
  for (std::uint8_t i = 0; i < 3; ++i)
    is_right = chip.pwm(first_pin + i, 1'000'000, 500'000, ns) == mcp::PinError::none && is_right;
  is_right = chip.pwm(40, 1'000'000, 500'000, ns) == mcp::PinError::busy && is_right;
  bench.rest_now();
  is_right = chip.pwm(40, 1'000'000, 500'000, ns) == mcp::PinError::none && is_right;
  is_right = chip.input(40) == mcp::PinError::none && is_right;
  say(is_right ? "refused" : "not refused");
}

void hang() {
  volatile bool forever = true;
  while (forever) {
  }
}

[[noreturn]] void end_at_rest() {
  bench.rest_now();
  say(levels());
  board::reg(scb_aircr) = reset_request;
  for (;;) {
  }
}

void execute(std::string_view command, const Levels& at_start) {
  if (command == "start") return say(at_start);
  if (command == "now") return say(levels());
  if (command == "drive") {
    drive();
    return say(levels());
  }
  if (command == "pulse") return pulse();
  if (command == "refuse") return refuse_pulses();
  if (command == "fault") probe::illegal_instruction();
  if (command == "assert") mcp_assert_failed("test", 1);
  if (command == "hang") hang();
  if (command == "reset") board::reg(scb_aircr) = reset_request;
  if (command == "exit") board::exit(0);
  say(command);
}

}  // namespace

extern "C" void mcp_fault() { end_at_rest(); }
extern "C" [[noreturn]] void mcp_assert_failed(const char*, int) {
  board::interrupts_off();
  end_at_rest();
}

int main() {
  const Levels at_start = levels();
  bench.begin();
  static_cast<void>(board::take_reset_reason());
  board::start_watchdog(400);
  if (mark == has_run) say(at_start);
  mark = has_run;
  mcp::ByteStream& uart = board::uart0();
  char line[16];
  std::size_t size = 0;
  for (bool has_more = false;;) {
    board::wait_for_event(has_more ? 0 : mcp::forever);
    char byte[1];
    has_more = uart.read(byte).size != 0;
    if (!has_more) continue;
    if (byte[0] == '\n') {
      execute({line, size}, at_start);
      size = 0;
    } else if (size < sizeof line) {
      line[size++] = byte[0];
    }
  }
}
