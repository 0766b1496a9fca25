// SPDX-License-Identifier: Apache-2.0
// error: MqttLimits::remembered is 1 to 64
#include <mcp/mqtt_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 2};
constinit mcp::MqttStorage<shape, mcp::MqttLimits{.remembered = 0}> storage;
