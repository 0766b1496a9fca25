// Requests that need no session: who asks stands in their `_meta`. server/discover.
// Source: basic/index#_meta and basic/versioning, 2026-07-28.
#include "json/value.hpp"
#include "mcp/assert.hpp"
#include "mcp/listing.hpp"
#include "mcp/server.hpp"
#include "protocol/request.hpp"

namespace mcp::protocol {

rpc::Response refuse(Outbound& outbound, const std::string_view& id, int code) {
  outbound.fault = Reply::Fault::request;
  rpc::Response response(outbound.out, id);
  response.error_begin(code);
  return response;
}

namespace {

using mcp::detail::Client;
using Claim = StatelessCode::Claim;

constexpr std::string_view version_key = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view capabilities_key = "io.modelcontextprotocol/clientCapabilities";
constexpr char what_meta_needs[] =
    "params._meta needs io.modelcontextprotocol/protocolVersion, a string, and "
    "io.modelcontextprotocol/clientCapabilities, an object, once each.";

Claim refuse_with(Outbound& outbound, const rpc::Envelope& envelope, int code, const char* text) {
  rpc::Response response = refuse(outbound, envelope.id, code);
  outbound.out.append(text);
  response.error_end();
  return Claim::refused;
}

void write_versions(json::Writer& out, json::Text key) {
  out.key(key);
  out.array_begin();
  for (const Revision& revision : revisions) {
    if (revision.stateless) out.string(revision.name);
  }
  out.array_end();
}

Claim refuse_version(Outbound& outbound, const rpc::Envelope& envelope, const std::string_view& requested) {
  rpc::Response response = refuse(outbound, envelope.id, unsupported_version);
  outbound.out.append("This revision is not spoken without a session.");
  response.error_data_begin();
  outbound.out.object_begin();
  write_versions(outbound.out, "supported");
  outbound.out.member("requested", requested);
  outbound.out.object_end();
  if (!response.error_data_end()) fail_for_space(response);
  return Claim::refused;
}

bool is_stateless(const std::string_view& revision) { return find_revision(revision, true) != no_revision; }

// A request without a claim is a session's, unless there are none, or a header or its method says otherwise.
Claim read_unclaimed(Outbound& outbound, const rpc::Envelope& envelope) {
  const Claims* const claims = outbound.claims;
  const bool named = claims != nullptr && claims->version && is_stateless(*claims->version);
  const bool is_theirs = outbound.definition.eras.legacy() && !json::equal(envelope.method, "server/discover");
  if (is_theirs && !named) return Claim::none;
  const bool initializes = json::equal(envelope.method, "initialize");
  if (initializes && named) {
    return refuse_with(outbound, envelope, header_mismatch, "The revision of MCP-Protocol-Version has no initialize.");
  }
  if (initializes) {
    return refuse_version(outbound, envelope, envelope.params.find("protocolVersion").string());
  }
  return refuse_with(outbound, envelope, rpc::invalid_params, what_meta_needs);
}

Claim read(Outbound& outbound, const rpc::Envelope& envelope) {
  static constexpr std::string_view keys[] = {version_key, capabilities_key};
  json::Value values[2];
  static constexpr std::string_view meta_key = "_meta";
  json::Value meta;
  // Of two, another reader may take the other one.
  if (envelope.params.find({&meta_key, 1}, {&meta, 1}) != json::no_key) {
    return refuse_with(outbound, envelope, rpc::invalid_params, what_meta_needs);
  }
  const std::size_t twice = meta.present() ? json::find_members(meta, keys, values) : json::no_key;
  if (!values[0].present()) return read_unclaimed(outbound, envelope);
  if (twice != json::no_key || !values[0].is(json::Type::string) || !values[1].is(json::Type::object)) {
    return refuse_with(outbound, envelope, rpc::invalid_params, what_meta_needs);
  }
  const std::string_view version = values[0].string();
  const ClaimCode* const claims = outbound.claim_code();
  if (claims != nullptr && !claims->check_version(outbound, envelope, version)) return Claim::refused;
  const std::uint8_t revision = find_revision(version, true);
  if (revision == no_revision) return refuse_version(outbound, envelope, version);
  if (claims != nullptr && !claims->check_names(outbound, envelope)) return Claim::refused;
  Client client{.revision = revision, .stateless = true};
  for (Features features(outbound.definition); const Feature* const feature = features.next();) {
    if (feature->read_client == nullptr || feature->read_client(values[1], meta, client)) continue;
    return refuse_with(outbound, envelope, rpc::invalid_params,
                       "io.modelcontextprotocol/logLevel in params._meta is none of the levels of RFC 5424.");
  }
  outbound.client = client;
  return Claim::served;
}

// In the session that stateless requests share nothing else is served.
void demand_session(Outbound& outbound, const rpc::Envelope& envelope) {
  const Claims* const claims = outbound.claims;
  const bool spoken = claims == nullptr || !claims->version || is_stateless(*claims->version) ||
                      (outbound.definition.eras.legacy() && find_revision(*claims->version, false) != no_revision);
  if (spoken) {
    refuse_without_session(outbound.out, envelope);
  } else {
    refuse_without_session(outbound.out, envelope, "This MCP-Protocol-Version is not spoken.");
  }
  outbound.status = Reply::Status::no_session;
}

bool refuses(Outbound& outbound, const rpc::Envelope& envelope) {
  if (envelope.kind == rpc::Kind::invalid) {
    outbound.fault = Reply::Fault::request;
    return false;
  }
  // Nothing is said about what stateless clients notify of: the header tells that it is one.
  const Claims* const claims = outbound.claims;
  const bool is_theirs = envelope.kind == rpc::Kind::notification &&
                         (claims == nullptr || (claims->version && is_stateless(*claims->version)));
  if (!is_theirs) demand_session(outbound, envelope);
  return !is_theirs;
}

bool claims(const json::Object& params) { return json::find_member(params.find("_meta"), version_key).present(); }

void write_meta(json::Writer& out, const void* context) {
  mcp::detail::write_server_meta(out, *static_cast<const Definition*>(context));
}

void write_cache(json::Writer& out, Millis ttl_ms) { mcp::detail::write_cache(out, ttl_ms); }

void discover(Request& request) {
  json::Writer& out = request.out;
  request.result_begin();
  write_versions(out, "supportedVersions");
  write_capabilities(out, request.definition, request.revision());
  out.optional_member("instructions", request.definition.instructions);
  write_cache(out, mcp::detail::static_ttl_ms);
  request.finish();
}

constexpr Method methods[] = {{"server/discover", discover, Method::For::stateless}};

}  // namespace

constinit const Feature discover_feature{methods, nullptr};
constinit const StatelessCode stateless_code{read, claims, write_meta, write_cache};
constinit const SharedCode shared_code{refuses};

}  // namespace mcp::protocol

namespace mcp {

// Here, so that what serves the shared session is linked for a transport that opens one.
SessionId Server::open_shared(Millis now) const {
  storage_.asking->shared = &protocol::shared_code;
  const protocol::SessionPlace place = protocol::find_place(storage_, 0, now);
  // It needs one of Limits::sessions for itself, or an initialize would find none long after the start.
  const bool alone = storage_.sessions.capacity() == 1;
  MCP_ASSERT(place.index != protocol::SessionPlace::none && !(alone && has_sessions()));
  detail::Session session = new_session(now, 0);
  session.shared = true;
  return put_session(place.index, session, now);
}

}  // namespace mcp
