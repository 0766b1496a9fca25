// SPDX-License-Identifier: Apache-2.0
// Looks a row up in a table of the Definition.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "engine/request.hpp"
#include "mcp/definition.hpp"
#include "mcp/json/value.hpp"

namespace mcp::protocol {

/// Results of find_row() that are not an index. Both are larger than any index.
inline constexpr std::size_t no_row = static_cast<std::size_t>(-1);
inline constexpr std::size_t disabled_row = no_row - 1;

/// Most names of a table differ in their size, so most comparisons end there.
inline bool is_name(json::Text row, const std::string_view& wanted) {
  return row.size() == wanted.size() && json::equal(row, wanted);
}
inline bool is_called(const Tool& row, const std::string_view& name) { return is_name(row.info.name, name); }
inline bool is_called(const Prompt& row, const std::string_view& name) { return is_name(row.name, name); }
inline bool is_called(const Resource& row, const std::string_view& uri) { return is_name(row.uri, uri); }
inline bool is_called(const ResourceTemplate& row, const std::string_view& uri_template) {
  return is_name(row.uri_template, uri_template);
}

/// The index of the row of this name, URI or URI template; no_row, or disabled_row. One rule for all tables: a name
/// belongs to the first row that has it, and while that row is disabled, nothing else is served under its name.
template <class Row, class Name>
std::size_t find_row(const Request& request, ListKind kind, std::span<const Row> rows, const Name& name) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (is_called(rows[i], name)) return request.enabled(kind, i) ? i : disabled_row;
  }
  return no_row;
}

}  // namespace mcp::protocol
