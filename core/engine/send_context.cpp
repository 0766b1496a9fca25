// SPDX-License-Identifier: Apache-2.0
#include "engine/send_context.hpp"

#include "engine/hooks.hpp"
#include "mcp/assert.hpp"

namespace mcp {

std::uint32_t TransportInfo::owner() const {
  if (only_principal) return 0;
  const std::uint64_t identity = principal != 0 ? principal : peer;
  const auto high = static_cast<std::uint32_t>(identity >> 32U);
  const std::uint32_t folded = static_cast<std::uint32_t>(identity) ^ high * 0x9E37'79B1U;
  return folded != 0 || high == 0 ? folded : 1;
}

namespace protocol {

SendContext::SendContext(const Definition& the_definition, const mcp::detail::StorageView& the_storage,
                         std::size_t index, mcp::detail::Session& the_session, json::Writer& transmit_buffer,
                         Millis the_time, Channel the_channel, const TransportInfo* the_info)
    : client(the_session.client),
      channel(the_channel),
      definition(the_definition),
      storage(the_storage),
      session_index(index),
      session(the_session),
      out(transmit_buffer),
      now(the_time),
      info(the_info),
      outer(nullptr) {
  if (storage.log_state == nullptr) return;
  outer = storage.log_state->current;
  storage.log_state->current = this;
}

SendContext::~SendContext() {
  if (storage.log_state == nullptr) return;
  MCP_DEBUG_ASSERT(storage.log_state->current == this);  // the last one to begin is the first one to end
  storage.log_state->current = outer;
}

rpc::ResultMeta SendContext::result_meta() const {
  const StatelessOps* const code = stateless();
  return code != nullptr ? rpc::ResultMeta{code->write_meta, &definition} : rpc::ResultMeta{};
}

}  // namespace protocol
}  // namespace mcp
