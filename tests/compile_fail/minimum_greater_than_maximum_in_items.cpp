// error: the_minimum_is_greater_than_the_maximum
#include <mcp/server.hpp>

struct Arguments {
  mcp::List<int, 2> a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.items = {.minimum = 2, .maximum = 1}}));
