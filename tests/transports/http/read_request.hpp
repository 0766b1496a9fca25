// SPDX-License-Identifier: Apache-2.0
// Reads a request as a connection of the transport does, from pieces that the test cuts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mcp/http/status.hpp"

namespace test {

/// The outcome of a request.
struct Outcome {
  mcp::http::Progress progress;
  mcp::http::ParseError error;
  std::string summary;  // method, path, and other properties that differ from the usual ones; empty unless `done`
  std::string core;     // the summary without the wishes of the client: Connection: close, 100 Continue
};

/// Reads one request from these pieces, through a buffer of this size.
Outcome read_request(const std::vector<std::string_view>& pieces, std::size_t buffer_size, std::size_t limit);

}  // namespace test
