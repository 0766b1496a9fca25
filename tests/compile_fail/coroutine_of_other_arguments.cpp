// SPDX-License-Identifier: Apache-2.0
// error: a coroutine with params() is mcp::Coroutine(mcp::CoroutineContext&, const Arguments&), or with an mcp::AskCoroutineContext&, with the struct of its params()
#include <mcp/coroutine.hpp>

struct Arguments {
  int x;
};
struct Other {
  int x;
};
mcp::Coroutine f(mcp::CoroutineContext&, const Other&) { co_return mcp::Errc::ok; }
constinit mcp::FramePool<1, 100> frames;
constexpr auto f_params = mcp::params(mcp::param<&Arguments::x>("x"));
constexpr mcp::Tool tools[] = {mcp::coroutine<f, frames>({.name = "a"}, f_params)};
