// SPDX-License-Identifier: Apache-2.0
// error: Limits::sessions is at least 2 for a server of both eras over MQTT: stateless requests share one
#include <mcp/mqtt_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 1};
constinit mcp::MqttStorage<shape, mcp::MqttLimits{}> storage;
