// SPDX-License-Identifier: Apache-2.0
// Streams of server-sent events: of a call, and of a session.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mcp/http/endpoint.hpp"
#include "mcp/http/exchange.hpp"

namespace mcp::http {

/// The channel of the exchange: of its call, session_channel for a standalone stream, only_channel for HTTP+SSE.
[[nodiscard]] inline Channel channel_of(const Exchange& exchange) {
  if (exchange.is_http_sse) return only_channel;
  return is_standalone(exchange.state) ? session_channel : exchange.stream.channel;
}

/// True for the request of a client that takes JSON, but no events. Only its response is sent.
[[nodiscard]] inline bool is_for_response_only(const Exchange& exchange) {
  return !exchange.head.accepts_events() && !exchange.is_http_sse;
}

/// Begins a stream. For HTTP+SSE, its event `endpoint` is from `json` to `endpoint_event_end`. Otherwise both are
/// equal.
void begin_stream(Endpoint& endpoint, Exchange& exchange, ExchangeEvent event, char* endpoint_event_end);
/// Sends the next event, or ends the stream. Returns false without work.
bool run_stream(Endpoint& endpoint, Exchange& exchange);
/// Ends a stream with its last chunk. After a part of a message, drops the connection, because the message must not
/// look complete.
void end_stream(Endpoint& endpoint, Exchange& exchange);
/// Makes the standalone stream of a session resumable, and the server stops waking the transport for it.
void stop_listening(Endpoint& endpoint, const Exchange& exchange);

/// Sends the bytes from `begin` to `end` of the transmit buffer, as a chunk if the stream has chunks.
void send_event(const Endpoint& endpoint, Exchange& exchange, char* begin, char* end);
/// Stores an event in the ring and counts it. For a message in parts, stores only the name, because the buffer holds
/// one part.
void store_event(Endpoint& endpoint, EventStream& stream, const char* json, std::size_t size, bool last);
/// Writes the fields of an event before its JSON.
[[nodiscard]] char* name_event(const Exchange& exchange, std::uint32_t event);
/// Writes the end of an event after its JSON.
char* end_event(char* at);

/// The exchange that sends the output of this channel; nullptr if there is none.
[[nodiscard]] Exchange* stream_of(const Endpoint& endpoint, const SessionId& session, Channel channel);
/// True if an exchange has pending output for this stream.
[[nodiscard]] bool has_pending_output(const Endpoint& endpoint, const EventStream& stream);
/// Passes pending output to its stream. Returns false while this stream sends another message.
bool deliver_pending(Endpoint& endpoint, Exchange& exchange);

/// Makes events of the log messages before a response, by HttpStatelessOps::frame_logs.
bool frame_logs(const Endpoint& endpoint, Exchange& exchange, Reply& reply);

/// Frees the record of a stream without a connection.
void release_record(Endpoint& endpoint, EventStream& record);

}  // namespace mcp::http
