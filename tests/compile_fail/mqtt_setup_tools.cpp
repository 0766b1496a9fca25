// SPDX-License-Identifier: Apache-2.0
// error: tools that set settings are served over a UART or stdio alone, never over MQTT
#include <mcp/mqtt_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 2, .has_setup_tools = true};
constinit mcp::MqttStorage<shape, mcp::MqttLimits{}> storage;
