// SPDX-License-Identifier: Apache-2.0
// Maps: JSON objects with members of any name. Source: JSON Schema 2020-12, Core, section 10.3.2.3, and Validation,
// section 6.5.
#include "mcp/call.hpp"
#include "schema/codecs.hpp"

namespace mcp::detail {
namespace {

Errc reject_twice(const ArgumentPath& path, Call& call) {
  json::Writer& out = call.fail_begin();
  out.append("Argument \"");
  append_path(out, path);
  out.append("\" is given twice.");
  return call.fail_end();
}

// A name that occurs twice does not grow the map. Values have a row of their own.
Errc decode_map(const ParamInfo& info, json::Value value, void* member, const ArgumentPath& path, Call& call) {
  if (!value.is(json::Type::object)) return reject_argument(info, path, call);
  const ParamInfo item = info.item();
  const void* last = nullptr;
  std::size_t count = 0;
  for (json::Members members(value); members.next(); ++count) {
    const std::string_view name = members.key();
    void* const element = info.list->access.insert(member, name);
    if (element == nullptr) return reject_argument(info, path, call);
    const ArgumentPath value_path{&path, name, 0};
    // A new value is behind the others.
    if (element <= last) return reject_twice(value_path, call);
    last = element;
    const Errc errc = decode_value(item, members.value(), element, value_path, call);
    if (errc != Errc::ok) return errc;
  }
  return count >= info.least_items ? Errc::ok : reject_argument(info, path, call);
}

Errc encode_map(const ParamInfo& info, const void* value, const ArgumentPath& path, OutputSink& sink) {
  const ParamInfo item = info.item();
  sink.out.object_begin();
  std::size_t index = 0;
  std::string_view name;
  for (; const void* const element = info.list->access.entry(value, index, name); ++index) {
    sink.out.key(name);
    const Errc errc = encode_value(item, element, {&path, name, 0}, sink);
    if (errc != Errc::ok) return errc;
  }
  if (index < info.least_items) return sink.reject(sink, path);
  return sink.out.object_end(), Errc::ok;
}

void append_map(json::Writer& out, const ParamCodec&, const ParamInfo& info, bool) {
  out.append("an object of ");
  out.append_number(std::uint64_t{info.least_items});
  out.append(" to ");
  out.append_number(std::uint64_t{info.list->capacity});
  out.append(" members, with names of 1 to ");
  out.append_number(std::uint64_t{info.width});
  out.append(" bytes");
}

}  // namespace

constinit const ParamCodec map_codec{
    {.decode = decode_map}, type_name(ParamType::map), write_map_members<json::Writer>, nullptr, append_map};
constinit const ParamCodec map_output{
    {.encode = encode_map}, type_name(ParamType::map), write_map_members<json::Writer>};

}  // namespace mcp::detail
