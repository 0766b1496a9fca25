// SPDX-License-Identifier: Apache-2.0
// error: a_row_of_resource_template_must_not_have_a_read_function
#include <mcp/server.hpp>

struct Pin {
  std::int32_t number;
};
constexpr auto params = mcp::params(mcp::param<&Pin::number>("number"));
mcp::Chunk read_it(const Pin&, std::uint32_t, std::span<std::uint8_t>) { return mcp::Chunk::end(); }
mcp::Errc read_pin(const mcp::UriVariables&, mcp::ReadResult& out) { return out.text(""); }
constexpr mcp::ResourceTemplate row =
    mcp::text_stream_template<read_it, params>({.uri_template = "pin://{number}", .name = "pin", .read = read_pin});
