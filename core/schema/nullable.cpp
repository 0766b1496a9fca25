// SPDX-License-Identifier: Apache-2.0
// Values that can be null. The codec of the value reads, writes and describes it.
#include "mcp/call.hpp"
#include "schema/codecs.hpp"

namespace mcp::detail {

Errc decode_nullable(const ParamInfo& info, json::Value value, void* member, const ArgumentPath& path, Call& call) {
  if (value.is(json::Type::null)) return Errc::ok;
  const ParamInfo inner = info.inner();
  const Errc errc = decode_value(inner, value, info.list->access.grow(member), path, call);
  if (errc != Errc::failed || is_container(inner.type)) return errc;
  return reject_argument(info, path, call, value.is(json::Type::number));  // which says that null is allowed, too
}

Errc encode_nullable(const ParamInfo& info, const void* value, const ArgumentPath& path, OutputSink& sink) {
  const void* const element = info.list->access.at(value, 0);
  if (element != nullptr) return encode_value(info.inner(), element, path, sink);
  return sink.out.null(), Errc::ok;
}

void append_nullable(json::Writer& out, const ParamCodec&, const ParamInfo& info, bool all_bounds) {
  const ParamCodec& codec = *info.list->codec;
  codec.append_allowed(out, codec, info.inner(), all_bounds);
  out.append(", or null");
}

void write_nullable_members(json::Writer& out, const ParamInfo& info) {
  info.list->codec->write_members(out, info.inner());
}

void write_nullable_choice(json::Writer& out, const ParamInfo& info) { write_nullable_choice_members(out, info); }

}  // namespace mcp::detail
