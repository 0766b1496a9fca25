// SPDX-License-Identifier: Apache-2.0
// lint.side_effect: .clang-tidy rejects the condition, which a build without checks does not evaluate.
#include "mcp/assert.hpp"

int next(int number);
int next(int number) {
  MCP_DEBUG_ASSERT(++number > 0);
  return number;
}
