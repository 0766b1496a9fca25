// SPDX-License-Identifier: Apache-2.0
// error: a FramePool has at least one slot of at least one byte
#include <mcp/coroutine.hpp>

constinit mcp::FramePool<0, 100> frames;
