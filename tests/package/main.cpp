// SPDX-License-Identifier: Apache-2.0
// The smallest server over stdin and stdout, as a user would write it: main.cpp of the project in README.md.
#include <mcp/ports/posix.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

namespace {

struct SayHello {
  std::int32_t times;
};

mcp::Errc say_hello(const SayHello& arguments, mcp::Call& call) {
  return call.result().text(arguments.times == 1 ? "hello" : "hello, hello");
}

constexpr auto say_hello_params =
    mcp::params(mcp::param<&SayHello::times>("times", {.description = "How often", .minimum = 1, .maximum = 2}));
constexpr mcp::Tool tools[] = {
    mcp::tool<say_hello>({.name = "say_hello", .description = "Says hello."}, say_hello_params)};
constexpr mcp::Definition definition{.name = "package-test", .version = "1.0.0", .tools = tools};

constexpr mcp::Limits limits{.receive_size = 1024, .sessions = 1};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage};

}  // namespace

int main() {
  mcp::posix::Stdio stream;
  mcp::StdioTransport transport{server, stream};
  while (!transport.closed()) stream.wait(transport.poll(mcp::posix::now()));
}
