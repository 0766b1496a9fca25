// error: the_minimum_is_greater_than_the_maximum
#include <mcp/server.hpp>

struct Arguments {
  mcp::FixedString<4> a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.min_length = 5}));
