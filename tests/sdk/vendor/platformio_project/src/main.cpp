// SPDX-License-Identifier: Apache-2.0
// A server on stdin and stdout, with the parts of mote that are in its library for PlatformIO.
#include <mcp/assert.hpp>
#include <mcp/port.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

extern "C" [[noreturn]] void mcp_assert_failed(const char*, int) { std::abort(); }

namespace {

mcp::Errc read_uptime(mcp::ReadResult& out) { return out.number(clock()); }

constexpr mcp::Resource resources[] = {{.uri = "device://uptime", .name = "uptime", .read = read_uptime}};
constexpr mcp::Definition definition{.name = "native", .version = "1.0.0", .resources = resources};
constinit mcp::Storage<definition> storage;
constinit const mcp::Server server{storage};

class Stream final : public mcp::ByteStream {
  mcp::IoResult do_read(std::span<char> into) override {
    const ssize_t size = ::read(STDIN_FILENO, into.data(), into.size());
    if (size < 0 && errno == EAGAIN) return {mcp::IoStatus::would_block, 0};
    if (size <= 0) return {mcp::IoStatus::closed, 0};
    return {mcp::IoStatus::ok, static_cast<std::size_t>(size)};
  }
  mcp::IoResult do_write(std::span<const char> from) override {
    const ssize_t size = ::write(STDOUT_FILENO, from.data(), from.size());
    if (size <= 0) return {mcp::IoStatus::failed, 0};
    return {mcp::IoStatus::ok, static_cast<std::size_t>(size)};
  }
};

mcp::Millis millis() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<mcp::Millis>(now.tv_sec * 1000 + now.tv_nsec / 1'000'000);
}

}  // namespace

int main() {
  fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
  Stream stream;
  mcp::StdioTransport transport{server, stream};
  while (!transport.closed()) {
    const mcp::Millis wait_ms = std::min<mcp::Millis>(transport.poll(millis()), 60'000);
    pollfd input{STDIN_FILENO, POLLIN, 0};
    poll(&input, 1, static_cast<int>(wait_ms));
  }
}
