// SPDX-License-Identifier: Apache-2.0
// From the variables of a URI to the struct that a parameter table describes, or to an error that names the variable.
#include <cstring>

#include "mcp/completion.hpp"
#include "mcp/json/scan.hpp"
#include "mcp/json/utf8.hpp"
#include "mcp/json/validate.hpp"
#include "mcp/json/value.hpp"
#include "mcp/params.hpp"
#include "mcp/resource.hpp"
#include "rpc/codes.hpp"
#include "schema/codecs.hpp"

namespace mcp::detail {
namespace {

using json::Value;

// Digits of a decimal text, from which the value gets no other text: those of a double or a float.
constexpr std::size_t most_digits(const ParamInfo& info) { return info.width == sizeof(float) ? 6 : 15; }

// True for the one text of a number, so that two URIs are never of one resource: not 1e0, 1.0 or -0. Of a text that is
// a number in JSON.
bool is_plain(const ParamInfo& info, const std::string_view& text) {
  if (text == "-0") return false;
  if (info.type != ParamType::number) return text.find_first_not_of("-0123456789") == text.npos;
  const bool has_fraction = text.find('.') != text.npos;
  if (text.find_first_of("eE") != text.npos || (has_fraction && text.back() == '0')) return false;
  std::size_t digits = 0;
  std::size_t zeros = 0;
  for (const char c : text) {
    if (!is_digit(c) || (c == '0' && digits == 0)) continue;
    zeros = c == '0' ? zeros + 1 : 0;
    ++digits;
  }
  return digits - zeros <= most_digits(info);
}

// The codecs read JSON. A number is copied between brackets; more digits than fit are no number that a client writes.
// Not inlined, because the check of the text is large on the stack.
[[gnu::noinline]] bool read_number(const ParamInfo& info, const std::string_view& text, Bound& result) {
  char array[40] = {'['};
  if (text.empty() || text.size() > sizeof array - 2) return false;
  if (text.front() != '-' && !is_digit(text.front())) return false;
  if (!is_plain(info, text)) return false;
  std::memcpy(array + 1, text.data(), text.size());
  array[text.size() + 1] = ']';
  if (json::validate({array, text.size() + 2}).fault != json::ErrorKind::none) return false;
  const Value value(array + 1);
  // Shorter in `1,2` and `1 `.
  return value.raw().size() == text.size() && info.codec->read(info, value, result);
}

bool is_text(const std::string_view& text) {
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    const std::size_t length = json::utf8_length(at, end);
    if (length == 0 || *at == '\0') return false;
    at += length;
  }
  return true;
}

// A decoded string of a message has marks instead of quotes. The value is in the message or in the transmit buffer,
// with a byte before and after it, which get the marks until the codec has read the string.
bool read_string(const ParamInfo& info, const std::string_view& text, Bound& result) {
  char* const open = const_cast<char*>(text.data()) - 1;
  char* const close = open + text.size() + 1;
  const char before = *open;
  const char after = *close;
  *open = json::decoded_open;
  *close = json::decoded_close;
  const bool is_allowed = info.codec->read(info, Value(open), result);
  *open = before;
  *close = after;
  return is_allowed;
}

bool read_boolean(const std::string_view& text, Bound& result) {
  const bool is_true = json::equal(text, "true");
  result = Bound(std::int64_t{is_true});
  return is_true || json::equal(text, "false");
}

bool read_value(const ParamInfo& info, const std::string_view& text, Bound& result) {
  switch (info.type) {
    case ParamType::boolean: return read_boolean(text, result);
    case ParamType::string:
    case ParamType::choice: return is_text(text) && read_string(info, text, result);
    default: return read_number(info, text, result);
  }
}

// False for a value that the row does not allow, and for one that is missing.
bool decode_variable(const ParamInfo& row, const std::string_view& text, void* values) {
  Bound result = row.fallback;
  if (text.data() == nullptr) {
    if (row.required) return false;
    if (!row.has_fallback) return true;
  } else if (!read_value(row, text, result)) {
    return false;
  }
  return store_value(row, row.type, result, row.member(values));
}

Errc reject(const ParamInfo& info, const char* problem, bool is_text, ReadResult& out) {
  json::Writer& error = out.fail_begin(rpc::invalid_params);
  error.append("Variable \"");
  error.append(info.name);
  error.append(problem);
  if (is_text) info.codec->append_allowed(error, *info.codec, info, true);
  if (info.type == ParamType::number) {
    error.append(", in at most ");
    error.append_number(std::uint64_t{most_digits(info)});
    error.append(" digits, without an exponent or a zero at its end");
  }
  error.append(is_text ? "." : "UTF-8 without NUL.");
  return out.fail_end();
}

}  // namespace

Errc decode_variables(std::span<const ParamInfo> rows, const UriVariables& variables, void* values, ReadResult& out) {
  // Decoded values are behind the response. If it has a byte, there is one before the first value, too.
  if (!out.response().out.ok()) return Errc::no_space;
  for (const ParamInfo& row : rows) {
    const std::string_view text = variables[row.name];
    if (decode_variable(row, text, values)) continue;
    if (text.data() == nullptr) return reject(row, "\" is missing; it must be ", true, out);
    return reject(row, "\" must be ", row.type != ParamType::string || is_text(text), out);
  }
  return Errc::ok;
}

bool are_valid_variables(std::span<const ParamInfo> rows, const UriVariables& variables, void* values) {
  for (const ParamInfo& row : rows) {
    if (!decode_variable(row, variables[row.name], values)) return false;
  }
  return true;
}

bool offer_choices(std::span<const ParamInfo> rows, const CompletionRequest& request, Completions& completions) {
  for (const ParamInfo& row : rows) {
    if (!json::equal(row.name, request.argument())) continue;
    if (row.type == ParamType::boolean) {
      for (const std::string_view value : {"true", "false"}) completions.offer(value);
      return true;
    }
    if (row.type != ParamType::choice) return false;
    for (const Choice& choice : row.choices()) completions.offer(choice.name);
    return true;
  }
  return false;
}

}  // namespace mcp::detail
