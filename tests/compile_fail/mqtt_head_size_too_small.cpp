// SPDX-License-Identifier: Apache-2.0
// error: MqttLimits::head_size is 128 to 65535
#include <mcp/mqtt_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 2};
constinit mcp::MqttStorage<shape, mcp::MqttLimits{.head_size = 127}> storage;
