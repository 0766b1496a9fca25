// SPDX-License-Identifier: Apache-2.0
// error: a mark and the byte behind it need two places
#include <mcp/ports/pl011.hpp>

constinit board::Pl011Receiver<1> receiver;
