// SPDX-License-Identifier: Apache-2.0
// error: MqttLimits::calls is 1 or more
#include <mcp/mqtt_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 2};
constinit mcp::MqttStorage<shape, mcp::MqttLimits{.calls = 0}> storage;
