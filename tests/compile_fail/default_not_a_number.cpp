// error: a_bound_or_default_value_is_not_finite
#include <mcp/server.hpp>
#include <limits>

struct Arguments {
  float a;
};
constexpr auto table = mcp::params(mcp::param<&Arguments::a>("a", {.default_value = std::numeric_limits<float>::quiet_NaN()}));
