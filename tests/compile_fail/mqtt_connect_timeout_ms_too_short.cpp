// SPDX-License-Identifier: Apache-2.0
// error: MqttLimits::connect_timeout_ms is 1 second to 10 minutes
#include <mcp/mqtt_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 2};
constinit mcp::MqttStorage<shape, mcp::MqttLimits{.connect_timeout_ms = 999}> storage;
