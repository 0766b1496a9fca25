// SPDX-License-Identifier: Apache-2.0
// error: two_parameters_must_not_have_the_same_name
#include <mcp/call_options.hpp>

struct Flush {
  bool dry_run;
};
constexpr auto flush_params = mcp::with_dry_run(mcp::params(mcp::param<&Flush::dry_run>("dry_run")));
