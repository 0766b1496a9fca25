// SPDX-License-Identifier: Apache-2.0
// Lists with unique_items. The codec of a list without it reads, writes and describes the list. A list has at most 256
// items, so they are compared in pairs. Source: JSON Schema 2020-12, Validation, section 6.4.3.
#include <cstring>

#include "mcp/call.hpp"
#include "schema/codecs.hpp"

namespace mcp::detail {
namespace {

// Equal values have equal bytes, except strings.
bool is_same(const ParamInfo& info, const void* a, const void* b) {
  if (info.list->type != ParamType::string) return std::memcmp(a, b, info.list->width) == 0;
  if (info.row_count == 0) {
    return json::equal(*static_cast<const std::string_view*>(a), *static_cast<const std::string_view*>(b));
  }
  if (info.is_output) return json::equal(info.rows.view(a), info.rows.view(b));
  // Of a FixedString that was filled once: its size, and its bytes with zeros behind them.
  return std::memcmp(a, b, sizeof(std::uint16_t) + info.row_count) == 0;
}

Errc reject_twice(const ArgumentPath& path, std::size_t index, Call& call) {
  json::Writer& out = call.fail_begin();
  out.append("Argument \"");
  append_path(out, {&path, {}, index});
  out.append("\" is in the array twice; remove one of them.");
  return call.fail_end();
}

Errc decode_unique_list(const ParamInfo& info, json::Value value, void* member, const ArgumentPath& path, Call& call) {
  const char* first = nullptr;
  std::size_t stride = 0;
  return decode_items(info, value, member, path, call, [&](std::size_t index, const void* item) {
    const auto* const element = static_cast<const char*>(item);
    if (index == 0) first = element;
    if (index == 1) stride = static_cast<std::size_t>(element - first);
    for (const char* other = first; other != element; other += stride) {
      if (is_same(info, other, element)) return reject_twice(path, index, call);
    }
    return Errc::ok;
  });
}

Errc encode_unique_list(const ParamInfo& info, const void* value, const ArgumentPath& path, OutputSink& sink) {
  std::size_t index = 0;
  while (const void* const element = info.list->access.at(value, index)) {
    for (std::size_t i = 0; i < index; ++i) {
      if (is_same(info, info.list->access.at(value, i), element)) return sink.reject(sink, {&path, {}, index});
    }
    ++index;
  }
  return list_output.encode(info, value, path, sink);
}

void append_unique_list(json::Writer& out, const ParamCodec& codec, const ParamInfo& info, bool all_bounds) {
  list_codec.append_allowed(out, codec, info, all_bounds);
  out.append(" without duplicates");
}

}  // namespace

constinit const ParamCodec unique_list_codec{{.decode = decode_unique_list},
                                             type_name(ParamType::unique_list),
                                             write_unique_list_members<json::Writer>,
                                             nullptr,
                                             append_unique_list};
constinit const ParamCodec unique_list_output{
    {.encode = encode_unique_list}, type_name(ParamType::unique_list), write_unique_list_members<json::Writer>};

}  // namespace mcp::detail
