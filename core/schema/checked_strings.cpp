// SPDX-License-Identifier: Apache-2.0
// Strings with a pattern or a checked format. The codec of a string without a check reads, writes and describes it.
// Source: JSON Schema 2020-12, Validation, sections 6.3.3 and 7.3.
#include "schema/codecs.hpp"

namespace mcp::detail {
namespace {

bool accept_uri(const StringCheck&, const std::string_view& text) { return is_uri(text); }
bool accept_date(const StringCheck&, const std::string_view& text) { return is_date(text); }
bool accept_date_time(const StringCheck&, const std::string_view& text) { return is_date_time(text); }
bool accept_ipv4(const StringCheck&, const std::string_view& text) { return is_ipv4(text); }
bool accept_ipv6(const StringCheck&, const std::string_view& text) { return is_ipv6(text); }

bool accepts(const ParamInfo& info, const std::string_view& text) { return info.check().accepts(info.check(), text); }

bool read_checked_string(const ParamInfo& info, json::Value value, Bound& result) {
  return string_codec.read(info, value, result) && accepts(info, result.s());
}

bool write_checked_string(const ParamInfo& info, const void* value, json::Writer& out) {
  return accepts(info, *static_cast<const std::string_view*>(value)) && string_output.write(info, value, out);
}

bool write_checked_fixed_string(const ParamInfo& info, const void* value, json::Writer& out) {
  return accepts(info, info.rows.view(value)) && fixed_string_output.write(info, value, out);
}

void append_checked_string(json::Writer& out, const ParamCodec& codec, const ParamInfo& info, bool all_bounds) {
  string_codec.append_allowed(out, codec, info, all_bounds);
  out.append(info.has_pattern ? " that matches the pattern " : " in the format ");
  out.append(info.check().text);
}

constexpr json::Text type = type_name(ParamType::string);

}  // namespace

bool accept_pattern(const StringCheck& pattern, const std::string_view& text) {
  return matches_pattern(static_cast<const PatternCheck&>(pattern), text);
}

constinit const StringCheck uri_check{{decorate_rarely}, accept_uri, "uri"};
constinit const StringCheck date_check{{decorate_rarely}, accept_date, "date"};
constinit const StringCheck date_time_check{{decorate_rarely}, accept_date_time, "date-time"};
constinit const StringCheck ipv4_check{{decorate_rarely}, accept_ipv4, "ipv4"};
constinit const StringCheck ipv6_check{{decorate_rarely}, accept_ipv6, "ipv6"};

constinit const ParamCodec checked_string_codec{
    {.read = read_checked_string}, type, write_string_members<json::Writer>, nullptr, append_checked_string};
constinit const ParamCodec checked_fixed_string_codec{
    {.read = read_checked_string}, type, write_fixed_string_members<json::Writer>, nullptr, append_checked_string};
constinit const ParamCodec checked_string_output{
    {.write = write_checked_string}, type, write_string_members<json::Writer>};
constinit const ParamCodec checked_fixed_string_output{
    {.write = write_checked_fixed_string}, type, write_string_members<json::Writer>};

}  // namespace mcp::detail
