// SPDX-License-Identifier: Apache-2.0
// Constraints of a value: multiple_of, a pattern, a checked format. The codec of a value without one reads, writes and
// describes it. Source: JSON Schema 2020-12, Validation, sections 6.2.1, 6.3.3 and 7.3.
#include "schema/codecs.hpp"

namespace mcp::detail {
namespace {

bool accepts(const ParamInfo& info, std::int64_t value) { return value % std::int64_t{info.rows.multiple()} == 0; }
bool accepts(const ParamInfo& info, std::uint64_t value) { return value % info.rows.multiple() == 0; }
bool accepts(const ParamInfo& info, double value) {
  return is_whole_quotient(value, static_cast<double>(info.rows.step()));
}
bool accepts(const ParamInfo& info, const std::string_view& text) { return info.check().accepts(info.check(), text); }

/// `get`: the member of Bound for this kind.
template <const ParamCodec& codec, auto get>
bool read_if(const ParamInfo& info, json::Value value, Bound& result) {
  return codec.read(info, value, result) && accepts(info, (result.*get)());
}

// A client judges the double that it sends, and not the float that the handler gets.
bool read_float_multiple(const ParamInfo& info, json::Value value, Bound& result) {
  if (!read_if<double_codec, &Bound::d>(info, value, result)) return false;
  static_cast<void>(float_codec.read(info, value, result));  // each multiple fits
  return true;
}

std::uint64_t load_unsigned(const ParamInfo& info, const void* value) { return load(value, info.width); }
std::string_view load_fixed_string(const ParamInfo& info, const void* value) { return info.rows.view(value); }
template <class T, class Wide = T>
Wide load_as(const ParamInfo&, const void* value) {
  return static_cast<Wide>(*static_cast<const T*>(value));
}

/// `get`: returns the value at `value`.
template <const ParamCodec& codec, auto get>
bool write_if(const ParamInfo& info, const void* value, json::Writer& out) {
  return accepts(info, get(info, value)) && codec.write(info, value, out);
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

void append_check(json::Writer& out, const ParamCodec& codec, const ParamInfo& info, bool all_bounds) {
  string_codec.append_allowed(out, codec, info, all_bounds);
  out.append(info.has_pattern ? " that matches the pattern " : " in the format ");
  out.append(info.check().text);
}

/// Writes multipleOf, and then the members of the codec without it.
template <auto write, auto then>
void write_both(json::Writer& out, const ParamInfo& info) {
  write(out, info);
  then(out, info);
}

using json::Writer;
constexpr auto integer_members = write_both<write_multiple_members<Writer>, write_number_members<Writer>>;
constexpr auto float_members = write_both<write_step_members<Writer>, write_float_members<Writer>>;
constexpr auto double_members = write_both<write_step_members<Writer>, write_number_members<Writer>>;
constexpr auto text_members = write_string_members<Writer>;
constexpr auto fixed_text_members = write_fixed_string_members<Writer>;
constexpr json::Text integer_type = type_name(ParamType::integer);
constexpr json::Text number_type = type_name(ParamType::number);
constexpr json::Text string_type = type_name(ParamType::string);

template <auto is_right>
bool accept_format(const StringCheck&, const std::string_view& text) {
  return is_right(text);
}

}  // namespace

bool accept_pattern(const StringCheck& pattern, const std::string_view& text) {
  return matches_pattern(static_cast<const PatternCheck&>(pattern), text);
}

constinit const StringCheck uri_check{{decorate_rarely}, accept_format<is_uri>, "uri"};
constinit const StringCheck date_check{{decorate_rarely}, accept_format<is_date>, "date"};
constinit const StringCheck date_time_check{{decorate_rarely}, accept_format<is_date_time>, "date-time"};
constinit const StringCheck ipv4_check{{decorate_rarely}, accept_format<is_ipv4>, "ipv4"};
constinit const StringCheck ipv6_check{{decorate_rarely}, accept_format<is_ipv6>, "ipv6"};

constinit const ParamCodec integer_multiple_codec{
    {.read = read_if<integer_codec, &Bound::i>}, integer_type, integer_members, append_signed, append_multiple};
constinit const ParamCodec unsigned_multiple_codec{
    {.read = read_if<unsigned_codec, &Bound::u>}, integer_type, integer_members, append_unsigned, append_multiple};
constinit const ParamCodec float_multiple_codec{
    {.read = read_float_multiple}, number_type, float_members, append_narrowed, append_step};
constinit const ParamCodec double_multiple_codec{
    {.read = read_if<double_codec, &Bound::d>}, number_type, double_members, append_double, append_step};
constinit const ParamCodec checked_string_codec{
    {.read = read_if<string_codec, &Bound::s>}, string_type, text_members, nullptr, append_check};
constinit const ParamCodec checked_fixed_string_codec{
    {.read = read_if<string_codec, &Bound::s>}, string_type, fixed_text_members, nullptr, append_check};

constinit const ParamCodec integer_multiple_output{
    {.write = write_if<integer_output, load_integer>}, integer_type, integer_members, append_signed};
constinit const ParamCodec unsigned_multiple_output{
    {.write = write_if<unsigned_output, load_unsigned>}, integer_type, integer_members, append_unsigned};
constinit const ParamCodec float_multiple_output{
    {.write = write_if<float_output, load_as<float, double>>}, number_type, double_members, append_float};
constinit const ParamCodec double_multiple_output{
    {.write = write_if<double_output, load_as<double>>}, number_type, double_members, append_double};
constinit const ParamCodec checked_string_output{
    {.write = write_if<string_output, load_as<std::string_view>>}, string_type, text_members};
constinit const ParamCodec checked_fixed_string_output{
    {.write = write_if<fixed_string_output, load_fixed_string>}, string_type, text_members};

}  // namespace mcp::detail
