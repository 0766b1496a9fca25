// SPDX-License-Identifier: Apache-2.0
// Capabilities that clients declare. Source: basic/lifecycle#capability-negotiation, 2025-11-25, and basic/index#_meta,
// 2026-07-28.
#include "features/client_capabilities.hpp"

#include "engine/feature.hpp"
#include "engine/responses.hpp"
#include "engine/send_context.hpp"
#include "mcp/call.hpp"
#include "mcp/client.hpp"
#include "mcp/detail/revision.hpp"
#include "mcp/json/value.hpp"

namespace mcp {

namespace protocol {
namespace {

// For the lowest bit: the capability, and the JSON around its member.
struct Name {
  json::Text name;
  json::Text json;
};
constexpr Name capability_names[] = {
    {"roots", "{\"roots\":{}}"},
    {"sampling", "{\"sampling\":{}}"},
    {"sampling.context", "{\"sampling\":{\"context\":{}}}"},
    {"sampling.tools", "{\"sampling\":{\"tools\":{}}}"},
    {"elicitation", "{\"elicitation\":{}}"},
    {"elicitation.url", "{\"elicitation\":{\"url\":{}}}"},
    {"io.modelcontextprotocol/tasks", "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}"},
};

// Of several bits the highest, which needs most.
const Name& find_name(std::uint8_t features) {
  std::size_t index = 0;
  while (index + 1 < std::size(capability_names) && features >> (index + 1) != 0) ++index;
  return capability_names[index];
}

}  // namespace

std::string_view name_of(std::uint8_t features) { return find_name(features).name; }

void fail_for_capability(rpc::Response& response, std::uint8_t features) {
  const Name& name = find_name(features);
  response.error_begin(missing_client_capability);
  response.out.append("Missing capability of the client: ");
  response.out.append(name.name);
  response.out.append(".");
  response.error_data_begin();
  response.out.fragment("{\"requiredCapabilities\":");
  response.out.raw(name.json);
  response.out.object_end();
  if (!response.error_data_end()) fail_for_space(response);
}

bool read_client_features(json::Value capabilities, json::Value, SendContext& context) {
  mcp::detail::Client& client = context.client;
  const Revision& revision = revisions[client.revision];
  static constexpr std::string_view keys[] = {"roots", "sampling", "elicitation"};
  json::Value found[3];
  json::find_members(capabilities, keys, found);
  const auto has = [](json::Value capability, json::Text name) {
    return json::find_member(capability, name).is(json::Type::object);
  };
  unsigned features = 0;
  if (found[0].is(json::Type::object)) features |= CapabilityBit::roots;
  if (found[1].is(json::Type::object)) {
    features |= CapabilityBit::sampling;
    if (has(found[1], "tools")) features |= CapabilityBit::sampling_tools;
    if (has(found[1], "context") || !revision.elicitation_modes) features |= CapabilityBit::sampling_context;
  }
  if (found[2].is(json::Type::object)) {
    const bool url = has(found[2], "url");
    if (url) features |= CapabilityBit::elicitation_url;
    if (!url || has(found[2], "form")) features |= CapabilityBit::elicitation_form;
  }
  features &= revision.client_features;
  if (client.stateless) features |= CapabilityBit::stateless;
  client.features = static_cast<std::uint8_t>(features);
  return true;
}

constinit const Feature client_feature{.methods = {}, .read_client = read_client_features};

}  // namespace protocol
}  // namespace mcp
