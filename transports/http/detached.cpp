// Calls of sessions that continue after their client has lost its connection. A file of its own: with
// HttpLimits::detached = 0 none of it is linked. Source: basic/transports#sending-messages-to-the-server, 2025-11-25.
#include "mcp/http_transport.hpp"

namespace mcp::http {

class Detached {
 public:
  static bool keep(HttpTransport& transport, Exchange& exchange);
  static bool run(HttpTransport& transport);

 private:
  static std::uint32_t owner_of(const HttpTransport& transport, const EventStream& stream);
  static EventStream* find_room(HttpTransport& transport, std::uint32_t owner);
  static bool advance(HttpTransport& transport, EventStream& stream);
};

std::uint32_t Detached::owner_of(const HttpTransport& transport, const EventStream& stream) {
  return transport.storage_.sessions[stream.session.index].owner;
}

// When all records are in use, the owner of most of them loses its oldest call, which may be the owner that needs one.
// No owner loses a call to another that would then have as many.
EventStream* Detached::find_room(HttpTransport& transport, std::uint32_t owner) {
  const std::span<EventStream> records = transport.storage_.detached;
  const auto count_of = [&](std::uint32_t wanted) {
    std::size_t count = 0;
    for (const EventStream& stream : records) {
      if (owner_of(transport, stream) == wanted) ++count;
    }
    return count;
  };
  EventStream* found = nullptr;
  std::size_t most = 0;
  for (EventStream& stream : records) {
    if (stream.number == 0) return &stream;
    const std::uint32_t other = owner_of(transport, stream);
    const std::size_t count = count_of(other);
    if (other != owner && count <= count_of(owner) + 1) continue;
    const bool is_older = found != nullptr && static_cast<std::int32_t>(stream.number - found->number) < 0;
    if (count < most || (count == most && !is_older)) continue;
    most = count;
    found = &stream;
  }
  if (found == nullptr) return nullptr;
  transport.server_->cancel(found->session, found->channel, transport.now_);
  found->release();
  return found;
}

// The link gets the channel that the record has had.
bool Detached::keep(HttpTransport& transport, Exchange& exchange) {
  EventStream* const record = find_room(transport, owner_of(transport, exchange.stream));
  if (record == nullptr) return false;
  // What a batch was answered with at once is not sent yet.
  if (exchange.pending_output != 0) transport.keep_event(exchange.stream, exchange.json, exchange.pending_output, true);
  exchange.pending_output = 0;
  exchange.replaying = false;
  const std::span<EventStream> records = transport.storage_.detached;
  const auto exchanges =
      static_cast<std::size_t>(transport.storage_.exchanges.end() - transport.storage_.exchanges.begin());
  const auto first = static_cast<Channel>(exchanges + static_cast<std::size_t>(record - records.data()) + 1);
  const Channel channel = record->channel != 0 ? record->channel : first;
  *record = exchange.stream;
  exchange.stream = {.channel = channel};
  return true;
}

bool Detached::run(HttpTransport& transport) {
  bool moved = false;
  for (EventStream& stream : transport.storage_.detached) {
    if (stream.number != 0 && advance(transport, stream)) moved = true;
  }
  return moved;
}

// Nothing is sent, so all such streams share the window of the server, which no link uses.
bool Detached::advance(HttpTransport& transport, EventStream& stream) {
  const Server& server = *transport.server_;
  const std::span<char> transmit_buffer = server.transmit_buffer();
  const Reply reply = server.transmit(stream.session, transmit_buffer, transport.now_, stream.channel);
  switch (reply.status) {
    case Reply::Status::message:
    case Reply::Status::part:
      transport.keep_event(stream, transmit_buffer.data(), reply.size, reply.status == Reply::Status::message);
      return true;
    case Reply::Status::broken:
      ++stream.event;
      stream.in_event = false;
      return true;
    default: break;
  }
  if (server.serves(stream.session, stream.channel) || transport.is_awaited(stream)) return false;
  stream.release();
  return true;
}

constinit const DetachedOps detached_ops{Detached::keep, Detached::run};

}  // namespace mcp::http
