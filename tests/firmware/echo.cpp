// SPDX-License-Identifier: Apache-2.0
// Everything a board offers, driven over its UART: sends every byte back, and answers lines that begin with '!'.
#include <probe.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace {

using std::string_view_literals::operator""sv;

mcp::ByteStream* uart;

void send(std::string_view text) {
  while (!text.empty()) {
    const mcp::IoResult result = uart->write(std::span(text));
    text.remove_prefix(result.size);
    if (result.status == mcp::IoStatus::would_block) board::wait_for_event(mcp::forever);
  }
}

void send(std::int32_t number) {
  char digits[12];
  char* text = digits + sizeof digits;
  bool negative = number < 0;
  do {
    *--text = static_cast<char>('0' + (negative ? -(number % 10) : number % 10));
    number /= 10;
  } while (number != 0);
  if (negative) *--text = '-';
  send(std::string_view(text, digits + sizeof digits));
}

// The clock never goes back, and no period of its counter (320 ms) is counted twice.
void clock() {
  const mcp::Millis start_ms = board::millis();
  mcp::Millis last_ms = start_ms;
  bool jumped = false;
  while (last_ms - start_ms < 1600) {
    const mcp::Millis now_ms = board::millis();
    if (static_cast<std::int32_t>(now_ms - last_ms) < 0) return send("the clock went back"sv);
    if (now_ms - last_ms >= 320) jumped = true;
    last_ms = now_ms;
  }
  send(jumped ? "the clock jumped"sv : "steady"sv);
}

// A sleep with a limit ends at the limit, not before, also after the first period of the clock.
void sleep() {
  for (const mcp::Millis limit_ms : {1U, 20U, 400U}) {
    const mcp::Millis start_ms = board::millis();
    while (board::millis() - start_ms < limit_ms) board::wait_for_event(limit_ms);
    if (board::millis() - start_ms < limit_ms) send("too short"sv);
  }
  board::wait_for_event(0);
  send("slept"sv);
}

// Bytes that arrive while the image does not read stay in the ring: none is lost or overwritten.
void busy() {
  const mcp::Millis start_ms = board::millis();
  while (board::millis() - start_ms < 200) {
  }
  send("done"sv);
}

volatile bool was_interrupted;

// An interrupt of the application ends a sleep without a limit.
void interrupt() {
  probe::raise_interrupt();
  while (!was_interrupted) board::wait_for_event(mcp::forever);
  send("woken"sv);
}

// Ten seconds with nothing to do, between two interrupts of the application.
void idle() {
  probe::raise_interrupt();
  const mcp::Millis start_ms = board::millis();
  for (mcp::Millis passed_ms = 0; passed_ms < 10'000; passed_ms = board::millis() - start_ms) {
    board::wait_for_event(10'000 - passed_ms);
  }
  probe::raise_interrupt();
  send("idle"sv);
}

// More than nothing, and not all of it.
void stack() {
  const std::size_t used = board::stack_high_water();
  send(used >= 64 && used < 1024 ? "plausible"sv : "wrong"sv);
}

void execute(std::string_view command) {
  if (command == "clock") return clock();
  if (command == "sleep") return sleep();
  if (command == "idle") return idle();
  if (command == "busy") return busy();
  if (command == "interrupt") return interrupt();
  if (command == "stack") return stack();
  if (!probe::execute(command, send, send)) send("what?"sv);
}

}  // namespace

extern "C" void HANDLER() {
  was_interrupted = true;
  board::wake_from_isr();
}

int main() {
  uart = &board::uart0();
  char command[32];
  std::size_t size = 0;
  bool is_command = false;
  bool is_line_start = true;
  for (;;) {
    char bytes[48];
    const mcp::IoResult result = uart->read(bytes);
    if (result.status == mcp::IoStatus::would_block) {
      board::wait_for_event(mcp::forever);
      continue;
    }
    for (const char& byte : std::span(bytes, result.size)) {
      if (is_line_start && byte == '!') {
        is_command = true;
        size = 0;
      } else if (!is_command) {
        send(std::string_view(&byte, 1));
      } else if (byte != '\n') {
        if (size < sizeof command) command[size++] = byte;
      } else {
        if (std::string_view(command, size) == "exit") return 7;
        execute(std::string_view(command, size));
        send("\n"sv);
        is_command = false;
      }
      is_line_start = byte == '\n';
    }
  }
}
