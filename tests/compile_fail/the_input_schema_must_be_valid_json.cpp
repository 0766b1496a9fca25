// error: the_input_schema_is_not_valid_json
#include <mcp/server.hpp>

constexpr mcp::InputSchema schema(R"({"type":"object",})");
