// SPDX-License-Identifier: Apache-2.0
// The names of a responder as strings.
#pragma once

#include <string>

#include "mcp/ports/lwip_mdns.hpp"

namespace test {

inline std::string host_of(const mcp::lwip::MdnsResponder& responder) {
  char text[63];
  return std::string(responder.host(text));
}
inline std::string name_of(const mcp::lwip::MdnsResponder& responder) {
  char text[63];
  return std::string(responder.name(text));
}

}  // namespace test
