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

FoundKind write_found_tool(Request& request, std::uint16_t number) {
  json::Writer& out = request.out;
  out.object_begin();
  FoundTool row(out, FoundRow::all, false, request.revision().shown);
  if (!request.definition.found_tools.get().describe(number, row)) return FoundKind::absent;
  if (!row.has(FoundPart::others))
    out.fragment("\"inputSchema\":{\"type\":\"object\",\"properties\":{},\"required\":[]}");
  out.object_end();
  if (!row.has(FoundPart::name) || row.has_invalid_schema()) return FoundKind::invalid;
  if (!out.ok()) return FoundKind::valid;  // and too long
  const std::span<const Tool> rows = request.definition.tools.rows();
  const std::string_view name = row.key();
  const bool valid = mcp::detail::is_tool_name(name) && find_row(request, ListKind::tools, rows, name) == no_row;
  return valid ? FoundKind::valid : FoundKind::invalid;
}

void list_found_tools(Request& request) {
  const Definition& definition = request.definition;
  answer_found_page(request,
                    {"tools", ListKind::tools, definition.tools.rows().size(), definition.found_tools.get().numbers,
                     definition.found_tools.get().scope, write_found_tool});
}

// Writes nothing. The schema is checked only here, because it is longer than a name.
bool has_valid_schema(const FoundTools& rows, std::uint16_t number) {
  json::Writer nowhere({});
  FoundTool row(nowhere, FoundRow::all, false, {});
  static_cast<void>(rows.describe(number, row));
  return !row.has_invalid_schema();
}

bool is_called(json::Writer& out, const FoundTools& rows, std::uint16_t number, const std::string_view& name) {
  const json::Writer::Mark mark = out.mark();
  FoundTool row(out, only_name, true, {});
  // A valid name is written without an escape.
  const bool same =
      rows.describe(number, row) && out.ok() && mcp::detail::is_tool_name(row.key()) && json::equal(row.key(), name);
  out.rollback(mark);
  return same && has_valid_schema(rows, number);
}

void call_found_tool(Request& request) {
  std::string_view wanted;
  json::Value arguments;
  if (!request.read_call(wanted, arguments)) return;
  if (find_row(request, ListKind::tools, request.definition.tools.rows(), wanted) != no_row) return call_tool(request);
  const FoundTools& rows = request.definition.found_tools.get();
  const MissingScope missing = missing_for(request, rows.scope);
  const std::uint16_t numbers = missing.hides ? 0 : rows.numbers;
  for (std::uint16_t number = 0; number < numbers; ++number) {
    if (!is_called(request.out, rows, number, wanted)) continue;
    if (missing.any()) return fail_for_scope(request, rows.scope, missing.position);
    mcp::detail::FoundToolRow row{};
    row.info.name = wanted;
    row.invoke = mcp::detail::invoke_found;
    row.number = number;
    row.rows = &rows;
    return call_row(request, row, arguments);
  }
  request.fail("Unknown tool: ", excerpt(wanted), "");
}

constexpr FeatureMethod found_tool_methods[] = {{"tools/list", list_found_tools}, {"tools/call", call_found_tool}};

}  // namespace

constinit const Feature found_tools_feature{found_tool_methods};

}  // namespace protocol

void Server::found_tools_changed() const {
  check_task();
  protocol::mark_list_changed(storage_, ListKind::tools);
}

}  // namespace mcp
