// SPDX-License-Identifier: Apache-2.0
// error: a traced value must have at most 64 bytes
#include <mcp/trace.hpp>

constinit mcp::TraceRing<256> ring;
struct Large {
  char bytes[65];
};
Large value(Large read) { return ring.value(read); }
