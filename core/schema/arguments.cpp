// SPDX-License-Identifier: Apache-2.0
// From the arguments of a call to the struct that a parameter table describes, or to an error message for the model.
// Knows the table, not the tool.
#include <bit>
#include <cstring>
#include <utility>

#include "engine/request.hpp"
#include "mcp/call.hpp"
#include "mcp/json/utf8.hpp"
#include "mcp/json/value.hpp"
#include "mcp/params.hpp"
#include "mcp/tool.hpp"
#include "schema/codecs.hpp"

namespace mcp::detail {

void append_path(json::Writer& out, const ArgumentPath& path) {
  if (path.parent != nullptr) append_path(out, *path.parent);
  if (path.name.empty()) {
    out.append("[");
    out.append_number(static_cast<std::uint64_t>(path.index));
    return out.append("]");
  }
  if (path.parent != nullptr) out.append(".");
  out.append(path.name);
}

namespace {

using json::NumberStatus;
using json::Type;
using json::Value;
using json::Writer;

void append_count(Writer& out, std::size_t count) { out.append_number(static_cast<std::uint64_t>(count)); }

// The allowed values, by the kind of the parameter.

void append_bounds(Writer& out, const ParamCodec& codec, const ParamInfo& info, bool all_bounds) {
  append_range(out, codec, info, all_bounds ? RangeIn::error_of_type : RangeIn::error);
}

void append_integer(Writer& out, const ParamCodec& codec, const ParamInfo& info, bool all_bounds) {
  out.append("an integer");
  append_bounds(out, codec, info, all_bounds);
}

void append_number(Writer& out, const ParamCodec& codec, const ParamInfo& info, bool all_bounds) {
  out.append("a number");
  append_bounds(out, codec, info, all_bounds);
}

void append_boolean(Writer& out, const ParamCodec&, const ParamInfo&, bool) { out.append("true or false"); }

void append_string(Writer& out, const ParamCodec&, const ParamInfo& info, bool) {
  out.append("a string");
  if (info.has_minimum) {
    out.append(" of at least ");
    append_count(out, static_cast<std::size_t>(info.minimum.i()));
  }
  if (info.has_minimum && info.has_maximum) out.append(" and");
  if (info.has_maximum) {
    out.append(info.has_minimum ? " at most " : " of at most ");
    append_count(out, static_cast<std::size_t>(info.maximum.i()));
  }
  if (info.has_minimum || info.has_maximum) out.append(" characters");
  if (info.row_count == 0) return;
  out.append(" and ");
  append_count(out, info.row_count);
  out.append(" bytes");
}

void append_choice(Writer& out, const ParamCodec&, const ParamInfo& info, bool) {
  out.append("one of");
  const char* separator = " \"";
  for (const Choice& choice : info.choices()) {
    out.append(separator);
    out.append(choice.name);
    separator = "\", \"";
  }
  out.append("\"");
}

void append_list(Writer& out, const ParamCodec&, const ParamInfo& info, bool) {
  out.append("an array of ");
  append_count(out, info.least_items);
  out.append(" to ");
  append_count(out, info.list->capacity);
  out.append(" items");
}

void append_object(Writer& out, const ParamCodec&, const ParamInfo&, bool) { out.append("an object"); }

// The text is written by hand, piece by piece, because its pieces come from loops over the table.
class Complaint {
 public:
  explicit Complaint(Call& call) : call_(call), out_(call.fail_begin()) {}
  Complaint(Call& call, const ArgumentPath& argument) : Complaint(call) { text("Argument \"").path(argument); }
  Errc end() { return call_.fail_end(); }

  Complaint& text(const char* text) { return out_.append(text), *this; }
  Complaint& name(std::string_view name) { return out_.append(name), *this; }
  Complaint& path(const ArgumentPath& path) { return append_path(out_, path), *this; }
  Complaint& allowed(const ParamCodec& codec, const ParamInfo& info, bool all_bounds = false) {
    return codec.append_allowed(out_, codec, info, all_bounds), *this;
  }

