// The assertion hook for test programs without a port: says where and stops.
#include "mcp/assert.hpp"

#include <cstdio>
#include <cstdlib>

extern "C" void mcp_assert_failed(const char* file, int line) {
  static_cast<void>(std::fprintf(stderr, "%s:%d: a contract of the API was broken\n", file, line));
  std::abort();
}
