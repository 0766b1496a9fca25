// SPDX-License-Identifier: Apache-2.0
// Numbers with multiple_of. The codec of a number without it reads, writes and describes the number.
// Source: JSON Schema 2020-12, Validation, section 6.2.1.
#include "schema/codecs.hpp"

namespace mcp::detail {
namespace {

bool read_integer_multiple(const ParamInfo& info, json::Value value, Bound& result) {
  return integer_codec.read(info, value, result) && result.i() % std::int64_t{info.rows.multiple()} == 0;
}

bool read_unsigned_multiple(const ParamInfo& info, json::Value value, Bound& result) {
  return unsigned_codec.read(info, value, result) && result.u() % info.rows.multiple() == 0;
}

bool read_double_multiple(const ParamInfo& info, json::Value value, Bound& result) {
  return double_codec.read(info, value, result) && is_whole_quotient(result.d(), static_cast<double>(info.rows.step()));
}

// A client judges the double that it sends, and not the float that the handler gets.
bool read_float_multiple(const ParamInfo& info, json::Value value, Bound& result) {
  if (!read_double_multiple(info, value, result)) return false;
  static_cast<void>(float_codec.read(info, value, result));  // each multiple fits
  return true;
}

bool write_integer_multiple(const ParamInfo& info, const void* value, json::Writer& out) {
  const bool positive = info.minimum.i() >= 0;
  const std::int64_t stored =
      positive ? static_cast<std::int64_t>(load(value, info.width)) : load_signed(value, info.width);
  return stored % std::int64_t{info.rows.multiple()} == 0 && integer_output.write(info, value, out);
}

bool write_unsigned_multiple(const ParamInfo& info, const void* value, json::Writer& out) {
  return load(value, info.width) % info.rows.multiple() == 0 && unsigned_output.write(info, value, out);
}

bool write_double_multiple(const ParamInfo& info, const void* value, json::Writer& out) {
  return is_whole_quotient(*static_cast<const double*>(value), static_cast<double>(info.rows.step())) &&
         double_output.write(info, value, out);
}

bool write_float_multiple(const ParamInfo& info, const void* value, json::Writer& out) {
  const auto real = static_cast<double>(*static_cast<const float*>(value));
  return is_whole_quotient(real, static_cast<double>(info.rows.step())) && float_output.write(info, value, out);
}

void append_multiple(json::Writer& out, const ParamCodec& codec, const ParamInfo& info, bool all_bounds) {
  integer_codec.append_allowed(out, codec, info, all_bounds);
  out.append(", a multiple of ");
  out.append_number(std::uint64_t{info.rows.multiple()});
}

void append_step(json::Writer& out, const ParamCodec& codec, const ParamInfo& info, bool all_bounds) {
  double_codec.append_allowed(out, codec, info, all_bounds);
  out.append(", a multiple of ");
  out.append_number(static_cast<double>(info.rows.step()));
}

void write_integer_multiple_members(json::Writer& out, const ParamInfo& info) {
  write_multiple_members(out, info);
  write_number_members(out, info);
}

void write_double_multiple_members(json::Writer& out, const ParamInfo& info) {
  write_step_members(out, info);
  write_number_members(out, info);
}

void write_float_multiple_members(json::Writer& out, const ParamInfo& info) {
  write_step_members(out, info);
  write_float_members(out, info);
}

constexpr json::Text integer = type_name(ParamType::integer);
constexpr json::Text number_type = type_name(ParamType::number);

}  // namespace

constinit const ParamCodec integer_multiple_codec{
    {.read = read_integer_multiple}, integer, write_integer_multiple_members, append_signed, append_multiple};
constinit const ParamCodec unsigned_multiple_codec{
    {.read = read_unsigned_multiple}, integer, write_integer_multiple_members, append_unsigned, append_multiple};
constinit const ParamCodec float_multiple_codec{
    {.read = read_float_multiple}, number_type, write_float_multiple_members, append_narrowed, append_step};
constinit const ParamCodec double_multiple_codec{
    {.read = read_double_multiple}, number_type, write_double_multiple_members, append_double, append_step};

constinit const ParamCodec integer_multiple_output{
    {.write = write_integer_multiple}, integer, write_integer_multiple_members, append_signed};
constinit const ParamCodec unsigned_multiple_output{
    {.write = write_unsigned_multiple}, integer, write_integer_multiple_members, append_unsigned};
constinit const ParamCodec float_multiple_output{
    {.write = write_float_multiple}, number_type, write_double_multiple_members, append_float};
constinit const ParamCodec double_multiple_output{
    {.write = write_double_multiple}, number_type, write_double_multiple_members, append_double};

}  // namespace mcp::detail
