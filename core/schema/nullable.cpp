// SPDX-License-Identifier: Apache-2.0
// Values that can be null. The codec of the value reads, writes and describes it.
#include "mcp/call.hpp"
#include "schema/codecs.hpp"

namespace mcp::detail {
namespace {

Errc decode_nullable(const ParamInfo& info, json::Value value, void* member, const ArgumentPath& path, Call& call) {
  if (value.is(json::Type::null)) return Errc::ok;
  const ParamInfo inner = info.inner();
  const Errc errc = decode_value(inner, value, info.list->access.grow(member), path, call);
  if (errc != Errc::failed || is_container(inner.type)) return errc;
  return reject_argument(info, path, call, value.is(json::Type::number));  // which says that null is allowed, too
}

Errc encode_nullable(const ParamInfo& info, const void* value, const ArgumentPath& path, OutputSink& sink) {
  const void* const place = info.list->access.at(value, 0);
  if (place != nullptr) return encode_value(info.inner(), place, path, sink);
  return sink.out.null(), Errc::ok;
}

void append_nullable(json::Writer& out, const ParamCodec&, const ParamInfo& info, bool all_bounds) {
  const ParamCodec& codec = *info.list->codec;
  codec.append_allowed(out, codec, info.inner(), all_bounds);
  out.append(", or null");
}

void write_any_nullable_members(json::Writer& out, const ParamInfo& info) { write_nullable_members(out, info); }

}  // namespace

constinit const ParamCodec nullable_integer_codec{{.decode = decode_nullable},
                                                  nullable_type_name(ParamType::integer),
                                                  write_any_nullable_members,
                                                  nullptr,
                                                  append_nullable};
constinit const ParamCodec nullable_number_codec{{.decode = decode_nullable},
                                                 nullable_type_name(ParamType::number),
                                                 write_any_nullable_members,
                                                 nullptr,
                                                 append_nullable};
constinit const ParamCodec nullable_boolean_codec{{.decode = decode_nullable},
                                                  nullable_type_name(ParamType::boolean),
                                                  write_any_nullable_members,
                                                  nullptr,
                                                  append_nullable};
constinit const ParamCodec nullable_string_codec{{.decode = decode_nullable},
                                                 nullable_type_name(ParamType::string),
                                                 write_any_nullable_members,
                                                 nullptr,
                                                 append_nullable};
constinit const ParamCodec nullable_choice_codec{{.decode = decode_nullable},
                                                 nullable_type_name(ParamType::choice),
                                                 write_nullable_choice_members<json::Writer>,
                                                 nullptr,
                                                 append_nullable};
constinit const ParamCodec nullable_object_codec{{.decode = decode_nullable},
                                                 nullable_type_name(ParamType::object),
                                                 write_any_nullable_members,
                                                 nullptr,
                                                 append_nullable};

constinit const ParamCodec nullable_integer_output{
    {.encode = encode_nullable}, nullable_type_name(ParamType::integer), write_any_nullable_members};
constinit const ParamCodec nullable_number_output{
    {.encode = encode_nullable}, nullable_type_name(ParamType::number), write_any_nullable_members};
constinit const ParamCodec nullable_boolean_output{
    {.encode = encode_nullable}, nullable_type_name(ParamType::boolean), write_any_nullable_members};
constinit const ParamCodec nullable_string_output{
    {.encode = encode_nullable}, nullable_type_name(ParamType::string), write_any_nullable_members};
constinit const ParamCodec nullable_choice_output{
    {.encode = encode_nullable}, nullable_type_name(ParamType::choice), write_nullable_choice_members<json::Writer>};
constinit const ParamCodec nullable_object_output{
    {.encode = encode_nullable}, nullable_type_name(ParamType::object), write_any_nullable_members};

}  // namespace mcp::detail
