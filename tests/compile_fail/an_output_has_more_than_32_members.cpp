// SPDX-License-Identifier: Apache-2.0
// error: a struct has more than 32 parameters
#include <mcp/server.hpp>

struct Arguments {
  int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, aa, b0, b1, b2, b3, b4, b5;
  int b6, b7, b8, b9, ba, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, ca;
};
#define P(name) mcp::param<&Arguments::name>(#name)
constexpr auto table = mcp::output(P(a0), P(a1), P(a2), P(a3), P(a4), P(a5), P(a6), P(a7), P(a8), P(a9), P(aa), P(b0),
                                   P(b1), P(b2), P(b3), P(b4), P(b5), P(b6), P(b7), P(b8), P(b9), P(ba), P(c0), P(c1),
                                   P(c2), P(c3), P(c4), P(c5), P(c6), P(c7), P(c8), P(c9), P(ca));
