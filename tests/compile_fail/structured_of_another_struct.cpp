// SPDX-License-Identifier: Apache-2.0
// error: Reading
#include <mcp/server.hpp>

struct Reading {
  int value;
};
constexpr auto reading = mcp::output(mcp::param<&Reading::value>("value"));
struct Other {
  int value;
};
mcp::Errc run(mcp::Call& call) { return call.structured(reading, Other{1}); }
