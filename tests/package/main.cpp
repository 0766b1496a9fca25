// The smallest server over stdin and stdout, as a user of the package would write it.
#include <mcp/server.hpp>
#include <ports/posix/posix.hpp>
#include <transports/stdio/stdio.hpp>

namespace {

struct Say { std::int32_t times; };

mcp::Errc say_hello(const Say& arguments, mcp::Call& call) {
  return call.result().text(arguments.times == 1 ? "hello" : "hello, hello");
}

constexpr auto say_params =
    mcp::params(mcp::param<&Say::times>("times", {.description = "How often", .minimum = 1, .maximum = 2}));
constexpr mcp::Tool tools[] = {mcp::tool<say_hello>({.name = "say_hello", .description = "Says hello."}, say_params)};
constexpr mcp::Definition definition{.name = "package-test", .version = "1.0.0", .tools = tools};

constexpr mcp::Limits limits{.sessions = 1, .message_size = 1024};
constinit mcp::Storage<limits> storage;
constinit mcp::Server server{definition, storage};

}  // namespace

int main() {
  mcp::StdioTransport transport{server, mcp::posix::stdio()};
  return 0;
}
