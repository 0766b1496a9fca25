// error: a_key_of_the_meta_has_a_prefix_that_is_reserved_for_mcp
#include <mcp/server.hpp>

constexpr mcp::Meta meta = R"({"a": {"b": 1}, "com.mcp.tools/name": 1})";