 private:
  Call& call_;
  Writer& out_;
};

}  // namespace

Errc reject_argument(const ParamInfo& info, const ArgumentPath& path, Call& call, bool all_bounds) {
  return Complaint(call, path).text("\" must be ").allowed(codec_of(info, path), info, all_bounds).text(".").end();
}

namespace {

// The numbers differ only in their type: T is read and compared.
template <class T>
bool read_in_range(const Value& value, T minimum, T maximum, T& result) {
  NumberStatus status = NumberStatus::ok;
  return value.number(result, status) && status == NumberStatus::ok && is_within(result, minimum, maximum);
}

bool read_integer(const ParamInfo& info, Value value, Bound& result) {
  return read_in_range(value, info.minimum.i(), info.maximum.i(), result.begin_i());
}

bool read_unsigned(const ParamInfo& info, Value value, Bound& result) {
  return read_in_range(value, info.minimum.u(), info.maximum.u(), result.begin_u());
}

bool read_double(const ParamInfo& info, Value value, Bound& result) {
  return read_in_range(value, info.minimum.d(), info.maximum.d(), result.begin_d());
}

// A client's number is a double, compared as that; a handler gets the float that is nearest to it.
bool read_float(const ParamInfo& info, Value value, Bound& result) {
  double read = 0;
  if (!read_in_range(value, info.minimum.d(), info.maximum.d(), read)) return false;
  result = Bound(narrow(read));
  return true;
}

bool read_boolean(const ParamInfo&, Value value, Bound& result) {
  result = Bound(std::int64_t{value.is_true()});
  return value.is(Type::boolean);
}

bool read_string(const ParamInfo& info, Value value, Bound& result) {
  if (!value.is(Type::string)) return false;
  const std::string_view text = value.string();
  result = Bound(text);
  // A text has no more characters than bytes, so that most need not be counted.
  if (info.minimum.i() <= 0 && std::cmp_less_equal(text.size(), info.maximum.i())) return true;
  const std::int64_t length = characters(text);
  return length >= info.minimum.i() && length <= info.maximum.i();
}

bool read_choice(const ParamInfo& info, Value value, Bound& result) {
  for (const Choice& choice : info.choices()) {
    if (!value.equals(choice.name)) continue;
    result = Bound(std::int64_t{choice.value});
    return true;
  }
  return false;
}

Bound::Kind kind_of(ParamType type, std::uint8_t width) {
  switch (type) {
    case ParamType::unsigned_integer: return Bound::Kind::unsigned_integer;
    case ParamType::number: return width == sizeof(float) ? Bound::Kind::single : Bound::Kind::real;
    case ParamType::string: return Bound::Kind::text;
    default: return Bound::Kind::integer;
  }
}

}  // namespace

// By memcpy, because the member may have any type of this width: long or int, an enum. False if the value does not fit.
bool store_value(const ParamInfo& info, ParamType type, const Bound& value, void* member) {
  if (type == ParamType::string && info.row_count != 0) return info.rows.assign(member, value.s());
  constexpr bool is_little = std::endian::native == std::endian::little;
  const bool is_whole = is_little || type == ParamType::number || type == ParamType::string;
  const char* const bytes = value.bytes(kind_of(type, info.width));
  std::memcpy(member, bytes + (is_whole ? 0 : sizeof(std::int64_t) - info.width), info.width);
  return true;
}

Errc decode_value(const ParamInfo& info, Value value, void* member, const ArgumentPath& path, Call& call) {
  const ParamCodec& codec = codec_of(info, path);
  const ParamType type = type_of(info, path);
  if (is_container(type)) return codec.decode(info, value, member, path, call);
  Bound result = info.fallback;
  const bool fits = !value.present() || codec.read(info, value, result);
  if (fits && store_value(info, type, result, member)) return Errc::ok;
  return reject_argument(info, path, call, value.is(Type::number));
}

namespace {

Errc decode_list(const ParamInfo& info, Value value, void* member, const ArgumentPath& path, Call& call) {
  return decode_items(info, value, member, path, call, [](std::size_t, const void*) { return Errc::ok; });
}

Errc reject_unknown(std::span<const ParamInfo> rows, const ArgumentPath* parent, std::string_view key, Call& call) {
  // An empty key would read as the item of a list.
  const std::string_view name = key.empty() ? std::string_view("\"\"", 2) : protocol::excerpt(key);
  Complaint complaint(call);
  complaint.text("Unknown argument \"")
      .path({parent, name, 0})
      .text(rows.empty() ? "\"; none accepted." : "\"; accepted:");
  const char* separator = " ";
  for (const ParamInfo& row : rows) {
    complaint.text(separator).name(row.name);
    separator = ", ";
  }
  if (!rows.empty()) complaint.text(".");
  return complaint.end();
}

// Agent frameworks write null for an optional argument that the model left out.
bool is_left_out(const ParamInfo& row, Value value) {
  return value.is_null() && !row.required && row.type != ParamType::nullable;
}

Errc fill_missing(std::span<const ParamInfo> rows, std::uint32_t given, void* target, const ArgumentPath* parent,
                  Call& call) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ParamInfo& row = rows[i];
    if ((given & (1u << i)) != 0) continue;
    const ArgumentPath path{parent, row.name, 0};
    if (row.required) {
      return Complaint(call, path).text("\" is missing; it must be ").allowed(*row.codec, row).text(".").end();
    }
    if (!row.has_fallback) continue;
    const Errc errc = decode_value(row, {}, row.member(target), path, call);
    if (errc != Errc::ok) return errc;
  }
  return Errc::ok;
}

