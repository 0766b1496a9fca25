// SPDX-License-Identifier: Apache-2.0
#include "registers.hpp"

#include <utility>

#include "mcp/ports/board.hpp"
#include "mcp/ports/processor.hpp"
#include "ports/boards/lm3s6965evb/lm3s6965_clock.hpp"

namespace {

Imitation imitation;

}  // namespace

void imitate(Imitation chip) { imitation = std::move(chip); }

namespace board {

std::uint32_t read_register(std::uint32_t address) { return imitation.read(address); }
void write_register(std::uint32_t address, std::uint32_t value) { imitation.write(address, value); }
void wake_from_isr() { imitation.wake_from_isr(); }
mcp::Millis millis() { return imitation.millis(); }
std::uint32_t micros() { return imitation.micros(); }

}  // namespace board
