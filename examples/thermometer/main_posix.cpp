// SPDX-License-Identifier: Apache-2.0
// The thermometer on a PC: stdin and stdout are the wire to the client.
#include <mcp/ports/posix.hpp>
#include <mcp/ports/posix_replay.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "device_posix.hpp"
#include "thermometer.hpp"

namespace {

std::FILE* record = nullptr;
void put(char c) { static_cast<void>(std::fputc(c, record)); }

void serve(mcp::ByteStream& stream, mcp::posix::Stdio& stdio) {
  mcp::StdioTransport transport{thermometer::server, stream};
  while (!transport.closed()) {
    const mcp::Millis now = device::trace.poll(mcp::posix::now());
    const mcp::Millis sample_ms = thermometer::sample(now);
    const mcp::Millis work_ms = transport.poll(now);
    stdio.wait(std::min(sample_ms, work_ms));
  }
}

// Serves as serve(), and writes all that the program has read and written to a file.
int serve_and_record(mcp::posix::Stdio& stdio, const char* path) {
  record = std::fopen(path, "w");
  if (record == nullptr) return 1;
  device::trace.begin();
  mcp::TracedStream stream{device::trace, stdio, mcp::Framing::lines};
  serve(stream, stdio);
  device::trace.dump(put);
  return std::fclose(record);
}

// Gives the program what such a file says, and compares what it writes.
[[noreturn]] void play(const char* path, const mcp::posix::ReplayOptions& options) {
  device::trace.begin();
  mcp::posix::Replay replay;
  replay.open(path, device::trace, options);
  mcp::posix::ReplayStream stream{replay, mcp::Framing::lines};
  mcp::StdioTransport transport{thermometer::server, stream};
  for (;;) {
    const mcp::Millis now = replay.now();  // ends the program after the last one
    static_cast<void>(thermometer::sample(now));
    static_cast<void>(transport.poll(now));
  }
}

}  // namespace

int main(int argc, char** argv) {
  mcp::posix::ReplayOptions options;
  if (const char* const path = mcp::posix::Replay::find_option(argc, argv, options)) play(path, options);
  const bool records = argc == 5 && std::string_view(argv[3]) == "--record";
  if ((argc != 3 && !records) || std::string_view(argv[1]) != "--sensor") {
    static_cast<void>(std::fprintf(stderr,
                                   "usage: %s --sensor FILE [--record TRACE]\n"
                                   "       %s --replay TRACE [--step] [--boot N]\n"
                                   "  FILE holds the temperature in thousandths of a degree Celsius\n",
                                   argv[0], argv[0]));
    return 2;
  }
  device::use_sensor(argv[2]);
  mcp::posix::Stdio stdio;
  if (records) return serve_and_record(stdio, argv[4]);
  serve(stdio, stdio);
  return 0;
}
