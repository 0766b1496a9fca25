// SPDX-License-Identifier: Apache-2.0
// stdin and stdout of the target linux. No interrupt wakes the task, so it looks for bytes every 10 ms.
#include "stream.hpp"

#include <mcp/ports/posix.hpp>

const mcp::Millis longest_sleep_ms = 10;

mcp::ByteStream& open_stream() {
  static mcp::posix::Stdio stream;
  return stream;
}
