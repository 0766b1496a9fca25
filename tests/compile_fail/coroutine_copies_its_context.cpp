// SPDX-License-Identifier: Apache-2.0
// error: a coroutine without params() is mcp::Coroutine(mcp::CoroutineContext&)
#include <mcp/coroutine.hpp>

mcp::Coroutine f(mcp::CoroutineContext context);
constinit mcp::FramePool<1, 100> frames;
constexpr mcp::Tool tools[] = {mcp::coroutine<f, frames>({.name = "a"})};
