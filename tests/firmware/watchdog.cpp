// SPDX-License-Identifier: Apache-2.0
// An image with a watchdog of 400 ms, which hangs on request. Commands are lines; each response is a line.
#include <mcp/ports/board.hpp>
#include <mcp/server.hpp>
#include <string_view>

namespace {

constexpr mcp::Millis watchdog_ms = 400;
constexpr mcp::Millis idle_ms = 2'000;

constexpr mcp::Definition definition{.name = "watchdog", .version = "1.0.0"};
constinit mcp::Storage<definition> storage;
constinit const mcp::Server server{storage};

void say(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = board::uart0().write(text).size;
    text.remove_prefix(size);
    if (size == 0) board::wait_for_event(mcp::forever);
  }
}

void idle() {
  const mcp::Millis start_ms = board::millis();
  for (;;) {
    const mcp::Millis elapsed_ms = board::millis() - start_ms;
    if (elapsed_ms >= idle_ms) return;
    board::wait_for_event(idle_ms - elapsed_ms);
  }
}

void hang() {
  volatile bool forever = true;
  while (forever) {
  }
}

// A handler that takes longer than the time to the first of the two interrupts.
void be_late() {
  const mcp::Millis start_ms = board::millis();
  while (board::millis() - start_ms < watchdog_ms * 3 / 4) {
  }
}

void say_reason(board::ResetReason reason) { say(reason == board::ResetReason::watchdog ? "watchdog\n" : "other\n"); }

void execute(std::string_view command) {
  if (command == "reason") return say_reason(server.health().reset_reason);
  if (command == "again") return say_reason(board::take_reset_reason());
  if (command == "idle") idle();
  if (command == "late") be_late();
  if (command == "hang") hang();
  if (command == "exit") board::exit(7);
  say(command);
  say("\n");
}

}  // namespace

int main() {
  mcp::ByteStream& uart = board::uart0();
  server.set_reset_reason(board::take_reset_reason());
  board::start_watchdog(watchdog_ms);
  char line[16];
  std::size_t size = 0;
  // One byte a turn, so that a command begins with a fed watchdog, also if it was sent during the one before.
  for (bool has_more = false;;) {
    board::wait_for_event(has_more ? 0 : mcp::forever);
    char byte[1];
    has_more = uart.read(byte).size != 0;
    if (!has_more) continue;
    if (byte[0] == '\n') {
      execute({line, size});
      size = 0;
    } else if (size < sizeof line) {
      line[size++] = byte[0];
    }
  }
}
