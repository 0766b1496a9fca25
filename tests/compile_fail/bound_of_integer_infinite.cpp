// error: a_bound_or_default_value_is_not_finite
#include <mcp/server.hpp>
#include <limits>

struct Arguments {
  int a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.minimum = -std::numeric_limits<float>::infinity()}));
