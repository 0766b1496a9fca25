// SPDX-License-Identifier: Apache-2.0
// The sectors of a ChipFlash, which the compiler checks.
#include <mcp/ports/pico_flash.hpp>

constinit mcp::pico::ChipFlash flash{SECTORS, END};
