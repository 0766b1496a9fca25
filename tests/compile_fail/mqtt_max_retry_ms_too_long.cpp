// SPDX-License-Identifier: Apache-2.0
// error: MqttLimits::min_retry_ms is 100 or more, and max_retry_ms is not less and at most an hour
#include <mcp/mqtt_transport.hpp>

constexpr mcp::ServerShape shape{.sessions = 2};
constinit mcp::MqttStorage<shape, mcp::MqttLimits{.max_retry_ms = 3'600'001}> storage;
