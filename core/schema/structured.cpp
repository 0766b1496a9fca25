// SPDX-License-Identifier: Apache-2.0
// From a struct to the JSON that its table describes, and the end of a result after its content. Values that the table
// does not allow are not sent. Source: server/tools#structured-content and basic#_meta, 2025-11-25.
#include "engine/responses.hpp"
#include "mcp/assert.hpp"
#include "mcp/call.hpp"
#include "mcp/job.hpp"
#include "mcp/json/utf8.hpp"
#include "mcp/tool.hpp"
#include "schema/codecs.hpp"

namespace mcp {
namespace detail {

namespace {

bool write_integer(const ParamInfo& info, const void* value, json::Writer& out) {
  const std::int64_t number = load_integer(info, value);
  if (number < info.minimum.i() || number > info.maximum.i()) return false;
  return out.number(number), true;
}

// T has all of the information. NaN is in no range.
template <class T>
bool write_as(T minimum, T maximum, const void* value, json::Writer& out) {
  const T number = *static_cast<const T*>(value);
  if (!is_within(number, minimum, maximum)) return false;
  return out.number(number), true;
}

bool write_unsigned(const ParamInfo& info, const void* value, json::Writer& out) {
  const std::uint64_t number = load(value, info.width);
  return write_as<std::uint64_t>(info.minimum.u(), info.maximum.u(), &number, out);
}

bool write_double(const ParamInfo& info, const void* value, json::Writer& out) {
  return write_as<double>(info.minimum.d(), info.maximum.d(), value, out);
}

bool write_float(const ParamInfo& info, const void* value, json::Writer& out) {
  return write_as<float>(info.minimum.f(), info.maximum.f(), value, out);
}

bool write_boolean(const ParamInfo&, const void* value, json::Writer& out) {
  return out.boolean(*static_cast<const bool*>(value)), true;
}

// Characters as the client counts them: each byte that is not UTF-8 is sent as one.
std::int64_t characters_sent(const std::string_view& text) {
  std::int64_t count = 0;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end; ++count) {
    const std::size_t length = json::utf8_length(at, end);
    at += length == 0 ? 1 : length;
  }
  return count;
}

bool write_text(const ParamInfo& info, const std::string_view& text, json::Writer& out) {
  if (info.has_minimum || info.has_maximum) {
    const std::int64_t length = characters_sent(text);
    if (length < info.minimum.i() || length > info.maximum.i()) return false;
  }
  return out.string(text), true;
}

bool write_string(const ParamInfo& info, const void* value, json::Writer& out) {
  return write_text(info, *static_cast<const std::string_view*>(value), out);
}

bool write_fixed_string(const ParamInfo& info, const void* value, json::Writer& out) {
  return write_text(info, info.rows.view(value), out);
}

bool write_choice(const ParamInfo& info, const void* value, json::Writer& out) {
  for (const Choice& choice : info.choices()) {
    // Both as the bits of the enum, because the table stores a value of an unsigned 32-bit enum as a negative number.
    const std::uint32_t difference =
        static_cast<std::uint32_t>(load(value, info.width)) ^ static_cast<std::uint32_t>(choice.value);
    if (difference << (32 - 8U * info.width) == 0) return out.string(choice.name), true;
  }
  return false;
}

}  // namespace

Errc encode_value(const ParamInfo& info, const void* value, const ArgumentPath& path, OutputSink& sink) {
  const ParamCodec& codec = codec_of(info, path);
  if (is_container(type_of(info, path))) return codec.encode(info, value, path, sink);
  return codec.write(info, value, sink.out) ? Errc::ok : sink.reject(sink, path);
}

namespace {

// Items have the row of their list, with a codec of their own.
Errc encode_list(const ParamInfo& info, const void* value, const ArgumentPath& path, OutputSink& sink) {
  sink.out.array_begin();
  std::size_t index = 0;
  for (; const void* const element = info.list->access.at(value, index); ++index) {
    const Errc errc = encode_value(info, element, {&path, {}, index}, sink);
    if (errc != Errc::ok) return errc;
  }
  if (index < info.least_items) return sink.reject(sink, path);
  return sink.out.array_end(), Errc::ok;
}

// Inlined, so that the code of structured results is as it would be alone.
[[gnu::always_inline]] inline Errc encode_rows(std::span<const ParamInfo> rows, const void* object,
                                               const ArgumentPath* parent, OutputSink& sink) {
  for (const ParamInfo& row : rows) {
    const void* const value = row.member(const_cast<void*>(object));  // which changes nothing in an output
    if (value == nullptr) continue;
    sink.out.key(row.name);
    const Errc errc = encode_value(row, value, {parent, row.name, 0}, sink);
    if (errc != Errc::ok) return errc;
  }
  return Errc::ok;
}

Errc encode_members(std::span<const ParamInfo> rows, const void* object, const ArgumentPath* parent, OutputSink& sink) {
  sink.out.object_begin();
  if (const Errc errc = encode_rows(rows, object, parent, sink); errc != Errc::ok) return errc;
  return sink.out.object_end(), Errc::ok;
}

Errc encode_object(const ParamInfo& info, const void* value, const ArgumentPath& path, OutputSink& sink) {
  return encode_members(info.fields(), value, &path, sink);
}

}  // namespace

constinit const ParamCodec integer_output{
    {.write = write_integer}, type_name(ParamType::integer), write_number_members<json::Writer>, append_signed};
constinit const ParamCodec unsigned_output{{.write = write_unsigned},
                                           type_name(ParamType::unsigned_integer),
                                           write_number_members<json::Writer>,
                                           append_unsigned};
constinit const ParamCodec float_output{
    {.write = write_float}, type_name(ParamType::number), write_number_members<json::Writer>, append_float};
constinit const ParamCodec double_output{
    {.write = write_double}, type_name(ParamType::number), write_number_members<json::Writer>, append_double};
constinit const ParamCodec boolean_output{
    {.write = write_boolean}, type_name(ParamType::boolean), write_boolean_members<json::Writer>};
constinit const ParamCodec string_output{
    {.write = write_string}, type_name(ParamType::string), write_string_members<json::Writer>};
constinit const ParamCodec fixed_string_output{
    {.write = write_fixed_string}, type_name(ParamType::string), write_string_members<json::Writer>};
constinit const ParamCodec choice_output{
    {.write = write_choice}, type_name(ParamType::choice), write_choice_members<json::Writer>};
constinit const ParamCodec list_output{
    {.encode = encode_list}, type_name(ParamType::list), write_list_members<json::Writer>};
constinit const ParamCodec object_output{
    {.encode = encode_object}, type_name(ParamType::object), write_struct_members<json::Writer>};

Errc encode_struct(std::span<const ParamInfo> rows, const void* value, OutputSink& sink) {
  return encode_members(rows, value, nullptr, sink);
}

void append_invalid(json::Writer& out, const ArgumentPath& path) {
  out.append("The result is invalid in its schema: \"");
  append_path(out, path);
  out.append("\".");
}

Errc encode_struct_members(std::span<const ParamInfo> rows, const void* value, OutputSink& sink) {
  return encode_rows(rows, value, nullptr, sink);
}

Errc end_structured(const Tool& tool, const void* value, Errc errc, Call& call) {
  if (errc != Errc::ok || call.has_structured()) return errc;
  return call.structured({tool.output.rows(), tool.output_count}, value);
}

}  // namespace detail

}  // namespace mcp
