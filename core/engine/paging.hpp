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

/// The begin of a page, up to its first item: reads the cursor into `index`, and reserves `tail` bytes for the end.
/// False after an error.
bool page_begin(Request& request, const char* key, ListKind area, std::size_t count, std::size_t& index,
                std::size_t& tail);
/// The end of a page. The next one begins with item `index`, if it is less than `count`.
void page_end(Request& request, ListKind area, std::size_t count, std::size_t index, std::size_t tail);

}  // namespace mcp::protocol
