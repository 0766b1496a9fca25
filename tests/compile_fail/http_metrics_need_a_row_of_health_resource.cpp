// SPDX-License-Identifier: Apache-2.0
// error: http_metrics_need_a_row_of_health_resource
#include <mcp/http_metrics.hpp>

mcp::Errc read(mcp::ReadResult& out) { return out.number(1); }
constexpr mcp::Resource resources[] = {{.uri = "x:a", .name = "a", .read = read}};
constinit mcp::HttpMetrics metrics{resources[0]};
