// error: the_meta_is_not_a_json_object
#include <mcp/server.hpp>

constexpr mcp::Meta meta = "";
