// SPDX-License-Identifier: Apache-2.0
// Reads a request as a connection of the transport does, with its bytes cut as a test wants them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mcp/http/status.hpp"

namespace test {

/// What became of a request.
struct Outcome {
  mcp::http::Progress progress;
  mcp::http::ParseError refusal;
  std::string summary;  // method, path and whatever is not as usual; empty unless `done`
  std::string core;     // the same without what the client wants: the connection closed, 100 Continue
};

/// Reads one request that comes in these pieces, through a buffer of this size.
Outcome read_request(const std::vector<std::string_view>& pieces, std::size_t buffer_size, std::size_t limit);

}  // namespace test
