// SPDX-License-Identifier: Apache-2.0
// Requests without a session: their `_meta` names the client. server/discover.
// Source: basic/index#_meta and basic/versioning, 2026-07-28.
#include "engine/error_texts.hpp"
#include "engine/feature.hpp"
#include "engine/hooks.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "engine/send_context.hpp"
#include "engine/session_slot.hpp"
#include "mcp/assert.hpp"
#include "mcp/detail/listing.hpp"
#include "mcp/detail/revision.hpp"
#include "mcp/json/value.hpp"
#include "mcp/server.hpp"

namespace mcp::protocol {

namespace {

constexpr std::string_view version_key = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view capabilities_key = "io.modelcontextprotocol/clientCapabilities";
constexpr char what_meta_needs[] =
    "params._meta needs io.modelcontextprotocol/protocolVersion, a string, and "
    "io.modelcontextprotocol/clientCapabilities, an object, once each.";

RequestKind reject_with(SendContext& context, const rpc::Envelope& envelope, int code, const char* text) {
  rpc::Response response = reject(context, envelope.id, code);
  context.out.append(text);
  response.error_end();
  return RequestKind::rejected;
}

RequestKind reject_version(SendContext& context, const rpc::Envelope& envelope, const std::string_view& requested) {
  rpc::Response response = reject(context, envelope.id, unsupported_version);
  context.out.append("Unsupported protocol version.");
  response.error_data_begin();
  context.out.object_begin();
  mcp::detail::write_versions(context.out, "supported");
  context.out.member("requested", requested);
  context.out.object_end();
  if (!response.error_data_end()) fail_for_space(response);
  context.rejection = static_cast<std::int16_t>(response.code());
  return RequestKind::rejected;
}

bool is_stateless(const std::string_view& revision) { return find_revision(revision, true) != no_revision; }

// Some clients send these two without `_meta` also after server/discover. They do not exist in revisions without
// sessions, but a ping has one meaning in all of them.
RequestKind answer_unclaimed(SendContext& context, const rpc::Envelope& envelope) {
  if (json::equal(envelope.method, "ping")) {
    rpc::Response response(context.out, envelope.id);
    response.result_begin();
    static_cast<void>(response.result_end());
    return RequestKind::rejected;
  }
  if (!json::equal(envelope.method, "logging/setLevel")) {
    return reject_with(context, envelope, rpc::invalid_params, what_meta_needs);
  }
  context.client = {.revision = newest_stateless, .stateless = true};
  return RequestKind::stateless;  // an unknown method
}

// A request without a version in `_meta` belongs to a session, unless there are none, or a header, its method or the
// client of the wire selects the other era.
RequestKind read_unclaimed(SendContext& context, const rpc::Envelope& envelope) {
  const TransportInfo* const info = context.info;
  const mcp::detail::Session& session = context.session;
  const bool initializes = json::equal(envelope.method, "initialize");
  const bool discovered = session.discovered && session.phase == mcp::detail::Phase::fresh && !initializes;
  const bool named = info != nullptr ? info->version && is_stateless(*info->version) : discovered;
  const bool is_theirs = context.definition.eras.legacy() && !json::equal(envelope.method, "server/discover");
  if (is_theirs && !named) return RequestKind::session;
  if (!initializes) return answer_unclaimed(context, envelope);
  if (named) {
    return reject_with(context, envelope, header_mismatch, "initialize does not exist in this MCP-Protocol-Version.");
  }
  return reject_version(context, envelope, envelope.params.find("protocolVersion").string());
}

RequestKind read_request(SendContext& context, const rpc::Envelope& envelope) {
  static constexpr std::string_view keys[] = {version_key, capabilities_key};
  json::Value values[2];
  static constexpr std::string_view meta_key = "_meta";
  json::Value meta;
  // Of two, another reader may take the other one.
  if (envelope.params.find({&meta_key, 1}, {&meta, 1}) != json::no_key) {
    return reject_with(context, envelope, rpc::invalid_params, what_meta_needs);
  }
  const std::size_t twice = meta.present() ? json::find_members(meta, keys, values) : json::no_key;
  if (!values[0].present()) return read_unclaimed(context, envelope);
  if (twice != json::no_key || !values[0].is(json::Type::string) || !values[1].is(json::Type::object)) {
    return reject_with(context, envelope, rpc::invalid_params, what_meta_needs);
  }
  const std::string_view version = values[0].string();
  const HeaderValidationOps* const info = context.header_validation();
  if (info != nullptr && !info->check_version(context, envelope, version)) return RequestKind::rejected;
  const std::uint8_t revision = find_revision(version, true);
  if (revision == no_revision) return reject_version(context, envelope, version);
  if (info != nullptr && !info->check_names(context, envelope)) return RequestKind::rejected;
  context.client = {.revision = revision, .stateless = true};
  for (FeatureWalk features(context.storage); const Feature* const feature = features.next();) {
    if (feature->read_client == nullptr || feature->read_client(values[1], meta, context)) continue;
    return reject_with(context, envelope, rpc::invalid_params,
                       "io.modelcontextprotocol/logLevel must be a level of RFC 5424.");
  }
  return RequestKind::stateless;
}

RequestKind read(SendContext& context, const rpc::Envelope& envelope, bool in_batch) {
  if (envelope.kind != rpc::Kind::request || in_batch) return RequestKind::session;
  return read_request(context, envelope);
}

// In the session that stateless requests share nothing else is served.
void demand_session(SendContext& context, const rpc::Envelope& envelope) {
  const TransportInfo* const info = context.info;
  const bool supported = info == nullptr || !info->version || is_stateless(*info->version) ||
                         (context.definition.eras.legacy() && find_revision(*info->version, false) != no_revision);
  if (supported) {
    reject_sessionless(context.out, envelope);
  } else {
    reject_sessionless(context.out, envelope, "Unsupported MCP-Protocol-Version.");
  }
  context.status = Reply::Status::no_session;
}

}  // namespace

bool rejects_sessions(SendContext& context, const rpc::Envelope& envelope) {
  if (envelope.kind == rpc::Kind::invalid) {
    context.error = Reply::Error::request;
    return false;
  }
  // Notifications of stateless clients need no checks: the header shows that it is one.
  const TransportInfo* const info = context.info;
  const bool is_theirs =
      envelope.kind == rpc::Kind::notification && (info == nullptr || (info->version && is_stateless(*info->version)));
  if (!is_theirs) demand_session(context, envelope);
  return !is_theirs;
}

namespace {

bool is_stateless(const json::Object& params) { return json::find_member(params.find("_meta"), version_key).present(); }

void write_meta(json::Writer& out, const void* context) {
  mcp::detail::write_server_meta(out, *static_cast<const Definition*>(context));
}

void write_cache(json::Writer& out, Millis ttl_ms) { mcp::detail::write_cache(out, ttl_ms); }

void discover(Request& request) {
  const auto write_meta = request.storage.links.write_discover_meta;
  if (write_meta != nullptr) request.write_meta_by(write_meta);
  request.result_begin();
  mcp::detail::write_discover_result(request.out, request.definition,
                                     [&] { write_capabilities(request.out, request, request.revision()); });
  write_boot_id(request);
  request.finish();
  request.session.discovered = request.context.info == nullptr;
}

constexpr FeatureMethod methods[] = {{"server/discover", discover, FeatureMethod::Scope::stateless}};

}  // namespace

void write_full_meta(json::Writer& out, const void* context) {
  mcp::detail::write_full_server_meta(out, *static_cast<const Definition*>(context));
}

void write_keyed_meta(json::Writer& out, const void* context) {
  write_full_meta(out, context);
  mcp::detail::write_meta_keys(out, *static_cast<const Definition*>(context));
}

constinit const Feature discover_feature{methods};
constinit const StatelessOps stateless_ops{read, is_stateless, write_meta, write_cache};

}  // namespace mcp::protocol
