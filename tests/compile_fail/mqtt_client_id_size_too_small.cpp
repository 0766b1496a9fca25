// SPDX-License-Identifier: Apache-2.0
// error: MqttLimits::client_id_size is 23 to 100
#include <mcp/mqtt_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 2};
constinit mcp::MqttStorage<shape, mcp::MqttLimits{.client_id_size = 22}> storage;
