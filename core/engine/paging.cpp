// SPDX-License-Identifier: Apache-2.0
// Lists in pages. A cursor is the letter of the list and the number of the next item: stable, since items keep
// their numbers.
// Source: server/utilities/pagination, 2025-11-25.
#include "engine/paging.hpp"

#include <concepts>

#include "engine/hooks.hpp"
#include "engine/request.hpp"
#include "mcp/assert.hpp"
#include "mcp/detail/link.hpp"
#include "mcp/detail/listing.hpp"
#include "mcp/detail/transmit_size.hpp"

namespace mcp::protocol {

bool read_cursor(json::Value cursor, char letter, std::size_t count, std::size_t& index) {
  const std::string_view text = cursor.string();
  if (text.size() < 2 || text.size() > 6 || text[0] != letter || text[1] == '0') return false;
  std::size_t value = 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') return false;
    value = value * 10 + static_cast<std::size_t>(text[i] - '0');
  }
  index = value;
  return value < count;
}

void answer_page(Request& request, json::Literal key, ListKind kind, std::size_t count) {
  const char letter = static_cast<char>('a' + static_cast<char>(kind));
  std::size_t index = 0;
  const json::Value cursor = request.params.find("cursor").unless_null();
  if (cursor.present() && !read_cursor(cursor, letter, count, index)) {
    return request.fail("Invalid cursor: use the nextCursor of a page of this list.");
  }
  json::Writer& out = request.out;
  request.result_begin();
  if (const StatelessOps* const code = request.context.stateless()) {
    code->write_cache(out, mcp::detail::list_ttl_ms(request.definition));
    request.write_meta();
  }
  out.key(key);
  out.array_begin();
  const std::size_t tail = out.reserve(mcp::detail::page_tail);
  bool any = false;
  for (; index < count; ++index) {
    if (!request.enabled(kind, index)) continue;
    const json::Writer::Mark mark = out.mark();
    MCP_DEBUG_ASSERT(request.storage.links.write_row[static_cast<std::size_t>(kind)] != nullptr);
    request.storage.links.write_row[static_cast<std::size_t>(kind)](request, index);
    if (!out.ok()) {
      // At compile time every item was found to fit alone; in a batch it may not, and then the request fails.
      if (any) out.rollback(mark);
      break;
    }
    any = true;
  }
  out.release(tail);
  out.array_end();
  if (index < count) {
    out.key("nextCursor");
    out.string_begin();
    out.append(std::string_view(&letter, 1));
    out.append_number(static_cast<std::uint64_t>(index));
    out.string_end();
  }
  request.finish();
}

namespace {

template <ListKind table>
constexpr const auto& table_of(const Definition& definition) {
  if constexpr (table == ListKind::tools) return definition.tools;
  if constexpr (table == ListKind::resources) return definition.resources;
  if constexpr (table == ListKind::resource_templates) return definition.resource_templates;
  if constexpr (table == ListKind::prompts) return definition.prompts;
}

/// The members of rows that the client of a request gets.
template <class S>
S shown_to(const Request& request) {
  const mcp::detail::Shown& shown = request.revision().shown;
  if constexpr (std::same_as<S, mcp::detail::Plain>) return {.titles = shown.titles, .headers = shown.headers};
  if constexpr (std::same_as<S, mcp::detail::Shown>) return shown;
  if constexpr (std::same_as<S, mcp::detail::TaskShown>) return {shown, lacks_tasks(request)};
}

}  // namespace

template <ListKind table, class Shown>
void write_row(Request& request, std::size_t index) {
  mcp::detail::write_item(request.out, table_of<table>(request.definition).rows()[index], shown_to<Shown>(request));
}

// The linker takes those that a definition names.
template void write_row<ListKind::tools, mcp::detail::Plain>(Request&, std::size_t);
template void write_row<ListKind::tools, mcp::detail::Shown>(Request&, std::size_t);
template void write_row<ListKind::tools, mcp::detail::TaskShown>(Request&, std::size_t);
template void write_row<ListKind::resources, mcp::detail::Plain>(Request&, std::size_t);
template void write_row<ListKind::resources, mcp::detail::Shown>(Request&, std::size_t);
template void write_row<ListKind::resource_templates, mcp::detail::Plain>(Request&, std::size_t);
template void write_row<ListKind::resource_templates, mcp::detail::Shown>(Request&, std::size_t);
template void write_row<ListKind::prompts, mcp::detail::Plain>(Request&, std::size_t);
template void write_row<ListKind::prompts, mcp::detail::Shown>(Request&, std::size_t);

}  // namespace mcp::protocol
