// SPDX-License-Identifier: Apache-2.0
// error: a traced value must be trivially copyable and have no padding
#include <mcp/trace.hpp>

constinit mcp::TraceRing<256> ring;
struct Padded {
  char a;
  int b;
};
Padded value(Padded read) { return ring.value(read); }
