// SPDX-License-Identifier: Apache-2.0
// Reading a resource through a template. Source: server/resources#resource-templates, 2025-11-25.
#include "engine/error_texts.hpp"
#include "engine/hooks.hpp"
#include "engine/request.hpp"
#include "features/resources.hpp"
#include "mcp/detail/link.hpp"
#include "mcp/json/value.hpp"
#include "mcp/resource.hpp"
#include "rpc/codes.hpp"

namespace mcp {

namespace {

bool read_integer(std::string_view digits, std::int32_t minimum, std::int32_t maximum, std::int32_t& value) {
  const bool negative = !digits.empty() && digits.front() == '-';
  if (negative) digits.remove_prefix(1);
  if (digits.empty() || digits.size() > 10) return false;
  if (digits.front() == '0' && (negative || digits.size() > 1)) return false;  // one text for a value
  std::int64_t magnitude = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return false;
    magnitude = magnitude * 10 + (c - '0');
  }
  const std::int64_t result = negative ? -magnitude : magnitude;
  if (result < minimum || result > maximum) return false;
  value = static_cast<std::int32_t>(result);
  return true;
}

}  // namespace

const UriVariable* UriVariables::find(std::string_view name) const {
  for (const UriVariable& variable : variables_) {
    if (json::equal(variable.name, name)) return &variable;
  }
  return nullptr;
}

std::string_view UriVariables::operator[](std::string_view name) const {
  const UriVariable* const variable = find(name);
  return variable != nullptr ? variable->value : std::string_view();
}

Errc UriVariables::integer(std::string_view name, std::int32_t minimum, std::int32_t maximum,
                           std::int32_t& value) const {
  const UriVariable* const variable = find(name);
  if (variable != nullptr && read_integer(variable->value, minimum, maximum, value)) return Errc::ok;
  invalid_ = variable;
  return Errc::invalid_argument;
}

namespace protocol {
namespace {

// The decoded values are at the end of the transmit buffer until the handler returns. The message still contains the
// URI for the response, and most URIs need no decoding.
std::size_t decode_variables(json::Writer& out, TemplateMatch& match) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < match.count; ++i) {
    if (match.variables[i].value.find('%') != std::string_view::npos) size += match.variables[i].value.size();
  }
  const std::size_t taken = out.reserve(size);
  if (!out.ok()) return taken;
  char* place = out.rest().data() + out.rest().size();
  for (std::size_t i = 0; i < match.count; ++i) {
    std::string_view& value = match.variables[i].value;
    if (value.find('%') == std::string_view::npos) continue;
    value = percent_decode(value, {place, value.size()});
    place += value.size();
  }
  return taken;
}

bool same_value(std::string_view name, const TemplateMatch& a, const TemplateMatch& b) {
  const std::string_view value = UriVariables({a.variables, a.count})[name];
  return mcp::detail::same_chars(value, UriVariables({b.variables, b.count})[name], mcp::detail::decoded_char);
}

}  // namespace

bool same_values(const TemplateMatch& a, const TemplateMatch& b) {
  for (std::size_t i = 0; i < a.count; ++i) {
    if (!same_value(a.variables[i].name, a, b)) return false;
  }
  for (std::size_t i = 0; i < b.count; ++i) {
    if (!same_value(b.variables[i].name, a, b)) return false;
  }
  return true;
}

namespace {

// True if the template has the same values for the URI of a disabled row: by another escape, or order of names. Its
// function cannot distinguish them. Separate from read(), because a match is large on the stack.
[[gnu::noinline]] bool gives_disabled_row(const Request& request, const ResourceTemplate& row,
                                          const TemplateMatch& match) {
  const std::span<const Resource> resources = request.definition.resources.rows();
  for (std::size_t i = 0; i < resources.size(); ++i) {
    TemplateMatch other;
    if (request.enabled(ListKind::resources, i)) continue;
    if (request.storage.links.match_template(row.uri_template, resources[i].uri, other) && same_values(match, other))
      return true;
  }
  return false;
}

void fail_for_variables(Request& request, std::span<const UriVariable> suspects) {
  if (suspects.empty()) return request.fail(describe(Errc::invalid_argument));  // the URI leaves all of them out
  request.error_begin(rpc::invalid_params);
  const char* separator = "Variable \"";
  for (const UriVariable& variable : suspects) {
    request.out.append(separator);
    request.out.append(variable.name);
    separator = "\" or \"";
  }
  request.out.append("\" has an invalid value.");
  request.error_end();
}

}  // namespace

// As in find_row(), the first match decides.
template <bool with_streams>
bool read_template(Request& request, const std::string_view& uri) {
  const std::span<const ResourceTemplate> rows = request.definition.resource_templates.rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ResourceTemplate& row = rows[i];
    TemplateMatch match;
    if (!request.storage.links.match_template(row.uri_template, uri, match)) continue;
    if (!request.enabled(ListKind::resource_templates, i) || gives_disabled_row(request, row, match)) return false;
    const std::size_t taken = decode_variables(request.out, match);
    if (request.out.ok()) {
      const UriVariables variables({match.variables, match.count});
      if (with_streams && row.stream.on()) {
        start_template_stream(request, uri, i, variables);
      } else {
        request.result_begin();
        ReadResult body = body_begin(request, uri, row.mime_type, row.ttl_ms);
        const Errc errc = row.read(variables, body);
        if (errc == Errc::invalid_argument && !body.has_failed()) {
          fail_for_variables(request, variables.suspects());
        } else {
          body_end(request, uri, body, errc);
        }
      }
    }
    request.out.release(taken);
    if (!request.out.ok()) request.fail(Errc::no_space, uri);
    return true;
  }
  return false;
}
template bool read_template<false>(Request& request, const std::string_view& uri);
template bool read_template<true>(Request& request, const std::string_view& uri);

TemplateSubscription find_template_subscription(Request& request, const std::string_view& uri) {
  const std::span<const ResourceTemplate> rows = request.definition.resource_templates.rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    TemplateMatch match;
    if (!request.storage.links.match_template(rows[i].uri_template, uri, match)) continue;
    if (!request.enabled(ListKind::resource_templates, i) || gives_disabled_row(request, rows[i], match)) break;
    if (!rows[i].subscribable.on()) return TemplateSubscription::refused;
    const json::Writer::Mark mark = request.out.mark();
    const std::size_t taken = decode_variables(request.out, match);
    // A typed string is read with a byte before it (decode_variables() in schema/variables.cpp).
    const bool fits = request.out.ok() && !request.out.rest().empty();
    const bool exists = fits && rows[i].subscribable.exists(UriVariables({match.variables, match.count}));
    request.out.release(taken);
    request.out.rollback(mark);  // of a lack of space
    if (!fits) return TemplateSubscription::crowded;
    return exists ? TemplateSubscription::allowed : TemplateSubscription::none;
  }
  return TemplateSubscription::none;
}

}  // namespace protocol
}  // namespace mcp
