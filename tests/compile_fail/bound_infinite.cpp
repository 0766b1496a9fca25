// error: a_bound_or_default_value_is_not_finite
#include <mcp/server.hpp>
#include <limits>

struct Arguments {
  double a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.maximum = std::numeric_limits<double>::infinity()}));
