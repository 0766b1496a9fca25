// SPDX-License-Identifier: Apache-2.0
// error: Limits::sessions and MqttLimits::calls are at most 249 together
#include <mcp/mqtt_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 240};
constinit mcp::MqttStorage<shape, mcp::MqttLimits{.calls = 10}> storage;
