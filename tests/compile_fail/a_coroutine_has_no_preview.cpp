// SPDX-License-Identifier: Apache-2.0
// error: a coroutine has no preview: use a job
#include <mcp/schedule.hpp>

constinit mcp::FramePool<1, 256> frames;
mcp::Coroutine wave(mcp::CoroutineContext& context) { co_return context.result().text("waved"); }
constexpr auto times = mcp::with_dry_run(mcp::schedulable());
constexpr mcp::Tool tools[] = {mcp::coroutine<wave, frames>({.name = "wave"}, times)};
