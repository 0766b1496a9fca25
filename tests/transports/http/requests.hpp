// SPDX-License-Identifier: Apache-2.0
// The requests that the tests of transports/http read, each with its expected outcome.
#pragma once

#include <string>
#include <vector>

#include "mcp/http/status.hpp"

namespace test {

/// An accepted request.
struct ServedRequest {
  std::string name;
  std::string bytes;
  std::string summary;  // as Outcome::summary in read_request.hpp
};

/// A rejected request.
struct RefusedRequest {
  std::string name;
  std::string bytes;
  mcp::http::ParseError error;
};

extern const std::vector<ServedRequest> served_requests;
extern const std::vector<RefusedRequest> refused_requests;

/// The longest accepted body of the rows above, in bytes.
inline constexpr std::size_t body_limit = 64;

}  // namespace test
