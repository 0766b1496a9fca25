// Pages of a list.
#pragma once

#include <cstddef>

#include "mcp/definition.hpp"

namespace mcp::protocol {

class Request;

/// Answers a request for a list with the page that its cursor asks for: as many items as fit.
/// `write` writes item `index` of the area's `count` rows. Rows that are switched off are left out.
void answer_page(Request& request, const char* key, ListKind area, std::size_t count,
                 void (*write)(Request& request, std::size_t index));

}  // namespace mcp::protocol
