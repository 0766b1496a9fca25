// SPDX-License-Identifier: Apache-2.0
// error: the variables of a stream take at most 32767 bytes
#include <mcp/server.hpp>

struct Log {
  mcp::FixedString<32766> name;
};
constexpr auto params = mcp::params(mcp::param<&Log::name>("name", {.max_length = 9}));
mcp::Chunk read_it(const Log&, std::uint32_t, std::span<std::uint8_t>) { return mcp::Chunk::end(); }
constexpr mcp::ResourceTemplate row =
    mcp::text_stream_template<read_it, params>({.uri_template = "log://{name}", .name = "log"});