// `with_meta`: the object may have a member `_meta`, which is no argument.
template <bool with_meta = false>
Errc decode_members(std::span<const ParamInfo> rows, Value object, void* target, const ArgumentPath* parent,
                    Call& call) {
  std::uint32_t given = 0;
  std::uint32_t left_out = 0;
  for (json::Members members(object); members.next();) {
    const std::string_view key = members.key();
    std::size_t i = 0;
    while (i < rows.size() && (rows[i].name.size() != key.size() || !json::equal(rows[i].name, key))) ++i;
    if (i == rows.size()) {
      if (with_meta && json::equal(key, "_meta")) continue;
      return reject_unknown(rows, parent, members.key(), call);
    }
    const ArgumentPath path{parent, rows[i].name, 0};
    if ((given & (1u << i)) != 0) return Complaint(call, path).text("\" is given twice.").end();
    given |= 1u << i;
    if (is_left_out(rows[i], members.value())) {
      left_out |= 1u << i;
      continue;
    }
    const Errc errc = decode_value(rows[i], members.value(), rows[i].member(target), path, call);
    if (errc != Errc::ok) return errc;
  }
  return fill_missing(rows, given & ~left_out, target, parent, call);
}

Errc decode_object(const ParamInfo& info, Value value, void* member, const ArgumentPath& path, Call& call) {
  if (!value.is(Type::object)) return reject_argument(info, path, call);
  return decode_members(info.fields(), value, member, &path, call);
}

}  // namespace

constinit const ParamCodec integer_codec{{.read = read_integer},
                                         type_name(ParamType::integer),
                                         write_number_members<json::Writer>,
                                         append_signed,
                                         append_integer};
constinit const ParamCodec unsigned_codec{{.read = read_unsigned},
                                          type_name(ParamType::unsigned_integer),
                                          write_number_members<json::Writer>,
                                          append_unsigned,
                                          append_integer};
constinit const ParamCodec float_codec{{.read = read_float},
                                       type_name(ParamType::number),
                                       write_float_members<json::Writer>,
                                       append_narrowed,
                                       append_number};
constinit const ParamCodec double_codec{{.read = read_double},
                                        type_name(ParamType::number),
                                        write_number_members<json::Writer>,
                                        append_double,
                                        append_number};
constinit const ParamCodec boolean_codec{{.read = read_boolean},
                                         type_name(ParamType::boolean),
                                         write_boolean_members<json::Writer>,
                                         nullptr,
                                         append_boolean};
constinit const ParamCodec string_codec{
    {.read = read_string}, type_name(ParamType::string), write_string_members<json::Writer>, nullptr, append_string};
constinit const ParamCodec fixed_string_codec{{.read = read_string},
                                              type_name(ParamType::string),
                                              write_fixed_string_members<json::Writer>,
                                              nullptr,
                                              append_string};
constinit const ParamCodec choice_codec{
    {.read = read_choice}, type_name(ParamType::choice), write_choice_members<json::Writer>, nullptr, append_choice};
constinit const ParamCodec list_codec{
    {.decode = decode_list}, type_name(ParamType::list), write_list_members<json::Writer>, nullptr, append_list};
constinit const ParamCodec object_codec{{.decode = decode_object},
                                        type_name(ParamType::object),
                                        write_struct_members<json::Writer>,
                                        nullptr,
                                        append_object};

Errc decode_arguments(std::span<const ParamInfo> rows, Value object, void* arguments, Call& call) {
  return decode_members(rows, object, arguments, nullptr, call);
}

Errc decode_params(std::span<const ParamInfo> rows, Value params, void* into, Call& call) {
  return decode_members<true>(rows, params, into, nullptr, call);
}

Errc check_no_arguments(Value object, Call& call) {
  json::Members members(object);
  return members.next() ? reject_unknown({}, nullptr, members.key(), call) : Errc::ok;
}

Errc decode_arguments(const Tool& tool, Value object, void* arguments, Call& call) {
  return decode_members({tool.params, tool.param_count}, object, arguments, nullptr, call);
}

}  // namespace mcp::detail
