// SPDX-License-Identifier: Apache-2.0
// Rows that exist at run time: their lists, and how they are found by URI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "mcp/definition.hpp"
#include "mcp/detail/server_state.hpp"
#include "mcp/found.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/memory/bit_set.hpp"
#include "mcp/scopes.hpp"

namespace mcp::protocol {

class Request;

/// What was written of a found row. All but `absent` and `valid` say why it is invalid.
enum class FoundKind : std::uint8_t { absent, incomplete, bad_key, bad_schema, no_kind, taken, valid };

/// A list of `rows` constant rows, and of found rows with up to `numbers` numbers after them.
struct FoundList {
  const char* key;
  ListKind kind;
  std::size_t rows;
  std::size_t numbers;
  RowScope scope;  // of the found rows
  FoundKind (*write_found)(Request& request, std::uint16_t number, std::string_view& key);
};

/// Responds to a list request with the page of its cursor, as answer_page(). A cursor has the number of the next row,
/// which rows that appear or end between two pages do not change. Omits a found row that is invalid, or too long for a
/// page of its own.
void answer_found_page(Request& request, const FoundList& list);

/// Reports each row that is omitted. `is_found`: true if clients find the row by its key.
void check_found_rows(const Definition& definition, const mcp::detail::StorageView& storage, const FoundList& list,
                      bool (*is_found)(Request& request, std::uint16_t number, const std::string_view& key),
                      void (*report)(const OmittedRow& row));

/// A scope that the caller needs for the found rows of a table, and has not.
struct MissingScope {
  std::size_t position;  ///< In Definition::scopes. ScopeTable::npos: the caller may use the rows.
  bool hides;            ///< The caller must not see the rows.
  [[nodiscard]] bool any() const { return position != ScopeTable::npos; }
};
MissingScope missing_for(const Request& request, const RowScope& scope);

/// True if the row exists now.
bool has_found_resource(const Definition& definition, std::uint16_t number);
/// Writes the URI of a found resource, a string. False if the row does not exist: then nothing is written.
bool write_found_uri(json::Writer& out, const Definition& definition, std::uint16_t number);
/// The number of the found resource with this URI; no_target if there is none. Without the scope of the rows, also of
/// the row that a template would give under this URI. The rest of Request::out is work memory: crowded_target if a URI
/// does not fit there.
std::size_t find_found_resource(Request& request, const std::string_view& uri, const MissingScope& missing);

inline constexpr std::size_t no_target = memory::BitSet::npos;
/// In a batch, whether there is such a row is not known. This is an error, because the row may need a scope.
inline constexpr std::size_t crowded_target = no_target - 1;
/// Responds that a URI does not fit into the rest of the transmit buffer.
void fail_crowded(Request& request);

}  // namespace mcp::protocol
