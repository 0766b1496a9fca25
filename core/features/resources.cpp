// SPDX-License-Identifier: Apache-2.0
// resources/list, resources/templates/list, resources/read. Source: server/resources, 2025-11-25.
#include "features/resources.hpp"

#include <cstring>

#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/notifications.hpp"
#include "engine/paging.hpp"
#include "engine/request.hpp"
#include "engine/rows.hpp"
#include "mcp/assert.hpp"
#include "mcp/detail/revision.hpp"
#include "mcp/json/value.hpp"
#include "mcp/resource.hpp"
#include "schema/codecs.hpp"

namespace mcp {

void ReadResult::text_begin() {
  MCP_ASSERT(state_ == State::empty);  // a resource has one body
  state_ = State::done;
  out_.fragment("\"text\":\"");
}

Errc ReadResult::text_end() {
  out_.string_end();
  return out_.ok() ? Errc::ok : Errc::no_space;
}

json::Writer& ReadResult::json() {
  MCP_ASSERT(state_ == State::empty);
  state_ = State::json;
  out_.fragment("\"text\":");
  out_.quoted_begin();
  return out_;
}

Errc ReadResult::blob(std::span<const std::uint8_t> bytes) {
  MCP_ASSERT(state_ == State::empty);
  state_ = State::done;
  out_.fragment("\"blob\":");
  out_.base64(bytes);
  return out_.ok() ? Errc::ok : Errc::no_space;
}

json::Writer& ReadResult::fail_begin() { return fail_begin(rpc::internal_error); }

json::Writer& ReadResult::fail_begin(int code) {
  state_ = State::failed;
  if (is_in_tool_) return static_cast<detail::ToolBody&>(*this).fail_begin();
  response_.error_begin(code);
  return out_;
}

Errc ReadResult::fail_end() {
  if (is_in_tool_) return static_cast<detail::ToolBody&>(*this).fail_end();
  response_.error_end();
  return Errc::handled;
}

namespace {

struct BodySink : detail::OutputSink {
  ReadResult& body;
};

Errc reject_body_value(detail::OutputSink& sink, const detail::ArgumentPath& path) {
  ReadResult& body = static_cast<BodySink&>(sink).body;
  detail::append_invalid(body.fail_begin(), path);
  return body.fail_end();
}

}  // namespace

Errc ReadResult::structured(std::span<const detail::ParamInfo> rows, const void* value) {
  BodySink sink{{json(), reject_body_value}, *this};
  const Errc errc = detail::encode_struct(rows, value, sink);
  return errc == Errc::ok && !out_.ok() ? Errc::no_space : errc;
}

ReadResult& ReadResult::content(std::string_view uri, std::string_view mime_type) {
  MCP_ASSERT(state_ != State::failed);
  if (is_in_tool_) {
    static_cast<detail::ToolBody&>(*this).next(uri, mime_type);
    return *this;
  }
  if (state_ == State::empty && contents_ != nullptr) {
    // Without space for the item that it replaces, perhaps there was none for the members before it either.
    if (!out_.ok()) return *this;
    out_.rollback({contents_, contents_[-1] != '{', false});
    out_.fragment("\"contents\":[{\"uri\":");
  } else {
    finish();
    out_.fragment("},{\"uri\":");
  }
  contents_ = nullptr;
  has_meta_ = false;
  state_ = State::empty;
  out_.string(uri);
  out_.optional_member("mimeType", mime_type);
  return *this;
}

bool ReadResult::meta_begin() {
  MCP_ASSERT(state_ != State::failed && !has_meta_);
  has_meta_ = true;
  contents_ = nullptr;
  if (state_ == State::json) {
    out_.quoted_end();
    state_ = State::done;
  }
  // Each body belongs to a request; the header does not know this class.
  if (!static_cast<protocol::Request&>(response_).revision().shown.meta) return false;
  out_.fragment("\"_meta\":{");
  return true;
}

Errc ReadResult::meta_end() {
  out_.object_end();
  return out_.ok() ? Errc::ok : Errc::no_space;
}

void ReadResult::finish() {
  if (state_ == State::json) out_.quoted_end();
  if (state_ == State::empty) out_.fragment("\"text\":\"\"");
}

namespace protocol {
namespace {

void list_resources(Request& request) {
  answer_page(request, "resources", ListKind::resources, request.definition.resources.rows().size());
}

void list_templates(Request& request) {
  answer_page(request, "resourceTemplates", ListKind::resource_templates,
              request.definition.resource_templates.rows().size());
}

void read_listed_resource(Request& request) {
  const std::string_view uri = read_uri(request);
  if (!uri.empty()) read_resource(request, uri, find_resource(request, uri));
}

// Where one does, the methods of the updates are found before.
void reject_subscription(Request& request) {
  request.fail(rpc::method_not_found, "No resource supports subscriptions.");
}

constexpr FeatureMethod resource_methods[] = {
    {"resources/list", list_resources},
    {"resources/templates/list", list_templates},
    {"resources/read", read_listed_resource},
    {"resources/subscribe", reject_subscription, FeatureMethod::Scope::session},
    {"resources/unsubscribe", reject_subscription, FeatureMethod::Scope::session},
};

}  // namespace

std::string_view read_uri(Request& request) {
  constexpr std::string_view name = "uri";
  json::Value uri;
  if (request.params.find({&name, 1}, {&uri, 1}) != json::no_key) {
    request.fail(rpc::invalid_request, "uri is given twice.");
    return {};
  }
  if (uri.string().empty()) request.fail("uri is missing or empty.");
  return uri.string();
}

namespace {

struct EscapedUri {
  const std::string_view& text;
};

bool is_called(const Resource& row, const EscapedUri& uri) { return mcp::detail::same_uri(row.uri, uri.text); }

}  // namespace

std::size_t find_resource(const Request& request, const std::string_view& uri) {
  const std::span<const Resource> rows = request.definition.resources.rows();
  // A table has URIs in normal form, so that most are compared as bytes.
  const bool escaped = std::memchr(uri.data(), '%', uri.size()) != nullptr;
  return escaped ? find_row(request, ListKind::resources, rows, EscapedUri{uri})
                 : find_row(request, ListKind::resources, rows, uri);
}

void read_resource(Request& request, const std::string_view& uri, std::size_t row) {
  const std::span<const Resource> rows = request.definition.resources.rows();
  if (row < rows.size()) {
    request.result_begin();
    ReadResult body = body_begin(request, uri, rows[row].mime_type, rows[row].ttl_ms);
    return body_end(request, uri, body, rows[row].read(body));
  }
  for (const auto read_unlisted : request.storage.links.read_unlisted) {
    if (row != disabled_row && read_unlisted != nullptr && read_unlisted(request, uri)) return;
  }
  request.fail(Errc::not_found, uri);
}

ReadResult body_begin(Request& request, const std::string_view& uri, const std::string_view& mime_type, Millis ttl_ms) {
  json::Writer& out = request.out;
  request.write_meta();  // before the body, which then knows how much space it has
  if (const StatelessOps* const code = request.context.stateless()) code->write_cache(out, ttl_ms);
  char* const contents = out.rest().data();
  out.fragment("\"contents\":[{\"uri\":");
  out.string(uri);
  if (!mime_type.empty()) out.member("mimeType", mime_type);
  return ReadResult(request, contents);
}

void body_end(Request& request, const std::string_view& uri, ReadResult& body, Errc errc) {
  if (body.has_failed()) return;
  if (errc != Errc::ok) return request.fail(errc, uri);
  body.finish();
  request.out.fragment("}]");
  request.finish();
}

constinit const Feature resources_feature{resource_methods};

}  // namespace protocol
}  // namespace mcp
