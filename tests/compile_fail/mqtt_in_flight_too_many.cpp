// SPDX-License-Identifier: Apache-2.0
// error: MqttLimits::in_flight is 2 to 64
#include <mcp/mqtt_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 2};
constinit mcp::MqttStorage<shape, mcp::MqttLimits{.in_flight = 65}> storage;
