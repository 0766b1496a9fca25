// SPDX-License-Identifier: Apache-2.0
// error: the handler of this resource must be Errc(Output&) with the struct of its output()
#include <mcp/server.hpp>

struct Climate {
  float celsius;
};
struct Other {};
constexpr auto output = mcp::output(mcp::param<&Climate::celsius>("celsius"));
mcp::Errc fill(Other&) { return mcp::Errc::ok; }
constexpr mcp::Resource row = mcp::resource<fill, output>({.uri = "x:a", .name = "a"});
