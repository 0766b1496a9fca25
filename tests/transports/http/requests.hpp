// SPDX-License-Identifier: Apache-2.0
// The requests that the tests of transports/http read, each with what is to become of it. Knows no reader.
#pragma once

#include <string>
#include <vector>

#include "mcp/http/status.hpp"

namespace test {

/// A request that is served.
struct ServedRequest {
  std::string name;
  std::string bytes;
  std::string summary;  // as Outcome::summary in read_request.hpp
};

/// A request that is refused.
struct RefusedRequest {
  std::string name;
  std::string bytes;
  mcp::http::ParseError refusal;
};

extern const std::vector<ServedRequest> served_requests;
extern const std::vector<RefusedRequest> refused_requests;

/// Bodies in the rows above are at most this long; a longer one is refused.
inline constexpr std::size_t body_limit = 64;

}  // namespace test
