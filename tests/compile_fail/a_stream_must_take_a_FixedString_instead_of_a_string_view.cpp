// SPDX-License-Identifier: Apache-2.0
// error: a_stream_must_take_a_FixedString_instead_of_a_string_view
#include <mcp/server.hpp>

struct Log {
  std::string_view name;
};
constexpr auto params = mcp::params(mcp::param<&Log::name>("name"));
mcp::Chunk read_it(const Log&, std::uint32_t, std::span<std::uint8_t>) { return mcp::Chunk::end(); }
constexpr mcp::ResourceTemplate row =
    mcp::text_stream_template<read_it, params>({.uri_template = "log://{name}", .name = "log"});
