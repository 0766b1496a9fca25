// error: a_key_of_the_meta_has_a_prefix_that_is_reserved_for_mcp
#include <mcp/server.hpp>

constexpr mcp::Meta meta = R"({"io.modelcontextprotocol/name": 1})";
