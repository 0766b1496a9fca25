// SPDX-License-Identifier: Apache-2.0
// Tools that exist at run time, after the constant ones: tools/list and tools/call. Source: server/tools, 2025-11-25.
#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "engine/rows.hpp"
#include "features/tools.hpp"
#include "found/found_rows.hpp"
#include "mcp/detail/listing.hpp"
#include "mcp/found.hpp"
#include "mcp/server.hpp"

namespace mcp {

namespace detail {
namespace {

/// A row of a table for one call. Nothing keeps it.
struct FoundToolRow : Tool {
  const FoundTools* rows;
  std::uint16_t number;
};

Errc invoke_found(const Tool& tool, json::Value arguments, Call& call) {
  const auto& row = static_cast<const FoundToolRow&>(tool);
  return row.rows->call(row.number, arguments, call);
}

}  // namespace
}  // namespace detail

namespace protocol {
namespace {

using mcp::detail::FoundPart;
using mcp::detail::FoundRow;

constexpr std::uint8_t only_name = static_cast<std::uint8_t>(FoundPart::name);

// The kind of a row, or nullptr for a row without one. False if there is no such kind.
template <bool has_kinds>
bool find_kind(const Definition& definition, const FoundTool& row, const Tool*& kind) {
  if (row.kind() == FoundTool::no_kind) return definition.found_tools.readable();
  if constexpr (!has_kinds) return false;
  const std::span<const Tool> kinds = definition.found_tools.get().kinds;
  if (row.kind() >= kinds.size()) return false;
  kind = &kinds[row.kind()];
  return true;
}

RowScope scope_of(const FoundTools& rows, const Tool* kind) {
  return kind != nullptr && kind->info.scope.given() ? kind->info.scope : rows.scope;
}

constexpr json::Text no_schema = "\"inputSchema\":{\"type\":\"object\",\"properties\":{},\"required\":[]}";

// The members that the function of the row has not given.
template <bool has_kinds>
void write_rest(Request& request, const FoundTool& row, const Tool* kind) {
  json::Writer& out = request.out;
  const bool has_schema = row.has(FoundPart::others);
  if constexpr (has_kinds) {
    if (kind != nullptr) {
      const mcp::detail::Shown& shown = request.revision().shown;
      if (!has_schema) mcp::detail::write_input_schema(out, *kind, shown.headers);
      return mcp::detail::write_extended_members(out, *kind, shown);
    }
  }
  if (!has_schema) out.fragment(no_schema);
}

template <bool has_kinds>
FoundKind write_found_tool(Request& request, std::uint16_t number, std::string_view& key) {
  const Definition& definition = request.definition;
  json::Writer& out = request.out;
  out.object_begin();
  FoundTool row(out, FoundRow::all, false, request.revision().shown);
  if (!definition.found_tools.get().describe(number, row)) return FoundKind::absent;
  const Tool* kind = nullptr;
  key = row.key();
  if (!row.has(FoundPart::name)) return FoundKind::incomplete;
  if (row.has_invalid_schema()) return FoundKind::bad_schema;
  if (!find_kind<has_kinds>(definition, row, kind)) return FoundKind::no_kind;
  if constexpr (has_kinds) {
    if (missing_for(request, scope_of(definition.found_tools.get(), kind)).hides) return FoundKind::absent;
  }
  write_rest<has_kinds>(request, row, kind);
  out.object_end();
  if (!out.ok()) return FoundKind::valid;  // and too long
  if (!mcp::detail::is_tool_name(key)) return FoundKind::bad_key;
  return find_row(request, ListKind::tools, definition.tools.rows(), key) == no_row ? FoundKind::valid
                                                                                    : FoundKind::taken;
}

// With kinds, the scope of the table is that of some rows only.
template <bool has_kinds>
void list_found_tools(Request& request) {
  const Definition& definition = request.definition;
  const FoundTools& rows = definition.found_tools.get();
  answer_found_page(request, {"tools", ListKind::tools, definition.tools.rows().size(), rows.numbers,
                              has_kinds ? RowScope() : rows.scope, write_found_tool<has_kinds>});
}

// Writes nothing. A schema that is a text is checked only here, because it is longer than a name.
bool has_valid_schema(const FoundTools& rows, std::uint16_t number) {
  json::Writer nowhere({});
  FoundTool row(nowhere, FoundRow::all, false, {});
  static_cast<void>(rows.describe(number, row));
  return !row.has_invalid_schema();
}

// True if the row has this name and a list would have the row.
template <bool has_kinds>
bool is_called(Request& request, std::uint16_t number, const std::string_view& name, const Tool*& kind) {
  const FoundTools& rows = request.definition.found_tools.get();
  kind = nullptr;  // not that of a row before
  const json::Writer::Mark mark = request.out.mark();
  FoundTool row(request.out, only_name, true, {});
  // A valid name is written without an escape.
  const bool same = rows.describe(number, row) && request.out.ok() && mcp::detail::is_tool_name(row.key()) &&
                    json::equal(row.key(), name);
  request.out.rollback(mark);
  return same && find_kind<has_kinds>(request.definition, row, kind) &&
         (!row.has_text_schema() || has_valid_schema(rows, number));
}

// The number of the row with this name, or no_number.
template <bool has_kinds>
std::uint16_t find_called(Request& request, const std::string_view& name, const Tool*& kind) {
  const FoundTools& rows = request.definition.found_tools.get();
  if (rows.find != nullptr) {
    const std::uint16_t number = rows.find(name);
    return number < rows.numbers && is_called<has_kinds>(request, number, name, kind) ? number : no_number;
  }
  for (std::uint16_t number = 0; number < rows.numbers; ++number) {
    if (is_called<has_kinds>(request, number, name, kind)) return number;
  }
  return no_number;
}

// Nothing keeps this row, because it has neither jobs nor tasks.
void call_without_kind(Request& request, const std::string_view& name, json::Value arguments) {
  mcp::detail::FoundToolRow row{};
  row.info.name = name;
  row.invoke = mcp::detail::invoke_found;
  row.rows = &request.definition.found_tools.get();
  row.number = request.row();
  call_row(request, row, arguments);
}

template <bool has_kinds>
void call_found_tool(Request& request) {
  std::string_view wanted;
  json::Value arguments;
  if (!request.read_call(wanted, arguments)) return;
  if (find_row(request, ListKind::tools, request.definition.tools.rows(), wanted) != no_row) return call_tool(request);
  const Tool* kind = nullptr;
  const std::uint16_t number = find_called<has_kinds>(request, wanted, kind);
  const RowScope scope = scope_of(request.definition.found_tools.get(), kind);
  const MissingScope missing = missing_for(request, scope);
  if (number == no_number || missing.hides) return request.fail("Unknown tool: ", excerpt(wanted), "");
  if (missing.any()) return fail_for_scope(request, scope, missing.position);
  request.found = static_cast<std::uint16_t>(number + 1);
  if (kind != nullptr) return call_row(request, *kind, arguments);
  call_without_kind(request, wanted, arguments);
}

// No lambda, which would have no name for toolchains/stack-calls.
bool finds_tool(Request& request, std::uint16_t number, const std::string_view& name) {
  const Tool* kind = nullptr;
  return find_called<true>(request, name, kind) == number;
}

template <bool has_kinds>
constexpr FeatureMethod found_tool_methods[] = {{"tools/list", list_found_tools<has_kinds>},
                                                {"tools/call", call_found_tool<has_kinds>}};

}  // namespace

constinit const Feature found_tools_feature{found_tool_methods<false>};
constinit const Feature found_kinds_feature{found_tool_methods<true>};

}  // namespace protocol

std::uint16_t Call::row() const { return request_ != nullptr ? request_->row() : no_number; }

void Server::check_found_tools(void (*report)(const OmittedRow& row)) const {
  check_task();
  const FoundTools& rows = definition_->found_tools.get();
  protocol::check_found_rows(*definition_, storage_,
                             {"tools", ListKind::tools, 0, rows.numbers, {}, protocol::write_found_tool<true>},
                             protocol::finds_tool, report);
}

void Server::found_tools_changed() const {
  check_task();
  protocol::mark_list_changed(storage_, ListKind::tools);
}

}  // namespace mcp
