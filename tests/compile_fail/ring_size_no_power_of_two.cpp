// SPDX-License-Identifier: Apache-2.0
// error: the size of a ring must be a power of two
#include <mcp/ports/interrupt_ring.hpp>

constinit board::InterruptRing<6> ring;
