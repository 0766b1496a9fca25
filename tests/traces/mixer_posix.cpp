// SPDX-License-Identifier: Apache-2.0
// The mixer on a PC: `mixer --replay FILE` plays a trace, `mixer` serves stdin and stdout, and `mixer --record FILE`
// also writes a trace at its end.
#include <mcp/ports/posix.hpp>
#include <mcp/ports/posix_replay.hpp>
#include <mcp/stdio_transport.hpp>

#include <cstdio>
#include <string_view>

#include "traces/mixer.hpp"

namespace mixer {

std::int32_t read_temperature() { return 40; }

}  // namespace mixer

namespace {

std::FILE* record = nullptr;

void put(char c) { static_cast<void>(std::fputc(c, record)); }

int play(const char* path, const mcp::posix::ReplayOptions& options) {
  mixer::ring.begin();
  mcp::posix::Replay replay;
  replay.open(path, mixer::ring, options);
  mixer::boot_id = replay.boot_id();
  mcp::posix::ReplayStream stream{replay, mcp::Framing::lines};
  mcp::StdioTransport transport{mixer::server, stream};
  while (!transport.closed()) static_cast<void>(transport.poll(replay.now()));
  static_cast<void>(replay.now());
  return 0;
}

int serve() {
  mixer::boot_id = 0x0123'CDEF;
  mixer::ring.begin(mixer::boot_id);
  mcp::posix::Stdio stdio;
  mcp::TracedStream stream{mixer::ring, stdio, mcp::Framing::lines};
  mcp::StdioTransport transport{mixer::server, stream};
  while (!transport.closed()) stdio.wait(transport.poll(mixer::ring.poll(mcp::posix::now())));
  if (record == nullptr) return 0;
  mixer::ring.dump(put);
  return std::fclose(record);
}

}  // namespace

int main(int argc, char** argv) {
  mcp::posix::ReplayOptions options;
  if (const char* const path = mcp::posix::Replay::find_option(argc, argv, options)) return play(path, options);
  if (argc == 3 && std::string_view(argv[1]) == "--record") record = std::fopen(argv[2], "w");
  return serve();
}
