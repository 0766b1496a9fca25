// SPDX-License-Identifier: Apache-2.0
// An application with each transport. The memory of a transport names its server by the Storage, or by a constant
// ServerShape, as a source without the Storage does. Another server has an Hmac.
#include <mcp/coroutine.hpp>
#include <mcp/http_page.hpp>
#include <mcp/http_transport.hpp>
#include <mcp/mqtt_transport.hpp>
#include <mcp/ports/posix.hpp>
#include <mcp/ports/posix_dialer.hpp>
#include <mcp/ports/posix_tcp.hpp>
#include <mcp/server.hpp>
#include <mcp/stdio_transport.hpp>

namespace {

constexpr mcp::Definition definition{.name = "package-test", .version = "1.0.0"};
constexpr mcp::Limits limits{.sessions = 2};
constinit mcp::Storage<definition, limits> storage;
constinit const mcp::Server server{storage};

class NoHmac final : public mcp::Hmac {
  void do_start(std::span<const std::uint8_t, size>) override {}
  void do_update(std::span<const std::uint8_t>) override {}
  bool do_finish(std::span<std::uint8_t, size>) override { return false; }
};
constinit NoHmac hmac;
constinit mcp::Storage<definition, limits> other_storage;
constinit const mcp::Server other_server{other_storage, {.hmac = &hmac}};

constexpr mcp::ServerShape shape{.sessions = limits.sessions, .transmit_size = limits.transmit_size, .has_logs = false};

constinit mcp::HttpStorage<storage> http_storage;
constinit mcp::HttpStorage<shape> http_storage_of_shape;
constinit mcp::MqttStorage<storage> mqtt_storage;
constinit mcp::MqttStorage<shape> mqtt_storage_of_shape;
constexpr mcp::HttpOptions http_options;
constexpr mcp::MqttBroker brokers[] = {{.host = "127.0.0.1", .port = 1883}};
constexpr mcp::MqttOptions mqtt_options{.brokers = brokers, .server_id = "package-test", .server_name = "test"};

}  // namespace

int main() {
  mcp::posix::SystemEntropy entropy;
  mcp::posix::TcpConnection connections[4];
  mcp::posix::TcpListener listener(connections, "127.0.0.1", 0);
  mcp::posix::DialedConnection dialed[1];
  mcp::posix::TcpDialer dialer(dialed);
  mcp::posix::Stdio stream;
  mcp::HttpTransport http{server, listener, entropy, http_storage, http_options};
  mcp::HttpTransport http_of_shape{other_server, listener, entropy, http_storage_of_shape, http_options};
  mcp::MqttTransport mqtt{server, dialer, entropy, mqtt_storage, mqtt_options};
  mcp::MqttTransport mqtt_of_shape{server, dialer, entropy, mqtt_storage_of_shape, mqtt_options};
  mcp::StdioTransport stdio{server, stream};
}
