// error: a_header_is_for_an_integer_a_boolean_or_a_text
#include <mcp/server.hpp>

struct Arguments {
  float a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.header = "Level"}));
