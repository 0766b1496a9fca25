// SPDX-License-Identifier: Apache-2.0
// error: the positions of a ring have 16 bits
#include <mcp/ports/interrupt_ring.hpp>

constinit board::InterruptRing<65536> ring;
