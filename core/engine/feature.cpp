// SPDX-License-Identifier: Apache-2.0
#include "engine/feature.hpp"
#include "engine/request.hpp"

#include "engine/send_context.hpp"
#include "mcp/detail/revision.hpp"
#include "rpc/same_id.hpp"

namespace mcp::protocol {

bool OpenRequest::is(std::size_t its_session, Channel its_channel, const char* its_id, std::size_t size) const {
  if (its_session != session) return false;
  return id.empty() ? its_channel == channel : rpc::same_id({its_id, size}, id);
}

bool any_open(const mcp::detail::StorageView& storage, const OpenRequest& wanted) {
  for (FeatureWalk features(storage); const Feature* const feature = features.next();) {
    if (feature->has_open != nullptr && feature->has_open(storage, wanted)) return true;
  }
  return false;
}

void close_children(SendContext& context) {
  const Channel channel = context.channel;
  context.channel = only_channel;
  close_channel(context);
  context.channel = channel;
}

void close_channel(SendContext& context) {
  for (FeatureWalk features(context.storage); const Feature* const feature = features.next();) {
    if (feature->close != nullptr) feature->close(context);
  }
}

void write_capabilities(json::Writer& out, const Request& request, const Revision& revision) {
  out.fragment("\"capabilities\":{");
  for (const auto* row = request.storage.links.capabilities; row->write_capability != nullptr; ++row) {
    row->write_capability(out, request.definition, revision);
  }
  out.object_end();
}

void end_session(SendContext& context) {
  close_children(context);
  const mcp::detail::StorageView& storage = context.storage;
  storage.sessions.release(storage.sessions.handle_of(context.session_index));
  ++storage.server_request_ids->ended_sessions;
}

}  // namespace mcp::protocol
