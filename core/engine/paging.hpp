// SPDX-License-Identifier: Apache-2.0
// Pages of a list.
#pragma once

#include <cstddef>

#include "mcp/definition.hpp"
#include "mcp/json/value.hpp"

namespace mcp::protocol {

class Request;

/// Responds to a list request with the page of its cursor: as many of the `count` items as fit, written by
/// Links::write_row. Omits disabled rows.
void answer_page(Request& request, json::Literal key, ListKind kind, std::size_t count);

/// Reads the index out of a cursor that this server could have given for a list of `count` items. False for any other.
bool read_cursor(json::Value cursor, char letter, std::size_t count, std::size_t& index);

}  // namespace mcp::protocol
