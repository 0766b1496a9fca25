// SPDX-License-Identifier: Apache-2.0
// Compares headers with the body of a stateless request.
// Source: basic/transports/streamable-http#standard-request-headers, 2026-07-28.
#include "stateless/metadata_headers.hpp"

#include "engine/error_texts.hpp"
#include "engine/hooks.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "engine/send_context.hpp"
#include "json/base64.hpp"
#include "mcp/json/value.hpp"
#include "mcp/transport_info.hpp"

namespace mcp::protocol {
namespace {

bool mismatch(SendContext& context, const rpc::Envelope& envelope, const char* text) {
  rpc::Response response = reject(context, envelope.id, header_mismatch);
  context.out.append(text);
  response.error_end();
  return false;
}

bool check_version(SendContext& context, const rpc::Envelope& envelope, const std::string_view& version) {
  const TransportInfo& info = *context.info;
  if (!info.version) return mismatch(context, envelope, "The header MCP-Protocol-Version is missing.");
  if (!json::equal(*info.version, version)) {
    return mismatch(context, envelope, "MCP-Protocol-Version must match params._meta.");
  }
  if (info.method && !json::equal(*info.method, envelope.method)) {
    return mismatch(context, envelope, "Mcp-Method must match the body.");
  }
  return true;
}

// Which member of the params Mcp-Name repeats.
json::Text named_by(const std::string_view& method) {
  if (json::equal(method, "tools/call") || json::equal(method, "prompts/get")) return "name";
  if (json::equal(method, "resources/read")) return "uri";
  if (json::equal(method, "tasks/get") || json::equal(method, "tasks/update") || json::equal(method, "tasks/cancel")) {
    return "taskId";
  }
  return "";
}

bool check_names(SendContext& context, const rpc::Envelope& envelope) {
  const TransportInfo& info = *context.info;
  if (!info.method) return mismatch(context, envelope, "The header Mcp-Method is missing.");
  const json::Text member = named_by(envelope.method);
  if (member.size() == 0) return true;
  const json::Value name = envelope.params.find(member);
  if (!name.is(json::Type::string)) return true;  // its handler sends the error
  if (!info.name) return mismatch(context, envelope, "The header Mcp-Name is missing.");
  if (!header_equals(*info.name, name.string())) {
    return mismatch(context, envelope, "Mcp-Name must match name, uri or taskId of the body.");
  }
  return true;
}

// An integer in a header: a number of JSON without an exponent, and nothing else. 5.0 is 5.
bool read_integer(std::string_view text, std::int64_t& value) {
  if (const std::size_t point = text.find('.'); point != std::string_view::npos) {
    if (point + 1 == text.size() || text.find_first_not_of('0', point + 1) != std::string_view::npos) return false;
    text = text.substr(0, point);
  }
  std::string_view digits = text;
  if (digits.starts_with('-')) digits.remove_prefix(1);
  if (digits.empty() || digits.size() > 19 || (digits.size() > 1 && digits[0] == '0')) return false;
  for (const char c : digits) {
    if (c < '0' || c > '9') return false;
  }
  return json::read_number(text, value) == json::NumberStatus::ok;
}

bool says(const std::string_view& header, json::Value value) {
  if (value.is(json::Type::string)) return header_equals(header, value.string());
  if (header_equals(header, value.raw())) return true;
  std::int64_t claimed = 0;
  std::int64_t given = 0;
  json::NumberStatus status = json::NumberStatus::ok;
  return value.number(given, status) && status == json::NumberStatus::ok && read_integer(header, claimed) &&
         claimed == given;
}

bool check_params(Request& request, std::span<const mcp::detail::ParamInfo> rows, json::Value arguments) {
  for (const mcp::detail::ParamInfo& row : rows) {
    if (row.header_size == 0) continue;
    const std::optional<std::string_view> header = request.context.info->param(row.header_name());
    const json::Value value = json::find_member(arguments, row.name);
    const bool given = value.present() && !value.is(json::Type::null);
    if (given == header.has_value() && (!given || says(*header, value))) continue;
    request.fail(header_mismatch, "Mcp-Param-", row.header_name(), " must match the argument.");
    return false;
  }
  return true;
}

}  // namespace

bool header_equals(std::string_view header, std::string_view text) {
  constexpr std::string_view prefix = "=?base64?";
  constexpr std::string_view suffix = "?=";
  if (header.size() < prefix.size() + suffix.size() || !header.starts_with(prefix) || !header.ends_with(suffix)) {
    return json::equal(header, text);
  }
  header.remove_prefix(prefix.size());
  header.remove_suffix(suffix.size());
  return json::is_base64_of(header, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

constinit const HeaderValidationOps header_validation{check_version, check_names, check_params};

}  // namespace mcp::protocol
