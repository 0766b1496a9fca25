// SPDX-License-Identifier: Apache-2.0
// The headers of mote that the examples in the headers of boards use.
#pragma once

#include <bit>
#include <cstdint>

#include "mcp/ports/board.hpp"
#include "mcp/server.hpp"
#include "mcp/stdio_transport.hpp"
