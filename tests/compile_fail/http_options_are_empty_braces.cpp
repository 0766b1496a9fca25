// error: deleted
#include <mcp/http_transport.hpp>
#include <mcp/server.hpp>

class NoNetwork final : public mcp::Listener {
  mcp::Connection* do_accept() override { return nullptr; }
  bool do_has_waiting() override { return false; }
};
class NoEntropy final : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t>) override { return false; }
};

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constexpr mcp::Limits limits{};
constexpr mcp::HttpLimits http_limits{.sessions = limits.sessions};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::HttpStorage<http_limits, limits.transmit_size> http_storage;
constinit mcp::Server server{storage};
constinit NoNetwork listener;
constinit NoEntropy entropy;
mcp::HttpTransport transport{server, listener, entropy, http_storage, {}};
