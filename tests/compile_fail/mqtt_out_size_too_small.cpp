// SPDX-License-Identifier: Apache-2.0
// error: MqttLimits::out_size is 160 to 65535
#include <mcp/mqtt_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 2};
constinit mcp::MqttStorage<shape, mcp::MqttLimits{.out_size = 159}> storage;
