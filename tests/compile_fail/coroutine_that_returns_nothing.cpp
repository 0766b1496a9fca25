// SPDX-License-Identifier: Apache-2.0
// error: a coroutine without params() is mcp::Coroutine(mcp::CoroutineContext&), or with an mcp::AskCoroutineContext&
#include <mcp/coroutine.hpp>

void f(mcp::CoroutineContext&) {}
constinit mcp::FramePool<1, 100> frames;
constexpr mcp::Tool tools[] = {mcp::coroutine<f, frames>({.name = "a"})};
