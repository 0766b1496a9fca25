// SPDX-License-Identifier: Apache-2.0
// error: the frames of a coroutine are in an mcp::FramePool
#include <mcp/coroutine.hpp>

mcp::Coroutine f(mcp::CoroutineContext&) { co_return mcp::Errc::ok; }
char frames[100];
constexpr mcp::Tool tools[] = {mcp::coroutine<f, frames>({.name = "a"})};
