// initialize, ping. Source: basic/lifecycle and basic/utilities/ping, 2025-11-25.
#include "mcp/definition.hpp"
#include "mcp/listing.hpp"
#include "protocol/request.hpp"

namespace mcp::protocol {
namespace {

void write_capabilities(json::Writer& out, const Definition& definition, const Revision& revision) {
  out.fragment("\"capabilities\":{");
  for (Features features(definition); const Feature* const feature = features.next();) {
    if (feature->write_capability != nullptr) feature->write_capability(out, definition, revision);
  }
  out.object_end();
}

void initialize(Request& request) {
  const json::Value version = json::find_member(request.params, "protocolVersion");
  if (!version.is(json::Type::string)) {
    return request.fail(rpc::invalid_params, "initialize needs a protocolVersion, such as \"", revisions[0].name,
                        "\".");
  }
  const std::uint8_t index = negotiate(version.string());
  const Revision& revision = revisions[index];
  close_children(request.outbound);
  request.result_begin();
  mcp::detail::write_initialize_result(
      request.out, request.definition, revision.name, revision.shown,
      [&](json::Writer& out, const Definition& definition) { write_capabilities(out, definition, revision); });
  if (!request.finish()) return;

  // A client may begin anew on the same wire (it was restarted, the device was not): nothing of before is left.
  request.session.revision = index;
  request.session.phase = mcp::detail::Phase::initialized;
  request.session.lists_changed = 0;
  request.session.log_level = LogLevel::debug;
  request.session.log_next = request.storage.log().next();
  request.storage.subscribed_by(request.session_index).clear();
  request.storage.updated_for(request.session_index).clear();
  for (Features features(request.definition); const Feature* const feature = features.next();) {
    if (feature->initialized != nullptr) feature->initialized(request);
  }
}

void ping(Request& request) { request.empty_result(); }

void initialized(Request& request) {
  if (request.session.phase == mcp::detail::Phase::initialized) request.session.phase = mcp::detail::Phase::ready;
}

constexpr Method methods[] = {
    {"initialize", initialize, true}, {"ping", ping, true}, {"notifications/initialized", initialized}};

}  // namespace

constinit const Feature base_feature{methods, nullptr};

}  // namespace mcp::protocol
