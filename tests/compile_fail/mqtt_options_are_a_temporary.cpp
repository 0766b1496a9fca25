// SPDX-License-Identifier: Apache-2.0
// error: deleted
#include <mcp/mqtt_transport.hpp>
#include <mcp/server.hpp>

class NoDialer final : public mcp::Dialer {
  mcp::Connection* do_dial(std::string_view, std::uint16_t) override { return nullptr; }
};
class NoEntropy final : public mcp::Entropy {
  bool do_fill(std::span<std::uint8_t>) override { return false; }
};

constexpr mcp::Definition definition{.name = "n", .version = "1"};
constexpr mcp::Limits limits{.sessions = 2};
constinit mcp::Storage<definition, limits> storage;
constinit mcp::MqttStorage<storage> mqtt_storage;
constinit const mcp::Server server{storage};
constinit NoDialer dialer;
constinit NoEntropy entropy;
mcp::MqttTransport transport{server, dialer, entropy, mqtt_storage, {.server_id = "lamp-7"}};
