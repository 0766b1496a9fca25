// SPDX-License-Identifier: Apache-2.0
// error: the function of this stream must be Chunk(const Variables&, std::uint32_t offset, std::span<std::uint8_t> into) with the struct of its params()
#include <mcp/server.hpp>

struct Pin {
  std::int32_t number;
};
constexpr auto params = mcp::params(mcp::param<&Pin::number>("number"));
mcp::Chunk read_it(std::uint32_t, std::span<std::uint8_t>) { return mcp::Chunk::end(); }
constexpr mcp::ResourceTemplate row =
    mcp::text_stream_template<read_it, params>({.uri_template = "pin://{number}", .name = "pin"});
