// SPDX-License-Identifier: Apache-2.0
/// @file
/// The figures of a device at `/metrics`, as Prometheus text, for the same clients as the endpoint.
/// @code
/// constexpr mcp::Resource resources[] = {mcp::health_resource()};
/// constexpr mcp::Definition definition{.name = "boiler", .version = "1.0.0", .resources = resources};
/// constinit mcp::Storage<definition, mcp::Limits{.sessions = 2}> storage;
/// constinit mcp::HttpMetrics metrics{resources[0]};
/// mcp::HttpOptions options{.metrics = &metrics};
/// @endcode
#pragma once

#include <mcp/detail/prelude.hpp>

#include <cstdint>

#include "mcp/figures.hpp"
#include "mcp/http_access.hpp"
#include "mcp/resource.hpp"

namespace mcp {

namespace compile_error {
void http_metrics_need_a_row_of_health_resource();
}  // namespace compile_error

/// Serves `GET /metrics` and `HEAD /metrics` (HttpOptions::metrics) in the Prometheus text format 0.0.4. The figures
/// are those of the health row, of the application and of HTTP. Host, Origin and Authorizer are checked as for the
/// endpoint, and the token needs the scope of the row.
/// The text is sent in parts of Limits::transmit_size. Values may change between two parts, but each sample is sent
/// once. RAM: 40 bytes. Ownership: the application. One object serves one transport.
/// Limits: a sample that is longer than Limits::transmit_size is left out.
/// Errors: 404 if the row is disabled (Server::set_enabled()). If HttpOptions::path is `/metrics`, the path is the
/// endpoint, without figures. 405 for another method. 401 and 403 as for the endpoint.
/// Source: prometheus.io/docs/instrumenting/exposition_formats, text format.
class HttpMetrics {
 public:
  /// `health_row` is the row of health_resource() in the table of the server. `add_figures` adds figures, as for
  /// health_resource(). Lifetime: `health_row` must outlive the object. Errors: a row of another kind does not compile.
  /// A row of another table fails an assertion at the first connection.
  consteval explicit HttpMetrics(const Resource& health_row, AddFigures add_figures = nullptr)
      : row_(&health_row), add_(add_figures) {
    if (!health_row.figures) compile_error::http_metrics_need_a_row_of_health_resource();
  }

  /// @cond server
  struct Counts {
    std::uint32_t responses[5] = {};  // by class: 1xx to 5xx
    std::uint32_t evicted = 0;
    std::uint32_t refused = 0;
    std::uint16_t high_water = 0;
  };
  [[nodiscard]] const Resource& row() const { return *row_; }
  [[nodiscard]] AddFigures add() const { return add_; }
  Counts counts = {};
  /// @endcond

 private:
  const Resource* row_;
  AddFigures add_;
};

}  // namespace mcp

#include <mcp/detail/epilogue.hpp>
