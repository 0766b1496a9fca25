// initialize, ping. Source: basic/lifecycle and basic/utilities/ping, 2025-11-25.
#include "mcp/definition.hpp"
#include "mcp/listing.hpp"
#include "protocol/request.hpp"

namespace mcp::protocol {
namespace {

void initialize(Request& request) {
  const json::Value version = request.params.find("protocolVersion");
  if (!version.is(json::Type::string)) {
    return request.fail("initialize needs a protocolVersion, such as \"", revisions[0].name, "\".");
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
  request.session.client = {.revision = index};
  request.session.phase = mcp::detail::Phase::initialized;
  request.session.lists_changed = 0;
  request.session.log_next = request.storage.log().next();
  const json::Value capabilities = request.params.find("capabilities");
  for (Features features(request.definition); const Feature* const feature = features.next();) {
    if (feature->read_client != nullptr)
      static_cast<void>(feature->read_client(capabilities, {}, request.session.client));
  }
}

void ping(Request& request) { request.empty_result(); }

void initialized(Request& request) {
  if (request.session.phase == mcp::detail::Phase::initialized) request.session.phase = mcp::detail::Phase::ready;
}

constexpr Method methods[] = {
    {"initialize", initialize, Method::For::strangers},
    {"ping", ping, Method::For::strangers},
    {"notifications/initialized", initialized, Method::For::sessions},
};

}  // namespace

constinit const Feature session_feature{methods, nullptr};

}  // namespace mcp::protocol
