// SPDX-License-Identifier: Apache-2.0
// initialize, ping. Source: basic/lifecycle and basic/utilities/ping, 2025-11-25.
#include "engine/feature.hpp"
#include "engine/request.hpp"
#include "engine/responses.hpp"
#include "mcp/definition.hpp"
#include "mcp/detail/listing.hpp"
#include "mcp/detail/revision.hpp"

namespace mcp::protocol {
namespace {

void initialize(Request& request) {
  // On a wire, the same client may have restarted. Over HTTP, it gets a new session then.
  if (request.session.phase != mcp::detail::Phase::fresh && request.context.channel != only_channel) {
    request.context.error = Reply::Error::request;
    return request.fail(rpc::invalid_request, "Already initialized; send initialize without MCP-Session-Id.");
  }
  static constexpr std::string_view names[] = {"protocolVersion", "capabilities", "clientInfo"};
  json::Value values[3];
  const bool once = request.params.find(names, values) == json::no_key;
  const auto [version, capabilities, client] = values;
  const bool named = json::find_member(client, "name").is(json::Type::string) &&
                     json::find_member(client, "version").is(json::Type::string);
  if (!once || !version.is(json::Type::string) || !capabilities.is(json::Type::object) || !named) {
    return request.fail("initialize needs protocolVersion (", revisions[0].name,
                        "), capabilities, clientInfo with name and version.");
  }
  const std::uint8_t index = negotiate(version.string());
  const Revision& revision = revisions[index];
  // A session without a slot runs nothing yet.
  if (request.storage.sessions.in_use(request.session_index) == &request.session) close_children(request.context);
  request.result_begin();
  mcp::detail::write_initialize_result(request.out, request.definition, revision,
                                       [&] { write_capabilities(request.out, request, revision); });
  write_boot_id(request);
  if (!request.finish()) return;

  // A client may restart on the same wire without a restart of the device: everything of the previous session ends.
  request.context.client = {.revision = index};
  request.session.phase = mcp::detail::Phase::initialized;
  request.session.lists_changed = 0;
  request.session.log = request.storage.log_end();
  for (FeatureWalk features(request.storage); const Feature* const feature = features.next();) {
    if (feature->read_client != nullptr) static_cast<void>(feature->read_client(capabilities, {}, request.context));
  }
  request.session.client = request.context.client;
}

void ping(Request& request) { request.empty_result(); }

void initialized(Request& request) {
  if (request.session.phase == mcp::detail::Phase::initialized) request.session.phase = mcp::detail::Phase::ready;
}

constexpr FeatureMethod lifecycle_methods[] = {
    {"initialize", initialize, FeatureMethod::Scope::before_initialize},
    {"ping", ping, FeatureMethod::Scope::before_initialize},
    {"notifications/initialized", initialized, FeatureMethod::Scope::session},
};

}  // namespace

constinit const Feature session_feature{lifecycle_methods};

}  // namespace mcp::protocol
