// SPDX-License-Identifier: Apache-2.0
// Pages of a list.
#pragma once

#include <cstddef>

#include "mcp/definition.hpp"

namespace mcp::protocol {

class Request;

/// Responds to a list request with the page of its cursor: as many items as fit. `write` writes item `index` of the
/// feature's `count` rows. Omits disabled rows.
void answer_page(Request& request, const char* key, ListKind area, std::size_t count,
                 void (*write)(Request& request, std::size_t index));

}  // namespace mcp::protocol
