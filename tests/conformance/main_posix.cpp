// everything.cpp on a PC: the wire is stdin and stdout.
#include <ports/posix/posix.hpp>
#include <transports/stdio/transport.hpp>

#include <cstdio>
#include <string_view>

#include "everything.hpp"

namespace everything {

bool Entropy::do_fill(std::span<std::uint8_t> into) { return mcp::posix::SystemEntropy().fill(into); }

std::uint64_t WallClock::do_utc_ms() { return mcp::posix::SystemWallClock().utc_ms(); }

}  // namespace everything

int main(int argc, char** argv) {
  if (argc != 2 || std::string_view(argv[1]) != "--stdio") {
    static_cast<void>(std::fprintf(stderr, "usage: %s --stdio\n", argv[0]));
    return 2;
  }
  mcp::posix::Stdio stdio;
  mcp::StdioTransport transport{everything::server, stdio};
  for (;;) {
    const mcp::Millis due_ms = transport.poll(mcp::posix::now());
    if (transport.closed()) return 0;
    stdio.wait(due_ms);
  }
}
