// SPDX-License-Identifier: Apache-2.0
// The members of rows that exist at run time, and their lists. Source: server/utilities/pagination, 2025-11-25.
#include "found/found_rows.hpp"

#include "engine/hooks.hpp"
#include "engine/paging.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "mcp/detail/listing.hpp"
#include "mcp/detail/transmit_size.hpp"
#include "mcp/found.hpp"
#include "mcp/json/validate.hpp"
#include "mcp/tool.hpp"
#include "mcp/uri.hpp"

namespace mcp {

namespace detail {

bool FoundRow::begin_value(FoundPart part) {
  const auto bit = static_cast<std::uint8_t>(part);
  given_ |= bit;
  const bool wanted = (left_ & bit) != 0;
  left_ &= static_cast<std::uint8_t>(~bit);
  return wanted && (part != FoundPart::title || shown_.titles);
}

bool FoundRow::begin(FoundPart part, json::Text name) {
  if (!begin_value(part)) return false;
  if (!bare_) out_.key(name);
  out_.string_begin();
  start_ = out_.rest().data();
  return true;
}

void FoundRow::end(FoundPart part, FoundPart key) {
  if (part == key) {
    key_ = start_;
    key_size_ = static_cast<std::size_t>(out_.rest().data() - start_);
  }
  out_.string_end();
}

void FoundRow::append(const UriText& piece) {
  for (const char c : piece.text) {
    if (is_unreserved(c) || c == '/') {
      out_.append(std::string_view(&c, 1));
    } else {
      constexpr char digits[] = "0123456789ABCDEF";
      const auto byte = static_cast<std::uint8_t>(c);
      const char escape[] = {'%', digits[byte >> 4], digits[byte & 0xF]};
      out_.append(std::string_view(escape, sizeof escape));
    }
  }
}

}  // namespace detail

void FoundResource::size(std::uint32_t bytes, const Annotations& annotations) {
  if (!begin_value(Part::others)) return;
  out_.member("size", bytes);
  detail::write_given_annotations(out_, annotations, shown().meta);
}

void FoundTool::input_schema(std::string_view json) {
  text_schema_ = true;
  if (!begin_value(Part::others)) return;
  invalid_schema_ = json::validate(json).fault != json::ErrorKind::none || json.front() != '{' ||
                    !detail::has_type_object(json) || json.find("\"x-mcp-header\"") != std::string_view::npos;
  if (invalid_schema_) return;
  out_.key("inputSchema");
  out_.raw(json);
}

bool FoundTool::schema_begin() {
  if (!begin_value(Part::others)) return false;
  out_.fragment("\"inputSchema\":{\"type\":\"object\"");
  return true;
}

namespace protocol {
namespace {

// The frame of a page, as answer_page() has it. A common function would make lists without found rows larger.
std::size_t page_begin(Request& request, const char* key) {
  json::Writer& out = request.out;
  request.result_begin();
  if (const StatelessOps* const code = request.context.stateless()) {
    code->write_cache(out, mcp::detail::list_ttl_ms(request.definition));
    request.write_meta();
  }
  out.key(json::Text(key));
  out.array_begin();
  return out.reserve(mcp::detail::page_tail);
}

void page_end(Request& request, char letter, bool has_next, std::size_t index) {
  json::Writer& out = request.out;
  out.array_end();
  if (has_next) {
    out.key("nextCursor");
    out.string_begin();
    out.append(std::string_view(&letter, 1));
    out.append_number(static_cast<std::uint64_t>(index));
    out.string_end();
  }
  request.finish();
}

}  // namespace

MissingScope missing_for(const Request& request, const RowScope& scope) {
  const std::size_t position = missing_scope(request.context, scope);
  return {position, position != ScopeTable::npos && request.definition.hide_out_of_scope.on()};
}

void fail_crowded(Request& request) {
  request.fail(rpc::internal_error,
               "Not executed: the URI does not fit into the rest of the response; send a shorter one, or this request "
               "alone.");
}

void answer_found_page(Request& request, const FoundList& list) {
  json::Writer& out = request.out;
  const bool alone = out.size() == 0;  // not in a batch
  const std::size_t count = list.rows + (missing_for(request, list.scope).hides ? 0 : list.numbers);
  const char letter = static_cast<char>('a' + static_cast<char>(list.kind));
  std::size_t index = 0;
  const json::Value cursor = request.params.find("cursor").unless_null();
  if (cursor.present() && !read_cursor(cursor, letter, count, index)) {
    return request.fail("Invalid cursor: use the nextCursor of a page of this list.");
  }
  const std::size_t tail = page_begin(request, list.key);
  bool any = false;
  for (; index < count; ++index) {
    if (index < list.rows && !request.enabled(list.kind, index)) continue;
    const json::Writer::Mark mark = out.mark();
    FoundKind kind = FoundKind::valid;
    if (index < list.rows) {
      request.storage.links.write_row[static_cast<std::size_t>(list.kind)](request, index);
    } else {
      std::string_view key;
      kind = list.write_found(request, static_cast<std::uint16_t>(index - list.rows), key);
    }
    if (kind == FoundKind::valid && out.ok()) {
      any = true;
      continue;
    }
    // A constant row fits alone, except in a batch, and then the request fails.
    const bool waits = kind == FoundKind::valid && (any || !alone || index < list.rows);
    if (!waits || any) out.rollback(mark);
    if (waits) break;
    if (kind != FoundKind::absent) mcp::detail::count(request.storage.health().found_rows_omitted);
  }
  out.release(tail);
  page_end(request, letter, index < count, index);
}

namespace {

constexpr std::string_view reasons[] = {
    {},
    "name() was not called, or uri() was not",
    "the name or URI is invalid",
    "the schema is not a JSON object with type object",
    "there is no such kind, and no call function",
    "a row of the table has this name or URI",
    "it does not fit into Limits::transmit_size",
};

// The newest of the revisions that the server supports has the longest rows.
std::uint8_t newest_revision(const Definition& definition) {
  std::uint8_t newest = 0;
  for (std::size_t i = 0; i < std::size(revisions); ++i) {
    const bool is_supported = revisions[i].stateless ? definition.eras.modern() : definition.eras.legacy();
    if (is_supported) newest = static_cast<std::uint8_t>(i);
  }
  return newest;
}

}  // namespace

void check_found_rows(const Definition& definition, const mcp::detail::StorageView& storage, const FoundList& list,
                      bool (*is_found)(Request& request, std::uint16_t number, const std::string_view& key),
                      void (*report)(const OmittedRow& row)) {
  for (std::size_t i = 0; i < list.numbers; ++i) {
    const auto number = static_cast<std::uint16_t>(i);
    json::Writer out(storage.transmit_buffer);
    mcp::detail::Session session{};
    SendContext context(definition, storage, 0, session, out, 0, only_channel);
    context.client.revision = newest_revision(definition);
    context.client.stateless = revisions[context.client.revision].stateless;
    Request request(context, {}, {});
    page_begin(request, list.key);
    static_cast<void>(out.reserve(storage.id_size));
    std::string_view key;
    const FoundKind kind = list.write_found(request, number, key);
    if (kind == FoundKind::absent) continue;
    const bool fits = out.ok();
    std::string_view reason = reasons[static_cast<std::size_t>(kind)];
    if (kind == FoundKind::valid && fits) {
      if (is_found(request, number, key)) continue;
      reason = "another row has this name or URI, or find() does not know it";
    }
    report({number, fits ? key : std::string_view(), reason});
  }
}

}  // namespace protocol
}  // namespace mcp
