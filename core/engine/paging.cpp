// SPDX-License-Identifier: Apache-2.0
// Lists in pages. A cursor is the area's letter and the number of the next item: stable, since items keep
// their numbers.
// Source: server/utilities/pagination, 2025-11-25.
#include "engine/paging.hpp"

#include "engine/hooks.hpp"
#include "engine/request.hpp"
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

void answer_page(Request& request, json::Literal key, ListKind area, std::size_t count,
                 void (*write)(Request& request, std::size_t index)) {
  const char letter = static_cast<char>('a' + static_cast<char>(area));
  std::size_t index = 0;
  const json::Value cursor = request.params.find("cursor");
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
  const std::size_t tail = out.take(mcp::detail::page_tail);
  bool any = false;
  for (; index < count; ++index) {
    if (!request.enabled(area, index)) continue;
    const json::Writer::Mark mark = out.mark();
    write(request, index);
    if (!out.ok()) {
      // At compile time every item was found to fit alone; in a batch it may not, and then the request fails.
      if (any) out.rollback(mark);
      break;
    }
    any = true;
  }
  out.give(tail);
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

}  // namespace mcp::protocol
