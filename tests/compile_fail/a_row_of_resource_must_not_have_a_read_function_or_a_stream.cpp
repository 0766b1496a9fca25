// SPDX-License-Identifier: Apache-2.0
// error: a_row_of_resource_must_not_have_a_read_function_or_a_stream
#include <mcp/server.hpp>

struct Climate {
  float celsius;
};
constexpr auto output = mcp::output(mcp::param<&Climate::celsius>("celsius"));
mcp::Errc fill(Climate&) { return mcp::Errc::ok; }
mcp::Errc read(mcp::ReadResult& out) { return out.text(""); }
constexpr mcp::Resource row = mcp::resource<fill, output>({.uri = "x:a", .name = "a", .read = read});
