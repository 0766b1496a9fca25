// SPDX-License-Identifier: Apache-2.0
// error: the_uris_of_a_stream_must_have_at_most_65535_bytes
#include <mcp/server.hpp>

struct Log {
  mcp::FixedString<30000> name;
};
constexpr auto params = mcp::params(mcp::param<&Log::name>("name"));
mcp::Chunk read_it(const Log&, std::uint32_t, std::span<std::uint8_t>) { return mcp::Chunk::end(); }
constexpr mcp::ResourceTemplate row =
    mcp::text_stream_template<read_it, params>({.uri_template = "log://{name}", .name = "log"});
