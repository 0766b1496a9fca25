// error: the_minimum_is_greater_than_the_maximum
#include <mcp/server.hpp>

struct Arguments {
  int a;
  int b;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.minimum = 2, .maximum = 1}));
