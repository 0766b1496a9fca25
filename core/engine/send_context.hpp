// SPDX-License-Identifier: Apache-2.0
// The current message: its session, channel, buffer and time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mcp/definition.hpp"
#include "mcp/detail/server_state.hpp"
#include "mcp/json/writer.hpp"
#include "mcp/memory/pool.hpp"
#include "mcp/port.hpp"
#include "mcp/rpc/response.hpp"
#include "mcp/scopes.hpp"
#include "mcp/server.hpp"
#include "mcp/transport_info.hpp"

namespace mcp::protocol {

struct StatelessOps;

struct HeaderValidationOps;

/// The current message in the transmit buffer of one session.
struct SendContext {
  SendContext(const Definition& the_definition, const mcp::detail::StorageView& the_storage, std::size_t index,
              mcp::detail::Session& the_session, json::Writer& transmit_buffer, Millis the_time, Channel the_channel,
              const TransportInfo* the_info = nullptr);
  ~SendContext();
  SendContext(const SendContext&) = delete;
  SendContext& operator=(const SendContext&) = delete;

  // Frequently used members come first, because access to later ones takes longer instructions.
  mcp::detail::Client client;                     // of the request, or of the job whose turn it is
  Reply::Status status = Reply::Status::message;  // of the written message
  Reply::Error error = Reply::Error::none;
  bool listens = false;        // the request is a subscription without an end
  Channel channel;             // of the transmit buffer
  std::int16_t rejection = 0;  // code of the error that reject() wrote
  const Definition& definition;
  const mcp::detail::StorageView& storage;
  std::size_t session_index;
  mcp::detail::Session& session;
  json::Writer& out;
  Millis now;
  const TransportInfo* info;        // of the message that is answered
  memory::Handle job = {};          // whose step is taken
  const SendContext* outer;         // that waits for this one
  Scopes receiver = Scopes::all();  // of the client that gets a message that the server sends on its own

  [[nodiscard]] SessionId session_id() const {
    return {static_cast<std::uint16_t>(session_index), session.serial_high, session.serial_low};
  }
  /// The owner of slots taken now.
  [[nodiscard]] std::uint32_t owner() const { return info != nullptr ? info->owner() : session.owner; }
  /// Of the message that is answered; 0: unknown.
  [[nodiscard]] std::uint64_t principal() const { return info != nullptr ? info->principal : 0; }

  /// Of the message that is answered. A caller on a wire has all, because the wire is the credential.
  [[nodiscard]] Scopes scopes() const { return info != nullptr ? info->scopes : Scopes::all(); }

  /// True if messages of `wanted` can be written now.
  [[nodiscard]] bool is_for(Channel wanted) const { return channel == only_channel || channel == wanted; }

  /// The code for this client, if it is a stateless one.
  [[nodiscard]] const StatelessOps* stateless() const { return client.stateless ? storage.links.stateless : nullptr; }
  /// Compares the headers of the message with its body; nullptr if it has none.
  [[nodiscard]] const HeaderValidationOps* header_validation() const {
    return info != nullptr ? info->code() : nullptr;
  }
  /// Common members of its results.
  [[nodiscard]] rpc::ResultMeta result_meta() const;
};

/// Milliseconds until `at`, 0 when that is past.
constexpr Millis until(Millis at, Millis now) { return static_cast<std::int32_t>(at - now) > 0 ? at - now : 0; }

}  // namespace mcp::protocol
