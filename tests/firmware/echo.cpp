// Everything a board offers, driven over its UART: sends every byte back, and answers lines that begin with '!'.
#include <cstdint>
#include <ports/lm3s6965evb/board.hpp>
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

std::string_view yes_or_no(bool yes) { return yes ? "yes"sv : "no"sv; }

// The clock never goes back, and no period of its counter (320 ms) is counted twice. The emulator itself may be stopped
// for that long once, but hardly again.
void clock() {
  const mcp::Millis start_ms = board::millis();
  mcp::Millis last_ms = start_ms;
  unsigned jumps = 0;
  while (last_ms - start_ms < 1600) {
    const mcp::Millis now_ms = board::millis();
    if (static_cast<std::int32_t>(now_ms - last_ms) < 0) return send("the clock went back"sv);
    if (now_ms - last_ms >= 320) ++jumps;
    last_ms = now_ms;
  }
  send(jumps < 2 ? "steady"sv : "the clock jumped"sv);
}

// A sleep with a limit ends at the limit, not before, also behind the first period of the clock.
void sleep() {
  for (const mcp::Millis limit_ms : {1U, 20U, 400U}) {
    const mcp::Millis start_ms = board::millis();
    while (board::millis() - start_ms < limit_ms) board::wait_for_event(limit_ms);
    if (board::millis() - start_ms < limit_ms) send("too short"sv);
  }
  board::wait_for_event(0);
  send("slept"sv);
}

// Bytes that arrive while nobody reads stay where they are: none is lost or overwritten.
void busy() {
  const mcp::Millis start_ms = board::millis();
  while (board::millis() - start_ms < 200) {
  }
  send("done"sv);
}

volatile bool was_interrupted;

// An interrupt of the application ends a sleep without a limit.
void interrupt() {
  *reinterpret_cast<volatile std::uint32_t*>(0xE000E100) = 1;  // Enable and raise interrupt 0, GPIO port A.
  *reinterpret_cast<volatile std::uint32_t*>(0xE000E200) = 1;
  while (!was_interrupted) board::wait_for_event(mcp::forever);
  send("woken"sv);
}

void temperature() {
  std::int32_t millidegrees = 0;
  if (!board::read_millidegrees(millidegrees)) return send("no sensor"sv);
  send(millidegrees);
}

// A device that is not there is noticed at once, and does not spoil what follows.
void missing() {
  const std::uint8_t out[] = {0};
  std::uint8_t in[2];
  const mcp::Millis start_ms = board::millis();
  const bool found = board::i2c_write(0x50, out) || board::i2c_read(0x50, in);
  if (board::millis() - start_ms > 100) send("slow "sv);
  send(found ? "found"sv : "missing"sv);
}

void led(bool on) {
  const bool before = board::led();
  board::led(on);
  send(yes_or_no(before));
  send(" "sv);
  send(yes_or_no(board::led()));
}

void errors() {
  const board::UartErrors errors = board::uart0_errors();
  send(static_cast<std::int32_t>(errors.framing + errors.parity + errors.breaks + errors.overrun));
}

// More than nothing, and not all of it.
void stack() {
  const std::size_t used = board::stack_high_water();
  send(used >= 64 && used < 1024 ? "plausible"sv : "wrong"sv);
}

void execute(std::string_view command) {
  if (command == "clock") return clock();
  if (command == "sleep") return sleep();
  if (command == "busy") return busy();
  if (command == "interrupt") return interrupt();
  if (command == "temperature") return temperature();
  if (command == "missing") return missing();
  if (command == "led on") return led(true);
  if (command == "led off") return led(false);
  if (command == "errors") return errors();
  if (command == "stack") return stack();
  send("what?"sv);
}

}  // namespace

extern "C" void gpio_a_handler() {
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
