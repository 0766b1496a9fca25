// SPDX-License-Identifier: Apache-2.0
// error: a tool has more than 32 parameters
#include <mcp/call_options.hpp>

struct Many {
  bool m0;
  bool m1;
  bool m2;
  bool m3;
  bool m4;
  bool m5;
  bool m6;
  bool m7;
  bool m8;
  bool m9;
  bool m10;
  bool m11;
  bool m12;
  bool m13;
  bool m14;
  bool m15;
  bool m16;
  bool m17;
  bool m18;
  bool m19;
  bool m20;
  bool m21;
  bool m22;
  bool m23;
  bool m24;
  bool m25;
  bool m26;
  bool m27;
  bool m28;
  bool m29;
  bool m30;
  bool m31;
};
constexpr auto many_params = mcp::params(
    mcp::param<&Many::m0>("m0"), mcp::param<&Many::m1>("m1"), mcp::param<&Many::m2>("m2"), mcp::param<&Many::m3>("m3"),
    mcp::param<&Many::m4>("m4"), mcp::param<&Many::m5>("m5"), mcp::param<&Many::m6>("m6"), mcp::param<&Many::m7>("m7"),
    mcp::param<&Many::m8>("m8"), mcp::param<&Many::m9>("m9"), mcp::param<&Many::m10>("m10"),
    mcp::param<&Many::m11>("m11"), mcp::param<&Many::m12>("m12"), mcp::param<&Many::m13>("m13"),
    mcp::param<&Many::m14>("m14"), mcp::param<&Many::m15>("m15"), mcp::param<&Many::m16>("m16"),
    mcp::param<&Many::m17>("m17"), mcp::param<&Many::m18>("m18"), mcp::param<&Many::m19>("m19"),
    mcp::param<&Many::m20>("m20"), mcp::param<&Many::m21>("m21"), mcp::param<&Many::m22>("m22"),
    mcp::param<&Many::m23>("m23"), mcp::param<&Many::m24>("m24"), mcp::param<&Many::m25>("m25"),
    mcp::param<&Many::m26>("m26"), mcp::param<&Many::m27>("m27"), mcp::param<&Many::m28>("m28"),
    mcp::param<&Many::m29>("m29"), mcp::param<&Many::m30>("m30"), mcp::param<&Many::m31>("m31"));
constexpr auto dry_run = mcp::with_dry_run(many_params);
