// SPDX-License-Identifier: Apache-2.0
// Calls of sessions that continue after their clients have lost their connections.
// Source: basic/transports#sending-messages-to-the-server, 2025-11-25.
#include "http/event_stream.hpp"
#include "http/http_hooks.hpp"
#include "mcp/transport.hpp"

namespace mcp::http {
namespace {

std::uint32_t owner_of(const Endpoint& endpoint, const EventStream& stream) {
  return endpoint.storage.sessions[stream.session.index].owner;
}

// When all records are in use, the owner with the most records loses its oldest call. This may be the owner of the new
// call. No owner loses a call to an owner that would then have the same number of records.
EventStream* find_record(Endpoint& endpoint, std::uint32_t owner) {
  const std::span<EventStream> records = endpoint.storage.detached;
  const auto count_of = [&](std::uint32_t wanted) {
    std::size_t count = 0;
    for (const EventStream& stream : records) {
      if (owner_of(endpoint, stream) == wanted) ++count;
    }
    return count;
  };
  EventStream* found = nullptr;
  std::size_t most = 0;
  for (EventStream& stream : records) {
    if (stream.number == 0) return &stream;
    const std::uint32_t other = owner_of(endpoint, stream);
    const std::size_t count = count_of(other);
    if (other != owner && count <= count_of(owner) + 1) continue;
    const bool is_older = found != nullptr && static_cast<std::int32_t>(stream.number - found->number) < 0;
    if (count < most || (count == most && !is_older)) continue;
    most = count;
    found = &stream;
  }
  if (found == nullptr) return nullptr;
  endpoint.server->cancel(found->session, found->channel, endpoint.now);
  release_record(endpoint, *found);
  return found;
}

// Exchange and record swap their channels.
bool detach_call(Endpoint& endpoint, Exchange& exchange) {
  EventStream* const record = find_record(endpoint, owner_of(endpoint, exchange.stream));
  if (record == nullptr) return false;
  // The first responses to a batch are not sent yet.
  if (exchange.pending_output != 0)
    store_event(endpoint, exchange.stream, exchange.json, exchange.pending_output, true);
  exchange.pending_output = 0;
  const HttpStorageView& storage = endpoint.storage;
  const auto exchanges = static_cast<std::size_t>(storage.exchanges.end() - storage.exchanges.begin());
  const auto first = static_cast<Channel>(exchanges + static_cast<std::size_t>(record - storage.detached.data()) + 1);
  const Channel channel = record->channel != 0 ? record->channel : first;
  *record = exchange.stream;
  ++endpoint.detached;
  exchange.stream = {.channel = channel};
  return true;
}

// Sends nothing, so all such streams share the transmit buffer of the server, which no exchange uses.
bool run_one(Endpoint& endpoint, EventStream& stream) {
  const Server& server = *endpoint.server;
  const std::span<char> transmit_buffer = server.transmit_buffer();
  const Reply reply = server.transmit(stream.session, transmit_buffer, endpoint.now, stream.channel);
  switch (reply.status) {
    case Reply::Status::message:
    case Reply::Status::part:
      store_event(endpoint, stream, transmit_buffer.data(), reply.size, reply.status == Reply::Status::message);
      return true;
    case Reply::Status::broken:
      ++stream.event;
      stream.in_event = false;
      return true;
    default: break;
  }
  if (server.serves(stream.session, stream.channel) || has_pending_output(endpoint, stream)) return false;
  server.note_use(stream.session, endpoint.now);
  release_record(endpoint, stream);
  return true;
}

bool run_detached(Endpoint& endpoint) {
  bool moved = false;
  for (EventStream& stream : endpoint.storage.detached) {
    if (stream.number != 0 && run_one(endpoint, stream)) moved = true;
  }
  return moved;
}

}  // namespace

constinit const DetachedOps detached_ops{detach_call, run_detached};

}  // namespace mcp::http
