// SPDX-License-Identifier: Apache-2.0
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
constexpr mcp::Limits limits{.sessions = 2};
constexpr mcp::HttpLimits http_limits{};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::HttpStorage<storage, http_limits> http_storage;
constinit const mcp::Server server{storage};
constinit NoNetwork listener;
constinit NoEntropy entropy;
mcp::HttpTransport transport{server, listener, entropy, http_storage, {.path = "/a"}};
